"""Tasks: knobs the learner turned, the run `mine` that they make, and whether it is what was asked for.

Invariant: only values that the task lists can be set, so a task never runs what its author did not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.expr import format_value, names_used
from ixviz.lesson.expr.units import UNITS, quantity
from ixviz.lesson.expr.values import MEASURES
from ixviz.lesson.judge import Outcome
from ixviz.lesson.model import Beat, Formula, Task
from ixviz.lesson.stops import Position, Stops
from ixviz.scenario.load import with_changes
from ixviz.scenario.source import Node

MINE = "mine"
_SIDE = ("latency.p99", "requests.completed", "batch.mean")  # always shown: one figure alone says little


def spelled(node: Node) -> str:
    """A knob's value as it is written."""
    return str(node.spelling if node.spelling is not None else node.value)


def wanted(task: Task) -> str:
    """`system.batch_bound: 1, 2, 3, 4, 8, 16 or 64`."""
    parts = []
    for knob, values in task.knobs.items():
        words = [spelled(value) for value in values]
        parts.append(f"{knob}: {', '.join(words[:-1])} or {words[-1]}")
    return "; ".join(parts)


def read(task: Task, text: str) -> dict[str, Node] | None:
    """`3`, `batch_bound 3`, `system.batch_bound = 3, …` as knob values; None when it cannot be understood.

    Of a value with a unit the number is enough, where only one has it: there are few keys while a question is open.
    """
    found: dict[str, Node] = {}
    for part in text.replace(";", ",").split(","):
        match = re.fullmatch(r"\s*(?:([A-Za-z_.]+)\s*[=: ]\s*)?(\S.*?)\s*", part)
        if match is None:
            return None
        names = [k for k in task.knobs if match[1] in (None, k, k.rpartition(".")[2])]
        if len(names) != 1:
            return None
        listed = task.knobs[names[0]]
        meant = [v for v in listed if spelled(v) == match[2]] or [v for v in listed if _number(spelled(v)) == match[2]]
        if len(meant) != 1:
            return None
        found[names[0]] = meant[0]
    return found


def _number(written: str) -> str:
    """`14` of `14 K/s`."""
    return re.sub(r" *[^0-9.]+$", "", written)


def env_of(stops: Stops, beat: Beat, values: Mapping[str, Node]) -> BeatEnv:
    """The environment at the end of the run that these values make of the beat's run."""
    stops.runs.define(MINE, with_changes(stops.runs.scenario(beat.run), dict(values)))
    return BeatEnv(stops, beat, Position(MINE, None))


def judge(stops: Stops, beat: Beat, task: Task, values: Mapping[str, Node]) -> Outcome:
    """Right: the property holds, and where the smallest or largest is wanted, by the values of a solution."""
    env = env_of(stops, beat, values)
    said = ", ".join(f"{k.rpartition('.')[2]} = {spelled(v)}" for k, v in values.items())
    plain = {k: v.plain() for k, v in values.items()}
    holds = env.truth(task.holds)
    shown = figures(env, task.holds)
    solved = [{k: v.plain() for k, v in each.items()} for each in task.solutions]
    knob = task.smallest or task.largest
    if holds and (knob is None or any(plain.get(knob) == each.get(knob) for each in solved)):
        return Outcome("right", shown, said=said, was=said)
    listed = next((w for w in task.wrong if {k: v.plain() for k, v in w.values.items()} == plain), None)
    if listed is not None:
        because = env.shown(listed.because)
    elif holds:
        because = f"It holds, but a {'smaller' if task.smallest else 'larger'} one holds too."
    else:
        because = f"Wanted: {task.holds.text}."
    return Outcome("wrong", f"{shown} {because}", said=said)


def best(task: Task, holding: Iterable[Mapping[str, Node]]) -> Mapping[str, Node] | None:
    """Of settings the one whose knob is the smallest (largest); None for none, and where the task wants neither."""
    knob = task.smallest or task.largest
    if knob is None:
        return None

    def value(each: Mapping[str, Node]) -> Any:
        plain = each[knob].plain()
        size = re.fullmatch(r"([0-9.]+) *(\S+)", plain) if isinstance(plain, str) else None
        return quantity(size[1], size[2]).data if size is not None and size[2] in UNITS else plain

    return (min if task.smallest else max)(holding, key=value, default=None)


def figures(env: BeatEnv, holds: Formula) -> str:
    """What the run measured: `latency.p99 is 208 µs, batch.mean is 3.1.`"""
    parts = []
    for name in dict.fromkeys([*names_used(holds.expr), *_SIDE]):
        value = env.lookup(name)
        if value is not None and value.kind in MEASURES:
            parts.append(f"{name} is {format_value(value)}")
    return f"{', '.join(parts)}."


def solution(stops: Stops, beat: Beat, task: Task) -> Outcome:
    """What a learner who gives up is shown: the first solution, made to be `mine`."""
    env_of(stops, beat, task.solutions[0])
    words = ", ".join(f"{k.rpartition('.')[2]} = {spelled(v)}" for k, v in task.solutions[0].items())
    return Outcome("skipped", was=words)
