"""The whole screen as lines, and what a click on each place means.

Invariant: exactly `height` lines of `width` cells for every size from 1×1 up; the same state gives the same frame.
"""

from __future__ import annotations

from ixviz.draw import rule
from ixviz.draw.cells import Line, Lines, Span, fit, line, sides
from ixviz.draw.cells import width as cells
from ixviz.draw.numbers import clock, count

from .footer import footer_line
from .help import help_lines
from .hits import Frame, Hit
from .panels import panel
from .picture import kept, lanes, machine, stage
from .state import NOT_YET, State
from .work import SPEED_WORDS

LEAST_WIDTH, LEAST_HEIGHT = 40, 12
WIDE_WIDTH, WIDE_HEIGHT = 110, 30
WAIT = 0.02  # seconds to wait for a thread that records, before the machine is drawn as it was
FIRST_WAIT = 0.3  # the same where it was never drawn


def compose(state: State, width: int, height: int) -> Frame:
    """The frame for a screen of `width` × `height` cells. While a thread records the machine it stays as it was."""
    place = (id(state.branch.sim), state.branch.at)
    with state.reading(WAIT if state.drawn == place else FIRST_WAIT):
        state.drawn = place
        return _composed(state, width, height)


def _composed(state: State, width: int, height: int) -> Frame:
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        text = f"needs {LEAST_WIDTH} × {LEAST_HEIGHT}, this is {width} × {height}"
        text = f"ixviz {text}" if len(text) + 6 <= width else text
        return Frame([fit(text, width), *[fit("", width)] * (height - 1)][: max(height, 0)], [])
    if state.help:
        return Frame(help_lines(state, width, height), [])
    hits: list[Hit] = []
    over = state.lesson is not None and state.lesson.over
    made = _wide if width >= WIDE_WIDTH and height >= WIDE_HEIGHT and not over else _narrow
    lines = made(state, width, height - 2, hits)
    lines = _filled(lines, width, height - 2)
    lines += [_message(state, width), footer_line(state, width)]
    return Frame(lines, hits)


def _title(state: State, width: int, right: str) -> Line:
    lesson = state.lesson
    title = lesson.title() if lesson is not None else state.title
    right = (lesson.score() if lesson is not None else "") or right
    room = width - cells(right) - 2 if right else width
    return sides(fit((Span(title, "title"),), min(cells(title), max(room, 20))), line(right), width)


def _status(state: State, width: int, right: str) -> Line:
    branch = state.branch
    if state.lesson is not None and state.lesson.over:
        return fit("", width)
    parts: list[Span] = [Span(f"t {clock(branch.now)}   event {count(branch.at)}   ")]
    words = state.status()
    if _figures(state) and branch.sim.until:
        parts, words = [Span(f"t {clock(branch.sim.until)}   ")], "the whole run"
    style = "here" if state.playing else "warn" if state.place else "mark" if state.job is not None else ""
    parts += [Span(words, style), Span(f"   step: {state.step_name}")]
    name = f"{branch.name}: {branch.picture.heading}"
    if not state.playing and width >= WIDE_WIDTH:
        parts.append(Span(f"   speed: {SPEED_WORDS[state.speed]}"))
    left = sum(cells(p.text) for p in parts)
    for candidate in (right or name, branch.picture.heading):
        if left + 2 + cells(candidate) <= width:
            return sides(tuple(parts), candidate, width)
    return fit(tuple(parts), width)


def _message(state: State, width: int) -> Line:
    """The rule above the keys: what a key has just led to, else the present event in words."""
    if state.prompt is not None and state.prompt.error:
        return rule.rule(width, state.prompt.error)
    if state.message:
        return rule.rule(width, state.message)
    branch = state.branch
    if state.tab == "Now" or state.busy or _figures(state) or (state.lesson is not None and state.lesson.over):
        return rule.rule(width)
    return rule.rule(width, branch.picture.words(branch.moment, branch.at))


def _figures(state: State) -> bool:
    return state.lesson is not None and state.lesson.figures(state)


def _tabs_hits(state: State, y: int, x: int, width: int, fill: str, hits: list[Hit]) -> Line:
    noun = state.branch.picture.noun.capitalize()
    names, at = [noun if tab == "Packet" else tab for tab in state.tabs], state.tabs.index(state.tab)
    if fill == " ":  # beside the machine room is short: one space between two
        spans = [Span(f"[{n}] " if i == at else f"{n} ", "choice" if i == at else "") for i, n in enumerate(names)]
        drawn = fit(tuple(spans), width)
    else:
        drawn = rule.tabs(names, at, width, "tab: next", fill)
    left = x
    for span in drawn:
        name = span.text.strip(" []")
        if name in names:
            tab = state.tabs[names.index(name)]
            hits.append(Hit(y, y + 1, left, left + cells(span.text), "tab", tab))
        left += cells(span.text)
    return drawn


def _narrow(state: State, width: int, height: int, hits: list[Hit]) -> Lines:
    """One column: status, machine, lanes, panel (sketches A, B, I)."""
    state.wide = False
    branch = state.branch
    heading = f"{branch.name}: {branch.picture.heading}"
    out = [
        _title(state, width, "" if state.lesson is not None else branch.name),
        _status(state, width, heading if width >= 70 else ""),
    ]
    body = height - 2
    cores = branch.picture.cores
    lesson = state.lesson
    least = 4 if body < 14 else 7 if body < 18 else 6 if lesson is None and cores > 1 else 9
    # Figures of a whole run, two runs, the end: no lanes of one moment below them.
    two = lesson is not None and not state.everything and lesson.compare() is not None
    alone = two or _figures(state) or (lesson is not None and lesson.over)
    lanes_room = 4 if body - least >= 8 and 3 * cores + 1 <= body - least - 3 - cores and not alone else 0
    lines = stage(state, width, body - least - (0 if alone else 4))
    if lines is None:
        lines = machine(state, width, max(body - least - lanes_room, 3), False, 2, hits)
    room = body - least - len(lines)
    out += lines
    if room >= 3 + min(cores, 3) and not alone:
        out += lanes(state, width, min(cores, room - 3), len(out), hits)
    out.append(_tabs_hits(state, len(out), 0, width, "─", hits))
    rest = height - len(out)
    hits.append(Hit(len(out), height, 0, width, "panel"))
    return out + panel(state, width, rest)


def _filled(rows: Lines, width: int, height: int) -> Lines:
    """Lines of that width, cut or filled with blank ones to just `height`."""
    return (rows + [fit("", width)] * (height - len(rows)))[:height]


def _wide(state: State, width: int, height: int, hits: list[Hit]) -> Lines:
    """Two columns above, lanes below (sketch H)."""
    state.wide = True
    left = width * 63 // 120
    right = width - left - 2
    branch = state.branch
    cores = branch.picture.cores
    heading = f"{branch.name}: {branch.picture.heading}"
    out = [
        _title(state, width, heading if state.lesson is None else ""),
        _status(state, width, heading if state.lesson is not None else " "),
    ]
    out.append(rule.rule(width, joints={left: "┬"}))
    lesson = state.lesson
    compare = lesson is not None and not state.everything and lesson.compare() is not None
    rows = min(cores, max((height - 20) // 2, 1))
    below_hits: list[Hit] = []
    if compare:
        below = kept(state, ("compare", width), lambda: lesson.compare_lines(state, width, 12), [])
    elif _figures(state):
        below = []
    else:
        below = lanes(state, width, rows, 0, below_hits)
        blank = fit("", width)
        levels = kept(
            state, ("levels", width), lambda: branch.picture.levels(branch.moment, width, state.core_shown()), blank
        )
        below += [blank, levels]
    room = height - len(out) - len(below) - 1
    y = len(out)
    chart = stage(state, left - 1, room) if not compare else None
    picture = [fit(row, left) for row in chart] if chart is not None else machine(state, left, room, True, y, hits)
    tabs = _tabs_hits(state, y, left + 2, right, " ", hits)
    hits.append(Hit(y + 2, y + room, left + 2, width, "panel"))
    side = [tabs, fit("", right), *panel(state, right, room - 2)]
    between = line(Span("│", "dim"), " ")
    columns = zip(_filled(picture, left, room), _filled(side, right, room), strict=True)
    out += [(*a, *between, *b) for a, b in columns]  # not hjoin: both have their width, measured once
    out.append(rule.rule(width, joints={left: "┴"}))
    hits += [hit._replace(y0=hit.y0 + len(out), y1=hit.y1 + len(out)) for hit in below_hits]
    return out + below


__all__ = ["NOT_YET", "Frame", "Hit", "compose"]
