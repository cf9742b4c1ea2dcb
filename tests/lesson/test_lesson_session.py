"""The session: what is asked, what may be read, what is counted."""

from __future__ import annotations

import pytest
from lesson.small import SMALL, changed

from ixviz.lesson import LessonError, Phase, Session, load_lesson_text
from ixviz.lesson.judge import Choice


@pytest.fixture
def session() -> Session:
    return Session(load_lesson_text(SMALL))


def at(session: Session, beat: str) -> Session:
    while session.beat.id != beat:
        session.skip()
        assert session.go_on()
    return session


def test_a_beat_to_read(session: Session) -> None:
    assert (session.phase, session.action, session.view_event) == (Phase.READING, None, 0)
    assert session.texts().say == "At most 64 packets go together."
    assert session.answer("a").kind == "unusable" and session.hint() is None
    assert session.go_on() and session.beat.id == "size"


def test_a_right_choice(session: Session) -> None:
    at(session, "size")
    stop = session.view_event
    assert stop is not None and session.phase is Phase.ASKING and session.score == ""
    texts = session.texts()
    assert texts.choices == (Choice("a", "1"), Choice("b", "6"), Choice("c", "64"))
    assert (texts.why, texts.outcome, texts.hints, texts.wanted) == ("", None, (), "a-c")
    assert not session.go_on()  # nothing but an answer or a skip passes
    assert not session.go_to(3)
    assert session.hint() == "How long does batch 2 take?" and session.hint() is None
    assert session.texts().hints == ("How long does batch 2 take?",)
    outcome = session.answer(" B) ")
    assert (outcome.kind, outcome.said, outcome.was_letter, outcome.was) == ("right", "6", "b", "6")
    assert session.phase is Phase.ANSWERED and session.view_event is not None and session.view_event > stop
    assert session.texts().why == "It took 2 µs." and session.score == "right so far: 1 of 1"
    assert session.answer("a").kind == "unusable" and session.score == "right so far: 1 of 1"


@pytest.mark.parametrize("text", ["", " ", "x", "d", "ab", "1", "ä", "\x1b[31m", "a b", "h" * 5000])
def test_an_unusable_answer_changes_nothing(session: Session, text: str) -> None:
    at(session, "size")
    before = session.texts()
    outcome = session.answer(text)
    assert outcome.kind == "unusable" and "a" in outcome.message and "c" in outcome.message
    assert session.phase is Phase.ASKING and session.texts() == before and session.results == {}


def test_a_wrong_choice_says_why_and_comes_back(session: Session) -> None:
    at(session, "size")
    outcome = session.answer("a")
    assert (outcome.kind, outcome.message, outcome.was) == ("wrong", "Everything that waits goes along.", "6")
    assert session.texts().back and session.score == "right so far: 0 of 1"
    while not session.review:
        session.skip()
        assert session.go_on()
    assert session.beat.id == "size" and session.phase is Phase.ASKING
    assert session.answer("b").kind == "right" and session.texts().back == ""
    assert session.results["size"] == "wrong" and session.reviewed["size"] == "right" and session.wrong == ()
    assert session.go_on() and session.phase is Phase.OVER and not session.go_on()


def test_a_skip_is_no_answer(session: Session) -> None:
    at(session, "settle")
    assert session.skip().was == "In between."
    assert session.results == {"size": "skipped", "settle": "skipped"} and session.score == ""


def test_what_is_passed_by_stays_open_and_counts_as_nothing(session: Session) -> None:
    ids = [beat.id for beat in session.beats]
    assert not session.go_to(ids.index("mean"))
    session.pass_to(ids.index("mean"))
    assert session.beat.id == "mean" and session.results == {} and session.score == ""
    assert session.go_to(ids.index("size")) and session.phase is Phase.ASKING
    assert session.answer("b").kind == "right" and session.results == {"size": "right"}
    session.pass_to(len(ids))
    assert session.phase is Phase.OVER and session.results == {"size": "right"}


def test_a_number(session: Session) -> None:
    at(session, "mean")
    assert session.texts().wanted == "a number of packets, 1 to 64"
    assert "M/s" in session.texts().say  # given
    for text in ("a", "0", "65", "-3", "5 us", "1e400", "nan", "1,5"):
        assert session.answer(text).kind == "unusable", text
    outcome = session.answer("40 packets")
    assert (outcome.kind, outcome.message, outcome.said) == ("wrong", "Smaller.", "40 packets")
    assert session.position.event is None


def test_a_task(session: Session) -> None:
    at(session, "knob")
    assert session.answer("3").kind == session.answer("other = 4").kind == session.answer("4, 5").kind == "unusable"
    outcome = session.answer("2")
    assert outcome.kind == "wrong" and "Four works too." in outcome.message and session.phase is Phase.ASKING
    assert "Wanted: batch.max < 8" in session.answer("batch_bound 64").message
    assert session.results.get("knob") is None
    assert session.turn("system.batch_bound", "4").kind == "right"
    assert session.texts().why == "With B = 4 it is 4." and session.position.run == "mine"
    assert session.results["knob"] == "right"


def test_giving_a_task_up_is_not_solving_it(session: Session) -> None:
    at(session, "knob")
    assert (session.skip().was, session.results["knob"]) == ("batch_bound = 4", "skipped")
    assert session.texts().why == "With B = 4 it is 4."


def test_going_back_shows_a_beat_as_it_was_left(session: Session) -> None:
    at(session, "size").answer("a")
    session.go_on()
    assert session.go_to(1) and session.phase is Phase.ANSWERED and session.texts().outcome is not None
    assert session.answer("b").kind == "unusable" and session.results == {"size": "wrong"}
    assert session.go_to(0) and session.go_to(2) and not session.go_to(3)
    with pytest.raises(IndexError):
        session.go_to(99)


def test_while_asking_texts_are_as_of_the_stop(session: Session) -> None:
    at(session, "settle").prepare()
    asked = "18 packets came so far, the last batch is 4."
    assert session.texts().say == asked and session.texts().why == ""
    session.answer("c")
    assert session.texts().say == asked and session.texts().why == "It is 12."


def test_a_text_that_reads_the_future_is_an_error_not_a_leak() -> None:
    text = changed("the last batch is $(last(batches).number)", "the next has $(batch(5).size)")
    session = at(Session(load_lesson_text(text, "l.yaml")), "settle")
    with pytest.raises(LessonError, match=r"beat settle: there is no batch 5 yet"):
        session.texts()


def test_the_history_up_to_the_stop_is_there(session: Session) -> None:
    at(session, "settle")
    sim = session.simulation()
    assert session.view_event is not None and len(sim.history) > session.view_event
    assert sim.history.cursor(session.view_event)["core0"].batch == 4
    session.prepare()
    assert session.phase is Phase.ASKING and session.results == {"size": "skipped"}
