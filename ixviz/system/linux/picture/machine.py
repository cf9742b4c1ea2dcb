"""The Linux machine drawn: the NIC, then a row a core with its ring, what it does and for whom, how busy it was.
Invariant: every line has exactly the width asked for, and says which component a click on it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.draw import ring, rule, table
from ixviz.draw.cells import Content, Span, fit, sides
from ixviz.draw.numbers import count, percent, si
from ixviz.system.linux.picture import lines
from ixviz.system.linux.picture.words import doing
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_picture import lately, row_names
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import plural


def nic_line(moment: Moment, width: int) -> Drawn:
    """`NIC   10 Gbps, 0.5 of 8.8 M/s, drops 0   interrupts at most 20,000/s a queue`."""
    intake = moment.sim.feed.intake
    rate, most = lately(moment)
    speed = si(intake.rate, "bps", 0) if intake.rate else "unlimited"
    ports = f"{len(intake.ports)} × " if len(intake.ports) > 1 else ""
    words = f"{ports}{speed}"
    if rate is not None:
        words += f", {si(rate, '/s')} in" + (f" of {si(most, '/s')}" if most is not None else "")
    words += f", drops {count(sum(moment.view[r.name].drops for r in intake.rings))}"
    return Drawn(rule.label_row("NIC", words, width, 6), "nic")


def per_cell(moment: Moment, cells: int) -> int:
    """Packets a cell of all gauges, so that the deepest ring so far fits."""
    deepest = max((moment.view[r.name].deepest for r in moment.sim.feed.intake.rings), default=0)
    return ring.scale(max(deepest, 1), cells)


def rows(moment: Moment, width: int, height: int, selected: int) -> list[Drawn]:
    """A row a core, at most `height` lines with the NIC's and the heads."""
    view, threads = moment.view, moment.sim.threads
    cells = 4 if width < 100 else 10
    scale = per_cell(moment, cells)
    here = moment.sim.history.places[moment.sim.history.event(moment.at).subject].name
    body: list[list[Content | int | float | None]] = []
    for t in threads:
        core = view[t.name]
        queues = [view[f"nic.q{q}"] for q in t.queues]
        depth, capacity = sum(q.depth for q in queues), sum(q.capacity for q in queues)
        busy = core.busy + (moment.now - core.began if core.stage else 0)
        words: Content = (Span(doing(moment, t), "here" if t.name == here else "" if core.stage else "idle"),)
        gauge: Content = ring.ring_short(depth, capacity, cells + 8, cells=cells, per_cell=scale) if queues else ""
        share = percent(busy / moment.now) if moment.now else "–"
        body.append([t.name[4:], gauge, core.ready, words, core.done, share])
    columns = [
        table.Column("core", ">", gap=0),
        table.Column("ring", "<", cells + 8),
        table.Column("ready", ">", 5, keep=2),
        table.Column("doing", "<", max(width - cells - 42, 31)),
        table.Column("packets", ">", 7, keep=1),
        table.Column("busy", ">", 5),
    ]
    room = max(height - 1, 2)
    drawn = table.table(columns, body, width, selected=selected if len(threads) > 1 else None, height=room)
    names = row_names(threads, selected, room - 1, len(drawn))
    note = f"ring: {ring.scale_note(scale)}"
    nic = nic_line(moment, width - len(note) - 2).line
    return [Drawn(sides(nic, note, width), "nic"), *(Drawn(r, n) for r, n in zip(drawn, names, strict=True))]


def listen_line(moment: Moment, width: int) -> Drawn | None:
    """`listen   lock: core 3, 2 wait   accept queue: 12`; None where no connection was ever set up."""
    listeners = moment.sim.sockets.listeners
    locks = [moment.view[x.lock.name] for x in listeners]
    if not any(lock.holds for lock in locks):
        return None
    waiting = sum(moment.view[x.queue.name].waiting for x in listeners)
    if len(locks) == 1:
        lock = locks[0]
        held = f"core {lock.holder - 1} has it, {count(lock.waiters)} wait" if lock.holder else "free"
        text, name = f"lock: {held}   accept queue: {plural(waiting, 'connection')}", lock.name
    else:
        held = f"{count(sum(lock.holder > 0 for lock in locks))} of {count(len(locks))} held"
        text, name = f"locks: {held}   accept queues: {plural(waiting, 'connection')}", locks[0].name
    return Drawn(rule.label_row("listen", text, width, 8), name)


def coherence(moment: Moment, width: int, height: int, marked: frozenset[str]) -> list[Drawn]:
    """The cache lines against the cores (see lines.rows)."""
    return [Drawn(fit(row, width), name) for row, name in lines.rows(moment, width, height, marked)]


def kept(drawn: list[Drawn], threads: Sequence[Any], marked: frozenset[str]) -> list[Drawn]:
    """The lines of `marked` components, a core's for its rings and vectors too, with the head of the table; all of them
    when none is marked."""
    wanted = set(marked)
    for thread in threads:
        parts = (*thread.rings, *thread.vectors, thread)
        if any(part.name in marked or part.name.rpartition(".")[2] in marked for part in parts):
            wanted.add(thread.name)
    keep = [d for d in drawn if d.name in wanted]
    if any(d.name.startswith("core") for d in keep):
        keep.insert(sum(d.name == "nic" for d in keep), drawn[1])
    return keep or drawn
