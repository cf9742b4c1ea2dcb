"""Charts of a trace: transfers and misses over time, transfers of each line.
Invariant: a chart shows what happened up to the moment."""

from __future__ import annotations

import numpy as np

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER
from ixviz.machine.line import L3, MEMORY, TRANSFER
from ixviz.system.trace.picture.moment import Moment

NAMES = ("transfers", "misses", "lines")


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of NAMES on `height` lines; an empty one says so. `limit` is for latencies, of which there is no chart."""
    lines = {"transfers": _transfers, "misses": _misses, "lines": _lines}[name](moment, width, height)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _transfers(moment: Moment, width: int, height: int) -> Lines:
    return _sums(moment, [("transfers between caches so far", TRANSFER)], width, height)


def _misses(moment: Moment, width: int, height: int) -> Lines:
    kinds = [("transfers so far", TRANSFER), ("from memory", MEMORY)]
    if moment.sim.memory.l3:
        kinds.append(("from the L3", L3))
    return _sums(moment, kinds, width, height)


def _sums(moment: Moment, kinds: list[tuple[str, int]], width: int, height: int) -> Lines:
    """How many accesses of each kind there have been, over time."""
    rows = moment.packets
    if not rows:
        return []
    unit = next((u for u in ("ms", "µs") if moment.now >= 2 * PS_PER[u]), "ns")
    table = moment.sim.accesses
    begins = np.array(table.begins[1 : rows + 1], dtype=np.int64)
    outcomes = np.array(table.outcome[1 : rows + 1])
    series = []
    for i, (name, wanted) in enumerate(kinds):
        sums = np.cumsum(outcomes == wanted)
        at = np.linspace(0, rows - 1, min(rows, 4 * width)).astype(int)
        points = [(begins[j] / PS_PER[unit], float(sums[j])) for j in at.tolist()]
        points.append((moment.now / PS_PER[unit], points[-1][1]))
        series.append(chart.Series(f"{name}, now {sums[-1]:,}", points, step=True, style=f"core{i}" if i else "busy"))
    return chart.chart(series, width, height, x_unit=unit)


def _lines(moment: Moment, width: int, height: int) -> Lines:
    """Transfers of each line, those that moved most if there are too many."""
    times = np.bincount(moment.moves())
    most = np.argsort(-times, kind="stable")[: max(width // 7, 1)].tolist()
    moved = [(moment.line_at(place), int(times[place])) for place in most if times[place]]
    if not moved or height < 3:
        return []
    title = fit((Span("transfers of each line so far, the most first", "dim"),), width)
    return [title, *chart.columns([(name[4:], n) for name, n in moved], width, height - 1, unit="line")]
