"""The texts of a presenter's screen: what is said, the question, its choices with the votes, the answer, why.

Invariant: a bar stands for the counts typed or read, its length for their share of the largest; nothing is estimated.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ixviz.draw import bar, prose
from ixviz.draw.cells import Line, Lines, Span, fit
from ixviz.draw.cells import width as cells

from .lesson_panel import paragraphs
from .present_state import Present

_LABEL = 10
_HEAD = 5  # cells before a choice's text: the sign of the right one, the letter
_LEAST_BAR, _MOST_BAR = 16, 48
_UNITS = ("ns", "us", "ms", "s", "B", "W", "Hz", "GHz", "MHz", "Gbps", "Mbps")
_WORD = re.compile(r"[A-Za-z]+[?!.,:;]?|[A-Za-z]+(?:-[A-Za-z]+)+[?!.,:;]?")


class Block(NamedTuple):
    """Lines that belong together. `spread`: they may stand apart. `optional`: left out where room is short."""

    lines: Lines
    spread: bool = False
    optional: bool = False


def blocks(present: Present, texts: Any, width: int, short: bool = False) -> list[Block]:
    """All that is said now, from above. `short`: of an answered question only the right choice."""
    made: list[Block] = []
    lesson = present.lesson
    if not present.answered:
        made.append(_said(texts.say, width))
    if lesson.asking or present.answered:
        made.append(Block(prose.prose(headline(paragraphs(texts.ask), width), width, style="title")))
        made += _question(present, texts, width, short)
    if present.answered:
        made.append(_labelled("WHY", texts.why, width))
    elif texts.why:
        made.append(_said(texts.why, width))
    if texts.leaves_out and not lesson.asking:
        made.append(_labelled("LEFT OUT", texts.leaves_out, width, "dim")._replace(optional=True))
    return [block for block in made if block.lines]


def simulating(width: int) -> Block:
    return Block([fit((Span("simulating …", "dim"),), width)])


def headline(text: str, width: int) -> str:
    """A question of one line in capitals, but for what would change its meaning: units, names, signs."""
    if cells(text) > width:
        return text
    words = text.replace("**", "").split(" ")
    return " ".join(
        word.upper() if _WORD.fullmatch(word) and not (i and word.rstrip("?!.,:;") in _UNITS) else word
        for i, word in enumerate(words)
    )


def _said(text: str, width: int) -> Block:
    return Block(prose.prose(paragraphs(text), width) if text.strip() else [])


def _labelled(label: str, text: str, width: int, style: str = "") -> Block:
    body = prose.prose(paragraphs(text), max(width - _LABEL, 10), style=style) if text.strip() else []
    return Block(
        [fit((Span(f"{label if not i else '':<{_LABEL}}", "title"), *row), width) for i, row in enumerate(body)]
    )


def _question(present: Present, texts: Any, width: int, short: bool) -> list[Block]:
    outcome = texts.outcome if present.answered else None
    letters = [choice.letter for choice in texts.choices]
    right = outcome.was_letter if outcome is not None and outcome.was_letter in letters else ""
    made: list[Block] = []
    if letters and not (right and short and not present.shown):
        made.append(_choices(present, texts.choices, right, width))
        made.append(_choices(present, texts.rules, "", width) if texts.rules else Block([]))
    elif texts.wanted and outcome is None:
        made.append(Block([fit((Span(f"  {texts.wanted}", "dim"),), width)]))
    if outcome is not None and not (made and right):
        letter = f"{outcome.was_letter}  " if outcome.was_letter else ""
        made.append(_labelled("IT WAS", f"{letter}**{outcome.was}**" if outcome.was else "", width))
        made.append(_labelled("", outcome.message, width))
    if present.choices():
        made.append(_votes(present, width))
    return made


def _choices(present: Present, choices: Any, right: str, width: int) -> Block:
    counts = present.counts() if present.shown else ()
    counts = counts if len(counts) == len(choices) else ()
    texts = [choice.text for choice in choices]
    figures = [f"{count:,}" for count in counts]
    tail = max(map(cells, figures), default=0)
    room = width - _HEAD
    column = room
    if counts:
        column = min(max(map(cells, texts)) + 3, room - _LEAST_BAR - 2 - tail)
    length = min(room - column - 2 - tail, _MOST_BAR)
    rows: Lines = []
    wrapped = False
    for i, choice in enumerate(choices):
        is_right = choice.letter == right
        style = "good" if is_right else ""
        body = prose.prose(choice.text, max(column - (2 if counts else 0), 1), style=style) or [()]
        wrapped = wrapped or len(body) > 1
        head: Line = (
            Span("✓ " if is_right else "  ", "good"),
            Span(choice.letter, "good" if is_right else "key"),
            Span("  "),
        )
        behind: Line = ()
        if counts:
            drawn = bar.bar(counts[i], max(max(counts), 1), length, "good" if is_right else "idle" if right else "busy")
            behind = (*drawn, Span("  "), *fit((Span(figures[i], style),), tail, align=">"))
        rows.append(fit((*head, *fit(body[0], column), *behind), width))
        rows += [fit((Span(" " * _HEAD), *row), width) for row in body[1:]]
    return Block(rows, spread=not wrapped)


def _votes(present: Present, width: int) -> Block:
    """`62 answers, second vote (first: 9 20 11 4 18)`; without counts as long as they are not shown.

    While the question is open its line is kept free, so that nothing moves when the counts are there.
    """
    votes = present.votes.of(present.session.beat.id)
    if not votes:
        return Block([] if present.answered else [fit("", width)])
    total = sum(votes[-1])
    said = [f"{total:,} {'answer' if total == 1 else 'answers'}"] if votes[-1] else []
    said += ["second vote"] if len(votes) == 2 else []
    text = ", ".join(said)
    if len(votes) == 2 and present.shown:
        text += f" (first: {' '.join(f'{count:,}' for count in votes[0])})"
    return Block([fit(text, width)])


def end(present: Present, width: int) -> Lines:
    """Behind the last beat: what should be known now."""
    rows: Lines = [fit((Span("That was the lesson.", "bold"),), width), fit("", width)]
    goals = present.session.lesson.goals
    if goals:
        rows += [fit("You can now:", width), fit("", width)]
    for goal in goals:
        rows += [*prose.prose(f"  {goal}", width, hang=2), fit("", width)]
    return rows
