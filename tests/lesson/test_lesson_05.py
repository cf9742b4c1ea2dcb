"""The bundled lesson about protection: what an application that breaks a rule does to its core, and to no other.
Invariant: the machine with the bug is compared, packet by packet, with the same one without it."""

from __future__ import annotations

import numpy as np
import pytest
from lesson.bundled import answered

from ixviz.lesson import Lesson, Runs, load_lesson
from ixviz.lesson.check import check

pytestmark = pytest.mark.xdist_group("lesson 05")  # with test_lesson_beats.py, on the same machines

ANSWERS = "c\nd\nc\nnic.q0\na\nb\na\na1\nc4\n"
MS = 10**9  # ps


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/05-protection")


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 8)


@pytest.mark.parametrize("run", ["writes", "stuck"])
def test_packets_of_core_1_leave_when_they_do_without_the_bug(runs: Runs, run: str) -> None:
    healthy, bad = (runs.recorded_to_end(each).table("packets").columns for each in ("pair", run))
    queue = np.asarray(healthy["queue"].values)
    mine = queue == healthy["queue"].words.index("nic.q1")
    assert np.array_equal(np.asarray(healthy["leaves"].values)[mine], np.asarray(bad["leaves"].values)[mine])
    assert mine.sum() > 1000


def test_the_watchdog_comes_after_10_ms_in_ring_3(runs: Runs) -> None:
    history = runs.recorded_to_end("stuck").history
    mine = [event for event in map(history.event, range(len(history))) if history.places[event.subject].name == "core0"]
    last, before = mine[-1], mine[-2]
    assert (history.kinds[before.kind], history.kinds[last.kind]) == ("app", "watchdog")
    assert last.time - before.time == 10 * MS


def test_ix_crosses_twice_a_turn_and_linux_seven_times_a_request(runs: Runs) -> None:
    for run in ("calm", "busy", "ix"):
        figures = runs.metrics(run)
        turns = sum(core["batches"] for core in figures["cores"])
        assert figures["protection"]["crossings"] == pytest.approx(2 * turns, abs=2 * len(figures["cores"]))
    linux = runs.metrics("linux")
    each = linux["protection"]["crossings"] / linux["packets"]["delivered"]
    assert 6 < each < 9  # read, read, write, there and back, and a share of epoll_wait and of interrupts
