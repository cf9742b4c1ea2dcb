"""History files: a journal and who owns which slot, in one file.
Invariant: what was saved is loaded as it was, or refused in one line; nothing from a file is ever executed."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ixviz.history.component import Component, Field, Place, Slots
from ixviz.history.history import History
from ixviz.history.journal import Chunk, Journal

VERSION = 1
MAGIC = "ixviz history"
_ARRAYS = tuple(n for n in Chunk.__slots__ if n != "first")
# What zipfile, zlib, json and numpy raise on bytes that are not what they seem.
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, KeyError, ValueError, TypeError, EOFError, IndexError,
           AttributeError, NotImplementedError, RuntimeError, OverflowError, MemoryError)  # fmt: skip


class HistoryFileError(Exception):
    """The file is no history, of another version, or cut; one line says which."""


def save(history: History, path: str | Path, about: dict[str, Any] | None = None) -> None:
    """Write a history. The file appears whole or not at all. `about` is any JSON, given back by `load`."""
    count = len(history)
    chunks = history.journal.chunks
    head = {
        "format": MAGIC, "version": VERSION, "events": count, "slots": history.size, "kinds": list(history.kinds),
        "chunks": [c.first for c in chunks], "about": about or {},
        "components": [[p.name, _class_name(p.cls), [[n, *_field(f)] for n, f in p.cls.FIELDS.items()]]
                       for p in history.places],
    }  # fmt: skip
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
            out.writestr("head.json", json.dumps(head))
            for i, chunk in enumerate(chunks):
                for name in _ARRAYS:
                    buffer = BytesIO()
                    np.save(buffer, getattr(chunk, name), allow_pickle=False)
                    out.writestr(f"{i}/{name}.npy", buffer.getvalue())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def load(path: str | Path) -> tuple[History, dict[str, Any]]:
    """The history of a file and what was saved `about` it. HistoryFileError says in one line why it cannot be read."""
    try:
        with zipfile.ZipFile(path) as source:
            head = json.loads(source.read("head.json"))
            if head.get("format") != MAGIC:
                raise HistoryFileError(f"{path}: not a history file")
            if head.get("version") != VERSION:
                raise HistoryFileError(f"{path}: history file of version {head.get('version')!r}, this reads {VERSION}")
            journal = Journal()
            for i, first in enumerate(head["chunks"]):
                chunk = object.__new__(Chunk)
                chunk.first = int(first)
                for name in _ARRAYS:
                    data = BytesIO(source.read(f"{i}/{name}.npy"))
                    setattr(chunk, name, np.load(data, allow_pickle=False))
                journal.chunks.append(chunk)
            journal.count = journal.sealed = int(head["events"])
            journal.size = int(head["slots"])
            slots = Slots()
            slots.places = list(_places(head["components"]))
            _verify(path, journal, slots)
            return History(journal, slots, head["kinds"]), dict(head["about"])
    except FileNotFoundError:
        raise HistoryFileError(f"{path}: no such file") from None
    except OSError as error:
        raise HistoryFileError(f"{path}: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise HistoryFileError(f"{path}: not a history file, or cut short") from error


def _verify(path: str | Path, journal: Journal, slots: Slots) -> None:
    count = sum(len(c) for c in journal.chunks)
    top = max((int(c.slots.max()) for c in journal.chunks if len(c.slots)), default=-1)
    owned = sum(len(p.cls.FIELDS) for p in slots.places)
    if count != journal.count or top >= journal.size or owned != journal.size:
        raise HistoryFileError(f"{path}: not a history file, or cut short")


def _field(declared: Field) -> tuple[int, list[str], str, str, bool]:
    return declared.default, list(declared.values), declared.unit, declared.doc, declared.hidden


def _class_name(cls: type[Component]) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _known(cls: type[Component] = Component) -> Iterator[type[Component]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _known(sub)


def _places(rows: list[list[Any]]) -> Iterator[Place]:
    """Places with the classes of this program where they have the same fields, else with plain ones."""
    known = {_class_name(c): c for c in _known()}
    made: dict[str, type[Component]] = {}
    base = 0
    for name, class_name, declared in rows:
        cls = known.get(class_name)
        if cls is None or list(cls.FIELDS) != [row[0] for row in declared]:
            key = json.dumps([class_name, declared])
            if key not in made:
                fields = {str(n): Field(int(d), tuple(v), u, t, bool(h)) for n, d, v, u, t, h in declared}
                made[key] = type("Saved", (Component,), {"FIELDS": fields})
            cls = made[key]
        yield Place(str(name), cls, base)
        base += len(declared)


__all__ = ["HistoryFileError", "load", "save"]
