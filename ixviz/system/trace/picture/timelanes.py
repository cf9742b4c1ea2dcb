"""Time lanes of a trace: the moves of lines above, a row a core with its accesses.
Invariant: nothing later than now leaves a trace."""

from __future__ import annotations

from typing import Any

from ixviz.draw import lanes as draw
from ixviz.draw.cells import Span, fit
from ixviz.draw.signs import MOVED
from ixviz.draw.timeaxis import Window, axis
from ixviz.machine.line import TRANSFER
from ixviz.system.picture.shown import LanesShown
from ixviz.system.picture.timewindow import NAME, window
from ixviz.system.trace.picture.moment import Moment

_SHORT = 4  # cells that a short label may have


def lanes(moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
          first: int = 0) -> LanesShown:  # fmt: skip
    """Axis, moves, at most `rows` cores beginning with `first`, and the now row."""
    columns = max(width - NAME, 1)
    start, end = window(moment.now, origin, cell, columns)
    shown = Window(start, end, columns)
    cores: dict[int, list[draw.Batch]] = {core: [] for core in range(first, first + rows)}
    moves = []
    for number in moment.between(start, end):
        access = moment.access(number)
        if access.outcome == TRANSFER:
            moves.append(access.begins)
        if access.core in cores:
            cores[access.core].append(_box(access, moment.now, number == followed))
    out = [axis(shown, NAME, width), fit((*fit("moves", NAME), Span(_marks(shown, moves), "mark")), width)]
    for core in range(first, min(first + rows, moment.sim.memory.cores)):
        lane = draw.Lane(f"core {core}", cores[core])
        out.append(fit((*fit(lane.name, NAME), *draw.core_row(shown, lane, moment.now)), width))
    out.append(fit((Span(" " * NAME), *draw.now_row(shown, moment.now, note)), width))
    return LanesShown(out, start, end, columns)


def _box(access: Any, now: int, followed: bool) -> draw.Batch:
    what, line = "w" if access.write else "r", f"{access.line:x}"
    label = f"{'P ' if followed else ''}{what} {line}"
    short = f"{what}{line}" if len(line) < _SHORT else what
    return draw.Batch(access.begins, access.ends if access.ends <= now else None, label, short)


def _marks(shown: Window, times: list[int]) -> str:
    """`»` where a line moves between two caches, a count where several do."""
    cells: dict[int, int] = {}
    for time in times:
        column = shown.column(time)
        cells[column] = cells.get(column, 0) + 1
    signs = {c: MOVED if n == 1 else str(n) if n < 10 else "+" for c, n in cells.items()}
    return "".join(signs.get(c, " ") for c in range(shown.columns))
