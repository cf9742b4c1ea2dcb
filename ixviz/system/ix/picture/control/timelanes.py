"""Time lanes of a control plane: decisions above, a row a hardware thread with the steps it ran in.
Invariant: nothing later than now leaves a trace."""

from __future__ import annotations

from bisect import bisect_left

from ixviz.draw import lanes as draw
from ixviz.draw.cells import Line, Span, fit
from ixviz.draw.timeaxis import Window, axis
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture.shown import LanesShown
from ixviz.system.picture.timewindow import NAME, window


def lanes(moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
          first: int = 0) -> LanesShown:  # fmt: skip
    """Axis, decisions (`▴` up, `▾` down), at most `rows` threads beginning with `first`, and the now row."""
    columns = max(width - NAME, 1)
    start, end = window(moment.now, origin, cell, columns)
    shown = Window(start, end, columns)
    out = [
        _axis(shown, moment.sim.control.compress, width),
        fit((*fit("steps", NAME), Span(_marks(shown, moment), "mark")), width),
    ]
    runs = _runs(moment)
    for thread in range(first, min(first + rows, len(moment.sim.threads))):
        lane = draw.Lane(f"core {thread}", [b for b in runs.get(thread, []) if b.start < end], parked=[(0, None)])
        out.append(fit((*fit(lane.name, NAME), *draw.core_row(shown, lane, moment.now)), width))
    out.append(fit((Span(" " * NAME), *draw.now_row(shown, moment.now, note)), width))
    return LanesShown(out, start, end, columns)


def _axis(shown: Window, by: int, width: int) -> Line:
    """The times of the pattern, which a compressed run goes through `by` times as fast."""
    head, *times = axis(Window(shown.start * by, shown.end * by, shown.columns), NAME, width)
    return fit((*fit((Span(f"{'pattern, ' if by > 1 else ''}{head.text.strip()}", head.style),), NAME), *times), width)


def _runs(moment: Moment) -> dict[int, list[draw.Batch]]:
    """When each thread ran the dataplane: a box from the decision that brought it to the one that sent it away."""
    steps, table = moment.sim.control.policy.steps, moment.decisions
    since = dict.fromkeys(steps[0].cpus, 0)
    out: dict[int, list[draw.Batch]] = {}
    for row in range(1, moment.packets + 1):
        cpus = steps[table.after[row]].cpus
        for thread in cpus:
            since.setdefault(thread, table.time[row])
        gone = moment.left(row)
        for thread in [t for t in since if t not in cpus]:
            if gone is not None:
                out.setdefault(thread, []).append(draw.Batch(since.pop(thread), gone, "runs", "r"))
    for thread, start in since.items():
        out.setdefault(thread, []).append(draw.Batch(start, None, "runs", "r"))
    return out


def _marks(shown: Window, moment: Moment) -> str:
    """`▴` where a step up was decided, `▾` where one down."""
    table, signs = moment.decisions, {}
    stop = moment.packets + 1
    for row in range(bisect_left(table.time, shown.start, 1, stop), bisect_left(table.time, shown.end, 1, stop)):
        signs[shown.column(table.time[row])] = "▴" if table.after[row] > table.before[row] else "▾"
    return "".join(signs.get(c, " ") for c in range(shown.columns))
