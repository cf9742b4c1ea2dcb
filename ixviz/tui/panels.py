"""The tabs of a scenario: now, why, changed, log, chart, who is followed, parts, what if; each a list of lines.

Invariant: a panel reads the state and draws; it changes nothing but `state.links` and `state.scrolls`: what keys mean.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ixviz.draw import prose, table
from ixviz.draw.cells import Line, Lines, Span, fit, sides
from ixviz.draw.numbers import clock, count, duration
from ixviz.draw.signs import HERE

from .state import State


def panel(state: State, width: int, height: int) -> Lines:
    """The present tab, at most `height` lines of `width` cells; sets `state.links` and `state.rows`."""
    state.links, state.scrolls = [], False
    state.rows = height
    if state.broken or (state.lesson is not None and state.lesson.broken):
        from .broken import broken  # seldom needed

        told = broken(state, width, height)
        state.rows = height - len(told)
        return (told + _tab(state, width, state.rows))[: max(height, 0)]
    return _tab(state, width, height)


def _tab(state: State, width: int, height: int) -> Lines:
    if state.busy and state.tab not in ("Lesson", "What if"):
        return [fit((Span("simulating …", "dim"),), width)][: max(height, 0)]
    if state.tab not in ("Lesson", "What if") and state.lesson is not None and state.lesson.figures(state):
        return prose.prose(state.keys(_NO_MOMENT), width)[: max(height, 0)]
    return PANELS[state.tab](state, width, height)[: max(height, 0)]


_NO_MOMENT = (
    "The picture shows figures of whole runs, so there is no moment to look at. m shows the machine in its place; "
    "then → and space move it, and this tab follows."
)


def scrolled(state: State, lines: Lines, width: int, height: int, key: str = "") -> Lines:
    """A window of `height` lines; what is above and below is said in its first and last line."""
    key = key or state.tab
    most = max(len(lines) - height, 0)
    state.scrolls = most > 0
    first = state.scroll[key] = min(state.scroll.get(key, 0), most)
    out = lines[first : first + height]
    if first + height < len(lines) and out:
        out[-1] = fit((Span(f"… {count(len(lines) - first - height + 1)} more lines, ↓", "dim"),), width)
    return out


def go_to(event: int, state: State) -> None:
    """What ↵ does on the line of an event."""
    state.playing = False
    state.go_to_event(event)


def chosen_line(state: State, line: Line, width: int, action: Callable[[State], None]) -> Line:
    """A line that can be chosen: `▸` and a style when it is."""
    chosen = state.selected.get(state.tab) == len(state.links)
    state.links.append(action)
    if not chosen:
        return fit((Span("  "), *line), width)
    return fit((Span(f"{HERE} ", "choice"), *(Span(s.text, s.style or "choice") for s in line)), width)


def _lesson(state: State, width: int, height: int) -> Lines:
    from .lesson_panel import lesson  # not needed for a scenario's first frame

    return lesson(state, width, height)


# ---------------------------------------------------------------------------------------------------- now
def _now(state: State, width: int, height: int) -> Lines:
    branch = state.branch
    words = branch.picture.words(branch.moment, branch.at)
    rows: Lines = [fit((Span(f"{words[:1].upper()}{words[1:]}.", "bold"),), width)]
    if branch.at == branch.picture.opening():
        rows += [fit("", width), *prose.prose(_press(state), width)]
    rows.append(fit("", width))
    changes = _changes(state, branch.at)
    rows += table.table(_CHANGES, changes[:5], width, header=False, signed=True) if height > 4 else []
    if len(changes) > 5:
        rows.append(fit((Span(f"  and {len(changes) - 5} more: tab Changed", "dim"),), width))
    if branch.at == branch.picture.opening() and branch.scenario.summary:
        rows += [fit("", width), *prose.prose(str(branch.scenario.summary), width, style="dim")]
    rows += [fit("", width), *branch.picture.remarks(width)] if not state.wide or branch.picture.cores > 1 else []
    return scrolled(state, rows, width, height)


def _press(state: State) -> str:
    return state.keys("Press → to see what happens to it, ← to go back. space plays. w says why, ? lists every key.")


# ------------------------------------------------------------------------------------------------- changed
_CHANGES = (
    table.Column("", gap=0),
    table.Column("", ">", None, 2),
    table.Column("", "", 1, 1),
    table.Column("", "<", None, 1),
    table.Column("", "<", None, 3, keep=1),
)


def show(field: Any, value: int) -> str:
    """A field's value in words: an enum's name, a time, a number."""
    if field.values:
        return str(field.values[value]) if 0 <= value < len(field.values) else str(value)
    if field.unit == "ps":
        return clock(value)
    return f"{count(value)} {field.unit}".rstrip()


def _changes(state: State, event: int) -> list[list[Any]]:
    branch = state.branch
    net: dict[int, tuple[str, int, int]] = {}  # of several writes to a slot only the first old and the last new count
    for change in branch.sim.history.changes(event) if event else []:
        _, old, _ = net.get(change.slot, ("", change.old, 0))
        net[change.slot] = (f"{change.component}.{change.field}", old, change.new)
    rows: list[list[Any]] = []
    for slot, (name, old, new) in net.items():
        _, _, field = branch.cursor.view.describe(slot)
        if old == new or (field.hidden and not state.everything):
            continue
        rows.append([name, show(field, old), "→", show(field, new), (Span(field.doc, "dim"),)])
    return rows


def _changed(state: State, width: int, height: int) -> Lines:
    branch = state.branch
    head = f"Event {count(branch.at)} at {clock(branch.cursor.time)}: {branch.picture.words(branch.moment, branch.at)}"
    rows: Lines = [*prose.prose(head, width), fit("", width)]
    changes = _changes(state, branch.at)
    rows += table.table(_CHANGES, changes, width, header=False, signed=True)
    if not changes:
        none = "  nothing that a person would see" if branch.at else "  the run begins; tab Parts has what is there"
        rows.append(fit((Span(none, "dim"),), width))
    return scrolled(state, rows, width, height)


# ---------------------------------------------------------------------------------------------------- log
def _log(state: State, width: int, height: int) -> Lines:
    from .matching import Match

    branch = state.branch
    try:
        match = Match(branch, state.found)
    except ValueError:
        match = Match(branch, "")
    rows: Lines = []
    if state.found:
        rows.append(fit((Span(f"only: {state.found}   n next   N previous   / ↵ shows all", "dim"),), width))
    room = height - len(rows)
    back = state.scroll["Log"] = min(state.scroll.get("Log", 0), max(branch.at - room + 1, 0))
    numbers = match.up_to(branch.at, room + back)
    numbers = numbers[: max(len(numbers) - back, 0)][-room:] if room > 0 else []
    if not numbers:
        return [*rows, fit((Span("nothing has happened yet" if not state.found else "none so far", "dim"),), width)]
    moment = branch.moment
    digits = len(count(numbers[-1])) + 1
    times = [clock(branch.sim.history.event(number).time) for number in numbers]
    room = max(map(len, times))
    for number, time in zip(numbers, times, strict=True):
        here = number == branch.at
        line = (
            Span(f"{'#' + count(number):>{digits}}  ", "dim"),
            Span(f"{time:>{room}}  "),
            Span(branch.picture.words(moment, number), "here" if here else ""),
        )
        rows.append(chosen_line(state, line, width, partial(go_to, number)))
    return rows


# -------------------------------------------------------------------------------------------------- chart
def _chart(state: State, width: int, height: int) -> Lines:
    picture, moment = state.branch.picture, state.branch.moment
    names = picture.charts
    at = state.chart % len(names)
    if height >= 24:
        half = (height - 1) // 2
        both = [names[at], names[(at + 1) % len(names)]]
        return [line for name in both for line in (*picture.chart(moment, name, width, half), fit("", width))]
    head = fit(
        (Span(f"{names[at]}", "bold"), Span(f"   chart {at + 1} of {len(names)}, C shows the next", "dim")), width
    )
    return [head, *picture.chart(moment, names[at], width, height - 1)]


# ----------------------------------------------------------------------------------------------- why, packet
def _why(state: State, width: int, height: int) -> Lines:
    branch = state.branch
    packet = state.packet()
    if packet is None:
        return [_none(state, width)]
    why = branch.picture.why(branch.moment, packet)
    rows: Lines = [fit((Span(why.title, "bold"),), width)]
    for part in why.parts:
        time = duration(part.ps, unit=_unit(why.total)) if part.ps is not None else ""
        link = f"#{count(part.event)}" if part.event >= 0 else ""
        body = prose.prose(part.text, max(width - 17 - len(link), 10))
        for i, line in enumerate(body):
            content = (Span(f"{time if not i else '':>10}  "), *line)
            if not i and link:
                linked = sides(content, (Span(link, "key"),), width - 2)
                rows.append(chosen_line(state, linked, width, partial(go_to, part.event)))
            else:
                rows.append(fit((Span("  "), *content), width))
    if len(why.parts) > 1:
        rows.append(fit((Span(f"  {duration(why.total, unit=_unit(why.total)):>10}", "bold"), Span("  in all")), width))
    rows += [fit("", width), *(row for note in why.notes for row in prose.prose(note, width, style="dim"))]
    if state.links:
        hint = state.keys(state.branch.named("↑ ↓ choose a line, ↵ goes to its event. p chooses another {noun}."))
        rows += prose.prose(hint, width, style="dim")
    return scrolled(state, rows, width, height)


def _none(state: State, width: int) -> Line:
    picture = state.branch.picture
    return fit(state.keys(f"No {picture.noun} {picture.came} yet. → steps on."), width)


def _unit(ps: int) -> str:
    """The unit in which all parts of a time are shown."""
    return "ns" if ps < 10**6 else "µs" if ps < 10**9 else "ms"


def _packet(state: State, width: int, height: int) -> Lines:
    branch = state.branch
    packet = state.packet()
    if packet is None:
        return [_none(state, width)]
    moment = branch.moment
    facts = "   ".join(f"{name} {value}" for name, value in branch.picture.packet_facts(moment, packet))
    picture = branch.picture
    hint = f"   p another, step size {picture.following} follows it"
    rows: Lines = [fit((Span(f"{picture.noun.capitalize()} {count(packet)}", "bold"), Span(hint, "dim")), width)]
    rows += [*prose.prose(facts, width), fit("", width)]
    before = None
    journey = picture.journey(moment, packet)
    room = max((len(clock(time)) for _, time, _ in journey), default=0)
    for event, time, words in journey:
        after = f"+{duration(time - before)}" if before is not None else ""
        before = time
        style = "here" if event == branch.at else ""
        line = sides(
            (Span(f"{clock(time):>{room}} {after:>10}  ", "dim"), Span(words, style)),
            (Span(f"#{count(event)}", "key"),),
            width - 2,
        )
        rows.append(chosen_line(state, line, width, partial(go_to, event)))
    if moment.left(packet) is None:
        rows.append(fit((Span(f"  it {picture.stays}" if not moment.dropped(packet) else "", "dim"),), width))
    return scrolled(state, rows, width, height)


from .parts import parts, tree  # noqa: E402  (they use `show` and `chosen` of this module)

PANELS: dict[str, Callable[[State, int, int], Lines]] = {
    "Lesson": _lesson,
    "Now": _now,
    "Why": _why,
    "Changed": _changed,
    "Log": _log,
    "Chart": _chart,
    "Packet": _packet,
    "Parts": parts,
    "What if": tree,
}
