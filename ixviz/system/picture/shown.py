"""What a picture of any system hands to the screen: lines with the parts they mean, lanes, a latency taken apart.
Invariant: plain values, the same for every system."""

from __future__ import annotations

from typing import NamedTuple

from ixviz.draw.cells import Line, Lines, fit


class Drawn(NamedTuple):
    """A line, and the component it shows ("" = none)."""

    line: Line
    name: str = ""


def blank(width: int) -> Drawn:
    """A line with nothing on it."""
    return Drawn(fit("", width))


class LanesShown(NamedTuple):
    """The lines, and the window they show (ps), for a click to become a time."""

    lines: Lines
    start: int
    end: int
    columns: int


class Knob(NamedTuple):
    """A value of the scenario that a what-if may turn in the middle of a run: its path, another value with its unit,
    and what it is in words."""

    key: str
    value: str
    words: str


class Part(NamedTuple):
    """A part of a latency: how long (ps; None for a line without one), in words, the event to go to (-1 none)."""

    ps: int | None
    text: str
    event: int = -1


class Why(NamedTuple):
    """A question, its parts, their sum (ps), and lines without a time below."""

    title: str
    parts: list[Part]
    total: int
    notes: list[str]


class Totals(NamedTuple):
    """What a run had done up to a moment, over all cores; None where a system does not model it.

    `packets` have left; `cycles` were spent busy (spinning included); `crossings` between ring 3 and ring 0, one each
    way counts two; `copies` of payload by the kernel; `transfers` of cache lines from core to core; `dropped` packets.
    """

    packets: int
    cycles: int
    crossings: int | None = None
    copies: int | None = None
    interrupts: int | None = None
    transfers: int | None = None
    dropped: int = 0
