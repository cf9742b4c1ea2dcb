"""Two panels: the parts of the machine with all their fields, and the tree of branches.

Invariant: every field of every component can be read here, at the cursor and nowhere later.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ixviz.draw import prose, table
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import clock, count
from ixviz.draw.signs import HERE

from . import panels
from .state import State

_TOUCHED = 4  # accesses of a cache line that are told


def _open(name: str, state: State) -> None:
    state.part = name
    state.selected.pop("Parts", None)
    state.scroll.pop("Parts", None)


def parts(state: State, width: int, height: int) -> Lines:
    """The list of components, or the fields of the one chosen."""
    view = state.branch.cursor.view
    if state.part and state.part in view:
        return _fields(state, state.part, width, height)
    values = state.branch.cursor.values()
    sim = state.branch.sim
    first = len(sim.checkpoints[0].places) if sim.checkpoints else 0  # what is there from the start
    names = [p.name for p in sim.history.places[:first]] + _come(sim.history.places[first:], values)
    chosen = state.selected.get("Parts", -1)
    room = max(height - 1, 1)
    first = min(max(chosen - room + 2, state.scroll.get("Parts", 0), 0), max(len(names) - room, 0))
    state.scroll["Parts"] = first
    rows: Lines = [
        fit(
            (Span(f"{count(len(names))} parts: ↑ ↓ choose, ↵ looks into it. A click in the machine does too.", "dim"),),
            width,
        )
    ]
    state.links = [partial(_open, name) for name in names]
    for i in range(first, min(first + room, len(names))):
        name = names[i]
        cls = view.place(name).cls
        doc = (cls.__doc__ or "").split(". ")[0].split(".\n")[0].replace("\n", " ").strip().rstrip(".")
        mark = Span(f"{HERE} " if i == chosen else "  ", "choice")
        rows.append(
            fit(
                (mark, Span(f"{name:<14} ", "choice" if i == chosen else ""), Span(" ".join(doc.split()), "dim")), width
            )
        )
    return rows


def _come(places: Any, values: Any) -> list[str]:
    """The names of those components that had come to be at the cursor: the slots of others are 0, or not there yet."""
    there = [p for p in places if p.base < len(values)]  # slots are dealt out one component after the other
    if not there:
        return []
    begun = np.logical_or.reduceat(values[there[0].base :] != 0, [p.base - there[0].base for p in there])
    return [there[i].name for i in np.flatnonzero(begun).tolist()]


def _fields(state: State, name: str, width: int, height: int) -> Lines:
    view = state.branch.cursor.view
    place = view.place(name)
    part = view[name]
    changed = (
        {c.field for c in state.branch.sim.history.changes(state.branch.at) if c.component == name}
        if state.branch.at
        else set()
    )
    rows: list[list[Any]] = []
    for key, field in place.cls.FIELDS.items():
        mark = (Span("»", "mark"),) if key in changed else ""
        note = f"{field.doc}{' (inner)' if field.hidden else ''}"
        rows.append([mark, key, panels.show(field, getattr(part, key)), (Span(note, "dim"),)])
    computed = [key for key in dir(place.cls) if isinstance(getattr(place.cls, key), property)]
    rows[:0] = [["", key, _value(getattr(part, key)), (Span(_said(place.cls, key), "dim"),)] for key in computed]
    columns = [
        table.Column("", "<", 1, 0),
        table.Column("", gap=1),
        table.Column("", ">", gap=2),
        table.Column("", "<", gap=3),
    ]
    head = fit(
        (Span(name, "bold"), Span("   as it is now   » changed by this event   esc the list of parts", "dim")), width
    )
    lines = [*_touched(state, name, width), *table.table(columns, rows, width, header=False)]
    return [head, *panels.scrolled(state, lines, width, height - 1)]


def _touched(state: State, name: str, width: int) -> Lines:
    """The last accesses of a cache line, and a blank line; nothing of other parts."""
    found = state.branch.picture.touched_by(state.branch.moment, name, _TOUCHED)
    if not found:
        return []
    keys = state.keys("who touched it last, the newest first; ↑ ↓ choose, ↵ goes there")
    lines = [fit((Span(keys, "dim"),), width)]
    for event, words in found:
        line = (Span(f"{'#' + count(event):>8}  ", "key"), Span(words))
        lines.append(panels.chosen_line(state, line, width, partial(panels.go_to, event)))
    return [*lines, fit("", width)]


def _value(value: int) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else count(value)


def _said(cls: type, key: str) -> str:
    """The first sentence about a computed value."""
    words = " ".join((getattr(cls, key).__doc__ or "").split()).partition(". ")[0].rstrip(".")
    return words[:1].lower() + words[1:]


def _knobs(branch: Any, width: int) -> Lines:
    """What a what-if may turn, a line each."""
    knobs = branch.knobs()
    room = max((len(f"{knob.key}={knob.value}") for knob in knobs), default=0)
    return [fit((Span(f"  {f'{knob.key}={knob.value}':<{room}}", "key"), Span(f"   {knob.words}", "dim")), width)
            for knob in knobs]  # fmt: skip


def _show(index: int, state: State) -> None:
    from .actions import show_branch

    show_branch(state, index)


def tree(state: State, width: int, height: int) -> Lines:
    """The branches: what was changed, from where on, where each stands now."""
    rows: Lines = []
    if state.session is not None:
        return [fit("What if is for machines to play with: open one from the menu.", width)]

    def add(index: int, depth: int) -> None:
        branch = state.branches[index]
        text = "the run as it was written"
        if branch.parent is not None:
            forked = clock(branch.sim.history.event(branch.fork).time)
            text = f"{branch.change}   from {forked}, #{count(branch.fork)}"
        indent = "   " * (depth - 1) + "└─ " if depth else ""
        here = index == state.current
        line = (
            Span(indent, "dim"),
            Span("shown: " if here and len(state.branches) > 1 else "", "here"),
            Span(f"{branch.name}  ", "here" if here else ""),
            Span(text),
        )
        rows.append(panels.chosen_line(state, line, width, partial(_show, index)))
        for i, child in enumerate(state.branches):
            if child.parent is branch:
                add(i, depth + 1)

    add(0, 0)
    if len(state.branches) == 1:
        rows += [fit("", width), fit("x changes a knob at this moment and goes on from here: a second branch.", width),
                 fit("Both stay. Up to the fork they are the same run, event for event.", width), fit("", width),
                 *_knobs(state.branch, width)]  # fmt: skip
    else:
        rows += [fit("", width), *_compared(state, width)]
    return panels.scrolled(state, rows, width, height)


def _compared(state: State, width: int) -> Lines:
    """The branches side by side at the present time, as far as each is recorded."""
    now = state.branch.now
    body: list[list[Any]] = []
    for branch in state.branches:
        event = max(min(branch.sim.history.event_at(now), branch.last()), 0)
        moment = branch.picture.moment(branch.sim.history.cursor(event), now)
        behind = branch.sim.history.event(branch.last()).time < now and not branch.ended
        rows = clock(now) if not behind else f"recorded to {clock(branch.sim.history.event(branch.last()).time)}"
        body.append([branch.name, rows, *(value for _, value in branch.picture.compared(moment))])
        titles = [title for title, _ in branch.picture.compared(moment)]  # the same of all: they are one system's
    columns = [table.Column("branch", "<"), table.Column("at", "<"), *(table.Column(title, ">") for title in titles)]
    note = state.branch.picture.compared_note
    return [*table.table(columns, body, width), *prose.prose(note, width, style="dim")]
