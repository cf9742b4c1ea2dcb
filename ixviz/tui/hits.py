"""A frame, and what a click on each place of it means.

Invariant: rectangles only; what a click does is the screen's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ixviz.draw.cells import Lines


class Hit(NamedTuple):
    """A rectangle (rows y0 up to y1, columns x0 up to x1) and what a click in it means."""

    y0: int
    y1: int
    x0: int
    x1: int
    kind: str  # "tab" | "part" | "time" | "panel" | "event" | "choice"
    data: Any = None


class Frame(NamedTuple):
    lines: Lines
    hits: list[Hit]


def hit_at(hits: Sequence[Hit], x: int, y: int) -> Hit | None:
    """The first rectangle that has column x of row y."""
    return next((hit for hit in hits if hit.y0 <= y < hit.y1 and hit.x0 <= x < hit.x1), None)
