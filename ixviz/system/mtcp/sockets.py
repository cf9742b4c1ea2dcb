"""Sockets: a pool a core, each socket a cache line; what waits in it until the application reads.
Invariant: a flow has at most one socket; what is queued in it is read in order of arrival, on the core of its pool."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import Any

from ixviz.history import Slots, field
from ixviz.machine.line import Line
from ixviz.machine.lines import Lines
from ixviz.system.mtcp.paths import Touched

STATES = ("free", "syn_received", "established", "closing")
FREE, SYN_RECEIVED, ESTABLISHED, CLOSING = range(4)
LISTENS = -1  # in place of a socket's number: the listen socket has an event


class Sock(Line):
    """A connection. `flow` says whose (-1: free); entries of the pool are used again."""

    flow: int = field(default=-1, doc="number of the flow it belongs to, -1 = free")
    tcp: int = field(values=STATES, doc="TCP state")
    core: int = field(default=-1, doc="the core whose pool it is in")
    accepted: int = field(values=("no", "yes"), doc="whether the application has accepted it")
    queued: int = field(doc="packets in its receive buffer")
    held: int = field(doc="packets of it that have not left", hidden=True)
    ready: int = field(values=("no", "yes"), doc="whether an event of it is on its way", hidden=True)
    messages: int = field(doc="messages read")

    ids: deque[int]  # packets in the receive buffer
    number: int


class Sockets:
    """All sockets by flow, and the queues of all cores. A pool's free entry of the lowest number is used again."""

    def __init__(self, slots: Slots, lines: Lines, touched: Touched, threads: int) -> None:
        self._slots, self._lines, self._touched = slots, lines, touched
        self.of: dict[int, Sock] = {}
        self.entries: list[Sock] = []
        self.free: list[list[int]] = [[] for _ in range(threads)]

    def get(self, flow: int) -> Sock | None:
        """The socket of a flow, None if it has none."""
        return self.of.get(flow)

    def make(self, flow: int, core: int, state: int) -> Sock:
        """A socket for a flow that has none; one that is established from the start has been accepted."""
        if self.free[core]:
            sock = self.entries[heappop(self.free[core])]
        else:
            number = len(self.entries)
            sock = self._lines.add(f"sock{number}", Sock, home=self._lines.cache_of[core], what="socket", core=core,
                                   ids=deque(), number=number)  # fmt: skip
            self.entries.append(sock)
        sock.flow, sock.tcp = flow, state
        if state == ESTABLISHED:
            sock.accepted = 1
        if sock.messages:
            sock.messages = 0
        self.of[flow] = sock
        return sock

    def let_go(self, sock: Sock) -> None:
        """A packet of a connection leaves; with the last one of a closing connection its socket is free."""
        sock.held -= 1
        if sock.tcp == CLOSING and not sock.held:
            del self.of[sock.flow]
            sock.flow, sock.tcp, sock.accepted = -1, FREE, 0
            heappush(self.free[sock.core], sock.number)

    # ---------------------------------------------------------------- checkpoints
    def state(self) -> Any:
        """What is queued in sockets and between threads, which the slots only count."""
        at = self._touched
        queued = {s.number: tuple(s.ids) for s in self.entries if s.ids}
        return (queued, [tuple(q.ids) for q in at.events], [tuple(q.ids) for q in at.jobs],
                [tuple(q.socks) for q in at.accepts])  # fmt: skip

    def rebuild(self) -> None:
        """After slots have been loaded: who is in which entry."""
        self.entries = [c for c in self._slots.components if isinstance(c, Sock)]
        for number, sock in enumerate(self.entries):
            sock.number, sock.ids = number, deque()
        self.of = {s.flow: s for s in self.entries if s.flow >= 0}
        self.free = [[s.number for s in self.entries if s.flow < 0 and s.core == i] for i in range(len(self.free))]

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        queued, events, jobs, accepts = state
        for number, ids in queued.items():
            self.entries[number].ids = deque(ids)
        at = self._touched
        for queues, kept in ((at.events, events), (at.jobs, jobs)):
            for queue, ids in zip(queues, kept, strict=True):
                queue.ids = deque(ids)
        for accept, socks in zip(at.accepts, accepts, strict=True):
            accept.socks = deque(socks)

    def packets(self) -> list[int]:
        """Ids of all packets that wait in receive buffers and job queues."""
        return [n for part in (self.entries, self._touched.jobs) for each in part for n in each.ids]
