"""Running and recording, as every simulation of ours does it: to a time, to an end, by events, with checkpoints.
Invariant: recorded in pieces of any size = recorded at once; only the alarms of the agenda make time pass."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Iterator
from heapq import heappop
from typing import Any

from ixviz.history import Journal
from ixviz.history.journal import CHUNK
from ixviz.machine.agenda import Agenda

_MOST = 400  # alarms between two looks at the journal


class Recording(ABC):
    """What every simulation inherits. It provides these attributes and `checkpoint`; the hooks are below."""

    agenda: Agenda
    journal: Journal | None
    until: int | None  # where the run ends (ps), None = when nothing more happens
    checkpoints: list[Any]  # each has `events`, how many there were before it
    ended: bool
    shown_by = "picture"  # the module of its system that draws it

    @property
    def now(self) -> int:
        """The simulation's time, ps."""
        return self.agenda._now

    @abstractmethod
    def checkpoint(self) -> Any:
        """This moment, copied."""

    def run(self, until: int | None = None) -> None:
        """Run to `until` (ps), by default to the end of the run: its set time, or when nothing more happens."""
        end = self._end(until)
        if end is None:
            self.agenda.run_out()
        else:
            self.agenda.run_until(end)
        self._stands_at(self.now if end is None else end)
        self.ended = end is None or end == self.until

    def record(self, events: int, until: int | None = None, every: int = 25_000) -> bool:
        """Run on until about `events` more events are recorded, or `until` (ps). False when the run is at its end.

        Takes a checkpoint at least every `every` events.
        """
        assert self.journal is not None, "record a run that was built with a journal"
        collecting = gc.isenabled()
        gc.disable()  # a step makes no cycles, but tuples enough to set the collector off all the time: 8 % of a step
        try:
            with self.journal.busy:
                return self._record(events, until, every)
        finally:
            if collecting:
                gc.enable()

    def _end(self, until: int | None) -> int | None:
        return self.until if until is None else until if self.until is None else min(until, self.until)

    def _record(self, events: int, until: int | None, every: int) -> bool:
        journal, end = self.journal, self._end(until)
        assert journal is not None
        for most in self._pieces(events):
            if not self._goes_on(end):
                break
            most = min(most, self._keep(every), journal.sealed + CHUNK - journal.count)
            self._go_on(most, end)
            journal.flush()
            journal.seal_if_full()
        return not self.ended

    def _goes_on(self, end: int | None) -> bool:
        """Whether there is an alarm up to `end` (ps); if not, time stands there, and the run may be at its end."""
        if self.ended:
            return False
        queue = self.agenda._queue
        if queue and (end is None or queue[0][0] <= end):
            return True
        if end is None:
            self.ended = True
        else:
            self.agenda.run_until(end)
            self._stands_at(end)
            self.ended = end == self.until
        return False

    def _steps(self, count: int, end: int | None) -> None:
        """Up to `count` alarms, none later than `end`: Agenda.step without its calls."""
        agenda = self.agenda
        queue = agenda._queue
        limit = 2**63 if end is None else end
        for _ in range(count):
            if not queue or queue[0][0] > limit:
                return
            now, _, _, alarm = heappop(queue)
            if now == alarm.at:
                agenda._now = now
                alarm.at = -1
                alarm.wake(now)

    # ---------------------------------------------------------------- what simulations differ in
    def closer(self, at: int) -> Iterator[Any] | None:
        """Of a run that is not recorded in full: makes one that is from `at` (ps) on, telling shares of the way (0 … 1)
        first. None where there is nothing more to see."""
        return None

    def _pieces(self, events: int) -> Iterator[int]:
        """For each piece of a recording of `events` how many it may make. Here: until there are so many."""
        assert self.journal is not None
        goal = self.journal.count + events
        while self.journal.count < goal:
            yield goal - self.journal.count

    def _keep(self, every: int) -> int:
        """Take a checkpoint if one is due; how many events until the next. Here: one each `every` events."""
        assert self.journal is not None
        count = self.journal.count
        if not self.checkpoints or count - self.checkpoints[-1].events >= every:
            self.checkpoints.append(self.checkpoint())
        return int(self.checkpoints[-1].events + every - count)

    def _go_on(self, events: int, end: int | None) -> None:
        """Record about so many events, none later than `end`. Here: each alarm makes one."""
        self._steps(max(1, min(_MOST, events)), end)

    def _stands_at(self, time: int) -> None:  # noqa: B027  (a hook, not a duty)
        """Time (ps) stands where no alarm need have been. Here: nothing hangs on that."""
