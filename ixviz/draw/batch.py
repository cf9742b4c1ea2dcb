"""One batch on a time lane: its box, its label, its stages.

Invariant: `box` has exactly the width asked for; a label or stage is either shown whole or left out.
"""

from typing import NamedTuple

from .cells import width as cell_width
from .signs import BATCH_END, BATCH_RUN, BATCH_START, BATCH_TINY, HERE
from .timeaxis import Window
from .width import literal


class Stage(NamedTuple):
    """A stage of a batch: when it starts (ps), its letter for when cells are few, its name."""

    start: int
    letter: str
    name: str


class Batch(NamedTuple):
    """What a core does from `start` to `end` (ps; None while its end is unknown).

    `label` is written into it (`2: 4`, batch 2 of 4 packets), `short` where the label has no room (`4`).
    """

    start: int
    end: int | None
    label: str = ""
    short: str = ""
    stages: tuple[Stage, ...] = ()


def box(batch: Batch, window: Window, left: int, right: int, closed: bool) -> str:
    """The batch on the cells `left` up to `right`: `▕─ 2: 4 ───▏`; a side outside the window stays open."""
    cells = right - left
    opened = batch.start >= window.start and window.column(batch.start) == left
    if cells <= 1:
        return BATCH_TINY
    start, end = BATCH_START if opened else BATCH_RUN, BATCH_END if closed else BATCH_RUN
    return start + _inside(batch, window, left + 1, cells - 2, None) + end


def running(batch: Batch, window: Window, left: int, now: int) -> str:
    """The batch from `left` to now, still running: `▕─ 2: 4 ──▸`.

    Just begun, its label stands right of now (`▕ 2: 4 ▸`): its size is known from the poll.
    """
    start = BATCH_START if batch.start >= window.start and window.column(batch.start) == left else BATCH_RUN
    label = literal(batch.label)
    reach, room = window.column(now) - left, window.columns - left
    if label and reach > cell_width(label) + 3:
        return start + _inside(batch, window, left + 1, reach - 1, now) + HERE
    if label and reach <= cell_width(label) + 3 and cell_width(label) + 4 <= room:
        return f"{start} {label} {HERE}"
    return start + BATCH_RUN * (reach - 1) + HERE if reach > 0 else (start + HERE if room > 1 else HERE)


def _inside(batch: Batch, window: Window, left: int, cells: int, now: int | None) -> str:
    label, short = literal(batch.label), literal(batch.short)
    staged = _stages(batch, window, left, cells, label, now) if batch.stages else ""
    if staged:
        return staged
    used = cell_width(label)
    if label and cells >= used + 3:
        return f"{BATCH_RUN} {label} " + BATCH_RUN * (cells - used - 3)
    if label and cells == used + 2:
        return f" {label} "
    used = cell_width(short)
    return short + BATCH_RUN * (cells - used) if cells >= used else BATCH_RUN * cells


def _stages(batch: Batch, window: Window, left: int, cells: int, label: str, now: int | None) -> str:
    """The stages where they start, the label in the widest; "" unless each has two cells and the label has room."""
    end = left + cells
    known = [s for s in batch.stages if s.start in window and (now is None or s.start <= now)]
    if not known:
        return ""
    starts = [max(window.column(s.start), left) for s in known]
    spans = [b - a for a, b in zip(starts, [*starts[1:], end], strict=True)]
    if min(spans) < 2 or max(spans) < cell_width(label) + 4:
        return ""
    widest = spans.index(max(spans))
    out = BATCH_RUN * (starts[0] - left)
    for i, (stage, room) in enumerate(zip(known, spans, strict=True)):
        tail = f"{BATCH_RUN} {label} " if i == widest and label else ""
        name = literal(stage.name)
        if cell_width(name) + max(cell_width(tail), 1) > room:
            name = literal(stage.letter)[:1]
            name = name if cell_width(name) == 1 else BATCH_RUN
        out += name + tail + BATCH_RUN * (room - cell_width(name) - cell_width(tail))
    return out
