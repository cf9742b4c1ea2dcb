"""The bundled lesson about consolidation: what the job gets once more, from the steps and their times alone.
Invariant: the job's cycles and the ideal are computed here from facts 1.7, not by what the lesson asks."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest

from ixviz.lesson import Lesson, Runs, Session, load_lesson
from ixviz.lesson.check import check
from ixviz.lesson.plain import run_plain
from ixviz.lesson.stops import Stops

pytestmark = pytest.mark.xdist_group("lesson 10")  # with test_lesson_beats.py, on the same machines

ANSWERS = "b\nc\na\nc\n4.1\nb\n48\nc b a\nc\nb c a\n5\nb\n"
CORES, TURBO, NOMINAL, BY = 4, 2_800, 2_400, 100  # of most machines of the lesson: clocks in MHz, times compressed


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/10-consolidation")


@pytest.fixture
def runs(lesson: Lesson, kept: dict[str, Runs]) -> Runs:
    return kept.setdefault(lesson.id, Runs(lesson))


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    out = io.StringIO()
    assert run_plain(Session(lesson, runs=runs), io.StringIO(ANSWERS), out) == 0
    text = out.getvalue()
    assert text.endswith("End of the lesson: 12 of 12 right.\n")
    assert text.count("Why: ") == 12 and "\x1b" not in text and max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("run", "least", "most"), [
    ("day", 0.44, 0.52), ("even", 0.64, 0.65), ("waves", 0.50, 0.57), ("bursts", 0.36, 0.44),
])  # fmt: skip
def test_the_job_has_the_cores_of_no_step(runs: Runs, run: str, least: float, most: float) -> None:
    """Step n of `back` has n + 1 cores. The job loses one when a step up is decided, and has it back once all flow
    groups have moved: between that and a thread's next quiescent point lie microseconds."""
    sim = runs.recorded_to_end(run)
    table = sim.control.decisions
    changes = [(0, 0)]
    for before, after, decided, ended in list(zip(table.before, table.after, table.time, table.ended, strict=True))[1:]:
        assert abs(after - before) == 1 and after < CORES  # a core, and Turbo is never reached
        changes.append((decided if after > before else ended, after))
    free = sum((until - since) * (CORES - 1 - step) for (since, step), (until, _) in pairwise([*changes, (sim.now, 0)]))
    share = free * NOMINAL / (sim.now * CORES * TURBO)
    assert least < share < most
    got = sim.control.spent(sim.now)[1] * 10**6 / (sim.now * CORES * TURBO)
    assert got == pytest.approx(share, abs=0.002)


@pytest.mark.parametrize("run", ["even", "waves", "bursts"])
def test_three_loads_are_the_same_on_the_average(runs: Runs, run: str) -> None:
    sent = runs.recorded_to_end(run).feed.requests.sent
    assert len(sent) * 10**12 / runs.recorded_to_end(run).now == pytest.approx(75_000, rel=0.01)


def test_a_core_is_both_hyperthreads(runs: Runs) -> None:
    control = runs.recorded_to_end("bursts").control
    for step in control.policy.steps:
        assert {cpu % CORES for cpu in step.cpus if cpu < CORES} == {cpu % CORES for cpu in step.cpus if cpu >= CORES}
    assert [len(step.cpus) for step in control.policy.steps] == [2, 4, 6, 8, 8]


@pytest.mark.parametrize("run", ["burst", "day", "bursts"])
def test_up_fast_and_down_slowly(runs: Runs, run: str) -> None:
    """A step down is 4 s after any other at the least, a step up 0.2 s after one up and 2 s after one down."""
    table = runs.recorded_to_end(run).control.decisions
    tenths = [round(time * BY / 10**11) for time in table.time[1:]]
    ways = [after > before for before, after in zip(table.before[1:], table.after[1:], strict=True)]
    assert ways.count(False) >= 1
    for (early, was_up), (late, up) in pairwise(zip(tenths, ways, strict=True)):
        assert late - early >= (40 if not up else 2 if was_up else 20)


def test_a_slice_makes_more_late_than_come_in_it(runs: Runs) -> None:
    """One core at a third of its load is away for 3 ms: what has come by then and comes after it waits in the ring."""
    Stops(runs)  # which tells a branch where it begins
    late = {}
    for run in ("core", "slice"):
        table = runs.recorded_to_end(run).feed.requests
        late[run] = sum(1 for sent, done in zip(table.sent, table.done, strict=True) if done - sent > 500_000_000)
    arrives = runs.recorded_to_end("slice").feed.packets.arrives
    came = sum(1 for time in arrives if 2_000_000_000 < time <= 5_000_000_000)
    assert late["core"] == 0 and 1.1 * came < late["slice"] < 1.5 * came
