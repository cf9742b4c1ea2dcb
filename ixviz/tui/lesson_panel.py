"""The Lesson tab: what is said, the question and its choices, what you said, what it was, why.

Invariant: its text comes from Session.texts, which holds nothing after the stop while a question is open.
"""

from __future__ import annotations

import re
from typing import Any

from ixviz.draw import prose
from ixviz.draw.cells import Lines, Span, fit

from .lesson_state import LessonState
from .state import State

_LABEL = 10
_WALK = "← and → walk back and forth; - makes the steps smaller, + larger. ↵ goes on."


def lesson(state: State, width: int, height: int) -> Lines:
    """The tab, `height` lines, scrolled when the text is longer."""
    from .panels import scrolled

    own: LessonState = state.lesson
    if own.over:
        return scrolled(state, _end(own, width), width, height)
    texts = own.texts()
    if texts is None:
        return [fit((Span("simulating …", "dim"),), width)]
    rows: Lines = []
    if own.asking:
        if own.session.review:
            rows.append(fit((Span("Once more: this one was missed.", "dim"),), width))
        rows += _said(texts.say, width)
        rows += [fit("", width)] if rows else []
        rows += _question(own, texts, width)
        if len(rows) > height:  # rather the question than the room between
            rows = [r for r in rows if any(s.text.strip() for s in r)]
    elif texts.outcome is not None:
        rows += _outcome(texts, width)
        if len(rows) + 2 + len(_said(texts.say, width)) <= height - 6 and width < 70:
            rows = [*_said(texts.say, width), fit("", width), *rows]
    else:
        rows += _said(texts.say, width)
        if texts.why:
            rows += [fit("", width), *_said(texts.why, width)]
        if not own.figures(state):
            rows += [fit("", width), *prose.prose(state.keys(_WALK), width, style="dim")]
    if not own.asking and texts.leaves_out:
        rows += [fit("", width), *_labelled("LEFT OUT", texts.leaves_out, width, "dim")]
    return scrolled(state, rows, width, height)


def paragraphs(text: str) -> str:
    """The lesson language's text: a blank line divides, a line break is a space."""
    return "\n\n".join(re.sub(r"\s*\n\s*", " ", part.strip()) for part in re.split(r"\n\s*\n", text.strip()))


def _said(text: str, width: int) -> Lines:
    return prose.prose(paragraphs(text), width) if text.strip() else []


def _labelled(label: str, text: str, width: int, style: str = "") -> Lines:
    """`WHY       Batch 2 took …`, hanging below the text."""
    body = prose.prose(paragraphs(text), max(width - _LABEL, 10), style=style)
    return [fit((Span(f"{label if not i else '':<{_LABEL}}", "title"), *row), width) for i, row in enumerate(body)]


def _question(own: LessonState, texts: Any, width: int) -> Lines:
    rows = _labelled("TASK" if own.session.action == "task" else "PREDICT", texts.ask, width)
    if texts.choices:
        rows += prose.choices([(c.letter, c.text) for c in texts.choices], own.chosen, width, indent=6)
    else:
        rows.append(
            fit(
                (
                    Span(f"{'':<{_LABEL}}"),
                    Span(own.typed, "choice"),
                    Span("█", "now"),
                    Span(f"   {texts.wanted}", "dim"),
                ),
                width,
            )
        )
    for i, hint in enumerate(texts.hints):
        rows += _labelled("HINT" if not i else "", hint, width)
    if own.said:
        rows += _labelled("", own.said, width)
    if own.preparing:
        rows.append(fit((Span(f"{'':<{_LABEL}}simulating …", "dim"),), width))
    return rows


def _outcome(texts: Any, width: int) -> Lines:
    out = texts.outcome
    said = f"{out.said_letter}  {out.said}".strip() if out.said_letter else out.said
    was = f"{out.was_letter}  {out.was}".strip() if out.was_letter else out.was
    rows: Lines = []
    if out.kind == "right":
        rows += _labelled("RIGHT", f"**{was or said}**", width)
    else:
        rows += _labelled("YOU SAID", said, width) if said else [fit((Span("SKIPPED", "title"),), width)]
        if out.message:
            rows += _labelled("", out.message, width)
        if was:
            rows += _labelled("IT WAS", f"**{was}**", width)
    rows.append(fit("", width))
    if texts.why:
        rows += _labelled("WHY", texts.why, width)
    if texts.back:
        rows += [fit("", width), *prose.prose(texts.back, width, style="dim")]
    return rows


def _end(own: LessonState, width: int) -> Lines:
    session = own.session
    rows: Lines = [fit((Span("That was the lesson.", "bold"),), width), fit("", width)]
    if own.score():
        rows += [fit(own.score(), width), fit("", width)]
    wrong = list(session.wrong)
    if wrong:
        rows.append(fit("To look at again:", width))
        rows += [fit((Span("  × ", "bad"), Span(beat.title)), width) for beat in wrong]
    rows += [fit("", width), fit("PgUp goes back through the beats, q leaves.", width)]
    return rows
