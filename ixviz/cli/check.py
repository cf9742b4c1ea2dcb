"""The command `check`: whether lessons are true and scenarios can be built, every finding at its place.

Invariant: findings are data and go to stdout; all that can be read is checked, whatever is wrong with the rest.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ixviz.cli.waiting import line

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ixviz.lesson.checker.jobs import Checked
    from ixviz.lesson.model import Lesson
    from ixviz.scenario.messages import Problem

MOST_SEEDS = 1_000
_YAML = (".yaml", ".yml")
_OF_A_LESSON = re.compile(r"^(?:beats|language|runs):", re.M)  # keys that no scenario has


@click.command()
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--seeds", type=click.IntRange(0, MOST_SEEDS), default=0, metavar="N",
              help="Also with the seeds 1 to N: warn when a right answer changes.")  # fmt: skip
def check(paths: tuple[str, ...], as_json: bool, seeds: int) -> int:
    """Check lessons: that every stop is reached, every claim true, every answer right, and nothing told too early.

    PATH is a lesson as it is opened, or a folder of lessons; `lessons` are those that come with ixviz. A finding is one
    line, `file:line:col: beat ID: what is wrong`. The status is 0 when there is none, 1 when there are some, 2 when a
    file could not be read. A scenario is read, and its machine built.
    """
    from ixviz.lesson.checker import jobs

    files = {path: _scenario(path) for path in dict.fromkeys(path for word in paths for path in _lessons(word))}
    scenarios = [_built(scenario) for scenario in files.values() if scenario is not None]
    read = [_load(path) for path, scenario in files.items() if scenario is None]
    same = _same_ids(read)
    lessons = [lesson for _, lesson, _ in read if lesson is not None]
    more = range(1, seeds + 1)
    with _executor(lessons, more) as executor, line() as told:
        from ixviz.cli import screens

        found = list(jobs.check_all(lessons, screens.ALL, more, executor,
                                    lambda done, of: told.say(f"{done} of {of} parts"), screens.crowded))  # fmt: skip
    results = iter(found)
    report = [_result(path, lesson, [*problems, *same.get(path, ())], next(results) if lesson is not None else None)
              for path, lesson, problems in read]  # fmt: skip
    if as_json:
        click.echo(json.dumps({"lessons": report, "scenarios": scenarios, "seeds": seeds,
                               "findings": _count([*report, *scenarios], "problems"),
                               "warnings": _count(report, "warnings")}))  # fmt: skip
    else:
        _print([*report, *scenarios])
    click.echo(_summary(report, scenarios), err=True)
    broken = len(lessons) < len(read) or _count(scenarios, "problems")
    return 2 if broken else 1 if _count(report, "problems") else 0


# ----------------------------------------------------------------------------------------------- which lessons
def _lessons(word: str) -> Iterator[str]:
    """The files that a word of the command line means; the word itself where it means none."""
    from ixviz.lesson.load import FILE, bundled_lessons, find_lesson

    path = Path(word)
    found = find_lesson(word)
    if found is not None:
        yield str(found)
        return
    below = sorted(path.glob(f"**/{FILE}")) if _is_folder(path) else []
    if not below and word.rstrip("/") == "lessons":
        below = bundled_lessons()
    yield from map(str, below) if below else [word]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _load(path: str) -> tuple[str, Lesson | None, tuple[Problem, ...]]:
    from ixviz.lesson.load import load_lesson
    from ixviz.scenario.messages import Problem, Problems

    try:
        return path, load_lesson(path), ()
    except Problems as error:
        return path, None, error.problems
    except (OSError, ValueError) as error:  # no name of a file, no right to read it
        reason = getattr(error, "strerror", None) or error
        return path, None, (Problem(path, 0, 0, "", f"cannot be read: {reason}"),)


def _same_ids(read: Sequence[tuple[str, Lesson | None, tuple[Problem, ...]]]) -> dict[str, list[Problem]]:
    """Of a lesson that has the id of one before it: what is said of that, by its path."""
    from ixviz.scenario.messages import Problem

    first: dict[str, str] = {}
    found: dict[str, list[Problem]] = {}
    for path, lesson, _ in read:
        if lesson is None:
            continue
        before = first.setdefault(lesson.id, path)
        if Path(before).resolve() != Path(path).resolve():
            message = f"{lesson.id} is the id of {before} too: what a learner has reached is kept by it"
            found[path] = [Problem(path, lesson.place.line, lesson.place.col, "id", message)]
    return found


# ----------------------------------------------------------------------------------------------- scenarios
def _scenario(word: str) -> Path | None:
    """The file of a scenario, by its path or bundled under this name; None for what is no scenario."""
    from ixviz.lesson.load import FILE
    from ixviz.scenario.load import bundled, list_bundled

    path = Path(word)
    try:
        if path.is_file():
            text = path.read_bytes()[:1_000_000].decode("utf-8", "replace") if path.suffix in _YAML else ""
            is_lesson = path.name == FILE or path.suffix not in _YAML or _OF_A_LESSON.search(text)
            return None if is_lesson else path
    except (OSError, ValueError):
        return None  # told when it is read as a lesson
    name = path.name.removesuffix(".yaml") if path.parent.name in ("", "scenarios") else ""
    return bundled(name) if name in list_bundled() else None


def _built(path: Path) -> dict[str, Any]:
    """A scenario of `--json`: what is wrong with it, or with the machine that it describes."""
    from ixviz.scenario.load import load
    from ixviz.scenario.messages import Problem, Problems
    from ixviz.scenario.simulate import CaptureError, simulate

    problems: Sequence[Problem] = ()
    try:
        simulate(load(path))
    except Problems as error:
        problems = error.problems
    except CaptureError as error:
        problems = [Problem(str(path), 0, 0, "workload.file", str(error))]
    return {"path": str(path), "problems": [_data(each) for each in problems], "warnings": []}


# ----------------------------------------------------------------------------------------------- the work
@contextmanager
def _executor(lessons: Sequence[Lesson], more: Sequence[int]) -> Iterator[Executor]:
    """One process or several; whoever is interrupted does not wait for what was not begun."""
    from ixviz.lesson.checker import jobs
    from ixviz.measure.pool import pool

    several = (os.cpu_count() or 1) > 1 and jobs.worth_a_pool(lessons, more)
    executor = pool() if several else jobs.Here()
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


# ----------------------------------------------------------------------------------------------- the report
def _result(path: str, lesson: Lesson | None, problems: Sequence[Problem], checked: Checked | None) -> dict[str, Any]:
    """A lesson of `--json`."""
    return {
        "id": lesson.id if lesson is not None else None,
        "path": path,
        "beats": len(lesson.beats) if lesson is not None else 0,
        "problems": [_data(each) for each in (*problems, *(checked.problems if checked is not None else ()))],
        "warnings": [_data(each) for each in (checked.warnings if checked is not None else ())],
    }


def _data(problem: Problem) -> dict[str, Any]:
    beat, _, rest = problem.key.partition(": ")
    found = re.fullmatch(r"beat (\S+)", beat)
    key = rest if found else problem.key
    return {"file": problem.file, "line": problem.line, "col": problem.col, "beat": found[1] if found else None,
            "message": f"{key}: {problem.message}" if key else problem.message}  # fmt: skip


def _print(report: Sequence[dict[str, Any]]) -> None:
    from ixviz.scenario.messages import Problem

    for lesson in report:
        for what, word in (("problems", ""), ("warnings", "warning: ")):
            for each in lesson[what]:
                key = f"beat {each['beat']}" if each["beat"] is not None else ""
                click.echo(str(Problem(each["file"], each["line"], each["col"], key, f"{word}{each['message']}")))


def _count(report: Sequence[dict[str, Any]], what: str) -> int:
    return sum(len(lesson[what]) for lesson in report)


def _summary(report: Sequence[dict[str, Any]], scenarios: Sequence[dict[str, Any]] = ()) -> str:
    """`2 lessons, 24 beats, 1 scenario, nothing found`."""
    beats = sum(lesson["beats"] for lesson in report)
    unread = sum(lesson["id"] is None for lesson in report) + sum(bool(each["problems"]) for each in scenarios)
    what = [_many(len(report), "lesson"), _many(beats, "beat")] if report or not scenarios else []
    what += [_many(len(scenarios), "scenario")] if scenarios else []
    problems = _count([*report, *scenarios], "problems")
    found = [_many(problems, "finding")] if problems else ["nothing found"]
    found += [_many(_count(report, "warnings"), "warning")] if _count(report, "warnings") else []
    found += [f"{unread} could not be read"] if unread else []
    return ", ".join([*what, *found])


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
