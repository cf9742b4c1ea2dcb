"""The bundled lesson about coherence: true on our model, and its traces say what the lesson says of them.
Invariant: moves are counted here from the files alone, by a rule of two lines, not by the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson.bundled import answered, right_again

from ixviz.lesson import Lesson, Runs, load_lesson, variants
from ixviz.lesson.check import check
from ixviz.lesson.checker.others import others

pytestmark = pytest.mark.xdist_group("lesson 03")  # with test_lesson_beats.py, on the same machines

ANSWERS = "c\nb\nline3\nd\nc\nc a b\na\n28\nd\nb\nc\nd\n4\nc\nb\n"


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/03-coherence-free")


def folder(lesson: Lesson) -> Path:
    assert lesson.path is not None
    return lesson.path.parent


def accesses(lesson: Lesson, name: str) -> list[tuple[int, str, int]]:
    """Core, r or w, line of each access of a file."""
    rows = (row.partition("#")[0].split() for row in (folder(lesson) / name).read_text("utf-8").splitlines())
    return [(int(row[0]), row[1], int(row[2], 16) // 64) for row in rows if row]


def moves(lesson: Lesson, name: str) -> int:
    """How often a line that one core had alone goes to another: who had it alone last is not who wants it now."""
    alone: dict[int, int] = {}
    had: set[int] = set()
    count = 0
    for core, what, line in accesses(lesson, name):
        count += alone.get(line, core) != core
        if what == "w" or line not in had:
            alone[line] = core
        elif alone.get(line) != core:
            alone.pop(line, None)
        had.add(line)
    return count


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 15)


@pytest.mark.parametrize(("name", "times"), [("alone", 0), ("shared", 20), ("side", 20), ("apart", 0), ("locked", 39)])
def test_twenty_additions_move_lines_as_often_as_is_said(lesson: Lesson, name: str, times: int) -> None:
    made = accesses(lesson, f"{name}.txt")
    assert len([row for row in made if row[2] != 9]) == 21
    assert moves(lesson, f"{name}.txt") == times
    sim = Runs(lesson).whole(name)
    assert sum(cache.transfers for cache in sim.memory.caches) == times


@pytest.mark.parametrize(("name", "waiters"), [
    ("ticket", 3), ("crowd", 7), ("crowd6", 6), ("crowd5", 5), ("crowd4", 4),
])  # fmt: skip
def test_waiters_fetch_at_each_hand_off(lesson: Lesson, name: str, waiters: int) -> None:
    """Behind the last ticket all reads follow a write by another core: w, then w - 1, … to 1."""
    made = accesses(lesson, f"{name}.txt")
    last = max(i for i, (core, what, _) in enumerate(made) if what == "w" and core == waiters and i < len(made) - 1)
    spinning = made[last + 1 :]
    first = next(i for i, (core, what, _) in enumerate(spinning) if what == "w" and core == 0)
    assert sum(what == "r" for _, what, _ in spinning[first:]) == waiters * (waiters + 1) // 2


def test_a_crowd_of_another_size_has_made_as_many_accesses_when_the_lock_is_let_go(lesson: Lesson) -> None:
    assert right_again(lesson) == {"crowd": ("28 times", "15 times")}
    for name in ("crowd", "crowd6", "crowd5", "crowd4"):
        made = accesses(lesson, f"{name}.txt")
        assert [i for i, (core, what, _) in enumerate(made) if core == 0 and what == "w"] == [0, 43]
    drawn = {variants.variant(lesson, name).runs["crowd"].scenario.system.file for name in "abcdefghijklmnop"}
    assert drawn == {"crowd.txt", "crowd6.txt", "crowd4.txt"}


def test_every_trace_of_the_folder_is_used(lesson: Lesson) -> None:
    files = {path.name for path in folder(lesson).glob("*.txt")}
    asked = [lesson, *(other.lesson for beat in lesson.beats for other in others(lesson, beat))]
    used = {spec.scenario.system.file for each in asked for spec in each.runs.values()
            if spec.scenario is not None and spec.scenario.system.kind == "trace"}  # fmt: skip
    assert files == used
