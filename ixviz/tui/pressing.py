"""From a key press to what it means: the line being typed, the open question, or an action of the table.

Invariant: while a question or a line is open its keys reach nothing else.
"""

from __future__ import annotations

from typing import Any

from . import actions, search
from .keys import action_of
from .state import MOMENT, State

WAIT = 0.03  # seconds to wait for a thread that records, before a key that needs the machine is refused
_MOVES = ("forward", "back", "play", "start", "end", "goto", "find", "find_next", "find_previous", "break_at",
          "break_back", "packet")  # fmt: skip


# What needs no machine: these work while a thread records it.
_FREE = ("help", "cancel", "up_level", "quit", "theme", "palette", "next_beat", "previous_beat", "next_tab",
         "previous_tab", "why", "larger_step", "smaller_step", "faster", "slower", "marked", "next_view",
         "enter")  # fmt: skip


def run(state: State, action: str) -> None:
    """Carry out an action of the table."""
    with state.reading(WAIT):
        _run(state, action)


def _run(state: State, action: str) -> None:
    state.message = ""
    if state.busy and (action not in _FREE or (action == "enter" and state.links)):
        state.message = MOMENT
        return
    if action in _MOVES and state.lesson is not None and state.lesson.figures(state):
        state.message = "these are figures of whole runs; m shows the machine, to step through it"
        return
    if state.job is not None and action not in ("cancel", "up_level", "quit", "help"):
        state.job, state.job_text = None, ""
    if action in ("forward", "back", "start", "end", "goto", "find", "break_at", "break_back", "packet", "what_if"):
        state.playing = False
    actions.ACTIONS[action](state)


def press(state: State, key: str, character: str | None) -> bool:
    """A key: of the prompt, of the open question, of the table. Returns whether it meant anything."""
    with state.reading(WAIT):
        return _press(state, key, character)


def _press(state: State, key: str, character: str | None) -> bool:
    if state.prompt is not None and key == "enter" and state.busy:
        state.prompt.error = MOMENT
        return True
    if state.prompt is not None:
        return search.type_into(state, key, character)
    if state.scrolls_help(key):
        return True
    if state.lesson is not None and not state.help and state.lesson.press(state, key, character):
        return True
    if character and character.isdigit() and character != "0":
        state.message = ""
        actions.tab_number(state, int(character))
        return True
    action = action_of(key, character)
    if action is None:
        return False
    if state.help and action not in ("help", "cancel", "up_level", "quit", "theme"):
        state.help = False
        return True
    _run(state, action)
    return True


def click(state: State, hit: Any, x: int, *, dragging: bool = False) -> None:
    """The mouse, pressed or dragged at column `x` of a rectangle of the frame."""
    with state.reading(WAIT):
        if not state.help:
            _click(state, hit, x, dragging)


def _click(state: State, hit: Any, x: int, dragging: bool) -> None:
    if hit.kind == "time":
        if state.busy:
            state.message = MOMENT
            return
        state.playing = False
        state.message = ""
        start, cell = hit.data
        state.go_to_time(start + (x - hit.x0) * cell + cell // 2)
    elif dragging:
        return
    elif hit.kind == "tab":
        state.tab = hit.data
    elif hit.kind == "part":
        name = str(hit.data)
        if state.lesson is not None and state.lesson.point_at(state, name):
            return
        if name not in state.branch.cursor.view:
            return
        state.tab, state.part = "Parts", name
        if name.startswith("core") and name[4:].isdigit():
            state.core = int(name[4:])
