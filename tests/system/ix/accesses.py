"""Every access of an IX run to every line, one by one through the protocol's table: what the books sum up."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from ixviz.history import Slots
from ixviz.machine.lines import Lines
from ixviz.machine.profile import PROFILES
from ixviz.system.ix.memory import pool, touches
from ixviz.workload import kinds


class OneByOne:
    """Goes through the tables of a run that is not in bulk, batch by batch, packet by packet."""

    def __init__(self, sim: Any) -> None:
        self.sim, self.shape = sim, sim.memory.shape
        n = self.shape.threads
        self.lines = Lines(Slots(), self.shape.cores, PROFILES["e5-2665"].latencies, 1, paths=touches.PATHS, threads=n)
        self.arp = self.lines.add("arp", touches.RcuLine)
        self.mempool = self.lines.add("mempool")
        self.hand = [pool.START] * n
        self.out: list[list[int]] = [[] for _ in range(n)]
        self.next_of: dict[int, int] = {}  # by queue: frames moved to its list
        packets = sim.feed.packets
        rows = len(packets.batch)
        self.members: dict[int, list[int]] = {}
        self.come: dict[int, list[int]] = {q: [] for t in self.shape.polls for q in t}
        for number in range(1, rows):
            if packets.batch[number] > 0:
                self.members.setdefault(packets.batch[number], []).append(number)
            if packets.batch[number] >= -1:
                self.come[packets.queue[number]].append(packets.arrives[number])

    def touch(self, name: str, thread: int, *, reads: int = 0, writes: int = 0) -> None:
        """Reads, then writes; a line that was there before time 0 is its first user's."""
        core = self.shape.cache(thread)
        line = self.lines.by_name.get(name) or self.lines.add(name, held=core)
        for write, times in ((False, reads), (True, writes)):
            for _ in range(times):
                line.access(thread, write)

    def allocate(self, thread: int) -> None:
        self.touch(f"core{thread}.pool", thread, writes=1)
        if not self.hand[thread]:
            self.shared(thread)
            self.hand[thread] = pool.CHUNK
        self.hand[thread] -= 1

    def free(self, thread: int) -> None:
        self.touch(f"core{thread}.pool", thread, writes=1)
        if self.hand[thread] == pool.MOST:
            self.shared(thread)
            self.hand[thread] -= pool.CHUNK
        self.hand[thread] += 1

    def shared(self, thread: int) -> None:
        self.mempool.access(thread, True)
        self.mempool.access(thread, False)
        self.mempool.access(thread, True)
        self.mempool.access(thread, True)

    def go(self) -> dict[str, dict[str, Any]]:
        """All batches; the lines as in `--json`, by name."""
        for row in range(1, len(self.sim.batches.core)):
            self.batch(row)
        return {line["name"]: line for line in self.lines.figures()["lines"]}

    def batch(self, row: int) -> None:
        batches, packets = self.sim.batches, self.sim.feed.packets
        t, now = batches.core[row], batches.begins[row]
        members = self.members[row]
        kind = [packets.kind[m] for m in members]
        for done in [x for x in self.out[t] if x <= now]:
            self.out[t].remove(done)
            self.touch(f"tx{t}.ring", t, reads=1)
            self.free(t)
        for q in self.shape.polls[t]:
            taken = sum(packets.queue[m] == q for m in members)
            ring = self.lines.by_name.get(f"q{q}.ring") or self.lines.add(f"q{q}.ring", held=self.shape.cache(t))
            if taken:
                ring.dma(True)  # the NIC has written them
            self.touch(f"q{q}.ring", t, reads=1, writes=int(taken > 0))
            came = bisect_right(self.come[q], now) - self.next_of.get(q, 0) if self.shape.lists else taken
            self.next_of[q] = self.next_of.get(q, 0) + came
            for _ in range(came):
                self.touch(f"q{q}.ring", t, reads=1, writes=1)
                self.allocate(t)
            if self.shape.lists:
                self.touch(f"q{q}.list", t, writes=came + taken)
        for m in members:
            self.pcb(packets.flow[m], t, 1)
            self.touch(f"core{t}.events", t, writes=1)
        calls = [{kinds.DATA: 2, kinds.ACK: 0}.get(k, 1) for k in kind]
        self.touch(f"core{t}.events", t, reads=len(members), writes=sum(calls))
        for m, k, called in zip(members, kind, calls, strict=True):
            self.pcb(packets.flow[m], t, called)
            self.touch(f"core{t}.events", t, reads=called, writes=called)
            if not kinds.ANSWERED[k]:
                self.free(t)
            else:  # the answer's mbuf, and the request's given back
                self.touch(f"core{t}.pool", t, writes=2)
                self.arp.access(t, False)
                self.touch(f"tx{t}.ring", t, writes=1)
                self.out[t].append(packets.done[m] if packets.done[m] >= 0 else 2**62)

    def pcb(self, flow: int, thread: int, times: int) -> None:
        if flow >= 0:
            self.touch(f"pcb of flow {flow}", thread, reads=times, writes=times)
