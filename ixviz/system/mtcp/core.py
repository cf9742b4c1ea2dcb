"""A hardware thread of an mTCP machine: the stage it is in, which of its two threads has it, what its time went to.
Invariant: busy + idle = the time of its last transition; one thread has the core at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.history import Component, field
from ixviz.history.columns import Columns
from ixviz.machine.nic import Port, RxRing, TxRing
from ixviz.system.journeys import Noting
from ixviz.system.mtcp.costs import APPLICATION, IDLE, RING3, STACK, STAGES, Costs
from ixviz.system.mtcp.paths import Touched
from ixviz.system.mtcp.queues import AcceptQueue, Queue
from ixviz.system.mtcp.sockets import Sockets
from ixviz.system.staged import Staged

ENDS = ("through", "told", "handed", "handled", "sent", "asleep", "waits")
KINDS = ("start", "arrive", "drop", *STAGES, *ENDS, "what if")
STAGE0 = KINDS.index("idle")  # kind of the event that begins stage s is s + STAGE0
THROUGH, TOLD, HANDED, HANDLED, SENT, ASLEEP, WAITS = (KINDS.index(k) for k in ENDS)
STEPS = ("tcp", "told", "app", "handed", "jobs")  # of a packet after its poll, each noted by its event

THREADS = ("nobody", "tcp", "app")
NOBODY, TCP_THREAD, APP_THREAD = range(3)
STATES = ("sleeps", "ready", "runs")
SLEEPS, READY, RUNS = range(3)


class Pthread(Component):
    """One of a core's two threads: the TCP thread or the application's."""

    state: int = field(values=STATES, doc="whether it runs, could run, or sleeps")
    turns: int = field(doc="times it was given the core")
    time: int = field(unit="ps", doc="time it had the core")


class Vector(Component):
    """The interrupt of a queue, on while the TCP thread sleeps in select()."""

    raised: int = field(doc="interrupts")
    last: int = field(unit="ps", doc="when it interrupted last")

    def allowed(self, interval: int) -> int:
        """From when on it may interrupt (ps): so long after the last time (moderation)."""
        return self.last + interval if self.raised else 0


class CoreBase(Noting, Staged):
    """A hardware thread with its slots; what it does is in stack.py and app.py."""

    stage: int = field(values=STAGES, doc="what it does now")
    runs: int = field(values=THREADS, doc="which of its threads has it")
    packet: int = field(doc="the first packet that is about, 0 = none")
    batch: int = field(doc="rounds of the TCP thread that found packets")
    size: int = field(doc="packets of the present round")
    taken: int = field(doc="packets that the application works on")
    row: int = field(doc="number of the present round among those of all cores, 0 = none", hidden=True)
    done: int = field(doc="packets carried through")
    switches: int = field(doc="times one thread gave the core to the other")
    interrupts: int = field(doc="interrupts taken")
    timeouts: int = field(doc="times select() ended by its timeout, and packets waited")
    wakes: int = field(doc="times the application was woken")
    crossings: int = field(doc="crossings between ring 3 and ring 0")
    copies: int = field(doc="times the driver copied a message, to or from the process")
    user_copies: int = field(doc="times the process copied a message, into or out of a socket's buffer")
    user: int = field(unit="ps", doc="time in ring 3, stack and application")
    work: int = field(doc="cycles of the present stage, in 1/2^20", hidden=True)
    owed: int = field(unit="cycles", doc="to be added to the next stage", hidden=True)
    slept: int = field(unit="ps", doc="since when the TCP thread sleeps in select()", hidden=True)
    got: int = field(unit="ps", doc="since when a thread has the core without a break", hidden=True)
    found: int = field(values=("no", "yes"), doc="whether this round found packets", hidden=True)
    nominal: int = field(unit="Hz", doc="nominal clock", hidden=True, constant=True)

    # wiring, set by build
    number: int
    subject: int
    costs: Costs
    chunk: int
    timeout: int  # of select(), ps
    interval: int  # between two interrupts, ps
    feed: Any
    queues: Sequence[int]
    rings: Sequence[RxRing]
    lists: Sequence[Any]
    vectors: Sequence[Vector]
    ports: Sequence[Port]
    tx: TxRing
    rate: int | None
    batches: Columns
    sockets: Sockets
    at: Touched
    tcp: Pthread
    app: Pthread
    events: Queue
    jobs: Queue
    accept: AcceptQueue
    reply_of: Any
    port_of: Any
    coming: int  # the thread that the next event gives the core to
    members: list[int]  # packets of the present round
    fresh: list[int]  # events of this round: sockets by number, -1 = the listen socket
    at_app: list[int]  # packets that the application has read
    answers: list[int]  # packets whose answers are to be sent: SYN, FIN, data
    acks: list[int]  # flows whose data are to be acknowledged

    # ---------------------------------------------------------------- life
    def prepare(self) -> None:
        """What is there before the first packet."""
        self.members, self.fresh, self.at_app, self.answers, self.acks = [], [], [], [], []
        self.last_event, self.coming = -1, NOBODY

    def start(self, now: int) -> None:
        """Both threads sleep; the TCP thread in select()."""
        for q in self.queues:
            self.feed.wait(q, self.alarm)

    def state(self) -> Any:
        """What a checkpoint keeps besides slots."""
        waits = any(self.feed.intake.waiting[q] is not None for q in self.queues)
        lists = (self.members, self.fresh, self.at_app, self.answers, self.acks)
        return [list(x) for x in lists], self.last_event, self.alarm.at, waits

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        lists, self.last_event, at, waits = state
        self.members, self.fresh, self.at_app, self.answers, self.acks = (list(x) for x in lists)
        if at >= 0:
            self.alarm.arm(at)
        for q in self.queues if waits else ():
            self.feed.intake.waiting[q] = self.alarm

    # ---------------------------------------------------------------- time
    end_stage: Sequence[Any]

    def wake(self, now: int) -> None:
        """A stage ends, or something has come up while both threads slept."""
        if self.feed.next_at <= now:
            self.feed.advance(now)
        self.end_stage[self.stage](self, now)

    def _event(self, now: int, kind: int, cause: int = -1) -> None:
        """An event begins; first of all, the time since the last one is accounted for."""
        if self.journal is not None:
            if cause < 0:
                cause = self.last_event
            self.last_event = self.journal.event(now, kind, self.subject, cause)
        spent, stage = now - self.began, self.stage
        if not spent:
            return
        self.began = now
        if stage == IDLE:
            self.idle += spent
            return
        self.busy += spent
        if stage in RING3:
            self.user += spent
        if stage in STACK:
            self.tcp.time += spent
        elif stage in APPLICATION:
            self.app.time += spent

    def _about(self, packets: Sequence[int]) -> None:
        """Say which packet a stage is about: the first of those."""
        first = packets[0] if packets else 0
        if self.packet != first:
            self.packet = first
