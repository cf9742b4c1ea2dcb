"""The bundled lesson about energy: its watts and joules once more, by the textbook formula and from decisions alone.
Invariant: what a step takes is computed here from clock and voltage, without the machine's own table of power."""

from __future__ import annotations

import pytest
from lesson.bundled import answered

from ixviz.lesson import Lesson, Runs, load_lesson
from ixviz.lesson.check import check

pytestmark = pytest.mark.xdist_group("lesson 09")  # with test_lesson_beats.py, on the same machines

ANSWERS = "b\n45.5\nb\nc\nb\nd\nc\n59\nc\na\nc d a b\n120\n"


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/09-energy")


def volts(ghz: float) -> float:
    return 0.8 + 0.25 * (ghz - 1.2) / 1.6


def core(ghz: float, threads: int) -> float:
    """W of a core in use: leakage, and clock × voltage² as shares of those at 2.8 GHz and 1.05 V."""
    return 1.2 + 6.35 * (1 + 0.1 * (threads - 1)) * ghz / 2.8 * (volts(ghz) / 1.05) ** 2


def package(cores: int, ghz: float, threads: int, parked: int) -> float:
    return 25.52 + 0.3 * parked + cores * core(ghz, threads)


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 12)


@pytest.mark.parametrize(("run", "watts"), [
    ("all", package(8, 2.8, 2, 0)), ("fall", package(1, 1.2, 1, 7)), ("day", package(2, 1.2, 1, 6)),
    ("slow", package(2, 1.2, 2, 0)), ("fast", package(1, 2.4, 2, 1)), ("both", package(2, 2.4, 2, 0)),
    ("climb", package(2, 2.8, 2, 0)),
])  # fmt: skip
def test_the_power_at_the_end_of_a_run(runs: Runs, run: str, watts: float) -> None:
    assert runs.whole(run).control.power / 1000 == pytest.approx(watts, abs=0.005)


def test_what_the_lesson_types_of_watts() -> None:
    first, second = package(1, 1.2, 1, 7), package(2, 1.2, 1, 6)
    assert (round(core(1.2, 1), 1), round(first, 1), round(second - first, 1)) == (2.8, 30.4, 2.5)
    assert round(package(0, 1.2, 1, 0), 1) == 25.5 and round(second / first - 1, 3) == 0.082  # "less than a tenth more"
    assert round(package(7, 1.2, 1, 1), 1) == 45.3 and round(package(8, 1.2, 1, 0), 1) == 47.8
    assert 1.2 * volts(1.2) ** 2 * 2 / (2.4 * volts(2.4) ** 2) == pytest.approx(2 / 3, abs=0.02)  # "a third less"
    carried = 1 / 0.049  # thousand requests a second, on one core at 1.2 GHz; a second hyperthread adds 12 %
    price = [(core((n + 1) / 10, 2) - core(n / 10, 2)) / (1.12 * carried / 12) for n in range(12, 24)]
    assert price[0] <= (second - first) / carried and price == sorted(price)  # the clock: first as dear, then dearer


def test_the_energy_of_the_day_from_its_decisions(runs: Runs) -> None:
    """A core takes power from the decision that adds it, and until its groups have gone."""
    sim = runs.whole("day")
    table = sim.control.decisions
    joules, since, power = 0.0, 0, package(1, 1.2, 1, 7)
    for before, after, time, ended in list(zip(table.before, table.after, table.time, table.ended, strict=True))[1:]:
        change = time if after > before else ended
        joules += power * (change - since) / 1e12
        since, power = change, package(after + 1, 1.2, 1, 7 - after)
    joules += power * (sim.now - since) / 1e12
    assert sim.control.spent(sim.now)[0] / 1e6 == pytest.approx(joules, rel=0.002)
    assert 1 - joules / (91 * sim.now / 1e12) == pytest.approx(0.591, abs=0.003)


def test_six_cores_are_too_few_for_the_limit_and_eight_are_enough(runs: Runs) -> None:
    late = [runs.metrics(run)["latency_us"]["p99"] > 500 for run in ("seven", "eight", "lone", "day")]
    assert late == [True, False, False, True]
