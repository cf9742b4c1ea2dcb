"""Charts of an mTCP run: sizes of rounds, what waits in rings and between the threads, throughput, latency.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from typing import Any

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.picture.charts import PACKETS, latencies, over_time, rates, thin, unit, waiting
from ixviz.system.picture.moments import JourneyMoment as Moment

_ROUNDS = 1_000


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made: Any = {"batch size": _sizes, "queue depth": _depth, "hand-overs": _between, "throughput": _throughput}
    if name in made:
        lines: Lines = made[name](moment, width, height)
    else:
        lines = _latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    a, b = max(1, moment.batches - _ROUNDS + 1), moment.batches + 1
    if a >= b:
        return []
    table, axis = moment.sim.batches, unit(moment.now)
    points = [(table.begins[r] / PS_PER[axis], float(table.size[r])) for r in range(a, b)]
    name = "packets a round takes" + (f", the last {count(_ROUNDS)}" if a > 1 else "")
    name += f", now {count(table.size[b - 1])}"
    return chart.chart([chart.Series(name, thin(points, 4 * width), step=True)], width, height, x_unit=axis)


def _depth(moment: Moment, width: int, height: int) -> Lines:
    times, depth = waiting(moment, [r.name for r in moment.sim.feed.intake.rings])
    return _steps(moment, "packets that wait in all rings", times, depth, width, height)


def _between(moment: Moment, width: int, height: int) -> Lines:
    out = []
    for letter, key, name in (("A", "events", "events for the application"), ("B", "jobs", "jobs for the TCP threads")):
        times, depth = waiting(moment, [f"{t.name}.{key}" for t in moment.sim.threads])
        if len(times):
            points = thin(over_time(moment, times, depth), 4 * width)
            out.append(chart.Series(name, points, letter, step=True, style="" if letter == "A" else "core1"))
    return chart.chart(out, width, height, x_unit=unit(moment.now)) if out else []


def _steps(moment: Moment, name: str, times: Any, values: Any, width: int, height: int) -> Lines:
    if not len(times):
        return []
    series = chart.Series(name, thin(over_time(moment, times, values), 4 * width), step=True)
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
