"""The machine on the screen: its parts, its lanes, or what a lesson shows in their place; and what a click there means.

Invariant: while a thread records the machine nothing of it is read: it stays as it was drawn last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ixviz.draw.cells import Lines, Span, fit

from .hits import Hit
from .marks import marked
from .state import State


def _marked(state: State, wide: bool = False) -> frozenset[str]:
    """What of the machine is shown: a view that was chosen; in a lesson what the beat marks, all where there is room
    for it, but for what an open question is about."""
    if not state.asking and (mark := state.view_mark()):
        return frozenset((mark,))
    if state.everything or state.lesson is None:
        return frozenset()
    shown = state.lesson.marked()
    # where there is room all is shown, but another view of the machine stays what it is
    return shown & frozenset(state.branch.picture.views.values()) if wide and not state.asking else shown


def _note(state: State) -> str:
    return "after ▲ nothing is shown till you answer" if state.asking and state.branch.limit is not None else ""


def kept(state: State, key: tuple[Any, ...], make: Callable[[], Any], instead: Any) -> Any:
    """What is read of the machine; while it cannot be read what was drawn last, if it is still the same place."""
    branch = state.branch
    own = state.lesson
    asked = (own.session.index, own.session.review, own.asking) if own is not None else ()
    place = (id(branch.sim), branch.at, branch.now, asked)  # an answered question's marks are none of an open one's
    if state.busy:
        known = state.kept.get(key)
        return known[1] if known is not None and known[0] == place else instead
    made = make()
    if len(state.kept) > 50:  # of sizes that the screen had once
        state.kept.clear()
    state.kept[key] = (place, made)
    return made


def _simulating(width: int) -> Lines:
    return [fit((Span("simulating …", "dim"),), width)]


def machine(state: State, width: int, height: int, wide: bool, y: int, hits: list[Hit]) -> Lines:
    def draw() -> tuple[Lines, list[Hit]]:
        branch, found = state.branch, list[Hit]()
        drawn, shown = marked(
            state,
            lambda room: branch.picture.machine(
                branch.moment,
                room,
                height,
                wide=wide,
                followed=state.followed,
                core=state.core_shown(),
                marked=_marked(state, wide),
            ),
            width,
        )
        for part, spot in shown.spots:
            row, left = y + spot.line, shown.gutter
            x0, x1 = (left + spot.x0 - 1, left + spot.x1 + 1) if spot.shared else (0, width)
            found.append(Hit(row, row + 1, x0, x1, "part", part))
        found += [Hit(y + i, y + i + 1, 0, width, "part", d.name) for i, d in enumerate(drawn) if d.name]
        return shown.lines, found

    lines, found = kept(state, ("machine", width, height, wide, y), draw, (_simulating(width), []))
    hits.extend(found)
    return list(lines)


def lanes(state: State, width: int, rows: int, y: int, hits: list[Hit]) -> Lines:
    branch = state.branch
    shown = kept(
        state,
        ("lanes", width, rows, _note(state)),
        lambda: branch.picture.lanes(
            branch.moment,
            width,
            rows,
            zoom=state.zoom,
            note=_note(state),
            followed=state.followed,
            core=state.core_shown(),
        ),
        None,
    )
    if shown is None:
        return [fit("", width)] * (rows + 3)
    x0 = width - shown.columns
    hits.append(
        Hit(y, y + len(shown.lines), x0, width, "time", (shown.start, (shown.end - shown.start) // shown.columns))
    )
    return list(shown.lines)


def stage(state: State, width: int, height: int) -> Lines | None:
    """What a lesson shows where the machine would be; None for the machine."""
    if state.lesson is None:
        return None
    made = kept(state, ("stage", width, height), lambda: state.lesson.stage(state, width, height), _simulating(width))
    return made if made is None else list(made)
