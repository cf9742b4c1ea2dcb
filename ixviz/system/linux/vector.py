"""A queue's interrupt: raised for frames that came or were sent, not more often than its moderation lets it.
Invariant: while a core polls the queue its interrupt is off; between two interrupts lies at least the interval."""

from __future__ import annotations

from collections import deque
from typing import Any

from ixviz.history import Component, Journal, field
from ixviz.machine.agenda import Alarm
from ixviz.machine.nic import RxRing


class Vector(Component):
    """The interrupt of one RX and TX queue pair."""

    enabled: int = field(default=1, values=("off", "on"), doc="whether it may interrupt; off while its queue is polled")
    allowed: int = field(unit="ps", doc="not before this may it interrupt again (moderation)")
    raised: int = field(doc="interrupts")
    sent: int = field(doc="frames sent and not yet reclaimed")

    number: int
    subject: int
    interval: int  # ps
    kind: int  # of its event
    ring: RxRing
    feed: Any
    cpu: Any
    journal: Journal | None
    alarm: Alarm
    ends: deque[int]  # when frames are out of the TX ring, ps
    last_event: int

    def prepare(self) -> None:
        """What is there before the first frame."""
        self.ends = deque()
        self.last_event = -1

    def look(self, now: int) -> None:
        """Interrupt now if there is a reason and it is allowed, else wake when it may be so."""
        waiting = self.feed.intake.waiting
        if self.ring.tail != self.ring.head:
            waiting[self.number] = None
            at = now
        else:
            self.feed.wait(self.number, self.alarm)
            if not self.ends:
                return
            at = max(now, self.ends[0])
        at = max(at, self.allowed)
        if at > now:
            self.alarm.arm(at)
            return
        waiting[self.number] = None
        if self.journal is not None:
            cause = max(self.feed.last_event[self.number], self.last_event)
            self.last_event = self.journal.event(now, self.kind, self.subject, cause)
        self.enabled = 0
        self.raised += 1
        self.allowed = now + self.interval
        self.cpu.interrupt(self, now)

    def wake(self, now: int) -> None:
        """A frame came, was sent, or the interval is over."""
        if self.feed.next_at <= now:
            self.feed.advance(now)
        if self.enabled:
            self.look(now)

    def enable(self, now: int) -> None:
        """The queue has been polled empty: it may interrupt again."""
        self.enabled = 1
        self.look(now)

    def posted(self, end: int, event: int) -> None:
        """A frame is on the TX ring and will be out at `end` (ps)."""
        self.ends.append(end)
        self.sent += 1
        if self.enabled and self.alarm.at < 0:
            self.last_event = event
            self.alarm.arm(max(end, self.allowed))

    def reclaim(self, now: int) -> int:
        """Take back the descriptors of frames that are out. Returns how many."""
        ends, count = self.ends, 0
        while ends and ends[0] <= now:
            ends.popleft()
            count += 1
        if count:
            self.sent -= count
        return count

    def state(self) -> Any:
        """What a checkpoint keeps besides slots."""
        return tuple(self.ends), self.last_event, self.alarm.at, self.feed.intake.waiting[self.number] is not None

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        ends, self.last_event, at, waits = state
        self.ends = deque(ends)
        if at >= 0:
            self.alarm.arm(at)
        if waits:
            self.feed.intake.waiting[self.number] = self.alarm
