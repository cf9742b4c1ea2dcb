"""A lesson's session as a lecturer uses it: to any beat at any time, a question asked anew, nothing counted.

Invariant: what is passed by counts as unanswered, never as right or wrong.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any


def choices_of(beat: Any) -> int:
    """How many choices a beat's question has; 0 for other questions and for none."""
    return len(getattr(beat.action, "options", None) or ())


def jump(session: Any, index: int) -> None:
    """To a beat of the route, whatever is open before it; past the last one: to the end."""
    before = [beat for beat in session.beats[:index] if beat.action is not None]
    session.restore({beat.id: "skipped" for beat in before if beat.id not in session.results}, {})
    session.go_to(min(index, len(session.beats) - 1))
    if index >= len(session.beats):
        session.go_on()


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
