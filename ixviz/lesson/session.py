"""A learner's way through a lesson: which beat, what may be read, what was answered. No screen, no input, no clock.

Invariant: while a question is open no text here depends on anything after `view_event`, except through `given`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ixviz.lesson import tasks
from ixviz.lesson.beatenv import BeatEnv, lets_of
from ixviz.lesson.judge import Choice, Outcome, choice_text, judge_choice, judge_number, wanted_number
from ixviz.lesson.model import LETTERS, Beat, Lesson, Look, Predict, Task
from ixviz.lesson.phase import Phase, Texts
from ixviz.lesson.runs import Runs
from ixviz.lesson.stops import Position, Stops


class Session:
    """One learner, one lesson, one route. Wrong answers are asked once more behind the last beat (`review`)."""

    def __init__(self, lesson: Lesson, route: str = "alone", runs: Runs | None = None) -> None:
        self.lesson, self.route = lesson, route
        self.runs = runs or Runs(lesson)
        self.stops = Stops(self.runs)
        self.beats = lesson.route(route)
        self.index = 0
        self.review = False  # whether this is a question that came back
        self.results: dict[str, str] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._turned: dict[str, Any] = {}
        self._tried: dict[str, Outcome] = {}  # the last wrong try of an open task
        self._hints: dict[str, int] = {}
        self._queue: list[int] | None = None  # what comes back, once the last beat is done
        self._over = not self.beats

    # ------------------------------------------------------------------------------------------- where we are
    @property
    def beat(self) -> Beat:
        """The current beat (behind the end: the last one)."""
        return self.beats[self.index]

    @property
    def phase(self) -> Phase:
        """What is going on in the current beat."""
        if self._over:
            return Phase.OVER
        if self.beat.action is None:
            return Phase.READING
        return Phase.ANSWERED if self.beat.id in self._outcomes else Phase.ASKING

    @property
    def action(self) -> str | None:
        """What the beat asks for: choose, number, task or nothing."""
        action = self.beat.action
        if isinstance(action, Task):
            return "task"
        return None if action is None else "number" if action.number is not None else "choose"

    @property
    def position(self) -> Position:
        """Where the machine stands: at the stop, after the answer at the reveal (of a task: the end of `mine`)."""
        if self.phase is Phase.ANSWERED and isinstance(self.beat.action, Task):
            return Position(tasks.MINE, None)
        return self.stops.reveal(self.beat) if self.phase is Phase.ANSWERED else self.stops.stop(self.beat)

    @property
    def view_event(self) -> int | None:
        """The last event of the beat's run that may be read now; None: all of the run."""
        return self.position.event

    def position_of(self, run: str) -> Position:
        """Where another run of the lesson stands now, and how far it may be read."""
        return self.stops.position_of(run, self.position)

    def simulation(self, run: str | None = None) -> Any:
        """A run (the beat's own) with its journal, recorded at least as far as it may be read; at its end: a start."""
        where = self.position if run is None else self.position_of(run)
        return self.runs.recorded(where.run, (where.event or 0) + 1)

    @property
    def look(self) -> Look:
        """What to show now."""
        return self.beat.show if self.phase is Phase.ANSWERED and self.beat.show is not None else self.beat.look

    # ------------------------------------------------------------------------------------------- texts
    def _now(self) -> BeatEnv:
        beat = self.beat
        ahead = self._later() if beat.given else None
        return BeatEnv(self.stops, self.stops.stop(beat), lets_of(beat), None, beat.given, ahead)

    def _later(self) -> BeatEnv:
        beat = self.beat
        if isinstance(beat.action, Task) and beat.id in self._outcomes:
            return tasks.env_of(self.stops, beat, self._turned.get(beat.id) or beat.action.solutions[0])
        return BeatEnv(self.stops, self.stops.reveal(beat), lets_of(beat))

    def texts(self) -> Texts:
        """All that the beat says now, with its values put in. Raises LessonError for an author's mistake."""
        beat, phase, action = self.beat, self.phase, self.beat.action
        if phase is Phase.OVER:
            return Texts(self.lesson.title)
        now = self._now()
        made = Texts(beat.title, now.shown(beat.say), leaves_out=beat.leaves_out if phase is not Phase.ASKING else "")
        if action is None:
            return replace(made, why=now.shown(beat.why))
        hints = tuple(now.shown(hint) for hint in action.hints[: self._hints.get(beat.id, 0)])
        made = replace(made, ask=now.shown(action.ask), hints=hints, wanted=self.wanted)
        if isinstance(action, Predict) and action.options:
            made = replace(made, choices=self._choices(action, now))
        if phase is Phase.ASKING:
            return replace(made, outcome=self._tried.get(beat.id))
        back = "This question comes back at the end." if self.results.get(beat.id) == "wrong" else ""
        return replace(
            made, outcome=self._outcomes[beat.id], why=self._later().shown(beat.why), back="" if self.review else back
        )

    def _choices(self, predict: Predict, now: BeatEnv) -> tuple[Choice, ...]:
        later = self._later()
        words = (choice_text(option, now, later) for option in predict.options)
        return tuple(Choice(letter, text) for letter, text in zip(LETTERS, words, strict=False))

    @property
    def wanted(self) -> str:
        """What an answer looks like: `a-e`, `a number of requests, 1 to 64`, the values of a knob."""
        action = self.beat.action
        if isinstance(action, Task):
            return tasks.wanted(action)
        if action is None:
            return ""
        return wanted_number(action.number) if action.number else f"a-{LETTERS[len(action.options) - 1]}"

    def prepare(self) -> None:
        """Simulates what this beat will need, its reveal included. May take seconds; for a worker thread."""
        if self.phase is Phase.OVER:
            return
        beat, action = self.beat, self.beat.action
        self.texts()
        if isinstance(action, Predict):
            later = self._later()
            later.shown(beat.why)
            (judge_choice(action, "", self._now(), later) if action.options
             else judge_number(action.number, "", later) if action.number else None)  # fmt: skip
        for run in {*beat.look.runs, *(beat.show.runs if beat.show else ())}:
            self.runs.metrics(run)

    # ------------------------------------------------------------------------------------------- answers
    def answer(self, text: str) -> Outcome:
        """A letter, a number, or knob values. An unusable one, and a wrong try of a task, leave the question open."""
        if self.phase is not Phase.ASKING:
            return Outcome("unusable", "Nothing is asked.")
        if not text.strip():
            return Outcome("unusable", f"Wanted: {self.wanted}.")
        action = self.beat.action
        if isinstance(action, Task):
            values = tasks.read(action, text)
            if values is None:
                return Outcome("unusable", f"Wanted: {tasks.wanted(action)}.")
            values = {**self._turned.get(self.beat.id, {}), **values}
            self._turned[self.beat.id] = values
            outcome = tasks.judge(self.stops, self.beat, action, values)
            self._tried[self.beat.id] = outcome
            return self._closed(outcome) if outcome.kind == "right" else outcome
        return self._closed(self._predicted(text))

    def turn(self, knob: str, value: str) -> Outcome:
        """Turns one knob of a task and runs the machine."""
        return self.answer(f"{knob} = {value}")

    def skip(self) -> Outcome:
        """Gives the open question up: it is shown answered, and counts as unanswered."""
        action = self.beat.action
        if self.phase is not Phase.ASKING or action is None:
            return Outcome("unusable", "Nothing is asked.")
        if isinstance(action, Task):
            self._turned.pop(self.beat.id, None)
            return self._closed(tasks.solution(self.stops, self.beat, action))
        return self._closed(self._predicted(""))

    def _predicted(self, text: str) -> Outcome:
        action = self.beat.action
        assert isinstance(action, Predict)
        if action.number is not None:
            return judge_number(action.number, text, self._later())
        return judge_choice(action, text, self._now(), self._later())

    def _closed(self, outcome: Outcome) -> Outcome:
        if outcome.kind != "unusable":
            self._outcomes[self.beat.id] = outcome
            if not self.review:
                self.results[self.beat.id] = outcome.kind
        return outcome

    def hint(self) -> str | None:
        """The next hint; None when there is no further one."""
        action = self.beat.action
        count = self._hints.get(self.beat.id, 0)
        if self.phase is not Phase.ASKING or action is None or count >= len(action.hints):
            return None
        self._hints[self.beat.id] = count + 1
        return self._now().shown(action.hints[count])

    # ------------------------------------------------------------------------------------------- ways
    def go_on(self) -> bool:
        """To the next beat, behind the last to what comes back, then OVER. False while a question is open."""
        if self.phase in (Phase.ASKING, Phase.OVER):
            return False
        if not self.review and self.index + 1 < len(self.beats):
            self.index += 1
            return True
        if self._queue is None:
            self._queue = [self.beats.index(beat) for beat in self.wrong]
        if not self._queue:
            self.review, self._over = False, True
            return True
        self.review, self.index = True, self._queue.pop(0)
        self._outcomes.pop(self.beat.id, None)
        self._hints.pop(self.beat.id, None)
        return True

    def go_to(self, index: int) -> bool:
        """To a beat of the route, as it was left; False, and no move, past a question that was never answered or
        skipped. IndexError for a number that is none."""
        index = range(len(self.beats))[index]
        if any(beat.action is not None and beat.id not in self.results for beat in self.beats[:index]):
            return False
        if self.phase is Phase.ASKING and self.review:
            self._queue = None  # what came back and was left open comes back again
        self.index = index
        self._over = self.review = False
        return True

    @property
    def wrong(self) -> tuple[Beat, ...]:
        """The beats whose prediction was wrong; they come back."""
        return tuple(beat for beat in self.beats if self.results.get(beat.id) == "wrong")

    @property
    def score(self) -> str:
        """`right so far: 1 of 2`; skipped ones do not count. "" before the first answer."""
        answered = [kind for kind in self.results.values() if kind != "skipped"]
        return f"right so far: {answered.count('right')} of {len(answered)}" if answered else ""


__all__ = ["Phase", "Session", "Texts"]
