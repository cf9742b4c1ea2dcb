"""Who has the core: the threads take turns, a switch between them; both asleep, select() wakes the TCP thread.
Invariant: a thread keeps the core until it sleeps, or has had it for a slice while the other could run."""

from __future__ import annotations

from ixviz.machine.wire import PS
from ixviz.system.mtcp.core import APP_THREAD, NOBODY, READY, RUNS, SLEEPS, STAGE0, TCP_THREAD, CoreBase, Vector
from ixviz.system.mtcp.costs import IDLE, INTERRUPT, SWITCH, TIMER, WAKE_IDLE

SLICE = 3 * PS // 1000  # the least that Linux' scheduler (CFS) lets a thread have the core on eight cores [recalled]


class Turns(CoreBase):
    """What the scheduler, the NIC's interrupt and select()'s timer do."""

    # ---------------------------------------------------------------- both sleep
    def _rest_both(self, now: int) -> None:
        """Nobody can run. What waits in a ring is found when select() may look again."""
        self._event(now, IDLE + STAGE0)
        self.runs = NOBODY
        self._about(())
        self._rest(IDLE, now)
        if self._waiting():
            self.alarm.arm(self._due(now))
        else:
            for q in self.queues:
                self.feed.wait(q, self.alarm)

    def end_idle(self, now: int) -> None:
        """A packet has come, or what keeps select() from finding it is over."""
        waiting = self.feed.intake.waiting
        if not self._waiting():
            return
        for q in self.queues:
            waiting[q] = None
        due = self._due(now)
        if due > now:
            self.alarm.arm(due)
            return
        cause = max(self.feed.last_event[q] for q in self.queues)
        stage = INTERRUPT if self._interrupted(now) else TIMER
        self._event(now, stage + STAGE0, cause)
        if stage == INTERRUPT:
            self._raise(now)
        else:
            self.timeouts += 1
        self._run(stage, self.costs.interrupt + WAKE_IDLE, now)

    def end_interrupt(self, now: int) -> None:
        """The scheduler has put the TCP thread on the core, which was idle."""
        self._give(TCP_THREAD, now)

    def _waiting(self) -> bool:
        return any(ring.tail != ring.head for ring in self.rings)

    def _vectors(self) -> list[Vector]:
        """The vectors of the queues in which packets wait."""
        return [v for v, r in zip(self.vectors, self.rings, strict=True) if r.tail != r.head]

    def _due(self, now: int) -> int:
        """When packets that wait are found by a thread asleep in select(): by an interrupt or at its timeout.

        select() that times out with nothing there is called again at once, so its timeouts follow each other.
        """
        rounds = max(-(-(now - self.slept) // self.timeout), 1)
        timer = self.slept + rounds * self.timeout
        allowed = min(v.allowed(self.interval) for v in self._vectors())
        return min(timer, max(now, allowed))

    def _interrupted(self, now: int) -> bool:
        """Whether a queue with packets may interrupt."""
        return any(v.allowed(self.interval) <= now for v in self._vectors())

    def _raise(self, now: int) -> None:
        """All queues interrupt that have packets and may."""
        for vector in self._vectors():
            if vector.allowed(self.interval) <= now:
                vector.raised += 1
                vector.last = now
                self.interrupts += 1

    def _timed_out(self, now: int) -> bool:
        """Whether a timeout of select() has passed since a packet waits."""
        last = self.slept + (now - self.slept) // self.timeout * self.timeout
        first = min(self.feed.packets.arrives[self.feed.ids[q][0]] for q in self.queues if self.feed.ids[q])
        return last > self.slept and bool(last >= first)

    def _look(self, now: int) -> None:
        """Between two pieces of the application's work: has select() found packets? Then the TCP thread could run."""
        if self.tcp.state != SLEEPS or not self._waiting():
            return
        if self._interrupted(now):
            self._raise(now)
        elif self._timed_out(now):
            self.timeouts += 1
        else:
            return
        self.tcp.state = READY
        self.owed += self.costs.interrupt

    # ---------------------------------------------------------------- one after the other
    def _switch(self, now: int) -> None:
        """The scheduler gives the core to the other thread."""
        self._event(now, SWITCH + STAGE0)
        if self.runs == TCP_THREAD and self.tcp.state == RUNS:
            self.tcp.state = READY
        elif self.runs == APP_THREAD and self.app.state == RUNS:
            self.app.state = READY
        self.switches += 1
        self._about(())
        self._run(SWITCH, self.costs.switch, now)

    def end_switch(self, now: int) -> None:
        """The other thread goes on."""
        self._give(APP_THREAD if self.runs == TCP_THREAD else TCP_THREAD, now)

    def _give(self, thread: int, now: int) -> None:
        self.coming = thread
        (self._round if thread == TCP_THREAD else self._events)(now)

    def _has_it(self, now: int) -> None:
        """After the event in which a thread that was given the core begins: write down that it runs."""
        if self.coming == NOBODY:
            return
        mine = self.tcp if self.coming == TCP_THREAD else self.app
        self.runs, self.coming = self.coming, NOBODY
        mine.state = RUNS
        mine.turns += 1
        self.got = now

    def _over(self, now: int) -> bool:
        """Whether the thread that runs has had the core for a slice."""
        return now - self.got >= SLICE

    def _round(self, now: int) -> None:
        """The TCP thread begins a round."""
        raise NotImplementedError

    def _events(self, now: int) -> None:
        """The application thread calls mtcp_epoll_wait()."""
        raise NotImplementedError
