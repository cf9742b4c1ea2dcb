"""Lessons: beats over named machines, predictions that are computed, and the runners without a screen.

Invariant: while a question is open nothing that happens after its stop is in any text this room gives out.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ixviz.lesson.judge import Choice, Outcome
    from ixviz.lesson.load import find_lesson, list_lessons, load_lesson, load_lesson_text
    from ixviz.lesson.model import Beat, Lesson, LessonError, Look
    from ixviz.lesson.runs import Runs
    from ixviz.lesson.session import Phase, Session, Texts
    from ixviz.lesson.stops import Position

_HOME = {
    "Beat": "model", "Choice": "judge", "Lesson": "model", "LessonError": "model", "Look": "model", "Outcome": "judge",
    "Phase": "session", "Position": "stops", "Runs": "runs", "Session": "session", "Texts": "session",
    "find_lesson": "load", "list_lessons": "load", "load_lesson": "load", "load_lesson_text": "load",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Modules are imported when first asked for: finding a lesson must not cost what running one does."""
    if name not in _HOME:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"ixviz.lesson.{_HOME[name]}"), name)


__all__ = [
    "Beat", "Choice", "Lesson", "LessonError", "Look", "Outcome", "Phase", "Position", "Runs", "Session", "Texts",
    "find_lesson", "list_lessons", "load_lesson", "load_lesson_text",
]  # fmt: skip
