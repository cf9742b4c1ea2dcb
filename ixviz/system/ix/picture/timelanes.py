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
    cores = []
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
        cores.append(draw.Lane(core_name(thread.name), mine))
    lines = draw.lanes(shown.start, shown.end, moment.now, shown.arrivals, cores, width, **shown.more)
    return LanesShown(lines, shown.start, shown.end, shown.columns)
