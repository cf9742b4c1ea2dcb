"""Systems side by side: what each does now and what it has spent, with a mark where they differ.

Invariant: every line has exactly the width asked for, and a mark stands at the right edge of what differs.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .cells import Content, Line, Lines, Span, fit, hjoin, sides
from .cells import width as cell_width
from .numbers import count
from .rule import rule
from .signs import DIFFERS, HERE

_NAME, _VALUE = 12, 11  # cells of a total: its name, its number
_CELL = _NAME + _VALUE + 2  # and its mark
_ROOMY = 5  # lines beside head and totals from which on the totals have a title, and blanks around them
ABREAST = 110  # cells from which on systems stand beside each other; below, one above the other
THREE_ABREAST = 150


class Core(NamedTuple):
    """What a core does: `here` if the present event is about it, `idle` if it does nothing."""

    name: str
    words: str
    here: bool = False
    idle: bool = False
    differs: bool = False


class Side(NamedTuple):
    """One system. `right` stands at the right end of its heading; totals are (name, number as text, differs);
    `below` is what fills the rest: its end, or around line `focus` (-1: none), which then gets half of the room."""

    heading: str
    right: str
    packet: str
    packet_differs: bool
    cores: Sequence[Core]
    totals: Sequence[tuple[str, str, bool]]
    below: Sequence[Content]
    focus: int = -1


class Spot(NamedTuple):
    """Where a line of `below` is drawn: row, columns x0 up to x1, of which system, the number of the line."""

    y: int
    x0: int
    x1: int
    system: int
    line: int


def compare(systems: Sequence[Side], width: int, height: int, spots: list[Spot] | None = None) -> Lines:
    """All of them on `height` lines: beside each other where there is room, else one above the other. Where the lines
    of `below` are is added to `spots`."""
    n = len(systems)
    found: list[Spot] = []
    if width >= (ABREAST if n < 3 else THREE_ABREAST):
        room = (width - 3 * (n - 1)) // n
        widths = [room] * (n - 1) + [width - (room + 3) * (n - 1)]
        blocks = []
        for i, (each, cells) in enumerate(zip(systems, widths, strict=True)):
            lines, below = side(each, cells, height)
            blocks.append(lines)
            x = i * (room + 3)
            found += [Spot(y, x, x + cells, i, number) for y, number in below]
        out = [fit(row, width) for row in hjoin(blocks, [(Span(" │ ", "dim"),)] * (n - 1), widths)]
    else:
        out = []
        for i, each in enumerate(systems):
            lines, below = side(each, width, height * (i + 1) // n - height * i // n, ruled=True)
            found += [Spot(len(out) + y, 0, width, i, number) for y, number in below]
            out += lines
    if spots is not None:
        spots += found
    return out[:height]


def side(system: Side, width: int, height: int, ruled: bool = False) -> tuple[Lines, list[tuple[int, int]]]:
    """One system on `height` lines: what it is, totals per packet, cores, what is below; of each line of that its row
    and its number.

    The totals stand above the cores, so that those of systems with other numbers of cores stand beside each other.
    """
    totals = total_rows(system.totals, width)[: max(height - 3, 1)]  # a core has at least one line
    rest = height - 2 - len(totals)
    roomy = rest >= _ROOMY + min(len(system.cores), 4)
    spare = rest - (3 if roomy else 0)  # a blank, a title, a blank
    least = min(len(system.below), spare // 2 if system.focus >= 0 else 1 if spare < 10 else 4)
    cores = core_rows(system.cores, width, max(spare - least, 1))
    left = max(spare - len(cores), 0)
    first = max(len(system.below) - left, 0)
    if system.focus >= 0:
        first = min(first, max(system.focus - left // 2, 0))
    below = [fit(content, width) for content in system.below[first : first + left]]
    title = sides((Span(system.heading, "title"),), system.right, width)
    head = [rule(width, system.heading, system.right) if ruled else title,
            marked(system.packet, width, system.packet_differs)]  # fmt: skip
    if roomy:
        out = [*head, fit("per packet so far", width, "dim"), *totals, fit("", width), *cores, fit("", width), *below]
    else:
        out = [*head, *totals, *cores, *below]
    rows = range(len(out) - len(below), min(len(out), height))
    laid = [*out, *[fit("", width)] * (height - len(out))][: max(height, 0)]
    return laid, [(y, first + i) for i, y in enumerate(rows)]


def marked(content: Content, width: int, differs: bool) -> Line:
    """A line with the mark at its right edge if it `differs`."""
    if not differs or width < 3:
        return fit(content, width)
    return (*fit(content, width - 2), Span(f" {DIFFERS}", "mark"))


def total_rows(totals: Sequence[tuple[str, str, bool]], width: int) -> Lines:
    """Names and numbers, as many beside each other as there is room for; each with its own mark."""
    per = max(width // _CELL, 1)
    out = []
    for i in range(0, len(totals), per):
        spans: list[Span] = []
        for name, value, differs in totals[i : i + per]:
            mark = Span(f" {DIFFERS if differs else ' '}", "mark")
            spans += [*fit(f"  {name}", _NAME), *fit(value, _VALUE, "", ">"), mark]
        out.append(fit(tuple(spans), width))
    return out


def core_rows(cores: Sequence[Core], width: int, room: int) -> Lines:
    """A line a core. Too many: the one that the event is about, those that differ, those at work; and how many more."""
    shown = list(cores)
    if len(cores) > room:
        order = sorted(range(len(cores)), key=lambda i: (not cores[i].here, not cores[i].differs, cores[i].idle, i))
        kept = set(order[: max(room - 1, 1)])
        shown = [each for i, each in enumerate(cores) if i in kept]
    names = max((cell_width(each.name) for each in shown), default=0)
    out = []
    for each in shown:
        sign = HERE if each.here else " "
        style = "here" if each.here else "idle" if each.idle else ""
        row = (Span(f"{each.name:<{names}} "), Span(sign, "here"), Span(each.words, style))
        out.append(marked(row, width, each.differs))
    if len(shown) < len(cores) and len(out) < room:
        rest = [each for each in cores if each not in shown]
        idle = sum(each.idle for each in rest)
        words = f"… {count(len(rest))} more: {count(len(rest) - idle)} at work, {count(idle)} idle"
        out.append(fit(words, width, "dim"))
    return out[: max(room, 0)]
