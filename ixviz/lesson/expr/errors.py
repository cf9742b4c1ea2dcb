"""What can be wrong with an expression.

Invariant: every failure of parsing or evaluating is an ExprError that knows its place; nothing else ever escapes.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ExprError(Exception):
    """An expression that cannot be read or has no value.

    `message` is one sentence for the author; `offset` counts characters from the start of the text that was parsed.
    """

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return f"column {self.offset + 1}: {self.message}"


class NotYet(ExprError):
    """The expression reads something that has not happened (by now, in this run). A breakpoint takes it for false."""


def suggestion(wrong: str, known: Iterable[str]) -> str:
    """`", did you mean X?"` for the nearest known name, or nothing."""
    near = get_close_matches(wrong, list(known), n=1, cutoff=0.6)
    return f", did you mean {near[0]}?" if near else ""


def unknown(name: str, known: Iterable[str], offset: int) -> ExprError:
    """The error for a name nobody knows."""
    return ExprError(f"there is no {name}{suggestion(name, known)}", offset)
