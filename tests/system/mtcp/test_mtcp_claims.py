"""What is published of mTCP, on our model [facts 1.10]: what was fitted and what comes out by itself (MODEL.md)."""

import pytest
from system.mtcp.refit import TARGETS
from system.runs import scenario
from theory.figures import figures

from ixviz.scenario.simulate import simulate


def completed(name: str, *sets: str) -> float:
    """Connections or messages a second, in millions."""
    return float(figures(name, *sets)["requests"]["completed_per_s"]) / 1e6


def echo(span: int, *sets: str) -> float:
    return completed("mtcp-echo", *sets, "run.warmup=5 ms", f"run.until={5 + span} ms")


@pytest.mark.parametrize("target", [t for t in TARGETS if t[1]], ids=lambda t: t[0])
def test_what_was_fitted(target: tuple[str, float, tuple[str, ...], int]) -> None:
    """.27 and 1.48 M connections/s, 4.63 M messages/s (8.8 M of IX ÷ 1.9)."""
    _, published, sets, span = target
    assert echo(span, *sets) == pytest.approx(published, rel=0.04)


def test_ix_against_mtcp_at_eight_cores() -> None:
    """2.12 against 1.48 M/s: 1.43 times; 8.8 M messages/s, the wire, are 1.9 times mTCP's."""
    at = ("run.warmup=1 ms", "run.until=3 ms")
    assert completed("ix-echo-10g", *at) / echo(6) == pytest.approx(1.43, rel=0.15)
    long = completed("ix-echo-10g", "workload.messages=1024", *at)
    assert long / echo(5, "workload.messages=1024") == pytest.approx(1.9, rel=0.05)


def test_between_one_core_and_eight_the_curve_bends() -> None:
    """Predicted, given the fit: two cores carry nearly twice as much as one, eight 5.5 times."""
    one, two, four, eight = (echo(t[3], *t[2]) for t in TARGETS[:4])
    assert 1.8 < two / one < 2 and 3.2 < four / one < 3.9 and eight / one == pytest.approx(1.48 / 0.27, rel=0.05)


def test_one_way_latency_of_two_like_machines() -> None:
    """Predicted, from two constants of the released code: above IX's 5.7 µs and Linux' 24 µs. Nothing is fitted to it.

    The client takes as long as the server: the round trip that a scenario gives is the wires' and the client's.
    """
    client = 49_800_000
    sets = ["machine.cores=1", "machine.hyperthreads=false", "workload.connections=1", "workload.messages=unlimited"]
    span = ["run.warmup=0", "run.until=21 ms", f"workload.round_trip={6_600_000 + client} ps"]
    sim = simulate(scenario("mtcp-echo", *sets, *span))
    sim.run()
    requests = sim.feed.requests  # type: ignore[attr-defined]
    took = (requests.array("done") - requests.array("sent"))[3:-2]
    assert took.mean() - 6_600_000 - client == pytest.approx(client, rel=0.02), "the client is like the server"
    assert took.mean() / 2e6 == pytest.approx(53, abs=1)
    assert took.mean() / 2e6 > 24 * 1.5


def test_batches_are_what_makes_it_fast_and_slow() -> None:
    """One packet a poll costs throughput; a shorter sleep costs none and takes latency away."""
    span = ("machine.cores=2", "workload.connections=512", "run.warmup=4 ms", "run.until=12 ms")
    assert completed("mtcp-echo", *span) > 1.3 * completed("mtcp-echo", "system.chunk=1", *span)
    light = ("workload.rate=50 K/s", "run.warmup=1 ms", "run.until=30 ms")
    slow, fast = (figures("mtcp-memcached-usr", *light, *more)["latency_us"]["p99"]
                  for more in ((), ("system.select_us=5",)))  # fmt: skip
    assert slow > fast + 80
