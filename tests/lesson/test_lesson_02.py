"""The bundled lesson about batching: true on our model, short at its beginning, quick as text."""

from __future__ import annotations

import io

import pytest
from lesson.bundled import answered

from ixviz.lesson import Lesson, Runs, Session, load_lesson
from ixviz.lesson.check import check
from ixviz.lesson.model import Predict
from ixviz.lesson.plain import run_plain

ANSWERS = "a\nc\nd\n7\nc\nb\nb\nc\n4\nc\n3\nb\nc3\n"


pytestmark = pytest.mark.xdist_group("lesson 02")  # with test_lesson_beats.py, on the same machines


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/02-batching")


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 13)


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_a_newcomer_reads_fewer_than_80_words_before_the_first_prompt(lesson: Lesson) -> None:
    out = io.StringIO()

    class Stop(Exception):
        pass

    class Reader(io.StringIO):
        def readline(self, size: int = -1, /) -> str:
            raise Stop

    with pytest.raises(Stop):
        run_plain(Session(lesson), Reader(), out)
    assert "Predict:" in out.getvalue() and len(out.getvalue().split()) < 80


def test_nothing_is_simulated_twice(lesson: Lesson) -> None:
    runs = Runs(lesson)
    runs.define("mine", runs.scenario("calm64"))
    assert runs.whole("calm64") is runs.whole("mine")


def test_every_stop_shows_a_packet_or_has_not_begun(lesson: Lesson) -> None:
    """The first frame has a packet on it: the first beat stops with one in q0."""
    session = Session(lesson)
    assert session.view_event is not None
    assert session.simulation().history.cursor(session.view_event)["nic.q0"].depth == 1


def test_block_style_and_lines_that_other_programs_look_for(lesson: Lesson) -> None:
    assert lesson.path is not None
    lines = lesson.path.read_text("utf-8").splitlines()
    assert "minutes:" in lines and sum(line.strip() == "predict:" for line in lines) == 11
    assert sum(line.strip().startswith("until:") for line in lines) >= len(lesson.beats)
    assert any(line.strip().startswith("answer:") for line in lines)
    assert not any(mark in line.partition("#")[0].partition("$")[0] for line in lines for mark in "{}[]")
    assert sum(isinstance(beat.action, Predict) for beat in lesson.beats) == 11
