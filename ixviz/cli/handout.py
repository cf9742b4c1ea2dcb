"""The command `handout`: a lesson as a page to print, with the answers, or as the lecturer's script.

Invariant: without --key nothing is written that a learner may not know yet where it stands.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ixviz.cli import Refused, find, readable
from ixviz.scenario.messages import escape

if TYPE_CHECKING:
    from ixviz.lesson.model import Lesson


@click.command()
@click.argument("lesson")
@click.option("--key", is_flag=True, help="With the answers and the reasons.")
@click.option("--notes", is_flag=True, help="The lecturer's script on one page, of the route lecture.")
@click.option("--html", "as_html", is_flag=True, help="HTML to print, in one file.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Markdown, as without it.")
@click.option("--route", type=click.Choice(["lecture", "alone"]), help="The beats of this route.")
@click.option("--variant", metavar="NAME", help="With the numbers that the lesson draws for this name.")
@click.option("-o", "--output", metavar="FILE", help="Write to a file; one that ends in .html gets HTML.")
def handout(lesson: str, key: bool, notes: bool, as_html: bool, as_markdown: bool, route: str | None,
            variant: str | None, output: str | None) -> int:  # fmt: skip
    """Write a lesson as a page to print.

    At each stop the machine as text, the question, and a line for the answer. It takes as long as the machines of the
    lesson take to run, some seconds.
    """
    from ixviz.export import handout as sheets

    if as_html and as_markdown:
        raise Refused("one of --html and --markdown")
    if output is not None and not as_markdown:
        as_html = as_html or output.lower().endswith((".html", ".htm"))
    opened = lesson_of(lesson, variant)
    route = route or ("lecture" if notes and opened.route("lecture") else "alone")
    if not opened.route(route):
        raise Refused(f"{escape(lesson)} has no beat of the route {route}")
    if output is not None and opened.path is not None and _same(Path(output), opened.path):
        raise Refused(f"{escape(output)} is the lesson itself; give another file")
    sheet = sheets.script(opened, route, key) if notes else sheets.handout(opened, route, key)
    if as_html:
        from ixviz.export.html import render
    else:
        from ixviz.export.markdown import render
    text = render(sheet)
    if output is None:
        click.echo(readable(text), nl=False)
        return 0
    try:
        _write(Path(output), text)
    except (OSError, ValueError) as error:
        raise Refused(f"{escape(output) or '-o'}: {getattr(error, 'strerror', None) or error}") from None
    return 0


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _write(path: Path, text: str) -> None:
    """Whole or not at all; what is no ordinary file, such as a terminal, is written to as it is."""
    if path.exists() and not path.is_file():
        path.write_text(text, "utf-8", newline="\n")
        return
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def lesson_of(target: str, variant: str | None = None) -> Lesson:
    """The lesson that a word means, with the numbers of a student if one is named. Raises Refused, Problems."""
    from ixviz.lesson.load import load_lesson

    kind, path = find(target)
    if kind != "lesson":
        raise Refused(f"{escape(target)} is a {kind}; this wants a lesson")
    loaded = load_lesson(path)
    return loaded if variant is None else student(loaded, variant)


def student(lesson: Lesson, name: str) -> Lesson:
    """The lesson with the numbers of a student. Raises Refused."""
    from ixviz.lesson.student import lesson_for

    try:
        return lesson_for(lesson, name)
    except ValueError as error:
        raise Refused(f"--variant: {error}") from None
