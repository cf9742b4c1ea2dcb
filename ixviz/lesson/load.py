"""From a file to a Lesson, and where lessons are found.

Invariant: a Lesson exists only without mistakes of form; all of them are raised together, as one Problems.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from ixviz.lesson import keys, variants
from ixviz.lesson.beats import BeatReader
from ixviz.lesson.keys import json_schema
from ixviz.lesson.model import ROUTES, Find, Lesson, Predict
from ixviz.lesson.reader import Reader
from ixviz.lesson.runspecs import RunReader
from ixviz.scenario.messages import Problem, Problems, cut, did_you_mean
from ixviz.scenario.simulate import faults
from ixviz.scenario.source import Node, scan, scan_file

_TOP = Path(__file__).resolve().parents[2]
_CONTENT = (_TOP / "ixviz" / "_content" / "lessons", _TOP / "lessons")  # in a wheel; in a checkout
FILE = "lesson.yaml"
_BRACKET = re.compile(rf"\s*(?:- +)?(?:{'|'.join(keys.EXPRESSIONS)}): *[\[{{]")


def load_lesson(source: str | os.PathLike[str]) -> Lesson:
    """The lesson in a file, in a folder, or bundled under this name (see find_lesson). Raises Problems."""
    path = find_lesson(source) or Path(os.fspath(source))
    if not path.exists():
        word = _word(source)
        raise Problems([Problem(os.fspath(source), 0, 0, "", f"no such lesson{did_you_mean(word, list_lessons())}")])
    if path.is_dir():
        raise Problems([Problem(os.fspath(source), 0, 0, "", f"there is no {FILE} in this folder")])
    tree, problems = scan_file(path)
    try:
        lines = path.read_text("utf-8", "replace").splitlines() if tree is not None else []
    except OSError:
        lines = []  # scan_file has said what is wrong with the file
    return _lesson(tree, problems, lines, path)


def load_lesson_text(text: str, name: str = "lesson") -> Lesson:
    """The lesson of a text; `name` stands for the file in messages. Raises Problems."""
    tree, problems = scan(text, name)
    return _lesson(tree, problems, text.splitlines(), None)


def find_lesson(name: str | os.PathLike[str]) -> Path | None:
    """The file of a lesson, by its folder, or for a bundled one by the name of its folder with or without `lessons/`
    before it and with or without its number. None when there is none; a path to another file is not looked at."""
    given = Path(os.fspath(name))
    try:
        if given.name == FILE and given.is_file():
            return given
        if (given / FILE).is_file():
            return given / FILE
    except (OSError, ValueError):
        return None  # no name for a file
    if given.exists():
        return None
    word = _word(name)
    return next((path for folder, path in _bundled().items() if word in (folder, folder.partition("-")[2])), None)


def list_lessons() -> list[str]:
    """The names of the bundled lessons (their folders'), in order."""
    return list(_bundled())


def bundled_lessons() -> list[Path]:
    """The files of the bundled lessons, in order."""
    return list(_bundled().values())


def _word(name: str | os.PathLike[str]) -> str:
    return os.fspath(name).replace("\\", "/").removesuffix("/").removesuffix("/" + FILE).removeprefix("lessons/")


def _bundled() -> dict[str, Path]:
    found = {path.parent.name: path for folder in _CONTENT for path in folder.glob(f"*/{FILE}")}
    return {name: found[name] for name in sorted(found)}


def _lesson(tree: Node | None, problems: list[Problem], lines: list[str], path: Path | None) -> Lesson:
    if tree is None:
        raise Problems([_bracketed(problem, lines) for problem in problems])
    read = Reader(lines)
    got = read.keys(tree, keys.LESSON, "", "a lesson")
    if "language" in got and got["language"].value != 1:
        read.wrong(got["language"], "language", "this ixviz reads version 1 of the lesson language")
    minutes = {}
    if "minutes" in got:
        for route, node in read.mapping(got["minutes"], "minutes", "minutes").items():
            if route not in ROUTES:
                read.wrong(node, "minutes", f"unknown route {route}{did_you_mean(route, ROUTES)}", at_key=True)
            minutes[route] = read.number(node, "minutes", route)
    runs = RunReader(read, path).read(got["runs"]) if "runs" in got else {}
    reader = BeatReader(read, runs)
    beats = [reader.beat(node, i) for i, node in enumerate(read.items(got.get("beats"), "beats", "beats"))]
    seen: dict[str, int] = {}
    for beat in beats:
        if beat.id and beat.id in seen:
            read.problems.append(beat.place.problem(f"line {seen[beat.id]} has a beat with this id already"))
        seen.setdefault(beat.id, beat.place.line)
    lesson = Lesson(
        id=read.id(got.get("id"), "id"),
        title=read.text(got.get("title"), "title", "title"),
        summary=read.text(got.get("summary"), "summary", "summary"),
        minutes=minutes,
        place=read.place(tree, ""),
        minutes_place=read.place(got.get("minutes", tree), "minutes"),
        needs=read.texts(got.get("needs"), "needs", "needs"),
        goals=read.texts(got.get("goals"), "goals", "goals"),
        runs=runs,
        beats=tuple(beats),
        path=path,
    )
    if not problems and not read.problems:
        _faults(read, lesson)
        _again(read, lesson)
    if problems or read.problems:
        raise Problems([*problems, *read.problems])
    return lesson


def _bracketed(problem: Problem, lines: list[str]) -> Problem:
    """A mistake of YAML behind `when: [` is told as what it is."""
    line = lines[problem.line - 1] if 0 < problem.line <= len(lines) else ""
    if not _BRACKET.match(line[: problem.col]):
        return problem
    return replace(problem, message="in YAML [ begins a list and { a mapping; expressions have only ( )")


def _faults(read: Reader, lesson: Lesson) -> None:
    """The rules of a find are faults of the system it is about, and the run has one of them."""
    for beat in lesson.beats:
        if not isinstance(beat.action, Find):
            continue
        scenario = lesson.runs[beat.run].scenario
        assert scenario is not None
        known = faults(scenario.system.kind)
        for rule in beat.action.rules:
            if rule.fault not in known:
                message = f"no fault {cut(rule.fault)} in {scenario.system.kind}{did_you_mean(rule.fault, known)}"
                read.problems.append(rule.place.problem(message))
        if scenario.fault is None:
            read.problems.append(beat.action.place.problem(f"find: run {beat.run} has no fault"))
        elif scenario.fault not in [rule.fault for rule in beat.action.rules]:
            read.problems.append(beat.action.place.problem(f"find: rules lacks the fault of run {beat.run}"))
        if beat.until != "end":
            read.problems.append(beat.place.problem("a find is looked for in what has happened: until is end"))


def _again(read: Reader, lesson: Lesson) -> None:
    for beat in lesson.beats:
        if isinstance(beat.action, Predict) and beat.action.again:
            try:
                changed = variants.again(lesson, beat).runs[beat.run].scenario
                if changed == lesson.runs[beat.run].scenario:
                    where = next(iter(beat.action.again.values()))
                    read.wrong(where, f"beat {beat.id}", "again changes nothing: this is its value already")
            except Problems as error:
                read.problems += [replace(p, key=f"beat {beat.id}: again.set.{p.key}") for p in error.problems]


__all__ = ["find_lesson", "json_schema", "list_lessons", "load_lesson", "load_lesson_text"]
