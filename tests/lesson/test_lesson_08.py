"""The bundled lesson about moving a flow group: what its runs keep, and what its faults break.
Invariant: the order within a connection and who worked on it are read from the packets alone, not from the protocol."""

from __future__ import annotations

import numpy as np
import pytest
from lesson.bundled import answered, right_again

from ixviz.lesson import Lesson, Runs, load_lesson
from ixviz.lesson.check import check

pytestmark = pytest.mark.xdist_group("lesson 08")  # with test_lesson_beats.py, on the same machines

ANSWERS = "b\nc\ncore1.remote\nd\na\n9.7\nd b a c\nc\nc\nb2\ncore0 two-owners\n"
CONNECTION = 17


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/08-moving-a-flow-group")


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 11)


def test_what_was_missed_comes_back_with_another_answer(lesson: Lesson) -> None:
    """Core 1 begins a turn of 1.5 µs with packet 11 at 8.2 or 8.4 µs, and is the owner when that ends."""
    assert right_again(lesson) == {"owner": ("9.7 µs", "9.9 µs")}


@pytest.mark.parametrize(("run", "ordered", "alone"), [
    ("move", True, True), ("stay", True, True), ("quiet", True, True),
    ("naive", False, False), ("swapped", False, True), ("both", False, False),
])  # fmt: skip
def test_what_a_run_keeps(lesson: Lesson, runs: Runs, run: str, ordered: bool, alone: bool) -> None:
    columns = runs.recorded_to_end(run).table("packets").columns
    assert columns["leaves"].known is not None and columns["leaves"].known.all()  # every packet is answered
    mine = columns["flow"].values == CONNECTION
    core, begins, ends = (np.asarray(columns[name].values)[mine] for name in ("core", "polled", "leaves"))
    assert bool(np.all(np.diff(ends) >= 0)) == ordered  # those of one batch leave together
    one_after_another = all(
        core[i] == core[j] or ends[i] <= begins[j] or ends[j] <= begins[i]
        for i in range(len(core)) for j in range(i)
    )  # fmt: skip
    assert one_after_another == alone  # one core works on the connection at a time
