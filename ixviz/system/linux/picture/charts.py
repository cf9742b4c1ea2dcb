"""Charts of a Linux run: sizes of polls, rings, throughput, latency, transfers between caches.
Invariant: a chart shows what happened up to the moment, and says when it leaves out what is long past."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.linux.picture.moment import Moment

_POLLS, _EVENTS, _PACKETS = 1_000, 8_000, 2_000


def draw_chart(moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
    """One of Picture.charts on `height` lines; an empty one says so. `limit` (ps) widens the latency's axis to it."""
    made: Any = {"batch size": _sizes, "queue depth": _depth, "throughput": _throughput, "transfers": _moves}.get(name)
    lines = made(moment, width, height) if made else _latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def _unit(ps: int) -> str:
    return next((u for u in ("s", "ms") if ps >= 2 * PS_PER[u]), "µs")


def _thin(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """At most about `most` points: of each share the first and the highest, so that no peak is lost."""
    if len(points) <= most:
        return list(points)
    share = -(-len(points) * 2 // most)
    out: list[tuple[float, float]] = []
    for i in range(0, len(points), share):
        part = points[i : i + share]
        top = max(part, key=lambda p: p[1])
        out += [part[0]] if top is part[0] else [part[0], top]
    return out


def _sizes(moment: Moment, width: int, height: int) -> Lines:
    a, b = max(1, moment.batches - _POLLS + 1), moment.batches + 1
    if a >= b:
        return []
    table, unit = moment.sim.batches, _unit(moment.now)
    points = [(table.begins[r] / PS_PER[unit], float(table.size[r])) for r in range(a, b)]
    name = "packets a NAPI poll takes" + (f", the last {count(_POLLS)}" if a > 1 else "")
    name += f", now {count(table.size[b - 1])}"
    return chart.chart([chart.Series(name, _thin(points, 4 * width), step=True)], width, height, x_unit=unit)


def _counted(moment: Moment, slots: dict[int, int], held: int) -> tuple[Any, Any]:
    """Times (ps) and values of a sum of slots, each with a sign, over the last events; `held` before them."""
    history = moment.sim.history
    first = max(1, moment.at - _EVENTS)
    before = history.cursor(first - 1)
    parts = []
    for slot, sign in slots.items():
        events, times, values = history.series(slot, first, moment.at)
        if len(values):
            parts.append((events, times, np.diff(values, prepend=before.value(slot)) * sign))
    if not parts:
        return (), ()
    events, times, deltas = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(events, kind="stable")
    times, values = times[order], held + np.cumsum(deltas[order])
    ends = np.append(np.diff(times) > 0, True)  # of several changes at one time only the last is seen
    return times[ends], values[ends]


def _depth(moment: Moment, width: int, height: int) -> Lines:
    names = [r.name for r in moment.sim.feed.intake.rings]
    unit = _unit(moment.now)
    before = moment.sim.history.cursor(max(0, moment.at - _EVENTS - 1))
    held = sum(before.view[n].depth for n in names if n in before.view)
    slots = {moment.view.slot(f"{n}.{key}"): sign for n in names for key, sign in (("tail", 1), ("head", -1))}
    times, depth = _counted(moment, slots, held)
    if not len(times):
        return []
    points = [(t / PS_PER[unit], float(d)) for t, d in zip(times.tolist(), depth.tolist(), strict=True)]
    points.append((moment.now / PS_PER[unit], points[-1][1]))
    series = chart.Series("packets that wait in all rings", _thin(points, 4 * width), step=True)
    return chart.chart([series], width, height, x_unit=unit)


def _moves(moment: Moment, width: int, height: int) -> Lines:
    caches = [c.name for c in moment.sim.memory.caches]
    unit = _unit(moment.now)
    before = moment.sim.history.cursor(max(0, moment.at - _EVENTS - 1))
    held = sum(before.view[n].transfers for n in caches if n in before.view)
    times, moves = _counted(moment, {moment.view.slot(f"{n}.transfers"): 1 for n in caches}, held)
    if not len(times):
        return []
    points = [(t / PS_PER[unit], float(d)) for t, d in zip(times.tolist(), moves.tolist(), strict=True)]
    series = chart.Series("lines moved between caches, so far", _thin(points, 4 * width), step=True)
    return chart.chart([series], width, height, x_unit=unit)


def _throughput(moment: Moment, width: int, height: int) -> Lines:
    unit, journeys = _unit(moment.now), moment.sim.journeys
    ends = sorted(journeys.left[p] for p in range(max(1, moment.packets - _PACKETS), moment.packets + 1)
                  if moment.step(p, "sent") is not None)  # fmt: skip
    if len(ends) < 2:
        return []
    start = ends[0]
    bins = max(min(width // 2, len(ends) // 2), 2)
    length = max((moment.now - start) // bins, 1)
    points = []
    for i in range(bins):
        left = bisect_right(ends, start + (i + 1) * length) - bisect_right(ends, start + i * length)
        points.append(((start + i * length) / PS_PER[unit], left * 1e6 / length))
    points.append(((start + bins * length) / PS_PER[unit], points[-1][1]))
    return chart.chart([chart.Series("packets that leave, M/s", points, step=True)], width, height, x_unit=unit)


def _latency(moment: Moment, width: int, height: int, limit: int | None) -> Lines:
    got = moment.finished(_PACKETS)
    if not got:
        return []
    points = chart.cdf([ps / 1e6 for ps in got])
    of = f"the last {count(_PACKETS)}" if len(got) == _PACKETS else count(len(got))
    end = max(points[-1][0], (limit or 0) / 1e6)
    series = [chart.Series(f"share of {of} packets that left within …", _thin(points, 4 * width), step=True)]
    return chart.chart(series, width, height, x_unit="µs", y_unit="%", y_range=(0.0, 100.0), x_range=(0.0, end))
