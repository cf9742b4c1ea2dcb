"""Words that the systems share: numbers of things, names of components, what befalls packets on every machine.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ixviz.system.picture.moments import Moment


def several(word: str) -> str:
    """`packets`, `accesses`, `batches`."""
    return f"{word}{'es' if word.endswith(('s', 'ch')) else 's'}"


def plural(n: int, word: str) -> str:
    """`1 packet`, `1,204 packets`, `2 accesses`."""
    return f"{n:,} {word if n == 1 else several(word)}"


def cores_words(n: int, threads: int) -> str:
    """`8 cores`; where each has two hardware threads `8 cores, 16 hyperthreads`."""
    return plural(n, "core") + (f", {plural(threads, 'hyperthread')}" if threads > n else "")


def core_name(name: str) -> str:
    """`core0` → `core 0`."""
    return f"core {name[4:]}" if name.startswith("core") else name


def short(name: str) -> str:
    """`nic.q0` → `q0`, `core0` → `core 0`: components as a sentence names them."""
    return name.rpartition(".")[2] if name.startswith("nic.") else core_name(name)


def sentence(moment: Moment, number: int, own: Callable[[Any, Any, str, str], str]) -> str:
    """What event `number` (at most the moment's) was, without a full stop: the start, a what-if, an arrival, a drop.

    Other kinds are the system's own: `own(moment, event, kind, name of its component)`.
    """
    history = moment.sim.history
    event = history.event(number)
    kind, name = history.kinds[event.kind], history.places[event.subject].name
    if kind == "what if":
        return "a knob is turned: what if"
    if kind == "start":
        return "the machine starts, nothing has arrived"
    if kind not in ("arrive", "drop"):
        return own(moment, event, kind, name)
    packet = moment.packet_of(number)
    who = "a packet" if packet is None else f"packet {packet:,}"
    where = short(name)
    return f"{who} arrives in {where}" if kind == "arrive" else f"{who} finds {where} full and is dropped"
