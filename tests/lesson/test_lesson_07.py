"""The bundled lesson about elastic cores: its decisions once more, from the signals and IXCP's rules alone.
Invariant: what the lesson says of a decision is computed here from facts 1.7, without the policy's code."""

from __future__ import annotations

from math import inf

import pytest
from lesson.bundled import answered, right_again

from ixviz.lesson import Lesson, Runs, load_lesson
from ixviz.lesson.check import check

pytestmark = pytest.mark.xdist_group("lesson 07")  # with test_lesson_beats.py, on the same machines

ANSWERS = "b\nc\nb\n3.3\nc\nb\na\n15.6\n7.1\n14\nb c a\nc\nb\n"


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/07-elastic-cores")


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 13)


def test_what_was_missed_comes_back_with_another_answer(lesson: Lesson) -> None:
    """A look is every 0.1 s: up 0.2 s after one up or 2 s after one down, down 4 s after any. 64,000 of 80,000 requests
    a second leave four cores idle 20 % of their time, and 30 % are wanted."""
    assert right_again(lesson) == {
        "hold": ("3.3 s", "4.3 s"),
        "spare": ("A core is given back.", "Nothing, as long as the load is the same."),
        "down": ("15.6 s", "16.5 s"),
        "burst": ("7.1 s", "6.1 s"),
    }


@pytest.mark.parametrize("run", ["day", "burst"])
def test_the_decisions_follow_from_the_signals(lesson: Lesson, runs: Runs, run: str) -> None:
    """As long as no more than the four cores, one thread each, are in use: step n has n + 1 cores."""
    sim = runs.recorded_to_end(run)
    seen, table = sim.control.signals, sim.control.decisions
    step, up, down, steps = 0, -inf, -inf, []
    for time, fast, slow, idle in zip(seen.time, seen.fast, seen.slow, seen.idle, strict=True):
        tenths = round(time * 25 / 10**11)
        if fast > 32 * 1024 and tenths - up >= 2 and tenths - down >= 20 and step < 3:
            step, up = step + 1, tenths
        elif step and slow < 8 * 1024 and idle / 65_536 > 1.2 / (step + 1) and tenths - max(up, down) >= 40:
            step, down = step - 1, tenths
        else:
            continue
        steps.append((tenths, step))
    decided = [(round(t * 25 / 10**11), s) for t, s in zip(table.time[1:], table.after[1:], strict=True) if s <= 3]
    assert decided == steps and len(steps) >= 4


def test_a_core_that_joins_or_leaves_moves_its_share_and_no_more(lesson: Lesson, runs: Runs) -> None:
    table = runs.recorded_to_end("day").control.decisions
    for before, after, groups in list(zip(table.before, table.after, table.groups, strict=True))[1:]:
        assert groups == 128 // (max(before, after) + 1)
