"""Where queueing theory knows the answer, the model gives it. Standard errors are measured over seeds."""

import pytest
from theory.figures import figures

SERVICE = 1.0  # µs: 2,400 cycles at 2.4 GHz


@pytest.mark.parametrize(("load", "packets"), [(0.8, 1_000_000), (0.5, 400_000), (0.3, 400_000)])
def test_md1_waits_as_pollaczek_and_khinchine_say(load: float, packets: int) -> None:
    """rho / (2 (1 - rho)) service times; standard error 0.7 % at .8 with a million packets, 0.5 % at the others."""
    got = figures("queue-md1", f"workload.load={load}", f"workload.packets={packets}")
    assert got["wait_us"]["mean"] == pytest.approx(load / (2 * (1 - load)) * SERVICE, rel=0.03)
    assert got["latency_us"]["mean"] == pytest.approx(got["wait_us"]["mean"] + SERVICE, rel=1e-9)
    assert got["cores"][0]["busy"] == pytest.approx(load, rel=0.01)
    assert got["packets"] == {"arrived": packets, "delivered": packets, "dropped": 0, "in_flight": 0}
    assert got["batch"]["mean"] == got["batch"]["max"] == 1


def test_mm1_waits_twice_as_long() -> None:
    """rho / (1 - rho) service times; standard error 1 % with 400,000 packets at .7."""
    got = figures("queue-md1", "workload.load=0.7", "workload.packets=400000", "system.costs.distribution=exponential")
    assert got["wait_us"]["mean"] == pytest.approx(0.7 / 0.3 * SERVICE, rel=0.05)


# fixed µs a batch, µs a packet: lesson 02's bench reversed, a poll that costs as much as a packet, a fast machine
COSTS = [(0.5, 0.5), (1.0, 0.2), (0.17, 0.0414)]
BOUNDS = [1, 2, 8, 16, 64, 128]


@pytest.mark.parametrize(("batch", "packet"), COSTS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_full_batches_carry_b_over_f_plus_b_p(batch: float, packet: float, bound: int) -> None:
    """Deterministic once batches are full: the error is that of the first and the last batches."""
    got = figures(
        "queue-md1", "machine.clock=10 GHz", f"system.batch_bound={bound}", "workload.load=1.5",
        f"system.costs.poll.batch={round(batch * 10_000)}", f"system.costs.app.packet={round(packet * 10_000)}",
        "workload.packets=60000",
    )  # fmt: skip
    rate = got["packets"]["delivered"] / got["simulated_us"]
    assert rate == pytest.approx(bound / (batch + bound * packet), rel=0.01)
    assert got["batch"]["max"] == bound


@pytest.mark.parametrize(
    ("load", "places"), [(0.8, 2), (1.0, 2), (2.0, 2), (0.5, 3), (0.95, 5), (1.2, 5), (1.0, 10), (2.0, 10), (1.2, 50)]
)
def test_mm1k_loses_what_erlang_says(load: float, places: int) -> None:
    """Exponential costs, a ring of K - 1, no list. Standard error 0.3 to 1.2 % with 150,000 packets."""
    got = figures(
        "queue-md1", f"workload.load={load}", "workload.packets=150000", f"machine.nic.ring={places - 1}",
        "system.software_list=0", "system.costs.distribution=exponential",
    )  # fmt: skip
    if load == 1:
        loss = 1 / (places + 1)
    else:
        loss = (1 - load) * load**places / (1 - load ** (places + 1))
    assert got["packets"]["dropped"] / got["packets"]["arrived"] == pytest.approx(loss, rel=0.05)
    assert got["queues"][0]["max_depth"] == places - 1


@pytest.mark.parametrize("bound", [1, 64])
def test_an_overloaded_closed_loop_answers_after_outstanding_over_throughput(bound: int) -> None:
    """Little's law with every slot taken. Spread even, so that every core is as full; what is left are slots that
    wait for their schedule: below 1 % at twice the capacity."""
    got = figures(
        "ix-memcached-usr", "workload.rate=3 M/s", f"system.batch_bound={bound}", "workload.spread=even",
        "run.warmup=25 ms", "run.until=60 ms",
    )  # fmt: skip
    expected = 1476 * 4 / got["requests"]["completed_per_s"] * 1e6
    assert got["latency_us"]["mean"] == pytest.approx(expected, rel=0.03)
    assert all(core["busy"] > 0.99 for core in got["cores"])
    capacity = 6 * 2.4e9 * bound / (2360 + bound * 7963)
    assert got["requests"]["completed_per_s"] == pytest.approx(capacity, rel=0.01)
