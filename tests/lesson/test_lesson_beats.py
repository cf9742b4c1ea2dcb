"""Every beat of every bundled lesson, as a learner may go through it: right, wrong, wrong three times, given up.

Invariant: a lesson's machines run once for all of it; what is right and what is said is asked of the run, never typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from math import ceil

import pytest

from ixviz.lesson import Lesson, Phase, Runs, Session, asking, load_lesson
from ixviz.lesson.checker.scene import Scene
from ixviz.lesson.expr import format_value
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.finds import fault_of, holders
from ixviz.lesson.load import list_lessons
from ixviz.lesson.model import LETTERS, Beat, Find, NumberAnswer, Predict, Task
from ixviz.lesson.stops import Stops
from ixviz.lesson.tasks import spelled
from ixviz.scenario.source import Node


class Learner:
    """Sessions of one lesson, all on the same machines."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.runs = lesson, Runs(lesson)
        self.asked = [beat.id for beat in lesson.beats if beat.action is not None]

    def at(self, beat: Beat) -> Session:
        """A first visit, at this beat; all before it was given up."""
        session = Session(self.lesson, runs=self.runs)
        before = self.lesson.beats[: self.lesson.beats.index(beat)]
        session.restore({each.id: "skipped" for each in before if each.action is not None}, {}, at=beat.id)
        assert session.beat is beat and session.phase is Phase.ASKING and session.score == ""
        return session

    def back(self, beat: Beat, said: str, reviewed: dict[str, str]) -> Session:
        """A later visit, after the end was reached with a wrong answer to this beat."""
        session = Session(self.lesson, runs=self.runs)
        results = dict.fromkeys(self.asked, "skipped") | {beat.id: "wrong"}
        session.restore(results, {beat.id: said}, reviewed, done=True)
        return session


def numbers(asked: NumberAnswer) -> Iterator[str]:
    """Answers over the whole range, the whole numbers first."""
    scale = float(UNITS[asked.unit].scale) if asked.unit in UNITS else 1
    low, high = asked.low.data / scale, asked.high.data / scale
    yield from map(str, islice(range(ceil(low), int(high) + 1), 200))
    yield from (str(low + (high - low) * i / 100) for i in range(101))


def settings(values: Mapping[str, Node]) -> str:
    return ", ".join(f"{knob} = {spelled(value)}" for knob, value in values.items())


def right_answers(beat: Beat, scene: Scene, was: str, letter: str) -> list[str]:
    """All listed ways to be right."""
    action = beat.action
    if isinstance(action, Task):
        return [settings(each) for each in action.solutions]
    if isinstance(action, Find):
        rule = next(i for i, rule in enumerate(action.rules) if rule.fault == fault_of(scene.stops.runs, beat).id)
        found = []
        for name in holders(scene.stops.runs, beat, action):
            c = LETTERS[action.among.index(name)]
            found += [f"{c}{rule + 1}", f"{rule + 1} {c}", f"{name} {action.rules[rule].fault}"]
        return found
    assert isinstance(action, Predict)
    if action.number is not None:
        unit = action.number.unit if action.number.unit in UNITS else None
        return [format_value(scene.later.value(action.number.answer), unit)]
    if action.point is not None:
        return [letter, was]
    return [letter, letter.upper()]


def wrong_answers(beat: Beat, scene: Scene, letter: str) -> list[tuple[str, str]]:
    """Wrong ones, and what has to be said to each."""
    action, shown = beat.action, scene.later.shown
    if isinstance(action, Task):
        return [(settings(each.values), shown(each.because)) for each in action.wrong]
    if isinstance(action, Find):
        wrong = [(i, shown(rule.because)) for i, rule in enumerate(action.rules, start=1) if rule.because is not None]
        found = [(f"{letter}{i}", reason) for i, reason in wrong for letter in LETTERS[: len(action.among)]]
        having = holders(scene.stops.runs, beat, action)
        [broken] = {*range(1, len(action.rules) + 1)} - {i for i, _ in wrong}
        innocent = [LETTERS[i] for i, name in enumerate(action.among) if name not in having]
        return found + [(f"{letter}{broken}", "not by this part") for letter in innocent]
    assert isinstance(action, Predict)
    if action.point is not None:
        pairs = [(LETTERS[i], name) for i, name in enumerate(action.point.among) if name in action.point.because]
        return [(said, shown(action.point.because[name])) for c, name in pairs for said in (c, name) if c != letter]
    return [(LETTERS[i], shown(option.because)) for i, option in enumerate(action.options) if LETTERS[i] != letter]


def remarks(beat: Beat, scene: Scene, letter: str) -> list[tuple[str, str]]:
    """Wrong numbers and orders, one for each remark that is made; each is that of the lesson, and all are made."""
    action = beat.action
    assert isinstance(action, Predict)
    asked = action.number or action.order
    if asked is None:
        return []
    tried: Iterator[str] = numbers(action.number) if action.number is not None else (
        "".join(LETTERS[i] for i in said) for said in islice(permutations(range(len(letter))), 200))  # fmt: skip
    made: dict[str, str] = {}
    for text in tried:
        outcome = asking.judge(action, text, scene.now, scene.later)
        assert outcome.kind in ("right", "wrong"), (beat.id, text)
        assert bool(outcome.message) is (outcome.kind == "wrong"), (beat.id, text)
        if outcome.kind == "wrong":
            made.setdefault(outcome.message, text)
    known = {scene.later.shown(each.say) for each in asked.remarks}
    assert set(made) == known, beat.id
    return [(text, message) for message, text in made.items()]


# ----------------------------------------------------------------------------------------------- one beat
def goes_back_and_forth(session: Session) -> None:
    """Nothing that was answered changes by walking."""
    before = dict(session.results), dict(session.reviewed), session.score
    index = session.index
    for there in (0, index, max(index - 1, 0), index):
        assert session.go_to(there)
    assert session.answer("a").kind == session.answer("1").kind == "unusable" and session.skip().kind == "unusable"
    assert (dict(session.results), dict(session.reviewed), session.score) == before and session.phase is Phase.ANSWERED


def counts(session: Session, beat: Beat, kind: str) -> None:
    assert session.results[beat.id] == kind and session.phase is Phase.ANSWERED, beat.id
    scores = {"right": "right so far: 1 of 1", "wrong": "right so far: 0 of 1", "skipped": ""}
    assert session.score == scores[kind], beat.id


def first_visit(learner: Learner, beat: Beat, scene: Scene) -> tuple[list[str], list[tuple[str, str]]]:
    """Given up, right and wrong, each once. The right and the wrong answers."""
    session = learner.at(beat)
    assert not session.go_on()
    assert session.index == len(session.beats) - 1 or not session.go_to(session.index + 1)
    told = session.skip()
    assert told.kind == "skipped" and told.was, beat.id
    counts(session, beat, "skipped")
    goes_back_and_forth(session)
    right = right_answers(beat, scene, told.was, told.was_letter)
    assert right, beat.id
    for text in right:
        session = learner.at(beat)
        outcome = session.answer(text)
        assert outcome.kind == "right", (beat.id, text, outcome)
        counts(session, beat, "right")
    goes_back_and_forth(session)
    wrong = wrong_answers(beat, scene, told.was_letter)
    if isinstance(beat.action, Predict):
        wrong += remarks(beat, scene, told.was_letter)
    assert wrong, beat.id
    return right, wrong


def stays_open(learner: Learner, beat: Beat, right: list[str], wrong: list[tuple[str, str]]) -> None:
    """A task or a find: each wrong try says its own reason, and after all of them right is right."""
    session = learner.at(beat)
    for text, reason in wrong * (1 + 3 // len(wrong)):
        outcome = session.answer(text)
        assert outcome.kind == "wrong" and reason in outcome.message, (beat.id, text, outcome)
        assert session.phase is Phase.ASKING and session.results.get(beat.id) is None and session.score == "", beat.id
        assert session.texts().outcome == outcome and session.texts().why == "", beat.id
    assert session.answer(right[0]).kind == "right", beat.id
    counts(session, beat, "right")
    goes_back_and_forth(session)


def comes_back(learner: Learner, beat: Beat, wrong: list[tuple[str, str]]) -> None:
    """A prediction: each wrong one says its own reason and comes back, visit after visit, until it is right."""
    for text, reason in wrong:
        session = learner.at(beat)
        outcome = session.answer(text)
        assert (outcome.kind, outcome.message) == ("wrong", reason), (beat.id, text)
        counts(session, beat, "wrong")
        assert session.texts().back and session.wrong == (beat,), beat.id
    goes_back_and_forth(session)
    said, reviewed = text, dict[str, str]()
    given_up = learner.back(beat, said, {})
    told = given_up.skip()
    assert told.kind == "skipped" and given_up.reviewed == {beat.id: "skipped"} and given_up.wrong == (beat,), beat.id
    letter = told.was_letter
    assert isinstance(beat.action, Predict)
    with_other_numbers = Scene(given_up.stops, beat)
    again = wrong_answers(beat, with_other_numbers, letter) or wrong
    for text, _ in (again * 3)[:3]:
        session = learner.back(beat, said, reviewed)
        assert session.review and session.beat is beat and session.phase is Phase.ASKING, beat.id
        assert session.answer(text).kind == "wrong", (beat.id, text)
        reviewed = dict(session.reviewed)
        assert reviewed == {beat.id: "wrong"} and session.results[beat.id] == "wrong", beat.id
        score = session.score
    session = learner.back(beat, said, reviewed)
    assert session.answer(right_answers(beat, with_other_numbers, told.was, letter)[0]).kind == "right", beat.id
    assert session.reviewed == {beat.id: "right"} and session.wrong == () and session.score == score, beat.id
    assert session.go_on() and session.phase is Phase.OVER, beat.id
    session = learner.back(beat, said, session.reviewed)
    assert not session.review and session.index == 0, beat.id  # nothing is left: from the beginning


# All tests of one lesson's machines in one process (see test_lesson_02.py), which then simulates them once.
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xdist_group(f"lesson {n.partition('-')[0]}")) for n in list_lessons()]
)
def test_every_beat(name: str, kept: dict[str, Runs]) -> None:
    lesson = load_lesson(name)
    learner = Learner(lesson)
    kept.setdefault(lesson.id, learner.runs)
    stops = Stops(learner.runs)
    for beat in lesson.beats:
        if beat.action is None:
            continue
        right, wrong = first_visit(learner, beat, Scene(stops, beat))
        if isinstance(beat.action, Predict):
            comes_back(learner, beat, wrong)
        else:
            stays_open(learner, beat, right, wrong)
