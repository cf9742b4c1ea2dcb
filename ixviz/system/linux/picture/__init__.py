"""The picture of a Linux machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ixviz.draw.cells import Line, Lines, sides
from ixviz.draw.numbers import count, duration
from ixviz.draw.prose import prose
from ixviz.system.linux.costs import STAGES
from ixviz.system.linux.picture import machine, timelanes
from ixviz.system.linux.picture.machine import Drawn
from ixviz.system.linux.picture.moment import Moment
from ixviz.system.linux.picture.timelanes import LanesShown
from ixviz.system.linux.picture.words import core_name, event_words, plural
from ixviz.system.pictures import Rows
from ixviz.system.timewindow import round_cell, zoomed

if TYPE_CHECKING:
    from ixviz.system.linux.picture.why import Why

_STAGES = frozenset((*STAGES, "raise", "sent"))
_CELL = 500_000  # ps; a request takes 30 such


class Picture:
    """Draws a recorded Linux run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    charts = ("batch size", "queue depth", "throughput", "latency", "transfers")
    # The kinds of event at which a step of each size stops; None = every event. "packet" follows one (see journey).
    steps = {"event": None, "stage": _STAGES, "batch": frozenset(("napi",))}

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self._rows = Rows(sim)
        self._scratch: Any = None
        self.cores = len(sim.threads)
        self.cell = round_cell(_CELL)
        self.heading = f"{sim.system}, {plural(self.cores, 'core')}, NAPI budget {count(sim.bound)}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        if self._scratch is None:
            self._scratch = self.sim.history.cursor(0)
        return Moment(self.sim, cursor, self._rows, now, self._scratch)

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
    def machine(self, moment: Moment, width: int, height: int, *, wide: bool = False, followed: int | None = None,
                core: int = 0, marked: frozenset[str] = frozenset()) -> list[Drawn]:  # fmt: skip
        """The machine on at most `height` lines. `marked` names the components to show, all when it is empty; cache
        lines among them are shown against the cores."""
        core = min(max(core, 0), self.cores - 1)
        if marked & set(self.sim.memory.by_name):
            return machine.coherence(moment, width, height, marked)
        more = [d for d in (machine.listen_line(moment, width),) if d is not None]
        more.append(Drawn(sides(machine.latency_line(moment, width), "", width)))
        spare = height - self.cores - 2 - len(more)
        if wide and spare >= 6:
            more += [machine.blank(width), *machine.coherence(moment, width, spare - 1, frozenset())]
        out = [*machine.rows(moment, width, max(height - len(more), 4), core), *more]
        return machine.kept(out, self.sim.threads, marked)[:height]

    def coherence(self, moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset()) -> list[Drawn]:
        """The cache lines against the cores: `marked` ones, else those touched now and those that moved most."""
        return machine.coherence(moment, width, height, marked)

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and whether its costs are measured."""
        text = ["not modelled here: congestion control, GRO, the slab's own lines, NUMA, C-states",
                "costs: Arrakis' parts measured, the rest fitted; latencies of lines illustrative"]  # fmt: skip
        caches = self.sim.memory.cores
        if caches < self.cores:
            text.append(f"hyperthreads: core {caches} is core 0's sibling and shares its cache, c0, and so on")
        return [row for t in text for row in prose(t, width, style="dim")]

    def lanes(self, moment: Moment, width: int, rows: int, *, zoom: int = 0, note: str = "",
              followed: int | None = None, core: int = 0, since: int | None = None) -> LanesShown:  # fmt: skip
        """The lanes, `rows` + 3 lines; more cores than rows scroll with `core`. `zoom` in steps of 1, 2, 5.

        `since` (ps): where their first page begins, instead of at the first arrival.
        """
        first = min(max(core - rows // 2, 0), max(self.cores - rows, 0))
        origin = self.origin(moment) if since is None else since
        return timelanes.lanes(moment, width, rows, origin, zoomed(self.cell, zoom), note, followed, first)

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`core 0: packets a poll 1 ▁ 4 ▄ 6 ▆`: its last polls."""
        from ixviz.draw.bar import labelled_levels

        thread = self.sim.threads[core]
        begun = moment.begun(thread.number)
        rows = self._rows.of(thread.number)
        sizes = [self.sim.batches.size[r] for r in rows[max(0, begun - width // 4) : begun]]
        name = f"{core_name(thread.name)}: packets a poll"
        return labelled_levels(name, [(count(s), s) for s in sizes], width, high=max([8, *sizes]))

    # ---------------------------------------------------------------- words
    def words(self, moment: Moment, event: int) -> str:
        """What an event was, in words, without a full stop."""
        return event_words(moment, event)

    def why(self, moment: Moment, packet: int) -> Why:
        """A packet's latency taken apart."""
        from ixviz.system.linux.picture.why import why  # not needed for the first frame

        return why(moment, packet)

    def packet_here(self, moment: Moment) -> int | None:
        """The packet that the present event is about: it arrived, or its core works on it. None before any."""
        packet = moment.packet_of(moment.at)
        if packet is not None:
            return packet
        name = self.sim.history.places[self.sim.history.event(moment.at).subject].name
        if name.startswith("core") and moment.view[name].packet:
            return int(moment.view[name].packet)
        return moment.packets or None

    def core_here(self, moment: Moment) -> int:
        """The core (as an index) that the present event is about: it acts, or its queue gets a packet or interrupts."""
        name = self.sim.history.places[self.sim.history.event(moment.at).subject].name
        for i, thread in enumerate(self.sim.threads):
            parts = (*thread.rings, *thread.vectors)
            if thread.name == name or any(part.name == name for part in parts):
                return i
        return 0

    def journey(self, moment: Moment, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all that happened to a packet up to the moment; `ahead`: as far as recorded."""
        if ahead:
            moment = self.moment(self.sim.history.cursor(len(self.sim.history) - 1))
        if not 1 <= packet <= moment.packets:
            return []
        history, table = self.sim.history, self.sim.feed.packets
        queue = f"q{table.queue[packet]}"
        words = f"{queue} is full: dropped" if moment.dropped(packet) else f"arrives in {queue}"
        out = [(table.event[packet], table.arrives[packet], words)]
        row = moment.batch_of(packet)
        if row is None:
            return out
        poll = self.sim.batches.event[row]
        out.append((poll, history.event(poll).time, f"is taken by {event_words(moment, poll)}"))
        for step in ("steered", "tcp_in", "queued", "read", "app", "write", "sent"):
            event = moment.step(packet, step)
            if event is not None:
                out.append((event, history.event(event).time, event_words(moment, event)))
        return out

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet at the moment."""
        from ixviz.workload.kinds import NAMES

        table = self.sim.feed.packets
        left = moment.left(packet)
        latency = duration(left - table.arrives[packet]) if left is not None else "not yet"
        return [
            ("flow", count(table.flow[packet])), ("kind", NAMES[table.kind[packet]]),
            ("frame", f"{count(table.frame[packet])} B"), ("queue", f"q{table.queue[packet]}"), ("latency", latency),
        ]  # fmt: skip

    def chart(self, moment: Moment, name: str, width: int, height: int, limit: int | None = None) -> Lines:
        """A chart of what happened up to the moment; `name` is one of `charts`."""
        from ixviz.system.linux.picture import charts  # not needed for the first frame

        return charts.draw_chart(moment, name, width, height, limit)


__all__ = ["Drawn", "LanesShown", "Moment", "Picture"]
