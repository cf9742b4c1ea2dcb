"""Horizontal bars, sparklines and rows of labelled bars, in eighths of a cell.

Invariant: what is more than nothing never looks like nothing; a value above the scale fills the room and ends with `+`.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from .cells import Content, Line, Lines, Span, fit
from .cells import width as cell_width
from .numbers import as_float
from .signs import LEVELS, MORE, OCCUPIED, PARTS


def bar(value: float, maximum: float, width: int, style: str = "busy") -> Line:
    """`██████▌   `: `value` of `maximum` over `width` cells; nothing for 0, a negative or unknown value."""
    share = _share(value, 0.0, maximum)
    if share is None or share <= 0 or width <= 0:
        return fit("", width)
    if share > 1:
        return (Span(OCCUPIED * (width - 1) + MORE, style),)
    whole, part = divmod(max(round(share * width * 8), 1), 8)
    return fit((Span(OCCUPIED * whole + (PARTS[part - 1] if part else ""), style),), width)


def sparkline(
    values: Sequence[float], width: int, low: float = 0.0, high: float | None = None, style: str = "busy"
) -> Line:
    """`▁▂▃▅█`, one cell a value, fewer values than cells start at the left.

    More values than cells: a cell shows the highest of its share, so that no peak is lost. `high` None takes the
    largest value. An unknown value (NaN) is a blank.
    """
    if width <= 0:
        return ()
    numbers = [as_float(v) for v in values]
    if len(numbers) > width:
        edges = [i * len(numbers) // width for i in range(width + 1)]
        numbers = [max((v for v in numbers[a:b] if v == v), default=math.nan) for a, b in pairwise(edges)]
    top = as_float(high) if high is not None else max((v for v in numbers if math.isfinite(v)), default=0.0)
    return fit((Span("".join(level(v, low, top) for v in numbers), style),), width)


def level(value: float, low: float, high: float) -> str:
    """One of `▁▂▃▄▅▆▇█` for `value` between `low` and `high`; a blank when it is unknown."""
    share = _share(as_float(value) - low, 0.0, high - low)
    if share is None:
        return " " if math.isnan(as_float(value)) else LEVELS[0]
    return LEVELS[max(math.ceil(min(max(share, 0.0), 1.0) * 8) - 1, 0)]


def labelled_levels(title: str, values: Sequence[tuple[str, float]], width: int, high: float | None = None) -> Line:
    """`batch size 1 ▁ 4 ▄ 6 ▆`: small values in one row, each with its label. Those that do not fit go from the left,
    since the newest stand at the right."""
    top = as_float(high) if high is not None else max((as_float(v) for _, v in values), default=1.0)
    parts = [(f" {label} ", level(v, 0.0, top)) for label, v in values]
    room = width - cell_width(title)
    kept: list[Span] = []
    for label, sign in reversed(parts):
        room -= cell_width(label) + 1
        if room < 0:
            break
        kept[:0] = [Span(label), Span(sign, "busy")]
    return fit((Span(title), *kept), width)


def bar_list(
    rows: Sequence[tuple[Content, float, str]],
    width: int,
    *,
    maximum: float | None = None,
    bar_width: int | None = None,
    selected: int | None = None,
) -> Lines:
    """A row each of (label, value, what is written behind): `  a  1    ██████          3`.

    Labels and numbers are aligned over the rows; `bar_width` None takes the room there is. `selected` is the row in
    style "choice".
    """
    top = maximum if maximum is not None else max((as_float(v) for _, v, _ in rows), default=0.0)
    labels = max((cell_width(label) for label, _, _ in rows), default=0)
    texts = max((cell_width(text) for _, _, text in rows), default=0)
    room = max(width - labels - texts - 4, 0)
    cells = min(bar_width, room) if bar_width is not None else room
    out = []
    for i, (label, value, text) in enumerate(rows):
        style = "choice" if i == selected else "busy"
        tail = fit(text, texts, align=">")
        out.append(fit((*fit(label, labels), Span("  "), *bar(value, top, cells, style), Span("  "), *tail), width))
    return out


def _share(value: float, low: float, high: float) -> float | None:
    """Where `value` lies from `low` (0) to `high` (1); None when that cannot be said."""
    value, high = as_float(value), as_float(high)
    if math.isnan(value) or math.isnan(high) or high <= low:
        return None
    if math.isinf(high):
        return 0.0
    return (value - low) / (high - low)
