"""Charts of an IX run: batch size, queue depth, throughput, the distribution of latency.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import count
from ixviz.system.picture.charts import drawn, recent, sizes, steps, throughput, waiting
from ixviz.system.picture.moments import Moment


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made = {"batch size": _sizes, "queue depth": _depth, "throughput": _throughput}
    return drawn(made, moment, name, width, height, limit)


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    rows, table = recent(moment), moment.sim.batches
    if not 0 < len(rows) <= width // 5 or height < 4:
        return sizes(moment, "packets in each batch", width, height)
    several = len(moment.sim.threads) > 1
    values = [(f"c{table.core[r]}" if several else count(moment.number(r)), table.size[r]) for r in rows]
    title = "packets in each batch, by " + ("core" if several else "number of the batch")
    return [fit((Span(title, "dim"),), width), *chart.columns(values, width, height - 1)]


def _depth(moment: Moment, width: int, height: int) -> Lines:
    threads = moment.sim.threads
    names = [c.name for c in (*moment.sim.feed.intake.rings, *(x for t in threads for x in t.lists))]
    name = "packets that wait in " + ("ring and list" if len(threads) == 1 else "all rings and lists")
    return steps(moment, name, *waiting(moment, names), width, height)


def _throughput(moment: Moment, width: int, height: int) -> Lines:
    rows, table = recent(moment), moment.sim.batches
    done = [(table.ends[r], table.size[r]) for r in rows if moment.ended(r) is not None]
    return throughput(moment, min((table.begins[r] for r in rows), default=0), done, width, height)
