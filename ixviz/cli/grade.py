"""`ixviz LESSON --grade FILE_OR_FOLDER`: answers files in, one CSV row a file out.

Invariant: a file that cannot be read costs its own row, an answer without its form itself, and nothing else; right
answers are printed only with --key.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from ixviz.cli import Refused, _no_utf8

FORMATIVE = "formative: answers can be looked up; do not use for marks"


def refuse(target: str | None, where: str | None, key: bool, variant: str | None, opens: bool,
           lecture: bool) -> None:  # fmt: skip
    """Options that do not go together, in one line. Raises Refused."""
    if key and where is None:
        raise Refused("--key belongs to --grade, or to ixviz handout")
    if target is None and (where is not None or variant is not None):
        word = "--grade" if where is not None else "--variant"
        raise Refused(f"{word} needs a lesson, such as: ixviz lessons/02-batching {word} …")
    if where is not None and opens:
        raise Refused("--grade opens nothing: only --key and --variant go with it")
    if variant is not None and lecture:
        raise Refused("--variant is for one student: without --present and --notes")


def grade(target: str, where: str, key: bool = False, variant: str | None = None) -> int:
    """Prints a header and a row for each file; what is wrong with one, or with an answer in it, goes to stderr.

    2 when there was such a file.
    """
    from ixviz.cli.handout import lesson_of
    from ixviz.lesson.grade import Grader, files_of, header, read_answers, row
    from ixviz.scenario.messages import Problems, escape

    lesson = lesson_of(target)
    try:
        grader = Grader(lesson, variant, key)
    except ValueError as error:
        raise Refused(f"--variant: {error}") from None
    path = Path(where)
    try:
        files = files_of(path) if path.exists() else None
    except (OSError, ValueError) as error:
        raise Refused(f"{escape(where)}: {getattr(error, 'strerror', None) or error}") from None
    if files is None:
        raise Refused(f"{escape(where)}: no such file or folder")
    if not files:
        raise Refused(f"{escape(where)}: no answers in this folder; a file of answers ends in .yaml")
    print(f"ixviz: {FORMATIVE}", file=sys.stderr)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(header(grader.beats, key))
    status = 0
    for file in files:
        try:
            answers = read_answers(file, lesson)
        except Problems as error:
            status = 2
            first, *more = error.problems
            print(f"{first}; and {len(more)} more" if more else first, file=sys.stderr)
            continue
        out.writerow(_writable(row(file.name, grader.grade(answers), key)))
        sys.stdout.flush()
        for note in (*answers.wrong.values(), *answers.notes):
            print(note, file=sys.stderr)
        status = 2 if answers.wrong else status
    return status


def _writable(cells: list[str | int]) -> list[str | int]:
    """The cells as standard output can take them."""
    if not _no_utf8():
        return cells
    from ixviz.draw.cells import ascii_twin, plain

    return [plain([ascii_twin(cell)]) if isinstance(cell, str) else cell for cell in cells]
