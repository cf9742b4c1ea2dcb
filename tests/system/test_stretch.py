"""Recorded whole turns at a time = recorded step by step: the same events, writes, tables and machine, to the bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.machines import bulk_scenarios, examples
from system.runs import plain, scenario

from ixviz.history import Journal
from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.simulate import simulate
from ixviz.system.ix.stretch import run as module
from ixviz.system.simulation import Simulation
from ixviz.workload import open as open_module

COLUMNS = ("times", "kinds", "subjects", "causes")


class Stepwise(Journal):
    """A journal that sees each event as it happens."""

    stepwise = True


class Counted:
    """A stretch that counts how many events it made, and may be small."""

    def __init__(self, sim: Simulation) -> None:
        self.real, self.sim, self.made, self.times = sim.stretch, sim, 0, 0

    def __call__(self, events: int, end: int | None) -> bool:
        assert self.real is not None and self.sim.journal is not None
        before = self.sim.journal.count
        did = self.real(events, end)
        if did:
            self.made += self.sim.journal.count - before
            self.times += 1
        return did


def record(sim: Simulation, piece: int, until: int | None = None) -> Counted | None:
    counted = None
    if sim.stretch is not None:
        sim.stretch = counted = Counted(sim)
    while sim.record(piece, until, every=max(piece, 100)) and (until is None or sim.now < until):
        pass
    return counted


def columns(sim: Simulation) -> dict[str, list[int]]:
    """The whole history and the whole machine, as lists."""
    assert sim.history is not None
    len(sim.history)  # seals
    chunks = sim.history.journal.chunks
    out = {name: np.concatenate([getattr(c, name) for c in chunks]).tolist() for name in COLUMNS}
    out["counts"] = np.concatenate([np.diff(c.offsets) for c in chunks]).tolist()
    for i, name in enumerate(("slots", "old", "new")):
        out[name] = np.concatenate([c.writes()[i] for c in chunks]).tolist()
    for table in (sim.feed.packets, sim.batches):
        for name in table.names:
            out[f"{len(table.names)}.{name}"] = table.array(name).tolist()
    out["machine"] = sim.slots.values().tolist()
    out["waiting"] = [number for ids in sim.feed.ids for number in ids]
    out["serving"] = [number for core in sim.threads for number in (*core.members, core.last_event)]
    out["last"] = list(sim.feed.last_event)
    return out


def same(one: Simulation, other: Simulation) -> None:
    left, right = columns(one), columns(other)
    for name in left:
        assert left[name] == right[name], name


def both_ways(made: Scenario, piece: int) -> Counted:
    """Record step by step and in stretches; go on from some checkpoints of the latter."""
    steps, whole = simulate(made, Stepwise()), simulate(made, Journal())
    assert record(steps, 50_000) is None
    counted = record(whole, piece)
    assert counted is not None
    same(steps, whole)
    for checkpoint in whole.checkpoints[1 :: max(1, len(whole.checkpoints) // 3)]:
        assert whole.journal is not None
        again = whole.resume(checkpoint, journal=whole.journal.fork(checkpoint.events))
        record(again, piece)
        same(steps, again)
    return counted


def test_on_machines_of_any_shape() -> None:
    made: list[Counted] = []

    @examples(60)
    @given(bulk_scenarios(), st.sampled_from([5, 64, 65_536]), st.sampled_from([30, 200, 50_000]),
           st.sampled_from([None, None, "small-ring"]))  # fmt: skip
    def check(raw: dict[str, Any], block: int, piece: int, fault: str | None) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(open_module, "BLOCK", block)
            patch.setattr(module, "LEAST", 1)
            patch.setattr(module, "FEW", 1)
            patch.setattr(module, "MOST", 0)
            if raw["workload"]["kind"] == "poisson":
                raw["workload"]["flows"] = min(raw["workload"]["flows"], 5)  # or no connection is ever seen twice
            made.append(both_ways(plain(raw, fault), piece))

    check()
    assert sum(counted.times for counted in made) > 200 and sum(counted.made for counted in made) > 4000


LOADS = [
    ("workload.load=0.97", "system.batch_bound=1"),
    ("workload.load=0.97", "system.batch_bound=8"),
    ("workload.load=1.3",),
    ("workload.load=0.1", "machine.nic.rate=unlimited"),
    ("workload.load=0.97", "machine.nic.ring=12", "system.software_list=40"),
    ("workload.load=0.95", "machine.nic.rate=1 Gbps", "machine.clock=300 MHz", "machine.nic.tx_ring=20"),
    ("workload.load=0.3", "machine.cores=9", "machine.nic.queues=3", "machine.clock=1.7 GHz"),
]


@pytest.mark.parametrize("sets", LOADS, ids=" ".join)
def test_thousands_of_packets(sets: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rare = sets[-1] in ("system.software_list=40", "machine.nic.tx_ring=20")
    if rare:  # where drops and full TX rings cut them short
        monkeypatch.setattr(module, "FEW", 1)
    made = scenario("ix-echo", *sets, "workload.packets=4000", "workload.flows=32", "run.until=null")
    counted = both_ways(made, 5000)
    assert sum(core.tx.stalls for core in counted.sim.threads) > (50 if "machine.nic.tx_ring=20" in sets else -1)
    assert counted.made > (400 if rare else 5000)  # else this test compares steps with steps


def test_a_what_if_goes_on_in_stretches() -> None:
    made = scenario("ix-echo", "workload.packets=3000", "workload.flows=32", "run.until=null", "workload.load=0.9")
    changed = with_changes(made, {"system.batch_bound": 3, "system.costs.app.packet": 700, "machine.clock": "2 GHz"})
    sim = simulate(made, Journal())
    sim.record(9000)
    checkpoint = sim.checkpoint()
    assert sim.journal is not None
    made_of = []
    for stepwise in (True, False):
        journal = sim.journal.fork(checkpoint.events)
        journal.stepwise = stepwise
        made_of.append(sim.resume(checkpoint, journal=journal, scenario=changed))
        record(made_of[-1], 4000)
    same(*made_of)


def test_it_stops_where_it_is_told_to() -> None:
    made = scenario("ix-echo", "workload.packets=4000", "workload.flows=32", "run.until=null", "workload.load=0.9")
    sims = [simulate(made, journal) for journal in (Stepwise(), Journal())]
    for until in (500_000_000, 500_000_001, 777_777_777):
        for sim in sims:
            record(sim, 3000, until)
            assert sim.now == until and sim.history is not None
            assert sim.history.event(len(sim.history) - 1).time <= until
        same(*sims)


@pytest.mark.parametrize("sets", [
    ("machine.nic.ports=2",), ("machine.hyperthreads=true",), ("system.costs.distribution=exponential",),
    ("machine.nic.queues=7",), ("system.software_list=0",),
], ids=str)  # fmt: skip
def test_other_machines_are_left_to_the_steps(sets: tuple[str, ...]) -> None:
    assert simulate(scenario("ix-echo", *sets), Journal()).stretch is None
    assert simulate(scenario("ix-echo"), Journal()).stretch is not None
    assert simulate(scenario("ix-echo"), Stepwise()).stretch is None
