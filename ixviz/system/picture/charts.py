"""Points of the charts that several systems have: sums of slots, rates, latencies; their pictures draw them.
Invariant: points show what happened up to the moment, and of what is long past only so much as a frame may cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ixviz.system.picture.moments import Moment

EVENTS, PACKETS = 8_000, 2_000  # the last of them that a chart looks at
PS_PER = {"s": 10**12, "ms": 10**9, "µs": 10**6}

Point = tuple[float, float]


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


def summed(moment: Moment, slots: dict[int, int], held: Callable[[Any], int]) -> tuple[Any, Any]:
    """Times (ps) and values of a sum of slots, each with a sign, over the last events; `held(view)` before them."""
    history = moment.sim.history
    first = max(1, moment.at - EVENTS)
    times, changes = history.changes_of(slots, first, moment.at)
    if not len(times):
        return (), ()
    values = held(history.cursor(first - 1).view) + np.cumsum(changes)
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


def latencies(moment: Moment, width: int, cdf: Callable[[list[float]], list[Point]]) -> tuple[str, list[Point]]:
    """The distribution of latencies (µs, %) of the last packets that have left, and what it is called."""
    got = moment.finished(PACKETS)
    of = f"the last {PACKETS:,}" if len(got) == PACKETS else f"{len(got):,}"
    return f"share of {of} packets that left within …", thin(cdf([ps / 1e6 for ps in got]), 4 * width)
