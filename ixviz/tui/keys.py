"""Every key of the main screen: what it is called, what it does, in which words. Footer, help and palette read it.

Invariant: an action that is not in this table cannot be reached, and every action in it has a name for the palette.
"""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """`keys` as Textual names them, `shown` as the help prints them, `action` of actions.py, `help` in words (see
    Branch.named). `word` and `weight` are for the footer ("" = not in it)."""

    keys: tuple[str, ...]
    shown: str
    action: str
    help: str
    word: str = ""
    weight: int = 0


KEYS = (
    Key(("right",), "→", "forward", "one step forward, in the present step size", "", 0),
    Key(("left",), "←", "back", "one step back", "", 0),
    Key(("plus", "equals_sign", "+", "="), "+", "larger_step", "larger steps: {steps}"),
    Key(("minus", "-"), "-", "smaller_step", "smaller steps"),
    Key(("space",), "space", "play", "play or pause"),
    Key(("greater_than_sign", "full_stop", ">", "."), "> .", "faster", "play faster, up to as fast as it goes"),
    Key(("less_than_sign", "comma", "<", ","), "< ,", "slower", "play slower, down to a step each second"),
    Key(("home",), "home", "start", "to the start"),
    Key(("end",), "end", "end", "to the end (records the whole run first)"),
    Key(("pagedown",), "PgDn", "next_beat", "next beat of the lesson; ↵ does the same"),
    Key(("pageup",), "PgUp", "previous_beat", "previous beat of the lesson"),
    Key(("g",), "g", "goto", "go to a time or event: 5 us, +500us, -1 us, #120"),
    Key(("slash", "/"), "/", "find", "find in the log: a word, a component, {noun} 9"),
    Key(("n",), "n", "find_next", "next event that was looked for"),
    Key(("N", "upper_n"), "N", "find_previous", "the one before"),
    Key(("b", "u"), "b u", "break_at", "run to where a condition becomes true: {condition}"),
    Key(("B", "upper_b", "U", "upper_u"), "B U", "break_back", "back to where it last became true"),
    Key(("w",), "w", "why", "why did this {noun} {late}"),
    Key(("p",), "p", "packet", "follow one {noun}: its number, or ↵ for the one shown"),
    Key(("i",), "i", "inspect", "look into a part: its fields and what they mean"),
    Key(("x",), "x", "what_if", "what if a knob were different from here on: {knob}"),
    Key(("v",), "v", "next_branch", "look at the next branch of what if"),
    Key(("z",), "z", "closer", "look close: every event of 1 ms around now, where not all was recorded"),
    Key(("V", "upper_v"), "V", "next_view", "the machine as its parts or in another view: {views}", "view", 0),
    Key(("m",), "m", "marked", "show everything, or what the beat marks"),
    Key(("c",), "c", "compare", "compare with another system on the same packets"),
    Key(("C", "upper_c"), "C", "next_chart", "next chart"),
    Key(("left_square_bracket", "["), "[", "zoom_in", "lanes: less time in a cell"),
    Key(("right_square_bracket", "]"), "]", "zoom_out", "lanes: more time in a cell"),
    Key(("left_curly_bracket", "{", "k"), "k", "core_up", "the core before; esc: again that of the present event"),
    Key(("right_curly_bracket", "}", "j"), "j", "core_down", "the next core"),
    Key(("tab",), "tab", "next_tab", "next tab; 1 to 8 choose one"),
    Key(("shift+tab",), "shift tab", "previous_tab", "the tab before"),
    Key(("down",), "↓", "down", "down in the panel"),
    Key(("up",), "↑", "up", "up in the panel"),
    Key(("enter",), "↵", "enter", "go to the chosen line; in a lesson, the next beat"),
    Key(("T", "upper_t"), "T", "theme", "dark or light"),
    Key(("question_mark", "?", "f1"), "?", "help", "this list"),
    Key(("escape",), "esc", "cancel", "stop what is going on, close the help"),
    Key(("q",), "q", "up_level", "one level up"),
    Key((), "ctrl+p", "palette", "every action by name"),
    Key((), "ctrl+c", "quit", "leave at once"),
)

ACTION_OF = {name: key.action for key in KEYS for name in key.keys}


def action_of(key: str, character: str | None) -> str | None:
    """The action of a key press, by Textual's name or by the character."""
    return ACTION_OF.get(key) or (ACTION_OF.get(character) if character else None)
