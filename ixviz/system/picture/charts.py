"""The charts that several systems have: sizes of groups, what waits, throughput, latency.
Invariant: a chart shows what happened up to the moment, and of what is long past only so much as a frame may cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ixviz.draw import chart
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import PS_PER, count
from ixviz.system.picture.moments import JourneyMoment, Moment

EVENTS, PACKETS, GROUPS = 8_000, 2_000, 1_000  # the last of them that a chart looks at

DOTS = 2  # points a cell: as many dots as it has beside each other

Point = tuple[float, float]
Draw = Callable[[Any, int, int], Lines]  # moment, width, height; nothing when there is nothing to draw yet


def drawn(made: Mapping[str, Draw], moment: Any, name: str, width: int, height: int, limit: int | None) -> Lines:
    """The chart called `name` on `height` lines, `latency` where `made` has none; an empty one says so."""
    draw = made.get(name)
    lines = draw(moment, width, height) if draw else latency(moment, width, height, limit)
    return lines or [fit((Span(f"{name}: nothing to draw yet", "dim"),), width)]


def steps(moment: Moment, name: str, times: Any, values: Any, width: int, height: int) -> Lines:
    """A value that holds until it changes, at times in ps, up to now."""
    if not len(times):
        return []
    return stepped(moment, name, over_time(moment, *fewer(times, values, DOTS * width)), width, height)


def stepped(moment: Moment, name: str, points: Sequence[Point], width: int, height: int) -> Lines:
    """One step series over time, its points in unit(now)."""
    return chart.chart([chart.Series(name, points, step=True)], width, height, x_unit=unit(moment.now))


def recent(moment: Moment) -> range:
    """The rows of the last groups of all cores that had begun."""
    return range(max(1, moment.batches - GROUPS + 1), moment.batches + 1)


def sizes(moment: Moment, of: str, width: int, height: int) -> Lines:
    """How many packets each of the last groups had; `of` says it: `packets in each batch`."""
    rows, table, scale = recent(moment), moment.sim.batches, PS_PER[unit(moment.now)]
    if not rows:
        return []
    points = [(table.begins[r] / scale, float(table.size[r])) for r in rows]
    last = f", the last {count(GROUPS)}" if rows[0] > 1 else ""
    name = f"{of}{last}, now {count(table.size[rows[-1]])}"
    return stepped(moment, name, thin(points, DOTS * width), width, height)


def throughput(moment: Moment, start: int, left: Sequence[tuple[int, int]], width: int, height: int) -> Lines:
    """Packets that left since `start` (ps): (when, how many) each."""
    if len(left) < 2:
        return []
    return stepped(moment, "packets that leave, M/s", rates(moment, start, sorted(left), width), width, height)


def each_left(moment: JourneyMoment, width: int, height: int) -> Lines:
    """The throughput where packets leave each by itself."""
    when = moment.sim.journeys.left
    last = range(max(1, moment.packets - PACKETS), moment.packets + 1)
    done = [(when[p], 1) for p in last if moment.step(p, "sent") is not None]
    return throughput(moment, min(done)[0] if done else 0, done, width, height)


def latency(moment: Moment, width: int, height: int, limit: int | None) -> Lines:
    """The distribution of latencies of the last packets that have left; `limit` (ps) widens its axis to it."""
    got = moment.finished(PACKETS)
    of = f"the last {PACKETS:,}" if len(got) == PACKETS else f"{len(got):,}"
    points = thin(chart.cdf([ps / 1e6 for ps in got]), DOTS * width)
    if not points:
        return []
    name = f"share of {of} packets that left within …"
    return chart.chart([chart.Series(name, points, step=True)], width, height, x_unit="µs", y_unit="%",
                       y_range=(0.0, 100.0), x_range=(0.0, max(points[-1][0], (limit or 0) / 1e6)))  # fmt: skip


def unit(ps: int) -> str:
    """The unit of an axis that ends at `ps`: s, ms or µs."""
    return next((u for u in ("s", "ms") if ps >= 2 * PS_PER[u]), "µs")


def thin(points: Sequence[Point], most: int) -> list[Point]:
    """At most about `most` points: of each share the first and the highest, so that no peak is lost."""
    if len(points) <= most:
        return list(points)
    share = -(-len(points) * 2 // most)
    out: list[Point] = []
    for i in range(0, len(points), share):
        part = points[i : i + share]
        top = max(part, key=lambda p: p[1])
        out += [part[0]] if top is part[0] else [part[0], top]
    return out


def fewer(times: Any, values: Any, most: int) -> tuple[Any, Any]:
    """At most `most` + 1 points of a step series: the highest of each share, from when it begins, and the last."""
    if len(times) <= most:
        return times, values
    starts = np.linspace(0, len(times), most, endpoint=False).astype(int)
    return np.append(times[starts], times[-1]), np.append(np.maximum.reduceat(values, starts), values[-1])


def summed(moment: Moment, slots: dict[int, int], held: Callable[[Any], int]) -> tuple[Any, Any]:
    """Times (ps) and values of a sum of slots, each with a sign, over the last events; `held(view)` is the sum."""
    history = moment.sim.history
    first = max(1, moment.at - EVENTS)
    times, changes = history.changes_of(slots, first, moment.at)
    if not len(times):
        return (), ()
    so_far = np.cumsum(changes)
    values = held(moment.view) - so_far[-1] + so_far
    ends = np.append(np.diff(times) > 0, True)  # of several changes at one time only the last is seen
    return times[ends], values[ends]


def waiting(moment: Moment, names: Sequence[str]) -> tuple[Any, Any]:
    """Times (ps) and how many packets waited in all these rings and lists together, over the last events."""
    slots = {moment.view.slot(f"{name}.{key}"): sign for name in names for key, sign in (("tail", 1), ("head", -1))}
    return summed(moment, slots, lambda view: sum(view[name].depth for name in names if name in view))


def over_time(moment: Moment, times: Any, values: Any) -> list[Point]:
    """Points of a step series, times in unit(now); the last value stands up to now."""
    scale = PS_PER[unit(moment.now)]
    points = [(t / scale, float(v)) for t, v in zip(times.tolist(), values.tolist(), strict=True)]
    return [*points, (moment.now / scale, points[-1][1])]


def rates(moment: Moment, start: int, left: Sequence[tuple[int, int]], width: int) -> list[Point]:
    """Packets that left, M/s, in bins from `start` (ps) to now; `left` are (when, how many) in order of time."""
    scale = PS_PER[unit(moment.now)]
    bins = max(min(width // 2, len(left) // 2), 2)
    length = max((moment.now - start) // bins, 1)
    ends = [end for end, _ in left]
    total = [0]
    for _, size in left:
        total.append(total[-1] + size)
    points = []
    for i in range(bins):
        gone = total[bisect_right(ends, start + (i + 1) * length)] - total[bisect_right(ends, start + i * length)]
        points.append(((start + i * length) / scale, gone * 1e6 / length))
    return [*points, ((start + bins * length) / scale, points[-1][1])]
