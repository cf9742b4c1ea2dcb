"""Letters at the parts of the machine that a question asks about, brackets around those that a beat names.

Invariant: a part is marked where the picture draws it and nowhere else; no line gets wider, none is added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ixviz.draw.cells import Line, Lines, Span, fit
from ixviz.draw.cells import width as cells
from ixviz.draw.signs import HERE

from .state import State

RIGHT, WRONG = "✓", "×"


class Spot(NamedTuple):
    """Where a part is drawn: a line, the cells of its name if that has to be found, whether others are on the line."""

    line: int
    x0: int = -1
    x1: int = -1
    shared: bool = False


class Marked(NamedTuple):
    """A picture with its marks: the lines, the cells before them, and the spots that a click may mean, by part."""

    lines: Lines
    gutter: int
    spots: list[tuple[str, Spot]]


def marked(state: State, draw: Callable[[int], list[Any]], width: int) -> tuple[list[Any], Marked]:
    """What `draw` makes of a width, and the same with marks, as wide as `width`.

    A part whose name stands on a line with others (a stage) is painted there; its letter is in the question only.
    """
    own = state.lesson
    drawn = draw(width)
    asked: Sequence[str] = own.asked() if own is not None else ()
    spots = [(i, spot) for i, part in enumerate(asked) for spot in _spots(state, part, drawn)]
    if not spots:
        names = own.labelled() if own is not None else ()
        return drawn, Marked([_named(d.line, width) if _is(d.name, names) else d.line for d in drawn], 0, [])
    signs = _signs(state)
    letters = _letters(spots, len(drawn))
    # A letter and its sign; several have a space behind them, too, and may use the blanks that their line begins with.
    gutter = max([2, *(len(on) + 2 - _blanks(drawn[y].line) for y, on in enumerate(letters) if len(on) > 1)])
    drawn = draw(width - gutter)
    spots = [(i, spot) for i, part in enumerate(asked) for spot in _spots(state, part, drawn)]
    letters = _letters(spots, len(drawn))
    lines = []
    for y, each in enumerate(drawn):
        before = tuple(Span(f"{'abcdef'[i]}{signs.get(i, '')}", _style(signs.get(i, ""))) for i in letters[y])
        row = each.line
        for i, spot in spots:
            if spot.line == y and spot.x0 >= 0:
                row = _painted(row, spot.x0, spot.x1, _style(signs.get(i, "")))
        over = min(max(cells(before) - gutter, 0), _blanks(row))
        lines.append((*fit(before, gutter + over), *_without(row, over)))
    return drawn, Marked(lines, gutter, [(asked[i], spot) for i, spot in spots if spot.x0 >= 0])


def _letters(spots: list[tuple[int, Spot]], lines: int) -> list[list[int]]:
    """The parts whose letters stand before each line."""
    return [[i for i, spot in spots if spot.line == y and not spot.shared] for y in range(lines)]


def _blanks(row: Line) -> int:
    """How many blanks a line begins with."""
    text = "".join(span.text for span in row)
    return len(text) - len(text.lstrip(" "))


def _without(row: Line, count: int) -> Line:
    """A line without so many of its first signs, each of one cell."""
    out: list[Span] = []
    for span in row:
        taken = min(count, len(span.text))
        count -= taken
        if span.text[taken:]:
            out.append(Span(span.text[taken:], span.style))
    return tuple(out)


def _signs(state: State) -> dict[int, str]:
    """The sign behind a letter: of the part chosen, after the answer of the right one and of the one that was said."""
    own = state.lesson
    texts = own.texts()
    if own.asking:
        return {own.chosen: HERE} if own.chosen is not None else {}
    out: dict[int, str] = {}
    if texts.outcome is not None:
        for letter, sign in ((texts.outcome.said_letter[:1], WRONG), (texts.outcome.was_letter[:1], RIGHT)):
            if letter:
                out["abcdef".index(letter)] = sign
    return out


def _style(sign: str) -> str:
    return {HERE: "choice", RIGHT: "good", WRONG: "bad"}.get(sign, "key")


def _is(name: str, parts: Sequence[str]) -> bool:
    return bool(name) and (name in parts or name.rpartition(".")[2] in parts)


def _spots(state: State, part: str, drawn: Sequence[Any]) -> list[Spot]:
    """Where a part is drawn: its own lines, else its name within those of the part it belongs to."""
    first: dict[str, int] = {}
    for y, each in enumerate(drawn):
        first.setdefault(each.name, y)
    own = [Spot(y) for name, y in first.items() if _is(name, (part,))]
    if own:
        return own
    owners = state.branch.picture.owners(part, [name for name in first if name])
    if len(owners) != 1:
        return []
    word = re.compile(rf"(?<!\w)({re.escape(part.rpartition('.')[2])})(?!\w)")
    for y, each in enumerate(drawn):
        if each.name != owners[0]:
            continue
        text = "".join(span.text for span in each.line)
        found = list(word.finditer(text))
        first_word = bool(found) and not re.search(r"\w", text[: found[0].start()])
        if first_word or (state.branch.picture.cores == 1 and len(found) == 1):
            x0, x1 = (cells(text[:end]) for end in found[0].span(1))
            return [Spot(y, x0, x1, not first_word)]
    return [Spot(first[owners[0]])]


def _painted(row: Line, x0: int, x1: int, style: str) -> Line:
    """A line with the cells from x0 up to x1 in a style."""
    out: list[Span] = []
    at = 0
    for span in row:
        end = at + cells(span.text)
        if end <= x0 or at >= x1 or cells(span.text) != len(span.text):
            out.append(span)
        else:
            a, b = max(x0 - at, 0), min(x1 - at, len(span.text))
            cut = ((span.text[:a], span.style), (span.text[a:b], style), (span.text[b:], span.style))
            out += [Span(text, kind) for text, kind in cut if text]
        at = end
    return tuple(out)


def _named(row: Line, width: int) -> Line:
    """A line whose leading name stands in brackets: `[ring q0] ···`. Two cells behind the name pay for them."""
    text = "".join(span.text for span in row)
    match = re.match(r"(\S+(?: \S+)?)(  )", text)
    if match is None:
        return row
    return fit((Span(f"[{match.group(1)}]", "title"), *_without(row, len(match.group(0)))), width)
