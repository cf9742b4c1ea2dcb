"""An elastic thread: a dataplane thread that gives and takes flow groups, is measured, parked and clocked.
Invariant: between two turns (its quiescent point) and nowhere else does it do what the control plane asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ixviz.history import field
from ixviz.machine.nic import RxList, RxRing
from ixviz.system.ix.control.group import Waiting
from ixviz.system.ix.dataplane import Dataplane

if TYPE_CHECKING:
    from ixviz.system.ix.control.migration import Migration


class ElasticList(RxList):
    """A software list out of whose middle packets of a moving group may be taken: they count as gone from its head."""

    handed: int = field(doc="of those that left it: packets handed to another thread")


class Elastic(Dataplane):
    """`queued` and `turns` add up what the signals are made of, since the last one was taken (facts 1.7)."""

    parked: int = field(values=("no", "yes"), doc="whether Linux has the thread back")
    away: int = field(unit="ps", doc="time spent parked")
    queued: int = field(doc="sum over turns of the packets found waiting", hidden=True)
    turns: int = field(doc="turns since the last signal", hidden=True)
    rested: int = field(unit="ps", doc="idle time up to the last signal", hidden=True)
    fast: int = field(doc="queue, EMA with α = .5, in 1/1024 packet", hidden=True)
    middle: int = field(doc="queue, EMA with α = .25, in 1/1024 packet", hidden=True)
    slow: int = field(doc="queue, EMA with α = .125, in 1/1024 packet", hidden=True)
    slack: int = field(doc="idleness, EMA with α = .5, in 1/65536", hidden=True)

    # wiring, set by build
    lists: Sequence[ElasticList]
    migration: Migration
    remote: Waiting
    local: Waiting
    parking: Callable[[Elastic, int], None]  # called at a quiescent point with nothing to do

    # ---------------------------------------------------------------- the loop
    def start(self, now: int) -> None:
        """Begin with a poll, if it is not parked."""
        if not self.parked:
            super().start(now)

    def _poll(self, now: int) -> None:
        if self.journal is None:
            self.feed.advance(now)
        migration = self.migration
        if migration.state:
            migration.quiescent(self, now)
        super()._poll(now)

    def _take(self, now: int) -> int:
        took = super()._take(now)
        if took:
            self.queued += took + self.lists[0].depth
            self.turns += 1
        return took

    def _move(self, q: int, ring: RxRing, rxlist: RxList, now: int) -> None:
        if self.migration.state:
            ids, new = self.feed.ids[q], ring.tail - ring.head
            fresh = [ids.pop() for _ in range(new)][::-1]
            stay = self.migration.sort(self, fresh)
            ids.extend(stay)
            if len(stay) < new:
                ring.head += new - len(stay)
            if not stay:
                return
        super()._move(q, ring, rxlist, now)

    def _rest(self, now: int) -> None:
        super()._rest(now)
        self.parking(self, now)

    # ---------------------------------------------------------------- what a migration asks
    def hand_over(self, groups: Collection[int]) -> list[int]:
        """Take the packets of these groups out of the software list, in their order."""
        feed, rxlist, q = self.feed, self.lists[0], self.queues[0]
        ids, flow, depth = feed.ids[q], feed.packets.flow, rxlist.depth
        listed = list(islice(ids, depth))
        gone = [number for number in listed if feed.group_of(flow[number]) in groups]
        if gone:
            out = set(gone)
            rest = [number for number in ids if number not in out]
            ids.clear()
            ids.extend(rest)
            rxlist.head += len(gone)
            rxlist.handed += len(gone)
        return gone

    def poll_ring(self, now: int) -> None:
        """Move what the ring holds to the list, or where it belongs."""
        ring = self.rings[0]
        if ring.tail != ring.head:
            self._move(self.queues[0], ring, self.lists[0], now)

    def take_over(self, numbers: Sequence[int]) -> None:
        """Packets of groups that are now this thread's go to the end of its list, before what the ring holds."""
        if not numbers:
            return
        rxlist, ids = self.lists[0], self.feed.ids[self.queues[0]]
        behind = [ids.pop() for _ in range(len(ids) - rxlist.depth)][::-1]
        ids.extend(numbers)
        ids.extend(behind)
        rxlist.tail += len(numbers)
        if rxlist.depth > rxlist.deepest:
            rxlist.deepest = rxlist.depth

    # ---------------------------------------------------------------- parking and clocks
    def park(self, now: int) -> None:
        """Linux gets the thread back: it polls no more."""
        self.idle += now - self.began
        self.began = now
        self.parked = 1
        self.feed.intake.waiting[self.queues[0]] = None
        self.alarm.at = -1

    def unpark(self, now: int) -> None:
        """It polls again."""
        self.away += now - self.began
        self.began = now
        self.parked = self.queued = self.turns = self.fast = self.middle = self.slow = self.slack = 0
        self.rested = self.idle
        self.alarm.arm(now)

    def clocked(self, hz: int, shared: int, now: int) -> None:
        """Another clock (Hz, and what each of two busy hyperthreads gets of it): the present turn goes on with it."""
        self.clock, self.shared, self.offsets = hz, shared, {}
        self.retune(now)

    def idle_until(self, now: int) -> int:
        """Idle time so far, ps."""
        return self.idle + (now - self.began if not self.stage and not self.parked else 0)
