"""Which whole runs the checking of a beat will need figures of: most of its time, and they can be made beforehand.

Invariant: only saves time; a run that is missing here is simulated when its figures are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from ixviz.lesson import figures
from ixviz.lesson.checker.acting import listed, settings
from ixviz.lesson.checker.others import names_of
from ixviz.lesson.model import Beat, Lesson, Task
from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.simulate import expected_packets

WORTH = 5_000  # packets: a run of fewer is over before another process has heard of it


def needed(lesson: Lesson, beat: Beat) -> set[Scenario]:
    """The scenarios of long runs whose figures this beat reads, on this lesson's machines."""
    return {each for each in _scenarios(lesson, beat) if expected_packets(each) >= WORTH}


def _scenarios(lesson: Lesson, beat: Beat) -> Iterator[Scenario]:
    runs = set(beat.figures_of)
    for name in names_of(beat):
        run, _, rest = name.partition(".")
        if run in lesson.runs and rest in figures.NAMES:
            runs.add(run)
        elif name in figures.NAMES:
            runs.add(beat.run)
    for run in runs:
        spec = lesson.runs[run]
        if spec.at is None and spec.scenario is not None:
            yield spec.scenario
    task, scenario = beat.action, lesson.runs[beat.run].scenario
    if isinstance(task, Task) and scenario is not None:
        shown = [listed(task, each) for each in (*task.solutions, *(wrong.values for wrong in task.wrong))]
        for values in (*(settings(task) if task.smallest or task.largest else ()), *shown):
            yield with_changes(scenario, dict(values))
