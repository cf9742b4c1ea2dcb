"""The picture of an IX machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ixviz.draw import ring
from ixviz.draw.cells import Line, Lines, fit, sides
from ixviz.draw.cells import width as cells
from ixviz.draw.numbers import count, duration
from ixviz.draw.prose import prose
from ixviz.system.ix.costs import STAGES
from ixviz.system.ix.picture import machine, timelanes
from ixviz.system.ix.picture.machine import Drawn
from ixviz.system.ix.picture.timelanes import LanesShown
from ixviz.system.ix.picture.words import core_name, event_words, plural
from ixviz.system.pictures import Moment, Rows

_STAGES = frozenset((*STAGES[1:], "doorbell", "quiescent"))

if TYPE_CHECKING:
    from ixviz.system.ix.picture.why import Why


class Picture:
    """Draws a recorded IX run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    charts = ("batch size", "queue depth", "throughput", "latency")
    # The kinds of event at which a step of each size stops; None = every event. "packet" follows one (see journey).
    steps = {"event": None, "stage": _STAGES, "batch": frozenset(("poll",))}

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self._rows = Rows(sim)
        self.cores = len(sim.threads)
        clock = sim.facts["clock"]
        self.cell = timelanes.round_cell(sim.facts["costs_table"].turn(1) * 10**12 // clock // 10)
        self.heading = f"{sim.system}, {plural(self.cores, 'core')}, B {count(sim.bound)}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        return Moment(self.sim, cursor, self._rows, now)

    def opening(self) -> int:
        """The event a run opens on: the first packet's arrival, else the first event."""
        events = self.sim.feed.packets.event
        return events[1] if len(events) > 1 else 0

    def origin(self, moment: Moment) -> int:
        """Where the first page of the lanes begins (ps): just before the first arrival, once that has happened."""
        if not moment.packets:
            return moment.now
        first: int = self.sim.feed.packets.arrives[1]
        round_ = 10 * self.cell
        return first if first % round_ == 0 else max(0, first - self.cell)

    # ---------------------------------------------------------------- the machine
    def machine(
        self,
        moment: Moment,
        width: int,
        height: int,
        *,
        wide: bool = False,
        followed: int | None = None,
        core: int = 0,
        marked: frozenset[str] = frozenset(),
    ) -> list[Drawn]:
        """The machine on at most `height` lines. `marked` names the components to show, all when it is empty."""
        core = min(max(core, 0), self.cores - 1)
        if self.cores > 1 and (self.cores >= 6 or wide or 3 * self.cores + 1 > height):
            return self._rows_form(moment, width, height, wide, followed, core)[:height]
        remarks = [Drawn(fit("", width)), *(Drawn(r) for r in self.remarks(width))] if wide else []
        out = machine.wide(moment, width, followed, core) if wide else machine.narrow(moment, width, followed)
        if marked and (keep := [d for d in out if d.name and _means(marked, d.name)]):
            out = [_with_scale(keep[0], moment, width), *keep[1:]] if keep[0].name != "nic" else keep
        return (out + remarks)[:height]

    def _rows_form(
        self, moment: Moment, width: int, height: int, wide: bool, followed: int | None, core: int
    ) -> list[Drawn]:
        rest = 10 if wide and height >= self.cores + 13 else 0
        out = machine.rows(moment, width, min(self.cores + 2, max(height - 1 - rest, 3)), core)
        note = "" if out[0].line and _has(out[0].line, "cell =") else machine.scale_words(moment, width)
        out.append(Drawn(sides(machine.latency_line(moment, width - len(note) - 2), note, width)))
        if rest:
            out += [Drawn(fit("", width)), *machine.stages(moment, width, core, followed)]
        return out

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and whether its costs are measured."""
        text = ["not modelled here: PCIe transfers, caches, congestion control"]
        facts = self.sim.facts
        if facts["costs_are"] == "illustrative":
            text.append("costs are illustrative (round numbers)")
        elif facts["costs"] == "scenario":
            text.append("costs are the scenario's own")
        else:
            text.append("costs: sums fitted to the paper, their split illustrative")
        return [row for t in text for row in prose(t, width, style="dim")]

    def lanes(
        self,
        moment: Moment,
        width: int,
        rows: int,
        *,
        zoom: int = 0,
        note: str = "",
        followed: int | None = None,
        core: int = 0,
        since: int | None = None,
    ) -> LanesShown:
        """The lanes, `rows` + 3 lines; more cores than rows scroll with `core`. `zoom` in steps of 1, 2, 5.

        `since` (ps): where their first page begins, instead of at the first arrival.
        """
        first = min(max(core - rows // 2, 0), max(self.cores - rows, 0))
        cell = timelanes.zoomed(self.cell, zoom)
        origin = self.origin(moment) if since is None else since
        return timelanes.lanes(moment, width, rows, origin, cell, note, followed, first)

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`batch size 1 ▁ 4 ▄ 6 ▆`: the last batches of a core."""
        from ixviz.draw.bar import labelled_levels

        rows = self._rows.of(self.sim.threads[core].number)
        begun = moment.begun(self.sim.threads[core].number)
        sizes = [self.sim.batches.size[r] for r in rows[max(0, begun - width // 4) : begun]]
        name = "batch size" if self.cores == 1 else f"{core_name(self.sim.threads[core].name)}: batch size"
        return labelled_levels(name, [(count(s), s) for s in sizes], width, high=max([8, *sizes]))

    # ---------------------------------------------------------------- words
    def words(self, moment: Moment, event: int) -> str:
        """What an event was, in words, without a full stop."""
        return event_words(moment, event)

    def why(self, moment: Moment, packet: int) -> Why:
        """A packet's latency taken apart."""
        from ixviz.system.ix.picture.why import why  # not needed for the first frame

        return why(moment, packet)

    def packet_here(self, moment: Moment) -> int | None:
        """The packet that the present event is about: it arrived, or was first in the batch. None before any."""
        packet = moment.packet_of(moment.at)
        if packet is not None:
            return packet
        name = self.sim.history.places[self.sim.history.event(moment.at).subject].name
        thread = next((t for t in self.sim.threads if t.name == name), None)
        row = moment.row_at(thread.number, moment.at) if thread else None
        members = moment.members(row) if row else []
        return members[0] if members else (moment.packets or None)

    def core_here(self, moment: Moment) -> int:
        """The core (as an index) that the present event is about: it acts, or it polls the queue that gets a packet."""
        name = self.sim.history.places[self.sim.history.event(moment.at).subject].name
        for i, thread in enumerate(self.sim.threads):
            if thread.name == name or any(ring.name == name for ring in thread.rings):
                return i
        return 0

    def journey(self, moment: Moment, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all that happened to a packet up to the moment; `ahead`: as far as recorded."""
        if ahead:
            moment = self.moment(self.sim.history.cursor(len(self.sim.history) - 1))
        if not 1 <= packet <= moment.packets:
            return []
        history, table = self.sim.history, self.sim.feed.packets
        first = table.event[packet]
        queue = f"q{table.queue[packet]}"
        words = f"{queue} is full: dropped" if moment.dropped(packet) else f"arrives in {queue}"
        out = [(first, table.arrives[packet], words)]
        row = moment.batch_of(packet)
        if row is None:
            return out
        batches = self.sim.batches
        last = batches.last[row] if moment.ended(row) is not None else None
        core = next(t for t in self.sim.threads if t.number == batches.core[row])
        chain: list[int] = []
        link = last if last is not None else self._last_of(moment, core, batches.event[row])
        while link > batches.event[row]:
            chain.append(link)
            link = history.event(link).cause
        for number in (batches.event[row], *reversed(chain)):
            event = history.event(number)
            kind = history.kinds[event.kind]
            text = event_words(moment, number)
            if kind == "poll":
                taken = f"batch {count(moment.number(row))} of {core_name(core.name)}"
                text = f"is taken into {taken}, {plural(batches.size[row], 'packet')}"
            elif kind == "doorbell":
                text = f"leaves: {text}"
            out.append((number, event.time, text))
        return out

    def _last_of(self, moment: Moment, core: Any, poll: int) -> int:
        """The last event of a core up to the moment."""
        stage = moment.view.slot(f"{core.name}.stage")
        found = self.sim.history.touched([stage], poll, moment.at)
        return int(found[-1]) if len(found) else poll

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet at the moment."""
        from ixviz.workload.kinds import NAMES

        table = self.sim.feed.packets
        row = moment.batch_of(packet)
        left = moment.left(packet)
        latency = duration(left - table.arrives[packet]) if left is not None else "not yet"
        return [
            ("flow", count(table.flow[packet])), ("kind", NAMES[table.kind[packet]]),
            ("frame", f"{count(table.frame[packet])} B"), ("queue", f"q{table.queue[packet]}"),
            ("batch", count(moment.number(row)) if row else "none yet"), ("latency", latency),
        ]  # fmt: skip

    def chart(self, moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
        """A chart of what happened up to the moment; `name` is one of `charts`."""
        from ixviz.system.ix.picture import charts  # not needed for the first frame

        return charts.draw_chart(moment, name, width, height, limit)


def _with_scale(drawn: Drawn, moment: Moment, width: int) -> Drawn:
    """A gauge's line with what a cell of it stands for, which else the wire's line says."""
    note = ring.scale_note(machine.per_cell(moment, 32))
    if drawn.name.startswith("core") and "." not in drawn.name:
        return drawn
    row = list(drawn.line)
    while row and not row[-1].text.strip():
        row.pop()
    used = sum(cells(s.text) for s in row)
    return Drawn(sides(tuple(row), note, width), drawn.name) if used + 2 + len(note) <= width else drawn


def _has(shown: Line, text: str) -> bool:
    return any(text in span.text for span in shown)


def _means(marked: frozenset[str], name: str) -> bool:
    """Whether a line's component is among those marked; `rxlist` means every list, `core0` not its list."""
    return name in marked or name.rpartition(".")[2] in marked


__all__ = ["Drawn", "LanesShown", "Moment", "Picture"]
