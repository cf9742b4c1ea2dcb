"""The figures of a control plane: latency tick by tick, what is outside the ramps, the bound, and the text of all."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from system.runs import scenario, unwatched

from ixviz.measure.control import control, sent_p99, settled, tick_p99, tick_rates
from ixviz.measure.frontier import Static
from ixviz.measure.metrics import metrics
from ixviz.measure.report import report
from ixviz.scenario.load import Scenario

NAME = "ix-elastic-triangle"
# 100,000 requests: up to a second core and back to one.
SHORT = ("machine.cores=2", "workload.connections=200", "run.compress=100", "workload.rate.to=300 K/s",
         "workload.rate.over=60 s")  # fmt: skip
US = 10**6


class Table:
    """Columns as a run has them."""

    def __init__(self, **columns: list[int]) -> None:
        self.__dict__.update(columns)

    def __len__(self) -> int:
        return len(next(iter(self.__dict__.values())))

    def array(self, name: str) -> Any:
        return np.array(getattr(self, name), dtype=np.int64)


def test_a_ticks_p99_is_that_of_the_requests_sent_in_it() -> None:
    """Nearest rank, as everywhere; a request that is not answered does not count; nothing sent = -1."""
    rng = random.Random(1)
    sent = sorted(rng.randrange(900) for _ in range(400))
    done = [-1 if rng.random() < 0.1 else at + rng.randrange(1, 5_000) for at in sent]
    times = [0, 100, 100, 350, 900, 1_000]
    got = tick_p99(Table(sent=sent, done=done), np.array(times))
    for (first, stop), value in zip(pairwise(times), got.tolist(), strict=True):
        took = sorted(d - s for s, d in zip(sent, done, strict=True) if first <= s < stop and d >= 0)
        assert value == (took[math.ceil(len(took) * 0.99) - 1] if took else -1)
    assert got[1] == got[4] == -1


def test_the_p99_of_all_requests_of_chosen_ticks() -> None:
    rng = random.Random(2)
    sent = sorted(rng.randrange(1_200) for _ in range(500))
    done = [-1 if rng.random() < 0.1 else at + rng.randrange(1, 5_000) for at in sent]
    times, chosen = [100, 200, 200, 450, 1_000], np.array([True, False, False, True])
    took = sorted(d - s for s, d in zip(sent, done, strict=True) if d >= 0 and (100 <= s < 200 or 450 <= s < 1_000))
    table = Table(sent=sent, done=done)
    assert sent_p99(table, np.array(times), chosen) == took[math.ceil(len(took) * 0.99) - 1] / 10**6
    assert sent_p99(table, np.array(times), np.zeros(4, dtype=bool)) is None


def test_outside_the_ramps() -> None:
    """Ticks of 10. A step from 20 to 25, then 30 of calm wanted; one from 95 on that does not end."""
    decisions = Table(time=[-1, 20, 95], ended=[-1, 25, -1])
    times = np.arange(0, 131, 10)
    calm = settled(decisions, times, 30).tolist()
    assert calm == [True, True, False, False, False, False, True, True, True, False, False, False, False]
    assert settled(Table(time=[-1], ended=[-1]), times, 30).all()


def test_the_load_of_each_tick_is_what_the_pattern_has_then() -> None:
    sim = SimpleNamespace(facts=unwatched(scenario(NAME, *SHORT, "run.until=1 ms")).facts,
                          control=SimpleNamespace(compress=100))  # fmt: skip
    rates = tick_rates(sim, 600 * 10**9)
    assert len(rates) == 600 and rates[0] == pytest.approx(500) and rates[299] == pytest.approx(299_500)
    assert rates[300:] == pytest.approx(rates[299::-1])
    sim.facts = {"offered_per_s": 5}
    assert tick_rates(sim, 10**10) == [5.0] * 10
    assert tick_rates(SimpleNamespace(facts={}, control=sim.control), 10**10) == []


@pytest.fixture(scope="module")
def run() -> tuple[Scenario, Any]:
    made = scenario(NAME, *SHORT)
    return made, unwatched(made)


def test_the_object_has_what_was_decided_moved_and_spent(run: tuple[Scenario, Any]) -> None:
    _, sim = run
    before = sim.slots.values().tolist()
    got = metrics(sim)["control"]
    assert sim.slots.values().tolist() == before, "looking changes nothing"
    json.dumps(got, allow_nan=False)
    assert (got["policy"], got["compress"], got["failed"], got["reports"]) == ("eff", 100, 0, [])
    steps = got["steps"]
    assert len(steps) == 2 + 1 + 12 + 1
    assert steps[1] == {"cores": 2, "hyperthreads": False, "clock_hz": 1_200_000_000, "adds": "core 1"}
    assert steps[-1] == {"cores": 2, "hyperthreads": True, "clock_hz": 2_800_000_000, "adds": "Turbo"}

    table, decisions = sim.control.decisions, got["decisions"]
    assert len(decisions) == len(table) - 1 >= 2
    first = decisions[0]
    assert (first["before"], first["after"], first["changes"], first["groups"]) == (0, 1, "+ core 1", 64)
    assert first["time_s"] == pytest.approx(table.time[1] * 100 / 1e12)
    assert first["took_us"] == pytest.approx((table.ended[1] - table.time[1]) / US)
    assert first["because"].startswith("fast queue ") and "last up never" in first["allowed"]
    assert any(d["changes"] == "- core 1" for d in decisions)

    moved = sim.control.migration.table
    assert got["migrations"] == {
        "count": len(moved) - 1, "groups": sum(moved.groups[1:]), "remote": sum(moved.remote[1:]),
        "local": sum(moved.local[1:]), "by_timer": sum(not early for early in moved.early[1:]),
    }  # fmt: skip


def test_energy_and_background_are_sums_over_the_ticks(run: tuple[Scenario, Any]) -> None:
    """Power and free cores change at a step and when threads park: added up tick by tick they are off by little."""
    _, sim = run
    got, signals = metrics(sim)["control"], sim.control.signals
    ticks = np.diff([0, *signals.time])
    assert got["energy_j"] == pytest.approx(float((ticks * np.array(signals.power)).sum()) / 1e15, rel=0.01)
    assert got["static_j"] == pytest.approx(41.93 * 0.6, rel=1e-3), "two cores and their package at Turbo"
    assert got["saved"] == pytest.approx(1 - got["energy_j"] / got["static_j"])
    free = float((ticks * (2 - np.array(signals.cores)) * np.array(signals.clock, dtype=float)).sum())
    assert got["background"]["share"] == pytest.approx(free / (2 * 2.8e9 * sim.now), rel=0.02)
    assert (got["pareto"], got["background"]["bound"], got["background"]["of_bound"]) == (None, None, None)


def test_the_slo_is_looked_at_in_every_tick(run: tuple[Scenario, Any]) -> None:
    _, sim = run
    slo = metrics(sim)["control"]["slo"]
    times = np.array([0, *sim.control.signals.time])
    p99 = tick_p99(sim.feed.requests, times)
    assert slo["limit_us"] == 500 and slo["ticks"] == (p99 >= 0).sum() > 550
    assert slo["over"] == pytest.approx((p99 > 500 * US).sum() / slo["ticks"])
    assert 0 < slo["settled_ticks"] < slo["ticks"] and 0 <= slo["settled_over"] <= slo["over"]


def frontier(sim: Any, share: float) -> list[Static]:
    """A made-up one: every configuration carries this share of its capacity."""
    most = 2 * 2_800
    return [Static(*c[:4], c.free / most, share * c.capacity, True) for c in sim.configurations()]


def test_the_bound_is_that_of_the_frontier(run: tuple[Scenario, Any]) -> None:
    _, sim = run
    got = metrics(sim, frontier=frontier(sim, 0.9))["control"]
    pareto, background = got["pareto"], got["background"]
    assert pareto["saved"] == pytest.approx(1 - pareto["energy_j"] / got["static_j"], rel=1e-6)
    assert pareto["share"] == pytest.approx(got["saved"] / pareto["saved"])
    assert 0.8 < pareto["share"] <= pareto["of_steps"], "the policy's steps are some of all"
    assert background["of_bound"] == pytest.approx(background["share"] / background["bound"])
    assert pareto["beyond"] == 0
    weak = metrics(sim, frontier=frontier(sim, 0.1))["control"]["pareto"]
    assert weak["saved"] < pareto["saved"] and weak["beyond"] > 0.5


def test_without_a_control_plane_there_is_none() -> None:
    sim = unwatched(scenario("ix-one-core", "run.until=20 us"))
    assert metrics(sim)["control"] is None and control(sim) is None
    assert metrics(unwatched(scenario("coherence-trace")))["control"] is None


def test_at_time_zero_nothing_is_divided() -> None:
    from ixviz.scenario.simulate import simulate

    made = scenario(NAME, *SHORT)
    sim: Any = simulate(made)
    got = metrics(sim, frontier=frontier(sim, 0.9))
    assert got["control"]["saved"] is None and got["control"]["slo"]["over"] is None
    assert "None" not in report(got, made, sim.facts)


def test_the_report_says_it_in_words(run: tuple[Scenario, Any]) -> None:
    made, sim = run
    text = report(metrics(sim, frontier=frontier(sim, 0.9)), made, sim.facts)
    assert "None" not in text and "nan" not in text
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert "policy eff" in lines["control"] and "100:" in lines["compress"]
    assert "illustrative" in lines["energy"] and "% of that is reached" in lines["frontier"]
    assert "+ core 1" in text and "fast queue" in text and "outside the ramps" in lines["SLO"]
    assert "frontier   not known: --frontier finds" in report(metrics(sim), made, sim.facts)


def test_what_a_policy_did_wrong_is_shown_as_it_was_written(run: tuple[Scenario, Any]) -> None:
    made, sim = run
    figures = metrics(sim)
    figures["control"] |= {"failed": 30, "reports": [{"time_s": 1.5, "what": "it said \x1b[31m[red]"}] * 30}
    text = report(figures, made, sim.facts)
    assert "30 wishes of the policy could not be carried out" in text and "and 10 more (--json has all)" in text
    assert "\x1b" not in text and "[red]" in text and "1.5 s" in text
