"""The bundled lesson about flow groups: its numbers once more, from the hashes alone.
Invariant: what the lesson says of a machine is computed here without one: from addresses, ports and the RETA's fill."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from lesson.bundled import answered

from ixviz.lesson import Lesson, Runs, load_lesson
from ixviz.lesson.check import check
from ixviz.lesson.model import Task
from ixviz.machine.rss import hash_input, toeplitz, tuples_for_clients

pytestmark = pytest.mark.xdist_group("lesson 04")  # with test_lesson_beats.py, on the same machines

ANSWERS = "b\nnic.q1\nb d a c\nc\n1\nc\n8\n6\n5\nb\na\na\n"
SERVER, PORT = "10.0.1.1", 11211


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/04-flow-groups")


def groups(count: int) -> list[int]:
    """The flow groups of the first connections of the simulated clients."""
    _, _, hashes = tuples_for_clients(count, clients=24, first_port=1024)
    return [int(h) & 127 for h in hashes]


def shares(count: int, cores: int) -> list[int]:
    """How many of them each core has: entry i of the RETA says core i modulo the number of cores."""
    found = Counter(group % cores for group in groups(count))
    return [found[core] for core in range(cores)]


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    text = answered(lesson, runs, ANSWERS, 10)
    fullest = max(shares(1476, 6))
    assert f"{fullest} against 246 on average, {100 * (fullest / 246 - 1):.1f} % more." in " ".join(text.split())


def test_the_cores_that_eight_connections_need_follow_from_their_hashes(lesson: Lesson) -> None:
    """Each sends 0.4 packets a µs, and a core does 1: it has to be at most two a core."""
    [task] = [beat.action for beat in lesson.beats if isinstance(beat.action, Task)]
    [(knob, values)] = task.knobs.items()
    tried = [int(str(value.plain())) for value in values]
    enough = [cores for cores in tried if max(shares(8, cores)) <= 2]
    assert knob == "machine.cores" and enough == [5, 6] and [s[knob].plain() for s in task.solutions] == [enough[0]]
    assert sorted(shares(8, 4)) == [0, 0, 4, 4] and max(shares(8, 7)) == 3
    assert sorted(shares(8, 8)) == [0, 0, 0, 0, 0, 1, 3, 4]


def test_a_connection_has_one_core_and_keeps_its_order(lesson: Lesson, runs: Runs) -> None:
    for run, cores in (("four", 4), ("three", 4), ("few", 4)):
        columns = runs.recorded_to_end(run).table("packets").columns
        flow, queue, leaves = (np.asarray(columns[name].values) for name in ("flow", "queue", "leaves"))
        left = np.asarray(columns["leaves"].known, np.bool_)
        of = groups(int(flow.max()) + 1)
        words = columns["queue"].words
        for each in set(flow.tolist()):
            assert {words[q] for q in queue[flow == each].tolist()} == {f"nic.q{of[each] % cores}"}
            assert np.all(np.diff(leaves[(flow == each) & left]) > 0)  # of one connection none overtakes another


def test_the_way_back_is_another_hash() -> None:
    """What the lesson leaves out: Toeplitz is not symmetric."""
    there = toeplitz(hash_input("10.0.0.1", SERVER, 1024, PORT))
    back = toeplitz(hash_input(SERVER, "10.0.0.1", PORT, 1024))
    assert there & 127 != back & 127
