"""What a question is, in sixteen characters: an answer counts as long as its question has the same.

Invariant: only what a learner is asked goes in (no reasons, hints or conditions), and spaces and line breaks do not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_TEXTS = ("say", "is_", "text", "spelling", "value", "name", "fault")  # of a choice, an item, a rule, a knob's value
_PARTS = ("options", "items", "among", "rules")


def fingerprint(action: Any) -> str:
    """The fingerprint of a beat's action (lesson.model: Predict, Task, Find); "" for None."""
    if action is None:
        return ""
    parts = json.dumps([type(action).__name__, _asked(action)], sort_keys=True)
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def _asked(part: Any) -> dict[str, Any]:
    """What of an action, or of its number, order or point, is asked: its text, its choices, its unit, its knobs."""
    found: dict[str, Any] = {}
    ask = getattr(part, "ask", None)
    if ask is not None:
        found["ask"] = _text(ask)
    unit = getattr(part, "unit", None)
    if unit is not None:
        found["unit"] = unit
    for name in _PARTS:
        things = getattr(part, name, None)
        if things:
            found[name] = [_text(each) for each in things]
    knobs = getattr(part, "knobs", None)
    if isinstance(knobs, Mapping):
        found["knobs"] = {knob: [_text(value) for value in values] for knob, values in knobs.items()}
    for name in ("number", "order", "point"):
        inner = getattr(part, name, None)
        if inner is not None:
            found[name] = _asked(inner)
    return found


def _text(thing: Any) -> str:
    """The words of a text, or of the first of its texts that a thing has."""
    if isinstance(thing, str):
        return " ".join(thing.split())
    for name in _TEXTS:
        inner = getattr(thing, name, None)
        if inner is not None:
            return _text(inner)
    return str(thing)
