"""The bundled lesson about run to completion: true on our model, quick to begin, and every wrong answer has its turn.
Invariant: what the lesson says of the machine is asked of the machine here, not read from the lesson."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
from lesson.bundled import answered

from ixviz.lesson import Lesson, Runs, Session, asking, load_lesson, variants
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.check import check
from ixviz.lesson.expr import evaluate, parse
from ixviz.lesson.model import LETTERS, Beat, Predict
from ixviz.lesson.stops import Position, Stops

RIGHT = {"alone": "a", "next": "d", "meanwhile": "nic.q0", "together": "c", "crossings": "b", "longest": "d c b a",
         "list": "d", "pipeline": "c", "long": "10 us", "sentence": "e"}  # fmt: skip
NUMBERS = ("0", "5", "12", "13", "24")  # of `long`: no wait, till the application is done, a turn, too much


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/01-run-to-completion")


@pytest.fixture(scope="module")
def stops(lesson: Lesson) -> Stops:
    return Stops(Runs(lesson))


def judged(stops: Stops, beat: Beat, answer: str) -> tuple[str, str]:
    """Kind and message of an answer to a beat."""
    now, later = (BeatEnv(stops, beat, where(beat)) for where in (stops.stop, stops.reveal))
    assert isinstance(beat.action, Predict)
    outcome = asking.judge(beat.action, answer, now, later)
    return outcome.kind, outcome.message


def answers(action: Predict) -> Iterator[str]:
    """All that can be answered, or some numbers."""
    if action.order is not None:
        yield from ("".join(said) for said in permutations(LETTERS[: len(action.order.items)]))
    elif action.point is not None:
        yield from action.point.among
    elif action.number is not None:
        yield from (*NUMBERS, "10")
    else:
        yield from LETTERS[: len(action.options)]


def value(stops: Stops, beat: Beat, where: Position, expression: str) -> object:
    return evaluate(parse(expression), BeatEnv(stops, beat, where)).data


def beat_of(lesson: Lesson, name: str) -> Beat:
    return next(beat for beat in lesson.beats if beat.id == name)


# ------------------------------------------------------------------------------------------- as a whole
def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson) -> None:
    assert [beat.id for beat in lesson.beats] == list(RIGHT)
    answered(lesson, Runs(lesson), "\n".join(RIGHT.values()) + "\n", 10)


def test_the_first_beat_has_a_packet_and_fewer_than_60_words(lesson: Lesson) -> None:
    session = Session(lesson)
    assert session.view_event is not None
    cursor = session.simulation().history.cursor(session.view_event)
    assert cursor["nic.q0"].depth == 1 and cursor["core0"].stage == 0
    texts = session.texts()
    words = " ".join([texts.say, texts.ask, *(choice.text for choice in texts.choices)]).split()
    assert len(words) < 60


def test_all_beats_ask_and_the_right_letters_are_spread(lesson: Lesson) -> None:
    letters = [RIGHT[beat.id] for beat in lesson.beats
               if isinstance(beat.action, Predict) and beat.action.options]  # fmt: skip
    assert set(letters) == set("abcde") and max(letters.count(each) for each in "abcde") <= 2
    assert all(isinstance(beat.action, Predict) for beat in lesson.beats)
    assert 9 <= sum(beat.minutes for beat in lesson.route("lecture")) <= 11


# ------------------------------------------------------------------------------------------- every answer
@pytest.mark.parametrize("name", RIGHT)
def test_the_right_answer_passes_and_every_wrong_one_has_its_reason(lesson: Lesson, stops: Stops, name: str) -> None:
    beat = beat_of(lesson, name)
    assert isinstance(beat.action, Predict)
    given = {answer: judged(stops, beat, answer) for answer in answers(beat.action)}
    assert [kind for kind, _ in given.values()].count("right") == 1
    assert judged(stops, beat, RIGHT[name])[0] == "right"
    reasons = [message for kind, message in given.values() if kind == "wrong"]
    assert all(reasons)
    if beat.action.order is None:
        assert len(set(reasons)) >= len(reasons) - (beat.action.number is not None)


def test_what_was_missed_comes_back_with_other_numbers_and_one_right_answer(lesson: Lesson, stops: Stops) -> None:
    changed = []
    for beat in lesson.beats:
        assert isinstance(beat.action, Predict)
        if not beat.action.again:
            continue
        anew = Stops(Runs(variants.again(lesson, beat)))
        right = [answer for answer in answers(beat.action) if judged(anew, beat, answer)[0] == "right"]
        assert len(right) == 1 or beat.action.number is not None, beat.id
        was, now = (BeatEnv(where, beat, where.reveal(beat)).shown(beat.why) for where in (stops, anew))
        assert was != now, beat.id
        assert all(BeatEnv(anew, beat, anew.reveal(beat)).truth(claim) for claim in beat.expect), beat.id
        changed.append(beat.id)
    assert changed == ["alone", "together", "crossings", "longest", "list", "long", "sentence"]


def test_each_student_may_get_a_turn_of_another_length(lesson: Lesson) -> None:
    beat, found = beat_of(lesson, "long"), set()
    for name in ("ada", "bo", "cem", "dana", "eli", "fay"):
        other = variants.variant(lesson, name)
        where = Stops(Runs(other))
        found.add(value(where, beat, where.reveal(beat), "packet(2).polled - packet(2).arrives"))
        assert len({judged(where, beat, number)[0] for number in ("8", "12", "14")}) == 2
    assert len(found) > 1 and found <= {8_000_000, 12_000_000, 14_000_000}


# ------------------------------------------------------------------------------------------- what the machine does
def test_a_batch_crosses_twice_whatever_its_size(lesson: Lesson, stops: Stops) -> None:
    sim = stops.runs.recorded("trip", time=30_000_000)
    history = sim.history
    kinds = [history.kinds[history.event(i).kind] for i in range(len(history))]
    assert kinds.count("cross_in") == kinds.count("cross_out") == kinds.count("doorbell") == 5
    assert [int(sim.batches.size[row]) for row in range(1, 6)] == [1, 1, 1, 3, 4]


def test_between_poll_and_doorbell_a_packet_is_in_no_queue(lesson: Lesson, stops: Stops) -> None:
    """At every event of `burst`: what has arrived waits in front, or is in the batch, or has left."""
    history = stops.runs.recorded("burst", time=30_000_000).history
    most = 0
    for event in range(1, len(history)):
        view = history.cursor(event)
        core, waits = view["core0"], view["nic.q0"].depth + view["core0.rxlist"].depth
        assert view["nic"].arrived == waits + core.size + core.done
        most = max(most, core.size)
    assert most == 4


def test_the_queue_of_the_pipeline_stands_behind_tcp_and_grows(lesson: Lesson, stops: Stops) -> None:
    beat = beat_of(lesson, "pipeline")
    stop, reveal = stops.stop(beat), stops.reveal(beat)
    assert value(stops, beat, stop, "between + before") < 6  # type: ignore[operator]
    assert value(stops, beat, reveal, "between") > 50  # type: ignore[operator]
    assert value(stops, beat, reveal, "before") < 6  # type: ignore[operator]


def test_block_style(lesson: Lesson) -> None:
    assert lesson.path is not None
    lines = lesson.path.read_text("utf-8").splitlines()
    assert not any(mark in line.partition("#")[0].partition("$")[0] for line in lines for mark in "{}[]")
