"""Answers read from files and judged: what a teacher wants to know of a class, without anybody at a keyboard.

Invariant: a file's results depend on the lesson, its variant and the file alone, in whatever order files are judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ixviz.lesson.model import Beat, Lesson
from ixviz.lesson.runs import Runs
from ixviz.lesson.session import Session
from ixviz.lesson.student import lesson_for, name_of
from ixviz.scenario.messages import Problem, Problems, cut, did_you_mean, escape, shown
from ixviz.scenario.source import Node, scan_file

RESULTS = ("right", "wrong", "unanswered", "unusable")
VARIANT = "variant"  # the key of an answers file that names the student's variant
ENDINGS = (".yaml", ".yml")
_FORMULA = re.compile(r"(^|[,;|])(?=\s*[=+\-@＝＋－＠])")
_LONGEST = 1_000  # characters of an answer


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file says: an answer for each beat that has one; `notes` are what it says besides, for the teacher.

    `wrong` says of answers, by their beats, why they have not the form of one: they are unusable, the others count.
    """

    said: Mapping[str, str]
    variant: str | None = None
    notes: tuple[Problem, ...] = ()
    wrong: Mapping[str, Problem] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Graded:
    """By beat: one of RESULTS, and what the right answer was."""

    results: Mapping[str, str]
    was: Mapping[str, str]

    def count(self, result: str) -> int:
        """How many questions have this result."""
        return list(self.results.values()).count(result)


def questions(lesson: Lesson) -> tuple[Beat, ...]:
    """The beats that ask something."""
    return tuple(beat for beat in lesson.beats if beat.action is not None)


def files_of(path: Path) -> list[Path]:
    """The answers files that a path means: itself, or those of a folder by name. OSError when it cannot be read."""
    if not path.is_dir():
        return [path]
    return sorted((each for each in path.iterdir() if each.suffix.lower() in ENDINGS and each.name[0] != "."),
                  key=lambda each: each.name)  # fmt: skip


def read_answers(path: Path, lesson: Lesson) -> Answers:
    """The answers of a file: `beat-id: answer`. Raises Problems for one that cannot be read, or is none.

    What is wrong with the form of one answer alone is in `Answers.wrong`.
    """
    if path.exists() and not path.is_file():
        raise Problems([Problem(str(path), 0, 0, "", "not an ordinary file; answers are wanted, `beat-id: answer`")])
    tree, problems = scan_file(path)
    if tree is None and _is_empty(path):
        return Answers({})  # nothing was answered, which is no mistake
    ids = [beat.id for beat in questions(lesson)]
    wrong = {re.split(r"[.\[]", each.key)[0]: each for each in reversed(problems)}  # of several the first
    if tree is None or not wrong.keys() <= set(ids):
        raise Problems(problems)
    if not isinstance(tree.value, dict):
        message = f"answers are wanted, `beat-id: answer`, got {shown(tree.value, tree.spelling)}"
        raise Problems([Problem(tree.file, tree.line, tree.col, "", message)])
    said: dict[str, str] = {}
    variant: str | None = None
    notes = []
    for key, node in tree.value.items():
        if key == VARIANT:
            text = _text(node, key)
            variant = _variant(lesson, text, node) if text else None
        elif key in ids and isinstance(node.value, dict | list):
            wrong.setdefault(key, _formless(node, key))
        elif key in ids:
            said[key] = _text(node, key)
        else:
            message = f"no question {cut(key)} in {lesson.id}{did_you_mean(key, [*ids, VARIANT])}"
            notes.append(Problem(node.file, node.key_line, node.key_col, "", message))
    return Answers(said, variant, tuple(notes), wrong)


def _is_empty(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            lines = file.read(_LONGEST).split(b"\n")
        return all(not line.strip() or line.lstrip().startswith(b"#") for line in lines)
    except OSError:
        return False


def _text(node: Node, key: str) -> str:
    """An answer as it was written; "" for none."""
    if node.value is None:
        return ""
    if isinstance(node.value, dict | list):
        raise Problems([_formless(node, key)])
    return node.spelling if node.spelling is not None else str(node.value)


def _formless(node: Node, key: str) -> Problem:
    return Problem(node.file, node.line, node.col, key, f"an answer is a text or a number, got {shown(node.value)}")


def _variant(lesson: Lesson, text: str, node: Node) -> str:
    try:
        lesson_for(lesson, text)
        return name_of(text)
    except ValueError as error:
        raise Problems([Problem(node.file, node.line, node.col, VARIANT, str(error))]) from None


class Grader:
    """Judges answers to one lesson. Machines are simulated once for each variant, an answer is judged once.

    `variant` is that of the files that name none. Without `key` what was right is not worked out, it is "".
    Raises ValueError for a variant that cannot be.
    """

    def __init__(self, lesson: Lesson, variant: str | None = None, key: bool = False) -> None:
        self.lesson, self.key = lesson, key
        self.variant = None if variant is None else name_of(variant)
        self.beats = questions(lesson)
        self._lessons: dict[str | None, tuple[Lesson, Runs]] = {}
        self._judged: dict[tuple[str | None, str, str], tuple[str, str]] = {}
        self._made(self.variant)

    def grade(self, answers: Answers) -> Graded:
        """What the answers are worth. Raises LessonError for a mistake of the lesson's author."""
        variant = answers.variant or self.variant
        lesson, runs = self._made(variant)
        results, was = {}, {}
        for beat in questions(lesson):
            text = answers.said.get(beat.id, "").strip() if beat.id not in answers.wrong else ""
            key = (variant, beat.id, text)
            if key not in self._judged:
                self._judged[key] = judged(lesson, beat, text, runs, self.key)
            results[beat.id], was[beat.id] = self._judged[key]
            if beat.id in answers.wrong:
                results[beat.id] = "unusable"
        return Graded(results, was)

    def _made(self, variant: str | None) -> tuple[Lesson, Runs]:
        if variant not in self._lessons:
            lesson = self.lesson if variant is None else lesson_for(self.lesson, variant)
            self._lessons[variant] = (lesson, Runs(lesson))
        return self._lessons[variant]


def judged(lesson: Lesson, beat: Beat, text: str, runs: Runs, key: bool = True) -> tuple[str, str]:
    """What one answer ("" for none) is worth, and with `key` what was right. Raises LessonError."""
    session = Session(replace(lesson, beats=(beat,)), runs=runs)
    usable = 0 < len(text) <= _LONGEST
    outcome = session.answer(text) if usable else None
    result = outcome.kind if outcome is not None else "unusable" if text else "unanswered"
    if not key:
        return result, ""
    if outcome is None or not outcome.was:
        outcome = session.skip()  # a question that is still open tells nothing
    return result, f"{outcome.was_letter}: {outcome.was}" if outcome.was_letter else outcome.was


def header(beats: Iterable[Beat], key: bool) -> list[str]:
    """The names of the columns."""
    ids = [beat.id for beat in beats]
    return ["file", *ids, *RESULTS, *(f"{beat} was" for beat in ids if key)]


def row(name: str, graded: Graded, key: bool) -> list[str | int]:
    """A file's row. What a spreadsheet would take for a formula is made text."""
    was: Sequence[str] = list(graded.was.values()) if key else []
    counts = [graded.count(result) for result in RESULTS]
    return [defused(name), *graded.results.values(), *counts, *map(defused, was)]


def defused(cell: str) -> str:
    """A cell that no spreadsheet computes, whichever sign it takes for a separator; on one line."""
    return _FORMULA.sub(r"\1'", escape(cell))
