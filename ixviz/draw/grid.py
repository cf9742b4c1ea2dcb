"""Grids of many small entries (the RETA), with what has just moved marked.

Invariant: an entry stays in its place when it changes; what has moved carries `»` in the cell left of it.
"""

from collections.abc import Collection, Mapping, Sequence

from .cells import Content, Lines, Span, fit
from .cells import width as cell_width
from .numbers import count
from .signs import FREE, MOVED


def grid(
    entries: Sequence[Content],
    width: int,
    *,
    per_row: int = 16,
    moved: Collection[int] = (),
    styles: Mapping[int, str] | None = None,
) -> Lines:
    """` 16   0  1  2 »3  0`: entries in rows of `per_row` (fewer when narrow), each row led by its first index.

    An entry is a letter or a number, right-aligned; an empty one is `·`. `styles` gives the style of an entry of text
    by its index, such as its owner's core0 … core7.
    """
    if width <= 0:
        return []
    size = max((cell_width(e) for e in entries), default=1) or 1
    head = len(count(max(len(entries) - 1, 0))) + 1
    fitting = max((width - head - 1) // (size + 2), 1)
    while per_row > fitting:
        per_row = (per_row + 1) // 2
    per_row = max(per_row, 1)
    rows: Lines = []
    for first in range(0, len(entries), per_row):
        spans = [Span(f"{count(first):>{head}} ", "dim")]
        for i in range(first, min(first + per_row, len(entries))):
            has_moved = i in moved
            spans.append(Span(f" {MOVED}" if has_moved else "  ", "mark"))
            style = "mark" if has_moved else (styles or {}).get(i, "")
            spans.extend(fit(entries[i] or FREE, size, style, ">"))
        rows.append(fit(tuple(spans), width))
    return rows
