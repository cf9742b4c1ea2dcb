"""Sweeps: what is understood, what is refused, and that a point is the run it says."""

import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from ixviz.measure import sweep as module
from ixviz.measure.pool import pool
from ixviz.measure.report import sweep_head, sweep_row
from ixviz.measure.sweep import Slo, largest_load, load_set, parse_slo, parse_vary, points, run_point, sweep
from ixviz.scenario.load import bundled, load

PATH = str(bundled("queue-md1"))
SHORT = ["workload.packets=4000"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("p99_us < 500", ("p99_us", "<", 500)),
        ("dropped<=0", ("dropped", "<=", 0)),
        (" mean_us >1.5 ", ("mean_us", ">", 1.5)),
        ("completed_per_s >= 1.6e6", ("completed_per_s", ">=", 1_600_000)),
        ("max_us < 1_000", ("max_us", "<", 1000)),
    ],
)
def test_an_slo_is_understood(text: str, wanted: tuple[str, str, float]) -> None:
    assert parse_slo(text) == Slo(*wanted)


WRONG = ["", "p99", "p99_us", "p98_us < 5", "p99_us = 5", "p99_us < fast", "p99_us < -1", "< 5"]


@pytest.mark.parametrize("text", WRONG)
def test_another_slo_is_refused_with_what_is_wanted(text: str) -> None:
    with pytest.raises(ValueError, match="'p99_us < 500'; figures: p50_us, p99_us, "):
        parse_slo(text)


def figures(p99: float | None, dropped: int = 0) -> dict[str, Any]:
    return {"latency_us": {"p50": 1, "p99": p99, "mean": 1, "max": 9}, "wait_us": {"p99": 3},
            "requests": {"completed_per_s": 7}, "packets": {"dropped": dropped}}  # fmt: skip


def test_an_slo_holds_or_not_and_never_without_samples() -> None:
    assert parse_slo("p99_us < 5").holds(figures(4.9)) and not parse_slo("p99_us < 5").holds(figures(5))
    assert parse_slo("p99_us <= 5").holds(figures(5)) and not parse_slo("p99_us > 5").holds(figures(5))
    assert parse_slo("p99_us >= 5").holds(figures(5)) and not parse_slo("p99_us < 5").holds(figures(None))
    assert parse_slo("dropped <= 0").holds(figures(1)) and not parse_slo("dropped <= 0").holds(figures(1, 2))
    values = [parse_slo(f"{name} > 0").holds(figures(4, 1)) for name in module.FIGURES]
    assert values == [True] * len(module.FIGURES)


def test_what_varies_is_understood() -> None:
    assert parse_vary("system.batch_bound=1, 8,64") == ("system.batch_bound", ["1", "8", "64"])
    assert parse_vary("a.b=1") == ("a.b", ["1"])
    for text in ("", "a", "a=", "=1", "a=1,,2", "a=,"):
        with pytest.raises(ValueError, match="KEY=A,B,C wanted, got"):
            parse_vary(text)
    made = list(points([("a", ["1", "2"]), ("b", ["x", "y"])]))
    assert made == [["a=1", "b=x"], ["a=1", "b=y"], ["a=2", "b=x"], ["a=2", "b=y"]]


class InOrder(Executor):
    """Runs what is submitted at once, here; or the last first."""

    def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **more))
        return done


def test_a_point_is_the_run_with_these_settings() -> None:
    vary = [("workload.load", ["0.3", "0.9"]), ("system.batch_bound", ["1", "4"])]
    with pool(1) as executor:
        got = list(sweep(PATH, SHORT, vary, None, executor))
    assert [point for point, _ in got] == list(points(vary))
    for point, result in got:
        assert result == run_point(PATH, [*SHORT, *point])
        cells = sweep_row(point, result, False).split()
        assert cells[:2] == [p.split("=")[1] for p in point] and cells[-1] == "0"
    assert sweep_head(["workload.load", "system.batch_bound"], False).split()[:2] == [k for k, _ in vary]


def test_results_come_in_the_order_of_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(path: str, sets: list[str]) -> dict[str, Any]:
        time.sleep(0.1 if sets[-1].endswith("1") else 0)
        return {"sets": sets}

    monkeypatch.setattr(module, "run_point", slow)
    with ThreadPoolExecutor(4) as executor:
        got = [point for point, _ in sweep(PATH, [], [("a", ["1", "2", "3"])], None, executor)]
    assert got == [["a=1"], ["a=2"], ["a=3"]]


def test_bisection_finds_the_largest_load_that_holds() -> None:
    """M/D/1 waits 2 service times at .8, hence 3 µs in all; 20,000 packets: standard error 4 % of the wait, and the
    wait changes by 6 % for each hundredth of load."""
    (point, result), = sweep(
        PATH, ["workload.packets=20000"], [("system.batch_bound", ["1"])], parse_slo("mean_us < 3"), InOrder()
    )  # fmt: skip
    assert point == ["system.batch_bound=1"]
    assert result["load"] == pytest.approx(0.8, abs=0.025)
    assert result["figures"]["latency_us"]["mean"] < 3
    found = ["workload.packets=20000", "system.batch_bound=1", f"workload.load={result['load']!r}"]
    assert result["figures"] == run_point(PATH, found)
    above = run_point(PATH, ["workload.packets=20000", f"workload.load={result['load'] + 1.25 / 2**8}"])
    assert above["latency_us"]["mean"] >= 3 * 0.97
    cells = sweep_row(point, result, True)
    assert f"{result['load']:.3f}" in cells and "None" not in cells


def test_an_slo_that_never_holds_says_so() -> None:
    result = largest_load(PATH, SHORT, parse_slo("p50_us < 0.5"))
    assert result == {"load": None, "figures": None}
    row = sweep_row(["a=1"], result, True)
    assert "never holds" in row and "None" not in row


def test_an_slo_that_always_holds_ends_near_the_highest_load() -> None:
    result = largest_load(PATH, ["workload.packets=500"], parse_slo("dropped <= 0"))
    assert result["load"] == pytest.approx(1.25, abs=0.005)


def test_a_load_is_set_as_the_workload_wants_it() -> None:
    assert load_set(load(PATH), 0.25) == "workload.load=0.25"
    usr = load(bundled("ix-memcached-usr"))
    capacity = 6 * 2.4e9 * 64 / (2360 + 64 * 7963)
    assert load_set(usr, 0.5) == f"workload.rate={round(capacity / 2)} /s"
    with pytest.raises(ValueError, match=r"workload\.rate"):
        load_set(load(bundled("ix-capture")), 0.5)


@pytest.mark.parametrize("kind", ["memcached", "closed, connections: 10", "poisson"])
def test_a_load_over_time_is_not_replaced_by_a_number(kind: str) -> None:
    rate = "{pattern: triangle, to: 1 M/s, over: 1 s}"
    made = load(f"system: {{kind: ix}}\nworkload: {{kind: {kind}, rate: {rate}}}\n")
    with pytest.raises(ValueError, match=r"workload\.rate: of a load over time .* give a number, such as 1 M/s$"):
        load_set(made, 0.5)
