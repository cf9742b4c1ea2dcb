"""What the two threads of a core share, each thing on a named cache line, and the code paths that touch them.
Invariant: every line belongs to one core; both of its threads run there, so no line ever moves."""

from __future__ import annotations

from ixviz.machine.line import Line
from ixviz.machine.lines import Lines
from ixviz.system.mtcp.queues import AcceptQueue, Queue

PATHS = ("poll", "TCP", "flush", "jobs", "accept()", "epoll_wait()", "read()", "write()", "close()")
KINDS = ("ring", "event queue", "job queue", "accept queue", "socket")
(POLL, TCP, FLUSH, JOBS, ACCEPT, EPOLL, READ, WRITE, CLOSE) = range(1, 10)


class Touched:
    """The lines by what is on them, in lists by the number of their thread or queue.

    A queue's head, tail and entries count as one line; real ones have a line for every few entries.
    """

    def __init__(self, lines: Lines, threads: int, queues: int) -> None:
        def home(i: int) -> int:
            return lines.cache_of[i % threads]

        self.rings: list[Line] = [
            lines.add(f"q{q}.ring", home=home(q), what="ring", held=home(q)) for q in range(queues)
        ]
        self.events = [self._queue(lines, f"core{i}.events", "event queue", home(i)) for i in range(threads)]
        self.jobs = [self._queue(lines, f"core{i}.jobs", "job queue", home(i)) for i in range(threads)]
        self.accepts: list[AcceptQueue] = [
            lines.add(f"core{i}.accept", AcceptQueue, home=home(i), what="accept queue", held=home(i))
            for i in range(threads)
        ]

    @staticmethod
    def _queue(lines: Lines, name: str, what: str, home: int) -> Queue:
        made: Queue = lines.add(name, Queue, home=home, what=what, held=home)
        return made
