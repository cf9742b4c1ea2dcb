"""What IX's paper claims, on our model with the connections spread evenly [facts 1.10]."""

import pytest
from theory.figures import figures

EVEN = "workload.spread=even"


def p99(bound: int, rate: str, until: str = "run.until=100 ms", *more: str) -> float:
    got = figures(
        "ix-memcached-usr", EVEN, f"system.batch_bound={bound}", f"workload.rate={rate}", "run.warmup=40 ms", until,
        *more,
    )  # fmt: skip
    value: float = got["latency_us"]["p99"]
    return value


def test_at_low_load_the_bound_changes_nothing() -> None:
    """50,000 requests/s, 15,000 of them: the same requests, so that only what a bound does differs."""
    values = {}
    for bound in (1, 2, 8, 64):
        sets = [EVEN, f"system.batch_bound={bound}", "workload.rate=50 K/s", "run.warmup=10 ms", "run.until=310 ms"]
        got = figures("ix-memcached-usr", *sets)
        values[bound] = got["latency_us"]["p99"]
        assert 1 <= got["batch"]["mean"] < 1.03
        assert got["batch"]["max"] <= bound
    assert max(values.values()) / min(values.values()) < 1.03


@pytest.mark.parametrize(("bound", "queues"), [(1, 6), (8, 6), (64, 6), (2, 16), (8, 13)])
def test_a_batch_never_exceeds_the_bound_and_the_further_queues(bound: int, queues: int) -> None:
    sets = [f"system.batch_bound={bound}", f"machine.nic.queues={queues}", "workload.rate=4 M/s", "run.warmup=1 ms"]
    got = figures("ix-memcached-usr", *sets, "run.until=6 ms")
    of_core = -(-queues // 6)
    assert bound <= got["batch"]["max"] <= bound + of_core - 1
    assert got["batch"]["mean"] > 0.8 * bound


# Loads that hold the SLO and loads that do not. By bisection the limits are 1.356, 1.74 and 1.75 M/s for 1, 16 and 64.
# Between seeds p99 differs by 10 %; at these loads it is 250–390 µs and 600–1,200 µs, so no seed crosses the 500.
HOLDS = [(1, 1.335), (16, 1.73), (32, 1.73), (64, 1.73)]
FAILS = [(1, 1.385), (16, 1.775), (64, 1.775)]


@pytest.mark.parametrize(("bound", "load"), HOLDS)
def test_loads_that_hold_the_slo(bound: int, load: float) -> None:
    assert p99(bound, f"{load} M/s") < 500


@pytest.mark.parametrize(("bound", "load"), FAILS)
def test_loads_that_do_not(bound: int, load: float) -> None:
    assert p99(bound, f"{load} M/s", "run.until=140 ms") > 500


def test_these_loads_are_the_claims() -> None:
    """29 % more with batches (±5), flat from 16 on (3 %), 1.8 M requests/s with 64 (1.62 to 1.98)."""
    low, high = dict(HOLDS), dict(FAILS)
    assert low[64] / high[1] >= 1.24 and high[64] / low[1] <= 1.34
    assert low[16] / high[64] >= 0.97 and low[64] >= 1.62 and high[64] <= 1.98


@pytest.mark.parametrize(("mix", "published"), [("usr", 32), ("etc", 45)])
@pytest.mark.parametrize(("rate", "until"), [("10 K/s", "800 ms"), ("50 K/s", "300 ms")])
def test_the_unloaded_tail(mix: str, published: float, rate: str, until: str) -> None:
    """8,000 and 14,000 requests: a standard error of 0.3 µs."""
    got = figures(f"ix-memcached-{mix}", f"workload.rate={rate}", "run.warmup=10 ms", f"run.until={until}")
    assert got["latency_us"]["p99"] == pytest.approx(published, rel=0.10)
