"""lessons/README.md: its tables are those of the code, and every example in it is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lesson import guide

from ixviz.lesson import load_lesson_text
from ixviz.lesson.asking import kind
from ixviz.lesson.check import check
from ixviz.lesson.load import find_lesson, list_lessons, load_lesson

EXAMPLE = re.compile(r"<!-- example: ([a-z ]+) -->\n```yaml\n(.*?)```", re.DOTALL)
KINDS = {"choose by value": "choose", "choose by words": "choose", "number": "number", "order": "order",
         "point": "point", "task": "task", "find": "find"}  # fmt: skip


@pytest.fixture(scope="module")
def page() -> str:
    return guide.PAGE.read_text("utf-8")


@pytest.fixture(scope="module")
def examples(page: str) -> dict[str, str]:
    return dict(EXAMPLE.findall(page))


def batching() -> str:
    path = find_lesson("02-batching")
    assert path is not None
    return path.read_text("utf-8")


def bench() -> str:
    """The run `bench` of lesson 02, as it is written there."""
    return batching().partition("\nruns:\n")[2].partition("\n  one:")[0] + "\n"


def lesson(runs: str, beats: Iterator[str] | list[str]) -> str:
    found = list(beats)
    head = f"language: 1\nid: guide\ntitle: Guide\nminutes: {{alone: {len(found)}}}\n"
    return f"{head}runs:\n{runs}\nbeats:\n{''.join(found)}"


def test_what_is_made_is_what_the_code_says(page: str) -> None:
    """After a change of keys, names or lessons: python tests/lesson/guide.py writes the page anew."""
    names = [name for _, name, _ in guide.PART.findall(page)]
    assert sorted(names) == sorted(guide.made())
    line = re.compile(r"lesson\.yaml:\d+")  # lines move with every edit of a lesson
    assert line.sub("", page) == line.sub("", guide.page())


def test_every_kind_of_question_has_a_short_example(examples: dict[str, str]) -> None:
    assert set(KINDS) <= set(examples)
    for name in KINDS:
        assert 6 <= examples[name].count("\n") <= 13, name


def test_each_example_is_true_and_of_its_kind(examples: dict[str, str]) -> None:
    """All in one lesson; letters that are right too often are no fault of an example."""
    beats = []
    for name in KINDS:
        run = "ill" if name == "find" else "bench"
        beats.append(
            f"  - id: {name.replace(' ', '-')}\n    title: Example\n    minutes: 1\n    run: {run}\n{examples[name]}"
        )
    made = load_lesson_text(lesson(bench() + examples["find run"], beats))
    assert [kind(beat.action) for beat in made.beats] == list(KINDS.values())
    assert [str(each) for each in check(made) if "right letter" not in each.message] == []


def test_the_step_of_the_guide_can_be_added_to_lesson_02(examples: dict[str, str]) -> None:
    text = batching()
    [minutes] = re.findall(r"^  alone: (\d+)$", text, re.M)
    assert text.count("\n  - id: next\n") == 1
    more = text.replace("\n  - id: next\n", f"\n{examples['beat']}  - id: next\n")
    from ixviz.lesson.checker import whole

    made = load_lesson_text(more)
    said = [each.message for each in whole.minutes(made)]
    page = guide.PAGE.read_text("utf-8")
    assert said == [f"alone is {minutes} minutes, its beats add up to {int(minutes) + 1}"] and said[0] in page
    made = load_lesson_text(more.replace(f"  alone: {minutes}\n", f"  alone: {int(minutes) + 1}\n"))
    assert list(whole.minutes(made)) == [] and [beat.id for beat in made.beats][2:4] == ["first-turn", "next"]
    assert [str(each) for each in check(load_lesson_text(lesson(bench(), [examples["beat"]])))] == []


def test_the_number_of_the_guide_is_where_it_says(page: str) -> None:
    text = batching()
    [shown] = re.findall(r"```yaml\n(  calm64:.*?)```", page, re.DOTALL)
    assert shown in text and text.count("workload.rate: 50 K/s\n") == 1
    assert page.count("beat low: not true: workload.rate == 50 K/s") == 1 == page.count("beat ill: not true: workload")
    low = text.partition("- id: low\n")[2].partition("- id: slo\n")[0]
    assert "50,000 requests a second" in low and "every 120 µs" in low


def test_the_readme_has_each_lesson_with_its_minutes() -> None:
    page = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    for name in list_lessons():
        lesson = load_lesson(name)
        row = next(line for line in page.splitlines() if f"(lessons/{name}/lesson.yaml)" in line)
        assert row.endswith(f"| {lesson.minutes['alone']:g} | {lesson.minutes['lecture']:g} |"), name
