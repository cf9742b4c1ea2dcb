"""Charts with axes and units: lines and steps in braille, limits, CDFs, columns.

Invariant: a chart has exactly `height` lines of `width` cells; two series differ by a letter, not only by a colour.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bar import level, sparkline
from .canvas import Canvas, Ints
from .cells import Line, Lines, Span, fit, sides
from .cells import width as cell_width
from .numbers import as_float, count
from .scale import proper, round_top, share, ticks
from .signs import CUT, LIMIT, OCCUPIED
from .width import literal

_LETTER_EVERY = 14  # cells between two letters of a series
_DOTS = [" ", *map(chr, range(0x2801, 0x2900))]  # the sign of each set of dots in a cell
_FAR = 10**9  # dots beyond which a point outside is as good as there
Floats = NDArray[np.float64]
_none = np.empty((0, 2))
Range = tuple[float, float]


class Series(NamedTuple):
    """Points (x, y) sorted by x; `letter` marks the line when there are several; `step` holds y until the next x.

    Points that are not finite are gaps. More than some thousand points should be thinned first: each is looked at.
    """

    name: str
    points: Sequence[tuple[float, float]]
    letter: str = ""
    step: bool = False
    style: str = "busy"


class Limit(NamedTuple):
    """A horizontal line at `value` with its words: `limit 500 µs`."""

    value: float
    label: str


def cdf(values: Sequence[float]) -> list[tuple[float, float]]:
    """The points of the cumulative distribution in per cent, for a step series: (value, % at or below it)."""
    ordered = sorted(v for v in map(as_float, values) if math.isfinite(v))
    n = len(ordered)
    points = [(v, 100 * (i + 1) / n) for i, v in enumerate(ordered) if i + 1 == n or ordered[i + 1] > v]
    return [(ordered[0], 0.0), *points] if points else []


def chart(
    series: Sequence[Series],
    width: int,
    height: int,
    *,
    x_unit: str = "",
    y_unit: str = "",
    x_range: Range | None = None,
    y_range: Range | None = None,
    limits: Sequence[Limit] = (),
) -> Lines:
    """A title line with the y unit and the names, the plot, an axis and its labels with the x unit.

    Ranges default to the data; y then begins at 0 and includes the limits. With less than 5 lines or 20 cells it is a
    title and a sparkline.
    """
    if width <= 0 or height <= 0:
        return []
    several = len(series) > 1
    names = [f"{_letter(s, i)} {s.name}" if several else s.name for i, s in enumerate(series)]
    title = sides(f"{y_unit}", "   ".join(names), width)
    if height < 5 or width < 20:
        heads = [f"{_letter(s, i)} " if several else "" for i, s in enumerate(series[: height - 1])]
        rows = [
            fit((Span(head), *sparkline([y for _, y in s.points], width - len(head), style=s.style)), width)
            for s, head in zip(series, heads, strict=False)
        ]
        return [title, *rows, *[fit("", width)] * (height - 1 - len(rows))]
    points = [_array(s.points) for s in series]
    known = np.concatenate([_none, *(xy[_finite(xy)] for xy in points)])
    highest = [float(known[:, 1].max())] if len(known) else []
    low_y, high_y = y_range or (0.0, round_top([*highest, *(as_float(m.value) for m in limits)]))
    low_x, high_x = proper(*(x_range or _ends(known[:, 0])))
    low_y, high_y = proper(low_y, high_y)
    rows_plot = height - 3
    ticks_y = ticks(low_y, high_y, max(rows_plot // 2, 1))
    label_width = min(max((len(t) for _, t in ticks_y), default=0), width // 3)
    canvas = Canvas(width - label_width - 2, rows_plot)
    for i, (s, xy) in enumerate(zip(series, points, strict=True)):
        for piece in _pieces(xy, (low_x, high_x), (low_y, high_y), canvas):
            if len(piece) > 1 or len(xy) == 1:
                canvas.path(piece[:, 0], piece[:, 1], i, s.step)
    text = _texts(canvas, series, several)
    for limit in limits:
        _draw_limit(text, canvas, limit, low_y, high_y)
    labels = {_row(v, low_y, high_y, rows_plot): t for v, t in ticks_y}
    owner = canvas.owner.tolist()
    out = [title]
    for y in range(rows_plot):
        label = labels.get(y)
        head = Span(f"{label or '':>{label_width}} {'┤' if label is not None else '│'}"[-label_width - 2 :], "dim")
        out.append(fit((head, *_spans(text[y], owner[y], series)), width))
    out.extend(_x_axis(low_x, high_x, canvas.width, label_width, x_unit, width))
    return out


def _array(points: Sequence[tuple[float, float]]) -> Floats:
    """The points as rows (x, y)."""
    try:
        return np.array(points, dtype=float).reshape(-1, 2)
    except OverflowError:
        return np.array([(as_float(x), as_float(y)) for x, y in points]).reshape(-1, 2)


def _finite(xy: Floats) -> NDArray[np.bool_]:
    return np.isfinite(xy[:, 0]) & np.isfinite(xy[:, 1])


def _ends(values: Floats) -> Range:
    return (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)


def _pieces(xy: Floats, x_range: Range, y_range: Range, canvas: Canvas) -> list[Ints]:
    """The dots (x, y) of the points, apart where a gap is."""
    if not len(xy):
        return []
    with np.errstate(over="ignore", invalid="ignore"):
        places = [share(xy[:, 0], *x_range) * (canvas.dots_x - 1), share(xy[:, 1], *y_range) * (canvas.dots_y - 1)]
        dots = np.rint(np.stack(places, axis=1))
    there = _finite(xy) & _finite(dots)
    whole = np.clip(np.where(there[:, None], dots, 0), -_FAR, _FAR).astype(np.int64)
    if there.all():
        return [whole]
    edges = np.flatnonzero(np.diff(there)) + 1
    return [piece for piece, known in zip(np.split(whole, edges), np.split(there, edges), strict=True) if known[0]]


def _letter(series: Series, i: int) -> str:
    letter = literal(series.letter)[:1]
    return letter if cell_width(letter) == 1 else chr(65 + i % 26)


def _row(v: float, low: float, high: float, rows: int) -> int:
    part = share(v, low, high)
    return rows - 1 - round(part * (4 * rows - 1)) // 4 if -1 <= part <= 2 else -1


def _texts(canvas: Canvas, series: Sequence[Series], several: bool) -> list[list[str]]:
    text = [[_DOTS[c] for c in row] for row in canvas.cells.tolist()]
    if not several:
        return text
    for i, s in enumerate(series):
        last = -_LETTER_EVERY
        offset = (2 + i * _LETTER_EVERY // len(series)) % _LETTER_EVERY  # letters of two series do not meet
        for x in range(offset, canvas.width):
            if x - last < _LETTER_EVERY:
                continue
            y = next((y for y in range(canvas.height) if canvas.owner[y, x] == i and canvas.cells[y, x]), None)
            if y is not None and not text[y][x].isalpha():
                text[y][x] = _letter(s, i)
                last = x
    return text


def _draw_limit(text: list[list[str]], canvas: Canvas, limit: Limit, low: float, high: float) -> None:
    y = _row(as_float(limit.value), low, high, canvas.height)
    if not 0 <= y < canvas.height:
        return
    row = [LIMIT if c == " " else c for c in text[y]]
    label = f" {literal(limit.label)} "
    n = cell_width(label)
    if n == len(label) and n <= canvas.width - 2:
        at = canvas.width - n - 1
        if any(c != LIMIT for c in row[at : at + n]) and all(c == LIMIT for c in row[1 : n + 1]):
            at = 1
        row[at : at + n] = label
        canvas.owner[y, at : at + n] = -1
    text[y] = row
    canvas.owner[y, [c == LIMIT for c in row]] = -1


def _spans(text: Sequence[str], owner: Sequence[int], series: Sequence[Series]) -> Line:
    spans, x = [], 0
    for number, run in groupby(owner):
        cells = len(list(run))
        style = "warn" if number < 0 else series[number].style if series else ""
        spans.append(Span("".join(text[x : x + cells]), style))
        x += cells
    return tuple(spans)


def _x_axis(low: float, high: float, cells: int, indent: int, unit: str, width: int) -> Lines:
    ruler, labels = ["─"] * cells, ""
    room = cells - cell_width(unit) - 1
    for v, label in ticks(low, high, max(cells // 12, 1)):
        x = min(max(round(share(v, low, high) * (cells - 1)), 0), cells - 1)
        ruler[x] = "┬"
        if len(labels) < x + (not labels) and x + len(label) <= room:
            labels = labels.ljust(x) + label
    foot = sides(labels, unit, cells)
    return [
        fit((Span(" " * (indent + 1) + "└" + "".join(ruler), "dim"),), width),
        fit((Span(" " * (indent + 2)), *foot), width),
    ]


def columns(values: Sequence[tuple[str, float]], width: int, height: int, *, unit: str = "") -> Lines:
    """Vertical bars of (label, value), such as batch sizes: the value above its bar, the label below.

    Too many for the width: the first are left out, and `…` says so, since the newest stand at the right.
    """
    if width <= 0 or height <= 0:
        return []
    texts = [count(v) for _, v in values]
    cell = max((max(cell_width(k), len(t)) for (k, _), t in zip(values, texts, strict=True)), default=1) + 1
    most = max((width - 1 - cell_width(unit)) // cell, 0)
    kept = range(max(len(values) - most, 0), len(values))
    lead = CUT if len(kept) < len(values) else " "
    rows = height - 2
    top = max((v for v in (as_float(values[i][1]) for i in kept) if math.isfinite(v)), default=1.0) or 1.0
    eighths = [_eighths(as_float(values[i][1]) / top, rows) for i in kept]
    out: Lines = []
    for y in range(rows, -1, -1):  # row y of the bars; the value stands in the row above the bar's top
        parts = []
        for i, e in zip(kept, eighths, strict=True):
            rest = e - 8 * y
            filled = OCCUPIED if rest >= 8 else level(rest, 0, 8) if rest > 0 else ""
            number = texts[i] if -8 < rest <= 0 else ""
            parts.append((filled * (cell - 1) or number).ljust(cell))
        out.append(fit((Span(" "), Span("".join(parts), "busy")), width))
    foot = [Span(lead)] + [s for i in kept for s in fit(values[i][0], cell)]
    out.append(fit((*foot, Span(unit, "dim")), width))
    return (out[-height:] if height > 1 else out[-1:]) if rows >= 0 else out[-height:]


def _eighths(share: float, rows: int) -> int:
    share = share if math.isfinite(share) else 0.0
    return max(round(share * rows * 8), 1 if share > 0 else 0)
