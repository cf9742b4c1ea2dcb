"""What brings frames to the RX rings: the part that polls, narration and idle cores have in common.
Invariant: a frame that arrives at t is in its ring (or dropped) before any poll at t."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

from ixviz.history import Journal, Slots
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Agenda, Alarm
from ixviz.machine.nic import Nic, Port, RxRing

ARRIVE, DROP = 1, 2  # numbers of the kinds of event every system has; 0 is "start"


@dataclass
class Intake:
    """What a feed is connected to. `waiting[q]` is the alarm of the quiescent thread that polls ring q, or None."""

    agenda: Agenda
    nic: Nic
    ports: Sequence[Port]
    rings: Sequence[RxRing]
    reta: list[int]
    rate: int | None  # bit/s of a port, None = unlimited
    journal: Journal | None
    subject: list[int] = attr(default_factory=list)  # per ring: its number as the subject of events
    waiting: list[Alarm | None] = attr(default_factory=list)
    changes: bool = False  # whether entries of the RETA change while the machine runs

    def queue_of(self, group: int) -> int:
        """The queue of a flow group by the RETA; a frame without a hash (-1) goes to queue 0."""
        return self.reta[group] if group >= 0 else 0


def packet_columns() -> Columns:
    """The table of packets; row 0 is a dummy so that ids begin at 1.

    `batch` has a row for each that has arrived (-1 = in none yet, -2 = dropped by the ring, -3 - e = dropped by the
    list in event e), and so has `event` when watched; the others may be ahead by the block that is being delivered.
    `done` (ps): when the answer is on the wire, -1 = not yet.
    """
    table = Columns(batch="i", arrives="q", flow="i", kind="b", queue="h", frame="i", done="q", request="i", event="i")
    for name in table.names:
        getattr(table, name).append(-1)
    return table


class Feed(ABC):
    """Delivers frames one by one. Subclasses say when the next comes (`peek`) and hand it over (`advance`)."""

    bulk = False

    def __init__(self, intake: Intake, order: int) -> None:
        self.intake = intake
        self.packets = packet_columns()
        self.ids: list[deque[int]] = [deque() for _ in intake.rings]  # per ring: ids in ring and list, in order
        self.alarm = intake.agenda.alarm(self, order)
        self.last_event = [-1] * len(intake.rings)  # last arrival event of each ring, for causes
        self.cause = -1
        self.next_at = 0  # nothing arrives before this, so `advance` need not be called

    @abstractmethod
    def peek(self) -> int | None:
        """Time of the next thing to do (ps), None if nothing will come by itself."""

    @abstractmethod
    def advance(self, now: int) -> None:
        """Deliver all that arrives up to and at `now`."""

    @abstractmethod
    def group_of(self, flow: int) -> int:
        """The flow group of a flow by its hash, -1 for frames without one."""

    def wake(self, now: int) -> None:
        """A frame is due and some thread is quiescent."""
        self.advance(now)
        self.rearm()

    def rearm(self) -> None:
        """Wake for the next frame, but only while a thread waits for one: busy threads look by themselves."""
        if any(self.intake.waiting):
            at = self.peek()
            if at is not None:
                self.alarm.arm(at)

    def wait(self, ring: int, alarm: Alarm) -> None:
        """The thread behind `alarm` is quiescent; it is woken at the time the next frame gets into `ring`."""
        self.intake.waiting[ring] = alarm
        at = self.peek()
        if at is not None:
            self.alarm.arm(at)

    def connect(self, slots: Slots) -> None:
        """Make the counters of the arrivals. Called once, when all components exist."""
        nic = self.intake.nic
        self._accept = [slots.counter(r, "tail", (nic, "arrived")) for r in self.intake.rings]
        self._drop = [slots.counter(r, "drops", (nic, "arrived")) for r in self.intake.rings]

    def deliver(self, number: int, time: int, queue: int) -> bool:
        """Packet `number` of the table is in: it gets a place in its ring or is dropped (False)."""
        intake, packets = self.intake, self.packets
        ring, journal = intake.rings[queue], intake.journal
        state = ring.__dict__  # reads only: half the price of attributes when these are descriptors
        head = state["head"]
        room = state["tail"] - head < state["capacity"]
        if journal is not None:  # Journal.event without the call: with the stages the most frequent events of a run
            kind = ARRIVE if room else DROP
            journal.open((time, kind, intake.subject[queue], self.cause, len(journal.writes)))
            self.last_event[queue] = event = journal.count
            journal.count = event + 1
            packets.event.append(event)
        if room:
            packets.batch.append(-1)
            depth = self._accept[queue]() - head
            if depth > state["deepest"]:
                ring.deepest = depth
            self.ids[queue].append(number)
            alarm = intake.waiting[queue]
            if alarm is not None:
                alarm.arm(time)
        else:
            packets.batch.append(-2)
            self._drop[queue]()
            self.dropped(number, time)
        return bool(room)

    def dropped(self, number: int, time: int) -> None:  # noqa: B027  (a hook, not a duty)
        """A frame was dropped by a ring or a list (a closed loop sends it again)."""

    def replied(self, number: int, time: int, event: int) -> None:  # noqa: B027  (a hook, not a duty)
        """The answer to a frame is on its way: the last bit leaves the server at `time` (ps)."""

    def state(self) -> dict[str, Any]:
        """All that is not in slots: what a checkpoint keeps. Tables only grow, so of them it keeps the length."""
        return {
            "rows": len(self.packets.batch),
            "ids": [tuple(i) for i in self.ids],
            "last": list(self.last_event),
            "alarm": self.alarm.at,
        }

    def restore(self, state: dict[str, Any], source: Any) -> None:
        """Take over a state that `source` gave, and from its tables what they held then."""
        self.packets = source.packets.copy(state["rows"])
        for ids in state["ids"]:  # what waited then may have been taken since
            for number in ids:
                self.packets.batch[number] = -1
                self.packets.done[number] = -1
        self.ids = [deque(i) for i in state["ids"]]
        self.last_event = list(state["last"])
        if state["alarm"] >= 0:
            self.alarm.arm(state["alarm"])
