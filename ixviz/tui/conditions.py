"""Break conditions: an expression of the lesson language over the run on the screen.

Invariant: a condition is evaluated at one event with what was known there; what has not happened makes it false.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ixviz.lesson.env import TABLES, RunEnv
from ixviz.lesson.expr import ExprError, NotYet, condition, names_used, parse

from .branch import Branch
from .state import BUDGET


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


def place_at(branch: Branch, cursor: Any) -> Any:
    """The environment of a branch at a cursor."""
    return RunEnv(_Only(branch), branch.name, cursor.at, cursor)


class Condition:
    """A parsed condition. Raises ValueError with what is wrong in it."""

    def __init__(self, branch: Branch, source: str) -> None:
        self.branch = branch
        try:
            self.expr = parse(source)
            condition(self.expr, place_at(branch, branch.cursor))
        except NotYet:
            pass
        except ExprError as error:
            raise ValueError(str(error)) from None
        self.slots = self._slots()

    def _slots(self) -> list[int] | None:
        """The slots the condition reads, None when it reads more than fields (time, tables, waiting)."""
        view, out = self.branch.cursor.view, []
        here = place_at(self.branch, self.branch.cursor)
        for name in map(str, names_used(self.expr)):
            component, _, key = name.rpartition(".")
            if component in view:
                keys = ("head", "tail") if key == "depth" else (key,)
                try:
                    out += [view.slot(f"{component}.{k}") for k in keys]
                except KeyError:
                    return None
            elif name in ("waiting", "time", *TABLES) or "." in name or here.lookup(name) is not None:
                return None  # any other bare name is a word, such as idle
        return out or None

    def holds(self, cursor: Any) -> bool:
        try:
            return condition(self.expr, place_at(self.branch, cursor))
        except NotYet:
            return False
        except ExprError as error:
            raise ValueError(str(error)) from None

    def search(self, start: int, by: int) -> Iterator[int | None]:
        """None after each slice of work, and the event that makes the condition true, if there is one, as the last."""
        branch = self.branch
        if by < 0:
            found = branch.sim.history.previous(start, self.holds, self.slots)
            if found:
                yield found
            return
        while True:
            last = branch.last()
            stop = min(start + (5_000 if self.slots else 300), last)
            found = branch.sim.history.next(start, self.holds, self.slots, stop)
            if found is not None:
                yield found
                return
            start = stop
            if stop == branch.last():
                if branch.ended or branch.limit is not None:
                    return
                branch.record(BUDGET)
            yield None
