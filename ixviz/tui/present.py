"""A presenter's screen as lines: what the beat's `look` marks, what is said, the question, the votes, and a clock.

Invariant: exactly `height` lines of `width` cells; nothing here depends on what comes after the stop of an open
question; the same state gives the same frame, at the presenter's and in the notes.
"""

from __future__ import annotations

from ixviz.draw import rule
from ixviz.draw.cells import Line, Lines, Span, fit, line, sides
from ixviz.draw.rule import Key, footer

from .frame import LEAST_HEIGHT, LEAST_WIDTH, WAIT, Frame
from .pace import minutes
from .present_blocks import Block, blocks, end, simulating
from .present_keys import KEYS
from .present_picture import best, least, picture
from .present_state import Present

INNER = 100  # cells of a text at most: wider ones are hard to read from afar
FRAME_WIDTH, FRAME_HEIGHT = 80, 24


def compose(present: Present, width: int, height: int) -> Frame:
    """The frame for a screen of `width` × `height` cells. While a thread records the machine it stays as it was."""
    with present.state.reading(WAIT):
        return _composed(present, width, height)


def _composed(present: Present, width: int, height: int) -> Frame:
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        text = f"needs {LEAST_WIDTH} × {LEAST_HEIGHT}, this is {width} × {height}"
        return Frame([fit(text, width), *[fit("", width)] * (height - 1)][: max(height, 0)], [])
    if present.blank:
        return Frame([fit("", width)] * height, [])
    if present.help:
        return Frame(_help(present, width, height), [])
    if present.page == "size":
        return Frame(_size(present, width, height), [])
    inner = min(width, INNER)
    body = _body(present, inner, height - 4)
    margin = (Span(" " * ((width - inner) // 2)),) if width > inner else ()
    lines = [_head(present, width), fit("", width), *(fit((*margin, *row), width) for row in body)]
    lines = (lines + [fit("", width)] * height)[: height - 2]
    return Frame([*lines, rule.rule(width, present.state.keys(present.message)), _foot(present, width)], [])


def _head(present: Present, width: int) -> Line:
    """`What came meanwhile      3 of 9    4:10 of 10:00    on time`."""
    session, pace = present.session, present.pace()
    over = present.page == "over"
    where = "the end" if over else f"{session.index + 1} of {len(session.beats)}"
    title = session.lesson.title if over else session.beat.title
    style = "warn" if pace.state.startswith("behind") else ""
    right = (Span(f"{where}    {pace}    "), Span(pace.state, style))
    return sides(line(Span(title, "title")), right, width)


def _body(present: Present, width: int, height: int) -> Lines:
    """Picture and texts on `height` lines, with as much room between them as there is."""
    if present.page == "over":
        return end(present, width)[:height]
    texts = present.lesson.texts()
    said = blocks(present, texts, width) if texts is not None else [simulating(width)]
    wanted = least(present)
    fitted = _fitted(said, wanted, height)
    if texts is not None and present.answered and fitted[2] < best(present):  # the picture needs the wrong ones' room
        fitted = _fitted(blocks(present, texts, width, short=True), wanted, height)
    said, gap, room = fitted
    drawn = picture(present, width, room) if room > 0 else []
    rows = [*drawn]
    spare = height - len(rows) - sum(len(block.lines) for block in said) - gap * (len(said) - (not rows))
    for block in said:
        rows += [fit("", width)] * (gap if rows else 0)
        more = len(block.lines) - 1
        if block.spread and spare >= more + gap:  # room between the choices
            rows += [row for each in block.lines for row in (each, fit("", width))][:-1]
            spare -= more
        else:
            rows += block.lines
    present.scroll = min(present.scroll, max(len(rows) - height, 0))
    return rows[present.scroll : present.scroll + height]


def _fitted(said: list[Block], wanted: int, height: int) -> tuple[list[Block], int, int]:
    """The blocks that are shown, the lines between two of them, and those that are left for the picture above.

    Room goes first to the texts, then to a picture that says something, then between them, then to what is optional.
    """
    needed = [block for block in said if not block.optional]
    for shown, gap, more in ((said, 2, 4), (said, 1, 0), (needed, 1, 0), (needed, 0, 0)):
        room = height - sum(len(block.lines) for block in shown) - gap * len(shown)
        if room >= wanted + more:
            return shown, gap, room
    return needed, 0, room if room >= 3 else 0


def _foot(present: Present, width: int) -> Line:
    if present.typed is not None:
        return _typing(present, width)
    if present.page == "over":
        keys = [Key("PgUp", "back", 3), Key(".", "blank", 1), Key("q", "leave", 5)]
    elif present.lesson.asking:
        counts = [Key("0-9", "type counts", 4)] if present.choices() else []
        if present.counts():
            again = len(present.votes.of(present.session.beat.id)) < 2
            counts = [Key("t", "counts on/off", 6), *([Key("v", "vote again", 5)] if again else [])]
        keys = [Key("PgDn", "reveal", 9), *counts, Key("PgUp", "back", 3), Key(".", "blank", 2), Key("q", "leave", 8)]
    else:
        playing = "pause" if present.state.playing else "play"
        steps = [] if present.lesson.figures(present.state) else [Key("← →", "step", 5), Key("space", playing, 4)]
        counts = [Key("t", "counts on/off", 6)] if present.counts() else []
        keys = [Key("PgDn", "next", 9), *counts, *steps, Key("PgUp", "back", 3), Key(".", "blank", 2),
                Key("?", "help", 1), Key("q", "leave", 8)]  # fmt: skip
    return footer([key._replace(key=present.state.keys(key.key)) for key in keys], width)


def _typing(present: Present, width: int) -> Line:
    """The line of counts: as long as the class may not see them, only the one being typed is readable."""
    typed, wanted = present.typed or "", present.choices()
    words = typed.split()
    done = len(words) if typed.endswith(" ") else len(words) - 1
    if not present.shown:
        words = [*["**"] * done, *words[done:]]
    text = " ".join(words) + (" " if typed.endswith(" ") else "")
    head = f"counts of a to {'abcdef'[wanted - 1]}: "
    tail = present.state.keys(f"   {len(typed.split())} of {wanted}   ↵ keeps, esc drops")
    return fit((Span(head, "key"), Span(text, "choice"), Span("█", "now"), Span(tail, "dim")), width)


def _help(present: Present, width: int, height: int) -> Lines:
    rows: Lines = [rule.rule(width, "Presenting", "any key goes back")]
    keys, named = present.state.keys, present.state.branch.named
    rows += [fit((Span(f"{keys(k.shown):>11}  ", "key"), Span(keys(named(k.help)))), width) for k in KEYS]
    return (rows + [fit("", width)] * height)[:height]


# ------------------------------------------------------------------------------------------- the first page
def _size(present: Present, width: int, height: int) -> Lines:
    """A frame of exactly 80 × 24 cells, to size the font by."""
    w, h = min(width, FRAME_WIDTH), min(height, FRAME_HEIGHT)
    session, keys = present.session, present.state.keys
    if (width, height) == (FRAME_WIDTH, FRAME_HEIGHT):
        now = "It fits: 80 × 24."
    elif width < FRAME_WIDTH or height < FRAME_HEIGHT:
        now = f"Too large: here are only {width} × {height} cells. Make it smaller (Ctrl -)."
    else:
        now = f"Here are {width} × {height} cells, wanted are 80 × 24."
    count = len(session.beats)
    about = f"{count} {'beat' if count == 1 else 'beats'}, {minutes(present.pace().total / 60)}"
    begins = "PgDn begins" if not present.first else f"PgDn begins, with: {session.beat.title}"
    texts: list[tuple[str, str]] = [
        (session.lesson.title, "title"),
        (about, ""),
        ("", ""),
        ("Enlarge the font until this frame just fits (Ctrl +).", "bold"),
        (now, "good" if now.startswith("It") else ""),
        ("", ""),
        (f"{begins} and starts the clock.", "bold"),
        ("", ""),
        ("T dark or light   ? keys   q leave", "dim"),
    ]
    if present.message:
        texts += [("", ""), (present.message, "warn")]
    top = max((h - len(texts)) // 2, 1)
    rows: Lines = []
    for y in range(h):
        last = y == FRAME_HEIGHT - 1
        left, fill, right = ("┌", "─", "┐") if not y else ("└", "─", "┘") if last else ("│", " ", "│")
        text, style = texts[y - top] if 0 <= y - top < len(texts) and y and not last else ("", "")
        if w < FRAME_WIDTH:
            right = ""
        inner = fit((Span(keys(text), style),), w - 1 - len(right), align="^")
        if not text:
            inner = (Span(fill * (w - 1 - len(right)), "dim"),)
        rows.append(fit((Span(left, "dim"), *inner, Span(right, "dim")), width))
    return (rows + [fit("", width)] * height)[:height]
