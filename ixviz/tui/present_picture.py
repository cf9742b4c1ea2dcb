"""The picture of a presenter's screen: the parts that the beat's `look` marks, the lanes, or its chart or table.

Invariant: at most `height` lines; what is not marked is not drawn; while the machine cannot be read it stays as it was.
"""

from __future__ import annotations

from ixviz.draw.cells import Lines, Span, fit

from .marks import marked
from .picture import kept
from .present_state import Present

_CHART, _FULL_CHART, _LANES = 7, 12, 4


def least(present: Present) -> int:
    """Lines below which the picture says little."""
    state, lesson = present.state, present.lesson
    look = present.session.look
    if lesson.compare() is not None:
        return _LANES * len(lesson.compare() or ()) + len(lesson.compare() or ())
    if look is not None and look.view != "machine":
        return _CHART
    cores = state.branch.picture.cores
    if cores > 1 and not lesson.marked():
        return cores + 2  # a row each
    return _LANES if state.branch.now else 1


def best(present: Present) -> int:
    """Lines with which the picture shows all that is marked."""
    look = present.session.look
    if present.lesson.compare() is not None or look is None or look.view != "machine":
        return max(least(present), _FULL_CHART)
    parts = kept(present.state, ("best",), lambda: len(_parts(present, 80, 24)), 1)
    return int(parts) + (1 + _lanes_rows(present) if present.state.branch.now and not _other(present) else 0)


def picture(present: Present, width: int, height: int) -> Lines:
    """What is shown now."""
    simulating = [fit((Span("simulating …", "dim"),), width)]
    drawn = kept(present.state, ("picture", width, height), lambda: _picture(present, width, height), simulating)
    return list(drawn)[: max(height, 0)]


def _picture(present: Present, width: int, height: int) -> Lines:
    drawn = present.lesson.stage(present.state, width, min(height, 18))
    return drawn if drawn is not None else _machine(present, width, height)


def _lanes_rows(present: Present) -> int:
    """Lines of the lanes: at most four cores, an axis, arrivals, now."""
    return min(int(present.state.branch.picture.cores), 4) + 3


def _other(present: Present) -> bool:
    """Whether a view is marked that is no row of parts: it has the room that the lanes would take."""
    views = present.state.branch.picture.views
    return bool(present.lesson.marked() & {mark or name for name, mark in views.items()})


def _parts(present: Present, width: int, height: int) -> Lines:
    """The parts of the machine that are marked, with the letters of a question about them."""
    state = present.state
    branch = state.branch
    # The form with a row a core ends with its latency: where room is short rather that line goes than a core.
    rows = height + (1 if branch.picture.cores > 1 else 0)
    core, wanted = state.core_shown(), present.lesson.marked()
    _, shown = marked(
        state, lambda room: branch.picture.machine(branch.moment, room, rows, core=core, marked=wanted), width
    )
    return shown.lines[:height]


def _machine(present: Present, width: int, height: int) -> Lines:
    state = present.state
    branch = state.branch
    rows = _lanes_rows(present)
    lanes: Lines = []
    if branch.now and height >= rows and not _other(present):
        drawn = branch.picture.lanes(branch.moment, width, rows - 3, zoom=state.zoom, core=state.core_shown())
        lanes = list(drawn.lines)
    room = height - len(lanes) - (1 if lanes else 0)
    if lanes and (room < 1 or (room < 3 and not present.lesson.marked())):
        return lanes
    return [*_parts(present, width, room), *([fit("", width)] if lanes else []), *lanes]
