"""Time lanes: an axis, the arrivals, a row a core with its batches, and where now is.

Invariant: unless `show_after` is set nothing later than `now` leaves a trace, not even the end of the running batch.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from .batch import Batch as Batch
from .batch import Stage as Stage
from .batch import box, running
from .cells import Line, Lines, Span, fit, merged
from .cells import width as cell_width
from .numbers import clock
from .signs import ARRIVAL, BATCH_MANY, BATCH_TINY, MORE, NOW, SCRUB
from .timeaxis import Window, axis
from .width import literal

_IDLE_CELLS = 8  # a shorter gap is left blank, a longer one says "idle" or "parked"
_start = attrgetter("start")


class Lane(NamedTuple):
    """A core's row: its batches sorted by start, not overlapping. `parked` are the spans (ps, to None: it still is) in
    which it was not even idle, sorted too."""

    name: str
    batches: Sequence[Batch]
    style: str = "busy"
    parked: Sequence[tuple[int, int | None]] = ()


def lanes(
    start: int,
    end: int,
    now: int | None,
    arrivals: Sequence[int],
    cores: Sequence[Lane],
    width: int,
    *,
    drops: Sequence[int] = (),
    marked: Mapping[int, str] | None = None,
    note: str = "",
    show_after: bool = False,
    scrub: int | None = None,
    name_width: int = 11,
) -> Lines:
    """The moments from `start` to `end` (ps) as lines `width` wide: axis, arrivals, a row a core, the now row.

    `arrivals` and `drops` are sorted times (ps). `marked` maps times of arrivals to a letter (a packet followed).
    `note` stands right of now: "nothing is shown till you answer". `now` None means that all is past. With
    `show_after` what is recorded after now is drawn too, dim. `scrub` is a moment looked at without going there.
    """
    name_width = max(min(name_width, width - 1), 0)
    window = Window(start, end, max(width - name_width, 0))
    until = end if now is None or show_after else min(now + 1, end)
    rows = [axis(window, name_width, width)]
    rows.append(fit((*fit("arrivals", name_width), *arrivals_row(window, arrivals, until, drops, marked)), width))
    for lane in cores:
        rows.append(fit((*fit(lane.name, name_width), *core_row(window, lane, now, show_after)), width))
    rows.append(fit((Span(" " * name_width), *now_row(window, now, note, scrub)), width))
    return rows


def arrivals_row(
    window: Window,
    arrivals: Sequence[int],
    until: int,
    drops: Sequence[int] = (),
    marked: Mapping[int, str] | None = None,
) -> Line:
    """One cell a column: `▾` one arrival, `2` to `9` as many in that cell, `+` more; `x` when one of them is dropped.

    Arrivals at `until` (ps) and later are left out. A letter of `marked` goes before a count.
    """
    signs = [" "] * window.columns
    for times, dropped in ((arrivals, False), (drops, True)):
        stop = bisect_left(times, min(until, window.end))
        i = bisect_left(times, window.start)
        while i < stop:
            column = window.column(times[i])
            # One search a column, not a step an arrival: zoomed out, a column holds thousands.
            j = stop if column + 1 >= window.columns else bisect_left(times, window.first(column + 1), i, stop)
            j = max(j, i + 1)
            n = j - i
            signs[column] = "x" if dropped else ARRIVAL if n == 1 else str(n) if n < 10 else MORE
            i = j
    text = "".join(signs)
    for ps, letter in (marked or {}).items():
        shown = literal(letter)
        if ps in window and ps < until and cell_width(shown) == 1:
            c = window.column(ps)
            text = text[:c] + shown[0] + text[c + 1 :]
    return (Span(text),)


def core_row(window: Window, lane: Lane, now: int | None, show_after: bool = False) -> Line:
    """`▕─ 1: 1 ────▏▕─ 2: 4 ──▸`: `▕` a batch starts, `▏` ends, `▸` still runs at now.

    A batch with little room shows its `short` label, then nothing; in one cell it is `│`, several in one cell are `▓`.
    With room for each of its stages, a batch shows their names or letters where they start.
    """
    batches, columns = lane.batches, window.columns
    hiding = now is not None and not show_after
    until = min(now + 1, window.end) if now is not None and hiding else window.end
    stop = bisect_left(batches, until, key=_start) if until > window.start else 0
    i = max(bisect_right(batches, window.start, key=_start) - 1, 0)
    spans: list[Span] = []
    cursor = 0
    while i < stop and cursor < columns:
        batch = batches[i]
        end = batch.end if batch.end is not None and not (now is not None and hiding and batch.end > now) else None
        if end is not None and end <= window.start:
            i += 1
            continue
        left = window.column(batch.start)
        joined = left < cursor  # the one before was shorter than a cell and is drawn as one
        if joined:
            spans[-1] = Span(spans[-1].text[:-1] + BATCH_MANY, spans[-1].style)
            left = cursor
        right = window.edge(end) if end is not None else columns
        style = lane.style
        if end is None and now is not None and now in window:
            text, style = running(batch, window, left, now), "here"
        elif right > left or not joined:
            text = box(batch, window, left, max(right, left + 1), end is not None and end <= window.end)
            style = "dim" if now is not None and batch.start > now else style
        else:
            text = ""
        if text:
            spans.extend(_gap(window, lane, cursor, left))
            spans.append(Span(text, style))
            cursor = left + cell_width(text)
        # Those that start in cells already drawn need no look each: the last of them says where they end.
        if i + 1 < stop and cursor < columns and batches[i + 1].start < (drawn := window.first(cursor)):
            ahead = bisect_left(batches, drawn, i + 1, stop, key=_start) - 1
        else:
            ahead = 0
        if i + 1 < stop and cursor >= columns and text == BATCH_TINY:
            spans[-1] = Span(BATCH_MANY, lane.style)  # more start in the last cell
        i = max(i + 1, ahead)
    if now is not None and now in window:
        spans.extend(_gap(window, lane, cursor, window.column(now)))
    return fit(merged(spans), columns)


def _gap(window: Window, lane: Lane, first: int, stop: int) -> list[Span]:
    """The columns between two batches."""
    spans: list[Span] = []
    for start, end in lane.parked:
        left = window.column(max(start, window.start)) if start < window.end else stop
        right = window.edge(end) if end is not None and end < window.end else stop
        left, right = max(left, first), min(right, stop)
        if left < right:
            spans += [*_rest("idle", left - first), *_rest("parked", right - left)]
            first = right
    return [*spans, *_rest("idle", stop - first)]


def _rest(word: str, cells: int) -> list[Span]:
    if cells < _IDLE_CELLS:
        return [Span(" " * cells)] if cells > 0 else []
    return [Span(word.center(cells), "idle")]


def now_row(window: Window, now: int | None, note: str = "", scrub: int | None = None) -> Line:
    """`▲ now      after ▲ nothing is shown till you answer`; `┊ 2.800 µs` at the moment looked at.

    When now is outside the window the row says on which side, and when it is.
    """
    columns = window.columns
    items: list[tuple[int, str, str]] = []
    if now is not None and now in window:
        at = window.column(now)
        after = at + len(NOW) + 4
        items.append(
            (at, f"{NOW} now", "now") if after <= columns else (max(at - 4, 0), f"now {NOW}"[-at - 1 :], "now")
        )
        room = cell_width(note)
        if note and after + 2 + room <= columns:
            items.append((columns - room, note, "hidden"))
        elif note and room + 6 <= at:
            items.append((at - room - 6, note, "hidden"))
        elif note and columns - after > 12:
            items.append((after + 2, note, "hidden"))
    elif now is not None:
        text = f"{NOW} now is {'earlier' if now < window.start else 'later'}, at {clock(now)}"
        items.append((0 if now < window.start else max(columns - len(text), 0), text, "now"))
    if scrub is not None and scrub in window:
        at, text = window.column(scrub), f"{SCRUB} {clock(scrub)}"
        busy = [(a, a + cell_width(t)) for a, t, _ in items]
        for candidate in (text, SCRUB):
            if all(at + len(candidate) < a or at > b for a, b in busy):
                items.append((at, candidate, "dim"))
                break
    spans: list[Span] = []
    cursor = 0
    for at, text, style in sorted(items):
        spans.append(Span(" " * (at - cursor)))
        spans.append(Span(text, style))
        cursor = max(at, cursor) + cell_width(text)
    return fit(tuple(spans), columns)
