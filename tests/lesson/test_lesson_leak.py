"""The leak test: other futures are equal up to the stop and differ after it, and whoever reads beyond it is caught."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from lesson.small import OTHER, SMALL, changed, place_of

from ixviz.lesson import Runs, Session, load_lesson_text
from ixviz.lesson.check import check
from ixviz.lesson.leak import READERS, Reader, leaks
from ixviz.lesson.model import Beat, Lesson, Predict
from ixviz.lesson.stops import Stops
from ixviz.lesson.twins import twins

LESSONS = {"small": load_lesson_text(SMALL), "other": load_lesson_text(OTHER)}
QUESTIONS = [(name, beat.id) for name, lesson in LESSONS.items() for beat in lesson.beats
             if isinstance(beat.action, Predict)]  # fmt: skip
BRANCH = """\
  - id: branch
    title: A branch
    minutes: 1
    run: bench
    until: core0.batch == 4
    look: {compare: [bench, one], align: packet}
    predict:
      ask: How many leave earlier?
      number:
        answer: count(packets where batch == 4 and one.packet(id).leaves < leaves)
        unit: packets
        from: 0
        to: 9
        within: 0
      because:
        - {when: said >= 0, say: No.}
    reveal: core0.batch == 5 and one.core0.batch == 11
"""


def beat_of(lesson: Lesson, name: str) -> Beat:
    return next(beat for beat in lesson.beats if beat.id == name)


def found(lesson: Lesson, name: str, *readers: Reader) -> list[str]:
    return [each.message for each in leaks(lesson, Stops(Runs(lesson)), beat_of(lesson, name), readers or READERS)]


def events(sim: Any) -> list[tuple[int, ...]]:
    history = sim.history
    return [(e.time, e.kind, e.subject, e.cause) for e in map(history.event, range(len(history)))]


# ----------------------------------------------------------------------------------------------- other futures
@pytest.mark.parametrize(("name", "beat"), QUESTIONS)
def test_a_twin_is_equal_up_to_the_stop_and_differs_after_it(name: str, beat: str) -> None:
    lesson = LESSONS[name]
    stops, asked = Stops(Runs(lesson)), beat_of(lesson, beat)
    stop = stops.stop(asked).event
    assert stop is not None
    made = list(twins(lesson, stops, asked))
    assert made
    here = stops.runs.recorded(asked.run, stop + 100)
    for twin in made:
        there = twin.runs.recorded(asked.run, stop + 100)
        assert events(here)[: stop + 1] == events(there)[: stop + 1]
        assert events(here)[stop + 1 : stop + 50] != events(there)[stop + 1 : stop + 50]
        assert (here.history.cursor(stop).values() == there.history.cursor(stop).values()).all()
        assert twin.runs.metrics(asked.run) != stops.runs.metrics(asked.run)
        assert twin.runs.scenario(asked.run) == stops.runs.scenario(asked.run)  # whose values may be read


def test_a_branch_parts_where_it_stands() -> None:
    lesson = load_lesson_text(SMALL.replace("  alone: 5", "  alone: 6") + BRANCH)
    stops, asked = Stops(Runs(lesson)), beat_of(lesson, "branch")
    place = stops.position_of("one", stops.stop(asked))
    assert place.event is not None
    for twin in twins(lesson, stops, asked):
        here, there = stops.runs.recorded("one"), twin.runs.recorded("one")
        assert events(here)[: place.event + 1] == events(there)[: place.event + 1]
        assert events(here)[place.event + 1 :] != events(there)[place.event + 1 :]
        assert twin.position_of("one", twin.stop(asked)) == place
    assert found(lesson, "branch") == []


@pytest.mark.parametrize(("name", "beat"), QUESTIONS)
def test_nothing_leaks(name: str, beat: str) -> None:
    assert found(LESSONS[name], beat) == []


# ----------------------------------------------------------------------------------------------- leaks
def one(what: object) -> Iterable[tuple[str, str]]:
    return [("the panel", str(what))]


def last_event(session: Session) -> Iterable[tuple[str, str]]:
    """One event beyond the stop."""
    assert session.view_event is not None
    return one(session.simulation().history.event(session.view_event + 1))


def arrivals(session: Session) -> Iterable[tuple[str, str]]:
    return one(session.simulation().feed.packets.arrives.tolist())


def batches(session: Session) -> Iterable[tuple[str, str]]:
    return one(session.simulation().batch_table())


def figures(session: Session) -> Iterable[tuple[str, str]]:
    return one(session.runs.metrics(session.beat.run))


def ends(session: Session) -> Iterable[tuple[str, str]]:
    """What a whole run ended with."""
    sim = session.runs.whole(session.beat.run)
    return one((sim.now, sim.batch_table()))


def more_at_times(session: Session) -> Iterable[tuple[str, str]]:
    """Says something more where it is the lesson's own future."""
    yield from one(1)
    counts = [runs.recorded("bench", 5_000).journal.count for runs in (session.runs, Runs(session.lesson))]
    if counts[0] == counts[1]:
        yield from one(2)


@pytest.mark.parametrize("reader", [last_event, arrivals, batches, figures, ends, more_at_times])
@pytest.mark.parametrize("beat", ["size", "settle"])
def test_who_reads_beyond_the_stop_is_caught(reader: Reader, beat: str) -> None:
    [message] = found(LESSONS["small"], beat, reader)
    assert message.startswith("leak: before the answer the panel shows what comes after the stop: ")


def test_it_says_where_and_what() -> None:
    lesson = load_lesson_text(SMALL, "l.yaml")

    def log(session: Session) -> Iterable[tuple[str, str]]:
        return [("the log", f"a\nb\n{session.runs.metrics('bench')['batch']['max']}")]

    [problem] = leaks(lesson, Stops(Runs(lesson)), beat_of(lesson, "mean"), [log])
    at = place_of("ask: How large is", SMALL)
    where, what = f"l.yaml:{at}: beat mean: leak: ", "before the answer the log shows what comes after the stop: "
    assert str(problem).startswith(f'{where}{what}"12", with another future "')


def test_texts_that_are_made_at_the_reveal_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if somebody mixed up the two moments in session.py."""
    monkeypatch.setattr(Session, "_now", lambda session: session._later())
    messages = found(LESSONS["small"], "settle")
    assert len(messages) == 2 and all(message.startswith("leak: ") for message in messages)
    assert "--plain" in messages[1] and "packets came so far" in messages[1]


def test_an_answer_that_is_shown_with_the_question_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Session.wanted.fget  # type: ignore[attr-defined]
    later = property(lambda session: f"{wanted(session)}, {session._later().main.lookup('time')}")
    monkeypatch.setattr(Session, "wanted", later)
    assert any(message.startswith("leak: ") for message in found(LESSONS["other"], "coming"))


def test_only_what_given_names_may_be_known() -> None:
    """The figure that is given passes; the same lesson with another of them in its text does not."""
    assert found(LESSONS["small"], "mean") == []
    text = changed("$(requests.completed in M/s) are", "$(requests.completed in M/s) and $(batch.max) are")
    message = "beat mean: batch.max is a figure of the whole run, which is not over"
    told = [str(problem) for problem in check(load_lesson_text(text, "l.yaml"))]
    assert told == [f"l.yaml:{place_of('batch.max) are', text)}: {message}"]


@pytest.mark.parametrize("way", ["answer", "skip"])
def test_what_passes_the_question_is_caught(way: str) -> None:
    def passes(session: Any) -> Iterable[tuple[str, str]]:
        if session.original is None:  # not in the other future: there nothing may be right
            (session.answer("a") if way == "answer" else session.skip())
        return []

    [message] = found(LESSONS["small"], "size", passes)
    assert message == "leak: something else than an answer or a skip passes the question"


def test_without_another_future_it_is_untested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ixviz.lesson.leak.twins", lambda *_: iter(()))
    assert found(LESSONS["small"], "size") == ["the leak test found no other future for this beat: it is untested"]


def test_a_future_that_does_not_differ_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ixviz.lesson.twins.Twins.other", lambda self, scenario, now: scenario)
    assert found(LESSONS["small"], "size") == ["the leak test found no other future for this beat: it is untested"]


def test_a_question_that_comes_back_is_tested_too() -> None:
    def tells_the_bound(session: Session) -> Iterable[tuple[str, str]]:
        bound = session.runs.scenario("bench").system.batch_bound
        return one(session.runs.metrics("bench") if bound == 3 else bound)

    messages = [str(each) for each in check(LESSONS["other"], [tells_the_bound])]
    assert len(messages) == 1 and "beat leaving: leak: " in messages[0] and messages[0].endswith("(asked again)")
