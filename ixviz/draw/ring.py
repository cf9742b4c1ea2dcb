"""Gauges of rings and queues: how many packets wait, one cell for `per_cell` of them.

Invariant: depth > 0 never looks empty, depth < capacity never looks full unless the scale is exceeded, which shows `+`.
"""

from collections.abc import Mapping

from .cells import Line, Span, fit
from .numbers import count
from .signs import FREE, MORE, MOVED, OCCUPIED
from .width import literal
from .width import width as text_width

_STEPS = (1, 2, 5)


def scale(depth: int, cells: int) -> int:
    """The smallest of 1, 2, 5, 10, … packets a cell at which `depth` packets fit in `cells` cells.

    Hand in the largest depth of all gauges shown together, and of the run so far, so that the scale holds still.
    """
    ten = 1
    while True:
        for step in _STEPS:
            if depth <= step * ten * max(cells, 1):
                return step * ten
        ten *= 10


def scale_note(per_cell: int) -> str:
    """`1 cell = 2 packets`."""
    return f"1 cell = {count(per_cell)} packet{'s' if per_cell != 1 else ''}"


def gauge(
    depth: int,
    capacity: int,
    cells: int,
    per_cell: int = 1,
    marks: Mapping[int, str] | None = None,
    style: str = "busy",
) -> Line:
    """`█` for occupied, `·` for free, blank beyond the capacity; exactly `cells` cells.

    `marks` maps a packet's place in the queue (0 is the head) to a letter, drawn in place of its cell. A last cell `+`
    says that the queue is longer than the scale shows.
    """
    if cells <= 0:
        return ()
    per_cell = max(per_cell, 1)
    exist = min(cells, max(-(-capacity // per_cell), 0))
    used = max(-(-depth // per_cell), 0)
    full = min(used, exist)
    signs = OCCUPIED * full
    if used > exist and full:
        signs = signs[:-1] + MORE
    colour = "bad" if depth >= capacity else style
    spans = [Span(signs, colour)] if signs else []
    if marks and signs:
        spans = _marked(signs, {p // per_cell: m for p, m in sorted(marks.items(), reverse=True)}, colour)
    if exist > full:
        spans.append(Span(FREE * (exist - full), "dim"))
    if cells > exist:
        spans.append(Span(" " * (cells - exist)))
    return tuple(spans)


def _marked(signs: str, letters: Mapping[int, str], style: str) -> list[Span]:
    spans, start = [], 0
    for cell in sorted(c for c in letters if 0 <= c < len(signs)):
        letter = literal(letters[cell])[:1]
        if text_width(letter) != 1:
            continue
        if cell > start:
            spans.append(Span(signs[start:cell], style))
        spans.append(Span(letter, "mark"))
        start = cell + 1
    if start < len(signs):
        spans.append(Span(signs[start:], style))
    return spans


def ring(
    name: str,
    depth: int,
    capacity: int,
    width: int,
    marks: Mapping[int, str] | None = None,
    *,
    per_cell: int = 1,
    cells: int = 32,
    name_width: int = 10,
    moved: bool = False,
    style: str = "busy",
) -> Line:
    """`ring q0   ██████··········     6 of 512`, exactly `width` cells wide.

    `cells` is the length of the gauge where there is room; rings of one panel must get the same. `moved` puts a `»`
    before the gauge. A ring that is full says so in a word. Narrow: the gauge shrinks and
    below 4 cells goes, then `of` becomes `/`.
    """
    numbers = f"{count(depth):>6} of {count(capacity)}"
    if depth >= capacity:
        numbers += " full"
    room = width - name_width - max(len(numbers), 18)
    if room < 4:
        room = width - name_width - len(numbers)
    cells = min(cells, room) if room >= 4 else 0
    if name_width + len(numbers) > width:
        numbers = f"{count(depth)}/{count(capacity)}"
    head = fit(fit(name, name_width - 1), name_width)
    if moved:
        head = (*fit(name, name_width - 1), Span(MOVED, "mark"))
    warn = "bad" if depth >= capacity else ""
    return fit((*head, *gauge(depth, capacity, cells, per_cell, marks, style), Span(numbers, warn)), width)


def ring_short(
    depth: int, capacity: int, width: int, *, cells: int = 12, per_cell: int = 1, marks: Mapping[int, str] | None = None
) -> Line:
    """`██··········   3/512`: the form for a table with a row a core."""
    numbers = f"{count(depth):>4}/{count(capacity)}"
    cells = min(cells, max(width - len(numbers), 0))
    tail = Span(numbers, "bad" if depth >= capacity else "")
    return fit((*gauge(depth, capacity, cells, per_cell, marks), tail), width)
