"""What a lecturer's screen needs of a lesson: its beats for a class, its choices, the edition of its file.

Invariant: nothing here depends on what was answered.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any


def choices_of(beat: Any) -> int:
    """How many choices a beat's question has; 0 for other questions and for none."""
    return len(getattr(beat.action, "options", None) or ())


def lecture(lesson: Any) -> Any:
    """A session on what a class is shown: the lecture route, or all beats of a lesson that has none."""
    from ixviz.lesson import Session

    return Session(lesson, "lecture" if lesson.route("lecture") else "alone")


def edition(lesson: Any) -> str:
    """A short word for the text of a lesson's file; "" when it cannot be read."""
    try:
        return hashlib.sha256(Path(lesson.path).read_bytes()).hexdigest()[:16] if lesson.path else ""
    except OSError:
        return ""
