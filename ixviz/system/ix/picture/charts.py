"""Charts of an IX run: batch size, queue depth, throughput, the distribution of latency.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

import numpy as np

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.picture.charts import latencies, over_time, rates, thin, unit, waiting
from ixviz.system.picture.moments import Moment

_BATCHES = 1_000


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made = {"batch size": _sizes, "queue depth": _depth, "throughput": _throughput}.get(name)
    lines = made(moment, width, height) if made else _latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _recent(moment: Moment) -> tuple[int, int]:
    """Rows of the last batches of all cores that had begun."""
    return max(1, moment.batches - _BATCHES + 1), moment.batches + 1


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    a, b = _recent(moment)
    if a >= b:
        return []
    table, axis = moment.sim.batches, unit(moment.now)
    if b - a <= width // 5 and height >= 4:
        several = len(moment.sim.threads) > 1
        values = [(f"c{table.core[r]}" if several else count(moment.number(r)), table.size[r]) for r in range(a, b)]
        title = "packets in each batch, by " + ("core" if several else "number of the batch")
        return [fit((Span(title, "dim"),), width), *chart.columns(values, width, height - 1)]
    points = [(table.begins[r] / PS_PER[axis], table.size[r]) for r in range(a, b)]
    name = "packets in each batch" + (f" of the last {count(_BATCHES)}" if a > 1 else "")
    name += f", now {count(table.size[b - 1])}"
    return chart.chart([chart.Series(name, thin(points, 4 * width), step=True)], width, height, x_unit=axis)


def _depth(moment: Moment, width: int, height: int) -> Lines:
    """Packets that wait in all rings and lists, over the last events only: older ones would cost more than a frame."""
    names = [c.name for c in (*moment.sim.feed.intake.rings, *(x for t in moment.sim.threads for x in t.lists))]
    times, depth = waiting(moment, names)
    if not len(times):
        return []
    if len(times) > 2 * width:
        starts = np.linspace(0, len(times), 2 * width, endpoint=False).astype(int)
        times, depth = times[starts], np.maximum.reduceat(depth, starts)
    name = "packets that wait in " + ("ring and list" if len(moment.sim.threads) == 1 else "all rings and lists")
    return chart.chart([chart.Series(name, over_time(moment, times, depth), step=True)], width, height,
                       x_unit=unit(moment.now))  # fmt: skip


def _throughput(moment: Moment, width: int, height: int) -> Lines:
    a, b = _recent(moment)
    table = moment.sim.batches
    done = sorted((table.ends[r], table.size[r]) for r in range(a, b) if moment.ended(r) is not None)
    if len(done) < 2:
        return []
    points = rates(moment, min(table.begins[r] for r in range(a, b)), done, width)
    return chart.chart([chart.Series("packets that leave, M/s", points, step=True)], width, height,
                       x_unit=unit(moment.now))  # fmt: skip


def _latency(moment: Moment, width: int, height: int, limit: int | None) -> Lines:
    name, points = latencies(moment, width, chart.cdf)
    if not points:
        return []
    return chart.chart([chart.Series(name, points, step=True)], width, height, x_unit="µs", y_unit="%",
                       y_range=(0.0, 100.0), x_range=(0.0, max(points[-1][0], (limit or 0) / 1e6)))  # fmt: skip
