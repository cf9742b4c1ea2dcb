"""What a session hands to whoever shows it: the phase of a beat and its texts.

Invariant: plain data; all values are already in the texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ixviz.lesson.judge import Choice, Outcome


class Phase(StrEnum):
    """READING: nothing is asked. ASKING: a question is open. ANSWERED: the reveal. OVER: behind the last beat."""

    READING = "reading"
    ASKING = "asking"
    ANSWERED = "answered"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Texts:
    """What a beat says now; `""` where it says nothing. Prose may hold `**bold**`; an empty line begins a paragraph."""

    title: str
    say: str = ""
    ask: str = ""
    choices: tuple[Choice, ...] = ()  # choices, things to be ordered, components
    rules: tuple[Choice, ...] = ()  # of a find: the rules, by number
    wanted: str = ""
    hints: tuple[str, ...] = ()
    outcome: Outcome | None = None
    why: str = ""
    leaves_out: str = ""
    back: str = ""
