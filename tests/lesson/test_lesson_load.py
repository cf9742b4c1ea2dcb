"""Loading lessons: every mistake at its line and column, all at once; where lessons are found."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson.small import SMALL, changed, place_of

from ixviz.lesson import find_lesson, list_lessons, load_lesson, load_lesson_text
from ixviz.lesson.load import json_schema
from ixviz.lesson.model import Predict, Task
from ixviz.scenario.messages import Problems


def problems(text: str) -> list[str]:
    with pytest.raises(Problems) as caught:
        load_lesson_text(text, "l.yaml")
    return str(caught.value).splitlines()


def test_a_lesson_is_read() -> None:
    lesson = load_lesson_text(SMALL)
    assert [beat.id for beat in lesson.beats] == ["intro", "size", "settle", "mean", "knob"]
    assert [beat.id for beat in lesson.route("lecture")] == ["intro"]
    assert lesson.route("alone") == lesson.beats
    assert isinstance(lesson.beats[1].action, Predict) and isinstance(lesson.beats[4].action, Task)
    one = lesson.runs["one"].scenario
    assert one is not None and one.system.batch_bound == 1 and one.run == lesson.runs["bench"].scenario.run  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        (
            "    until: core0.batch == 2\n",
            "    untill: core0.batch == 2\n",
            "untill",
            "beat size: unknown key untill, did you mean until?",
        ),
        ("    say: Batch 2", "    sai: Batch 2", "sai:", "beat size: unknown key sai, did you mean say?"),
        ("run: short\n", "run: shirt\n", "shirt", "beat knob: there is no run shirt, did you mean short?"),
        (
            "until: core0.batch == 4\n    say: $(count",
            "until: core0.batch = 4\n    say: $(count",
            "= 4\n    say: $(count",
            "beat settle: '=' has no meaning here: == compares",
        ),
        ("say: In between.\n", "say: In $(between.\n", "$(between", "beat settle: $( is not closed"),
        ("when: said > 12", "when: said > 12 uss", "uss", "beat mean: no unit uss, did you mean us?"),
        (
            "within: 20 %",
            "within: near",
            "near}",
            'beat mean: within is a number with or without unit, got text "near"',
        ),
        (
            "largest: system.batch_bound",
            "largest: system.bach_bound",
            "system.bach_bound",
            "beat knob: largest names a knob, did you mean system.batch_bound?",
        ),
        (
            "      - system.batch_bound: 4",
            "      - system.batch_bound: 5",
            "5\n      wrong",
            "beat knob: the number 5 is no value of this knob",
        ),
        (
            "  one: {from: bench, at:",
            "  one: {from: bensh, at:",
            "bensh",
            "runs.one: there is no run bensh, did you mean bench?",
        ),
        (
            "set: {system.batch_bound: 1}}",
            "set: {workload.size: 1 B}}",
            "workload.size",
            "runs.one: a branch changes system.… only, workload.size is not of it",
        ),
        (
            "        batch_bound: 64",
            "        batch_bond: 64",
            "batch_bond",
            "runs.bench.scenario.system.batch_bond: unknown key batch_bond, did you mean batch_bound?",
        ),
        (
            "set: {run.until: 60 us}",
            "set: {run.until: 60 uz}",
            "60 uz",
            "runs.short.set.run.until: a time with its unit wanted",
        ),
        (
            "set: {run.until: 60 us}",
            "fault: fill-batches",
            "fill-batches",
            "runs.short: no fault fill-batches in ix, did you mean fills-batches?",
        ),
        ("    reveal: core0.batch == 25\n", "", "predict:\n      ask: Where", "beat settle: a prediction needs reveal"),
        (
            "  - id: mean",
            "  - id: Mean",
            "Mean",
            'beat Mean: an id has small letters, digits and single hyphens, got "Mean"',
        ),
        ("  - id: mean", "  - id: settle", "id: settle\n    title: The", "line 52 has a beat with this id already"),
        ("language: 1", "language: 2", "2\nid", "language: this ixviz reads version 1"),
        (
            "        - is: answer\n",
            "        - say: answer\n",
            "say: answer",
            "beat size: this choice needs is, because there is an answer",
        ),
        (
            "          when: last(batches).size == batch(4).size\n",
            "",
            "say: It stays",
            "beat settle: this choice needs when",
        ),
    ],
)
def test_a_mistake_is_told_at_its_place(old: str, new: str, at: str, message: str) -> None:
    text = changed(old, new)
    if old == "  - id: mean" and new == "  - id: settle":
        message = message.replace("52", place_of("  - id: settle\n    title: No", text).partition(":")[0])
    told = problems(text)
    where = f"l.yaml:{place_of(at, text)}: "
    assert any(line.startswith(where) and message in line for line in told), (where + message, told)


def test_all_mistakes_are_told_at_once_and_in_order() -> None:
    text = changed("run: short\n", "run: shirt\n", changed("minutes:\n  lecture: 1", "minuts:\n  lecture: 1"))
    text = changed("why: It is $(last", "why: It is $(last(", text)
    told = problems(text)
    lines = [int(line.split(":")[1]) for line in told]
    assert len(told) == 4 and lines == sorted(lines)
    assert any("unknown key minuts, did you mean minutes?" in line for line in told)
    assert any("a lesson needs minutes" in line for line in told)


def test_a_place_inside_a_block_of_prose() -> None:
    text = changed(
        "    say: Batch 2 has $(batch(2).size) packets.\n", "    say: |\n      One.\n      Two $(1 +) three.\n"
    )
    told = problems(text)
    [line] = told
    assert line.startswith(f"l.yaml:{place_of(') three', text)}: beat size: a value is missing before the end")


def test_a_circle_of_runs() -> None:
    text = changed("short: {from: bench,", "short: {from: shorter,")
    text = changed("\nbeats:", "\n  shorter: {from: short}\nbeats:", text)
    assert any("made from each other in a circle" in line for line in problems(text))


@pytest.mark.parametrize(
    "text", ["", "a", "[]", "beats: 5", "runs: {a: 1}\nbeats: [1]", "beats:\n  - predict: 5\n", "{", "id: [\x00]"]
)
def test_anything_else_is_problems(text: str) -> None:
    assert problems(text)


def test_lessons_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "02-batching" in list_lessons()
    file = find_lesson("lessons/02-batching")
    assert file is not None and file.name == "lesson.yaml"
    assert find_lesson("02-batching") == find_lesson("batching") == find_lesson("lessons/02-batching/") == file
    assert find_lesson("03-nothing") is None and find_lesson("a\x00b") is None
    (tmp_path / "mine").mkdir()
    assert find_lesson(tmp_path / "mine") is None
    with pytest.raises(Problems, match=r"there is no lesson\.yaml in this folder"):
        load_lesson(tmp_path / "mine")
    (tmp_path / "mine" / "lesson.yaml").write_text(SMALL)
    assert load_lesson(tmp_path / "mine").id == "small"
    (tmp_path / "other.yaml").write_text(SMALL)
    assert find_lesson("other.yaml") is None and load_lesson("other.yaml").id == "small"
    with pytest.raises(Problems, match="no such lesson, did you mean 02-batching"):
        load_lesson("lessons/02-baching")


def test_the_schema_names_every_key_of_the_bundled_lesson() -> None:
    schema = json_schema()
    assert {"id", "runs", "beats", "minutes"} <= set(schema["properties"]) and schema["additionalProperties"] is False
    beat = schema["$defs"]["beat"]["properties"]
    assert {"until", "reveal", "predict", "task", "given"} <= set(beat)
    assert schema["$defs"]["beat"]["required"] == ["id", "title", "minutes", "run", "until"]
