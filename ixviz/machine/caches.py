"""Private caches of a finite size, for traces: sets of ways, the least recently used makes room, write-back.
Invariant: a core has a valid copy of a line if and only if one way of the line's set in its cache holds it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ixviz.history import Component, field
from ixviz.machine.line import Line
from ixviz.machine.lines import Lines
from ixviz.machine.protocol import INVALID, STATES

NOTHING = -1


class CacheSet(Component):
    """A set of a cache: which line each way holds, and with which of the core's accesses it was used last."""


@cache
def set_class(ways: int) -> type[CacheSet]:
    """The class of sets with so many ways."""
    fields: dict[str, Any] = {}
    for i in range(ways):
        fields[f"way{i}"] = field(default=NOTHING, doc="number of the line it holds, -1 none yet", hidden=True)
        fields[f"used{i}"] = field(doc="number of the core's access that used it last", hidden=True)
    made = type(f"CacheSetOf{ways}", (CacheSet,), {**fields, "__doc__": CacheSet.__doc__})
    made.__module__, made.__qualname__ = CacheSet.__module__, f"CacheSetOf{ways}"
    return made


class Held(NamedTuple):
    """A line in a set: its number, the letter of its state, when it was used last."""

    number: int
    state: str
    used: int


class Caches:
    """The caches of all cores: `size` bytes in sets of `ways`, or None for infinite; `line` bytes a line.

    Lines have numbers here: address // `line`. `line_of(number)` finds the one of a number, made by `line_at`.
    """

    def __init__(self, lines: Lines, size: int | None, ways: int, line: int) -> None:
        self.lines, self.line = lines, line
        self.ways = ways
        self.sets = None if size is None else size // (ways * line)
        self._known: dict[int, Line] = {}
        self._made: dict[tuple[int, int], Any] = {}
        self._names = [(f"way{i}", f"used{i}") for i in range(ways)]

    def find(self, number: int) -> Line | None:
        """The line of a number, None if no core ever accessed it."""
        return self._known.get(number)

    def access(self, core: int, write: bool, address: int, path: int = 0) -> int:
        """A core reads or writes an address: room is made for its line, then it is accessed. Returns the cycles."""
        number = address // self.line
        line = self._known.get(number)
        if line is None:
            line = self._known[number] = self.lines.add(line_name(number))
        if self.sets is not None:
            self._make_room(core, number)
        return line.access(core, write, path)

    def _make_room(self, core: int, number: int) -> None:
        """Find a way for the line: the one it is or was in, else one with no valid copy, else the one used longest ago,
        whose line leaves. Note that it is used now."""
        held = self._set(core, number)
        values, now = held.__dict__, self.lines.caches[core].accesses + 1
        for way, used in self._names:
            if values[way] == number:
                setattr(held, used, now)
                return
        known, state = self._known, f"core{core}"
        oldest, least = "", -1
        for way, used in self._names:
            tag = values[way]
            if tag == NOTHING or not known[tag].__dict__[state]:
                oldest = way
                break
            if least < 0 or values[used] < least:
                oldest, least = way, values[used]
        else:
            known[values[oldest]].evict(core)
        setattr(held, oldest, number)
        setattr(held, f"used{oldest[3:]}", now)

    def _set(self, core: int, number: int) -> Any:
        assert self.sets is not None
        key = core, number % self.sets
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self.lines.slots.add(set_class(self.ways), f"cache{core}.set{key[1]}")
        return made

    def set_of(self, address: int) -> int | None:
        """The set that an address falls in, None in infinite caches."""
        return None if self.sets is None else address // self.line % self.sets

    def rebuild(self) -> None:
        """After slots have been loaded: find the lines and sets again."""
        self.lines.rebuild()
        self._known = {number_of(name): line for name, line in self.lines.by_name.items()}
        self._made = {}
        for component in self.lines.slots.components:
            if isinstance(component, CacheSet):
                core, _, number = component.name.removeprefix("cache").partition(".set")
                self._made[int(core), int(number)] = component


def line_name(number: int) -> str:
    """`line40` for line number 64: numbers of lines are hexadecimal, as addresses are."""
    return f"line{number:x}"


def number_of(name: str) -> int:
    """The number in the name of a line."""
    return int(name.removeprefix("line"), 16)


def content(view: Any, core: int, number: int, ways: int) -> list[Held]:
    """What a set of a core's cache holds at a cursor, the most recently used first; invalid copies are left out."""
    name = f"cache{core}.set{number}"
    if name not in view:
        return []
    held = view[name]
    out = []
    for i in range(ways):
        tag = getattr(held, f"way{i}")
        used = getattr(held, f"used{i}")
        if used and tag != NOTHING:
            state = view[line_name(tag)].state(core)
            if state != INVALID:
                out.append(Held(tag, STATES[state], used))
    return sorted(out, key=lambda h: -h.used)


__all__ = ["CacheSet", "Caches", "Held", "content", "line_name", "number_of", "set_class"]
