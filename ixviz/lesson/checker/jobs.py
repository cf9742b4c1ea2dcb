"""Lessons checked in several processes: whole runs first, the longest at once, then beats as soon as theirs are there.

Invariant: what is found, and its order, do not depend on the number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import count
from typing import Any

from ixviz.lesson import variants
from ixviz.lesson.check import Checker, Crowded, Found, merged
from ixviz.lesson.checker import seeds
from ixviz.lesson.checker.needs import needed
from ixviz.lesson.checker.others import others
from ixviz.lesson.leak import Reader
from ixviz.lesson.load import load_lesson
from ixviz.lesson.model import Beat, Lesson
from ixviz.measure.sweep import run_figures
from ixviz.scenario.load import Scenario
from ixviz.scenario.messages import Problem, Problems
from ixviz.scenario.simulate import expected_packets

Known = Mapping[Scenario, Mapping[str, Any]]
_LONG = 100_000  # packets of whole runs; below that other processes are not worth their start
_KEPT = 3  # lessons whose machines a process keeps
_calls = count()
_checkers: dict[tuple[str, str], Checker] = {}  # of this process, by the call they are for and the file


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a lesson; `warnings` are right answers that change with the seed."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()


class Here(Executor):
    """Does in this process what it is given, when it is given."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See Executor.submit."""
        made: Future[Any] = Future()
        made.set_result(fn(*args, **kwargs))
        return made


def work(lessons: Sequence[Lesson], more: Sequence[int] = ()) -> float:
    """About how many packets the whole runs of these lessons have together, with these further seeds."""
    return sum(map(expected_packets, {each for lesson in lessons for beat in lesson.beats
                                      for variant in _variants(lesson, beat, more)
                                      for each in needed(variant, beat)}))  # fmt: skip


def worth_a_pool(lessons: Sequence[Lesson], more: Sequence[int] = ()) -> bool:
    """Whether several processes would be sooner done than one."""
    return work(lessons, more) > _LONG


def check_all(lessons: Sequence[Lesson], readers: Sequence[Reader], more: Sequence[int], executor: Executor,
              told: Callable[[int, int], None] = lambda done, all_: None, crowded: Crowded | None = None
              ) -> Iterator[Checked]:  # fmt: skip
    """What is found in each lesson, in their order; `more` are further seeds. They come from files.

    `readers` and `crowded`: see Checker. `told` is called with how many of how many parts are done.
    """
    call = f"{os.getpid()}.{next(_calls)}"
    parts = [(lesson, beat, seed) for lesson in lessons for beat in lesson.beats for seed in (None, *more)]
    needs = [_needs(*part) for part in parts]
    longest = sorted({each for one in needs for each in one}, key=lambda s: (-expected_packets(s), s.name))
    done: list[Future[Any]] = []

    def one_more(future: Future[Any]) -> None:
        done.append(future)
        told(len(done), len(longest) + len(parts))

    def submit(*job: Any) -> Future[Any]:
        future = executor.submit(*job)
        future.add_done_callback(one_more)
        return future

    figures = {scenario: submit(run_figures, scenario) for scenario in longest}
    jobs: dict[int, Future[Any]] = {}
    for i in sorted(range(len(parts)), key=lambda i: bool(needs[i])):  # first those that wait for nothing
        known = {scenario: figures[scenario].result() for scenario in needs[i]}
        lesson, beat, seed = parts[i]
        jobs[i] = submit(_part, call, str(lesson.path), beat.id, seed, (tuple(readers), crowded), known)
    results = [jobs[i].result() for i in range(len(parts))]
    for lesson in lessons:
        mine = [result for part, result in zip(parts, results, strict=True) if part[0] is lesson]
        found = merged(lesson, [each for each in mine if isinstance(each, Found)])
        yield Checked(tuple(found), tuple(each for each in mine if isinstance(each, Problem)))


def _variants(lesson: Lesson, beat: Beat, more: Sequence[int]) -> Iterator[Lesson]:
    for seed in (None, *more):
        yield from _lessons(lesson, beat, seed)


def _lessons(lesson: Lesson, beat: Beat, seed: int | None) -> Iterator[Lesson]:
    """On whose machines a part is checked. What cannot be made is told by the checker."""
    yield lesson
    try:
        if seed is None:
            yield from (other.lesson for other in others(lesson, beat))
        else:
            yield variants.reseeded(lesson, seed)
    except Problems:
        return


def _needs(lesson: Lesson, beat: Beat, seed: int | None) -> set[Scenario]:
    return {each for variant in _lessons(lesson, beat, seed) for each in needed(variant, beat)}


def _part(call: str, path: str, beat_id: str, seed: int | None,
          shown: tuple[tuple[Reader, ...], Crowded | None], known: Known) -> Found | Problem | None:  # fmt: skip
    """A beat, or whether its answer changes with this seed. Runs in any process."""
    checker = _checkers.pop((call, path), None) or Checker(load_lesson(path), *shown)
    for other in [key for key in _checkers if key[0] != call] or list(_checkers)[: 1 - _KEPT]:
        del _checkers[other]
    _checkers[call, path] = checker
    checker.known.update(known)
    lesson = checker.lesson
    beat = next(each for each in lesson.beats if each.id == beat_id)
    if seed is None:
        return checker.beat(beat)
    try:
        reseeded = variants.reseeded(lesson, seed)
    except Problems as error:
        return error.problems[0]
    return seeds.changed(checker.stops("", lesson), checker.stops(f"seed {seed}", reseeded), beat, seed)
