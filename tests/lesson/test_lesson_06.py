"""The bundled lesson about three systems: true on our models, and published figures stand beside ours.
Invariant: what is published is typed here once more, from facts, and not read from what the lesson shows."""

from __future__ import annotations

import pytest
from lesson.bundled import answered, right, right_again

from ixviz.lesson import Lesson, Runs, load_lesson, variants
from ixviz.lesson.check import check
from ixviz.measure.published import compared

pytestmark = pytest.mark.xdist_group("lesson 06")  # with test_lesson_beats.py, on the same machines

ANSWERS = "c b a\nb\nc\n83.8\nc b a\nc\nc a b\nb\nc\n20000\nd\n"
PAPER = (2.12, 1.48, 0.22, 32, 85, 5.7, 24)  # facts 1.10: million connections/s of IX, mTCP, Linux; p99; one way, µs


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson("lessons/06-linux-mtcp-ix")


def test_it_checks_clean(lesson: Lesson) -> None:
    assert [str(problem) for problem in check(lesson)] == []


def test_right_answers_to_the_end(lesson: Lesson, runs: Runs) -> None:
    answered(lesson, runs, ANSWERS, 11)


def test_packet_2_waits_for_each_student_until_the_same_moment(lesson: Lesson) -> None:
    """On Linux until 60.5 µs, 50 µs after the interrupt of packet 1; on mTCP until 123.8 µs, the end of its sleep."""
    assert right_again(lesson) == {"moderation": ("20.5 µs", "15.5 µs")}
    for packets, at in zip(lesson.runs["linux"].vary["workload.packets"], (34, 37, 43), strict=True):
        other = variants.changed(lesson, {"linux": {"workload.packets": packets}})
        assert right(other, "moderation") == f"{60.5 - at} µs"
        assert float(right(other, "select").split()[0]) == pytest.approx(123.8 - at, abs=0.05)


def test_published_values_beside_ours(lesson: Lesson, runs: Runs) -> None:
    """Within the 15 % that the models claim; the first number of each text."""
    look = lesson.beats[-1].look
    got = compared(look.of, [runs.metrics(run) for run in look.runs])
    assert got is not None and len(got.rows) == len(PAPER)
    for row, paper in zip(got.rows, PAPER, strict=True):
        assert float(row.paper.split()[0]) == paper, row.what
        assert float(row.ours.split()[0]) == pytest.approx(paper, rel=0.15), row.what
        assert row.grade.partition(":")[0] in ("fitted", "predicted")
    assert compared(look.of, []) is None


def test_the_three_machines_get_the_same_packets(runs: Runs) -> None:
    """At the same times, of the same flows, to the same ring."""
    said = []
    for name in ("linux", "mtcp", "ix"):
        packets = runs.recorded(name, time=100_000_000).feed.packets
        said.append([(packets.arrives[n], packets.flow[n], packets.queue[n], packets.kind[n]) for n in (1, 2, 3)])
    assert said[0] == said[1] == said[2] and [row[0] for row in said[0]] == [10_000_000, 40_000_000, 41_000_000]
