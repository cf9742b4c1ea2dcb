"""Charts of a control plane over the whole run so far: load and cores, queues against thresholds, power, latency.
Invariant: a chart shows what happened up to the moment, in seconds of the pattern."""

from __future__ import annotations

from typing import Any

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture.charts import thin


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` is not used."""
    made = {"load and cores": _load, "queues": _queues, "power": _power, "latency": _latency}[name]
    series = made(moment) if moment.ticks > 1 else []
    if not series:
        return [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]
    shown = [chart.Series(title, thin(points, 4 * width), step=True) for title, points in series]
    return chart.chart(shown, width, height, x_unit="s")


def _points(moment: Moment, values: Any) -> list[tuple[float, float]]:
    return [(moment.seconds(int(t)), float(v)) for t, v in zip(moment.column("time"), values, strict=True)]


def _load(moment: Moment) -> list[tuple[str, list[tuple[float, float]]]]:
    rates, cores = moment.rates() / 1e6, moment.column("cores")
    scale = max(float(rates.max()), 1e-9) / max(moment.sim.control.cores, 1)
    return [("requests, M/s", _points(moment, rates)),
            (f"cores, of {moment.sim.control.cores}, to the same height", _points(moment, cores * scale))]  # fmt: skip


def _queues(moment: Moment) -> list[tuple[str, list[tuple[float, float]]]]:
    return [("fast queue, packets (a step up above 32)", _points(moment, moment.column("fast") / 1024)),
            ("slow queue (a step down below 8)", _points(moment, moment.column("slow") / 1024))]  # fmt: skip


def _power(moment: Moment) -> list[tuple[str, list[tuple[float, float]]]]:
    return [("package power, W, illustrative", _points(moment, moment.column("power") / 1000))]


def _latency(moment: Moment) -> list[tuple[str, list[tuple[float, float]]]]:
    points = [(moment.seconds(int(at)), p99) for at, p99 in moment.tails()]
    return [("p99 of each 0.1 s, µs", points)] if points else []
