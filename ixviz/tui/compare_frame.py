"""Composes one frame of a comparison: status, the systems, what differs here in words, keys.

Invariant: exactly `height` lines of exactly `width` cells, at every size.
"""

from __future__ import annotations

from collections.abc import Sequence

from ixviz.compare import now, totals
from ixviz.compare.lockstep import BY_PACKET
from ixviz.compare.run import Run
from ixviz.compare.words import sentence
from ixviz.draw import compare as draw
from ixviz.draw import rule
from ixviz.draw.cells import Content, Line, Lines, Span, fit, line, sides, vjoin
from ixviz.draw.cells import width as cells
from ixviz.draw.numbers import clock, duration
from ixviz.draw.prose import prose
from ixviz.draw.signs import DIFFERS, HERE, SIGNS

from .compare_keys import KEYS, MOUSE
from .compare_state import CompareState
from .footer import GOES, prompt_line
from .help import listed, page
from .hits import Frame, Hit

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
_LOG = 40  # the most events of a run that are listed


def compose(state: CompareState, width: int, height: int) -> Frame:
    """The frame for a screen of `width` × `height` cells."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        text = f"ixviz needs {LEAST_WIDTH} × {LEAST_HEIGHT}, this is {width} × {height}"
        return Frame([fit(text, width), *[fit("", width)] * (height - 1)][: max(height, 0)], [])
    if state.help:
        return Frame(help_lines(state, width, height), [])
    told = _told(state, width, 2 if height < 30 else 3)
    room = height - 4 - len(told)
    systems, events = _systems(state, room)
    spots: list[draw.Spot] = []
    body = draw.compare(systems, width, room, spots)
    hits = [Hit(2 + y, 3 + y, x0, x1, "event", (i, events[i][n])) for y, x0, x1, i, n in spots]
    foot = [rule.rule(width, state.prompt.error if state.prompt and state.prompt.error else state.message), *told]
    return Frame([_title(state, width), _status(state, width), *body, *foot, _footer(state, width)], hits)


def _title(state: CompareState, width: int) -> Line:
    names = " beside ".join(scenario.name for scenario in state.given.scenarios)
    return sides(line(Span(names, "title")), line(Span(state.given.packets, "dim")), width)


def _status(state: CompareState, width: int) -> Line:
    lock = state.lock
    at = now.phase(lock) if lock.align == BY_PACKET else f"t {clock(lock.place.now)}"
    style = "here" if state.playing else "mark" if state.job is not None else ""
    left = (Span(f"{at}   "), Span(state.status(), style), Span(f"   step: {state.size}   aligned by {lock.align}"))
    looks = f"n looks for: {state.wanted}"
    return sides(left, looks if cells(left) + cells(looks) + 2 <= width else "", width)


def _systems(state: CompareState, height: int) -> tuple[list[draw.Side], list[list[int]]]:
    """Each system, and the events that the lines below it stand for."""
    lock, key = state.lock, state.key
    packets, cores = now.packets(lock, key), now.cores(lock)
    rows = totals.here(lock.runs)
    out, events = [], []
    for i, run in enumerate(lock.runs):
        told = [(t.name, totals.written(t.name, t.values[i]), t.differs and t.values[i] is not None) for t in rows]
        right = f"t {clock(run.now)}" if lock.align == BY_PACKET else ""
        heading = run.picture.heading
        if not heading.startswith(run.label):
            heading = f"{run.label}: {heading}"
        words, differs = packets[i]
        if state.followed is not None:
            steps = now.way(run, state.followed)
            below, focus = _way(run, steps)
        else:
            steps = now.events(run, min(height, _LOG))
            below, focus = _log(state, i, steps), -1
        events.append([step.event for step in steps])
        doing = [draw.Core(*each) for each in cores[i]]
        out.append(draw.Side(heading, right, words, differs, doing, told, below, focus))
    return out, events


def _log(state: CompareState, i: int, steps: Sequence[now.Step]) -> list[Content]:
    """The last events of a run; the one that the cursor is at is marked."""
    run, place = state.lock.runs[i], state.lock.place
    out: list[Content] = []
    times = [duration(step.time, 2, _unit(run.now)) for step in steps]
    room = max(map(len, times), default=0)
    for step, written in zip(steps, times, strict=True):
        here = i == place.run and step.event == place.event
        out.append((Span(f"{HERE if here else ' '} {written:>{room}}  ", "here" if here else "dim"),
                    Span(step.words, "here" if here else "")))  # fmt: skip
    return out


def _unit(ps: int) -> str:
    """One unit for all times of a list, in which they differ."""
    return "µs" if ps < 10**10 else "ms"


def _way(run: Run, steps: Sequence[now.Step]) -> tuple[list[Content], int]:
    """The way of the packet that is followed: what has befallen it, and dimmed what is to come; where it is now."""
    out: list[Content] = []
    done = sum(step.event <= run.at for step in steps)
    for n, step in enumerate(steps):
        style = "here" if n == done - 1 else "" if n < done else "idle"
        sign = HERE if n == done - 1 else " "
        after = f"+{duration(step.time, 1, 'µs')}"
        out.append((Span(f"{sign} {after:>10}  ", style or "dim"), Span(step.words, style)))
    return out, max(done - 1, 0)


def _told(state: CompareState, width: int, most: int) -> Lines:
    """What differs at the present event, in words; else what n does."""
    here = state.finder.at()
    if not here:
        run = state.lock.runs[state.lock.place.run]
        event = fit(f"{run.label}: {run.picture.words(run.moment, run.at)}", width)
        none = fit("No difference begins at this event: n goes to the next, d says of which kind.", width, "dim")
        return vjoin([event, none], width=width, height=most)
    rows: Lines = []
    for found in here:
        text = prose(f"{DIFFERS} {sentence(state.lock.runs, found)}", width)
        if rows and len(rows) + len(text) > most:
            break
        rows += text
    return vjoin(rows, width=width, height=most)


def _footer(state: CompareState, width: int) -> Line:
    if state.prompt is not None:
        return prompt_line(state.prompt, state.keys(GOES), width)
    shown = {"→": "← →", "-": "- +", "n": "n N"}
    keys = [rule.Key(state.keys(shown.get(key.shown, key.shown)), _word(state, key.action, key.word), key.weight)
            for key in KEYS if key.word]  # fmt: skip
    return rule.footer(keys, width)


def _word(state: CompareState, action: str, word: str) -> str:
    """The word of a key, as it would act now."""
    if action == "play" and state.playing:
        return "pause"
    if action == "align":
        return "by time" if state.lock.align == BY_PACKET else "by packet"
    if action == "follow":
        return "events" if state.followed is not None else "packet's way"
    return word


def help_lines(state: CompareState, width: int, height: int) -> Lines:
    """The whole screen, scrolled by ↑ ↓."""
    meaning = {sign.sign: sign.meaning for sign in SIGNS}
    keys = [(state.keys(key.shown), key.help) for key in KEYS]
    rows: list[Content] = [*listed([*keys, *MOUSE], width), "", (Span("Signs", "title"),)]
    rows += listed([(sign, meaning[sign]) for sign in (DIFFERS, HERE)], width)
    rows += ["", (Span("The same packets", "title"),), *_paragraphs(state, width)]
    return page(state, rows, width, height)


def _paragraphs(state: CompareState, width: int) -> Sequence[Content]:
    """What was made the same, and what the totals mean."""
    texts = [
        f"All are sent {state.given.packets}. Each keeps its system, its cores and its costs.",
        *state.given.notes,
        "cycles: busy time, spinning included, at the nominal clock, divided by the packets done. crossings: "
        "between ring 3 and ring 0, one each way counts two. transfers: of cache lines from core to core. "
        "p99: from ring to doorbell, of the last 2,000 packets that left. A dash: nothing yet, or not modelled.",
    ]
    return [row for text in texts for row in prose(text, width)]
