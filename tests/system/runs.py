"""Runs for the tests: built from bundled scenarios or plain values, watched or not, and what is compared of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ixviz.history import Journal
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import Scenario, bundled, from_raw, list_bundled, load
from ixviz.scenario.simulate import simulate
from ixviz.system.simulation import Simulation

# The machine of lesson 02, typed in: 1 µs a batch and 0.25 µs a packet at 2.4 GHz.
BENCH = """
title: One core, one queue, round numbers
machine: {profile: e5-2665, cores: 1, nic: {ports: 1, rate: 10 Gbps, queues: 1, ring: 512}}
system:
  kind: ix
  batch_bound: 64
  costs_are: illustrative
  costs:
    poll: {batch: 480}
    tcp: {packet: 240}
    cross: {batch: 720}
    app: {packet: 192}
    calls: {packet: 168}
    timers: {batch: 240}
    tx: {batch: 960}
workload:
  kind: timed
  size: 64 B
  packets: [{at: 2 us}, {from: 2.1 us, every: 333.333 ns, count: 300}]
run: {until: 100 us, seed: 1}
"""


def scenario(name: str, *sets: str) -> Scenario:
    """A bundled scenario, or "bench", with `--set` texts applied."""
    return load(BENCH, sets, "bench") if name == "bench" else load(bundled(name), list(sets))


def plain(raw: Mapping[str, Any], fault: str | None = None) -> Scenario:
    """The scenario of plain values, with a fault."""
    return replace(from_raw(raw), fault=fault)


def machines() -> list[str]:
    """The bundled scenarios that have packets; those of which only decisions are recorded have tests of their own."""
    made = {name: load(bundled(name)) for name in list_bundled()}
    return [name for name, one in made.items() if one.workload.kind != "none" and not one.run.decisions_only]


class Telling(Journal):
    """A journal that calls `tell(number, kind, subject)` when an event is complete: when the next one opens.

    It listens at `open`, through which every event goes, also those that do without the call of `event`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tell: Callable[[int, int, int], None] = lambda number, kind, subject: None
        self.opened, self.present, self._really_open = 0, (0, 0), self.open
        self.open = self._listen
        self.stepwise = True

    def _listen(self, row: tuple[int, int, int, int, int]) -> None:
        if self.opened:
            self.tell(self.opened - 1, *self.present)
        self.opened, self.present = self.opened + 1, (row[1], row[2])
        self._really_open(row)


def unwatched(made: Scenario) -> Simulation:
    """Run to the end without a journal."""
    sim = simulate(made)
    sim.run()
    return sim


def recorded(made: Scenario, piece: int = 50_000) -> Simulation:
    """Run to the end with a journal, `piece` events at a time."""
    sim = simulate(made, Journal())
    while sim.record(piece):
        pass
    return sim


def times(sim: Simulation) -> np.ndarray:
    """Times of all events."""
    assert sim.history is not None
    len(sim.history)  # seals
    return np.concatenate([chunk.times for chunk in sim.history.journal.chunks])


def events(sim: Simulation) -> list[list[int]]:
    """All events, each as one list: time, kind, subject, cause, then its writes."""
    assert sim.history is not None
    out = []
    for i in range(len(sim.history)):
        e = sim.history.event(i)
        row = [e.time, e.kind, e.subject, e.cause]
        for change in sim.history.changes(i) if i else ():
            row += [change.slot, change.old, change.new]
        out.append(row)
    return out


def same_completions(one: Simulation, other: Simulation) -> None:
    """Every packet arrived and left at the same picosecond, queue by queue."""
    left, right = one.completions(), other.completions()
    assert len(left) == len(right)
    for (a, b), (c, d) in zip(left, right, strict=True):
        assert a.tolist() == c.tolist()
        assert b.tolist() == d.tolist()


def same_figures(one: Simulation, other: Simulation) -> None:
    """All figures agree; means may be summed in another order."""
    _agree(metrics(one), metrics(other), "")
    if one.facts.get("requests") is not None:
        for name in one.feed.requests.names:
            assert one.feed.requests.array(name).tolist() == other.feed.requests.array(name).tolist(), name


def _agree(one: Any, other: Any, path: str) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            _agree(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), path
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            _agree(a, b, f"{path}[{i}]")
    else:
        assert one == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other), path
