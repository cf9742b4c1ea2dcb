"""The open question: what is chosen, typed, put in order or pointed at, and the keys it owns.

Invariant: choosing commits nothing, ↵ does; no key but s passes the question by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .state import MOMENT, State

LETTERS = "abcdef"
_OWN = f"{LETTERS}hs0123456789"
_POINTS = ("point", "find")


class Question:
    """What LessonState knows about answering.

    `chosen` is the letter's choice or part, `rule` the rule of a find; `typed` the number being written, or of an order
    the letters so far. `said` is what is said to the last try, `label` the word before it.
    """

    session: Any
    asking: bool
    over: bool
    preparing: bool
    chosen: int | None
    rule: int | None
    typed: str
    said: str
    label: str
    judging: bool  # whether a task's machine runs
    shows: tuple[int, str] | None  # the event that shows the answer, in words
    _texts: Any
    _waiting: Callable[[], None] | None
    _background: Callable[[Callable[[], Any]], None]
    place: Callable[[State], None]
    _work: Callable[..., None]
    _when_ready: Callable[[State, Callable[[], None]], None]
    _try: Callable[[Callable[[], None]], None]

    def press(self, state: State, key: str, character: str | None) -> bool:
        """A key of the open question; False when it is none of its keys."""
        if self.over:
            return False
        if not self.asking:
            return self._afterwards(state, character)
        if self.judging and (key in ("enter", "backspace", "pagedown") or (character or "q") in _OWN):
            state.message = MOMENT
            return True
        if self._texts is None:
            return key in ("enter", "pagedown") or bool(character and character.isalnum() and character != "q")
        kind = self.session.action
        if character and len(character) == 1 and character in f"{LETTERS}hs":
            self._letter(state, character)
            return True
        if character and (character.isdigit() or (kind in ("number", "task") and character in ".,-" and self.typed)):
            self._digit(state, character)
            return True
        if state.tab == "Lesson" and key in ("up", "down") and self._texts.choices and kind != "order":
            self._move(state, 1 if key == "down" else -1)
            return True
        if key == "backspace" and self.typed:
            self.typed, self.said = self.typed[:-1], ""
            return True
        if key == "enter" and (state.tab == "Lesson" or state.selected.get(state.tab) is None):
            self._answer(state)
            return True
        if key == "pagedown":
            state.message = "first answer, or s skips"
            return True
        return False

    def _afterwards(self, state: State, character: str | None) -> bool:
        """After the answer w leads from the text to the place where it can be seen."""
        if character != "w" or state.tab != "Lesson" or self.shows is None or state.busy:
            return False
        state.playing, state.tab, state.message = False, "Why", ""
        state.go(self.shows[0])
        return True

    # ---------------------------------------------------------------- choosing
    def _letter(self, state: State, letter: str) -> None:
        state.tab = "Lesson"
        if letter == "h":
            self._when_ready(state, lambda: self._hint(state)) if state.busy else self._try(lambda: self._hint(state))
        elif letter == "s":
            self._when_ready(state, lambda: self._answered(state, self.session.skip()))
        elif letter in LETTERS[: len(self._texts.choices)]:
            self.said = state.message = ""
            if self.session.action != "order":
                self.chosen = LETTERS.index(letter)
            elif letter not in self.typed:
                self.typed += letter
            else:
                state.message = f"{letter} is number {self.typed.index(letter) + 1} already; backspace takes one back"

    def _digit(self, state: State, digit: str) -> None:
        if self.session.action == "find":
            number, rules = int(digit), len(self._texts.rules)
            state.tab, self.said, state.message = "Lesson", "", ""
            if 1 <= number <= rules:
                self.rule = number - 1
            else:
                state.message = f"the rules are 1 to {rules}"
        elif not self._texts.choices:
            self.typed, self.said, state.tab = (self.typed + digit)[:20], "", "Lesson"

    def _move(self, state: State, by: int) -> None:
        last = len(self._texts.choices) - 1
        chosen = self.chosen if self.chosen is not None else (-1 if by > 0 else last + 1)
        self.chosen, self.said, state.message = min(max(chosen + by, 0), last), "", ""

    def point_at(self, state: State, part: str) -> bool:
        """A click on a part of the machine. False when the question is not about that part."""
        asked = self.asked()
        if not self.asking or self.judging or not asked:
            return False
        found = [i for i, name in enumerate(asked) if name == part] or [
            i for i, name in enumerate(asked) if part.endswith(f".{name}")
        ]
        if found:
            self.chosen, self.said, state.tab, state.message = found[0], "", "Lesson", ""
        return bool(found)

    def asked(self) -> tuple[str, ...]:
        """The parts of the machine that the question is about, in the order of their letters."""
        if self.over or self._texts is None or self.session.action not in _POINTS:
            return ()
        return tuple(choice.text for choice in self._texts.choices)

    # ---------------------------------------------------------------- answering
    def hints_left(self) -> int:
        """How many hints h has still to give."""
        action = getattr(self.session.beat, "action", None)
        return len(action.hints) - len(self._texts.hints) if action is not None and self._texts is not None else 0

    def _hint(self, state: State) -> None:
        hint = self.session.hint()
        self._texts = self.session.texts()
        state.message = "" if hint else f"there is no {'further ' if self._texts.hints else ''}hint here"

    def missing(self) -> str:
        """What the answer lacks, in words; "" when it is whole."""
        kind, letters = self.session.action, LETTERS[: len(self._texts.choices)]
        if kind == "order":
            left = [letter for letter in letters if letter not in self.typed]
            if not self.typed:
                return f"type {self._texts.wanted}, then ↵"
            words = left[0] if len(left) == 1 else f"{', '.join(left[:-1])} and {left[-1]}" if left else ""
            return f"{words} {'is' if len(left) == 1 else 'are'} missing, then ↵" if left else ""
        if kind == "find":
            part = f"a letter, a to {letters[-1]}, for the part" if self.chosen is None else ""
            rule = f"a number, 1 to {len(self._texts.rules)}, for the rule" if self.rule is None else ""
            return f"type {' and '.join(filter(None, (part, rule)))}, then ↵" if part or rule else ""
        if kind == "point":
            return f"type a letter, a to {letters[-1]}, or click on the part, then ↵" if self.chosen is None else ""
        if letters:
            return f"choose {self._texts.wanted}, then ↵" if self.chosen is None else ""
        return f"type {self._texts.wanted}, then ↵" if not self.typed else ""

    def _answer(self, state: State) -> None:
        state.tab, self.label = "Lesson", ""
        self.said = self.missing()
        if self.said:
            return
        text = self.typed if self.chosen is None else LETTERS[self.chosen]
        if self.rule is not None:
            text += str(self.rule + 1)
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
            self.said, self.label = outcome.message, ""
            if self.session.action != "order":
                self.typed = ""
            if outcome.kind == "wrong":
                self.label = "NOT SO" if outcome.said_letter else "NOT YET"
                self.said = f"{outcome.said_letter}  {outcome.said.rstrip('.')}. {outcome.message}".strip()
                if not outcome.said_letter:
                    self.said = f"{outcome.said}: {outcome.message}"
            self._texts = self.session.texts()
            return
        state.tab = "Lesson"
        state.scroll.clear()
        found = self.session.action == "find"  # with all recorded; he stays where he looked
        self._placing = state if self._at_end() and not found else None
        self.place(state)
        self._work(prepare=False)
