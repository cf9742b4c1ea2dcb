"""The mTCP machine drawn: the ring, the TCP thread, events, the application thread, jobs; a row for each other core.
Invariant: every line has exactly the width asked for, and says which component a click on it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.draw import pipeline, ring, rule, table
from ixviz.draw.cells import Content, Line, Span, fit, sides
from ixviz.draw.cells import width as cell_width
from ixviz.draw.numbers import count, percent, si
from ixviz.system.mtcp.costs import APPLICATION, STACK, STAGES
from ixviz.system.mtcp.picture.words import NAMES, application_note, doing, stack_note
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_picture import lately, row_names
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import core_name

_TCP, _APP = sorted(STACK), sorted(APPLICATION)


def nic_line(moment: Moment, width: int) -> Drawn:
    """`NIC   10 Gbps, 1.5 of 8.8 M/s, drops 0                ring: 1 cell = 2 packets`."""
    intake = moment.sim.feed.intake
    rate, most = lately(moment)
    words = f"{len(intake.ports)} × " if len(intake.ports) > 1 else ""
    words += si(intake.rate, "bps", 0) if intake.rate else "unlimited"
    if rate is not None:
        words += f", {si(rate, '/s')} in" + (f" of {si(most, '/s')}" if most is not None else "")
    words += f", drops {count(sum(moment.view[r.name].drops for r in intake.rings))}"
    note = f"ring: {ring.scale_note(per_cell(moment))}" if width >= 80 else f"1 cell = {count(per_cell(moment))}"
    shown = rule.label_row("NIC", words, width - len(note) - 2, 6)
    return Drawn(sides(shown, note, width), "nic")


def per_cell(moment: Moment, cells: int = 32) -> int:
    """Packets a cell of all gauges, so that the deepest ring so far fits."""
    deepest = max((moment.view[r.name].deepest for r in moment.sim.feed.intake.rings), default=0)
    return ring.scale(max(deepest, 1), cells)


def block(moment: Moment, thread: Any, width: int) -> list[Drawn]:
    """A core with both its threads: what goes down to the application, what comes back, and who has the core."""
    view, name = moment.view, thread.name
    core, many = view[name], len(moment.sim.threads) > 1
    moved = _moved(moment)
    scale = per_cell(moment)
    out = []
    for r in thread.rings:
        q = view[r.name]
        label = f"ring {r.name.rpartition('.')[2]}"
        out.append(Drawn(ring.ring(label, q.depth, q.capacity, width, per_cell=scale, moved=q.name in moved), q.name))
    stack = f"{core_name(name)[5:]}: TCP" if many else "TCP"
    app = f"{core_name(name)[5:]}: app" if many else "app"
    out.append(Drawn(_thread(stack, _TCP, core.stage, width, stack_note(core, view[f"{name}.tcp"])), f"{name}.tcp"))
    out.append(_queue(moment, f"{name}.events", "for the application", width, moved))
    out.append(Drawn(_thread(app, _APP, core.stage, width, application_note(core, view[f"{name}.app"])), f"{name}.app"))
    out.append(_queue(moment, f"{name}.jobs", "for the TCP thread", width, moved))
    return out


def _thread(label: str, stages: Sequence[int], stage: int, width: int, note: str) -> Line:
    """`TCP      ▸poll     TCP      flush    jobs     tx       select     round of 12`."""
    names = [NAMES[STAGES[s]] for s in stages]
    at = stages.index(stage) if stage in stages else None
    note = note if width >= 80 else note.replace("round of", "of")
    room = width - cell_width(note) - 2
    shown = pipeline.pipeline(label, names, at, min(room, 63), name_width=9)
    return sides(shown, note, width)


def _queue(moment: Moment, name: str, whose: str, width: int, moved: set[str]) -> Drawn:
    """`events    ■■■■■■ 6 for the application`."""
    depth = moment.view[name].depth
    room = min(32, max(width - 36, 4))
    label = name.rpartition(".")[2]
    head = (*fit(label, 9), Span("»" if name in moved and depth else " ", "mark"))
    squares = fit(pipeline.packet_row(depth, room), room) if depth else fit((Span("·", "dim"),), room)
    return Drawn(fit((*head, *squares, Span(f"{count(depth):>6} "), Span(whose, "dim")), width), name)


def _moved(moment: Moment) -> set[str]:
    """The rings and queues into or out of which the present event moved something."""
    changes = moment.sim.history.changes(moment.at) if moment.at else ()
    return {c.component for c in changes if c.field in ("head", "tail")}


def rows(moment: Moment, width: int, height: int, selected: int) -> list[Drawn]:
    """A row a core on at most `height` lines: ring, who has the core and for what, what its queues hold, how busy."""
    view, threads = moment.view, moment.sim.threads
    here = moment.sim.history.places[moment.sim.history.event(moment.at).subject].name
    body: list[list[Content | int | float | None]] = []
    for t in threads:
        core = view[t.name]
        queues = [view[r.name] for r in t.rings]
        depth, capacity = sum(q.depth for q in queues), sum(q.capacity for q in queues)
        busy = core.busy + (moment.now - core.began if core.stage else 0)
        words: Content = (Span(doing(moment, t), "here" if t.name == here else "" if core.stage else "idle"),)
        share = percent(busy / moment.now) if moment.now else "–"
        waits = f"{count(depth)}/{count(capacity)}" if queues else ""
        body.append([t.name[4:], waits, words, view[f"{t.name}.events"].depth, view[f"{t.name}.jobs"].depth, core.done,
                     share])  # fmt: skip
    columns = [
        table.Column("core", ">", gap=0),
        table.Column("ring", ">", 8),
        table.Column("doing", "<", max(width - 49, 26)),
        table.Column("events", ">", 6, keep=2),
        table.Column("jobs", ">", 5, keep=3),
        table.Column("packets", ">", 7, keep=1),
        table.Column("busy", ">", 5),
    ]
    drawn = table.table(columns, body, width, selected=selected if len(threads) > 1 else None, height=height)
    names = row_names(threads, selected, height - 1, len(drawn))
    return [Drawn(r, n) for r, n in zip(drawn, names, strict=True)]


def kept(drawn: list[Drawn], threads: Sequence[Any], marked: frozenset[str]) -> list[Drawn]:
    """The lines of `marked` components, whole or without their owner's name (`events`), a core's for its vectors too;
    all lines when none is marked."""
    wanted = set(marked)
    for thread in threads:
        if any(v.name in marked for v in thread.vectors):
            wanted.add(thread.name)
    keep = [d for d in drawn if d.name and (d.name in wanted or d.name.rpartition(".")[2] in wanted)]
    return keep or drawn
