"""The system calls of a request, stage by stage: recv() with its copy, the application, send() with its copy.
Invariant: each call crosses to ring 0 and back; data are copied once each way."""

from __future__ import annotations

from ixviz.system.linux import paths
from ixviz.system.linux.costs import (
    APP,
    CALL,
    COPY_IN,
    COPY_IN_,
    COPY_OUT,
    COPY_OUT_,
    READ,
    RETURN,
    STACK_OUT,
    TCP_OUT,
    WRITE,
)  # fmt: skip
from ixviz.system.linux.cpu import SENT, STAGE0
from ixviz.system.linux.sockets import Sock
from ixviz.system.linux.tcp import Tcp


class Calls(Tcp):
    """What an application thread does with a request."""

    def _about(self) -> Sock:
        self.packet, self.sock = self.about, self.whose
        return self.sockets.entries[self.whose]

    def begin_read(self, now: int) -> None:
        """recv(): the system call, the socket's lock."""
        self._event(now, READ + STAGE0)
        sock = self._about()
        self.note("read", self.packet)
        self.crossings += 2 + 2 * self.costs.calls
        calls = CALL + (CALL + RETURN) * self.costs.calls
        self._run(READ, calls + self.costs.read + sock.access(self.number, True, paths.READ, now), now)

    def begin_copy_in(self, now: int) -> None:
        """The data are copied to the application, and it goes on in ring 3."""
        self._event(now, COPY_IN + STAGE0)
        sock = self._about()
        sock.ids.popleft()
        sock.queued -= 1
        sock.messages += 1
        self.copies += 1
        self._run(COPY_IN, COPY_IN_ + RETURN + sock.access(self.number, True, paths.READ, now), now)

    def begin_app(self, now: int) -> None:
        """The application works on the request."""
        self._event(now, APP + STAGE0)
        self._about()
        self.note("app", self.packet)
        self._run(APP, self.costs.app, now)

    def begin_write(self, now: int) -> None:
        """send(): the system call, the socket's lock."""
        self._event(now, WRITE + STAGE0)
        sock = self._about()
        self.note("write", self.packet)
        self.crossings += 2
        self._run(WRITE, CALL + self.costs.write + sock.access(self.number, True, paths.WRITE, now), now)

    def begin_copy_out(self, now: int) -> None:
        """The answer is copied into the kernel."""
        self._event(now, COPY_OUT + STAGE0)
        self._about()
        self.copies += 1
        self._run(COPY_OUT, COPY_OUT_ + self.at.memory.access(self.number, True, paths.WRITE, now), now)

    def begin_tcp_out(self, now: int) -> None:
        """TCP, IP, qdisc and driver, then back to ring 3."""
        self._event(now, TCP_OUT + STAGE0)
        sock, me, at = self._about(), self.number, self.at
        cycles = sock.access(me, True, paths.WRITE, now) + at.dst.access(me, True, paths.ROUTING, now)
        cycles += at.flags.access(me, False, paths.XMIT, now) + at.qdiscs[me].access(me, True, paths.XMIT, now)
        self._run(TCP_OUT, STACK_OUT + self.costs.rest_out + RETURN + cycles, now)

    def end_tcp_out(self, now: int) -> None:
        """The frame is on the TX ring, the doorbell rung."""
        self._event(now, SENT)
        number = self.packet
        self.transmit(number, self.feed.packets.kind[number], now)
        self.leave(number, now)
        self._handled(self.sockets.entries[self.sock], now)

    def _handled(self, sock: Sock, now: int) -> None:
        """One packet of a ready socket is done with."""
        raise NotImplementedError
