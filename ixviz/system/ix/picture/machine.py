"""The IX machine drawn: one line a part (sketch A), stages below each other (sketch H), a row a core (sketch I).
Invariant: every line has exactly the width asked for, and says which component a click on it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ixviz.draw import pipeline, ring, rule, table
from ixviz.draw.cells import Content, Line, Span, fit, sides
from ixviz.draw.numbers import count, percent, si
from ixviz.machine.wire import wire_ps
from ixviz.system.ix.costs import STAGES
from ixviz.system.ix.picture.words import STAGE_NAMES, STAGE_SHORT, STAGE_WORDS, parked
from ixviz.system.ix.turn import STOPPED
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.packet_picture import row_names
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import core_name, plural

PS = 10**12
_RATE_OVER = 32  # packets over which the rate of arrivals is taken
_SHOWN = tuple(STAGE_SHORT.get(s, s) for s in STAGES[1:])
_IN_A_ROW = tuple({"cross_in": "→ring3", "cross_out": "→ring0"}.get(s, s) for s in STAGES[1:])  # of the processor


def wire_words(moment: Moment) -> str:
    """`3.0 of 8.8 M/s, drops 0`: arrivals lately, what the wire can carry, all drops; `at most 8.8 M/s` before that."""
    sim, n = moment.sim, moment.packets
    packets, intake = sim.feed.packets, sim.feed.intake
    first = max(1, n - _RATE_OVER + 1)
    rate = None
    if n - first >= 3 and packets.arrives[n] > packets.arrives[first]:
        rate = (n - first) * PS / (packets.arrives[n] - packets.arrives[first])
    most = None
    if intake.rate and n:
        most = len(intake.ports) * PS / wire_ps(packets.frame[n], intake.rate)
    drops = sum(moment.view[c.name].drops for c in (*intake.rings, *_lists(sim)))
    if most is None:
        words = f"{si(rate, '/s')}" if rate else "nothing yet"
    else:
        unit = si(most, "/s")
        now = f"{rate / 1e6:.1f}" if rate and unit.endswith(" M/s") else si(rate, "/s") if rate else ""
        words = f"{now} of {unit}" if now else f"at most {unit}"
    return f"{words}, drops {count(drops)}"


def _lists(sim: Any) -> list[Any]:
    return [x for t in sim.threads for x in t.lists]


def per_cell(moment: Moment, cells: int) -> int:
    """Packets a cell of all gauges, so that the deepest queue so far fits."""
    view = moment.view
    deepest = max((view[r.name].deepest for r in moment.sim.feed.intake.rings), default=0)
    deepest = max([deepest, *(view[x.name].depth for x in _lists(moment.sim))])
    return ring.scale(max(deepest, 1), cells)


def _marks(moment: Moment, queue: int, followed: int | None) -> Mapping[int, str] | None:
    """Where the followed packet stands in its ring."""
    if followed is None or followed > moment.packets or moment.batch_of(followed) is not None:
        return None
    packets = moment.sim.feed.packets
    if packets.queue[followed] != queue:
        return None
    depth = moment.view[f"nic.q{queue}"].depth
    behind = 0  # the ring holds the last `depth` packets of its queue that were not dropped
    for number in range(moment.packets, followed, -1):
        if behind == depth:
            return None
        behind += packets.queue[number] == queue and not moment.dropped(number)
    return {depth - 1 - behind: "P"} if behind < depth else None


def batch_note(core: Any) -> str:
    """`batch of 4`, `idle`, `parked`, `stopped`."""
    if core.stage == STOPPED:
        return "stopped"
    if not core.stage:
        return "parked" if parked(core) else "idle"
    return f"batch of {count(core.size)}" if core.size else "all left"


def narrow(moment: Moment, width: int, followed: int | None) -> list[Drawn]:
    """The 80-wide form: wire, then ring, list and stages of each core."""
    view, sim = moment.view, moment.sim
    scale = per_cell(moment, 32)
    out = [Drawn(sides(rule.label_row("wire", wire_words(moment), width - 20), ring.scale_note(scale), width), "nic")]
    for thread in sim.threads:
        out.extend(_queues(moment, thread, width, scale, followed))
        core = view[thread.name]
        note = fit(batch_note(core), 14, align=">") if width >= 80 else f"  {batch_note(core)}"
        row = pipeline.pipeline(core_name(thread.name), _IN_A_ROW, core.stage - 1 if core.stage else None, width, note)
        out.append(Drawn(fit(row, width), thread.name))
    return out


def _queues(moment: Moment, thread: Any, width: int, scale: int, followed: int | None) -> list[Drawn]:
    view, out = moment.view, []
    moved = _moved(moment)
    for queue, rxlist in zip(thread.queues, thread.lists, strict=True):
        q = view[f"nic.q{queue}"]
        marks = _marks(moment, queue, followed)
        out.append(Drawn(ring.ring(f"ring q{queue}", q.depth, q.capacity, width, marks, per_cell=scale,
                                   moved=q.name in moved), q.name))  # fmt: skip
        held = view[rxlist.name]
        if held.capacity:
            name = "list" if len(thread.queues) == 1 else f"list q{queue}"
            out.append(Drawn(ring.ring(name, held.depth, held.capacity, width, per_cell=scale,
                                       moved=held.name in moved and held.depth > 0), held.name))  # fmt: skip
    return out


def _moved(moment: Moment) -> set[str]:
    return {c.component for c in moment.sim.history.changes(moment.at)} if moment.at else set()


def wide(moment: Moment, width: int, followed: int | None, core: int) -> list[Drawn]:
    """The form for large screens: rings, then the stages of `core` below each other, its last batches."""
    view, sim = moment.view, moment.sim
    thread = sim.threads[core]
    scale = per_cell(moment, 32)
    out = [nic_line(moment, width), *_queues(moment, thread, width, scale, followed)]
    out.append(Drawn(sides("", ring.scale_note(scale), width)))
    out.append(Drawn(fit("", width)))
    out.extend(stages(moment, width, core, followed))
    out.append(Drawn(fit("", width)))
    out.append(Drawn(last_batches(moment, width, core), view[thread.name].name))
    return out


def nic_line(moment: Moment, width: int) -> Drawn:
    """`NIC   10 Gbps, 3.0 of 8.8 M/s, drops 0`."""
    intake = moment.sim.feed.intake
    speed = si(intake.rate, "bps", 0) if intake.rate else "unlimited"
    ports = f"{len(intake.ports)} × " if len(intake.ports) > 1 else ""
    return Drawn(rule.label_row("NIC", f"{ports}{speed}, {wire_words(moment)}", width, 6), "nic")


def stages(moment: Moment, width: int, core: int, followed: int | None) -> list[Drawn]:
    """A core's head line and its stages below each other, with the packets of its batch where they are."""
    thread = moment.sim.threads[core]
    at = moment.view[thread.name]
    left = plural(at.size, "packet") if at.size else "all left"
    note = f"batch {count(at.batch)}: {left}" + (", stopped" if at.stage == STOPPED else "")
    note = note if at.stage else batch_note(at)
    head = pipeline.core_head(core_name(thread.name), si(at.speed, "Hz"), note, width)
    names = [(short, STAGE_WORDS[s]) for short, s in zip(_SHOWN, STAGES[1:], strict=True)]
    where = at.stage - 1 if at.stage else None
    marks = None
    if followed is not None and at.stage and moment.batch_of(followed) == at.row:
        members = moment.members(at.row)
        marks = {members.index(followed): "P"} if followed in members else None
    packets = {where: at.size} if where is not None else {}
    rows = pipeline.pipeline_vertical(names, where, packets, width, marks=marks)
    return [Drawn(head, thread.name), *(Drawn(r, thread.name) for r in rows)]


def last_batches(moment: Moment, width: int, core: int) -> Line:
    """`batches   1: 1   2: 4   3: 6`: number and size of the last ones."""
    rows = moment.rows.of(moment.sim.threads[core].number)
    begun = moment.begun(moment.sim.threads[core].number)
    if not begun:
        return fit("batches   none yet", width)
    text = ""
    for i in range(begun - 1, -1, -1):
        item = f"   {count(i + 1)}: {count(moment.sim.batches.size[rows[i]])}"
        if len(text) + len(item) + 7 > width:
            break
        text = item + text
    return fit("batches" + text, width)


def rows(moment: Moment, width: int, height: int, selected: int) -> list[Drawn]:
    """One row a core (sketch I): its ring, its list, what it does, its batch, how busy it was."""
    view, sim = moment.view, moment.sim
    threads, roomy = sim.threads, width >= 80
    cells = _cells(width)
    scale = per_cell(moment, cells)
    nic, note = nic_line(moment, width), scale_words(moment, width)
    used = len("".join(s.text for s in nic.line).rstrip())
    head = sides(nic_line(moment, used).line, note, width) if used + 2 + len(note) <= width else nic.line
    body: list[list[Content | int | float | None]] = []
    for t in threads:
        core = view[t.name]
        queues = [view[f"nic.q{q}"] for q in t.queues]
        depth, capacity = sum(q.depth for q in queues), sum(q.capacity for q in queues)
        waits = sum(view[x.name].depth for x in t.lists)
        busy = core.busy + (moment.now - core.began if 0 < core.stage < STOPPED else 0)
        stage = STAGE_NAMES[core.stage]
        words = "app, ring 3" if stage == "app" and roomy else STAGE_SHORT.get(stage, stage)
        words = "parked" if parked(core) else words
        doing: Content = (Span(words, "here" if core.stage else "idle"),)
        body.append([core_name(t.name)[5:], ring.ring_short(depth, capacity, cells + 9, cells=cells, per_cell=scale),
                     waits, doing, core.size, core.batch,
                     percent(busy / moment.now) if moment.now else "–"])  # fmt: skip
    columns = [
        table.Column("core", ">", gap=0),
        table.Column("ring", "<", cells + 9),
        table.Column("list", ">", 7),
        table.Column("doing", "<", 11 if roomy else 9),
        table.Column("batch of", ">"),
        table.Column("batches", ">", 9, keep=1),
        table.Column("busy", ">", 5),
    ]
    drawn = table.table(columns, body, width, selected=selected if len(threads) > 1 else None, height=height - 1)
    names = row_names(threads, selected, height - 2, len(drawn))
    return [Drawn(head, "nic"), *(Drawn(r, n) for r, n in zip(drawn, names, strict=True))]


def _cells(width: int) -> int:
    return 8 if width < 70 else 12 if width < 100 else 24


def scale_words(moment: Moment, width: int) -> str:
    """`ring: 1 cell = 2 packets`, of the form with a row a core."""
    return f"ring: {ring.scale_note(per_cell(moment, _cells(width)))}"
