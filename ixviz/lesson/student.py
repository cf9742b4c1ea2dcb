"""The lesson as one student gets it: with the numbers that belong to a name (`--variant NAME`).

Invariant: the same name gives the same numbers on every machine, however it is capitalised or spaced.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from ixviz.lesson.model import Lesson
from ixviz.lesson.variants import variant
from ixviz.scenario.messages import cut

BETWEEN = "--"  # between the id of a lesson and a name; no id of a lesson has two hyphens
_LONGEST = 60


def name_of(text: str) -> str:
    """A name as an id: `Anna Müller` and ` anna_muller` are both `anna-muller`.

    Raises ValueError, with what is expected, for one that has no letter from a to z and no digit, or is too long.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    words = re.sub(r"[^a-z0-9]+", "-", "".join(c for c in plain if not unicodedata.combining(c))).strip("-")
    if not words or len(words) > _LONGEST or not text.isprintable():
        raise ValueError(f'"{cut(text)}" is no name: letters from a to z and digits, such as anna or s123456')
    return words


def student_of(lesson: Lesson) -> str:
    """Whose numbers a lesson has, as an id; "" for the lesson as it was written."""
    return lesson.id.partition(BETWEEN)[2]


def lesson_for(lesson: Lesson, name: str) -> Lesson:
    """The lesson with this student's numbers, named after both: its progress is kept apart.

    Raises ValueError for a name that is none, and when the lesson lets nothing vary.
    """
    student = name_of(name)
    made = variant(lesson, student)
    return replace(made, id=f"{lesson.id}{BETWEEN}{student}", title=f"{lesson.title} · {student}")
