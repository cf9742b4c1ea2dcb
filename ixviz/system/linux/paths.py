"""The shared structures of the stack, each on a named cache line, and the code paths that touch them.
Invariant: an access says its path, so that every move of a line can be told by who made it."""

from __future__ import annotations

from collections.abc import Sequence

from ixviz.machine.line import Line
from ixviz.machine.lines import Layout, Lines

PATHS = ("NAPI", "softirq", "listen", "accept()", "epoll_wait()", "read()", "write()", "close()", "routing", "wake-up",
         "scheduler", "xmit", "RFS")  # fmt: skip
KINDS = ("ring", "lock", "accept queue", "socket", "ready list", "run queue", "backlog", "reference count",
         "memory counters", "device fields")  # fmt: skip
(NAPI, SOFTIRQ, LISTEN, ACCEPT, EPOLL, READ, WRITE, CLOSE, ROUTING, WAKE, SCHED, XMIT, RFS) = range(1, 14)


class Touched:
    """The lines, by what is on them. What a core has for itself is in a list, by its number.

    `dst` the routing entry's reference count (one for the whole subnet) · `memory` TCP's memory counters · `flags` and
    `stats` fields of net_device, which lie on one line though only the second is written: false sharing.
    """

    def __init__(self, lines: Lines, threads: int, queues: int, queue_home: Sequence[int]) -> None:
        cache = lines.cache_of
        self.rings: list[Line] = [
            lines.add(f"q{q}.ring", home=cache[queue_home[q]], what="ring", held=cache[queue_home[q]])
            for q in range(queues)
        ]
        self.qdiscs: list[Line] = [lines.add(f"tx{i}.qdisc", home=cache[i], what="lock") for i in range(threads)]
        self.ready: list[Line] = [lines.add(f"epoll{i}", home=cache[i], what="ready list") for i in range(threads)]
        self.runqueues: list[Line] = [lines.add(f"rq{i}", home=cache[i], what="run queue") for i in range(threads)]
        self.backlogs: list[Line] = [lines.add(f"backlog{i}", home=cache[i], what="backlog") for i in range(threads)]
        self.dst: Line = lines.add("dst.refcnt", what="reference count")
        self.memory: Line = lines.add("tcp.memory", what="memory counters")
        lines.lay(Layout({"net_device": ("dev.flags", "dev.stats")}), what="device fields")
        self.flags, self.stats = lines.of["dev.flags"], lines.of["dev.stats"]
