"""Whether a right answer is one only with the seed the lesson was written with.

Invariant: two seeds are compared by what a learner would have to answer, not by figures that differ anyway.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ixviz.lesson import places, tasks
from ixviz.lesson.checker.acting import listed, settings
from ixviz.lesson.checker.scene import Scene
from ixviz.lesson.judge import choice_text, only_right, with_noun
from ixviz.lesson.model import LETTERS, Beat, Find, LessonError, Predict, Task
from ixviz.lesson.stops import Stops
from ixviz.scenario.messages import Problem


@dataclass(frozen=True, slots=True)
class Right:
    """What is right: `shown` in words; a number is right within `reach` of `value`."""

    shown: str
    value: float | None = None
    reach: float = 0.0

    def same(self, other: Right) -> bool:
        """Whether the answer of `other` would be right here."""
        if self.value is None or other.value is None:
            return self.shown == other.shown
        return abs(self.value - other.value) <= self.reach


def changed(stops: Stops, others: Stops, beat: Beat, seed: int) -> Problem | None:
    """A warning when the right answer of a beat is another on `others`, the machines with this seed."""
    if beat.action is None or isinstance(beat.action, Find):
        return None
    try:
        here = _right(stops, beat)
    except LessonError:
        return None  # told by the checks
    try:
        there = _right(others, beat)
    except LessonError as error:
        return replace(error.problem, message=f"with seed {seed}: {error.problem.message}")
    if here.same(there):
        return None
    return beat.action.place.problem(f"with seed {seed} the right answer changes from {here.shown} to {there.shown}")


def _right(stops: Stops, beat: Beat) -> Right:
    scene = Scene(stops, beat)
    action = beat.action
    if isinstance(action, Task):
        return _solved(scene, action)
    assert isinstance(action, Predict)
    if action.number is not None:
        value = scene.later.value(action.number.answer)
        reach = action.number.within.data * (abs(value.data) if action.number.relative else 1)
        return Right(with_noun(value, action.number), float(value.data), float(reach))
    if action.order is not None:
        return Right("".join(LETTERS[i] for i in places.right_order(action.order, scene.later)))
    if action.point is not None:
        return Right(places.right_place(action.point, scene.later))
    right = only_right(action, scene.later)
    if action.options[right].is_ is not None:
        return Right(LETTERS[right])  # its words are a value
    return Right(f"{LETTERS[right]}, {choice_text(action.options[right], scene.now, scene.later)}")


def _solved(scene: Scene, task: Task) -> Right:
    knob = task.smallest or task.largest
    if knob is None:
        tried = [listed(task, solution) for solution in task.solutions]
    else:
        tried = [dict(each) for each in settings(task)]
    holding = [each for each in tried if tasks.env_of(scene.stops, scene.beat, each).truth(task.holds)]
    best = tasks.best(task, holding)
    if best is not None:
        return Right(f"{knob} = {tasks.spelled(best[str(knob)])}")
    spelled = (", ".join(f"{k} = {tasks.spelled(v)}" for k, v in each.items()) for each in holding)
    return Right(" or ".join(spelled) or "nothing")
