"""What an answer is worth: the text a learner gave, against what the reveal says.

Invariant: the right answer is computed from the history at the reveal; nothing here is kept or shown before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.expr import ExprError, Value, format_value, parse_number_answer
from ixviz.lesson.expr.algebra import compare
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.model import LETTERS, LessonError, NumberAnswer, Option, Predict, Remark


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an answer. `kind`: unusable, right, wrong or skipped.

    `message` says what is wanted (unusable) or why it is wrong; `said` and `was` are the answers in words, the letters
    those of choices; "" where there is none.
    """

    kind: str
    message: str = ""
    said_letter: str = ""
    said: str = ""
    was_letter: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice as it is shown."""

    letter: str
    text: str


def choice_text(option: Option, now: BeatEnv, later: BeatEnv) -> str:
    """The words of a choice, with what is known now; or the value it stands for."""
    if option.say is not None:
        return now.shown(option.say)
    assert option.is_ is not None
    try:
        return format_value(later.value(option.is_))
    except ExprError as error:
        raise option.is_.error(error) from None


def right_options(predict: Predict, later: BeatEnv) -> list[int]:
    """Which choices are right: exactly one in a lesson that passes the checker."""
    if predict.answer is None:
        return [i for i, option in enumerate(predict.options) if option.when is not None and later.truth(option.when)]
    answer = later.value(predict.answer)
    found = []
    for i, option in enumerate(predict.options):
        assert option.is_ is not None
        value = later.value(option.is_)
        if value.kind is not answer.kind:
            raise option.is_.error(ExprError(f"this is no {answer.kind.value}, as the answer is"))
        if compare("==", value.data, answer.data):
            found.append(i)
    return found


def only_right(predict: Predict, later: BeatEnv) -> int:
    """The right choice. Raises LessonError unless there is exactly one."""
    found = right_options(predict, later)
    if len(found) != 1:
        named = " and ".join(LETTERS[i] for i in found) or "none"
        raise LessonError(predict.place.problem(f"exactly one choice must be right at the reveal, {named} is"))
    return found[0]


def judge_choice(predict: Predict, letter: str, now: BeatEnv, later: BeatEnv) -> Outcome:
    """A letter (or nothing: skipped) against the right choice."""
    letters = LETTERS[: len(predict.options)]
    word = letter.strip().rstrip(".)").lower()
    if word and (len(word) != 1 or word not in letters):
        return Outcome("unusable", f"Answer with a letter, {letters[0]} to {letters[-1]}.")
    right = only_right(predict, later)
    was = {"was_letter": letters[right], "was": choice_text(predict.options[right], now, later)}
    if not word:
        return Outcome("skipped", **was)
    said = predict.options[letters.index(word)]
    spoken = {"said_letter": word, "said": choice_text(said, now, later)}
    if letters[right] == word:
        return Outcome("right", **spoken, **was)
    return Outcome("wrong", later.shown(said.because), **spoken, **was)


def wanted_number(number: NumberAnswer) -> str:
    """`a number of requests, 1 to 64`."""
    unit = number.unit if number.unit in UNITS else None
    ends = f"{format_value(number.low, unit)} to {format_value(number.high, unit)}"
    return f"a number, {ends}" if unit else f"a number of {number.unit}, {ends}"


def with_noun(value: Value, number: NumberAnswer) -> str:
    """A value in the unit, or with the noun, of an answer: `12 µs`, `4 packets`."""
    if number.unit in UNITS:
        return format_value(value, number.unit)
    return f"{format_value(value)} {number.unit}"


def judge_number(number: NumberAnswer, text: str, later: BeatEnv) -> Outcome:
    """A number (or nothing: skipped) against the answer."""
    said: Value | None = None
    if text.strip():
        try:
            said = parse_number_answer(text, number.unit)
        except ExprError as error:
            return Outcome("unusable", f"{error.message[:1].upper()}{error.message[1:]}: {wanted_number(number)}.")
        if not number.low.data <= said.data <= number.high.data:
            return Outcome("unusable", f"That is not possible here: {wanted_number(number)}.")
    answer = later.value(number.answer)
    if answer.kind is not number.low.kind:
        raise number.answer.error(ExprError(f"the answer is not in {number.unit}"))
    was = with_noun(answer, number)
    if said is None:
        return Outcome("skipped", was=was)
    reach = number.within.data * (abs(answer.data) if number.relative else 1)
    if abs(said.data - answer.data) <= reach:
        return Outcome("right", said=with_noun(said, number), was=was)
    return Outcome("wrong", remark(number, said, later), said=with_noun(said, number), was=was)


def remark(number: NumberAnswer, said: Value, later: BeatEnv) -> str:
    """What is said to this number: the first remark that is true."""
    return first_true(number.remarks, later.with_values({"said": said}))


def first_true(remarks: Iterable[Remark], env: BeatEnv) -> str:
    """What the first remark that is true says; "" when none is."""
    return next((env.shown(each.say) for each in remarks if env.truth(each.when)), "")


__all__ = ["Choice", "Outcome", "choice_text", "first_true", "judge_choice", "judge_number", "only_right", "remark",
           "right_options", "wanted_number", "with_noun"]  # fmt: skip
