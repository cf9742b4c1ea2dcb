"""Break conditions: an expression of the lesson language over the run on the screen.

Invariant: a condition is evaluated at one event with what was known there; what has not happened makes it false.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from ixviz.lesson.env import TABLES, RunEnv
from ixviz.lesson.expr import Expr, ExprError, NotYet, condition, names_used, parse
from ixviz.lesson.expr.tree import Path, children

from .branch import Branch
from .state import BUDGET

_SLICE = 5_000  # events whose writes are looked through at once


class _Only:
    """What lesson.env asks of a lesson's runs, answered by one branch."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch

    def recorded(self, name: str, events: int = 0, time: int | None = None) -> Any:
        return self.branch.sim

    def scenario(self, name: str) -> Any:
        return self.branch.scenario

    def facts(self, name: str) -> Any:
        return self.branch.sim.facts


class _Place(RunEnv):
    """A branch at a cursor. `parts`: the only components it knows, when they are not all (a server has thousands)."""

    def __init__(self, branch: Branch, cursor: Any, parts: Mapping[str, type] | None = None) -> None:
        super().__init__(_Only(branch), branch.name, cursor.at, cursor)  # type: ignore[arg-type]
        self._parts = parts

    def components(self) -> Mapping[str, type]:
        """See RunEnv.components."""
        return super().components() if self._parts is None else self._parts


class Condition:
    """A parsed condition. Raises ValueError with what is wrong in it."""

    def __init__(self, branch: Branch, source: str) -> None:
        self.branch = branch
        try:
            self.expr = parse(source)
            condition(self.expr, _Place(branch, branch.cursor))
        except NotYet:
            pass
        except ExprError as error:
            raise ValueError(str(error)) from None
        self.names = list(map(str, names_used(self.expr)))
        self.parts = self._needed()
        self.slots = self._slots()

    def _needed(self) -> dict[str, type]:
        """The components the condition may read: those it names, and what `waiting` counts in."""
        view = self.branch.cursor.view
        named = {part for name in self.names for part in (name, name.rpartition(".")[0]) if part in view}
        places = self.branch.sim.history.places
        return {p.name: p.cls for p in places if p.name in named or _waits(p.cls) or "drops" in p.cls.FIELDS}

    def _slots(self) -> list[int] | None:
        """The slots the condition reads, None when it reads more than fields (time, tables)."""
        view, out = self.branch.cursor.view, []
        here = _Place(self.branch, self.branch.cursor)
        counted = _counted(self.expr)
        for name in counted:
            plain = here.alias(name)
            within = [part for part in self.parts if part == plain or (plain == "rxlist" and ".rxlist" in part)]
            within = within or [part for part, cls in self.parts.items() if "stage" in _waits(cls)]
            out += [view.slot(f"{part}.{key}") for part in within for key in _waits(self.parts[part])]
        for name in self.names:
            component, _, key = here.alias(name).rpartition(".")
            if name == "waiting" or name in counted:
                continue
            if component in view:
                keys = ("head", "tail") if key == "depth" else (key,)
                try:
                    out += [view.slot(f"{component}.{k}") for k in keys]
                except KeyError:
                    return None
            elif name in ("time", *TABLES) or "." in name or here.lookup(name) is not None:
                return None  # any other bare name is a word, such as idle
        return out or None

    def holds(self, cursor: Any) -> bool:
        """Whether it is true there. Raises ValueError where it makes no sense."""
        try:
            return condition(self.expr, _Place(self.branch, cursor, self.parts))
        except NotYet:
            return False
        except ExprError as error:
            raise ValueError(str(error)) from None

    def search(self, start: int, by: int) -> Iterator[int | None]:
        """None after each slice of work, and the event that makes the condition true, if there is one, as the last."""
        return self._forward(start) if by > 0 else self._backward(start)

    def _forward(self, start: int) -> Iterator[int | None]:
        branch = self.branch
        cursor = branch.sim.history.cursor(start)
        was, pause = self.holds(cursor), _Pause()
        while True:
            last = branch.last()
            stop = min(start + _SLICE, last)
            for number in self._events(start + 1, stop):
                cursor.seek(int(number))
                now = self.holds(cursor)
                if now and not was:
                    yield int(number)
                    return
                was = now
                if pause.due():
                    yield None
            start = stop
            if stop == last:
                if branch.ended or branch.limit is not None:
                    return
                branch.record(BUDGET)
                yield None

    def _backward(self, start: int) -> Iterator[int | None]:
        """The last event before `start` that made it true; the start of the run makes nothing true."""
        end, pause = start - 1, _Pause()
        if end < 1:
            return
        cursor = self.branch.sim.history.cursor(end)
        now = self.holds(cursor)
        while end > 0:
            first = max(end - _SLICE + 1, 1)
            for number in reversed(self._events(first, end)):
                cursor.seek(int(number) - 1)  # nothing that it reads is written between two events that are looked at
                before = self.holds(cursor)
                if now and not before:
                    yield int(number)
                    return
                now = before
                if pause.due():
                    yield None
            end = first - 1

    def _events(self, first: int, last: int) -> Any:
        """The events that may change it, ascending."""
        if self.slots is None or first > last:
            return range(first, last + 1)
        return self.branch.sim.history.touched(self.slots, first, last)


class _Pause:
    """Says when it is time to let the screen go on."""

    def __init__(self) -> None:
        self._end = time.perf_counter() + BUDGET

    def due(self) -> bool:
        """Whether a slice of work has been done; then the next one begins."""
        if time.perf_counter() < self._end:
            return False
        self._end = time.perf_counter() + BUDGET
        return True


def _counted(expr: Expr) -> set[str]:
    """What is inside `waiting(…)`."""
    found = {name for child in children(expr) for name in _counted(child)}
    if isinstance(expr, Path) and expr.parts[0].name == "waiting":
        found |= {str(arg) for arg in expr.parts[0].args or ()}
    return found


def _waits(cls: type) -> tuple[str, ...]:
    """What `waiting` reads of a component of this class."""
    fields = cls.FIELDS  # type: ignore[attr-defined]
    return ("head", "tail") if {"head", "tail"} <= set(fields) else ("stage", "size") if "stage" in fields else ()
