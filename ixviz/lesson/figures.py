"""Names that need no cursor: values of the scenario, costs, and the figures of a whole run, as values with kinds.

Invariant: a figure of a run is answered only from the object of `ixviz run --json`, under its name without the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, get_args

from pydantic import BaseModel

from ixviz.lesson.expr import Kind, Value, none
from ixviz.scenario.fields import Quantity
from ixviz.scenario.load import Scenario

_SECTIONS = ("machine", "system", "workload", "run")
# Counts of a whole run that only some systems have.
COHERENCE = ("accesses", "hits", "misses", "transfers", "invalidations", "upgrades", "writebacks", "memory_reads")
PROTECTION = ("crossings", "copies", "user_copies", "interrupts", "wakes", "kernel_share", "softirq_share",
              "spin_share")  # fmt: skip
_KINDS = {"time": Kind.TIME, "per_s": Kind.RATE, "hz": Kind.RATE, "size": Kind.SIZE, "rate": Kind.BITRATE}
# the name in expressions: where it stands in the metrics, its kind, how many of its unit the metric counts in
FIGURES: Mapping[str, tuple[tuple[str, str], Kind, int]] = {
    **{f"packets.{n}": (("packets", n), Kind.NUMBER, 1) for n in ("arrived", "delivered", "dropped", "in_flight")},
    "requests.offered": (("requests", "offered_per_s"), Kind.RATE, 1),
    "requests.completed": (("requests", "completed_per_s"), Kind.RATE, 1),
    **{f"latency.{n}": (("latency_us", n), Kind.TIME, 10**6) for n in ("mean", "p50", "p99", "max")},
    **{f"wait.{n}": (("wait_us", n), Kind.TIME, 10**6) for n in ("mean", "p99")},
    "batch.mean": (("batch", "mean"), Kind.NUMBER, 1),
    "batch.max": (("batch", "max"), Kind.NUMBER, 1),
    **{f"coherence.{n}": (("coherence", n), Kind.NUMBER, 1) for n in COHERENCE},
    **{f"protection.{n}": (("protection", n), Kind.NUMBER, 1) for n in PROTECTION},
}
NAMES = (*FIGURES, "busy")
# What `look: {view: chart, of: …}` can show of a run so far, and how a picture calls that chart. Of whole runs it shows
# these as distributions, and each figure of NAMES as bars.
CHARTS: Mapping[str, str] = {"batches.size": "batch size", "latency": "latency"}
_MEASURED = {"batches.size": "batch.mean", "latency": "latency.mean"}  # what there is when these can be drawn


def figure(metrics: Mapping[str, Any], name: str) -> Value | None:
    """A figure of a whole run; of kind NONE when nothing was measured, None for a name that is no figure."""
    if name == "busy":  # the mean over the cores, of the whole run
        shares = [core["busy"] for core in metrics["cores"] if core["busy"] is not None]
        return Value(Kind.NUMBER, sum(shares) / len(shares)) if shares else none("no time has passed")
    if name not in FIGURES:
        return None
    (section, key), kind, factor = FIGURES[name]
    if section in ("coherence", "protection") and (metrics[section] or {}).get(key) is None:
        return none(f"{metrics['system']} does not count {name}")
    data = metrics[section][key]
    return none(f"the run has no samples of {name}") if data is None else Value(kind, data * factor)


def charted(metrics: Mapping[str, Any], of: str) -> Value | None:
    """What the chart `of` of a whole run rests on; of kind NONE when nothing was measured, None for no such chart."""
    return figure(metrics, _MEASURED.get(of, of))


def cost(facts: Mapping[str, Any], name: str) -> Value | None:
    """`system.cost.batch` and `system.cost.packet`: the time one turn, and one packet in it, costs on a core at its
    nominal clock, also while a control policy has set another: they say what the machine is, not what it does now."""
    part = name.removeprefix("system.cost.")
    if part not in ("batch", "packet") or part == name:
        return None
    if "costs_table" not in facts:  # a machine whose costs are not of this form
        return None
    exact = Fraction(int(getattr(facts["costs_table"], part)[-1]) * 10**12, int(facts["clock"]))
    return Value(Kind.TIME, int(exact) if exact.denominator == 1 else float(exact))


def scenario_value(scenario: Scenario, name: str) -> Value | None:
    """A value of the scenario by its dotted path, defaults included; None for a path that ends nowhere."""
    first, *rest = name.split(".")
    if first not in _SECTIONS or not rest:
        return None
    here: Any = getattr(scenario, first)
    kind = Kind.NUMBER
    for step in rest:
        if not isinstance(here, BaseModel) or step not in type(here).model_fields:
            return None
        declared = type(here).model_fields[step]
        marks = [*declared.metadata, *_marks(declared.annotation)]
        kind = next((_KINDS[mark.kind] for mark in marks if isinstance(mark, Quantity)), Kind.NUMBER)
        here = getattr(here, step)
    if here is None:
        return none(f"{name} is not set")
    if isinstance(here, bool):
        return Value(Kind.BOOL, here)
    if isinstance(here, str):
        return Value(Kind.TEXT, here)
    return Value(kind, here) if isinstance(here, int | float) else None


def _marks(annotation: Any) -> Iterable[Any]:
    """What `Annotated[X, …]` holds, also inside `… | None`."""
    yield from getattr(annotation, "__metadata__", ())
    for part in get_args(annotation):
        yield from _marks(part)


def scenario_names(scenario: Scenario) -> Iterable[str]:
    """The paths that scenario_value knows."""

    def below(model: BaseModel, path: str) -> Iterable[str]:
        for key in type(model).model_fields:
            inner = getattr(model, key)
            if isinstance(inner, BaseModel):
                yield from below(inner, f"{path}.{key}")
            elif isinstance(inner, bool | str | int | float):
                yield f"{path}.{key}"

    for section in _SECTIONS:
        yield from below(getattr(scenario, section), section)
