"""Resumed from a checkpoint = never stopped: the same completions and figures, and recorded the same history."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.machines import FAULTS, KINDS, bulk_scenarios, examples, scenarios
from system.runs import events, machines, plain, recorded, same_completions, same_figures, scenario, times, unwatched

from ixviz.history import Journal
from ixviz.history import journal as journal_module
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import simulate
from ixviz.system.simulation import Checkpoint, Simulation
from ixviz.workload import open as open_module

BLOCKS = st.sampled_from([5, 64, 65_536])


def told_by(sim: Simulation) -> Any:
    """All figures, batches and completions so far."""
    batches = {name: column.tolist() for name, column in sim.batch_table().items()}
    return metrics(sim), batches, [(a.tolist(), b.tolist()) for a, b in sim.completions()]


def stopped_and_resumed(raw: dict[str, Any], block: int, part: float, fault: str | None) -> None:
    """Unwatched: run to a moment, leave a checkpoint, go on; from it start twice, the second after the first ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_module, "BLOCK", block)
        made = plain(raw, fault)
        whole = unwatched(made)
        sim = simulate(made)
        sim.run(int(whole.now * part))
        checkpoint, then = sim.checkpoint(), told_by(sim)
        early = sim.resume(checkpoint)  # before the one it was taken from goes on
        early.run()
        sim.run()
        late = sim.resume(checkpoint)
        assert told_by(late) == then, "what came later is known"
        middle = (whole.now + checkpoint.time) // 2
        late.run(middle)
        again = late.resume(late.checkpoint())  # a checkpoint of a resumed run
        late.run()
        again.run()
    for other in (sim, early, late, again):
        same_completions(whole, other)
        same_figures(whole, other)


@pytest.mark.parametrize("kind", KINDS)
def test_unwatched(kind: str) -> None:
    @examples(40)
    @given(scenarios((kind,)), BLOCKS, st.floats(0, 1), FAULTS)
    def check(raw: dict[str, Any], block: int, part: float, fault: str | None) -> None:
        stopped_and_resumed(raw, block, part, fault)

    check()


@examples(60)
@given(bulk_scenarios(), BLOCKS, st.floats(0, 1), st.sampled_from([None, None, "small-ring"]))
def test_in_bulk(raw: dict[str, Any], block: int, part: float, fault: str | None) -> None:
    stopped_and_resumed(raw, block, part, fault)


def branch(sim: Simulation, checkpoint: Checkpoint, **changes: Any) -> Simulation:
    """Resume with a journal that shares the events so far, and record to the end in small pieces."""
    assert sim.journal is not None
    made = sim.resume(checkpoint, journal=sim.journal.fork(checkpoint.events), **changes)
    while made.record(37):
        pass
    return made


def same_history(one: Simulation, other: Simulation) -> None:
    assert events(one) == events(other)
    left, right = one.history, other.history
    assert left is not None and right is not None
    a, b = left.cursor(0), right.cursor(0)
    for event in range(0, len(left), max(1, len(left) // 50)):
        a.seek(event)
        b.seek(event)
        assert a.state_hash() == b.state_hash()
        assert [p.name for p in left.places] == [p.name for p in right.places]
    for table in ("packets", "batches"):
        _same_table(one, other, table)


def _same_table(one: Simulation, other: Simulation, name: str) -> None:
    left, right = one.table(name), other.table(name)
    assert len(left) == len(right)
    for key, column in left.columns.items():
        assert np.array_equal(column.values, right.columns[key].values), (name, key)


@pytest.mark.parametrize("kind", KINDS)
def test_recorded(kind: str) -> None:
    @examples(25)
    @given(scenarios((kind,)), BLOCKS, st.floats(0, 1), st.sampled_from([50, 16_384]), FAULTS)
    def check(raw: dict[str, Any], block: int, part: float, chunk: int, fault: str | None) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(open_module, "BLOCK", block)
            patch.setattr(journal_module, "CHUNK", chunk)
            made = plain(raw, fault)
            whole = recorded(made, 61)
            sim = simulate(made, Journal())
            wanted = int(whole.journal.count * part) if whole.journal else 0
            while sim.journal.count < wanted and sim.record(1):  # type: ignore[union-attr]
                pass
            checkpoint = sim.checkpoint()
            early = branch(sim, checkpoint)
            while sim.record(10):
                pass
            late = branch(sim, checkpoint)
            for other in (sim, early, late):
                same_completions(whole, other)
                same_figures(whole, other)
                same_history(whole, other)

    check()


@pytest.mark.parametrize("name", [*machines(), "bench"])
def test_every_checkpoint_that_recording_leaves_can_be_resumed(name: str) -> None:
    until = "1 s" if name == "ix-capture" else "0.2 ms"
    every = 20 if name == "ix-migrate-one" else 200
    sim = simulate(scenario(name, "run.warmup=0", f"run.until={until}"), Journal())
    while sim.record(300, every=every):
        pass
    assert len(sim.checkpoints) > 1
    assert sim.checkpoints[0].time == 0
    assert all(b.events - a.events >= every for a, b in pairwise(sim.checkpoints))
    for checkpoint in (sim.checkpoints[0], sim.checkpoints[len(sim.checkpoints) // 2], sim.checkpoints[-1]):
        other = branch(sim, checkpoint)
        same_history(sim, other)
        same_completions(sim, other)


@pytest.mark.parametrize("name", ["ix-one-core", "ix-echo", "ix-memcached-usr", "bench"])
def test_a_what_if_shares_the_past_and_only_the_past(name: str) -> None:
    made = scenario(name, "run.warmup=0", "run.until=0.3 ms")
    sim = simulate(made, Journal())
    sim.record(300)
    checkpoint = sim.checkpoint()
    changed = with_changes(made, {"system.batch_bound": 1, "system.costs.app.packet": 9000})
    other = branch(sim, checkpoint, scenario=changed)
    while sim.record(500):
        pass
    left, right = sim.history, other.history
    assert left is not None and right is not None and other.bound == 1
    a, b = left.cursor(0), right.cursor(0)
    for event in (0, 1, checkpoint.events // 2, checkpoint.events - 1):
        a.seek(event)
        b.seek(event)
        assert a.state_hash() == b.state_hash()
        assert left.event(event) == right.event(event)
    assert events(sim)[: checkpoint.events] == events(other)[: checkpoint.events]
    assert events(sim) != events(other)
    assert (np.diff(times(other)) >= 0).all()
    rows = list(zip(other.batches.begins, other.batches.ends, other.batches.size, strict=True))
    later = [(end - begin, size) for begin, end, size in rows if begin > checkpoint.time and end >= 0]
    assert {size for _, size in later} == {1} and min(took for took, _ in later) > 9000 * 10**12 // 2_400_000_000
    same = branch(sim, checkpoint)  # and without a change nothing differs, though the other branch has run
    same_history(sim, same)


CAPACITIES = [
    ("machine.nic.ring", 3, "nic.q0", "capacity", 3),
    ("system.software_list", 5, "core0.rxlist", "capacity", 5),
    ("machine.nic.tx_ring", 2, "core0.tx", "capacity", 2),
    ("machine.clock", "1.2 GHz", "core0", "speed", 1_200_000_000),
]


@pytest.mark.parametrize(("knob", "value", "part", "name", "slot"), CAPACITIES)
def test_a_knob_that_is_kept_in_a_slot_can_be_changed_in_a_what_if(
    knob: str, value: Any, part: str, name: str, slot: int
) -> None:
    made = scenario("bench")
    sim = simulate(made, Journal())
    sim.record(100)
    other = branch(sim, sim.checkpoint(), scenario=with_changes(made, {knob: value}))
    assert getattr(other.slots.by_name[part], name) == slot
    assert other.history is not None
    last = other.history.cursor(len(other.history) - 1)
    assert getattr(last.view[part], name) == slot
    assert last.values().tolist() == other.slots.values().tolist()


def test_a_what_if_may_make_the_present_turn_cheaper() -> None:
    made = scenario("ix-memcached-usr", "run.warmup=0", "run.until=0.1 ms")
    sim = simulate(made, Journal())
    while sim.record(1):
        if any(core.stage > 5 and core.alarm.at > sim.now for core in sim.threads):
            break
    other = branch(sim, sim.checkpoint(), scenario=with_changes(made, {"system.costs.app.packet": 0}))
    assert (np.diff(times(other)) >= 0).all()


def test_a_rate_changed_in_a_what_if_holds_from_there_on() -> None:
    made = scenario("ix-one-core", "run.until=1 ms")
    sim = simulate(made, Journal())
    sim.record(1500)
    checkpoint = sim.checkpoint()
    other = branch(sim, checkpoint, scenario=with_changes(made, {"workload.load": 2}))
    assert (np.diff(times(other)) >= 0).all()
    rows = len(other.feed.packets.batch)
    new = [t for t in other.feed.packets.arrives[:rows] if t > checkpoint.time]
    gap = (new[-1] - checkpoint.time) / len(new)
    old = checkpoint.time / (rows - len(new))
    assert gap == pytest.approx(old * 0.67 / 2, rel=0.15)  # about 700 arrivals: 4 % standard error
