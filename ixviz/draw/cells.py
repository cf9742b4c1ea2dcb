"""Lines of styled cells: what every picture is made of, and how lines are cut, padded and put side by side.

Invariant: what `fit`, `hjoin` and `vjoin` return has exactly the width asked for, and holds no control character.
A width of 0 or less gives an empty line. A style names a meaning; the tui gives it a colour, a sign gives it a shape.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from .signs import CUT, TWINS
from .width import clusters, is_simple, literal, simple_width
from .width import width as _text_width

CORES = tuple(f"core{i}" for i in range(8))
STYLES = frozenset(
    (
        *("", "dim", "bold", "emphasis", "title", "key", "choice"),  # text
        *("mark", "here", "now", "hidden"),  # moved just now, where the machine is, now, not shown till answered
        *("busy", "idle", "drop", "warn", "good", "bad"),  # states
        *CORES,  # categories: core0 … core7
    )
)


class Span(NamedTuple):
    """A piece of text with one style (a name in STYLES)."""

    text: str
    style: str = ""


Line = tuple[Span, ...]
Lines = list[Line]
Content = str | Line


def line(*parts: str | Span) -> Line:
    """A line of `parts`, each `literal`; a plain string has style ""."""
    return tuple(
        Span(literal(p)) if isinstance(p, str) else p if is_simple(p.text) else Span(literal(p.text), p.style)
        for p in parts
    )


def merged(spans: Iterable[Span]) -> Line:
    """`spans` with neighbours of one style made one: fewer to measure, cut and send to the terminal."""
    return tuple(Span("".join([s[0] for s in run]), style) for style, run in groupby(spans, itemgetter(1)))


def width(content: Content) -> int:
    """The terminal cells `content` takes."""
    if isinstance(content, str):
        return _text_width(content)
    total = 0
    for text, _ in content:
        total += _text_width(text)
    return total


def fit(content: Content, width: int, style: str = "", align: str = "<") -> Line:
    """`content` cut with `…` or padded to exactly `width` cells; `align` is `<`, `>` or `^`.

    `style` is the style of a string; the padding has none. A wide character cut in half leaves a space.
    """
    if width <= 0:
        return ()
    spans, used = _measured((Span(content, style),) if isinstance(content, str) else content)
    if used > width:
        return _cut(spans, width)
    if used == width:
        return spans
    left = 0 if align == "<" else width - used if align == ">" else (width - used) // 2
    right = width - used - left
    if len(spans) == 1 and not spans[0].style:
        return (Span(" " * left + spans[0].text + " " * right),)
    return (*((Span(" " * left),) if left else ()), *spans, *((Span(" " * right),) if right else ()))


def _measured(spans: Line) -> tuple[Line, int]:
    """`spans` made literal, and the cells they take. A screen is measured several hundred times a frame."""
    used = 0
    for text, _ in spans:
        cells = simple_width(text)
        if cells < 0:
            spans = line(*spans)
            return spans, width(spans)
        used += cells
    return spans, used


def _cut(spans: Line, width: int) -> Line:
    """The first `width` - 1 cells of `spans` and `…`."""
    out: list[Span] = []
    room = width - 1
    for text, style in spans:
        if is_simple(text) and len(text) <= room:
            out.append(Span(text, style))
            room -= len(text)
            continue
        kept = []
        for piece, cells in clusters(text):
            if cells > room:
                kept.append(CUT + " " * room)  # the space stands where half a wide character would
                out.append(Span("".join(kept), style))
                return tuple(out)
            kept.append(piece)
            room -= cells
        out.append(Span("".join(kept), style))
    return tuple(out)


def sides(left: Content, right: Content, width: int, style: str = "") -> Line:
    """`left` at the left edge, `right` at the right one. Without room for both `right` is cut, then left out."""
    a, b = (fit(c, _width(c), style) for c in (left, right))
    room = width - _width(a) - 2
    if _width(b) > room:
        if room < 6:
            return fit(a, width)
        b = fit(b, room)
    return fit(a, width - _width(b)) + b


_width = width  # `width` is also the name of a parameter


def hjoin(
    columns: Sequence[Sequence[Content]], gaps: str | Sequence[Content] = " ", widths: Sequence[int] | None = None
) -> Lines:
    """Blocks of lines side by side, as high as the highest.

    `gaps` is what stands between two blocks: one string for all, or one for each. `widths` are the widths of the
    blocks; without it each is as wide as its widest line.
    """
    if not columns:
        return []
    cells = list(widths) if widths is not None else [max(map(_width, block), default=0) for block in columns]
    between = [gaps] * (len(columns) - 1) if isinstance(gaps, str) else list(gaps)
    between_lines = [fit(g, _width(g)) for g in between]
    rows = []
    for y in range(max(map(len, columns))):
        row: list[Span] = []
        for i, block in enumerate(columns):
            if i and i <= len(between_lines):
                row.extend(between_lines[i - 1])
            row.extend(fit(block[y] if y < len(block) else "", cells[i]))
        rows.append(tuple(row))
    return rows


def vjoin(*blocks: Sequence[Content], width: int, height: int | None = None) -> Lines:
    """Blocks one below the other, each line fitted to `width`; cut or filled with blank lines to `height`."""
    rows = [fit(content, width) for block in blocks for content in block]
    if height is None:
        return rows
    return rows[:height] + [fit("", width)] * (height - len(rows))


def restyle(content: Content, style: str) -> Line:
    """`content` in one style."""
    text = content if isinstance(content, str) else "".join(s.text for s in content)
    return (Span(literal(text), style),)


def plain(lines: Sequence[Content]) -> str:
    """The text of `lines` without styles and without spaces at the end of a line."""
    return "\n".join((t if isinstance(t, str) else "".join(s.text for s in t)).rstrip() for t in lines)


class _Twins(dict[int, str]):
    def __missing__(self, code: int) -> str:
        c = chr(code)
        if c.isascii():
            return c
        base = unicodedata.normalize("NFKD", c)[0]
        return base if base.isascii() and base.isprintable() else "?"


_TRANSLATION: Mapping[int, str] = _Twins({ord(sign): twin for sign, twin in TWINS.items()})


def ascii_twin(content: Content) -> Line:
    """`content` in ASCII, cell for cell: signs as `signs.SIGNS` says, é as e, anything else as one `?` a cell."""
    spans = (Span(content),) if isinstance(content, str) else content
    return tuple(Span(_ascii(text), style) for text, style in spans)


def _ascii(text: str) -> str:
    if text.isascii() and is_simple(text):
        return text
    if is_simple(text):
        return text.translate(_TRANSLATION)
    return "".join(piece[0].translate(_TRANSLATION) if cells == 1 else "?" * cells for piece, cells in clusters(text))
