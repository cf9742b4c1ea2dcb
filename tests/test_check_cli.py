"""`ixviz check`: every finding at its place on stdout, a summary on stderr, a status; seeds, processes, the screen."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lesson.small import OTHER, SMALL, changed, place_of

from ixviz.cli import main, screens
from ixviz.cli.check import _lessons
from ixviz.draw.cells import fit, plain
from ixviz.export.handout import session_at
from ixviz.lesson import Session, load_lesson, load_lesson_text
from ixviz.lesson.check import Checker, check
from ixviz.lesson.checker import jobs
from ixviz.lesson.leak import READERS
from ixviz.lesson.load import list_lessons
from ixviz.lesson.runs import Runs
from ixviz.measure.pool import pool
from ixviz.measure.sweep import run_figures
from ixviz.scenario.simulate import picture_of
from ixviz.tui import panels, present_keys
from ixviz.tui.notes_state import told
from ixviz.tui.present import compose
from ixviz.tui.present_state import Present

DRAWN = """\
language: 1
id: drawn
title: Packets at random times
minutes: {alone: 4}
runs:
  bench:
    scenario:
      machine: {cores: 1, nic: {ports: 1, rate: 10 Gbps, queues: 1, ring: 512}}
      system: {kind: ix, costs: {poll: {batch: 480}, tcp: {packet: 240}}}
      workload: {kind: poisson, rate: 2 M/s}
      run: {until: 40 us, seed: 5}
  slow: {from: bench, set: {system.costs.tcp.packet: 24000}}
beats:
  - id: stays
    title: What is the same with every seed
    minutes: 1
    run: bench
    until: start
    predict:
      ask: What is 0?
      choose:
        - {say: The first., when: packet(1).polled == packet(1).arrives}
        - {say: Another., when: packet(1).polled > packet(1).arrives, because: No.}
    reveal: core0.batch == 1
  - id: half
    title: What is not
    minutes: 1
    run: bench
    until: start
    predict:
      ask: Where is the last?
      choose:
        - {say: Before 6 us., when: packet(10).arrives <= 6 us, because: No.}
        - {say: Behind it., when: packet(10).arrives > 6 us, because: No.}
    reveal: count(packets) == 10
  - id: many
    title: How many
    minutes: 1
    run: bench
    until: start
    predict:
      ask: How many have come?
      number: {answer: count(packets), unit: packets, from: 1, to: 200, within: 5}
      because: [{when: said >= 0, say: No.}]
    reveal: time >= 30 us
  - id: knob
    title: A task
    minutes: 1
    run: slow
    until: end
    task:
      ask: Get more done.
      knobs: {system.costs.tcp.packet: [240, 24000]}
      holds: requests.completed > 1 M/s
      solutions: [{system.costs.tcp.packet: 240}]
"""


@pytest.fixture(autouse=True)
def without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the time of a small lesson is the drawing of it: once is enough, below."""
    monkeypatch.setattr(screens, "ALL", READERS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("a", SMALL), ("b", OTHER)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lesson.yaml").write_text(text, "utf-8")
    return tmp_path


def test_a_folder_of_good_lessons(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr() == ("", "2 lessons, 9 beats, nothing found\n")


def test_findings_are_lines_on_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = changed("alone: 5", "alone: 6", changed("- batch(3).size == 6", "- batch(3).size == 7"))
    (folder / "a" / "lesson.yaml").write_text(text, "utf-8")
    assert main(["check", str(folder / "a"), str(folder / "b" / "lesson.yaml"), str(folder / "b")]) == 1
    out, err = capsys.readouterr()
    file = folder / "a" / "lesson.yaml"
    assert out.splitlines() == [
        f"{file}:5:3: minutes: alone is 6 minutes, its beats add up to 5",
        f"{file}:{place_of('batch(3).size == 7', text)}: beat size: not true: batch(3).size == 7 (it is 6)",
    ]
    assert err == "2 lessons, 9 beats, 2 findings\n"


def test_what_cannot_be_read_does_not_hide_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = changed("until: core0.batch == 2\n", "until: [core0.batch == 2]\n", changed("title: Hello", "titel: Hello"))
    (folder / "a" / "lesson.yaml").write_text(text, "utf-8")
    (folder / "b" / "lesson.yaml").write_text(changed("reveal: q.leaves", "reveal: p.leaves", OTHER), "utf-8")
    missing = [str(folder / "c"), str(folder / ("x" * 300)), "adaptive-batchin"]
    assert main(["check", str(folder), *missing]) == 2
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[1].startswith(f"{folder}/a/lesson.yaml:27:5: beat intro: unknown key titel, did you mean title?")
    assert lines[2].startswith(f"{folder}/a/lesson.yaml:37:12: beat size: an expression is wanted, got a list")
    assert any(line.startswith(f"{folder}/b/lesson.yaml:") and "beat leaving: " in line for line in lines)
    assert f"{folder}/c: no such lesson" in out and "adaptive-batchin: no such lesson" in out
    assert err.startswith("5 lessons, 4 beats, ") and err.endswith("4 could not be read\n")


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = changed("set: {system.batch_bound: 3}", "set: {run.until: 2.1 us}", OTHER)
    (folder / "b" / "lesson.yaml").write_text(text, "utf-8")
    (folder / "a" / "lesson.yaml").write_text(changed("id: small", "id: Small"), "utf-8")
    assert main(["check", str(folder), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    a, b = found["lessons"]
    assert a == {"id": None, "path": f"{folder}/a/lesson.yaml", "beats": 0, "warnings": [], "problems": [
        {"file": f"{folder}/a/lesson.yaml", "line": 2, "col": 5, "beat": None,
         "message": 'id: an id has small letters, digits and single hyphens, got "Small"'}]}  # fmt: skip
    assert (b["id"], b["beats"], found["findings"], found["warnings"], found["seeds"]) == ("other", 4, 2, 0, 0)
    assert b["problems"][0]["beat"] == "leaving" and b["problems"][0]["line"] == 31
    assert b["problems"][0]["message"].endswith("(asked again)")


def test_two_lessons_with_one_id(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b" / "lesson.yaml").write_text(SMALL, "utf-8")
    assert main(["check", str(folder)]) == 1
    out, err = capsys.readouterr()
    [line] = out.splitlines()
    assert line.startswith(f"{folder}/b/lesson.yaml:1:1: id: small is the id of {folder}/a/lesson.yaml too")
    assert err == "2 lessons, 10 beats, 1 finding\n"
    (folder / "c").symlink_to(folder / "a")
    assert main(["check", str(folder / "a"), str(folder / "c")]) == 0  # one file by two names


def test_a_scenario_is_checked_as_what_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, wrong, unbuilt = (folder / f"{name}.yaml" for name in ("good", "wrong", "unbuilt"))
    good.write_text("machine: {cores: 1}\nsystem: {kind: ix}\nworkload: {kind: poisson, rate: 1 M/s}\n", "utf-8")
    wrong.write_text("machine: {corse: 1}\nsystem: {kind: ix}\nworkload: {kind: poisson, rate: 1 M/s}\n", "utf-8")
    unbuilt.write_text("machine: {cores: 1}\nsystem: {kind: trace, file: none.txt}\n", "utf-8")
    assert main(["check", str(good), "ix-echo", "scenarios/linux-echo.yaml"]) == 0
    assert capsys.readouterr() == ("", "3 scenarios, nothing found\n")
    assert main(["check", str(good), str(wrong), str(unbuilt), str(folder / "a")]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"{wrong}:1:11: machine.corse: unknown key corse, did you mean cores?\n")
    assert f"{unbuilt}:2:" in out and "system.file" in out and "lesson" not in out
    assert err == "1 lesson, 5 beats, 3 scenarios, 2 findings, 2 could not be read\n"
    assert main(["check", str(wrong), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["lessons"] == [] and found["scenarios"][0]["path"] == str(wrong) and found["findings"] == 1


def test_a_draft_of_a_lesson_is_no_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft = tmp_path / "draft.yaml"
    draft.write_text("language: 1\ntitle: Draft\n", "utf-8")
    assert main(["check", str(draft)]) == 2
    assert "a lesson needs beats" in capsys.readouterr().out


LONG = "word " * 140


@pytest.mark.parametrize(("old", "new", "beat", "when"), [
    ("say: At most $(system.batch_bound) packets go together.", f"say: {LONG * 2}", "intro", "at the stop"),
    ("ask: How many will batch 3 have?", f"ask: {LONG}", "size", "at the stop"),
    ("- How long does batch 2 take?", f"- {LONG}", "size", "with all hints"),
    ("because: It never waits.", f"because: {LONG}", "size", "after the answer"),
    ("why: It is $(last(batches).size).", f"why: {LONG}", "settle", "after the answer"),
])  # fmt: skip
def test_a_text_has_the_room_of_its_panel(old: str, new: str, beat: str, when: str) -> None:
    lesson = load_lesson_text(changed(old, new), "l.yaml")
    checker = Checker(lesson, (), screens.crowded)
    [message] = [each.message for one in lesson.beats for each in checker.beat(one).problems]
    assert re.fullmatch(rf"the text takes \d+ lines {when}, the panel at 80 × 24 has \d+", message)
    [[problem]] = [found for one in lesson.beats if (found := checker.beat(one).problems)]
    assert problem.key == f"beat {beat}"


def test_the_finding_says_what_the_screen_does() -> None:
    """A text is found as soon as the panel has to be scrolled, and not before."""
    seen = []
    for words in range(70, 140, 10):
        lesson = load_lesson_text(changed("ask: How many will batch 3 have?", f"ask: {'word ' * words}"), "l.yaml")
        session, again = (session_at(lesson, lesson.beats[1], Runs(lesson)) for _ in range(2))
        found = any("at the stop" in message for message in screens.crowded(lambda made=session: made))
        assert found is ("more lines, ↓" in plain(screens.compose(screens.opened(again), 80, 24).lines))
        seen.append(found)
    assert seen == sorted(seen) and set(seen) == {False, True}


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 2
    assert "Missing argument" in capsys.readouterr().err
    assert main(["check", "lessons", "--seeds", "-1"]) == 2


def test_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With some seed the answer is another: told, at the question, and no fault of the lesson."""
    path = tmp_path / "lesson.yaml"
    path.write_text(DRAWN, "utf-8")
    assert main(["check", str(path), "--seeds", "4"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines and all(": warning: with seed " in line for line in lines)
    assert not any("beat stays" in line or "beat knob" in line for line in lines)
    half = [line for line in lines if "beat half" in line]
    assert half and half[0].startswith(f"{path}:{place_of('ask: Where', DRAWN)}: beat half: warning: with seed ")
    assert half[0].endswith((" from a, Before 6 us. to b, Behind it.", " from b, Behind it. to a, Before 6 us."))
    assert any("beat many" in line and " changes from " in line and line.endswith(" packets") for line in lines)
    assert err == f"1 lesson, 4 beats, nothing found, {len(lines)} warnings\n"
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_as_many_processes_as_one_likes_find_the_same(folder: Path) -> None:
    (folder / "a" / "lesson.yaml").write_text(changed("- batch(3).size == 6", "- batch(3).size == 7"), "utf-8")
    (folder / "b" / "lesson.yaml").write_text(DRAWN, "utf-8")
    lessons = [load_lesson(folder / name) for name in "ab"]
    with jobs.Here() as here, pool(2) as two:
        alone, both = (list(jobs.check_all(lessons, READERS, [2], each)) for each in (here, two))
    assert alone == both
    assert [len(each.problems) for each in alone] == [1, 0] and alone[1].warnings


def test_figures_made_beforehand_change_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = changed("solutions:\n        - system.batch_bound: 4", "solutions:\n        - system.batch_bound: 8")
    (folder / "a" / "lesson.yaml").write_text(text, "utf-8")
    lesson, made = load_lesson(folder / "a"), []
    monkeypatch.setattr("ixviz.lesson.checker.needs.WORTH", 0)
    monkeypatch.setattr(jobs, "run_figures", lambda scenario: made.append(scenario) or run_figures(scenario))
    alone = check(lesson)
    assert not made
    [checked] = jobs.check_all([lesson], READERS, (), jobs.Here())
    assert list(checked.problems) == alone and len(alone) == 2
    # the run of the lesson, and of the task its starting run and each setting: each once
    assert sorted(each.system.batch_bound for each in made) == [2, 4, 8, 64, 64]


def test_a_file_that_changed_is_read_again(folder: Path) -> None:
    """Also by a process that has checked it before."""
    assert main(["check", str(folder / "a")]) == 0
    (folder / "a" / "lesson.yaml").write_text(changed("- batch(3).size == 6", "- batch(3).size == 7"), "utf-8")
    assert main(["check", str(folder / "a")]) == 1


def test_the_lessons_that_come_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = list(_lessons("lessons"))
    assert [Path(file).parent.name for file in files] == list_lessons() and all(Path(file).is_file() for file in files)
    assert list(_lessons("lessons/")) == files and list(_lessons("02-batching")) == [f for f in files if "/02-" in f]
    (tmp_path / "lessons" / "own").mkdir(parents=True)
    (tmp_path / "lessons" / "own" / "lesson.yaml").write_text(SMALL, "utf-8")
    assert list(_lessons("lessons")) == ["lessons/own/lesson.yaml"]


def test_the_command_reads_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def reader(session: Any) -> Any:
        seen.append(session.beat.id)
        return []

    monkeypatch.setattr(screens, "ALL", (reader,))
    (tmp_path / "lesson.yaml").write_text(SMALL, "utf-8")
    assert main(["check", str(tmp_path)]) == 0
    assert seen == ["size", "size", "settle", "settle", "mean", "mean"]  # each with two futures


def test_a_panel_that_reads_beyond_the_stop_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def log(state: Any, width: int, height: int) -> Any:
        history = state.branch.sim.history
        return [fit(str([history.event(state.branch.limit + i).time for i in range(1, 9)]), width)]

    lesson = load_lesson_text(SMALL, "l.yaml")
    assert check(lesson, [screens.frames]) == []
    monkeypatch.setitem(panels.PANELS, "Log", log)
    found = [str(problem) for problem in check(lesson, [screens.frames])]
    assert len(found) == 3 and all("leak: before the answer the tab Log at 80 × 24 shows" in line for line in found)


@pytest.mark.parametrize("text", [SMALL, OTHER])
def test_what_a_presenter_shows_does_not_leak(text: str) -> None:
    """His screen, what it tells the notes view, and every key but those that reveal or leave the beat."""

    def drawn(present: Present, size: tuple[int, int]) -> str:
        """The screen, once no other thread is at the machine."""
        for _ in range(5_000):
            text = plain(compose(present, *size).lines)
            if "simulating …" not in text:
                break
            time.sleep(0.002)
            present.tick(0)
        return text

    def presented(session: Session) -> Iterator[tuple[str, str]]:
        present = Present(session, picture_of, beat=session.beat.id, clock=lambda: 0.0)
        present.begin()
        for key in ("", "right", "left", "left", "+", "right", "right", "space", "c", "t", "v", "down", "?", "?", "."):
            present.tick(0.05)
            for _ in range(10_000):
                if not present.busy:
                    break
                time.sleep(0.001)
                present.tick(0)
            assert not present.busy
            present_keys.press(present, key, key if len(key) == 1 else None)
            for size in ((80, 24), (120, 36)):
                yield f"the lecture after {key}", drawn(present, size)
            yield "the notes", repr(told(present, 80, 24, ""))
        present.close()

    lesson = load_lesson_text(text, "l.yaml")
    assert check(lesson, [presented]) == []


def test_a_key_that_passes_the_question_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def skips(state: Any) -> None:
        if state.asking and state.session.original is None:
            state.session.skip()

    monkeypatch.setitem(screens.ACTIONS, "palette", skips)
    monkeypatch.setattr(screens, "_LEAVE", {"quit"})
    monkeypatch.setattr(screens, "_frame", lambda *_: iter(()))
    found = [str(problem) for problem in check(load_lesson_text(SMALL, "l.yaml"), [screens.frames])]
    assert len(found) == 3 and all("something else than an answer or a skip passes" in line for line in found)
