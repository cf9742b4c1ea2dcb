"""The application thread: mtcp_epoll_wait() hands it all events at once, it works through them, then it sleeps.
Invariant: what it asks of the stack goes into the job queue at the end of its batch; no answer leaves before that."""

from __future__ import annotations

from ixviz.system.mtcp import paths
from ixviz.system.mtcp.core import HANDED, READY, SLEEPS, STAGE0, WAITS, CoreBase
from ixviz.system.mtcp.costs import APP, EPOLL, WAIT
from ixviz.system.mtcp.sockets import LISTENS, Sock
from ixviz.system.mtcp.stack import Stack
from ixviz.workload import kinds


class Core(Stack):
    """A hardware thread with its TCP thread and its application thread."""

    batch_of: list[int]  # events that mtcp_epoll_wait() has handed out: sockets by number

    def prepare(self) -> None:
        """See CoreBase."""
        super().prepare()
        self.batch_of = []

    def state(self) -> object:
        """See CoreBase."""
        return super().state(), list(self.batch_of)

    def restore(self, state: tuple[object, list[int]]) -> None:
        """See CoreBase."""
        own, self.batch_of = state[0], list(state[1])
        super().restore(own)

    def _events(self, now: int) -> None:
        """mtcp_epoll_wait(): all events there are, without a system call; with none the thread goes to sleep."""
        if not self.events.tail - self.events.head:
            self._sleep(now)
            return
        self._event(now, EPOLL + STAGE0)
        self._has_it(now)
        self.batch_of, cycles = self.events.take(self.number, paths.EPOLL, now)
        self._run(EPOLL, cycles + self.costs.epoll + self.costs.event * len(self.batch_of), now)

    def end_epoll(self, now: int) -> None:
        """The application has its events, and works through all of them: reads, answers, closes, accepts."""
        self._event(now, APP + STAGE0)
        cycles = 0
        listens = LISTENS in self.batch_of
        for number in self.batch_of:
            if number != LISTENS:
                cycles += self._serve(self.sockets.entries[number], now)
        if listens:
            cycles += self._accept(now)
        self.batch_of = []
        self.taken = len(self.at_app)
        self._about(self.at_app)
        self._run(APP, cycles, now)

    def _serve(self, sock: Sock, now: int) -> int:
        """Read all that a connection has. Returns the cycles."""
        costs, kind = self.costs, self.feed.packets.kind
        got = list(sock.ids)
        sock.ids.clear()
        sock.queued -= len(got)
        sock.ready = 0
        data = sum(kind[n] == kinds.DATA for n in got)
        sock.messages += data
        self.user_copies += 2 * data
        self.at_app += got
        for number in got:
            self.note("app", number)
        cycles: int = data * (costs.read + costs.app + costs.write) + (len(got) - data) * costs.close
        for path, times in ((paths.READ, data), (paths.WRITE, data), (paths.CLOSE, len(got) - data)):
            cycles += sock.bulk(self.number, 0, times, path, now)
        return cycles

    def _accept(self, now: int) -> int:
        """Accept all connections that wait; those that have data already get an event at once. Returns the cycles."""
        accept, count, cycles, fresh = self.accept, len(self.accept.socks), 0, []
        for number in accept.socks:
            sock = self.sockets.entries[number]
            sock.accepted = 1
            cycles += sock.access(self.number, True, paths.ACCEPT, now)
            if sock.ids:
                sock.ready = 1
                fresh.append(number)
                for packet in sock.ids:
                    self.note("told", packet)
        accept.socks.clear()
        accept.waiting -= count
        accept.ready = 0
        cycles += accept.bulk(self.number, 0, count, paths.ACCEPT, now)
        if fresh:
            cycles += self.events.put(fresh, self.number, paths.ACCEPT, now)
        return cycles + self.costs.accept * count

    def end_app(self, now: int) -> None:
        """All jobs go to the TCP thread at once."""
        self._event(now, HANDED)
        for number in self.at_app:
            self.note("handed", number)
        if self.at_app:
            self.owed += self.jobs.put(self.at_app, self.number, paths.WRITE, now)
            self.at_app = []
            self.taken = 0
        self._look(now)
        if self.tcp.state == READY and self._over(now):
            self._switch(now)
        else:
            self._events(now)

    def _sleep(self, now: int) -> None:
        """Nothing is left to do: tell the TCP thread, if it sleeps, of the jobs, and sleep."""
        self._event(now, WAIT + STAGE0)
        self._has_it(now)
        cycles = self.costs.wait
        self.crossings += 2
        if self.tcp.state == SLEEPS and self.jobs.tail != self.jobs.head:
            self.crossings += 2
            cycles += self.costs.signal
        self._about(())
        self._run(WAIT, cycles, now)

    def end_wait(self, now: int) -> None:
        """The application sleeps: the TCP thread has the core if there is something for it."""
        self._event(now, WAITS)
        self.app.state = SLEEPS
        if self.tcp.state == SLEEPS and self.jobs.tail != self.jobs.head:
            self.tcp.state = READY
        self._look(now)
        if self.tcp.state == READY:
            self._switch(now)
        else:
            self._rest_both(now)


CoreBase.end_stage = (
    Core.end_idle, Core.end_interrupt, Core.end_interrupt, Core.end_switch, Core.end_rx, Core.end_tcp, Core.end_flush,
    Core.end_jobs, Core.end_tx, Core.end_select, Core.end_epoll, Core.end_app, Core.end_wait,
)  # fmt: skip
