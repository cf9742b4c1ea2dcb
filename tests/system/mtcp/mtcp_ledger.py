"""The invariants of an mTCP machine, checked on its live slots whenever an event is complete."""

from __future__ import annotations

from typing import Any

from ixviz.machine.protocol import STATES
from ixviz.system.mtcp.core import APP_THREAD, NOBODY, RUNS, SLEEPS, TCP_THREAD
from ixviz.system.mtcp.costs import APP, APPLICATION, IDLE, STACK
from ixviz.system.mtcp.sockets import CLOSING, FREE, LISTENS
from ixviz.workload import kinds


class MtcpLedger:
    """Counts what must add up. `check(number, kind, subject)` is for a `Telling` journal."""

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.nic = sim.slots.by_name["nic"]
        self.before: list[int] = []
        self.checked = 0

    def check(self, number: int, kind: int, subject: int) -> None:
        """All of DESIGN §7 that one can see in the slots."""
        sim = self.sim
        rings, cores, entries = sim.feed.intake.rings, sim.threads, sim.sockets.entries
        places = [*sim.sockets.packets(), *(n for c in cores for n in (*c.members, *c.at_app, *c.answers))]
        assert len(places) == len(set(places)), "a packet is in two places"
        done = sum(c.done for c in cores)
        assert self.nic.arrived == done + len(places) + sum(r.drops + r.depth for r in rings), number
        assert sum(r.tail + r.drops for r in rings) == self.nic.arrived
        for ring in rings:
            assert 0 <= ring.head <= ring.tail
            assert ring.depth <= ring.deepest <= ring.capacity
        for core in cores:
            self.core(core)
        held: dict[int, int] = {}
        for n in places:
            if sim.feed.packets.kind[n] in (kinds.DATA, kinds.FIN, kinds.RST):
                flow = sim.feed.packets.flow[n]
                held[flow] = held.get(flow, 0) + (sim.sockets.get(flow) is not None)
        on_the_way = [n for c in cores for n in (*c.events.ids, *c.fresh, *c.batch_of)]
        for sock in entries:
            assert sock.queued == len(sock.ids) <= sock.held
            assert (sock.flow < 0) == (sock.tcp == FREE)
            assert sock.tcp == CLOSING or sock.held <= held.get(sock.flow, 0)
            assert on_the_way.count(sock.number) == sock.ready
            assert not (sock.ids and sock.accepted) or sock.ready
        for line in sim.memory.by_name.values() if number % 16 == 0 else ():
            assert line.transfers == 0 and line.hits + line.misses == line.accesses
            assert sum(STATES[line.state(i)] != "I" for i in range(line.lines.cores)) <= 1
        now = [x for r in rings for x in (r.head, r.tail, r.drops)]
        now += [x for c in cores for x in (c.busy, c.idle, c.began, c.done, c.batch, c.crossings, c.user, c.switches)]
        now += [x for c in cores for q in (c.events, c.jobs) for x in (q.head, q.tail)]
        assert all(a <= b for a, b in zip(self.before, now, strict=False)), "a count went back"
        self.before = now
        self.checked += 1

    def core(self, core: Any) -> None:
        """Times add up, one thread has the core, queues hold what they say."""
        assert core.busy + core.idle == core.began
        assert core.user <= core.busy and core.tcp.time + core.app.time <= core.busy
        assert core.size <= core.chunk * max(len(core.queues), 1)
        assert core.taken == len(core.at_app)
        assert not core.at_app or core.stage == APP
        for queue in (core.events, core.jobs):
            assert 0 <= queue.depth == len(queue.ids) <= queue.deepest
        assert core.accept.waiting == len(core.accept.socks)
        ways = (*core.events.ids, *core.fresh, *core.batch_of)
        assert ways.count(LISTENS) == core.accept.ready
        running = [t for t in (core.tcp, core.app) if t.state == RUNS]
        assert len(running) <= 1
        if core.stage == IDLE:
            assert core.runs == NOBODY and core.tcp.state == core.app.state == SLEEPS
            assert not (core.events.depth or core.jobs.depth or core.members or core.answers)
        elif core.stage in STACK:
            assert core.runs == TCP_THREAD
        elif core.stage in APPLICATION:
            assert core.runs == APP_THREAD


def never_overtakes(sim: Any) -> None:
    """Of a flow, packets are answered in order of arrival; what is answered was, and nothing leaves before it came."""
    packets, left = sim.feed.packets, sim.leaves()
    last: dict[int, int] = {}
    for number in range(1, len(packets.batch)):
        if left[number] < 0:
            continue
        row = packets.batch[number]
        assert packets.arrives[number] <= sim.batches.begins[row] <= left[number] <= packets.done[number]
        if packets.kind[number] in (kinds.DATA, kinds.FIN):
            flow = packets.flow[number]
            assert last.get(flow, 0) <= left[number], f"packet {number} overtook one of flow {flow}"
            last[flow] = int(left[number])
