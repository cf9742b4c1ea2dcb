"""From a file to a Lesson, and where lessons are found.

Invariant: a Lesson exists only without mistakes of form; all of them are raised together, as one Problems.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ixviz.lesson import keys
from ixviz.lesson.beats import BeatReader
from ixviz.lesson.keys import json_schema
from ixviz.lesson.model import ROUTES, Lesson, RunSpec
from ixviz.lesson.reader import Reader
from ixviz.scenario.load import Scenario, bundled, from_raw, load, with_changes
from ixviz.scenario.messages import Problem, Problems, did_you_mean
from ixviz.scenario.source import Node, scan, scan_file

_TOP = Path(__file__).resolve().parents[2]
_CONTENT = (_TOP / "ixviz" / "_content" / "lessons", _TOP / "lessons")  # in a wheel; in a checkout
FILE = "lesson.yaml"


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
        lines = path.read_text("utf-8", "replace").splitlines()
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


def _word(name: str | os.PathLike[str]) -> str:
    return os.fspath(name).replace("\\", "/").removesuffix("/").removesuffix("/" + FILE).removeprefix("lessons/")


def _bundled() -> dict[str, Path]:
    found = {path.parent.name: path for folder in _CONTENT for path in folder.glob(f"*/{FILE}")}
    return {name: found[name] for name in sorted(found)}


def _lesson(tree: Node | None, problems: list[Problem], lines: list[str], path: Path | None) -> Lesson:
    if tree is None:
        raise Problems(problems)
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
    runs = _Runs(read, path).read(got["runs"]) if "runs" in got else {}
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
    if problems or read.problems:
        raise Problems([*problems, *read.problems])
    return lesson


class _Runs:
    """Reads `runs`: each gets its checked scenario, so that a mistake in one is told at its line of the lesson."""

    def __init__(self, read: Reader, path: Path | None) -> None:
        self.read_, self.path = read, path
        self.made: dict[str, RunSpec] = {}

    def read(self, node: Node) -> dict[str, RunSpec]:
        nodes = self.read_.mapping(node, "runs", "runs")
        for name, each in nodes.items():
            if name in ("mine", "answer", "said") or not name.isidentifier():
                self.read_.wrong(each, f"runs.{name}", "this cannot be the name of a run", at_key=True)
        left = dict(nodes)
        while left:  # in the order of `from`
            ready = [name for name, each in left.items() if self._base(each) not in left]
            for name in ready or list(left):
                each = left.pop(name)
                if not ready:
                    message = "these runs are made from each other in a circle"
                    self.read_.wrong(each, f"runs.{name}", message, at_key=True)
                self.made[name] = self._run(name, each)
        return {name: self.made[name] for name in nodes}

    @staticmethod
    def _base(node: Node) -> object:
        base = node.get("from")
        return base.value if base is not None and isinstance(base.value, str) else None

    def _run(self, name: str, node: Node) -> RunSpec:
        read, key = self.read_, f"runs.{name}"
        got = read.keys(node, keys.RUN, key, "a run")
        spec = RunSpec(name, read.place(node, key))
        if ("scenario" in got) is ("from" in got):
            if isinstance(node.value, dict):
                read.wrong(node, key, "a run has exactly one of scenario and from", at_key=True)
            return spec
        if "at" in got and "from" not in got:
            read.wrong(got["at"], key, "at belongs to from", at_key=True)
        changes = read.mapping(got["set"], key, "set") if "set" in got else {}
        base: Scenario | None = None
        if "from" in got:
            parent = read.text(got["from"], key, "from")
            if parent and parent not in self.made:
                read.wrong(got["from"], key, f"there is no run {parent}{did_you_mean(parent, self.made)}")
            base = self.made[parent].scenario if parent in self.made else None
            spec = replace(spec, base=parent)
        else:
            base = self._scenario(name, got["scenario"])
        if "at" in got:
            for path, value in changes.items():
                if not path.startswith("system."):
                    read.wrong(value, key, f"a branch changes system.… only, {path} is not of it", at_key=True)
        if base is not None:
            base = self._changed(base, changes, key)
        return replace(spec, scenario=base, changes=changes, at=read.formula(got.get("at"), key))

    def _scenario(self, name: str, node: Node) -> Scenario | None:
        key = f"runs.{name}.scenario"
        try:
            if isinstance(node.value, str):
                beside = self.path.parent / node.value if self.path else Path(node.value)
                return load(beside if node.value.endswith((".yaml", ".yml")) else bundled(node.value))
            return from_raw(node, name, key, self.path)
        except Problems as error:
            if isinstance(node.value, str):
                for each in error.problems:
                    self.read_.wrong(node, key, each.message if not each.line else str(each))
            else:
                self.read_.problems += error.problems
            return None

    def _changed(self, base: Scenario, changes: dict[str, Node], key: str) -> Scenario | None:
        try:
            return with_changes(base, changes)
        except Problems as error:
            self.read_.problems += [replace(each, key=f"{key}.set.{each.key}".rstrip(".")) for each in error.problems]
            return None


__all__ = ["find_lesson", "json_schema", "list_lessons", "load_lesson", "load_lesson_text"]
