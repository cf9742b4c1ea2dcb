"""The open question: its choice or number, and the keys it owns.

Invariant: choosing commits nothing, ↵ does; no key but s passes the question by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .state import State

LETTERS = "abcdef"
_OWN = f"{LETTERS}hs0123456789"


class Question:
    """What LessonState knows about answering. `typed` is the number being written, `chosen` the choice."""

    session: Any
    asking: bool
    over: bool
    chosen: int | None
    typed: str
    said: str  # what the last answer lacked
    judging: bool  # whether a task's machine runs
    _texts: Any
    _waiting: Callable[[], None] | None
    _background: Callable[[Callable[[], Any]], None]
    place: Callable[[State], None]
    _work: Callable[..., None]
    _when_ready: Callable[[State, Callable[[], None]], None]

    def press(self, state: State, key: str, character: str | None) -> bool:
        """A key of the open question; False when it is none of its keys."""
        if not self.asking or self.over:
            return False
        if self.judging and (key in ("enter", "backspace", "pagedown") or (character or "q") in _OWN):
            state.message = "simulating, a moment"
            return True
        kind = self.session.action
        if self._texts is None:
            return key in ("enter", "pagedown") or bool(character and character.isalnum() and character != "q")
        choices = self._texts.choices
        if character and character.isalpha() and len(character) == 1 and character in f"{LETTERS}hs":
            if character == "h":
                hint = self.session.hint()
                self._texts = self.session.texts()
                state.message = "" if hint else f"there is no {'further ' if self._texts.hints else ''}hint here"
            elif character == "s":
                self._when_ready(state, lambda: self._answered(state, self.session.skip()))
            elif character in LETTERS[: len(choices)]:
                self.chosen, self.said, state.message = LETTERS.index(character), "", ""
            state.tab = "Lesson"
            return True
        if character and (character.isdigit() or (kind in ("number", "task") and character in ".,-" and self.typed)):
            if not choices:
                self.typed, self.said, state.tab = (self.typed + character)[:20], "", "Lesson"
            return True
        if state.tab == "Lesson" and key in ("up", "down") and choices:
            chosen = self.chosen if self.chosen is not None else (-1 if key == "down" else len(choices))
            self.chosen = min(max(chosen + (1 if key == "down" else -1), 0), len(choices) - 1)
            return True
        if key == "backspace" and self.typed:
            self.typed = self.typed[:-1]
            return True
        if key == "enter" and (state.tab == "Lesson" or state.selected.get(state.tab) is None):
            self._answer(state)
            return True
        if key == "pagedown":
            state.message = "first answer, or s skips"
            return True
        return False

    def hints_left(self) -> int:
        """How many hints h has still to give."""
        action = getattr(self.session.beat, "action", None)
        return len(action.hints) - len(self._texts.hints) if action is not None and self._texts is not None else 0

    def _answer(self, state: State) -> None:
        choices = self._texts.choices
        text = LETTERS[self.chosen] if choices and self.chosen is not None else self.typed
        state.tab = "Lesson"
        if not text:
            self.said = f"{'choose' if choices else 'type'} {self._texts.wanted}, then ↵"
            return
        self._when_ready(state, lambda: self._judge(state, text))

    def _judge(self, state: State, text: str) -> None:
        """What the answer is worth; a task runs its machine for it, in the background."""
        if self.session.action != "task":
            self._answered(state, self.session.answer(text))
            return
        found: list[Any] = []
        self.judging, self.said = True, ""
        self._background(lambda: found.append(self.session.answer(text)))
        self._waiting = lambda: self._answered(state, found[0])

    def _answered(self, state: State, outcome: Any) -> None:
        state.message, self.judging = "", False
        if outcome.kind == "unusable" or self.asking:
            self.said, self.typed = outcome.message, ""
            if outcome.kind == "wrong":
                self.said = f"{outcome.said}: {outcome.message}"
            self._texts = self.session.texts()
            return
        state.tab = "Lesson"
        state.scroll.clear()
        self.place(state)
        self._work(prepare=False)
