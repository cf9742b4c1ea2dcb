"""The invariants of a Linux machine, checked on its live slots whenever an event is complete."""

from __future__ import annotations

from typing import Any

from ixviz.machine.line import Line
from ixviz.machine.protocol import STATES
from ixviz.system.linux.costs import APP, IDLE, SPIN
from ixviz.workload import kinds


class LinuxLedger:
    """Counts what must add up. `check(number, kind, subject)` is for a `Telling` journal."""

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.nic = sim.slots.by_name["nic"]
        self.before: list[int] = []
        self.checked = 0

    def in_service(self) -> int:
        """Packets between their ring and their end: in a poll, in softirq or with the application, in a socket."""
        cpus, sockets = self.sim.threads, self.sim.sockets
        held = {n for c in cpus for n in (*c.backlog, *sockets.packets())}
        held |= {c.packet for c in cpus if c.packet} | {c.about for c in cpus if c.about}
        left = self.sim.journeys.left
        return sum(n >= len(left) or left[n] < 0 for n in held)

    def check(self, number: int, kind: int, subject: int) -> None:
        """All of DESIGN §7 that one can see in the slots."""
        sim = self.sim
        rings, cpus = sim.feed.intake.rings, sim.threads
        done = sum(c.done for c in cpus)
        assert self.nic.arrived == done + self.in_service() + sum(r.drops + r.depth for r in rings), number
        assert sum(r.tail + r.drops for r in rings) == self.nic.arrived
        for ring in rings:
            assert 0 <= ring.head <= ring.tail
            assert ring.depth <= ring.deepest <= ring.capacity
        for cpu in cpus:
            assert cpu.busy + cpu.idle == cpu.began
            assert cpu.user + cpu.softirq + cpu.spun <= cpu.busy
            assert cpu.size <= cpu.budget
            assert cpu.todo == len(cpu.backlog)
            assert cpu.ready == len(cpu.list)
            if sim.kinds[kind] == "idle" and cpu.subject == subject:
                assert cpu.stage == IDLE and not (cpu.backlog or cpu.raised or cpu.polling or cpu.left or cpu.task)
            assert not cpu.left or cpu.task == APP
        for vector in (v for c in cpus for v in c.vectors):
            assert vector.sent == len(vector.ends)
        for sock in sim.sockets.entries:
            assert sock.queued == len(sock.ids)
            assert (sock.flow < 0) == (sock.tcp == 0)
        for listener in sim.sockets.listeners:
            assert listener.queue.waiting == len(listener.queue.socks)
            spinning = [c.number for c in cpus if c.stage == SPIN]
            assert set(listener.lock.queue()) <= set(spinning)
        for line in sim.memory.by_name.values() if number % 16 == 0 else ():
            self.line(line)
        now = [x for r in rings for x in (r.head, r.tail, r.drops)]
        now += [x for c in cpus for x in (c.busy, c.idle, c.began, c.done, c.batch, c.crossings, c.user, c.softirq)]
        assert all(a <= b for a, b in zip(self.before, now, strict=False)), "a count went back"
        self.before = now
        self.checked += 1

    def line(self, line: Line) -> None:
        """At most one M or E, which excludes all others; hits + misses = accesses."""
        letters = "".join(STATES[line.state(i)] for i in range(line.lines.cores))
        owned = letters.count("M") + letters.count("E")
        assert owned <= 1 and not (owned and "S" in letters), line.name
        assert line.hits + line.misses == line.accesses


def never_overtakes(sim: Any) -> None:
    """Of a flow, packets are answered in order of arrival; what is answered was, and nothing leaves before it came."""
    packets, left = sim.feed.packets, sim.leaves()
    last: dict[int, int] = {}
    answered = 0
    for number in range(1, len(packets.batch)):
        if left[number] < 0:
            continue
        assert (
            packets.arrives[number] <= sim.batches.begins[packets.batch[number]] <= left[number] <= packets.done[number]
        )
        answered += kinds.ANSWERED[packets.kind[number]]
        if packets.kind[number] in (kinds.DATA, kinds.FIN):
            flow = packets.flow[number]
            assert last.get(flow, 0) <= left[number], f"packet {number} overtook one of flow {flow}"
            last[flow] = int(left[number])
    assert answered == sum(c.tx.posted for c in sim.threads)
