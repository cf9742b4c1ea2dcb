"""Break conditions: an expression of the lesson language over the run on the screen.

Invariant: a condition is evaluated at one event with what was known there; what has not happened makes it false.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import ExprError, NotYet, condition, parse
from ixviz.lesson.reads import Reads

from .branch import Branch
from .work import BUDGET


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


class Condition:
    """A parsed condition. Raises ValueError with what is wrong in it."""

    def __init__(self, branch: Branch, source: str) -> None:
        self.branch = branch
        here = self._env(branch.cursor)
        try:
            self.expr = parse(source)
            condition(self.expr, here)
        except NotYet:
            pass
        except ExprError as error:
            raise ValueError(str(error)) from None
        self._reads = Reads(self.expr, here)
        self.slots = self._reads.slots

    def _env(self, cursor: Any) -> RunEnv:
        branch = self.branch
        return RunEnv(_Only(branch), branch.name, cursor.at, cursor)  # type: ignore[arg-type]

    def holds(self, cursor: Any) -> bool:
        """Whether it is true there. Raises ValueError where it makes no sense."""
        env = self._env(cursor)
        env.parts = self._reads.parts
        try:
            return condition(self.expr, env)
        except NotYet:
            return False
        except ExprError as error:
            raise ValueError(str(error)) from None

    def search(self, start: int, by: int) -> Iterator[int | None]:
        """None after each slice of work, and the event that makes the condition true, if there is one, as the last."""
        branch, pause = self.branch, _Pause()
        history = branch.sim.history
        if by < 0:
            for found in history.backward(start, self.holds, self.slots):
                if found:  # the start of the run makes nothing true
                    yield found
                elif pause.due():
                    yield None
            return
        while True:
            last = branch.last()
            for found in history.forward(start, self.holds, self.slots, last):
                if found is not None:
                    yield found
                    return
                if pause.due():
                    yield None
            if branch.ended or branch.limit is not None:
                return
            start = max(start, last)
            branch.record(BUDGET)
            yield None


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
