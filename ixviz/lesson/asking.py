"""What is asked, in words: choices, rules, what an answer looks like, and which judge it goes to.

Invariant: one place knows the kinds of questions; a new kind is a new line here and a judge of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from ixviz.lesson import finds, places, tasks
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.judge import Choice, Outcome, choice_text, judge_choice, judge_number, wanted_number
from ixviz.lesson.model import LETTERS, Find, Predict, Task

Action = Predict | Task | Find


def kind(action: Action | None) -> str | None:
    """choose, number, order, point, task, find, or None for nothing."""
    if isinstance(action, Predict):
        return "number" if action.number else "order" if action.order else "point" if action.point else "choose"
    return "task" if isinstance(action, Task) else "find" if isinstance(action, Find) else None


def choices(action: Action, now: BeatEnv, later: Callable[[], BeatEnv]) -> tuple[Choice, ...]:
    """What has a letter: choices, things to be ordered, components. Of a choice's value only the form is of later."""
    words: list[str] = []
    if isinstance(action, Find):
        words = list(action.among)
    elif isinstance(action, Predict) and action.order is not None:
        words = places.labels(action.order, now)
    elif isinstance(action, Predict) and action.point is not None:
        words = list(action.point.among)
    elif isinstance(action, Predict) and action.options:
        words = [choice_text(option, now, later()) for option in action.options]
    return tuple(Choice(letter, text) for letter, text in zip(LETTERS, words, strict=False))


def rules(action: Action, now: BeatEnv) -> tuple[Choice, ...]:
    """The rules of a find, by number."""
    if not isinstance(action, Find):
        return ()
    return tuple(Choice(str(i), now.shown(rule.say)) for i, rule in enumerate(action.rules, start=1))


def wanted(action: Action | None) -> str:
    """What an answer looks like: `a-e`, `a number of requests, 1 to 64`, the values of a knob."""
    if isinstance(action, Task):
        return tasks.wanted(action)
    if isinstance(action, Find):
        return finds.wanted(action)
    if action is None:
        return ""
    if action.number is not None:
        return wanted_number(action.number)
    if action.order is not None:
        return places.wanted_order(action.order)
    if action.point is not None:
        return places.wanted_place(action.point)
    return f"a-{LETTERS[len(action.options) - 1]}"


def judge(action: Predict, text: str, now: BeatEnv, later: BeatEnv) -> Outcome:
    """What an answer ("" for a skip) is worth."""
    if action.number is not None:
        return judge_number(action.number, text, later)
    if action.order is not None:
        return places.judge_order(action.order, text, now, later)
    if action.point is not None:
        return places.judge_place(action.point, text, later)
    return judge_choice(action, text, now, later)
