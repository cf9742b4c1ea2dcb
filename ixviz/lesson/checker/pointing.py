"""Orders and components pointed at: what is right is read from the run, and each wrong answer is answered.

Invariant: every order and every component of `among` is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ixviz.lesson import places
from ixviz.lesson.checker.scene import LISTED_BY, Scene
from ixviz.lesson.model import LETTERS, Predict, place_of
from ixviz.scenario.messages import Problem, cut, did_you_mean


def order(scene: Scene) -> Iterator[Problem]:
    """No ties, not listed in the right order, and a remark for each wrong order."""
    predict = scene.beat.action
    if not isinstance(predict, Predict) or predict.order is None:
        return
    asked = predict.order
    for item in asked.items:
        if not scene.names(item.value):
            yield item.value.place.problem("this is typed: the order must be read from the run")
    right = places.right_order(asked, scene.later)
    if right == sorted(right):
        yield asked.items[0].place.problem("the items stand in the right order already")
    for said in permutations(range(len(right))):
        if list(said) != right and not places.order_remark(asked, list(said), scene.later):
            letters = "".join(LETTERS[i] for i in said)
            yield asked.items[0].place.problem(f"nothing is said to the order {letters}, which is wrong")
            return


def point(scene: Scene) -> Iterator[Problem]:
    """The right component is read from the run and is one of `among`, all of which exist; each other says why not."""
    predict = scene.beat.action
    if not isinstance(predict, Predict) or predict.point is None:
        return
    asked = predict.point
    yield from missing(scene, asked.among)
    if not scene.reads_history(asked.answer):
        yield asked.answer.place.problem("the answer is typed: it must be read from the run")
    right = places.right_place(asked, scene.later)
    scene.letter = LETTERS[asked.among.index(right)]
    for name in asked.among:
        if name == right:
            continue
        if name not in asked.because:
            yield place_of(name, asked.answer.place).problem(f"{name} is wrong and nothing is said to it")
        else:
            scene.later.shown(asked.because[name])


def missing(scene: Scene, among: tuple[str, ...]) -> Iterator[Problem]:
    """Components of `among` that the machine does not have."""
    for name in among:
        if name not in scene.components():
            near = did_you_mean(name, sorted(scene.components()), LISTED_BY)
            yield place_of(name, scene.beat.place).problem(f"there is no component {cut(name)}{near}")
