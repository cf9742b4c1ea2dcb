"""Time lanes of an IX run: arrivals above, a row a core with its batches.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from typing import NamedTuple

from ixviz.draw import lanes as draw
from ixviz.draw.cells import Lines
from ixviz.draw.numbers import count
from ixviz.system.ix.picture.words import core_name
from ixviz.system.pictures import Moment

NAME = 11  # cells of the lanes' names
_TEN = 10


class LanesShown(NamedTuple):
    """The lines, and the window they show (ps), for a click to become a time."""

    lines: Lines
    start: int
    end: int
    columns: int


def round_cell(ps: int) -> int:
    """The largest 1, 2 or 5 times a power of ten ps that is at most `ps`, at least 1 ns."""
    ten = 1_000
    while ten * _TEN <= ps:
        ten *= _TEN
    return next(m * ten for m in (5, 2, 1) if m * ten <= max(ps, 1_000))


def zoomed(cell: int, steps: int) -> int:
    """`cell` so many steps of 1, 2, 5 larger (or smaller), between 1 ns and 1 ms."""
    ladder = [m * ten for ten in (10**3, 10**4, 10**5, 10**6, 10**7, 10**8, 10**9) for m in (1, 2, 5)]
    return ladder[min(max(ladder.index(cell) + steps, 0), len(ladder) - 1)]


def window(now: int, origin: int, cell: int, columns: int) -> tuple[int, int]:
    """A page of time with `now` on it; pages overlap by half, so that what led here stays in sight."""
    half = max(columns // 2 // _TEN * _TEN, 1)
    start = origin // (cell * _TEN) * cell * _TEN
    page = max(0, (now - start) // cell // half - 1)
    return start + page * half * cell, start + (page * half + columns) * cell


def lanes(
    moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None, first: int = 0
) -> LanesShown:
    """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
    columns = max(width - NAME, 1)
    start, end = window(moment.now, origin, cell, columns)
    packets, batches = moment.sim.feed.packets, moment.sim.batches
    a, b = moment.arrivals(start, end)
    at = (moment.now - start) // cell
    if note and len(note) + 6 > at and at + 9 + len(note) > columns:
        note = "later is hidden"
    drops = [packets.arrives[p] for p in range(a, b) if packets.batch[p] == -2 and moment.dropped(p)]
    marked = {packets.arrives[followed]: "P"} if followed is not None and followed <= moment.packets else None
    cores = []
    for thread in moment.sim.threads[first : first + rows]:
        mine = []
        for row in moment.rows_between(thread.number, start, end):
            size = batches.size[row]
            label = f"{count(moment.number(row))}: {count(size)}"
            mine.append(draw.Batch(batches.begins[row], moment.ended(row), label, str(size)))
        cores.append(draw.Lane(core_name(thread.name), mine))
    lines = draw.lanes(start, end, moment.now, packets.arrives[a:b], cores, width, drops=drops, marked=marked,
                       note=note, name_width=NAME)  # fmt: skip
    return LanesShown(lines, start, end, columns)
