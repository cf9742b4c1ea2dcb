"""From a key press to what it means: the line being typed, the open question, or an action of the table.

Invariant: while a question or a line is open its keys reach nothing else.
"""

from __future__ import annotations

from . import actions, search
from .keys import action_of
from .state import State

_MOVES = ("forward", "back", "play", "start", "end", "goto", "find", "find_next", "find_previous", "break_at",
          "break_back", "packet")  # fmt: skip


def run(state: State, action: str) -> None:
    """Carry out an action of the table."""
    state.message = ""
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
    if state.prompt is not None:
        return search.type_into(state, key, character)
    if state.help and key in ("up", "down", "pageup", "pagedown"):
        by = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}[key]
        state.scroll["help"] = max(state.scroll.get("help", 0) + by, 0)
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
    run(state, action)
    return True
