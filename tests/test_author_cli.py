"""The commands for authors and teachers as they are typed: handout, names, new, --grade, --variant."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lesson.small import OTHER, SMALL

from ixviz.cli import COMMANDS, main
from ixviz.lesson import load_lesson
from ixviz.lesson.check import check
from ixviz.scenario.load import load


@pytest.fixture
def small(tmp_path: Path) -> str:
    return _lesson(tmp_path, "small", SMALL)


@pytest.fixture
def other(tmp_path: Path) -> str:
    return _lesson(tmp_path, "other", OTHER)


def _lesson(folder: Path, name: str, text: str) -> str:
    (folder / name).mkdir()
    (folder / name / "lesson.yaml").write_text(text, "utf-8")
    return str(folder / name)


def ixviz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status, out, err = ixviz(capsys, *words)
    assert status == 2 and out == "" and "Traceback" not in err, (status, out, err)
    return err


def test_the_commands_are_known_without_click() -> None:
    assert {"handout", "names", "new"} <= set(COMMANDS)


# ----------------------------------------------------------------------------------------------- handout
def test_handout_is_markdown_by_default_and_html_when_asked(capsys, small: str, tmp_path: Path) -> None:
    status, out, err = ixviz(capsys, "handout", small)
    assert (
        (status, err) == (0, "")
        and out.startswith("# A small lesson\n")
        and "```text" in out
        and "Answer:** " not in out
    )
    assert ixviz(capsys, "handout", small, "--markdown")[1] == out
    status, page, _ = ixviz(capsys, "handout", small, "--html")
    assert status == 0 and page.startswith("<!doctype html>") and "<pre>" in page
    for name, text in (("a.html", page), ("a.md", out)):
        assert ixviz(capsys, "handout", small, "-o", str(tmp_path / name)) == (0, "", "")
        assert (tmp_path / name).read_text("utf-8") == text


def test_handout_with_key_route_and_notes(capsys, small: str) -> None:
    assert "**Answer:** b: 6." in ixviz(capsys, "handout", small, "--key")[1]
    lecture = ixviz(capsys, "handout", small, "--route", "lecture")[1]
    assert "## 1. Hello" in lecture and "## 2." not in lecture
    script = ixviz(capsys, "handout", small, "--notes")[1]
    assert (
        script.startswith("# A small lesson: the lecturer's script\n") and "Hello" in script and "average" not in script
    )
    assert "The average" in ixviz(capsys, "handout", small, "--notes", "--route", "alone")[1]


@pytest.mark.parametrize(("words", "told"), [
    (["ix-echo"], "ix-echo is a scenario; this wants a lesson"),
    (["nobody"], "no such file, lesson or scenario"),
    (["SMALL", "--html", "--markdown"], "one of --html and --markdown"),
    (["SMALL", "-o", "/nowhere/x.md"], "/nowhere/x.md: No such file or directory"),
    (["SMALL", "--route", "both"], "'lecture', 'alone'"),
    (["SMALL", "--variant", "anna"], "--variant: lesson small has nothing to vary"),
    (["OTHER", "--route", "lecture"], "no beat of the route lecture"),
    (["OTHER", "--variant", "!"], '--variant: "!" is no name'),
])  # fmt: skip
def test_handout_refuses(capsys, small: str, other: str, words: list[str], told: str) -> None:
    assert told in refused(capsys, "handout", *({"SMALL": small, "OTHER": other}.get(word, word) for word in words))


def test_handout_of_a_variant(capsys, other: str) -> None:
    shown = {name: ixviz(capsys, "handout", other, "--variant", name)[1] for name in ("anna", "Anna", "dora")}
    assert shown["anna"] == shown["Anna"] != shown["dora"]
    assert (
        shown["anna"].startswith("# Another small lesson · anna\n")
        and "B 4" in shown["anna"]
        and "B 3" in shown["dora"]
    )


def test_handout_where_output_is_ascii(small: str) -> None:
    made = subprocess.run([sys.executable, "-m", "ixviz", "handout", small, "--key"], capture_output=True, timeout=60,
                          env={**os.environ, "PYTHONIOENCODING": "ascii"})  # fmt: skip
    assert made.returncode == 0 and made.stderr == b"" and b"It took 2 us." in made.stdout and made.stdout.isascii()


# ----------------------------------------------------------------------------------------------- names
def test_names_reads_well_at_80_columns(capsys, small: str) -> None:
    status, out, err = ixviz(capsys, "names", small)
    assert (status, err) == (0, "") and max(map(len, out.splitlines())) <= 80
    for words in (
        "Names over bench",
        "Other runs: one, short.",
        "COMPONENTS",
        "nic.q0   An RX descriptor ring",
        "  .depth",
        "SCENARIO",
        "system.batch_bound              64",
        "latency.p99",
        "packets\n  .id",
        "FUNCTIONS",
        "rxlist",
    ):
        assert words in out
    assert "requests\n" not in out  # nobody waits for answers in this run
    assert "Names over short\n" in ixviz(capsys, "names", small, "--run", "short")[1]


def test_names_of_a_scenario_and_as_json(capsys) -> None:
    status, out, _ = ixviz(capsys, "names", "ix-echo", "--json")
    found = json.loads(out)
    assert status == 0 and found["runs"] == [found["run"]] == ["ix-echo"]
    [rings] = [group for group in found["components"] if group["names"][0] == "nic.q0"]
    depth = {"name": "depth", "kind": "number", "doc": "packets in the ring", "value": "", "words": []}
    assert rings["names"][-1] == "nic.q3" and depth in rings["fields"]
    assert {"components", "now", "scenario", "figures", "tables", "waiting", "functions"} <= set(found)
    text = ixviz(capsys, "names", "ix-echo")[1]
    assert "nic.q0 to nic.q3" in text and "Other runs" not in text


def test_names_refuses(capsys, small: str) -> None:
    assert "small has no such run, did you mean bench?" in refused(capsys, "names", small, "--run", "bensch")
    assert "--run belongs to a lesson" in refused(capsys, "names", "ix-echo", "--run", "x")
    assert "did you mean ix-echo?" in refused(capsys, "names", "ix-ehco")


# ----------------------------------------------------------------------------------------------- new
@pytest.mark.parametrize("name", ["my-lesson", "2", "true"])
def test_a_new_lesson_passes_the_checker_at_once(capsys, tmp_path: Path, name: str) -> None:
    status, out, err = ixviz(capsys, "new", "lesson", name, "-o", str(tmp_path))
    path = tmp_path / name / "lesson.yaml"
    assert status == 0 and out == f"{path}\n" and f"ixviz {tmp_path / name}" in err
    made = load_lesson(path)
    assert made.id == name and [str(problem) for problem in check(made)] == []
    assert {type(beat.action).__name__ for beat in made.beats} == {"Predict", "Task"}


def test_the_schema_that_the_editor_line_names_is_there(capsys, tmp_path: Path) -> None:
    for what, path in (("lesson", tmp_path / "a" / "lesson.yaml"), ("scenario", tmp_path / "a.yaml")):
        ixviz(capsys, "new", what, "a", "-o", str(tmp_path))
        first = path.read_text("utf-8").partition("\n")[0]
        schema = path.parent / first.removeprefix("# yaml-language-server: $schema=")
        printed = ixviz(capsys, "schema", what)[1]
        assert json.loads(schema.read_text("utf-8")) == json.loads(printed)


def test_a_new_scenario_loads(capsys, tmp_path: Path) -> None:
    assert ixviz(capsys, "new", "scenario", "my-machine", "-o", str(tmp_path))[0] == 0
    assert load(tmp_path / "my-machine.yaml").title == "My machine"


def test_new_overwrites_nothing(capsys, tmp_path: Path) -> None:
    for what, path in (("lesson", tmp_path / "a" / "lesson.yaml"), ("scenario", tmp_path / "a.yaml")):
        ixviz(capsys, "new", what, "a", "-o", str(tmp_path))
        path.write_text("mine", "utf-8")
        assert f"{path} is there already" in refused(capsys, "new", what, "a", "-o", str(tmp_path))
        assert path.read_text("utf-8") == "mine"


@pytest.mark.parametrize("name", ["My", "a_b", "a--b", "-a", "../a", "a/b", "", "a b", "ä", "a" * 61, "\x1b[31m"])
def test_new_wants_an_id(capsys, tmp_path: Path, name: str) -> None:
    err = refused(capsys, "new", "lesson", "-o", str(tmp_path), "--", name)
    assert "small letters, digits and single hyphens, such as my-lesson" in err and "\x1b" not in err
    assert list(tmp_path.iterdir()) == []


def test_new_wants_a_folder(capsys, tmp_path: Path) -> None:
    assert "no such folder" in refused(capsys, "new", "lesson", "a", "-o", str(tmp_path / "none"))


# ----------------------------------------------------------------------------------------------- grade, variant
@pytest.fixture
def answers(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "b.yaml").write_text("size: b\nsettle: a\nmean: x\n", "utf-8")
    (folder / "a.yaml").write_text("size: [b]\n", "utf-8")
    (folder / "=c.yaml").write_text("sise: b\nknob: 4\n", "utf-8")
    return folder


def test_grade_prints_a_row_a_file(capsys, small: str, answers: Path) -> None:
    status, out, err = ixviz(capsys, small, "--grade", str(answers))
    assert status == 2
    assert list(csv.reader(io.StringIO(out))) == [
        ["file", "size", "settle", "mean", "knob", "right", "wrong", "unanswered", "unusable"],
        ["'=c.yaml", "unanswered", "unanswered", "unanswered", "right", "1", "0", "3", "0"],
        ["a.yaml", "unusable", "unanswered", "unanswered", "unanswered", "0", "0", "3", "1"],
        ["b.yaml", "right", "wrong", "unusable", "unanswered", "1", "1", "1", "1"],
    ]
    assert err.splitlines() == [
        "ixviz: formative: answers can be looked up; do not use for marks",
        f"{answers}/=c.yaml:1:1: no question sise in small, did you mean size?",
        f"{answers}/a.yaml:1:7: size: an answer is a text or a number, got a list",
    ]


def test_right_answers_are_printed_with_the_key_only(capsys, small: str, answers: Path) -> None:
    path = str(answers / "b.yaml")
    status, without, _ = ixviz(capsys, small, "--grade", path)
    assert status == 0 and "In between" not in without and "10.5" not in without and " was" not in without
    status, out, _ = ixviz(capsys, small, "--grade", path, "--key")
    head, row = csv.reader(io.StringIO(out))
    assert status == 0 and [line[:9] for line in (head, row)] == list(csv.reader(io.StringIO(without)))
    assert dict(zip(head, row, strict=True))["settle was"] == "c: In between."
    assert head[9:] == ["size was", "settle was", "mean was", "knob was"]


def test_what_progress_writes_can_be_graded(capsys, other: str, tmp_path: Path, monkeypatch) -> None:
    """Also of a student's variant, which the answers then name."""
    from ixviz.lesson import Session
    from ixviz.lesson.student import lesson_for
    from ixviz.progress import Store

    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "state"))
    for name in ("anna", None):
        lesson = load_lesson(other)
        session = Session(lesson_for(lesson, name) if name else lesson)
        Store(tmp_path / "state").attach(session)
        session.answer("cba" if name else "abc")
        more = ["--variant", "Anna"] if name else []
        status, out, err = ixviz(capsys, "progress", "--answers", other, *more)
        assert (status, err) == (0, "") and out == ("variant: anna\nleaving: cba\n" if name else "leaving: abc\n")
        (tmp_path / f"{name}.yaml").write_text(out, "utf-8")
        graded = ixviz(capsys, other, "--grade", str(tmp_path / f"{name}.yaml"))[1]
        assert graded.splitlines()[1].split(",")[1] == ("right" if name else "wrong")


@pytest.mark.parametrize(("words", "told"), [
    (["SMALL", "--key"], "--key belongs to --grade"),
    (["SMALL", "--grade", "/nowhere"], "/nowhere: no such file or folder"),
    (["SMALL", "--grade", "EMPTY"], "no answers in this folder"),
    (["SMALL", "--grade", "EMPTY", "--plain"], "--grade opens nothing"),
    (["SMALL", "--grade", "EMPTY", "--variant", "anna"], "--variant: lesson small has nothing to vary"),
    (["SMALL", "--variant", "anna", "--plain"], "--variant: lesson small has nothing to vary"),
    (["ix-echo", "--grade", "EMPTY"], "ix-echo is a scenario; this wants a lesson"),
    (["ix-echo", "--variant", "anna", "--plain"], "--variant belongs to lessons"),
    (["--grade", "EMPTY"], "--grade needs a lesson"),
    (["--variant", "anna", "--plain"], "--variant needs a lesson"),
    (["OTHER", "--variant", "anna", "--present"], "--variant is for one student"),
])  # fmt: skip
def test_grade_and_variant_refuse(capsys, small: str, other: str, tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "empty").mkdir()
    known = {"SMALL": small, "OTHER": other, "EMPTY": str(tmp_path / "empty")}
    assert told in refused(capsys, *(known.get(word, word) for word in words))


def test_a_variant_is_the_same_for_any_hash_seed(other: str) -> None:
    shown = set()
    for seed in ("0", "1"):
        words = [sys.executable, "-m", "ixviz", other, "--variant", "dora", "--plain"]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        made = subprocess.run(words, input="", text=True, capture_output=True, timeout=60, env=env)
        assert made.returncode == 0 and made.stdout.startswith("Another small lesson · dora. 4 minutes.")
        shown.add(made.stdout)
    assert len(shown) == 1
