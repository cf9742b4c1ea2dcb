"""Sockets and listen sockets: who owns them, what waits in them; each socket is a cache line, its fields on it.
Invariant: a flow has at most one socket; what is queued in it is read in order of arrival, by its owner only."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import Any

from ixviz.history import Slots, field
from ixviz.machine.line import Line
from ixviz.machine.lines import Lines
from ixviz.machine.locks import Lock, make_lock

STATES = ("free", "syn_received", "established")
FREE, SYN_RECEIVED, ESTABLISHED = range(3)


class Sock(Line):
    """A connection's socket. `flow` says whose (-1: free); entries of the slab are used again."""

    flow: int = field(default=-1, doc="number of the flow it belongs to, -1 = free")
    tcp: int = field(values=STATES, doc="TCP state")
    owner: int = field(default=-1, doc="the thread whose epoll set it is in, -1 = not accepted yet")
    queued: int = field(doc="packets in its receive queue")
    ready: int = field(values=("no", "yes"), doc="whether it is in its owner's ready list", hidden=True)
    messages: int = field(doc="messages read")

    ids: deque[int]  # packets in the receive queue
    number: int


class AcceptQueue(Line):
    """A listen socket's connections that wait for accept()."""

    waiting: int = field(doc="connections that wait for accept()")
    deepest: int = field(doc="most at one time", hidden=True)
    turn: int = field(doc="thread that is woken next, if it sleeps", hidden=True)

    socks: deque[int]


class Listener:
    """A listen socket: its lock, and its queue of connections to accept."""

    def __init__(self, lines: Lines, name: str, kind: str, home: int) -> None:
        self.lock: Lock = make_lock(lines, f"{name}.lock", kind, home=home, what="lock")
        self.queue: AcceptQueue = lines.add(f"{name}.queue", AcceptQueue, home=home, what="accept queue", socks=deque())


class Sockets:
    """All sockets by flow. The free entry of the lowest number is used again; grows when there is none."""

    def __init__(self, slots: Slots, lines: Lines, listeners: list[Listener]) -> None:
        self._slots, self._lines = slots, lines
        self.listeners = listeners
        self.of: dict[int, Sock] = {}
        self.entries: list[Sock] = []
        self.free: list[int] = []

    def get(self, flow: int) -> Sock | None:
        """The socket of a flow, None if it has none."""
        return self.of.get(flow)

    def make(self, flow: int, state: int, owner: int = -1) -> Sock:
        """A socket for a flow that has none."""
        if self.free:
            sock = self.entries[heappop(self.free)]
        else:
            number = len(self.entries)
            sock = self._lines.add(f"sock{number}", Sock, what="socket", ids=deque(), number=number)
            self.entries.append(sock)
        sock.flow, sock.tcp, sock.owner = flow, state, owner
        if sock.messages:
            sock.messages = 0
        self.of[flow] = sock
        return sock

    def release(self, sock: Sock) -> None:
        """The connection is gone."""
        del self.of[sock.flow]
        sock.flow, sock.tcp, sock.owner = -1, FREE, -1
        heappush(self.free, sock.number)

    # ---------------------------------------------------------------- checkpoints
    def state(self) -> Any:
        """What is queued, which the slots only count."""
        queued = {s.number: tuple(s.ids) for s in self.entries if s.ids}
        return queued, [tuple(x.queue.socks) for x in self.listeners]

    def rebuild(self) -> None:
        """After slots have been loaded: who is in which entry."""
        self.entries = [c for c in self._slots.components if isinstance(c, Sock)]
        for number, sock in enumerate(self.entries):
            sock.number, sock.ids = number, deque()
        self.of = {s.flow: s for s in self.entries if s.flow >= 0}
        self.free = [s.number for s in self.entries if s.flow < 0]

    def restore(self, state: Any) -> None:
        """Take over what `state` gave."""
        queued, waiting = state
        for number, ids in queued.items():
            self.entries[number].ids = deque(ids)
        for listener, socks in zip(self.listeners, waiting, strict=True):
            listener.queue.socks = deque(socks)

    def packets(self) -> list[int]:
        """Ids of all packets that wait in receive queues."""
        return [number for sock in self.entries for number in sock.ids]
