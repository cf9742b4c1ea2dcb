"""Tasks and finds: what the author says solves them does, and what he calls wrong does not.

Invariant: of a task every listed setting is run, for the smallest or largest every setting there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from ixviz.lesson import finds, tasks
from ixviz.lesson.checker.pointing import missing
from ixviz.lesson.checker.scene import Scene
from ixviz.lesson.model import Find, Place, Task
from ixviz.scenario.messages import Problem
from ixviz.scenario.source import Node


def find(scene: Scene) -> Iterator[Problem]:
    """Some of `among` have the fault and some do not; each rule that is not broken says why it is not."""
    asked = scene.beat.action
    if not isinstance(asked, Find):
        return
    fault = finds.fault_of(scene.stops.runs, scene.beat)
    having = finds.holders(scene.stops.runs, scene.beat, asked)
    if not having:
        names = ", ".join(fault.holders(scene.stops.runs.recorded(scene.beat.run)))
        yield asked.place.problem(f"no component of among has the fault, {names} has")
    if len(having) == len(asked.among):
        yield asked.place.problem("every component of among has the fault")
    yield from missing(scene, asked.among)
    for rule in asked.rules:
        if rule.fault == fault.id:
            continue
        if rule.because is None:
            yield rule.place.problem(f"{rule.fault} is not the fault and does not say because")
        else:
            scene.later.shown(rule.because)


def task(scene: Scene) -> Iterator[Problem]:
    """The starting run does not do, each solution does, nothing that is told wrong does, the smallest is."""
    asked = scene.beat.action
    if not isinstance(asked, Task):
        return
    stops, beat = scene.stops, scene.beat
    if scene.now.truth(asked.holds):
        yield asked.place.problem("the task is done before it begins: what shall hold holds of the starting run")
    for solution in asked.solutions:
        values = listed(asked, solution)
        if not tasks.env_of(stops, beat, values).truth(asked.holds):
            yield _at(solution, asked).problem(f"the solution {_spelled(values)} does not hold")
    for wrong in asked.wrong:
        if tasks.judge(stops, beat, asked, listed(asked, wrong.values)).kind == "right":
            yield wrong.place.problem(f"{_spelled(wrong.values)} is told wrong, and is right")
    yield from _extreme(scene, asked)


def _extreme(scene: Scene, asked: Task) -> Iterator[Problem]:
    """The smallest (largest) value that holds must be that of every solution."""
    knob = asked.smallest or asked.largest
    if knob is None:
        return
    best = tasks.best(asked, (values for values in settings(asked)
                              if tasks.env_of(scene.stops, scene.beat, values).truth(asked.holds)))  # fmt: skip
    for solution in asked.solutions:
        if knob in solution and best is not None and solution[knob].plain() != best[knob].plain():
            word, value = "smallest" if asked.smallest else "largest", best[knob].plain()
            yield _at(solution, asked).problem(f"{_spelled(solution)} is not the {word} that holds, {value} is")


def settings(asked: Task) -> Iterator[Mapping[str, Node]]:
    """All that a learner can set."""
    for values in product(*asked.knobs.values()):
        yield dict(zip(asked.knobs, values, strict=True))


def listed(asked: Task, values: Mapping[str, Node]) -> dict[str, Node]:
    """The values as the knobs list them."""
    return {knob: next(each for each in asked.knobs[knob] if each.plain() == value.plain())
            for knob, value in values.items()}  # fmt: skip


def _at(solution: Mapping[str, Node], asked: Task) -> Place:
    first = next(iter(solution.values()), None)
    return asked.place if first is None else Place(first.file, first.key_line, first.key_col, asked.place.key)


def _spelled(values: Mapping[str, Node]) -> str:
    return ", ".join(f"{knob} = {tasks.spelled(node)}" for knob, node in values.items())
