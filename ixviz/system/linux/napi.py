"""Interrupts and NAPI: a core polls the queue that interrupted it, and takes at most a budget of packets at a time.
Invariant: softirqs go first; only a core that polls full budgets again and again lets its application have a turn."""

from __future__ import annotations

from ixviz.system.linux import paths
from ixviz.system.linux.costs import APP, IDLE, INTERRUPT, NAPI
from ixviz.system.linux.cpu import COMPLETE, PREEMPT, STAGE0, Cpu
from ixviz.system.linux.vector import Vector
from ixviz.system.simulation import begin_batch

MOST_ROUNDS = 10  # full polls in a row before the application gets a turn (then it is ksoftirqd's)


class Napi(Cpu):
    """What a core does on behalf of packets."""

    def interrupt(self, vector: Vector, now: int) -> None:
        """A queue interrupts: taken at once when idle or in the application, else when the present stage ends."""
        self.raised |= 1 << self.vectors.index(vector)
        self._rouse(now)

    def _rouse(self, now: int) -> None:
        if self.stage in (IDLE, APP):
            self.alarm.arm(now)

    def _preempt(self, now: int) -> None:
        """The application is interrupted; it will go on with what is left of its work."""
        done = self.position + (now - (self.anchor or self.began)) * self.speed * (1 << 20) // 10**12
        self._event(now, PREEMPT, self._irq() if self.raised else -1)
        self.left = max(self.work - done, 1)
        self.crossings += 1
        self._next(now)

    def _next(self, now: int) -> None:
        """What to do now that a stage is over: softirqs first, then the application thread, else nothing."""
        raise NotImplementedError

    def _packet(self, now: int) -> None:
        """Take the next packet of the poll through TCP."""
        raise NotImplementedError

    def _softirq(self, now: int) -> bool:
        """Begin the next piece of work for packets; False when there is none."""
        if self.backlog:
            self._packet(now)
        elif self.polling and self.rounds < MOST_ROUNDS:
            self._polled(now)
        elif self.raised:
            self._event(now, INTERRUPT + STAGE0, self._irq())
            self.interrupts += 1
            self._run(INTERRUPT, self.costs.interrupt, now)
        else:
            return False
        return True

    def _irq(self) -> int:
        """The event in which the queue interrupted that is polled next."""
        return self.vectors[self._first()].last_event

    def _first(self) -> int:
        return (self.raised & -self.raised).bit_length() - 1

    # ---------------------------------------------------------------- NAPI
    def end_interrupt(self, now: int) -> None:
        """The handler has switched the queue's interrupts off and scheduled NAPI."""
        self._poll(now, self._first())

    def _poll(self, now: int, i: int) -> None:
        """Take at most a budget of packets from a ring, take back descriptors of frames that were sent."""
        self._event(now, NAPI + STAGE0)
        vector = self.vectors[i]
        if self.raised >> i & 1:
            self.raised ^= 1 << i
        self.polling = i + 1
        ring, costs = vector.ring, self.costs
        took = min(ring.tail - ring.head, self.budget)
        sent = vector.reclaim(now)
        cycles = costs.napi + costs.each * took + costs.reclaim * sent
        if took:
            line = self.at.rings[vector.number]
            line.dma(True)
            cycles += line.access(self.number, False, paths.NAPI, now)
            ring.head += took
            event = self.last_event if self.journal is not None else None
            self.row = begin_batch(self.batches, self.number, now, took, event)
            packets, ids = self.feed.packets, self.feed.ids[vector.number]
            for _ in range(took):
                number = ids.popleft()
                packets.batch[number] = self.row
                self.backlog.append(number)
            self.batch += 1
            self.size = took
            self.todo += took
        self._run(NAPI, cycles, now)

    def _polled(self, now: int) -> None:
        """All packets of the poll are through: poll again if the budget was used up, else let the queue interrupt."""
        i = self.polling - 1
        if self.size >= self.budget:
            self._event(now, COMPLETE)
            self._end_row(now)
            self.rounds = self.rounds % MOST_ROUNDS + 1
            self._poll(now, i)
            return
        self._event(now, COMPLETE)
        self._end_row(now)
        self.polling = 0
        if self.rounds:
            self.rounds = 0
        self.vectors[i].enable(now)
        self._next(now)

    def _end_row(self, now: int) -> None:
        if not self.row:
            return
        self.batches.ends[self.row] = self.batches.tx[self.row] = now
        if self.journal is not None:
            self.batches.last[self.row] = self.last_event
        self.row = 0
        self.size = 0
