"""Charts of a Linux run: sizes of polls, rings, throughput, latency, transfers between caches.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from typing import Any

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.picture.charts import PACKETS, Point, latencies, over_time, rates, summed, thin, unit, waiting
from ixviz.system.picture.moments import JourneyMoment as Moment

_POLLS = 1_000


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made: Any = {"batch size": _sizes, "queue depth": _depth, "throughput": _throughput, "transfers": _moves}.get(name)
    lines = made(moment, width, height) if made else _latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    a, b = max(1, moment.batches - _POLLS + 1), moment.batches + 1
    if a >= b:
        return []
    table, axis = moment.sim.batches, unit(moment.now)
    points = [(table.begins[r] / PS_PER[axis], float(table.size[r])) for r in range(a, b)]
    name = "packets a NAPI poll takes" + (f", the last {count(_POLLS)}" if a > 1 else "")
    name += f", now {count(table.size[b - 1])}"
    return chart.chart([chart.Series(name, thin(points, 4 * width), step=True)], width, height, x_unit=axis)


def _depth(moment: Moment, width: int, height: int) -> Lines:
    times, depth = waiting(moment, [r.name for r in moment.sim.feed.intake.rings])
    if not len(times):
        return []
    return _drawn(moment, "packets that wait in all rings", over_time(moment, times, depth), width, height)


def _moves(moment: Moment, width: int, height: int) -> Lines:
    caches = [c.name for c in moment.sim.memory.caches]
    times, moves = summed(moment, {moment.view.slot(f"{n}.transfers"): 1 for n in caches},
                          lambda view: sum(view[n].transfers for n in caches if n in view))  # fmt: skip
    if not len(times):
        return []
    return _drawn(moment, "lines moved between caches, so far", over_time(moment, times, moves), width, height)


def _drawn(moment: Moment, name: str, points: list[Point], width: int, height: int) -> Lines:
    series = chart.Series(name, thin(points, 4 * width), step=True)
    return chart.chart([series], width, height, x_unit=unit(moment.now))


def _throughput(moment: Moment, width: int, height: int) -> Lines:
    left = moment.sim.journeys.left
    done = sorted((left[p], 1) for p in range(max(1, moment.packets - PACKETS), moment.packets + 1)
                  if moment.step(p, "sent") is not None)  # fmt: skip
    if len(done) < 2:
        return []
    points = rates(moment, done[0][0], done, width)
    return chart.chart([chart.Series("packets that leave, M/s", points, step=True)], width, height,
                       x_unit=unit(moment.now))  # fmt: skip


def _latency(moment: Moment, width: int, height: int, limit: int | None) -> Lines:
    name, points = latencies(moment, width, chart.cdf)
    if not points:
        return []
    return chart.chart([chart.Series(name, points, step=True)], width, height, x_unit="µs", y_unit="%",
                       y_range=(0.0, 100.0), x_range=(0.0, max(points[-1][0], (limit or 0) / 1e6)))  # fmt: skip
