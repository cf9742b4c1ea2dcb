"""How many packets a run will have, told before it is run."""

import pytest

from ixviz.scenario.load import bundled, load
from ixviz.scenario.simulate import expected_packets, simulate

ELASTIC = bundled("ix-elastic-triangle")


@pytest.mark.parametrize(
    ("sets", "packets"),
    [
        ([], 1.6e6 * 9.6),  # 240 s compressed by 25 at 1.6 M/s on the average
        (["run.compress=100"], 1.6e6 * 2.4),
        (["run.compress=1"], 1.6e6 * 240),
        (["run.until=4.8 s"], 1.6e6 * 4.8),
        (["run.until=2.4 s"], 0.8e6 * 2.4),  # half of the way up
        (["workload.rate=500 K/s", "run.until=2 s"], 1e6),
    ],
)
def test_a_load_over_time_is_summed_up_to_the_end_of_the_run(sets: list[str], packets: float) -> None:
    assert expected_packets(load(ELASTIC, sets)) == pytest.approx(packets, rel=1e-6)


def test_about_so_many_come() -> None:
    made = load(ELASTIC, ["run.compress=1000", "run.until=60 ms"])
    sim = simulate(made)
    sim.run()
    assert len(sim.feed.packets.batch) - 1 == pytest.approx(expected_packets(made), rel=0.05)
