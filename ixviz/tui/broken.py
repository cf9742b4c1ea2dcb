"""What is wrong with a file that was saved while it is open, over the panel.

Invariant: texts from files are shown as they are, never as markup, and leave half of the panel to what is below.
"""

from __future__ import annotations

import textwrap

from ixviz.draw import rule
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import count
from ixviz.scenario.messages import escape

from .state import State


def broken(state: State, width: int, height: int) -> Lines:
    """What is wrong with the file that was saved last, at most half of the panel; its texts as they are."""
    own = state.lesson.broken if state.lesson is not None else ""
    messages = state.broken or (own,)
    rows: Lines = []
    room = max(height // 2 - 2, 1)
    for i, message in enumerate(messages):
        lines = textwrap.wrap(escape(message), max(width, 4), subsequent_indent="  ", break_on_hyphens=False)
        left = room - len(rows) - (i + 1 < len(messages))  # the last line says how many more there are
        if len(lines) > left and rows:
            rows.append(fit((Span(f"… and {count(len(messages) - i)} more", "dim"),), width))
            break
        rows += [fit((Span(line, "warn"),), width) for line in lines[:room]]
    title = "this beat is broken"
    if state.broken:
        title = "the file is broken; this is as it was before"
    elif "was passed by" in own:
        title = "a beat is broken"
    return [rule.rule(width, title), *rows, rule.rule(width)]
