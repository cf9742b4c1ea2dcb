"""A window of time laid over columns: which cell a moment falls in, and the ticks that name the cells.

Invariant: all arithmetic is in integers (ps), so the column of a moment is exact and never decreases with time.
"""

from .cells import Line, Span, fit
from .numbers import PS_PER, clock

_SHORTEST_TICK = 8  # cells from a tick to the next, at least


class Window:
    """The moments from `start` up to, not including, `end` (ps), on `columns` cells; `span` is its length."""

    __slots__ = ("_twice", "columns", "end", "last", "span", "start")

    def __init__(self, start: int, end: int, columns: int) -> None:
        self.start, self.end, self.columns = start, end, columns
        self.span = max(end - start, 1)
        self.last = max(columns - 1, 0)
        self._twice = 2 * self.span

    def column(self, ps: int) -> int:
        """The cell nearest to `ps` (a half goes up), held within the window."""
        cell = (2 * (ps - self.start) * self.columns + self.span) // self._twice
        return 0 if cell < 0 else self.last if cell > self.last else cell

    def edge(self, ps: int) -> int:
        """Like `column`, but up to `columns`, for the end of something that lasts."""
        cell = (2 * (ps - self.start) * self.columns + self.span) // self._twice
        return 0 if cell < 0 else self.columns if cell > self.columns else cell

    def first(self, column: int) -> int:
        """The first moment that falls in `column` or right of it."""
        return self.start - ((1 - 2 * column) * self.span // (2 * self.columns)) if column > 0 else self.start

    def moment(self, column: int) -> int:
        """The moment a click on `column` means: the one in the middle of the cell."""
        return self.start + column * self.span // max(self.columns, 1)

    def __contains__(self, ps: object) -> bool:
        return isinstance(ps, int) and self.start <= ps < self.end


def axis(window: Window, name_width: int, width: int) -> Line:
    """`µs         2         3         4`: ticks at 1, 2 or 5 times a power of ten, the unit at the left.

    Far from zero, where the numbers would not fit, the first tick has the whole time and the others what is added to
    it: `ns         61.208,332 ms      +10       +20`.
    """
    step = _step(window)
    unit = next((u for u in ("s", "ms", "µs", "ns") if step >= PS_PER[u]), "ps")
    per = PS_PER.get(unit, 1)
    first = -(-window.start // step) * step
    whole = len(f"{window.end // per:,}") + 2 <= window.column(window.start + step)
    base = 0 if whole else first
    text, tick = "", first
    while tick < window.end:
        label = f"{'' if whole or tick == first else '+'}{(tick - base) // per:,}"
        if not whole and tick == first:
            label = clock(tick)
        column = window.column(tick)
        if (not text or column >= len(text) + 2) and column + len(label) <= window.columns:
            text = text.ljust(column) + label
        tick += step
    return fit((*fit((Span(unit, "dim"),), name_width), Span(text, "dim")), width)


def _step(window: Window) -> int:
    """The smallest 1, 2 or 5 times a power of ten ps that is `_SHORTEST_TICK` cells or more."""
    wanted = max(-(-_SHORTEST_TICK * window.span // max(window.columns, 1)), 1)
    ten: int = 10 ** (len(str(wanted)) - 1)
    return next(m * ten for m in (1, 2, 5, 10) if m * ten >= wanted)
