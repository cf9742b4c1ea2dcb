"""The same lesson with other numbers: for asking once more, for a student's variant, for another seed.

Invariant: what a run is made from is changed before it, so runs that are compared differ only in what the lesson says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from ixviz.lesson.model import Beat, Lesson, Predict, RunSpec
from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.source import Node


def changed(lesson: Lesson, changes: Mapping[str, Mapping[str, object]]) -> Lesson:
    """The lesson with values of its runs (by name, then by dotted path) replaced, in all runs made from these too.

    Raises Problems for a value that the scenario refuses.
    """
    made: dict[str, RunSpec] = {}

    def make(name: str) -> RunSpec:
        if name not in made:
            spec = lesson.runs[name]
            scenario = spec.scenario
            if spec.base is not None:
                base = make(spec.base).scenario
                if base is not lesson.runs[spec.base].scenario:
                    assert base is not None
                    scenario = _faulty(with_changes(base, dict(spec.changes)), spec)
            if changes.get(name):
                assert scenario is not None
                scenario = with_changes(scenario, dict(changes[name]))
            made[name] = replace(spec, scenario=scenario)
        return made[name]

    return replace(lesson, runs={name: make(name) for name in lesson.runs})


def _faulty(scenario: Scenario, spec: RunSpec) -> Scenario:
    return scenario if spec.fault is None else replace(scenario, fault=spec.fault)


def again(lesson: Lesson, beat: Beat) -> Lesson:
    """The lesson for asking this beat's question once more."""
    action = beat.action
    return changed(lesson, {beat.run: action.again}) if isinstance(action, Predict) and action.again else lesson


def drawn(lesson: Lesson, name: str) -> dict[str, dict[str, Node]]:
    """What `--variant name` sets: of each list in `vary` one value, by a hash of lesson, name, run and path."""
    found: dict[str, dict[str, Node]] = {}
    for run, spec in lesson.runs.items():
        for path, values in spec.vary.items():
            digest = hashlib.sha256("\0".join((lesson.id, name, run, path)).encode()).digest()
            found.setdefault(run, {})[path] = values[int.from_bytes(digest[:8], "big") % len(values)]
    return found


def variant(lesson: Lesson, name: str) -> Lesson:
    """The lesson with the numbers that belong to this name. ValueError when it says nothing may vary."""
    found = drawn(lesson, name)
    if not found:
        raise ValueError(f"lesson {lesson.id} has nothing to vary")
    return changed(lesson, found)


def reseeded(lesson: Lesson, seed: int) -> Lesson:
    """The lesson with this seed in all its runs."""
    return changed(lesson, {name: {"run.seed": seed} for name, spec in lesson.runs.items() if spec.base is None})
