"""Horizontal rules, with a title, with tabs, with joints to vertical lines; and the footer of keys.

Invariant: choosing another tab moves none of them; a footer drops whole pairs, never half a word.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .cells import Content, Line, Span, fit
from .cells import width as cell_width


def rule(width: int, title: str = "", right: str = "", joints: Mapping[int, str] | None = None) -> Line:
    """`── Decisions ─────── right ──`; `joints` maps columns to the sign where a vertical line meets (┬ ┴ ┼)."""
    if width <= 0:
        return ()
    head: Line = (Span("──", "dim"), Span(f" {title} ", "title")) if title else ()
    tail: Line = (Span(f" {right} ", "dim"), Span("──", "dim")) if right else ()
    dashes = width - cell_width(head) - cell_width(tail)
    if dashes < 0:
        tail, dashes = (), width - cell_width(head)
    fill = "─" * max(dashes, 0)
    if joints:
        start = cell_width(head)
        for column, sign in joints.items():
            if start <= column < start + dashes:
                fill = fill[: column - start] + sign + fill[column - start + 1 :]
    return fit((*head, Span(fill, "dim"), *tail), width)


def tabs(names: Sequence[str], active: int, width: int, right: str = "", fill: str = "─") -> Line:
    """`─[Lesson]── Why ── Changed ─────── tab: next `: the active tab in brackets; `fill` is one cell, `─` or a space.

    Narrow: `right` goes first, then tabs from the end, but never the active one.
    """
    if width <= 0:
        return ()
    kept = list(range(len(names)))
    # Between words on a line each tab has its own dashes; between words on a blank one space tells them apart.
    before, after = ("", " ") if fill == " " else (fill, fill)
    sizes = [cell_width(n) + 2 + len(before + after) for n in names]
    while len(kept) > 1 and sum(sizes[i] for i in kept) > width:
        kept.remove(next(i for i in reversed(kept) if i != active))
    spans: list[Span] = []
    for i in kept:
        chosen = i == active
        name = Span(f"[{names[i]}]" if chosen else f" {names[i]} ", "choice" if chosen else "")
        spans.extend((Span(before, "dim"), name, Span(after, "dim")))
    room = width - sum(sizes[i] for i in kept)
    note = f" {right} "
    if right and cell_width(note) <= room:
        return fit((*spans, Span(fill * (room - cell_width(note)), "dim"), Span(note, "dim")), width)
    return fit((*spans, Span(fill * max(room, 0), "dim")), width)


class Key(NamedTuple):
    """A key and what it does; of two, the one of lower `weight` leaves a narrow footer first."""

    key: str
    word: str
    weight: int = 1


def footer(keys: Sequence[Key], width: int) -> Line:
    """`a-e choose   ↵ answer   ? help`: three spaces between, two when narrow, then pairs go: the least weight, and
    among equals the rightmost, first."""
    kept = list(range(len(keys)))
    sizes = [cell_width(k.key) + 1 + cell_width(k.word) for k in keys]
    gap = 3
    while kept and sum(sizes[i] for i in kept) + gap * (len(kept) - 1) > width:
        if gap == 3:
            gap = 2
        else:
            kept.remove(min(kept, key=lambda i: (keys[i].weight, -i)))
            gap = 3
    spans: list[Span] = []
    for n, i in enumerate(kept):
        if n:
            spans.append(Span(" " * gap))
        spans.extend((Span(keys[i].key, "key"), Span(f" {keys[i].word}")))
    return fit(tuple(spans), width)


def label_row(label: Content, text: Content, width: int, label_width: int = 10) -> Line:
    """`wire      3.0 of 8.8 M/s, drops 0`: a label in its column, and text."""
    tail = (Span(text),) if isinstance(text, str) else text
    return fit((*fit(label, label_width), *tail), width)
