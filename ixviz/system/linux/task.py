"""The application thread of a core: epoll_wait, then for each ready socket accept, or read, the application, write.
Invariant: a thread sleeps only in epoll_wait with nothing ready; each system call crosses to ring 0 and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ixviz.system.linux import paths
from ixviz.system.linux.calls import Calls
from ixviz.system.linux.costs import (
    ACCEPT,
    APP,
    CALL,
    CLOSE,
    COPY_IN,
    COPY_OUT,
    EPOLL,
    IDLE,
    READ,
    RETURN,
    SWITCH,
    TCP_OUT,
    WAKE_IDLE,
    WRITE,
)  # fmt: skip
from ixviz.system.linux.cpu import ACCEPTED, CLOSED, RETURNS, SLEEP, STAGE0, Cpu
from ixviz.system.linux.napi import MOST_ROUNDS
from ixviz.system.linux.sockets import Sock
from ixviz.workload import kinds

LISTENS = -1  # in place of a socket's number: the listen socket is ready


class Core(Calls):
    """A hardware thread with its application thread."""

    begin_task: Mapping[int, Any]

    def _next(self, now: int) -> None:
        if self._softirq(now):
            return
        if self.left:
            self._event(now, APP + STAGE0)
            self.crossings += 1
            self.packet, self.sock = self.about, self.whose
            work = self.left
            self.left = 0
            self._run_units(APP, work, now)
        elif self.coming > 0 or (self.coming < 0 and self.task):
            self.begin_task[max(self.coming, 0) or self.task](self, now)
        elif self.polling:  # nobody else wants the core
            self._polled(now)
            return
        else:
            self._idle(now)
        if self.rounds >= MOST_ROUNDS:
            self.rounds = 0  # the application has had its turn

    def _idle(self, now: int) -> None:
        self._event(now, IDLE + STAGE0)
        if self.packet:
            self.packet = 0
        if self.sock >= 0:
            self.sock = -1
        self._rest(IDLE, now)

    def end_spin(self, now: int) -> None:
        """It has the lock."""
        kind = self.then
        self._event(now, kind + STAGE0)
        costs = self.costs
        if kind == ACCEPT:
            hold = costs.hold_accept
        else:
            syn = self.feed.packets.kind[self.packet] == kinds.SYN
            hold = costs.hold_syn if syn else costs.hold_ack
        self.until = 0
        self._run(kind, hold, now)

    # ---------------------------------------------------------------- waking up, finding work
    def begin_switch(self, now: int) -> None:
        """The scheduler puts the thread, which slept, on its core."""
        self._event(now, SWITCH + STAGE0, self.waker)
        self._run(SWITCH, WAKE_IDLE + self.at.runqueues[self.number].access(self.number, True, paths.SCHED, now), now)

    def end_switch(self, now: int) -> None:
        """It goes on in epoll_wait, where it slept."""
        self.coming = EPOLL
        self._next(now)

    def begin_epoll(self, now: int) -> None:
        """Look what is ready; all of it is handed out at once."""
        self._event(now, EPOLL + STAGE0)
        costs, me = self.costs, self.number
        cycles = self.at.ready[me].access(me, True, paths.EPOLL, now)
        listener = self.sockets.listeners[self.listener]
        if listener.lock.holds:
            cycles += listener.queue.access(me, False, paths.EPOLL, now)
        if listener.queue.waiting:
            self.events.append(LISTENS)
        self.events.extend(self.list)
        self.list.clear()
        if self.ready:
            self.ready = 0
        found = len(self.events)
        self._run(EPOLL, CALL + costs.epoll + costs.event * found + (RETURN if found else 0), now)

    def end_epoll(self, now: int) -> None:
        """Something is ready: back to ring 3 with it. Nothing: look again if it has come meanwhile, else sleep."""
        if self.events:
            self._event(now, RETURNS)
            self.crossings += 1
            self._take(now)
        elif self.list or self.sockets.listeners[self.listener].queue.waiting:
            self._next(now)
        else:
            self._event(now, SLEEP)
            self.task = IDLE
            self._next(now)

    def _take(self, now: int) -> None:
        """Turn to the next ready socket, or back to epoll_wait."""
        if not self.events:
            self.crossings += 1
            self.task = EPOLL
            self._next(now)
            return
        number = self.events.popleft()
        if number == LISTENS:
            self.task = ACCEPT
            self.whose, self.about = -1, 0
        else:
            sock = self.sockets.entries[number]
            self.whose, self.about = number, sock.ids[0]
            bye = self.feed.packets.kind[self.about] in (kinds.FIN, kinds.RST)
            self.task = CLOSE if bye else READ
        self._next(now)

    # ---------------------------------------------------------------- accept
    def begin_accept(self, now: int) -> None:
        """Take a connection off the listen socket's queue, under its lock."""
        listener = self.sockets.listeners[self.listener]
        self._hold(listener.lock, ACCEPT, paths.ACCEPT, self.costs.hold_accept, now)
        self.crossings += 1

    def end_accept(self, now: int) -> None:
        """It has one, unless another thread was first; a socket that has data already is ready at once."""
        self._event(now, ACCEPTED)
        listener = self.sockets.listeners[self.listener]
        queue = listener.queue
        self.owed += queue.access(self.number, True, paths.ACCEPT, now)
        self._let_go(listener.lock, paths.ACCEPT, now)
        self.crossings += 1
        self.owed += CALL + RETURN
        if queue.socks:
            sock = self.sockets.entries[queue.socks.popleft()]
            queue.waiting -= 1
            sock.owner = self.number
            self.owed += self.costs.accept + sock.access(self.number, True, paths.ACCEPT, now)
            if sock.ids:
                self.make_ready(sock, now)
        self._take(now)

    # ---------------------------------------------------------------- the end of a connection
    def begin_close(self, now: int) -> None:
        """The client has closed: so does the application."""
        self._event(now, CLOSE + STAGE0)
        sock = self._about()
        self.note("read", self.packet)
        self.crossings += 2
        cycles = sock.access(self.number, True, paths.CLOSE, now)
        cycles += self.at.memory.access(self.number, True, paths.CLOSE, now)
        cycles += self.at.dst.access(self.number, True, paths.CLOSE, now)
        self._run(CLOSE, CALL + self.costs.close + RETURN + cycles, now)

    def end_close(self, now: int) -> None:
        """A FIN is answered; the socket goes back to the slab unless more has come for it."""
        self._event(now, CLOSED)
        number, packets = self.packet, self.feed.packets
        sock = self.sockets.entries[self.sock]
        sock.ids.popleft()
        sock.queued -= 1
        if packets.kind[number] == kinds.FIN:
            self.transmit(number, kinds.FIN, now)
        else:
            packets.done[number] = now
        self.leave(number, now)
        if not sock.ids:
            sock.ready = 0
            self.sockets.release(sock)
            self._take(now)
        else:
            self._handled(sock, now)

    def _handled(self, sock: Sock, now: int) -> None:
        """One packet of a ready socket is done with: if it has more it stays in the ready list."""
        if sock.ids:
            self.list.append(sock.number)
            self.ready += 1
        else:
            sock.ready = 0
        self._take(now)


def _then(stage: int) -> Callable[[Core, int], None]:
    """The end of a stage that only leads to the next one of the thread."""

    def end(cpu: Core, now: int) -> None:
        cpu.coming = stage
        cpu._next(now)

    return end


Cpu.end_stage = (
    Core._next, Core.end_interrupt, Core._next, Core.end_steer, Core.end_tcp_in, Core.end_spin,
    Core.end_listen, Core.end_switch, Core.end_epoll, Core.end_accept, _then(COPY_IN), _then(APP), _then(WRITE),
    _then(COPY_OUT), _then(TCP_OUT), Core.end_tcp_out, Core.end_close,
)  # fmt: skip
Core.begin_task = {
    SWITCH: Core.begin_switch, EPOLL: Core.begin_epoll, ACCEPT: Core.begin_accept, READ: Core.begin_read,
    COPY_IN: Core.begin_copy_in, APP: Core.begin_app, WRITE: Core.begin_write, COPY_OUT: Core.begin_copy_out,
    TCP_OUT: Core.begin_tcp_out, CLOSE: Core.begin_close,
}  # fmt: skip
