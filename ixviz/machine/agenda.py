"""The clock and the agenda (SimPy's), with one re-armed alarm a process.
Invariant: events at one instant run in order of process id, never of insertion; time is integer picoseconds."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any, Protocol

import simpy


class Process(Protocol):
    """One loop around `wake`: it reads slots, changes slots, and arms its alarm for when to wake next."""

    def wake(self, now: int) -> None:
        """Go on at `now` (ps)."""


class Alarm:
    """The one entry of a process in the agenda, used again and again: arming it anew replaces the time before."""

    __slots__ = ("agenda", "at", "order", "queue", "wake")

    def __init__(self, agenda: Agenda, process: Process, order: int) -> None:
        self.at = -1  # armed for this time; -1 when it is not armed
        self.agenda = agenda
        self.queue: list[Any] = agenda._queue
        self.wake = process.wake
        self.order = order

    def arm(self, at: int) -> None:
        """Wake the process at `at` (ps, not before now); whatever it was armed for before is forgotten."""
        if at != self.at:
            self.at = at
            heappush(self.queue, (at, self.order, 0, self))

    def fire(self, now: int) -> None:
        """Called by the agenda. An entry that was replaced pops at another time than the alarm's, or finds it spent;
        it does nothing, nor does it move the clock."""
        if now == self.at:
            self.agenda._now = now
            self.at = -1
            self.wake(now)


class Agenda(simpy.Environment):
    """SimPy's environment, stepping alarms: entries are (time, process id, 0, alarm), so ties at one instant are ours.

    A SimPy step makes and drops a list of callbacks for each event; with one alarm a process, called directly, a step
    costs a third of it (0.1 against 0.3 µs), which is what the unwatched speed hangs on.
    """

    _now: int
    _queue: list[Any]

    def alarm(self, process: Process, order: int) -> Alarm:
        """A new alarm for a process of the given id."""
        return Alarm(self, process, order)

    def step(self) -> None:
        """Run the next alarm. IndexError when nothing is to come."""
        now, _, _, alarm = heappop(self._queue)
        alarm.fire(now)

    def run_out(self) -> None:
        """Run everything until nothing is to come; time stands at the last alarm."""
        queue = self._queue
        while queue:
            now, _, _, alarm = heappop(queue)
            alarm.fire(now)

    def run_until(self, time: int) -> None:
        """Run everything up to and at `time` (ps), then stand at `time`."""
        queue = self._queue
        while queue and queue[0][0] <= time:
            now, _, _, alarm = heappop(queue)
            alarm.fire(now)
        if time > self._now:
            self._now = time
