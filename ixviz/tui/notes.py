"""The lecturer's second screen as lines: the notes, what comes next, the clock, and the presenter's own frame.

Invariant: exactly `height` lines of `width` cells; the picture is present.compose at the presenter's size, uncut when
there is room for it.
"""

from __future__ import annotations

from typing import Any

from ixviz.draw import prose, rule
from ixviz.draw.cells import Content, Line, Lines, Span, fit, hjoin, line, sides
from ixviz.draw.rule import Key, footer

from . import present as presenting
from .frame import LEAST_HEIGHT, LEAST_WIDTH, Frame
from .lesson_panel import paragraphs
from .notes_state import Notes
from .pace import minutes

_BESIDE = 32  # cells for the notes beside the picture, at least
_ABOVE = 9  # lines for the notes above it, at least
_LABEL = 10


def compose(notes: Notes, width: int, height: int) -> Frame:
    """The frame for a screen of `width` × `height` cells."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return presenting.compose(notes.present, width, height)
    if not notes.followed:
        return Frame([*_filled(_waiting(notes, width), width, height - 1), _foot(notes, width)], [])
    w, h = notes.present.size
    shown = presenting.compose(notes.present, w, h).lines
    head, room = _head(notes, width), height - 2
    if notes.picture_only:
        return Frame([head, *_filled(shown, width, room), _foot(notes, width)], [])
    if width >= w + 1 + _BESIDE:
        side = width - w - 1
        below = [fit("", w), *_next(notes, w)] if room > h + 4 else []
        told = _told(notes, side - 1) + ([] if below else [fit("", side - 1), *_next(notes, side - 1)])
        left: list[Content] = [*shown, *below]
        right: list[Content] = [(Span(" "), *row) for row in _scrolled(notes, told, room)]
        blank: list[Content] = [""]
        columns = [[*rows, *blank * room][:room] for rows in (left, right)]
        return Frame([head, *hjoin(columns, [line(Span("│", "dim"))], [w, side]), _foot(notes, width)], [])
    told = [*_told(notes, width), fit("", width), *_next(notes, width)]
    above = min(max(room - 1 - h, _ABOVE), room - 3)
    title = rule.rule(width, "The class sees", "" if room - above - 1 >= h and width >= w else "tab: all of it")
    told = _scrolled(notes, told, above)
    return Frame(
        [head, *_filled(told, width, above), title, *_filled(shown, width, room - above - 1), _foot(notes, width)], []
    )


def _scrolled(notes: Notes, rows: Lines, height: int) -> Lines:
    """The part of a longer text that ↑ and ↓ have chosen."""
    notes.more = len(rows) > height
    notes.scroll = min(notes.scroll, max(len(rows) - height, 0))
    return rows[notes.scroll :]


def _filled(rows: Lines, width: int, height: int) -> Lines:
    return [fit(row, width) for row in rows[:height]] + [fit("", width)] * (height - len(rows))


def _head(notes: Notes, width: int) -> Line:
    """`Notes · What came meanwhile      3 of 9    4:10 of 10:00    on time`."""
    present = notes.present
    pace, session = present.pace(), present.session
    over = present.page == "over"
    title = session.lesson.title if over or present.sizing else session.beat.title
    where = "the end" if over else f"{session.index + 1} of {len(session.beats)}"
    state = Span("not begun" if present.sizing else pace.state, "warn" if pace.state.startswith("behind") else "")
    return sides(line(Span("Notes · "), Span(title, "title")), (Span(f"{where}    {pace}    "), state), width)


def _told(notes: Notes, width: int) -> Lines:
    """Notes, votes, what to skip."""
    present = notes.present
    beat = present.session.beat
    rows: Lines = []
    for text in (_gone(notes), notes.other, "" if notes.same() or notes.why else "following …"):
        rows += [*prose.prose(text, width, style="warn"), fit("", width)] if text else []
    if present.page == "over":
        return rows
    if present.sizing:
        rows += [*prose.prose("Before the first beat: the frame to size the font by.", width), fit("", width)]
    rows += prose.prose(paragraphs(beat.notes), width) if beat.notes else [fit((Span("no notes", "dim"),), width)]
    for label, text in (("votes", _votes(notes)), ("late", present.advice()), ("left out", _left_out(notes))):
        rows += [fit("", width), *_labelled(label, text, width)] if text else []
    return rows


def _left_out(notes: Notes) -> str:
    """What the model lacks, which the class's screen may have no room for."""
    present = notes.present
    return "" if present.lesson.asking or present.sizing else paragraphs(present.session.beat.leaves_out)


def _labelled(label: str, text: str, width: int, style: str = "") -> Lines:
    body = prose.prose(text, max(width - _LABEL, 10), style=style)
    return [fit((Span(f"{label if not i else '':<{_LABEL}}", "title"), *row), width) for i, row in enumerate(body)]


def _votes(notes: Notes) -> str:
    """Typed, counted, shown: as the class does not see them yet."""
    present = notes.present
    votes = [" ".join(map(str, counts)) for counts in present.votes.of(present.session.beat.id) if counts]
    parts = [f"{name} {counts}" for name, counts in zip(("first", "second"), votes, strict=False)]
    text = ", ".join(parts) if len(parts) > 1 else votes[0] if votes else ""
    if text and not present.shown:
        text += " (t shows them to the class)"
    if present.typed is not None:
        text = f"{text}{'; ' if text else ''}typing {present.typed}"
    return text


def _next(notes: Notes, width: int) -> Lines:
    """What PgDn leads to: the answer; the next beat's title, its minutes, its question."""
    present = notes.present
    beats, index = present.session.beats, present.number()
    rows: Lines = []
    if present.sizing:
        index -= 1
        rows += _labelled("PgDn", "begins and starts the clock", width)
    elif present.lesson.asking:
        rows += _labelled("PgDn", "reveals the answer", width)
    if index + 1 >= len(beats):
        return [*rows, *_labelled("next", "the end" if index < len(beats) else "nothing, that was all", width)]
    beat = beats[index + 1]
    rows += _labelled("next", f"**{beat.title}**, {minutes(beat.minutes)}", width)
    ask = getattr(beat.action, "ask", None)
    return [*rows, *_labelled("", asked(paragraphs(ask.text)), width)] if ask is not None else rows


def asked(text: str) -> str:
    """A question before its values are known: `…` stands for each."""
    out, depth, at = "", 0, 0
    while at < len(text):
        if not depth and text.startswith("$(", at):
            out, depth, at = f"{out}…", 1, at + 2
            continue
        if depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
        else:
            out += text[at]
        at += 1
    return out


def _gone(notes: Notes) -> str:
    return "The presenter is gone. These notes go on when it is back." if notes.why else ""


def _waiting(notes: Notes, width: int) -> Lines:
    """No presenter has been heard yet."""
    lesson: Any = notes.present.session.lesson
    rows: Lines = [sides(line(Span(f"Notes · {lesson.title}", "title")), "", width), fit("", width)]
    stale = notes.why == "stale"
    told = "No presenter is running" + (": the last one was not ended properly." if stale else ".")
    path = lesson.path
    target = (path.parent if path.name == "lesson.yaml" else path) if path is not None else "LESSON"
    rows += prose.prose(told, width, style="bold")
    rows += [*prose.prose(f"Start it in another terminal: ixviz {target} --present", width), fit("", width)]
    rows += prose.prose("These notes follow it as soon as it is there.", width)
    if notes.other:
        rows += prose.prose(notes.other, width, style="warn")
    return rows


def _foot(notes: Notes, width: int) -> Line:
    keys = [Key("T", "dark or light", 1), Key("q", "leave", 9)]
    if notes.followed:
        keys.insert(0, Key("tab", "notes and picture" if notes.picture_only else "picture only", 5))
        if notes.more and not notes.picture_only:
            keys.insert(1, Key(notes.present.state.keys("↑ ↓"), "more notes", 6))
    return footer(keys, width)
