"""Every key of a presenter's screen, and what a press means: a clicker's three, counts being typed, the table.

Invariant: on a blank screen any key brings the picture back and does nothing else.
"""

from __future__ import annotations

from .keys import Key
from .present_state import Present
from .pressing import WAIT

KEYS = (
    Key(("pagedown", "enter"), "PgDn ↵", "next", "reveal the answer; then the next beat"),
    Key(("pageup",), "PgUp", "back", "what was shown before"),
    Key(("full_stop", "."), ".", "blank", "a blank screen, until the next key"),
    Key(("t",), "t", "show_counts", "counts of the vote: show or hide"),
    Key(("v",), "v", "vote_again", "a second vote, shown beside the first"),
    Key((), "0-9", "type", "type a vote's counts, such as 3 12 20 10 17, then ↵"),
    Key(("right",), "→", "forward", "one step forward in the beat, never past an open question"),
    Key(("left",), "←", "back_step", "one step back"),
    Key(("space",), "space", "play", "play or pause in the beat"),
    Key(("plus", "equals_sign", "+", "="), "+", "larger_step", "larger steps: {steps}"),
    Key(("minus", "-"), "-", "smaller_step", "smaller steps"),
    Key(("greater_than_sign", ">"), ">", "faster", "play faster"),
    Key(("less_than_sign", "<"), "<", "slower", "play slower"),
    Key(("down",), "↓", "down", "the text down, when it is longer than the screen"),
    Key(("up",), "↑", "up", "the text up"),
    Key(("c",), "c", "clock", "what to skip to be on time again"),
    Key(("s",), "s", "skip", "skip this beat, without its answer"),
    Key(("T", "upper_t"), "T", "theme", "dark or light"),
    Key(("question_mark", "?", "f1"), "?", "help", "this list"),
    Key(("escape",), "esc", "cancel", "drop the counts being typed, stop playing"),
    Key(("q",), "q", "leave", "leave"),
)
_ACTION = {name: key.action for key in KEYS for name in key.keys}
_MOVES = {"forward": "forward", "back_step": "back", **{name: name for name in
          ("play", "larger_step", "smaller_step", "faster", "slower")}}  # fmt: skip
_BEGINS = ("next", "forward", "play")
_EVERYWHERE = ("blank", "theme", "help", "leave")
LONGEST = 80  # characters of counts


def press(present: Present, key: str, character: str | None) -> str:
    """What a key does to the lecture; returns what the screen has to do: "", "theme" or "leave"."""
    present.lesson.prefetch.patience.pressed()
    with present.state.reading(WAIT):
        return _press(present, key, character)


def _press(present: Present, key: str, character: str | None) -> str:
    if present.blank:
        present.blank = False
        return ""
    if present.help:
        present.help = False
        return ""
    if present.typed is not None:
        _type(present, key, character)
        return ""
    if character and character.isdigit() and character.isascii():
        _digit(present, character)
        return ""
    action = _ACTION.get(key) or _ACTION.get(character or "")
    present.message = ""
    if action is None:
        return ""
    if action in ("theme", "leave"):
        return action
    if present.page == "size" and action not in _EVERYWHERE:
        if action in _BEGINS:
            present.begin()
    elif action in _MOVES:
        present.move(_MOVES[action])
    else:
        _ACTIONS[action](present)
    return ""


def _digit(present: Present, character: str) -> None:
    if not present.choices():
        present.message = "counts belong to a question with choices" if present.page == "beat" else ""
    else:
        present.typed, present.message = character, ""


def _type(present: Present, key: str, character: str | None) -> None:
    """A key while counts are typed."""
    typed = present.typed or ""
    present.message = ""
    if key == "enter":
        present.put_counts()
    elif key == "escape":
        present.typed = None
    elif key == "backspace":
        present.typed = typed[:-1] or None
    elif key == "space" or (character and character in "0123456789 ,"):
        present.typed = (typed + (character or " ").replace(",", " "))[:LONGEST]
    else:
        present.message = "↵ keeps these counts, esc drops them"


def _blank(present: Present) -> None:
    present.blank = True
    present.state.playing = False


def _help(present: Present) -> None:
    present.help = True


def _clock(present: Present) -> None:
    pace = present.pace()
    present.message = present.advice() or f"{pace.state}, nothing to skip"


def _cancel(present: Present) -> None:
    present.state.playing = False


def _down(present: Present) -> None:
    present.scroll += 1


def _up(present: Present) -> None:
    present.scroll = max(present.scroll - 1, 0)


_ACTIONS = {
    "next": Present.next,
    "back": Present.back,
    "skip": Present.skip,
    "show_counts": Present.show_counts,
    "vote_again": Present.vote_again,
    "blank": _blank,
    "help": _help,
    "clock": _clock,
    "cancel": _cancel,
    "down": _down,
    "up": _up,
}
