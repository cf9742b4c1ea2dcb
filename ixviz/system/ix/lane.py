"""A whole turn in one wake, for unwatched runs in bulk: what a Dataplane does, with the fewest steps.
Invariant: every batch begins and ends at the same picosecond as stage by stage; `settle` makes the slots agree."""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappush
from typing import Any

import numpy as np

from ixviz.machine.agenda import Agenda
from ixviz.machine.wire import PS
from ixviz.system.ix.costs import IDLE, POLL
from ixviz.system.ix.dataplane import Dataplane
from ixviz.workload.bulkfeed import BulkFeed
from ixviz.workload.openfeed import NEVER

Ints = np.ndarray[Any, np.dtype[np.int64]]
STRIDE = 4  # integers of a finished batch in the log: began, ended, size, when the TX wire took its first frame


class Wire:
    """When the TX wire of the port all lanes share is free again, ps."""

    __slots__ = ("free",)

    def __init__(self) -> None:
        self.free = 0


class TurnLane:
    """One thread, one ring, fixed costs, a list behind the ring. Its own event in the agenda, armed once a turn.

    `waiting` packets lie in the list, `size` are in service since `began`; `log` has the finished batches.
    """

    __slots__ = (
        "_agenda",
        "_order",
        "_queue",
        "at",
        "began",
        "bound",
        "busy",
        "core",
        "deepest",
        "drops",
        "due",
        "feed",
        "gaps",
        "idle",
        "list_capacity",
        "list_deepest",
        "list_drops",
        "log",
        "log_it",
        "number",
        "packed",
        "queue",
        "ring_capacity",
        "seen",
        "size",
        "stall",
        "stalls",
        "times",
        "turn_ps",
        "waiting",
        "wire",
        "wire_ps",
    )  # fmt: skip

    def __init__(self, core: Dataplane, feed: BulkFeed, agenda: Agenda, wire: Wire, wire_ps: int) -> None:
        self.core, self.feed, self.wire, self.wire_ps = core, feed, wire, wire_ps
        self.number, self.queue = core.number, core.queues[0]
        self.times: list[int] = []
        self.at = self.seen = self.began = self.size = self.waiting = self.busy = self.idle = 0
        self.drops = self.list_drops = self.deepest = self.list_deepest = self.stalls = 0
        self.gaps: list[tuple[int, int]] = []
        self.bound = core.bound
        self.ring_capacity, self.list_capacity = core.rings[0].capacity, core.lists[0].capacity
        most = min(self.bound, 65_536)
        self.turn_ps = [-(-core.costs.turn(n) * PS // core.clock) for n in range(most + 1)]
        self.stall = core.tx.capacity
        self.log: list[int] = []
        self.log_it = self.log.extend
        self.packed: list[Ints] = []  # what was in the log before, at an eighth of the memory
        self._order = core.subject + 1
        self._agenda = agenda
        self._queue: list[Any] = agenda._queue
        self.due = -1

    def arm(self, at: int) -> None:
        """Wake at `at` (ps)."""
        self.due = at
        heappush(self._queue, (at, self._order, 0, self))

    def fire(self, now: int) -> None:
        """End the turn, if one runs, and begin the next, or rest until the next packet comes."""
        self._agenda._now = now
        feed, size = self.feed, self.size
        if size:
            wire, per = self.wire, self.wire_ps
            start = wire.free
            if start < now:
                start = now
            elif per and start - now > (self.stall - min(size, self.stall)) * per:
                self.stalls += 1
                self.arm(start - (self.stall - min(size, self.stall)) * per)
                return
            wire.free = start + size * per
            self.log_it((self.began, now, size, start))
            self.busy += now - self.began
            self.began = now
        if feed.horizon <= now:
            feed.until(now)
        at = self.at
        come = bisect_right(self.times, now, at) - at
        waiting = self.waiting
        if come:
            self.at = at + come
            if come > self.deepest or come + waiting > self.list_deepest:
                come = self._many(come)
            self.seen += come
            waiting += come
        if waiting:
            if not size:
                self.idle += now - self.began
                self.began = now
            bound = self.bound
            if waiting > bound:
                self.waiting = waiting - bound
                self.size = bound
                at = now + self.turn_ps[bound]
            else:
                if self.waiting:
                    self.waiting = 0
                self.size = waiting
                at = now + self.turn_ps[waiting]
        else:
            self.size = 0
            at, times = self.at, self.times
            at = times[at] if at < len(times) else feed.horizon
            if at == NEVER:
                self.due = -1
                return
        self.due = at
        heappush(self._queue, (at, self._order, 0, self))

    def _many(self, come: int) -> int:
        """More have come than ever before: keep the record, drop what finds no place; returns how many are kept."""
        kept = min(come, self.ring_capacity)
        behind = self.seen + self.drops + self.list_drops  # never a sum over the gaps: there may be millions
        self.deepest = max(self.deepest, kept)
        if kept < come:
            self.drops += come - kept
        listed = min(kept, self.list_capacity - self.waiting)
        self.list_drops += kept - listed
        if listed < come:
            self.gaps.append((behind + listed, come - listed))
        # a full list must be looked at again each time: the record is then never raised beyond what lets that happen
        self.deepest = min(self.deepest, self.ring_capacity)
        self.list_deepest = max(self.list_deepest, min(self.waiting + listed, self.list_capacity))
        return listed

    def poll_rest(self, now: int) -> None:
        """At the end of a run: what has come since the last poll is in the ring, at most as much as it holds."""
        self.feed.until(now)
        come = bisect_right(self.times, now, self.at) - self.at
        ring = self.core.rings[0]
        lost = max(0, come - self.ring_capacity)
        ring.tail = self.seen + self.list_drops + come - lost
        ring.head = self.seen + self.list_drops
        ring.drops = self.drops + lost
        ring.deepest = max(self.deepest, come - lost)

    def pack(self) -> None:
        """Called at every block: a long log becomes an array."""
        if len(self.log) > STRIDE * 65_536:
            self._pack()

    def _pack(self) -> None:
        if self.log or not self.packed:
            self.packed.append(np.array(self.log, dtype=np.int64).reshape(-1, STRIDE))
            del self.log[:]

    def batches(self) -> Ints:
        """All finished batches, int64 [n, 4]: began, ended, size, when the TX wire took the first frame."""
        self._pack()
        if len(self.packed) > 1:
            self.packed = [np.concatenate(self.packed)]
        return self.packed[0]

    def settle(self) -> None:
        """Write what the lane counts into the slots of thread, list, TX ring and port."""
        core, finished = self.core, self.batches()
        done, batches = int(finished[:, 2].sum()), len(finished)
        core.busy, core.idle, core.began = self.busy, self.idle, self.began
        core.stage = POLL if self.size else IDLE
        core.size = self.size
        core.done, core.batch = done, batches + (1 if self.size else 0)
        rxlist = core.lists[0]
        rxlist.tail, rxlist.head = self.seen, self.seen - self.waiting
        rxlist.drops, rxlist.deepest = self.list_drops, self.list_deepest
        core.tx.posted, core.tx.doorbells, core.tx.stalls = done, batches, self.stalls
        core.ports[0].wire_free = self.wire.free
        self.feed.intake.nic.arrived = sum(r.tail + r.drops for r in self.feed.intake.rings)

    _KEPT = ("at", "seen", "began", "size", "waiting", "busy", "idle", "drops", "list_drops", "deepest",
             "list_deepest", "stalls", "due")  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Counts, frames not yet seen, finished batches."""
        kept: dict[str, Any] = {n: getattr(self, n) for n in self._KEPT}
        return {**kept, "times": self.times[self.at :], "gaps": list(self.gaps), "packed": list(self.packed),
                "log": list(self.log), "free": self.wire.free}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Take over a state and arm for what comes."""
        for n in self._KEPT:
            setattr(self, n, state[n])
        self.times, self.gaps, self.at = list(state["times"]), list(state["gaps"]), 0
        self.packed, self.log[:] = list(state["packed"]), state["log"]
        self.wire.free = state["free"]
        if self.due >= 0:
            self.arm(self.due)
