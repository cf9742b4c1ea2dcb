"""The figures of a run, recomputed from its packets, batches and requests one by one."""

import json
import math
from typing import Any

import pytest
from system.runs import recorded, scenario, unwatched

from ixviz.measure.metrics import metrics, rank
from ixviz.measure.report import report
from ixviz.system.simulation import Simulation

WINDOWED = ("run.warmup=0.2 ms", "run.until=1 ms")
RUNS = [
    ("ix-echo", "workload.rate=16 M/s", "machine.nic.ring=20", *WINDOWED),
    ("ix-echo", "system.software_list=7", "workload.rate=16 M/s", "machine.nic.queues=6", *WINDOWED),
    ("ix-memcached-usr", *WINDOWED),
    ("ix-memcached-etc", "workload.rate=9 M/s", "machine.nic.ring=4", "workload.rto=90 us", *WINDOWED),
    ("ix-capture",),
    ("bench",),
]


def nearest(values: list[int], percent: int) -> float | None:
    """The smallest value that at least `percent` in a hundred do not exceed, in µs."""
    if not values:
        return None
    ordered = sorted(values)
    return next(v for i, v in enumerate(ordered, 1) if i * 100 >= percent * len(ordered)) / 1e6


def naive(sim: Simulation) -> dict[str, Any]:
    """By looking at every row of a recorded run."""
    packets, batches, warm, now = sim.feed.packets, sim.batches, sim.warmup, sim.now
    rows = range(1, len(packets.batch))
    left = [n for n in rows if packets.batch[n] > 0 and batches.ends[packets.batch[n]] >= 0]
    inside = [n for n in left if batches.ends[packets.batch[n]] >= warm]
    latency = [packets.done[n] - packets.arrives[n] for n in inside]
    completed = len(inside)
    requests = getattr(sim.feed, "requests", None)
    if requests is not None:
        ended = [i for i, t in enumerate(requests.done) if warm <= t <= now and t >= 0]
        latency, completed = [requests.done[i] - requests.sent[i] for i in ended], len(ended)
    wait = [batches.begins[packets.batch[n]] - packets.arrives[n] for n in inside]
    sizes = [s for b, s in zip(batches.begins[1:], batches.size[1:], strict=True) if b >= warm]
    dropped = [n for n in rows if packets.batch[n] <= -2]
    queues = []
    for q in range(len(sim.feed.ids)):
        mine = [n for n in rows if packets.queue[n] == q]
        queues.append((len(mine), sum(packets.batch[n] <= -2 for n in mine)))
    cores = []
    for t in sim.threads:
        own = [i for i in range(1, len(batches.core)) if batches.core[i] == t.number]
        busy = sum((batches.ends[i] if batches.ends[i] >= 0 else now) - batches.begins[i] for i in own)
        done = sum(batches.size[i] for i in own if batches.ends[i] >= 0)
        cores.append((t.number, pytest.approx(busy / now, rel=1e-12), done, len(own)))
    return {
        "packets": {"arrived": len(rows), "delivered": len(left), "dropped": len(dropped),
                    "in_flight": len(rows) - len(left) - len(dropped)},
        "completed_per_s": pytest.approx(completed * 1e12 / (now - warm), rel=1e-12),
        "latency": [pytest.approx(sum(latency) / len(latency) / 1e6), nearest(latency, 50), nearest(latency, 99),
                    max(latency) / 1e6],
        "wait": [pytest.approx(sum(wait) / len(wait) / 1e6), nearest(wait, 99)],
        "batch": [pytest.approx(sum(sizes) / len(sizes)), max(sizes), sim.bound],
        "queues": queues,
        "cores": cores,
    }  # fmt: skip


@pytest.mark.parametrize("made", RUNS, ids=" ".join)
@pytest.mark.parametrize("watch", [True, False])
def test_figures_are_what_the_rows_say(made: tuple[str, ...], watch: bool) -> None:
    one = scenario(*made)
    truth = naive(recorded(one))
    got = metrics(recorded(one) if watch else unwatched(one), "name", 5)
    assert (got["version"], got["scenario"], got["system"], got["seed"]) == (1, "name", "ix", 5)
    assert got["packets"] == truth["packets"]
    assert got["requests"]["completed_per_s"] == truth["completed_per_s"]
    latency, wait, batch = got["latency_us"], got["wait_us"], got["batch"]
    assert [latency[k] for k in ("mean", "p50", "p99", "max")] == truth["latency"]
    assert [wait[k] for k in ("mean", "p99")] == truth["wait"]
    assert [batch[k] for k in ("mean", "max", "bound")] == truth["batch"]
    assert [(q["arrived"], q["dropped"]) for q in got["queues"]] == truth["queues"]
    assert [q["id"] for q in got["queues"]] == list(range(len(got["queues"])))
    assert [(c["id"], c["busy"], c["packets"], c["batches"]) for c in got["cores"]] == truth["cores"]
    if one.run.until is not None:
        assert got["simulated_us"] == one.run.until / 1e6


def numbers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [x for v in value.values() for x in numbers(v)]
    return [x for v in value for x in numbers(v)] if isinstance(value, list) else [value]


NOTHING = [
    ("bench", "run.until=1 us"),  # nothing has arrived
    ("bench", "run.until=2.2 us"),  # one packet is in service
    ("ix-echo", "run.until=0.1 us"),
    ("ix-memcached-usr", "run.warmup=0", "run.until=2 us"),
    ("ix-memcached-usr", "run.warmup=50 us", "run.until=50.001 us"),
    ("ix-echo", "run.warmup=0.3 ms", "run.until=0.300001 ms", "workload.rate=1 K/s"),
]


@pytest.mark.parametrize("made", NOTHING, ids=" ".join)
@pytest.mark.parametrize("watch", [True, False])
def test_a_figure_without_samples_is_none_and_the_report_shows_a_dash(made: tuple[str, ...], watch: bool) -> None:
    one = scenario(*made)
    sim = recorded(one) if watch else unwatched(one)
    got = metrics(sim)
    assert got["latency_us"] == {"mean": None, "p50": None, "p99": None, "max": None} or got["packets"]["delivered"]
    assert not any(isinstance(x, float) and not math.isfinite(x) for x in numbers(got))
    json.dumps(got, allow_nan=False)
    text = report(got, one, sim.facts)
    assert "None" not in text and "nan" not in text.lower().replace("nanosecond", "") and "–" in text


def test_at_time_zero_nothing_is_divided() -> None:
    from ixviz.scenario.simulate import simulate

    sim = simulate(scenario("ix-echo"))
    got = metrics(sim)
    assert got["simulated_us"] == 0 and got["requests"]["completed_per_s"] is None
    assert {core["busy"] for core in got["cores"]} == {None} and got["batch"]["mean"] is None
    assert "None" not in report(got, scenario("ix-echo"), sim.facts)


def test_the_report_says_what_happened() -> None:
    made = scenario("ix-memcached-usr", *WINDOWED)
    sim = unwatched(made)
    text = report(metrics(sim), made, sim.facts)
    lines = text.splitlines()
    assert lines[0] == "Memcached USR on six cores"
    assert "None" not in text and "fitted" in text and "the fullest queue has" in text
    assert any(line.strip().startswith("requests") and "1,600,000 /s offered" in line for line in lines)
    assert len(lines) >= 15


def test_percentiles_are_values_that_occurred() -> None:
    assert [rank(n, 99) for n in (1, 2, 99, 100, 101, 200, 1000)] == [0, 1, 98, 98, 99, 197, 989]
    assert [rank(n, 50) for n in (1, 2, 3, 4)] == [0, 0, 1, 1]
