"""A learner's way through a lesson: which beat, what may be read, what was answered. No screen, no input, no clock.

Invariant: while a question is open no text here depends on anything after `view_event`, except through `given`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ixviz.lesson import asking, finds, tasks, variants
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.judge import Outcome
from ixviz.lesson.model import Beat, Find, Lesson, Look, Predict, Task
from ixviz.lesson.phase import Phase, Texts
from ixviz.lesson.runs import Runs
from ixviz.lesson.stops import Position, Stops


class Session:
    """One learner, one lesson, one route. Wrong answers are asked once more behind the last beat (`review`)."""

    def __init__(self, lesson: Lesson, route: str = "alone", runs: Runs | None = None) -> None:
        self.lesson, self.route = lesson, route
        self._stops = Stops(runs or Runs(lesson))
        self._again: dict[str, Stops] = {}  # by beat: the machines of a question that comes back with other numbers
        self.beats = lesson.route(route)
        self.index = 0
        self.review = False  # whether this is a question that came back
        self.results: dict[str, str] = {}  # beat id: right, wrong or skipped, by the first answer that counts
        self.said: dict[str, str] = {}  # beat id: that answer, as `answer` takes it; nothing for a skip
        self.reviewed: dict[str, str] = {}  # beat id: what came of it when it was asked once more
        self.passed: set[str] = set()  # open questions that were passed by: they count as nothing and stay open
        self.listener: Callable[[Session], None] | None = None  # called when an answer has counted or a beat begins
        self._outcomes: dict[str, Outcome] = {}
        self._turned: dict[str, Any] = {}
        self._tried: dict[str, Outcome] = {}  # the last wrong try of an open task or find
        self._hints: dict[str, int] = {}
        self._queue: list[int] | None = None  # what comes back, once the last beat is done
        self._over = not self.beats

    # ------------------------------------------------------------------------------------------- where we are
    @property
    def beat(self) -> Beat:
        """The current beat (behind the end: the last one)."""
        return self.beats[self.index]

    @property
    def stops(self) -> Stops:
        """Where the beats stop: on the lesson's machines, or on those of the question that has come back."""
        beat = self.beat
        if not self.review or not isinstance(beat.action, Predict) or not beat.action.again:
            return self._stops
        if beat.id not in self._again:
            self._again[beat.id] = Stops(Runs(variants.again(self.lesson, beat)))
        return self._again[beat.id]

    @property
    def runs(self) -> Runs:
        """The machines that `stops` is about."""
        return self.stops.runs

    @property
    def phase(self) -> Phase:
        """What is going on in the current beat."""
        if self._over:
            return Phase.OVER
        if self.beat.action is None:
            return Phase.READING
        answered = self.beat.id in self._outcomes or (not self.review and self.beat.id in self.results)
        return Phase.ANSWERED if answered else Phase.ASKING

    @property
    def action(self) -> str | None:
        """What the beat asks for: choose, number, order, point, task, find or nothing."""
        return asking.kind(self.beat.action)

    @property
    def position(self) -> Position:
        """Where the machine stands: at the stop, after the answer at the reveal (of a task: the end of `mine`)."""
        if self.phase is Phase.ANSWERED and isinstance(self.beat.action, Task):
            self._mine(self.beat.action)
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
        return BeatEnv(self.stops, beat, self.stops.stop(beat), ahead=ahead)

    def _later(self) -> BeatEnv:
        beat = self.beat
        if isinstance(beat.action, Task) and self.phase is Phase.ANSWERED:
            return self._mine(beat.action)
        return BeatEnv(self.stops, beat, self.stops.reveal(beat))

    def _mine(self, task: Task) -> BeatEnv:
        """`mine` of an answered task: the machine that was right, or of a skipped one the first that is."""
        beat = self.beat
        if beat.id not in self._turned:  # from an earlier visit
            said = self.said.get(beat.id, "") if self.results.get(beat.id) != "skipped" else ""
            self._turned[beat.id] = (tasks.read(task, said) if said else None) or task.solutions[0]
        return tasks.env_of(self.stops, beat, self._turned[beat.id])

    def _outcome(self) -> Outcome:
        """What came of the answer; of one from an earlier visit it is worked out anew."""
        beat, action = self.beat, self.beat.action
        if beat.id not in self._outcomes:
            said = self.said.get(beat.id, "") if self.results[beat.id] != "skipped" else ""
            if isinstance(action, Task):
                self._mine(action)
                found = (tasks.judge(self.stops, beat, action, self._turned[beat.id]) if said
                         else tasks.solution(self.stops, beat, action))  # fmt: skip
            else:
                found = self._judged(said)
            self._outcomes[beat.id] = found if found.kind != "unusable" else self._judged("")
        return self._outcomes[beat.id]

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
        made = replace(made, choices=asking.choices(action, now, self._later), rules=asking.rules(action, now))
        if phase is Phase.ASKING:
            return replace(made, outcome=self._tried.get(beat.id))
        outcome = self._outcome()
        back = "This question comes back at the end." if self.results.get(beat.id) == "wrong" else ""
        return replace(made, outcome=outcome, why=self._later().shown(beat.why), back="" if self.review else back)

    @property
    def wanted(self) -> str:
        """What an answer looks like: `a-e`, `a number of requests, 1 to 64`, the values of a knob."""
        return asking.wanted(self.beat.action)

    def prepare(self) -> None:
        """Simulates what this beat will need, its reveal included. May take seconds; for a worker thread."""
        if self.phase is Phase.OVER:
            return
        beat, action = self.beat, self.beat.action
        self.texts()
        if isinstance(action, Predict | Find):
            self._later().shown(beat.why)
            self._judged("")
        for run in beat.figures_of:
            self.runs.metrics(run)

    # ------------------------------------------------------------------------------------------- answers
    def answer(self, text: str) -> Outcome:
        """A letter, a number, letters in order, a component, knob values, a component and a rule.

        An unusable one, and a wrong try of a task or a find, leave the question open.
        """
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
            spoken = ", ".join(f"{knob} = {tasks.spelled(value)}" for knob, value in values.items())
            return self._closed(outcome, spoken) if outcome.kind == "right" else outcome
        outcome = self._judged(text)
        if isinstance(action, Find) and outcome.kind == "wrong":
            self._tried[self.beat.id] = outcome
            return outcome
        return self._closed(outcome, text)

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
        return self._closed(self._judged(""))

    def _judged(self, text: str) -> Outcome:
        action = self.beat.action
        if isinstance(action, Find):
            return finds.judge(self.runs, self.beat, action, text, self._later())
        assert isinstance(action, Predict)
        return asking.judge(action, text, self._now(), self._later())

    def _closed(self, outcome: Outcome, said: str = "") -> Outcome:
        if outcome.kind != "unusable":
            self._outcomes[self.beat.id] = outcome
            if self.review:
                self.reviewed[self.beat.id] = outcome.kind
            else:
                self.results[self.beat.id] = outcome.kind
                if said:
                    self.said[self.beat.id] = said.strip()
            self._tell()
        return outcome

    def restore(self, results: Mapping[str, str], said: Mapping[str, str], reviewed: Mapping[str, str] | None = None,
                at: str | None = None, done: bool = False) -> None:  # fmt: skip
        """Takes over what an earlier visit left (`results`, `said`, `reviewed` of this class, ids that are not of this
        route are ignored) and goes to the beat `at`, or as near before it as answers allow. If the end was reached
        (`done`), what was wrong comes back first; with nothing wrong the lesson begins anew."""
        ids = {beat.id: i for i, beat in enumerate(self.beats)}
        self.results.update({k: v for k, v in results.items() if k in ids})
        self.said.update({k: v for k, v in said.items() if k in self.results})
        self.reviewed.update({k: v for k, v in (reviewed or {}).items() if k in self.results})
        if done and not self._open(len(self.beats)):
            if self.wrong:
                self._queue = self._back()
                self.index = len(self.beats) - 1
                self._forward()
            return
        goal = ids.get(at or "", 0)
        while goal and not self.go_to(goal):
            goal -= 1

    def _tell(self) -> None:
        if self.listener is not None:
            self.listener(self)

    def reopen(self) -> None:
        """Asks the present question anew, as if it had never been shown: a lecturer goes back like in slides."""
        for kept in (self.results, self.said, self._outcomes, self._tried, self._turned, self._hints):
            kept.pop(self.beat.id, None)

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
        self._forward()
        self._tell()
        return True

    def _forward(self) -> None:
        if not self.review and self.index + 1 < len(self.beats):
            self.index += 1
            return
        if self._queue is None:
            self._queue = self._back()
        if not self._queue:
            self.review, self._over = False, True
            return
        self.review, self.index = True, self._queue.pop(0)
        self._outcomes.pop(self.beat.id, None)
        self._hints.pop(self.beat.id, None)

    def go_to(self, index: int) -> bool:
        """To a beat of the route, as it was left; False, and no move, past a question that was never answered, skipped
        or passed by. IndexError for a number that is none."""
        index = range(len(self.beats))[index]
        if self._open(index) - self.passed:
            return False
        if self.phase is Phase.ASKING and self.review:
            self._queue = None  # what came back and was left open comes back again
        self.index = index
        self._over = self.review = False
        self._tell()
        return True

    def _back(self) -> list[int]:
        return [self.beats.index(beat) for beat in self.wrong]

    def pass_to(self, index: int) -> None:
        """To any beat, or behind the last one, as a lecturer goes: open questions before it are passed by."""
        self.passed |= self._open(index)
        if index < len(self.beats):
            self.go_to(index)
            return
        self.index, self.review, self._over = len(self.beats) - 1, False, True
        self._tell()

    def _open(self, index: int) -> set[str]:
        """The questions before a beat that have no result."""
        return {beat.id for beat in self.beats[:index] if beat.action is not None and beat.id not in self.results}

    @property
    def wrong(self) -> tuple[Beat, ...]:
        """The beats whose prediction was wrong, and was not right when it came back: they come back."""
        return tuple(beat for beat in self.beats
                     if self.results.get(beat.id) == "wrong" and self.reviewed.get(beat.id) != "right")  # fmt: skip

    @property
    def score(self) -> str:
        """`right so far: 1 of 2`; skipped ones do not count. "" before the first answer."""
        answered = [kind for kind in self.results.values() if kind != "skipped"]
        return f"right so far: {answered.count('right')} of {len(answered)}" if answered else ""


__all__ = ["Phase", "Session", "Texts"]
