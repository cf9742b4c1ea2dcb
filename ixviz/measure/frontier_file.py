"""Frontiers that are kept: a file each in a folder, named by what the frontier depends on.
Invariant: a file's name only ever stands for a whole file; one that cannot be read or written is as if it were not."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ixviz import __version__
from ixviz.measure import frontier as search
from ixviz.measure.frontier import Frontier, Static

_VERSION = 1
_MOST_BYTES = 10_000_000


def fingerprint(scenario: Any, sim: Any) -> str:
    """What a frontier depends on, in sixteen characters: machine, costs, power, clients, how it is searched, ixviz.

    The load, the policy and the length of the run are not part of it.
    """
    facts = sim.facts
    of = {
        "version": [_VERSION, __version__],
        "search": [search.SLO_US, search.GUESS, search.STRIDE, search.CLOSE, search.WARMUP, search.LEAST,
                   search.REQUESTS],
        "machine": search.static(scenario.raw, 1, False, 10**9, 10**3),
        "costs": facts["costs_table"].table,
        "client": [facts.get("one_way"), facts.get("client_share")],
        "configurations": sim.configurations(),
    }  # fmt: skip
    return hashlib.sha256(json.dumps(of, sort_keys=True, default=str).encode()).hexdigest()[:16]


def read(folder: Path | None, key: str) -> Frontier | None:
    """The frontier that is kept under a fingerprint, None if there is none that can be read."""
    if folder is None:
        return None
    try:
        with open(folder / f"{key}.json", "rb") as file:
            data = json.loads(file.read(_MOST_BYTES))
        if data["version"] != _VERSION or data["fingerprint"] != key:
            return None
        made = [Static(*row) for row in data["configurations"]]
        return made if made and all(_sound(one) for one in made) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _sound(one: Static) -> bool:
    return all(isinstance(value, int | float) and value >= 0 for value in one)


def write(folder: Path | None, key: str, made: Frontier) -> bool:
    """Keep a frontier: the whole file or none. False when that cannot be done."""
    if folder is None:
        return False
    path = folder / f"{key}.json"
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    content = json.dumps({"version": _VERSION, "fingerprint": key, "configurations": made}) + "\n"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        return False
    return True
