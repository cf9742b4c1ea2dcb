"""Charts of a Linux run: sizes of polls, rings, throughput, latency, transfers between caches.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from ixviz.draw.cells import Lines
from ixviz.system.picture.charts import drawn, each_left, sizes, steps, summed, waiting
from ixviz.system.picture.moments import JourneyMoment as Moment


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made = {"batch size": _sizes, "queue depth": _depth, "throughput": each_left, "transfers": _moves}
    return drawn(made, moment, name, width, height, limit)


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    return sizes(moment, "packets a NAPI poll takes", width, height)


def _depth(moment: Moment, width: int, height: int) -> Lines:
    waits = waiting(moment, [r.name for r in moment.sim.feed.intake.rings])
    return steps(moment, "packets that wait in all rings", *waits, width, height)


def _moves(moment: Moment, width: int, height: int) -> Lines:
    caches = [c.name for c in moment.sim.memory.caches]
    moves = summed(moment, {moment.view.slot(f"{n}.transfers"): 1 for n in caches},
                   lambda view: sum(view[n].transfers for n in caches if n in view))  # fmt: skip
    return steps(moment, "lines moved between caches, so far", *moves, width, height)
