"""Choices and numbers: one right answer that is read from the run, and something said to each wrong one.

Invariant: every choice is evaluated at the reveal, and every part of a number's range is tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ixviz.lesson.checker.scene import Scene
from ixviz.lesson.expr import Value, format_value
from ixviz.lesson.expr.algebra import compare
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.judge import choice_text, remark, right_options
from ixviz.lesson.model import LETTERS, NumberAnswer, Predict
from ixviz.scenario.messages import Problem

_STEPS = 200  # numbers tried over the range
_MOST_COUNTED = 1_000  # of things that are counted every whole number is tried, up to so many


def choices(scene: Scene) -> Iterator[Problem]:
    """Exactly one is right, no two are equal, each wrong one says why, and none is typed."""
    predict = scene.beat.action
    if not isinstance(predict, Predict) or not predict.options:
        return
    if predict.answer is not None and not scene.reads_history(predict.answer):
        yield predict.answer.place.problem("the answer is typed: it must be read from the run")
    for option in predict.options:
        if option.when is not None and not scene.reads_history(option.when):
            yield option.when.place.problem("this is typed: a choice is right because of what the run did")
    right = right_options(predict, scene.later)
    if len(right) != 1:
        named = " and ".join(LETTERS[i] for i in right) or "none"
        yield predict.place.problem(f"exactly one choice must be right at the reveal, {named} is")
    else:
        scene.letter = LETTERS[right[0]]
    yield from _equal(scene, predict)
    for i, option in enumerate(predict.options):
        if i in right:
            continue
        if option.because is None:
            yield option.place.problem(f"choice {LETTERS[i]} is wrong and does not say because")
        else:
            scene.later.shown(option.because)


def _equal(scene: Scene, predict: Predict) -> Iterator[Problem]:
    seen: list[tuple[str, Value | None]] = []
    for i, option in enumerate(predict.options):
        words = choice_text(option, scene.now, scene.later)
        value = scene.later.value(option.is_) if option.is_ is not None else None
        for j, (other, worth) in enumerate(seen):
            same = value is not None and worth is not None and bool(compare("==", value.data, worth.data))
            if same or other == words:
                yield option.place.problem(f"choices {LETTERS[j]} and {LETTERS[i]} are equal")
        seen.append((words, value))


def number(scene: Scene) -> Iterator[Problem]:
    """The answer is read from the run and lies in the range; whatever else is said, a remark answers it."""
    predict = scene.beat.action
    if not isinstance(predict, Predict) or predict.number is None:
        return
    asked = predict.number
    if not scene.reads_history(asked.answer):
        yield asked.answer.place.problem("the answer is typed: it must be read from the run")
    answer = scene.later.value(asked.answer)
    if not asked.low.data <= answer.data <= asked.high.data:
        yield asked.answer.place.problem(f"the answer, {_shown(asked, answer)}, is not between from and to")
        return
    reach = asked.within.data * (abs(answer.data) if asked.relative else 1)
    for said in _tried(asked, answer, reach):
        if abs(said.data - answer.data) > reach and not remark(asked, said, scene.later):
            yield asked.answer.place.problem(f"nothing is said to {_shown(asked, said)}, which is wrong")
            return


def _tried(asked: NumberAnswer, answer: Value, reach: float) -> Iterator[Value]:
    low, high = asked.low.data, asked.high.data
    if asked.unit not in UNITS and high - low <= _MOST_COUNTED:
        yield from (Value(asked.low.kind, whole) for whole in range(math.ceil(low), int(high) + 1))
    for edge in (answer.data - reach * (1 + 1e-6), answer.data + reach * (1 + 1e-6)):
        if low <= edge <= high:
            yield Value(asked.low.kind, edge)
    for i in range(_STEPS + 1):
        yield Value(asked.low.kind, low + (high - low) * i / _STEPS)


def _shown(asked: NumberAnswer, value: Value) -> str:
    return format_value(value, asked.unit if asked.unit in UNITS else None)
