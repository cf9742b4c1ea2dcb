"""The invariants of an IX machine, checked on its live slots whenever an event is complete."""

from __future__ import annotations

from typing import Any

from ixviz.system.simulation import Simulation
from ixviz.workload.kinds import ANSWERED


class Ledger:
    """Counts what must add up. `check(number, kind, subject)` is for a `Telling` journal."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        parts = sim.slots.by_name
        self.nic: Any = parts["nic"]
        self.rings = [c for n, c in parts.items() if n.startswith("nic.q")]
        self.cores: list[Any] = list(sim.threads)
        self.lists = [x for core in self.cores for x in core.lists]
        self.before: list[int] = []
        self.checked = 0

    def in_service(self, core: Any) -> int:
        """Packets in the batch that a core carries."""
        assert core.stage or not core.size
        return int(core.size)

    def check(self, number: int, kind: int, subject: int) -> None:
        """All of DESIGN §7 that one can see in the slots."""
        served = sum(self.in_service(core) for core in self.cores)
        queues: list[Any] = [*self.rings, *self.lists]
        done = sum(core.done for core in self.cores)
        moving = sum(core.remote.depth + core.local.depth for core in self.cores if hasattr(core, "remote"))
        assert self.nic.arrived == done + served + moving + sum(q.drops + q.depth for q in queues), number
        assert sum(ring.tail + ring.drops for ring in self.rings) == self.nic.arrived
        for queue in queues:
            assert 0 <= queue.head <= queue.tail
            assert queue.depth <= queue.capacity
            assert queue.depth <= queue.deepest <= queue.capacity
        for core in self.cores:
            assert core.busy + core.idle + getattr(core, "away", 0) == core.began
            assert core.size <= core.bound + len(core.queues) - 1
            taken = sum((x if x.capacity else ring).head for ring, x in zip(core.rings, core.lists, strict=True))
            assert taken - sum(getattr(x, "handed", 0) for x in core.lists) == core.done + self.in_service(core)
            for ring, behind in zip(core.rings, core.lists, strict=True):
                elastic = hasattr(core, "remote")  # gets packets of others, and gives
                assert elastic or not behind.capacity or ring.head == behind.tail + behind.drops
            assert core.tx.doorbells <= core.tx.posted <= core.done
        now = [x for q in queues for x in (q.head, q.tail, q.drops, q.deepest)]
        now += [x for c in self.cores for x in (c.busy, c.idle, c.began, c.done, c.batch)]
        assert all(a <= b for a, b in zip(self.before, now, strict=False)), "a count went back"
        self.before = now
        self.checked += 1


def never_overtakes(sim: Simulation) -> None:
    """A packet of a flow never leaves before an earlier one of it; times are in order; all answers are posted."""
    packets = sim.feed.packets
    rows = len(packets.batch)
    begins, ends = sim.batches.begins, sim.batches.ends
    last: dict[int, tuple[int, int, int]] = {}
    arrived = answered = 0
    for number in range(1, rows):
        assert packets.arrives[number] >= arrived, "arrivals in order"
        arrived = packets.arrives[number]
        row = packets.batch[number]
        if row <= 0 or ends[row] < 0:
            continue
        assert arrived <= begins[row] <= ends[row]
        out = (ends[row], packets.done[number], number)
        assert out[1] >= ends[row]
        answered += ANSWERED[packets.kind[number]]
        flow = packets.flow[number]
        if flow >= 0 and flow in last:
            assert last[flow][0] <= out[0], f"packet {number} overtook {last[flow][2]} of flow {flow}"
            if packets.kind[last[flow][2]] == packets.kind[number] == 0:
                assert last[flow][1] <= out[1]
        last[flow] = out
    assert answered == sum(core.tx.posted for core in sim.threads)
