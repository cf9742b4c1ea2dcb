"""Runs a scenario unwatched and returns its figures; the same settings are run once."""

from __future__ import annotations

from functools import cache
from typing import Any

from system.runs import scenario

from ixviz.measure.metrics import metrics
from ixviz.scenario.simulate import simulate


@cache
def figures(name: str, *sets: str) -> dict[str, Any]:
    """The object of `ixviz run --json`."""
    made = scenario(name, *sets)
    sim = simulate(made)
    sim.run()
    return metrics(sim, made.name, made.run.seed)
