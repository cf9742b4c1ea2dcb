"""Runs of up to 106 days, the longest that 64 bits of picoseconds hold: nothing overflows, nothing runs for ever."""

import pytest
from system.runs import recorded, same_completions, same_figures, scenario, unwatched

from ixviz.scenario.messages import Problems

LONGEST = "run.until=9158400 s"


@pytest.mark.parametrize("ports", [1, 2])
def test_one_packet_in_a_quarter_of_an_hour(ports: int) -> None:
    made = scenario("ix-one-core", "workload.rate=0.001 /s", LONGEST, f"machine.nic.ports={ports}")
    one, other = unwatched(made), recorded(made)
    same_completions(one, other)
    same_figures(one, other)
    assert sum(len(a) for a, _ in one.completions()) == pytest.approx(9158, rel=0.04)  # standard error 1 %


def test_a_run_may_outlive_its_packets() -> None:
    made = scenario("queue-md1", "workload.packets=1000", LONGEST)
    one, other = unwatched(made), recorded(made)
    assert one.lanes and one.now == 9_158_400 * 10**12
    same_completions(one, other)
    same_figures(one, other)


def test_clients_that_hardly_ever_ask() -> None:
    sets = ["workload.rate=0.001 /s", "workload.connections=20000", "run.warmup=0", LONGEST]
    sim = unwatched(scenario("ix-memcached-usr", *sets))
    assert len(sim.feed.requests) == pytest.approx(9158, rel=0.05)
    assert min(sim.feed.requests.due) > 0


def test_a_machine_whose_turns_are_free_has_no_load() -> None:
    made = scenario("queue-md1", "system.costs.app.packet=0", "workload.packets=1000")
    with pytest.raises(Problems, match=r"workload\.load: .*give workload\.rate"):
        unwatched(made)
