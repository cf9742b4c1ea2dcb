"""Windows of time for lanes: how long a cell is, and which page of time has now on it. For the picture of any system.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

NAME = 11  # cells of the lanes' names
_TEN = 10
_LADDER: list[int] = [m * 10**n for n in range(2, 10) for m in (1, 2, 5)]  # 0.1 ns to 5 ms
_LADDER.append(10**10)  # 10 ms


def round_cell(ps: int) -> int:
    """The largest 1, 2 or 5 times a power of ten ps that is at most `ps`, at least 0.1 ns and at most 10 ms."""
    return max((step for step in _LADDER if step <= ps), default=_LADDER[0])


def zoomed(cell: int, steps: int) -> int:
    """`cell` so many steps of 1, 2, 5 larger (or smaller), within the same limits."""
    return _LADDER[min(max(_LADDER.index(cell) + steps, 0), len(_LADDER) - 1)]


def window(now: int, origin: int, cell: int, columns: int) -> tuple[int, int]:
    """A page of time (from, to; ps) with `now` on it; pages overlap by half, so that what led here stays in sight."""
    half = max(columns // 2 // _TEN * _TEN, 1)
    start = origin // (cell * _TEN) * cell * _TEN
    page = max(0, (now - start) // cell // half - 1)
    return start + page * half * cell, start + (page * half + columns) * cell
