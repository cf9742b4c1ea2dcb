"""Whether a lesson is true: runs everything headless and says what a learner would stumble on.

Invariant: nothing is believed: every stop is reached, every claim evaluated, every choice and every knob value tried,
and what is found does not depend on who ran what in which process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ixviz.lesson import leak
from ixviz.lesson.checker import acting, pointing, predictions, shown, whole
from ixviz.lesson.checker.others import others
from ixviz.lesson.checker.scene import Scene, guarded
from ixviz.lesson.model import Beat, Lesson, LessonError
from ixviz.lesson.runs import Runs
from ixviz.lesson.session import Session
from ixviz.lesson.stops import Stops
from ixviz.lesson.tasks import MINE
from ixviz.scenario.load import Scenario
from ixviz.scenario.messages import Problem, Problems

Crowded = Callable[[Callable[[], Session]], Iterable[str]]
CHECKS = (shown.claims, shown.given, shown.looks, shown.asked, predictions.choices, predictions.number, pointing.order,
          pointing.point, acting.find, acting.task, shown.answered)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong with a beat; `letter` is that of its right choice, "" where there is none."""

    problems: tuple[Problem, ...]
    letter: str = ""


class Checker:
    """Checks the beats of a lesson, one by one, in any order; their runs are simulated once.

    `readers` are what the leak test compares (leak.py). `crowded` tells of texts that are longer than their room on the
    screen: it is given what makes a session of the beat.
    """

    def __init__(self, lesson: Lesson, readers: Sequence[leak.Reader] = leak.READERS,
                 crowded: Crowded | None = None) -> None:  # fmt: skip
        self.lesson, self.readers, self.crowded = lesson, readers, crowded
        self.known: dict[Scenario, Mapping[str, Any]] = {}  # figures of whole runs, made elsewhere
        self._stops: dict[str, Stops] = {}

    def stops(self, label: str, lesson: Lesson) -> Stops:
        """The machines of the lesson, or of its variant called `label`."""
        if label not in self._stops:
            runs = Runs(lesson)
            runs.all_ready = True  # so that a screen which shows the future has one to show
            self._stops[label] = Stops(runs)
        self._stops[label].runs.know(self.known)
        return self._stops[label]

    def beat(self, beat: Beat) -> Found:
        """One beat, with its own numbers and with all others that it may be asked with. May take seconds."""
        found, letter = self._checked(self.lesson, self.stops("", self.lesson), beat, leaks=True)
        try:
            for label, lesson in others(self.lesson, beat):
                again = label == "asked again"
                stops = self.stops(label + beat.id * again, lesson)
                more, _ = self._checked(lesson, stops, beat, leaks=again)
                found += [replace(each, message=f"{each.message} ({label})") for each in more if each not in found]
        except Problems as error:
            found += error.problems
        return Found(tuple(found), letter)

    def _checked(self, lesson: Lesson, stops: Stops, beat: Beat, leaks: bool) -> tuple[list[Problem], str]:
        stops.runs.forget(MINE)  # that of another beat is not this one's
        try:
            scene = Scene(stops, beat)
        except LessonError as error:
            return [error.problem], ""
        found = [problem for each in CHECKS for problem in guarded(each, scene)]
        found += scene.too_early()
        if leaks:
            found += [*leak.leaks(lesson, stops, beat, self.readers), *self._crowded(lesson, stops, beat)]
        return found, scene.letter

    def _crowded(self, lesson: Lesson, stops: Stops, beat: Beat) -> list[Problem]:
        """A text of the beat that has not enough room on the screen."""
        if self.crowded is None:
            return []
        try:
            for message in self.crowded(lambda: Session(replace(lesson, beats=(beat,)), runs=stops.runs)):
                return [beat.place.problem(message)]
        except LessonError:
            pass  # told by the check that evaluates it
        return []


def merged(lesson: Lesson, found: Iterable[Found]) -> list[Problem]:
    """All that is wrong with a lesson, in the order of the file, from what was found in its beats."""
    beats = list(found)
    letters = [each.letter for each in beats if each.letter]
    problems: Iterator[Problem]
    problems = (problem for each in beats for problem in each.problems)
    told = [*whole.minutes(lesson), *whole.links(lesson), *problems, *whole.letters(lesson, letters)]
    return sorted(dict.fromkeys(told), key=lambda p: (p.line, p.col))


def check(lesson: Lesson, readers: Sequence[leak.Reader] = leak.READERS) -> list[Problem]:
    """All that is wrong with a lesson that loaded, in the order of the file; empty for a good one. Takes seconds."""
    checker = Checker(lesson, readers)
    return merged(lesson, [checker.beat(beat) for beat in lesson.beats])


__all__ = ["CHECKS", "Checker", "Crowded", "Found", "check", "merged"]
