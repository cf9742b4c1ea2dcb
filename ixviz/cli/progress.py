"""The command `progress`: what was reached in each lesson, as a table, as JSON, as answers; and forgetting it.

Invariant: nothing is removed but by --reset and --reset-all, and those say what they removed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ixviz.cli import Refused, _no_utf8

if TYPE_CHECKING:
    from ixviz.progress import Record, Store


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--answers", metavar="LESSON", help="The answers that count, as YAML: what a grader takes.")
@click.option("--reset", metavar="LESSON", help="Forget what was reached in a lesson.")
@click.option("--reset-all", is_flag=True, help="Forget what was reached in every lesson.")
@click.option("--variant", metavar="NAME", help="With --answers and --reset: in the lesson with this name's numbers.")
def progress(as_json: bool, answers: str | None, reset: str | None, reset_all: bool, variant: str | None) -> int:
    """Show what was reached in each lesson.

    It is kept in the folder IXVIZ_STATE names, or in the system's folder for states of programs. With --plain a lesson
    neither reads nor writes it. LESSON is a lesson as it is opened, or its id.
    """
    from ixviz.progress import Store, state_folder

    if sum((as_json, answers is not None, reset is not None, reset_all)) > 1:
        raise Refused("progress takes one of --json, --answers, --reset and --reset-all")
    if variant is not None and answers is None and reset is None:
        raise Refused("--variant belongs to --answers and --reset")
    store = Store(_a_folder(state_folder()))
    if reset_all or reset is not None:
        return _reset(store, None if reset is None else _named(store, reset, variant)[0])
    for trouble in store.troubles():
        _say(trouble)
    if answers is not None:
        return _answers(store, answers, variant)
    lessons = store.lessons()
    if as_json:
        click.echo(json.dumps({"lessons": [as_data(lesson, record) for lesson, record in lessons.items()]}))
    else:
        _table(lessons)
    return 0


def _a_folder(folder: Path | None) -> Path | None:
    """The folder, which may still have to be made. Raises Refused where something else stands in its place."""
    for path in (folder / "progress", folder, *folder.parents) if folder is not None else ():
        try:
            path.stat()
        except NotADirectoryError:
            continue  # something above it is no folder
        except OSError:
            break  # it can be made, or what is wrong is told when it is read
        if not path.is_dir():
            from ixviz.scenario.messages import escape

            named = "IXVIZ_STATE: " if os.environ.get("IXVIZ_STATE") else ""
            raise Refused(f"{named}{escape(str(path))} is no folder; progress is kept in a folder")
        break
    return folder


def _say(text: str) -> None:
    from ixviz.scenario.messages import escape

    click.echo(f"ixviz: {escape(text)}", err=True)


# ----------------------------------------------------------------------------------------------- which lesson
def _id_of(store: Store, word: str) -> tuple[str, Any]:
    """The id of a lesson, and the lesson if `word` is one that can be opened."""
    from ixviz.lesson.load import find_lesson, list_lessons, load_lesson
    from ixviz.scenario.messages import did_you_mean, escape
    from ixviz.tui.entries import entries

    kept = store.ids()
    if word in kept:
        return word, None
    path = find_lesson(word) or (Path(word) if word.endswith((".yaml", ".yml")) and Path(word).is_file() else None)
    if path is None:
        path = next((e.path for e in entries() if e.kind == "lesson" and e.id == word), None)
    if path is None:
        raise Refused(f"{escape(word)}: no such lesson{did_you_mean(word, [*kept, *list_lessons()])}")
    lesson = load_lesson(path)
    return lesson.id, lesson


def _named(store: Store, word: str, variant: str | None) -> tuple[str, Any]:
    """As `_id_of`, of the lesson with a student's numbers if one is named. Raises Refused."""
    lesson, opened = _id_of(store, word)
    if variant is None:
        return lesson, opened
    from ixviz.lesson.student import BETWEEN, name_of

    try:
        return f"{lesson}{BETWEEN}{name_of(variant)}", opened
    except ValueError as error:
        raise Refused(f"--variant: {error}") from None


def _reset(store: Store, lesson: str | None) -> int:
    try:
        gone = store.reset(lesson)
    except OSError as error:
        raise Refused(f"progress is not removed: {error.strerror or error}") from None
    for each in gone:
        click.echo(f"removed: {each}")
    if not gone:
        click.echo("nothing to remove")
    return 0


# ----------------------------------------------------------------------------------------------- showing
def as_data(lesson: str, record: Record) -> dict[str, Any]:
    """A lesson of `--json`."""
    counted = record.counted
    beats = [
        {
            "id": head.id,
            "result": counted[head.id].result if head.id in counted else None,
            "reviewed": (counted[head.id].reviewed or None) if head.id in counted else None,
        }
        for head in record.questions
    ]
    return {
        "id": lesson, "title": record.title, "beats": beats, "right": record.count("right"),
        "wrong": record.count("wrong"), "skipped": record.count("skipped"), "to_review": record.to_review,
        "done": record.done,
    }  # fmt: skip


def _table(lessons: dict[str, Record]) -> None:
    import shutil

    from ixviz.draw.cells import ascii_twin, line, plain
    from ixviz.draw.table import Column, table
    from ixviz.tui.entries import LEGEND, signs

    if not lessons:
        click.echo("No lesson was begun yet.")
        return
    columns = [Column("lesson"), Column("answers"), Column("right"), Column("wrong"), Column("skipped"),
               Column("to review"), Column("")]  # fmt: skip
    rows = [
        [record.title, signs(record), record.count("right"), record.count("wrong"), record.count("skipped"),
         record.to_review, "done" if record.done else ""]
        for record in lessons.values()
    ]  # fmt: skip
    lines = [*table(columns, rows, shutil.get_terminal_size().columns), line(""), line(LEGEND)]
    click.echo(plain([ascii_twin(each) for each in lines] if _no_utf8() else lines))


def _answers(store: Store, word: str, variant: str | None) -> int:
    from dataclasses import replace

    from ixviz.lesson.student import BETWEEN
    from ixviz.progress import heads

    lesson, opened = _named(store, word, variant)
    record = store.read(lesson)
    if record is not None and opened is not None:
        record = replace(record, order=heads(opened))  # the lesson as it is now
    said = {beat: answer.said for beat, answer in record.counted.items() if answer.said} if record is not None else {}
    student = lesson.partition(BETWEEN)[2]
    if said and student:
        click.echo(f"variant: {quoted(student)}")  # a grader judges by this student's numbers
    for beat, text in said.items():
        click.echo(f"{quoted(beat)}: {quoted(text)}")
    if not said:
        _say(f"{lesson}: there are no answers yet")
    return 0


def quoted(text: str) -> str:
    """A text as YAML, in quotes unless each reader of YAML, old or new, takes it for a text."""
    import re

    import yaml

    plain = re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text) and yaml.safe_load(text) == text
    if plain and text not in ("y", "n"):  # truth values in YAML 1.1
        return text
    return yaml.safe_dump(text, default_style='"', allow_unicode=False, width=10**6).rstrip("\n")
