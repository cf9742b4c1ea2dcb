"""Charts of an mTCP run: sizes of rounds, what waits in rings and between the threads, throughput, latency.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from ixviz.draw import chart
from ixviz.draw.cells import Lines
from ixviz.system.picture.charts import DOTS, drawn, each_left, fewer, over_time, sizes, steps, unit, waiting
from ixviz.system.picture.moments import JourneyMoment as Moment


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made = {"batch size": _sizes, "queue depth": _depth, "hand-overs": _between, "throughput": each_left}
    return drawn(made, moment, name, width, height, limit)


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    return sizes(moment, "packets a round takes", width, height)


def _depth(moment: Moment, width: int, height: int) -> Lines:
    waits = waiting(moment, [r.name for r in moment.sim.feed.intake.rings])
    return steps(moment, "packets that wait in all rings", *waits, width, height)


def _between(moment: Moment, width: int, height: int) -> Lines:
    out = []
    for letter, key, name in (("A", "events", "events for the application"), ("B", "jobs", "jobs for the TCP threads")):
        times, depth = waiting(moment, [f"{t.name}.{key}" for t in moment.sim.threads])
        if len(times):
            points = over_time(moment, *fewer(times, depth, DOTS * width))
            out.append(chart.Series(name, points, letter, step=True, style="" if letter == "A" else "core1"))
    return chart.chart(out, width, height, x_unit=unit(moment.now)) if out else []
