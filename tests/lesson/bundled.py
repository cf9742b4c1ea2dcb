"""What every bundled lesson has to keep: right answers lead to its end, as text that any terminal can show.
Invariant: a lesson's test says what is typed and how many questions there are; what is right the lesson says."""

from __future__ import annotations

import io

from ixviz.lesson import Lesson, Runs, Session, asking, variants
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.model import Predict
from ixviz.lesson.plain import run_plain
from ixviz.lesson.stops import Stops


def answered(lesson: Lesson, runs: Runs, answers: str, questions: int) -> str:
    """The whole lesson as text, with these answers to its so many questions: all of them are right."""
    out = io.StringIO()
    assert run_plain(Session(lesson, runs=runs), io.StringIO(answers), out) == 0
    text = out.getvalue()
    assert text.endswith(f"End of the lesson: {questions} of {questions} right.\n")
    assert text.count("Why: ") == sum(beat.why is not None for beat in lesson.beats)
    assert "\x1b" not in text and max(map(len, text.splitlines())) <= 80
    return text


def right(lesson: Lesson, name: str) -> str:
    """The right answer to the question of this beat, in words."""
    beat = next(beat for beat in lesson.beats if beat.id == name)
    assert isinstance(beat.action, Predict)
    stops = Stops(Runs(lesson))
    now, later = (BeatEnv(stops, beat, where(beat)) for where in (stops.stop, stops.reveal))
    return asking.judge(beat.action, "", now, later).was


def right_again(lesson: Lesson) -> dict[str, tuple[str, str]]:
    """By beat: the right answer to a question that may come back, and that to it when it has."""
    asked = [beat for beat in lesson.beats if isinstance(beat.action, Predict) and beat.action.again]
    return {beat.id: (right(lesson, beat.id), right(variants.again(lesson, beat), beat.id)) for beat in asked}
