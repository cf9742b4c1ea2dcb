"""What is published of one system against another, on our models [facts 1.10]; MODEL.md says what of it was fitted."""

import pytest
from system.runs import scenario
from theory.figures import figures
from theory.test_claims import FAILS, HOLDS

from ixviz.scenario.simulate import simulate

SPAN = ("run.warmup=2 ms", "run.until=8 ms")


def connections(name: str, *sets: str) -> float:
    """Connections of one message a second, in millions."""
    return float(figures(name, *sets, *SPAN)["requests"]["completed_per_s"]) / 1e6


def ix(ports: str, cores: int) -> float:
    return connections(f"ix-echo-{ports}", f"machine.cores={cores}", f"workload.connections={128 * cores}")


def test_ix_against_linux_at_eight_cores() -> None:
    """4.22 against .22 M/s: 19 times."""
    assert ix("4x10g", 8) / connections("linux-echo") == pytest.approx(19, rel=0.20)


def test_one_port_stops_at_the_wire_and_four_go_on() -> None:
    """The most is there with 4 cores, ± 1: three are not enough for the wire, five are no more than four."""
    three, four, five, eight = (ix("10g", n) for n in (3, 4, 5, 8))
    assert three < 0.92 * four and four == pytest.approx(10e9 / 8 / 562 / 1e6, rel=0.03)
    assert five < 1.03 * four and eight < 1.06 * four
    assert ix("4x10g", 4) == pytest.approx(4 * 0.53, rel=0.05) and ix("4x10g", 8) == pytest.approx(4.22, rel=0.05)


@pytest.mark.parametrize(("mix", "times"), [("usr", 2.7), ("etc", 2.1)])
@pytest.mark.parametrize("rate", ["50 K/s"])
def test_unloaded_tails(mix: str, times: float, rate: str) -> None:
    at = (f"workload.rate={rate}", "run.warmup=1 ms", "run.until=60 ms")
    linux, ours = (figures(f"{system}-memcached-{mix}", *at)["latency_us"]["p99"] for system in ("linux", "ix"))
    assert linux / ours == pytest.approx(times, rel=0.15)


def test_loads_at_the_slo() -> None:
    """The loads that hold and that fail are claims of each system (see their tests); here what lies between them."""
    at = ("run.warmup=10 ms", "run.until=100 ms")
    low, high = (figures("ix-memcached-etc", f"workload.rate={r} M/s", *at)["latency_us"]["p99"] for r in (1.42, 1.52))
    assert low < 500 < high
    linux = {"usr": (470, 520), "etc": (525, 575)}
    for mix, (holds, fails), times in (("usr", (dict(HOLDS)[64], dict(FAILS)[64]), 3.6), ("etc", (1.42, 1.52), 2.8)):
        most, least = fails * 1e3 / linux[mix][0], holds * 1e3 / linux[mix][1]
        assert 0.85 * times < least < most < 1.15 * times


def test_one_way_latency_of_two_like_ix_machines() -> None:
    """5.7 µs [paper], predicted: a pair of NICs and a switch, 3.3 µs, and a turn with one message."""
    client = 1_800_000
    sets = ["machine.cores=1", "machine.hyperthreads=false", "workload.connections=1", "workload.messages=unlimited"]
    made = scenario(
        "ix-echo-10g", *sets, "run.warmup=0", "run.until=1 ms", f"workload.round_trip={6_600_000 + client} ps"
    )
    sim = simulate(made)
    sim.run()
    requests = sim.feed.requests  # type: ignore[attr-defined]
    took = int((requests.array("done") - requests.array("sent"))[3])
    assert took - 6_600_000 - client == pytest.approx(client, rel=0.01), "the client is like the server"
    assert took / 2e6 == pytest.approx(5.7, rel=0.15)
