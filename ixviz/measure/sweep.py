"""Sweeps: one scenario at many settings, in a pool of processes; the largest load that holds an SLO, by bisection.
Invariant: a point's figures are those of `ixviz run` with the same settings; order of output is order of asking."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from ixviz.measure.metrics import metrics
from ixviz.scenario.load import Scenario, load
from ixviz.scenario.simulate import simulate

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
FIGURES: dict[str, Callable[[dict[str, Any]], float | None]] = {
    "p50_us": lambda m: m["latency_us"]["p50"],
    "p99_us": lambda m: m["latency_us"]["p99"],
    "mean_us": lambda m: m["latency_us"]["mean"],
    "max_us": lambda m: m["latency_us"]["max"],
    "wait_p99_us": lambda m: m["wait_us"]["p99"],
    "completed_per_s": lambda m: m["requests"]["completed_per_s"],
    "dropped": lambda m: m["packets"]["dropped"],
}
STEPS = 9  # of a bisection: the load is known to 1/500 of the capacity


@dataclass(frozen=True)
class Slo:
    """A condition on one figure, such as p99_us < 500."""

    figure: str
    sign: str
    limit: float

    def holds(self, figures: dict[str, Any]) -> bool:
        """Whether a run keeps to it; a figure without samples does not."""
        value = FIGURES[self.figure](figures)
        return value is not None and OPERATORS[self.sign](value, self.limit)


def parse_slo(text: str) -> Slo:
    """`p99_us < 500`; ValueError says what is wanted."""
    found = re.fullmatch(r"\s*(\w+)\s*(<=|>=|<|>)\s*([0-9](?:_?[0-9]){0,14}(?:\.[0-9]*)?(?:e[0-9]{1,2})?)\s*", text)
    if not found or found[1] not in FIGURES:
        raise ValueError(f"a figure, a comparison and a number wanted, such as 'p99_us < 500'; figures: "
                         f"{', '.join(FIGURES)}")  # fmt: skip
    return Slo(found[1], found[2], float(found[3]))


def parse_vary(text: str) -> tuple[str, list[str]]:
    """`system.batch_bound=1,8,64` → the key and its values; ValueError says what is wanted."""
    key, sign, values = text.partition("=")
    parts = [v.strip() for v in values.split(",")]
    if not sign or not key.strip() or not all(parts):
        raise ValueError(f"KEY=A,B,C wanted, got {text!r}")
    return key.strip(), parts


def points(vary: Sequence[tuple[str, list[str]]]) -> Iterator[list[str]]:
    """All combinations, as lists of `--set` texts, the last key changing fastest."""
    for values in itertools.product(*(v for _, v in vary)):
        yield [f"{key}={value}" for (key, _), value in zip(vary, values, strict=True)]


def run_point(path: str, sets: Sequence[str]) -> dict[str, Any]:
    """The figures of one setting."""
    return run_figures(load(path, sets))


def run_figures(scenario: Scenario) -> dict[str, Any]:
    """Run a scenario unwatched to its end and return its figures."""
    sim = simulate(scenario)
    sim.run()
    return metrics(sim, scenario.name, scenario.run.seed)


def load_set(scenario: Scenario, fraction: float) -> str:
    """The `--set` that offers `fraction` of what the machine can carry. ValueError where it would replace a pattern."""
    rate = getattr(scenario.workload, "rate", None)
    if rate is not None and not isinstance(rate, int | float):
        raise ValueError("workload.rate: of a load over time no one load is the largest; give a number, such as 1 M/s")
    if scenario.workload.kind == "poisson":
        return f"workload.load={fraction!r}"
    if rate is None:
        raise ValueError(f"workload.rate: a {scenario.workload.kind} workload without a rate has no load to vary")
    return f"workload.rate={round(fraction * simulate(scenario).capacity)} /s"


def largest_load(path: str, sets: Sequence[str], slo: Slo) -> dict[str, Any]:
    """The largest load at which the SLO holds, between nothing and 1.25 × the capacity, and the figures there."""
    scenario = load(path, sets)
    low, high = 0.0, 1.25
    best: dict[str, Any] | None = None
    for _ in range(STEPS):
        middle = (low + high) / 2
        figures = run_point(path, [*sets, load_set(scenario, middle)])
        if slo.holds(figures):
            low, best = middle, figures
        else:
            high = middle
    return {"load": low if best else None, "figures": best}


def sweep(path: str, sets: Sequence[str], vary: Sequence[tuple[str, list[str]]], slo: Slo | None,
          executor: Executor) -> Iterator[tuple[list[str], dict[str, Any]]]:  # fmt: skip
    """(settings, result) of every combination, in order; result is figures, or with an SLO what `largest_load` says."""
    asked = []
    for point in points(vary):
        both = [*sets, *point]
        if slo is None:
            asked.append((point, executor.submit(run_point, path, both)))
        else:
            asked.append((point, executor.submit(largest_load, path, both, slo)))
    for point, future in asked:
        yield point, future.result()
