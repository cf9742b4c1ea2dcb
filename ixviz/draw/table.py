"""Tables: aligned columns, numbers to the right, a selected row, cuts with `…`.

Invariant: every row of one table has the same columns, and the selected row is always among those shown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .cells import Content, Line, Lines, Span, fit, restyle
from .cells import width as cell_width
from .numbers import count
from .signs import HERE

_LEAST = 3  # cells of a column below which it is not cut further
Cell = Content | int | float | None


class Column(NamedTuple):
    """A column: its title; `align` `<` `>` `^`, "" for `>` when its cells are numbers; `width` in cells, None as
    wide as needed; `gap` cells before it; `decimals` of its floats. In a table too narrow for all, the column with the
    lowest `keep` goes first; those of 9 stay."""

    title: Content
    align: str = ""
    width: int | None = None
    gap: int = 2
    decimals: int = 2
    keep: int = 9


def table(
    columns: Sequence[Column | str],
    rows: Sequence[Sequence[Cell]],
    width: int,
    *,
    selected: int | None = None,
    height: int | None = None,
    header: bool = True,
    signed: bool | None = None,
) -> Lines:
    """A header and a line a row, `width` cells each.

    A cell is text, a line (a gauge), a number (formatted) or None (blank). `selected` is a row's index: it carries
    `▸` in a column of its own at the left, which is there when `signed` (by default when `selected` is not None).
    Too wide: columns go as their `keep` says, then the
    widest without a set width is cut. `height` is the most lines returned: rows around the
    selected one, and a last line that says how many are not shown.
    """
    if width <= 0:
        return []
    specs = [c if isinstance(c, Column) else Column(c) for c in columns]
    kept = _kept(specs, width)
    if len(kept) < len(specs):
        specs = [specs[i] for i in kept]
        rows = [[row[i] if i < len(row) else None for i in kept] for row in rows]
    first, last = _visible(len(rows), selected, None if height is None else height - header)
    texts = [[_cell(row[i] if i < len(row) else None, c) for i, c in enumerate(specs)] for row in rows[first:last]]
    aligns = [c.align or (">" if _numeric(rows[first:last], i) else "<") for i, c in enumerate(specs)]
    sign = 2 if (selected is not None if signed is None else signed) else 0
    cells = _widths(specs, texts, header, width - sign)
    out: Lines = []
    if header:
        titles = [fit(c.title, n, "title", a) for c, n, a in zip(specs, cells, aligns, strict=True)]
        out.append(_row(specs, titles, "  " if sign else "", width))
    for y, row in enumerate(texts, first):
        chosen = y == selected
        parts = [fit(t, n, "", a) for t, n, a in zip(row, cells, aligns, strict=True)]
        if chosen:
            parts = [restyle(p, "choice") if all(not s.style for s in p) and p else p for p in parts]
        out.append(_row(specs, parts, (f"{HERE} " if chosen else "  ") if sign else "", width))
    if last - first < len(rows):
        out.append(fit(f"{'  ' if sign else ''}… {count(len(rows) - (last - first))} more", width, "dim"))
    return out if height is None else out[: max(height, 0)]


def _kept(specs: Sequence[Column], width: int) -> list[int]:
    """The indices of the columns that have room, an open one counted with its title or `_LEAST` cells."""
    kept = list(range(len(specs)))
    sizes = [c.gap + (c.width if c.width is not None else max(cell_width(c.title), _LEAST)) for c in specs]
    while kept and sum(sizes[i] for i in kept) > width and min(specs[i].keep for i in kept) < 9:
        kept.remove(min(kept, key=lambda i: (specs[i].keep, -i)))
    return kept


def _visible(rows: int, selected: int | None, height: int | None) -> tuple[int, int]:
    if height is None or rows <= height:
        return 0, rows
    room = max(height - 1, 0)
    first = min(max((selected or 0) - room // 2, 0), rows - room)
    return first, first + room


def _cell(value: Cell, column: Column) -> Content:
    if value is None:
        return ""
    if isinstance(value, int | float):
        return count(value, 0 if isinstance(value, int) else column.decimals)
    return value


def _numeric(rows: Sequence[Sequence[Cell]], i: int) -> bool:
    values = [row[i] for row in rows if i < len(row) and row[i] is not None]
    return bool(values) and all(isinstance(v, int | float) for v in values)


def _widths(specs: Sequence[Column], texts: Sequence[Sequence[Content]], header: bool, room: int) -> list[int]:
    cells = []
    for i, c in enumerate(specs):
        wanted = max((cell_width(row[i]) for row in texts), default=0)
        cells.append(c.width if c.width is not None else max(wanted, cell_width(c.title) if header else 0))
    excess = sum(cells) + sum(c.gap for c in specs[1:]) - room
    while excess > 0:
        flexible = [i for i, c in enumerate(specs) if c.width is None and cells[i] > _LEAST]
        if not flexible:
            break  # the row as a whole is cut
        widest = max(flexible, key=lambda i: cells[i])
        second = max((cells[i] for i in flexible if i != widest), default=_LEAST)
        cut = min(excess, max(cells[widest] - max(second, _LEAST), 1))
        cells[widest] -= cut
        excess -= cut
    return cells


def _row(specs: Sequence[Column], parts: Sequence[Line], sign: str, width: int) -> Line:
    spans: list[Span] = [Span(sign, "choice")] if sign else []
    for i, (c, part) in enumerate(zip(specs, parts, strict=True)):
        if i and c.gap:
            spans.append(Span(" " * c.gap))
        spans.extend(part)
    return fit(tuple(spans), width)


def beside(title: str, rows: Iterable[tuple[str, str, str, str]], width: int) -> Lines:
    """Published values beside ours: rows of what, the paper's, ours, and whether ours is fitted or predicted."""
    columns = [Column(title, gap=0), *(Column(name, ">", gap=3) for name in ("the paper", "ixviz")),
               Column("ours is", "<", gap=3)]  # fmt: skip
    return table(columns, [list(row) for row in rows], width)
