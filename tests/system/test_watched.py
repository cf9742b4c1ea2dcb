"""Watched = unwatched: every packet arrives and leaves at the same picosecond, and every figure is the same."""

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.both_ways import same_both_ways
from system.ledger import Ledger, never_overtakes
from system.machines import FAULTS, KINDS, bulk_scenarios, capture_file, examples, scenarios
from system.runs import machines, plain, recorded, same_completions, same_figures, scenario, times, unwatched

from ixviz.scenario.simulate import simulate
from ixviz.workload import open as open_module
from ixviz.workload.flows import hashed

BLOCKS = st.sampled_from([5, 64, 65_536, 65_536])


def compare(raw: dict[str, Any], block: int, fault: str | None = None) -> None:
    """Run both ways; the watched one with the ledger open."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_module, "BLOCK", block)
        same_both_ways(plain(raw, fault), Ledger, never_overtakes)


@pytest.mark.parametrize("kind", KINDS)
def test_on_machines_of_any_shape(kind: str) -> None:
    @examples(60)
    @given(scenarios((kind,)), BLOCKS, FAULTS)
    def check(raw: dict[str, Any], block: int, fault: str | None) -> None:
        compare(raw, block, fault)

    check()


@examples(150)
@given(bulk_scenarios(), BLOCKS, st.sampled_from([None, None, "small-ring"]))
def test_in_bulk(raw: dict[str, Any], block: int, fault: str | None) -> None:
    assert simulate(plain(raw, fault)).lanes
    compare(raw, block, fault)


@pytest.mark.parametrize("name", [*machines(), "bench"])
def test_on_every_bundled_scenario(name: str) -> None:
    until = {"queue-md1": "3 ms", "ix-capture": "1 s"}.get(name, "0.6 ms")
    made = scenario(name, f"run.until={until}", "run.warmup=0.1 ms")
    one, other = unwatched(made), recorded(made)
    assert sum(len(a) for a, _ in one.completions()) > (10 if name == "ix-migrate-one" else 200)
    same_completions(one, other)
    same_figures(one, other)


@pytest.mark.parametrize(
    "sets",
    [
        ("workload.load=2", "machine.nic.ring=3", "system.software_list=40"),
        ("workload.load=0.97", "system.batch_bound=8", "run.warmup=0.2 ms"),
        ("workload.rate=8 M/s", "machine.nic.tx_ring=16"),
        ("workload.rate=8 M/s", "machine.nic.tx_ring=64"),
        ("workload.load=0.8", "machine.nic.tx_ring=100", "workload.size=700 B", "machine.nic.rate=20 Gbps"),
        ("workload.load=1.2", "machine.nic.rate=4 Gbps", "machine.nic.tx_ring=70"),
        ("workload.load=0.9", "machine.nic.rate=5.5 Gbps", "machine.nic.tx_ring=64", "workload.size=1 KB"),
    ],
    ids=str,
)
def test_thousands_of_packets_in_bulk(sets: tuple[str, ...]) -> None:
    made = scenario("ix-echo", *sets, "workload.packets=20000", "run.until=null")
    one, other = unwatched(made), recorded(made)
    assert one.lanes and not other.lanes
    same_completions(one, other)
    same_figures(one, other)


def test_frames_with_one_timestamp_keep_their_order() -> None:
    """A capture whose clock ticks once in 20 frames, repeated, on more queues than cores."""
    frames = [(int(i % 20 == 0), ("S", "A", "PA", "udp", "arp", "FA")[i % 6], i % 7, i % 90) for i in range(400)]
    raw = {
        "machine": {"cores": 2, "nic": {"queues": 5, "ring": 9, "rate": "unlimited"}},
        "system": {"kind": "ix", "batch_bound": 4},
        "workload": {"kind": "capture", "file": capture_file(frames), "repeat": 2},
    }
    compare(raw, 65_536)


def closed(**more: Any) -> dict[str, Any]:
    """One-message connections on two cores."""
    work = {"kind": "closed", "connections": 3, "messages": 1, "round_trip": "0 us", "spread": "even", **more}
    nic = {"rate": "unlimited", "ring": 1}
    return {
        "machine": {"cores": 2, "nic": nic},
        "system": {"kind": "ix", "batch_bound": 1, "software_list": 0},
        "workload": work,
        "run": {"until": "29 us"},
    }


@pytest.mark.parametrize("close", ["fin", "rst"])
def test_an_answer_of_one_core_may_wake_another(close: str) -> None:
    """A connection that opens anew has another flow: it may belong to a ring whose thread is quiescent."""
    for rto in ("20 us", "3 us"):
        compare(closed(close=close, rto=rto), 65_536)


def test_a_thread_that_waits_for_the_tx_ring_is_not_woken_by_its_sibling() -> None:
    raw = {
        "machine": {"cores": 2, "hyperthreads": True, "nic": {"rate": "1 Gbps", "ring": 1, "tx_ring": 1}},
        "system": {"kind": "ix", "batch_bound": 2, "software_list": 0},
        "workload": {"kind": "poisson", "load": 0.1, "flows": 200, "size": "64 B", "packets": 10},
        "run": {"seed": 3},
    }
    compare(raw, 65_536)


def test_the_run_ends_when_the_last_thing_happened() -> None:
    """Not at the time of an alarm that was replaced by an earlier one: a sibling that became quiescent."""
    raw = {
        "machine": {"cores": 1, "hyperthreads": True, "nic": {"rate": "unlimited"}},
        "system": {"kind": "ix"},
        "workload": {"kind": "timed", "size": "64 B", "flows": 21,
                     "packets": [{"at": "1 us", "flow": f} for f in range(3)] + [{"at": "1.3 us", "flow": 3}]},
    }  # fmt: skip
    made = plain(raw)
    for sim in (unwatched(made), recorded(made)):
        last = max(int(left.max()) for _, left in sim.completions() if len(left))
        assert sim.now == last


def test_frames_of_several_ports_come_in_order_of_time_across_blocks() -> None:
    """One port has a backlog at the end of a block, the other has not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_module, "BLOCK", 64)
        made = scenario("ix-echo", "machine.nic.ports=2", "machine.nic.rate=1 Gbps", "run.until=0.4 ms")
        slow = recorded(made)
        never_overtakes(slow)
        assert (np.diff(times(slow)) >= 0).all()
        same_completions(unwatched(made), slow)
        patch.setattr(open_module, "BLOCK", 65_536)  # and the size of the blocks changes nothing but the draws
        assert slow.slots.by_name["nic"].arrived > 500  # type: ignore[attr-defined]


def test_a_flood_that_is_dropped_costs_no_more_than_one_that_is_carried() -> None:
    """In bulk the gaps that drops leave are never walked through: 25,000 turns drop here, which took 15 s once."""
    sets = ["workload.load=4", "system.software_list=1", "machine.nic.ring=1", "workload.packets=100000"]
    start = time.process_time()
    sim = unwatched(scenario("queue-md1", *sets))
    assert len(sim.lanes[0].gaps) > 15_000
    assert time.process_time() - start < 5  # it takes 0.2 s


@pytest.mark.parametrize("cycles", [2400, 2401, 2402])
@pytest.mark.parametrize("early", [0, 1, 2])
def test_a_sibling_that_wakes_as_a_stage_ends_does_not_turn_time_back(cycles: int, early: int) -> None:
    """Of the third of a picosecond that a stage's end was rounded up by, a slower clock makes more than a whole one."""
    group = hashed(40, 1).group % 2
    even, odd = int(np.flatnonzero(group == 0)[0]), int(np.flatnonzero(group == 1)[0])
    ends = 10**6 - (-cycles * 10**12 // 2_400_000_000)
    zero = {stage: {"batch": 0, "packet": 0} for stage in ("tcp", "cross", "app", "calls", "timers", "tx")}
    raw = {
        "machine": {"cores": 1, "hyperthreads": True, "nic": {"rate": "unlimited"}},
        "system": {"kind": "ix", "costs": {"poll": {"batch": cycles}, **zero}},
        "workload": {"kind": "timed", "size": "64 B", "flows": 40,
                     "packets": [{"at": "1 us", "flow": odd}, {"at": f"{ends - early} ps", "flow": even}]},
    }  # fmt: skip
    compare(raw, 65_536)
