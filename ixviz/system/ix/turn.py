"""One turn of an elastic thread: its slots, when its stages end, what a checkpoint keeps of it.
Invariant: a stage ends at the same picosecond whether it is asked for alone (watched) or only the last one is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.history import Journal, field
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Alarm
from ixviz.machine.nic import Port, RxList, RxRing, TxRing
from ixviz.machine.streams import Exponential
from ixviz.machine.thread import UNIT, Thread
from ixviz.machine.wire import PS
from ixviz.system.ix.costs import CALLS, IDLE, POLL, STAGES, TCP, TX, Costs
from ixviz.system.ix.pcb import PcbPool

KINDS = ("start", "arrive", "drop", *STAGES[1:], "doorbell", "quiescent", "tx full",
         "watchdog", "page fault", "what if")  # fmt: skip
STAGE0 = KINDS.index("poll") - POLL  # kind of the event that begins stage s is s + STAGE0
DOORBELL, QUIESCENT, TX_FULL = (KINDS.index(k) for k in ("doorbell", "quiescent", "tx full"))
WATCHDOG, PAGE_FAULT = KINDS.index("watchdog"), KINDS.index("page fault")
LIMIT = 10_000_000_000  # ps; a thread in ring 3 for longer than 10 ms is interrupted and reported [facts 1.2, paper]
STOPPED = len(STAGES)  # a thread that the kernel took from a misbehaving application, its batch with it


class Turn(Thread):
    """An elastic thread and the batch it runs: `row` in the table of batches, `size` packets, `control` bare ones."""

    stage: int = field(values=(*STAGES, "stopped"), doc="what it does now")
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
    sibling: Turn | None
    pcbs: PcbPool | None
    alarm: Alarm
    stage_slot: int
    alike_wire: int | None
    running: Costs  # those the present turn began with: a what-if changes `costs` in the middle of one
    offsets: dict[int, list[int]]
    plan: list[int] | None
    reply_of: Any
    port_of: Any
    members: list[int]
    last_event: int
    ends_by: int = 0  # the kind of event that stops it, if its application misbehaves

    # ---------------------------------------------------------------- life
    def prepare(self) -> None:
        """What is there before the first poll."""
        self.members = []
        self.last_event = -1
        self.stage_slot = self.base + self.offset("stage")
        self.running, self.offsets, self.plan = self.costs, {}, None

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

    def watch(self, now: int) -> None:
        """Of a thread that was not recorded and is from now on: the stage it is in, the end of that is what comes."""
        if not self.stage or self.stalled:
            return
        while self.stage < TX and self.end_of(self.cycles_to(self.stage)) <= now:
            self.stage += 1
        if self.stage >= TCP and self.pcbs is not None:
            self.fresh = self.pcbs.tcp_in(self.members, self.feed.packets)
            if self.stage >= CALLS:
                self.pcbs.calls_out(self.members, self.feed.packets)
        self.plan = None
        self.alarm.arm(max(now, self.next_end()))

    def retune(self, now: int) -> None:
        """After a resume: a clock that a what-if has changed holds at once, costs from the next turn on."""
        both = self.sibling is not None and self.works() and self.sibling.works()
        speed = self.shared if both else self.clock
        if self.speed != speed:
            self.set_speed(speed, now, self.works())
            self.plan = None
            if self.works():
                self.alarm.arm(max(now, self.next_end()))

    def works(self) -> bool:
        """Whether it is in a turn: neither quiescent nor stopped."""
        return IDLE < self.stage < STOPPED

    def cycles_to(self, stage: int) -> int:
        """Cycles from the start of the turn to the end of a stage, in 1/2^20."""
        costs, control = self.running, self.control
        work = self.work if self.factors is not None else (self.size - control) * UNIT
        return (costs.batch[stage] + costs.control[stage] * control) * UNIT + costs.packet[stage] * work

    def next_end(self) -> int:
        """When the present stage ends (watched) or the turn (unwatched); ps."""
        return self.stalled or self.end_of(self.cycles_to(self.stage if self.journal is not None else TX))

    def _event(self, now: int, kind: int) -> None:
        assert self.journal is not None
        cause = self.last_event
        if kind == POLL + STAGE0 and self.stage == IDLE:
            cause = max((self.feed.last_event[q] for q in self.queues), default=cause)
        self.last_event = self.journal.event(now, kind, self.subject, cause)

    def _arm(self, stage: int) -> None:
        """At the beginning of a turn: wake when its first stage ends (watched) or its last one.

        `plan` has the ends of all stages, ps, if nothing can change them but a change of speed: only data, fixed costs.
        """
        self.plan = None
        if self.anchor or self.control or self.factors is not None or self.speed != self.clock:
            self.alarm.arm(self.next_end())
            return
        offsets, began = self.offsets_of(self.size), self.began
        if self.journal is not None:
            self.plan = [began + offset for offset in offsets]
        self.alarm.arm(began + offsets[stage])

    def offsets_of(self, size: int) -> list[int]:
        """Ends of the stages of a turn of `size` packets with data at the nominal clock, from its beginning, ps."""
        made = self.offsets.get(size)
        if made is not None:
            return made
        costs = self.running
        made = [-(-(b + p * size) * PS // self.clock) for b, p in zip(costs.batch, costs.packet, strict=True)]
        self.offsets[size] = made
        return made

    # ---------------------------------------------------------------- hyperthreads
    def _speeds(self, now: int, running: bool) -> None:
        """A thread begins or ends to be busy: two busy siblings share the core (a quiescent poller takes nothing)."""
        other = self.sibling
        assert other is not None
        if other.stage == IDLE or other.stage == STOPPED:
            self.set_speed(self.clock, now, False)
            return
        speed = self.shared if running else self.clock
        self.set_speed(speed, now, False)
        if other.speed != speed:
            other.set_speed(speed, now, True)
            other.plan = None
            other.alarm.arm(other.next_end())
