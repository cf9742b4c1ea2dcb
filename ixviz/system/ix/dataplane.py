"""The dataplane loop of one elastic thread: poll, at most B packets stage by stage to the doorbell, poll again.
Invariant: unwatched (one wake a turn) and watched (one wake a stage) end every turn at the same picosecond."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappush
from typing import Any

from ixviz.history import Journal, field
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Alarm
from ixviz.machine.nic import Port, RxList, RxRing, TxRing
from ixviz.machine.streams import Exponential
from ixviz.machine.thread import UNIT, Thread
from ixviz.machine.wire import HEADERS, PS, wire_ps
from ixviz.system.ix.costs import CALLS, IDLE, POLL, STAGES, TCP, TX, Costs
from ixviz.system.ix.pcb import RECV, SENDV, PcbPool
from ixviz.workload import kinds
from ixviz.workload.feed import Feed

KINDS = ("start", "arrive", "drop", *STAGES[1:], "doorbell", "quiescent", "tx full", "what if")
_STAGE0 = KINDS.index("poll") - POLL  # kind of the event that begins stage s is s + _STAGE0
DOORBELL, QUIESCENT, TX_FULL = (KINDS.index(k) for k in ("doorbell", "quiescent", "tx full"))


class Dataplane(Thread):
    """An elastic thread. `row` is its batch in the table of batches; `size` = `data` + `control` frames."""

    stage: int = field(values=STAGES, doc="what it does now")
    batch: int = field(doc="batches begun")
    size: int = field(doc="packets in the present batch")
    done: int = field(doc="packets carried through")
    control: int = field(doc="packets of the batch that carry no data", hidden=True)
    row: int = field(doc="number of the batch among those of all cores")
    work: int = field(doc="sum of the batch's drawn cost factors, in 1/2^20", hidden=True)
    stalled: int = field(unit="ps", doc="until when it waits for free TX descriptors, 0 = not", hidden=True)
    nominal: int = field(unit="Hz", doc="nominal clock", hidden=True, constant=True)
    fresh: int = field(doc="packets of the batch whose connection has not called sendv yet", hidden=True)
    drawn: int = field(doc="cost factors drawn so far", hidden=True)

    # wiring, set by build
    number: int
    subject: int
    clock: int
    shared: int
    bound: int
    costs: Costs
    feed: Any
    queues: Sequence[int]
    rings: Sequence[RxRing]
    lists: Sequence[RxList]
    ports: Sequence[Port]
    tx: TxRing
    rate: int | None
    journal: Journal | None
    batches: Columns
    factors: Exponential | None
    sibling: Dataplane | None
    pcbs: PcbPool | None
    alarm: Alarm
    stage_slot: int
    alike_wire: int | None
    running: Costs  # those the present turn began with: a what-if changes `costs` in the middle of one
    offsets: dict[int, list[int]]
    reply_of: Any
    members: list[int]
    last_event: int

    # ---------------------------------------------------------------- life
    def prepare(self) -> None:
        """What is there before the first poll."""
        self.members = []
        self.last_event = -1
        self.stage_slot = self.base + self.offset("stage")
        self.running, self.offsets = self.costs, {}

    def start(self, now: int) -> None:
        """Begin with a poll."""
        self.alarm.arm(now)

    def state(self) -> Any:
        """What a checkpoint keeps besides slots: packets in service, last event, what it is armed or waits for."""
        waits = any(self.feed.intake.waiting[q] is not None for q in self.queues)
        return list(self.members), self.last_event, self.alarm.at, waits, self.running

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        members, self.last_event, at, waits, self.running = state
        self.members = list(members)
        for number in members:
            self.feed.packets.done[number] = -1
        if at >= 0:
            self.alarm.arm(at)
        if waits:
            for q in self.queues:
                self.feed.intake.waiting[q] = self.alarm

    def retune(self, now: int) -> None:
        """After a resume: a clock that a what-if has changed holds at once, costs from the next turn on."""
        speed = self.shared if self.sibling is not None and self.stage and self.sibling.stage else self.clock
        if self.speed != speed:
            self.set_speed(speed, now, bool(self.stage))
            if self.stage:
                self.alarm.arm(max(now, self.next_end()))

    def cycles_to(self, stage: int) -> int:
        """Cycles from the start of the turn to the end of a stage, in 1/2^20."""
        costs, control = self.running, self.control
        work = self.work if self.factors is not None else (self.size - control) * UNIT
        return (costs.batch[stage] + costs.control[stage] * control) * UNIT + costs.packet[stage] * work

    def next_end(self) -> int:
        """When the present stage ends (watched) or the turn (unwatched); ps."""
        return self.stalled or self.end_of(self.cycles_to(self.stage if self.journal is not None else TX))

    def wake(self, now: int) -> None:
        """A stage, a turn or an idle time ends at `now`."""
        stage, journal = self.stage, self.journal
        if journal is not None:
            if self.feed.next_at <= now:
                self.feed.advance(now)
            if IDLE < stage < TX:  # the next stage; the most frequent event of a run, hence no calls where none need be
                journal.open((now, stage + 1 + _STAGE0, self.subject, self.last_event, len(journal.writes)))
                journal.log((self.stage_slot, stage, stage + 1))
                self.last_event = journal.count
                journal.count += 1
                stage += 1
                self.__dict__["stage"] = stage
                if stage == TCP:
                    self._tcp_in()
                elif stage == CALLS and (self.fresh or self.control):
                    self._calls_out()
                if self.anchor or self.control or self.factors is not None or self.speed != self.clock:
                    self.alarm.arm(self.next_end())
                else:  # only data, fixed costs, one speed
                    offsets = self.offsets.get(self.size) or self._offsets(self.size)
                    alarm = self.alarm
                    alarm.at = at = self.began + offsets[stage]
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
            self._event(now, POLL + _STAGE0 if self._waiting() else QUIESCENT)
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
            self._new_row(now, took)
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
        self._new_row(now, total)
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

    def _new_row(self, now: int, size: int) -> None:
        batches = self.batches
        self.row = len(batches.core)
        batches.core.append(self.number)
        batches.begins.append(now)
        batches.ends.append(-1)
        batches.size.append(size)
        batches.tx.append(-1)
        if self.journal is not None:
            batches.event.append(self.last_event)
            batches.last.append(-1)

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

    # ---------------------------------------------------------------- stages (watched)
    def _event(self, now: int, kind: int) -> None:
        assert self.journal is not None
        cause = self.last_event
        if kind == POLL + _STAGE0 and self.stage == IDLE:
            cause = max((self.feed.last_event[q] for q in self.queues), default=cause)
        self.last_event = self.journal.event(now, kind, self.subject, cause)

    def _arm(self, stage: int) -> None:
        """Wake when a stage of the turn ends."""
        if self.anchor or self.control or self.factors is not None or self.speed != self.clock:
            self.alarm.arm(self.next_end())
        else:
            self.alarm.arm(self.began + (self.offsets.get(self.size) or self._offsets(self.size))[stage])

    def _offsets(self, size: int) -> list[int]:
        """Ends of the stages of a turn of `size` packets with data at the nominal clock, from its beginning, ps."""
        costs = self.running
        made = [-(-(b + p * size) * PS // self.clock) for b, p in zip(costs.batch, costs.packet, strict=True)]
        self.offsets[size] = made
        return made

    def _tcp_in(self) -> None:
        """Each packet of the batch goes through TCP and raises an event condition."""
        assert self.pcbs is not None
        packets, known, get = self.feed.packets, self.pcbs.of, self.pcbs.get
        flows, kinds_ = packets.flow, packets.kind
        fresh = 0
        for number in self.members:
            flow = flows[number]
            pcb = known.get(flow) or get(flow)
            kind = kinds_[number]
            if kind == 0 and pcb.condition == RECV and pcb.call == SENDV:
                pcb.messages += 1  # the same as tcp_in, for the common case
                continue
            pcb.tcp_in(kind)
            fresh += pcb.call != SENDV
        if fresh != self.fresh:
            self.fresh = fresh

    def _calls_out(self) -> None:
        """The batched system calls of the application are carried out."""
        assert self.pcbs is not None
        packets, get = self.feed.packets, self.pcbs.get
        for number in self.members:
            flow = packets.flow[number]
            pcb = get(flow)
            pcb.calls_out(packets.kind[number])
            if pcb.state == 0:
                self.pcbs.release(flow)

    # ---------------------------------------------------------------- the end of a turn
    def _stalled(self, now: int, port: Port, wire: int) -> bool:
        """Whether the TX ring has too few free descriptors: the turn then ends when enough frames are on the wire."""
        if wire and port.wire_free - now > (self.tx.capacity - min(self.size, self.tx.capacity)) * wire:
            if self.journal is not None:
                self._event(now, TX_FULL)
            self.tx.stalls += 1
            self.stalled = port.wire_free - (self.tx.capacity - min(self.size, self.tx.capacity)) * wire
            self.alarm.arm(self.stalled)
            return True
        return False

    def _ring_doorbell(self, now: int) -> bool:
        least = wire_ps(HEADERS, self.rate) if self.alike_wire is None else self.alike_wire
        for port in self.ports:
            if port.wire_free > now and self._stalled(now, port, least):
                return False
        if self.journal is not None:
            self._event(now, DOORBELL)
            self.batches.last[self.row] = self.last_event
        if self.stalled:
            self.stalled = 0
        if self.alike_wire is not None:
            self._answer_alike(now, self.alike_wire)
        else:
            self._answer(now)
        self.batches.ends[self.row] = now
        self.busy += now - self.began
        self.began = now
        self.done += self.size
        self.members = []
        return True

    def _answer_alike(self, now: int, wire: int) -> None:
        """Every packet is answered by a frame that takes the wire of the only port for the same time."""
        port, done = self.ports[0], self.feed.packets.done
        at = port.wire_free if port.wire_free > now else now
        self.batches.tx[self.row] = at
        for number in self.members:
            at += wire
            done[number] = at
        port.wire_free = at
        self.tx.posted += self.size
        self.tx.doorbells += 1

    def _answer(self, now: int) -> None:
        """Each packet is answered as its kind and its application say; the feed learns when."""
        feed, packets = self.feed, self.feed.packets
        answered = 0
        first = -1
        kind_of, flow_of, done = packets.kind, packets.flow, packets.done
        reply_of, port_of, rate, replied = self.reply_of, self.port_of, self.rate, feed.replied
        free = [port.wire_free for port in self.ports]
        for number in self.members:
            kind = kind_of[number]
            if not kinds.ANSWERED[kind]:
                done[number] = now
                continue
            frame = reply_of(number, kind)
            p = port_of(flow_of[number]) if len(free) > 1 else 0
            start = free[p]
            if start < now:
                start = now
            if first < 0:
                first = start
            free[p] = end = start + wire_ps(frame, rate)
            answered += 1
            done[number] = end
            replied(number, end, self.last_event)
        for port, at in zip(self.ports, free, strict=True):
            if port.wire_free != at:
                port.wire_free = at
        self.tx.posted += answered
        if answered:
            self.tx.doorbells += 1
        self.batches.tx[self.row] = max(first, now)

    port_of: Any

    # ---------------------------------------------------------------- hyperthreads
    def _speeds(self, now: int, running: bool) -> None:
        """A thread begins or ends to be busy: two busy siblings share the core (a quiescent poller takes nothing)."""
        other = self.sibling
        assert other is not None
        if other.stage == IDLE:
            self.set_speed(self.clock, now, False)
            return
        speed = self.shared if running else self.clock
        self.set_speed(speed, now, False)
        if other.speed != speed:
            other.set_speed(speed, now, True)
            other.alarm.arm(other.next_end())


__all__ = ["KINDS", "Dataplane", "Feed"]
