"""Small machines with a control plane, and migrations at any time, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from system.runs import plain

from ixviz.history import Journal
from ixviz.scenario.simulate import simulate
from ixviz.system.ix.control.migration import NONE
from ixviz.system.ix.control.rebalance import Move

US = 10**6


def elastic(arrivals: Sequence[tuple[int, int]], cores: int = 2, bound: int = 3, watched: bool = False,
            fault: str | None = None, migrate: Sequence[Mapping[str, Any]] = ()) -> Any:  # fmt: skip
    """Two hyperthreads a core, all running; `arrivals` are (ns, flow) of frames of 64 B, `migrate` as in a scenario."""
    made = plain({
        "machine": {"cores": cores, "hyperthreads": True, "nic": {"rate": "unlimited", "ring": 512}},
        "system": {"kind": "ix", "batch_bound": bound, "control": {"policy": "static"}},
        "workload": {"kind": "timed", "flows": 16, "packets": [{"at": f"{at} ns", "flow": f} for at, f in arrivals]},
        "run": {"until": "8 ms", "migrate": list(migrate)},
    }, fault)  # fmt: skip
    return simulate(made, Journal() if watched else None)


def go(sim: Any, until: int) -> None:
    """Run or record to a time."""
    if sim.journal is None:
        sim.run(until)
    else:
        while sim.now < until and sim.record(10_000, until):
            pass


def migrate(sim: Any, at: int, flows: Sequence[int], target: int) -> bool:
    """Run to `at` (ps), then command that the groups of these flows that one other thread owns go to `target`."""
    go(sim, at)
    migration, groups = sim.control.migration, sim.control.flow_groups
    wanted = sorted({sim.feed.group_of(flow) for flow in flows})
    owner = groups[wanted[0]].owner - 1
    if migration.state != NONE or owner == target:
        return False
    mine = tuple(g for g in wanted if groups[g].owner - 1 == owner)
    migration.command(Move(owner, target, mine), sim.now)
    return True


def check(sim: Any) -> None:
    """What holds at every moment: owners, conservation, the RETA, one thread at a connection."""
    groups, migration = sim.control.flow_groups, sim.control.migration
    assert len(groups) == 128
    for number, group in enumerate(groups):
        moving = number in migration.moving and migration.state >= 2
        assert bool(group.moving) == moving == (group.owner == 0)
        assert (group.previous, group.target) == ((migration.source, migration.target) if moving else (0, 0))
        leads = (group.target if moving else group.owner) - 1
        assert sim.feed.intake.reta[number] == sim.threads[leads].queues[0]
    waiting = sum(t.remote.depth + t.local.depth for t in sim.threads)
    assert waiting == len(migration.remote_ids) + len(migration.local_ids)
    held = sum(r.depth for t in sim.threads for r in t.rings) + sum(x.depth for t in sim.threads for x in t.lists)
    assert held == sum(len(ids) for ids in sim.feed.ids)
    arrived = sim.slots.by_name["nic"].arrived
    drops = sum(r.drops for r in sim.feed.intake.rings)
    assert arrived == drops + held + waiting + sum(t.size + t.done for t in sim.threads)


def order_of_flows(sim: Any) -> dict[int, list[tuple[int, int]]]:
    """For each flow its packets (number, thread) in the order in which they went through TCP."""
    packets, batches = sim.feed.packets, sim.batches
    out: dict[int, list[tuple[int, int, int, int]]] = {}
    for number in range(1, len(packets.batch)):
        row = packets.batch[number]
        if row > 0:
            out.setdefault(packets.flow[number], []).append((batches.begins[row], row, number, batches.core[row]))
    return {flow: [(number, core) for _, _, number, core in sorted(rows)] for flow, rows in out.items()}
