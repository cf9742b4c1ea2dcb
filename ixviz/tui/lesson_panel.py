"""The Lesson tab: what is said, the question and its choices, what you said, what it was, why.

Invariant: its text comes from Session.texts, which holds nothing after the stop while a question is open.
"""

from __future__ import annotations

import re
from typing import Any

from ixviz.draw import prose
from ixviz.draw.cells import Line, Lines, Span, fit, hjoin
from ixviz.draw.cells import width as cells

from .lesson_state import LessonState
from .state import State

_LABEL = 10
_LEAST_RULE = 24  # cells a rule of a find needs beside the parts
_WALK = "← and → walk back and forth; - makes the steps smaller, + larger. ↵ goes on."
_WORDS = {"task": "TASK", "find": "FIND"}  # before what is asked; PREDICT before all other questions


def lesson(state: State, width: int, height: int) -> Lines:
    """The tab, `height` lines, scrolled when the text is longer."""
    from .panels import scrolled

    return scrolled(state, text(state, width, height), width, height)


def text(state: State, width: int, height: int) -> Lines:
    """All lines of the tab, with as little between them as `height` lines ask for."""
    own: LessonState = state.lesson
    if own.over:
        return _end(own, width)
    texts = own.texts()
    if texts is None:
        return [] if own.broken else [fit((Span("simulating …", "dim"),), width)]
    rows: Lines = []
    back: Lines = []
    if own.asking:
        if own.session.review:
            rows.append(fit((Span("Once more: this one was missed.", "dim"),), width))
        rows += _said(texts.say, width)
        rows += [fit("", width)] if rows else []
        rows += _question(state, texts, width)
    elif texts.outcome is not None:
        rows += _outcome(texts, width)
        if own.shows is not None:
            rows += [fit("", width), *_shows(own.shows, width)]
        back = prose.prose(texts.back, width, style="dim") if texts.back else []
        rows += [fit("", width), *back] if back else []
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
    if len(rows) > height and (own.asking or texts.outcome is not None):  # rather the text than the room between
        rows = [r for r in rows if any(s.text.strip() for s in r)]
    if len(rows) > height and back:  # it is seen then that it comes back
        rows = [r for r in rows if r not in back]
    if len(rows) > height and own.asking and (texts.hints or own.said):  # what was read before makes room for the news
        rows = _question(state, texts, width)
    return rows


def paragraphs(text: str) -> str:
    """The lesson language's text: a blank line divides, a line break is a space."""
    return "\n\n".join(re.sub(r"\s*\n\s*", " ", part.strip()) for part in re.split(r"\n\s*\n", text.strip()))


def _said(text: str, width: int) -> Lines:
    return prose.prose(paragraphs(text), width) if text.strip() else []


def _labelled(label: str, text: str, width: int, style: str = "") -> Lines:
    """`WHY       Batch 2 took …`, hanging below the text."""
    body = prose.prose(paragraphs(text), max(width - _LABEL, 10), style=style)
    return [fit((Span(f"{label if not i else '':<{_LABEL}}", "title"), *row), width) for i, row in enumerate(body)]


def _question(state: State, texts: Any, width: int) -> Lines:
    own: LessonState = state.lesson
    kind = own.session.action
    rows = _labelled(_WORDS.get(kind, "PREDICT"), texts.ask, width)
    if kind == "order":
        rows += _order(own, texts, width)
    elif kind == "find":
        rows += _find(own, texts, width)
    elif texts.choices:
        rows += prose.choices(_pairs(texts.choices), own.chosen, width, indent=6)
    else:
        typed = (Span(own.typed, "choice"), Span("█", "now"), Span(f"   {texts.wanted}", "dim"))
        rows.append(fit((Span(" " * _LABEL), *typed), width))
    for i, hint in enumerate(texts.hints):
        rows += _labelled("HINT" if not i else "", hint, width)
    if own.said:
        rows += _labelled(own.label, state.keys(own.said), width)
    if own.preparing and not own.broken:
        rows.append(fit((Span(f"{'':<{_LABEL}}simulating …", "dim"),), width))
    return rows


def _pairs(choices: Any) -> list[tuple[str, str]]:
    return [(choice.letter, choice.text) for choice in choices]


def _order(own: LessonState, texts: Any, width: int) -> Lines:
    """The things, each with its place if it has one, and `1 c   2 a   3 _` below."""
    signs = {i: str(own.typed.index(c.letter) + 1) for i, c in enumerate(texts.choices) if c.letter in own.typed}
    rows = prose.choices(_pairs(texts.choices), None, width, indent=6, signs=signs)
    places: list[Span] = []
    for i in range(len(texts.choices)):
        letter = own.typed[i : i + 1]
        places += [Span(f"{i + 1} ", "dim"), Span(letter or "_", "choice" if letter else "dim"), Span("   ")]
    return [*rows, fit((Span(" " * _LABEL), *places), width)]


def _find(own: LessonState, texts: Any, width: int) -> Lines:
    """The parts beside the rules; below each other where that is too narrow."""
    room = 12 + max(cells(choice.text) for choice in texts.choices) + 3
    if width - room < _LEAST_RULE:
        parts = prose.choices(_pairs(texts.choices), own.chosen, width, indent=6)
        return [*parts, *prose.choices(_pairs(texts.rules), own.rule, width, indent=6)]
    parts = prose.choices(_pairs(texts.choices), own.chosen, room, indent=6)
    rules = prose.choices(_pairs(texts.rules), own.rule, width - room, indent=0)
    return hjoin([parts, rules], "", [room, width - room])


def _shows(shows: tuple[int, str], width: int) -> Lines:
    """`w  shows event 27: core 0 polls and takes 6 packets`."""
    text = prose.prose(f"shows event {shows[0]:,}: {shows[1]}", max(width - _LABEL - 3, 10))
    head: Line = (Span(" " * _LABEL), Span("w  ", "key"))
    return [fit((*(head if not i else (Span(" " * (_LABEL + 3)),)), *row), width) for i, row in enumerate(text)]


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
