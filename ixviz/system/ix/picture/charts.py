"""Charts of an IX run: batch size, queue depth, throughput, the distribution of latency.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.pictures import Moment

_BATCHES, _EVENTS, _PACKETS = 1_000, 8_000, 2_000


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made = {"batch size": _sizes, "queue depth": _depth, "throughput": _throughput}.get(name)
    lines = made(moment, width, height) if made else _latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _unit(ps: int) -> str:
    return next((u for u in ("s", "ms") if ps >= 2 * PS_PER[u]), "µs")


def _recent(moment: Moment) -> tuple[int, int]:
    """Rows of the last batches of all cores that had begun."""
    return max(1, moment.batches - _BATCHES + 1), moment.batches + 1


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    a, b = _recent(moment)
    if a >= b:
        return []
    table, unit = moment.sim.batches, _unit(moment.now)
    if b - a <= width // 5 and height >= 4:
        several = len(moment.sim.threads) > 1
        values = [(f"c{table.core[r]}" if several else count(moment.number(r)), table.size[r]) for r in range(a, b)]
        title = "packets in each batch, by " + ("core" if several else "number of the batch")
        return [fit((Span(title, "dim"),), width), *chart.columns(values, width, height - 1)]
    points = [(table.begins[r] / PS_PER[unit], table.size[r]) for r in range(a, b)]
    name = "packets in each batch" + (f" of the last {count(_BATCHES)}" if a > 1 else "")
    name += f", now {count(table.size[b - 1])}"
    return chart.chart([chart.Series(name, _thin(points, 4 * width), step=True)], width, height, x_unit=unit)


def _thin(points: list[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """At most about `most` points: of each share the first and the highest, so that no peak is lost."""
    if len(points) <= most:
        return points
    share, out = -(-len(points) * 2 // most), []
    for i in range(0, len(points), share):
        part = points[i : i + share]
        top = max(part, key=lambda p: p[1])
        out += [part[0]] if top is part[0] else [part[0], top]
    return out


def _depth(moment: Moment, width: int, height: int) -> Lines:
    """Packets that wait in all rings and lists, over the last events only: older ones would cost more than a frame."""
    history, view, unit = moment.sim.history, moment.view, _unit(moment.now)
    first = max(1, moment.at - _EVENTS)
    names = [c.name for c in (*moment.sim.feed.intake.rings, *(x for t in moment.sim.threads for x in t.lists))]
    before = history.cursor(first - 1)
    held = sum(before.view[name].depth for name in names if name in before.view)
    slots = {view.slot(f"{name}.{field}"): sign for name in names for field, sign in (("tail", 1), ("head", -1))}
    parts = []
    for slot, sign in slots.items():
        events, times, values = history.series(slot, first, moment.at)
        if len(values):
            parts.append((events, times, np.diff(values, prepend=before.value(slot)) * sign))
    if not parts:
        return []
    events, times, deltas = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(events, kind="stable")
    times, depth = times[order], held + np.cumsum(deltas[order])
    ends = np.append(np.diff(times) > 0, True)  # of several changes at one time only the last is seen
    times, depth = times[ends], depth[ends]
    if len(times) > 2 * width:
        starts = np.linspace(0, len(times), 2 * width, endpoint=False).astype(int)
        times, depth = times[starts], np.maximum.reduceat(depth, starts)
    points = [(t / PS_PER[unit], d) for t, d in zip(times.tolist(), depth.tolist(), strict=True)]
    points.append((moment.now / PS_PER[unit], points[-1][1]))
    name = "packets that wait in " + ("ring and list" if len(moment.sim.threads) == 1 else "all rings and lists")
    return chart.chart([chart.Series(name, points, step=True)], width, height, x_unit=unit)


def _throughput(moment: Moment, width: int, height: int) -> Lines:
    a, b = _recent(moment)
    table, unit = moment.sim.batches, _unit(moment.now)
    done = sorted((table.ends[r], table.size[r]) for r in range(a, b) if moment.ended(r) is not None)
    if len(done) < 2:
        return []
    start = min(table.begins[r] for r in range(a, b))
    bins = max(min(width // 2, len(done) // 2), 2)
    length = max((moment.now - start) // bins, 1)
    ends = [e for e, _ in done]
    total = [0]
    for _, size in done:
        total.append(total[-1] + size)
    points = []
    for i in range(bins):
        left = total[bisect_right(ends, start + (i + 1) * length)] - total[bisect_right(ends, start + i * length)]
        points.append(((start + i * length) / PS_PER[unit], left * 1e6 / length))
    points.append(((start + bins * length) / PS_PER[unit], points[-1][1]))
    return chart.chart([chart.Series("packets that leave, M/s", points, step=True)], width, height, x_unit=unit)


def _latency(moment: Moment, width: int, height: int, limit: int | None) -> Lines:
    got = moment.finished(_PACKETS)
    if not got:
        return []
    points = chart.cdf([ps / 1e6 for ps in got])
    name = f"share of {count(len(got))} packets that left within …" if len(got) < _PACKETS else (
        f"share of the last {count(_PACKETS)} packets that left within …")  # fmt: skip
    end = max(points[-1][0], (limit or 0) / 1e6)
    series = [chart.Series(name, _thin(points, 4 * width), step=True)]
    return chart.chart(series, width, height, x_unit="µs", y_unit="%", y_range=(0.0, 100.0), x_range=(0.0, end))
