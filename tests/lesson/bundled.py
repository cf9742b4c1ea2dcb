"""What every bundled lesson has to keep: right answers lead to its end, as text that any terminal can show.
Invariant: a lesson's test says what is typed and how many questions there are; what is right the lesson says."""

from __future__ import annotations

import io

from ixviz.lesson import Lesson, Runs, Session
from ixviz.lesson.plain import run_plain


def answered(lesson: Lesson, runs: Runs, answers: str, questions: int) -> str:
    """The whole lesson as text, with these answers to its so many questions: all of them are right."""
    out = io.StringIO()
    assert run_plain(Session(lesson, runs=runs), io.StringIO(answers), out) == 0
    text = out.getvalue()
    assert text.endswith(f"End of the lesson: {questions} of {questions} right.\n")
    assert text.count("Why: ") == sum(beat.why is not None for beat in lesson.beats)
    assert "\x1b" not in text and max(map(len, text.splitlines())) <= 80
    return text
