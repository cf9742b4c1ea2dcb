"""Answers that order things or point at a component, against what the reveal says.

Invariant: letters go by the order in which the lesson lists things; what is right is read at the reveal only.
"""

from __future__ import annotations

import re

from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.expr import ExprError, Kind, Value, format_value, number, parse
from ixviz.lesson.expr.algebra import comparable, compare
from ixviz.lesson.judge import Outcome, first_true
from ixviz.lesson.model import LETTERS, Formula, Item, OrderAnswer, PointAnswer


def label(item: Item, now: BeatEnv) -> str:
    """What an item is called on the screen: its words, or the name of its row (`packet 9`)."""
    if item.say is not None:
        return now.shown(item.say)
    value = now.value(Formula(item.name, item.value.written, parse(item.name)))
    return format_value(value) if value.kind is Kind.ROW else item.name


def labels(order: OrderAnswer, now: BeatEnv) -> list[str]:
    """The names of all items."""
    return [label(item, now) for item in order.items]


def right_order(order: OrderAnswer, later: BeatEnv) -> list[int]:
    """The items by rising value. Raises LessonError when two are equal or cannot be compared."""
    values = [later.value(item.value) for item in order.items]
    for i, (item, value) in enumerate(zip(order.items, values, strict=True)):
        for j in range(i):
            try:
                comparable("<", values[j].kind, value.kind, 0)
            except ExprError as error:
                raise item.value.error(error) from None
            if compare("==", values[j].data, value.data):
                raise item.value.error(ExprError(f"items {LETTERS[j]} and {LETTERS[i]} are equal: there is no order"))
    return sorted(range(len(values)), key=lambda i: values[i].data)


def wanted_order(order: OrderAnswer) -> str:
    """`the letters a to c, first to last`."""
    return f"the letters a to {LETTERS[len(order.items) - 1]}, first to last"


def judge_order(order: OrderAnswer, text: str, now: BeatEnv, later: BeatEnv) -> Outcome:
    """Letters in order (or nothing: skipped) against the order at the reveal."""
    letters = LETTERS[: len(order.items)]
    said = [letters.find(sign) for sign in re.sub(r"[\s,;.>]+", "", text.lower())]
    if text.strip() and sorted(said) != list(range(len(letters))):
        return Outcome("unusable", f"Answer with {wanted_order(order)}, each once.")
    names = labels(order, now)

    def spoken(indices: list[int]) -> dict[str, str]:
        words = ", ".join(names[i].rstrip(".") for i in indices)
        return {"letter": "".join(letters[i] for i in indices), "words": words}

    right = right_order(order, later)
    was = {f"was{k}": v for k, v in (("_letter", spoken(right)["letter"]), ("", spoken(right)["words"]))}
    if not said:
        return Outcome("skipped", **was)
    told = {"said_letter": spoken(said)["letter"], "said": spoken(said)["words"]}
    if said == right:
        return Outcome("right", **told, **was)
    return Outcome("wrong", order_remark(order, said, later), **told, **was)


def order_remark(order: OrderAnswer, said: list[int], later: BeatEnv) -> str:
    """What is said to items in this order."""
    places = {f"said({order.items[i].name})": number(place) for place, i in enumerate(said, start=1)
              if order.items[i].name}  # fmt: skip
    return first_true(order.remarks, later.with_values(places))


def right_place(point: PointAnswer, later: BeatEnv) -> str:
    """The component to be pointed at. Raises LessonError when it is none of those asked about."""
    value: Value = later.value(point.answer)
    if value.kind is not Kind.TEXT or value.data not in point.among:
        raise point.answer.error(ExprError(f"the answer, {value.data}, is none of {', '.join(point.among)}"))
    return str(value.data)


def wanted_place(point: PointAnswer) -> str:
    """`a to d, or a part of the machine by its name`."""
    return f"a to {LETTERS[len(point.among) - 1]}, or a part by its name"


def judge_place(point: PointAnswer, text: str, later: BeatEnv) -> Outcome:
    """A letter or a component's name (or nothing: skipped) against the component at the reveal."""
    letters = LETTERS[: len(point.among)]
    word = text.strip().rstrip(".)")
    if len(word) == 1 and word.lower() in letters:
        word = point.among[letters.index(word.lower())]
    if word and word not in point.among:
        return Outcome("unusable", f"Point at one of {', '.join(point.among)}: {wanted_place(point)}.")
    right = right_place(point, later)
    was = {"was_letter": letters[point.among.index(right)], "was": right}
    if not word:
        return Outcome("skipped", **was)
    told = {"said_letter": letters[point.among.index(word)], "said": word}
    if word == right:
        return Outcome("right", **told, **was)
    return Outcome("wrong", later.shown(point.because.get(word)), **told, **was)
