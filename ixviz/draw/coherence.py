"""Cache lines against cores: the state of each copy as a letter, what has just moved, how often and why.

Invariant: a copy is a letter in its core's column whatever moves; a core that never had the line is `·`, not I.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .cells import Line, Lines, Span, fit
from .cells import width as cell_width
from .numbers import count
from .signs import FREE, HERE, MOVED

_MEANING = {"M": "modified", "O": "owned", "E": "exclusive", "S": "shared", "I": "invalid"}
_STYLES = {"M": "bold", "E": "bold", "O": "bold", "I": "dim"}
_LEAST_WHY = 8  # cells below which the last column says nothing
_MOST_NAME, _MOST_WHAT = 20, 22
_FEW = 10  # cores up to which a column is headed c0, c1, …


class LineRow(NamedTuple):
    """A line: its name, what it holds, a letter a core ("" = never touched), transfers so far, what caused the last.

    `moved` are the cores whose copy has just come or changed; `here` marks the line that is accessed now.
    """

    name: str
    what: str
    states: Sequence[str]
    moves: int
    why: str
    moved: Collection[int] = ()
    here: bool = False


class _Columns(NamedTuple):
    sign: int
    name: int
    what: int
    cell: int
    cores: list[int]
    moves: int
    why: int


def coherence(rows: Sequence[LineRow], cores: int, width: int, *, title: str = "line") -> Lines:
    """A header and a line a row: `▸ listen.lock  lock, 2 waiters   I »M  I  I   1,204   c3→c1 accept()`.

    Too narrow: first `what` goes, then `why`, then the cores that have none of these lines.
    """
    if width <= 0:
        return []
    at = _columns(rows, cores, width, title)
    heads = "".join(_right(_head(c, cores, at.cell), at.cell) for c in at.cores)
    head = [Span(" " * at.sign), *fit(title, at.name, "title"), Span(" " * (1 + (at.what and at.what + 2)))]
    head += [Span(heads, "title"), Span(_right("moves", at.moves), "title")]
    if at.why:
        head.append(Span("   why", "title"))
    if len(at.cores) < cores:
        head.append(Span(f"  {len(at.cores)} of {cores} cores", "dim"))
    return [fit(tuple(head), width), *(fit(_row(row, at), width) for row in rows)]


def legend(letters: Sequence[str], width: int) -> Line:
    """`M modified  E exclusive  S shared  I invalid  · never touched  » moved just now`, as far as there is room."""
    parts = [f"{letter} {_MEANING[letter]}" for letter in _MEANING if letter in letters]
    parts += [f"{FREE} never touched", f"{MOVED} moved just now"]
    text = "  ".join(parts)
    if cell_width(text) > width:
        text = "  ".join(f"{letter} {_MEANING[letter]}" for letter in _MEANING if letter in letters)
    return fit((Span(text, "dim"),), width)


def _columns(rows: Sequence[LineRow], cores: int, width: int, title: str) -> _Columns:
    sign = 2 if any(row.here for row in rows) else 0
    name = min(max([cell_width(title), *(cell_width(row.name) for row in rows)]), _MOST_NAME)
    what = min(max((cell_width(row.what) for row in rows), default=0), _MOST_WHAT)
    moves = 2 + max([len("moves"), *(len(count(row.moves)) for row in rows)])
    why = max((cell_width(row.why) for row in rows), default=0)
    every = list(range(cores))
    for cell in (3 if cores <= _FEW else len(str(cores - 1)) + 1, 2):
        room = width - sign - name - 1 - cell * cores - moves
        if room >= 0:
            if what and room < what + 2 + (3 + min(why, _LEAST_WHY) if why else 0):
                what = 0
            room -= what + 2 if what else 0
            return _Columns(sign, name, what, cell, every, moves, why if why and room >= 3 + _LEAST_WHY else 0)
    had = [c for c in every if any(row.states[c] for row in rows)]
    most = max((width - sign - name - 1 - moves) // 2, 1)
    return _Columns(sign, name, 0, 2, (had or every)[:most], moves, 0)


def _head(core: int, cores: int, cell: int) -> str:
    name = f"c{core}" if cores <= _FEW else str(core)
    return name if len(name) < cell else name[-1]


def _right(text: str, cells: int) -> str:
    return " " * (cells - cell_width(text)) + text


def _row(row: LineRow, at: _Columns) -> Line:
    spans = [Span(_sign(row.here, at.sign), "here"), *fit(row.name, at.name, "here" if row.here else "")]
    if at.what:
        spans += [Span("  "), *fit((Span(row.what, "dim"),), at.what)]
    spans.append(Span(" "))
    for core in at.cores:
        state, moved = row.states[core], core in row.moved
        spans.append(Span(_right(MOVED if moved else " ", at.cell - 1), "mark"))
        spans.append(Span(state or FREE, "mark" if moved else _STYLES.get(state, "" if state else "dim")))
    spans.append(Span(_right(count(row.moves), at.moves)))
    if at.why and row.why:
        spans.append(Span(f"   {row.why}"))
    return tuple(spans)


def _sign(here: bool, cells: int) -> str:
    """`▸ ` where the machine is, else blank, on so many cells."""
    return (HERE if here else " ") + " " * (cells - 1) if cells else ""
