"""The queues between the two threads of a core: events to the application, jobs back, connections to accept.
Invariant: one thread puts, the other takes, in order; nothing is lost between them."""

from __future__ import annotations

from collections import deque

from ixviz.history import field
from ixviz.machine.line import Line


class Queue(Line):
    """A queue in memory that both threads of a core see. Head and tail only grow; `depth` = tail - head."""

    head: int = field(doc="entries taken")
    tail: int = field(doc="entries put")
    deepest: int = field(doc="most entries at one time", hidden=True)

    ids: deque[int]  # what is in it: numbers of sockets (events), of packets (jobs)

    @property
    def depth(self) -> int:
        """Entries in the queue."""
        return self.tail - self.head

    def put(self, numbers: list[int], thread: int, path: int, now: int) -> int:
        """A thread puts entries at the tail. Returns the cycles of the line."""
        self.ids.extend(numbers)
        self.tail += len(numbers)
        depth = self.tail - self.head
        if depth > self.deepest:
            self.deepest = depth
        return self.bulk(thread, 0, len(numbers), path, now)

    def take(self, thread: int, path: int, now: int) -> tuple[list[int], int]:
        """A thread takes all there is. Returns it and the cycles of the line."""
        got = list(self.ids)
        self.ids.clear()
        self.head += len(got)
        return got, self.bulk(thread, len(got), 1, path, now)


class AcceptQueue(Line):
    """A core's listen socket: its connections that wait for accept()."""

    waiting: int = field(doc="connections that wait for accept()")
    deepest: int = field(doc="most at one time", hidden=True)
    ready: int = field(values=("no", "yes"), doc="whether an event of it is on its way", hidden=True)

    socks: deque[int]

    def put(self, number: int) -> None:
        """A connection is set up."""
        self.socks.append(number)
        self.waiting += 1
        if self.waiting > self.deepest:
            self.deepest = self.waiting
