"""The dataplane loop of one elastic thread: poll, at most B packets stage by stage to the doorbell, poll again.
Invariant: unwatched (one wake a turn) and watched (one wake a stage) end every turn at the same picosecond."""

from __future__ import annotations

from heapq import heappush

from ixviz.machine.nic import RxList, RxRing
from ixviz.system.ix.costs import CALLS, IDLE, POLL, TCP, TX
from ixviz.system.ix.doorbell import Doorbell
from ixviz.system.ix.turn import KINDS, QUIESCENT, STAGE0
from ixviz.system.simulation import begin_batch
from ixviz.workload import kinds


class Dataplane(Doorbell):
    """An elastic thread that polls, takes and rests."""

    def wake(self, now: int) -> None:
        """A stage, a turn or an idle time ends at `now`."""
        stage, journal = self.stage, self.journal
        if journal is not None:
            if self.feed.next_at <= now:
                self.feed.advance(now)
            if IDLE < stage < TX:  # the next stage; the most frequent event of a run, hence no calls where none need be
                journal.open((now, stage + 1 + STAGE0, self.subject, self.last_event, len(journal.writes)))
                journal.log((self.stage_slot, stage, stage + 1))
                self.last_event = journal.count
                journal.count += 1
                stage += 1
                self.__dict__["stage"] = stage
                if stage == TCP:
                    assert self.pcbs is not None
                    fresh = self.pcbs.tcp_in(self.members, self.feed.packets)
                    if fresh != self.fresh:
                        self.fresh = fresh
                elif stage == CALLS and (self.fresh or self.control):
                    assert self.pcbs is not None
                    self.pcbs.calls_out(self.members, self.feed.packets)
                if self.plan is None:
                    self.alarm.arm(self.next_end())
                else:
                    alarm = self.alarm
                    alarm.at = at = self.plan[stage]
                    heappush(alarm.queue, (at, alarm.order, 0, alarm))
                return
        if stage and not self._ring_doorbell(now):
            return
        self._poll(now)

    # ---------------------------------------------------------------- a turn
    def _poll(self, now: int) -> None:
        feed, journal = self.feed, self.journal
        if journal is None:
            feed.advance(now)
        else:
            self._event(now, POLL + STAGE0 if self._waiting() else QUIESCENT)
        took = self._take(now)
        if not took:
            self._rest(now)
            return
        if self.stage == IDLE:
            if now != self.began:
                self.idle += now - self.began
            if self.sibling is not None:
                self._speeds(now, True)
            for q in self.queues:
                feed.intake.waiting[q] = None
        if self.running is not self.costs:
            self.running, self.offsets = self.costs, {}
        self.began = now
        self.stage = POLL
        self.batch += 1
        self.size = took
        kind, batch, row = feed.packets.kind, feed.packets.batch, self.row
        control = 0
        for number in self.members:
            batch[number] = row
            if kind[number]:
                control += kind[number] != kinds.OTHER
        if control != self.control:
            self.control = control
        if self.anchor:
            self.anchor = self.position = 0
        if self.factors is not None:
            self.work = self.factors.total(self.drawn, took - control)
            self.drawn += took - control
        self._arm(POLL if journal is not None else TX)

    def _waiting(self) -> bool:
        """Whether a poll would find a packet."""
        if len(self.queues) == 1:
            ring, rxlist = self.rings[0], self.lists[0]
            return ring.tail != ring.head or rxlist.tail != rxlist.head
        return any(r.depth for r in self.rings) or any(x.depth for x in self.lists)

    def _take(self, now: int) -> int:
        """Move what the rings hold to the lists, take one packet per queue per sweep until the count reaches B."""
        feed, bound = self.feed, self.bound
        event = self.last_event if self.journal is not None else None
        if len(self.queues) == 1:
            q, ring, rxlist = self.queues[0], self.rings[0], self.lists[0]
            source: RxRing | RxList = ring
            if rxlist.capacity:
                if ring.tail != ring.head:
                    self._move(q, ring, rxlist, now)
                source = rxlist
            head = source.head
            took = source.tail - head
            if not took:
                return 0
            if took > bound:
                took = bound
            source.head = head + took
            self.row = begin_batch(self.batches, self.number, now, took, event)
            pop = feed.ids[q].popleft
            self.members = [pop() for _ in range(took)]
            return took
        sources: list[RxRing | RxList] = []
        for q, ring, rxlist in zip(self.queues, self.rings, self.lists, strict=True):
            if rxlist.capacity and ring.tail != ring.head:
                self._move(q, ring, rxlist, now)
            sources.append(rxlist if rxlist.capacity else ring)
        depths = [s.tail - s.head for s in sources]
        counts = [0] * len(sources)
        order = []
        total = 0
        while total < bound and any(depths):
            for i, depth in enumerate(depths):
                if depth:
                    depths[i] = depth - 1
                    counts[i] += 1
                    order.append(i)
                    total += 1
        if not total:
            return 0
        self.row = begin_batch(self.batches, self.number, now, total, event)
        self.members = [feed.ids[self.queues[i]].popleft() for i in order]
        for source, n in zip(sources, counts, strict=True):
            if n:
                source.head += n
        return total

    def _move(self, q: int, ring: RxRing, rxlist: RxList, now: int) -> None:
        moved = ring.tail - ring.head
        room = rxlist.capacity - rxlist.tail + rxlist.head
        ring.head += moved
        if moved > room:
            lost = moved - room
            rxlist.drops += lost
            moved = room
            pop = self.feed.ids[q].pop
            for number in reversed([pop() for _ in range(lost)]):
                self.feed.packets.batch[number] = -2 if self.journal is None else -3 - self.last_event
                self.feed.dropped(number, now)
        rxlist.tail += moved
        depth = rxlist.tail - rxlist.head
        if depth > rxlist.deepest:
            rxlist.deepest = depth

    def _rest(self, now: int) -> None:
        """Quiescent: nothing waits. Wake when the next packet comes."""
        feed = self.feed
        if self.stage != IDLE:
            self.stage = IDLE
            self.size = 0
            if self.sibling is not None:
                self._speeds(now, False)
        for q in self.queues:
            feed.wait(q, self.alarm)


__all__ = ["KINDS", "Dataplane"]
