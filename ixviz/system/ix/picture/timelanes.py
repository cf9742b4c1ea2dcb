"""Time lanes of an IX run: arrivals above, a row a core with its batches.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from ixviz.draw import lanes as draw
from ixviz.draw.numbers import count
from ixviz.system.ix.turn import STOPPED
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.packet_lanes import page
from ixviz.system.picture.shown import LanesShown
from ixviz.system.picture.words import core_name


def lanes(
    moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None, first: int = 0
) -> LanesShown:
    """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
    shown, batches = page(moment, width, origin, cell, note, followed), moment.sim.batches
    cores, parked = [], _parked(moment, shown.start)
    for thread in moment.sim.threads[first : first + rows]:
        mine, core = [], moment.view[thread.name]
        for row in moment.rows_between(thread.number, shown.start, shown.end):
            size = batches.size[row]
            label = f"{count(moment.number(row))}: {count(size)}"
            ended = moment.ended(row)
            if ended is None and core.stage == STOPPED:
                ended = core.began  # when that was
            mine.append(draw.Batch(batches.begins[row], ended, label, str(size)))
        if core.stage == STOPPED:
            mine.append(draw.Batch(core.began, None, "stopped"))
        cores.append(draw.Lane(core_name(thread.name), mine, parked=parked.get(thread.name, ())))
    lines = draw.lanes(shown.start, shown.end, moment.now, shown.arrivals, cores, width, **shown.more)
    return LanesShown(lines, shown.start, shown.end, shown.columns)


def _parked(moment: Moment, start: int) -> dict[str, list[tuple[int, int | None]]]:
    """When Linux had each thread, from `start` (ps) up to the moment; none on a machine without a control plane."""
    view, history = moment.view, moment.sim.history
    threads = {view.slot(f"{t.name}.parked"): t.name for t in moment.sim.threads if "parked" in type(t).FIELDS}
    turns: dict[str, list[int]] = {name: [] for name in threads.values()}
    for number in history.touched(threads, max(history.event_at(start), 0) + 1, moment.at) if threads else ():
        for change in history.changes(int(number)):
            if change.slot in threads:
                turns[threads[change.slot]].append(history.event(int(number)).time)
    return {name: _spans(times, bool(view[name].parked), start) for name, times in turns.items()}


def _spans(turns: list[int], at_last: bool, start: int) -> list[tuple[int, int | None]]:
    """From the times at which a thread was parked or woken, one after the other, and whether it is parked at last."""
    at_first = at_last != (len(turns) % 2 == 1)
    edges: list[int] = [start, *turns] if at_first else turns
    ends: list[int | None] = [*edges[1::2], None] if at_last else [*edges[1::2]]
    return list(zip(edges[::2], ends, strict=True))
