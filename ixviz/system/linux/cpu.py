"""A hardware thread of a Linux machine: the stage it is in, how long that takes, what its time went to.
Invariant: busy + idle = the time of its last transition; a stage ends at the same picosecond, watched or not."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from ixviz.history import field
from ixviz.history.columns import Columns
from ixviz.machine.locks import WAITS, Lock
from ixviz.machine.nic import Port, RxRing, TxRing
from ixviz.system.journeys import Noting
from ixviz.system.linux.costs import APP, IDLE, SOFTIRQ, SPIN, STAGES, Costs
from ixviz.system.linux.paths import Touched
from ixviz.system.linux.sockets import Sockets
from ixviz.system.linux.vector import Vector
from ixviz.system.staged import Staged

ENDS = ("raise", "queue", "synack", "established", "through", "complete", "sleep", "preempt", "returns", "accepted",
        "sent", "closed")  # fmt: skip
KINDS = ("start", "arrive", "drop", *STAGES, *ENDS, "what if")
STAGE0 = KINDS.index("idle")  # kind of the event that begins stage s is s + STAGE0
(RAISE, QUEUE, SYNACK, SETUP, THROUGH, COMPLETE, SLEEP, PREEMPT, RETURNS, ACCEPTED, SENT,
 CLOSED) = (KINDS.index(k) for k in ENDS)  # fmt: skip
STEPS = ("steered", "tcp_in", "queued", "read", "app", "write")  # of a packet after its poll, each noted by its event


class Cpu(Noting, Staged):
    """A hardware thread. Softirqs go before its application thread, which goes on where it was interrupted."""

    stage: int = field(values=STAGES, doc="what it does now")
    packet: int = field(doc="the packet that is about, 0 = none")
    sock: int = field(default=-1, doc="number of the socket that is about, -1 = none")
    task: int = field(values=STAGES, doc="what its application thread does next; idle = it sleeps in epoll_wait")
    batch: int = field(doc="NAPI polls that found packets")
    size: int = field(doc="packets of the present poll")
    todo: int = field(doc="packets that softirq still has to take through TCP")
    ready: int = field(doc="sockets in its application's ready list")
    done: int = field(doc="packets carried through")
    row: int = field(doc="number of the present poll among those of all cores, 0 = none", hidden=True)
    interrupts: int = field(doc="interrupts taken")
    crossings: int = field(doc="crossings between ring 3 and ring 0")
    copies: int = field(doc="times data were copied between kernel and application")
    wakes: int = field(doc="times its application thread was woken from sleep")
    user: int = field(unit="ps", doc="time in ring 3")
    softirq: int = field(unit="ps", doc="time in interrupts and softirqs")
    spun: int = field(unit="ps", doc="time spinning for locks")
    work: int = field(doc="cycles of the present stage, in 1/2^20", hidden=True)
    owed: int = field(unit="cycles", doc="to be added to the next stage", hidden=True)
    until: int = field(unit="ps", doc="when it has the lock it spins for, 0 = not known yet", hidden=True)
    then: int = field(values=STAGES, doc="the stage that needs the lock", hidden=True)
    left: int = field(doc="what is left of the application's work, in 1/2^20 cycles", hidden=True)
    about: int = field(doc="the packet of the application's work", hidden=True)
    whose: int = field(default=-1, doc="the socket of the application's work", hidden=True)
    rounds: int = field(doc="full polls in a row", hidden=True)
    polling: int = field(doc="the vector that is polled, counted from 1", hidden=True)
    raised: int = field(doc="vectors that have interrupted it and are not polled yet", hidden=True)
    nominal: int = field(unit="Hz", doc="nominal clock", hidden=True, constant=True)

    # wiring, set by build
    number: int
    subject: int
    costs: Costs
    budget: int
    steering: bool
    feed: Any
    queues: Sequence[int]
    rings: Sequence[RxRing]
    lists: Sequence[Any]
    vectors: Sequence[Vector]
    sends_by: Vector  # of the TX queue of this core
    ports: Sequence[Port]
    tx: TxRing
    rate: int | None
    batches: Columns
    sockets: Sockets
    listener: int  # index of the listen socket its thread accepts from
    owner_of: Any
    cpus: Sequence[Any]
    at: Touched
    reply_of: Any
    port_of: Any
    backlog: deque[int]  # packets for TCP
    events: deque[int]  # sockets of the last epoll_wait not handled yet, -1 = the listen socket
    list: deque[int]  # ready list: sockets by number
    waker: int
    coming: int  # what its thread does next, to be written with the next event; -1 = as before

    # ---------------------------------------------------------------- life
    def prepare(self) -> None:
        """What is there before the first interrupt."""
        self.backlog, self.events, self.list = deque(), deque(), deque()
        self.last_event = self.waker = self.coming = -1

    def start(self, now: int) -> None:
        """It sleeps, its queues may interrupt."""
        for vector in self.vectors:
            vector.look(now)

    def state(self) -> Any:
        """What a checkpoint keeps besides slots."""
        return (tuple(self.backlog), tuple(self.events), tuple(self.list), self.last_event, self.waker, self.alarm.at,
                [v.state() for v in self.vectors])  # fmt: skip

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        backlog, events, ready, self.last_event, self.waker, at, vectors = state
        self.backlog, self.events, self.list = deque(backlog), deque(events), deque(ready)
        if at >= 0:
            self.alarm.arm(at)
        for vector, kept in zip(self.vectors, vectors, strict=True):
            vector.restore(kept)

    # ---------------------------------------------------------------- time
    @property
    def active(self) -> bool:
        """Whether it takes cycles from its sibling: a thread that spins pauses between its looks."""
        return self.stage != IDLE and self.stage != SPIN

    def wake(self, now: int) -> None:
        """A stage ends, or something has come up while it was idle or in the application."""
        if self.feed.next_at <= now:
            self.feed.advance(now)
        stage = self.stage
        if stage == APP and (self.raised or self.backlog) and self.end_of(self.work) > now:
            self._preempt(now)
        else:
            self.end_stage[stage](self, now)

    end_stage: Sequence[Any]

    def _preempt(self, now: int) -> None:
        raise NotImplementedError

    def _event(self, now: int, kind: int, cause: int = -1) -> None:
        """An event begins; first of all, the time since the last one is accounted for."""
        if self.journal is not None:
            if cause < 0:
                cause = self.last_event
            self.last_event = self.journal.event(now, kind, self.subject, cause)
        if self.coming >= 0:
            self.task = self.coming
            self.coming = -1
        spent, stage = now - self.began, self.stage
        if not spent:
            return
        self.began = now
        if stage == IDLE:
            self.idle += spent
            return
        self.busy += spent
        if stage == APP:
            self.user += spent
        elif stage == SPIN:
            self.spun += spent
        elif stage in SOFTIRQ:
            self.softirq += spent

    # ---------------------------------------------------------------- locks
    def _hold(self, lock: Lock, stage: int, path: int, cycles: int, now: int) -> None:
        """Do `stage` with a lock held: at once, or when it has spun for it."""
        if lock.holder:
            self._event(now, SPIN + STAGE0)
            at = lock.request(self.number, now, path)
            assert at == WAITS
            self.then = stage
            if self.until:
                self.until = 0
            self._rest(SPIN, now)
            return
        self._event(now, stage + STAGE0)
        at = lock.request(self.number, now, path)
        self._run(stage, self.cycles(at - now) + cycles, now)

    def granted(self, at: int) -> None:
        """The lock it spins for is its from `at` on; called by who lets go."""
        self.until = at
        self.alarm.arm(at)

    def _let_go(self, lock: Lock, path: int, now: int) -> None:
        self.owed += self.cycles(lock.release(self.number, now, path) - now)
