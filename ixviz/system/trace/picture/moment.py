"""A moment of a recorded trace: the cursor, and the accesses up to its event only.
Invariant: nothing that happened after the cursor's event can be read through a Moment; each question costs O(log n)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple

import numpy as np

from ixviz.machine.caches import line_name, number_of
from ixviz.machine.line import TRANSFER


class Access(NamedTuple):
    """One access: number in the file (from 1), event, core, whether it writes, address, number of its line, outcome as
    in machine/line.py, when it begins and ends (ps)."""

    number: int
    event: int
    core: int
    write: bool
    address: int
    line: int
    outcome: int
    begins: int
    ends: int


class Moment:
    """A trace at an event: `cursor` stands there, `at` is its number, `now` (ps) may lie between it and the next.

    What a screen counts and follows as packets are accesses here: `packets` have begun, and `batches` moved a line.
    """

    def __init__(self, sim: Any, cursor: Any, now: int | None = None) -> None:
        self.sim, self.cursor, self.view = sim, cursor, cursor.view
        self.at: int = cursor.at
        self.now: int = cursor.time if now is None else max(now, cursor.time)
        self.packets: int = bisect_right(sim.accesses.event, self.at, 1) - 1

    @property
    def batches(self) -> int:
        """Transfers so far."""
        return sum(self.view[cache.name].transfers for cache in self.sim.memory.caches)

    def access(self, number: int) -> Access:
        """An access that has begun; IndexError for any other."""
        if not 1 <= number <= self.packets:
            raise IndexError(number)
        table, trace, i = self.sim.accesses, self.sim.trace, number - 1
        where = trace.cores[i], bool(trace.writes[i]), trace.addresses[i], int(trace.numbers[i])
        return Access(number, table.event[number], *where, table.outcome[number], table.begins[number],
                      table.ends[number])  # fmt: skip

    def access_of(self, event: int) -> Access | None:
        """The access of an event up to the moment, None for other events."""
        events = self.sim.accesses.event
        i = bisect_left(events, event, 1)
        return self.access(i) if i <= self.packets and events[i] == event else None

    def left(self, number: int) -> int | None:
        """When an access was done (ps), None while it runs."""
        ends = self.access(number).ends
        return ends if ends <= self.now else None

    def dropped(self, number: int) -> bool:
        """No access is ever dropped."""
        return False

    def finished(self, most: int) -> list[int]:
        """How long (ps) the last `most` accesses that are done took."""
        table = self.sim.accesses
        last = bisect_right(table.ends, self.now, 1, self.packets + 1)
        return [table.ends[i] - table.begins[i] for i in range(max(last - most, 1), last)]

    def between(self, start: int, end: int) -> range:
        """Numbers of the accesses that overlap `start` … `end` (ps)."""
        table, stop = self.sim.accesses, self.packets + 1
        first = max(bisect_right(table.begins, start, 1, stop) - 1, 1)
        return range(first, bisect_left(table.begins, end, first, stop) if stop > first else first)

    @property
    def lines(self) -> int:
        """How many lines have been accessed."""
        return bisect_left(self.sim.trace.first, self.packets)

    @property
    def shared(self) -> int:
        """How many lines have been had by several cores."""
        return bisect_left(self.sim.trace.second, self.packets)

    def line_at(self, place: int) -> str:
        """The component of a line, by its place in the order of first accesses."""
        return line_name(self.sim.trace.order[place])

    def place_of(self, name: str) -> int | None:
        """Where a line stands in that order, None if it has not been accessed or is no line."""
        if name not in self.view or not name.startswith("line") or not self.view[name].accesses:
            return None
        return int(self.sim.trace.place[np.argmax(self.sim.trace.numbers == number_of(name))])

    def moves(self) -> Any:
        """The lines that moved between caches, one entry a transfer in order of time, by their places."""
        outcomes = np.array(self.sim.accesses.outcome[1 : self.packets + 1])
        return self.sim.trace.place[: self.packets][outcomes == TRANSFER]
