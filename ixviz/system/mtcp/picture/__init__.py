"""The picture of an mTCP machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import Any

from ixviz.draw.cells import Line, Lines, fit
from ixviz.draw.numbers import count, duration
from ixviz.draw.prose import prose
from ixviz.system.mtcp.core import STEPS
from ixviz.system.mtcp.costs import STAGES
from ixviz.system.mtcp.picture import lines, machine, timelanes
from ixviz.system.mtcp.picture.words import GLOSSARY, KNOBS, doing, event_words
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_picture import PacketPicture
from ixviz.system.picture.shown import Drawn, LanesShown, Totals
from ixviz.system.picture.timewindow import round_cell
from ixviz.system.picture.totals import totals
from ixviz.system.picture.views import seen
from ixviz.system.picture.words import core_name, plural

_STAGES = frozenset((*STAGES, "sent", "asleep", "waits"))
_CELL = 2_000_000  # ps; a hand-over to the application and back takes ten such or more


class Picture(PacketPicture):
    """Draws a recorded mTCP run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    charts = ("batch size", "queue depth", "hand-overs", "throughput", "latency")
    group, condition, knobs, glossary = "round", "core0.events.depth >= 5", KNOBS, GLOSSARY
    steps = {"event": None, "stage": _STAGES, "round": frozenset(("rx",)), "switch": frozenset(("switch",))}

    draw_lanes = staticmethod(timelanes.lanes)
    tell = staticmethod(event_words)
    parts = ("rings", "vectors")

    def __init__(self, sim: Any) -> None:
        super().__init__(sim, round_cell(_CELL))
        self._scratch: Any = None
        self.bound = f"chunk {count(sim.bound)}"
        self.heading = f"{sim.system}, {plural(self.cores, 'core')}, {self.bound}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        if self._scratch is None:
            self._scratch = self.sim.history.cursor(0)
        return Moment(self.sim, cursor, self._rows, now, self._scratch)

    # ---------------------------------------------------------------- the machine
    def machine(self, moment: Moment, width: int, height: int, *, wide: bool = False, followed: int | None = None,
                core: int = 0, marked: frozenset[str] = frozenset()) -> list[Drawn]:  # fmt: skip
        """The machine on at most `height` lines. `marked` names the components to show, all when it is empty; cache
        lines of rings and sockets among them are shown against the cores."""
        threads = self.sim.threads
        core = min(max(core, 0), self.cores - 1)
        if other := seen(self, moment, width, height, marked, followed, core):
            return other
        if any(name in self.sim.memory.by_name and not name.startswith("core") for name in marked):
            return lines.rows(moment, width, height, marked)
        latency = Drawn(fit(machine.latency_line(moment, width), width))
        out = [machine.nic_line(moment, width)]
        blocks = [machine.block(moment, t, width) for t in threads] if self.cores <= 4 else []
        if blocks and 1 + sum(map(len, blocks)) <= height:
            out += [row for block in blocks for row in block]
        else:
            out += machine.block(moment, threads[core], width)
            rest = height - len(out) - 1
            if self.cores > 1 and rest >= 3:
                out += machine.rows(moment, width, min(rest, self.cores + 1), core)
        out.append(latency)
        spare = height - len(out) - 1
        if wide and spare >= 6:
            out += [machine.blank(width), *lines.rows(moment, width, spare)]
        return machine.kept(out, threads, marked)[:height]

    def coherence(self, moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset(),
                  core: int = 0) -> list[Drawn]:  # fmt: skip
        """The cache lines against the cores: `marked` ones, else those touched now and the busiest."""
        return lines.rows(moment, width, height, marked)

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and whether its costs are measured."""
        text = ["not modelled here: congestion control, timers, PCIe transfers, a full TX ring, NUMA",
                f"costs: {self.sim.facts['fitted_to']}; how they divide is illustrative"]  # fmt: skip
        caches = self.sim.memory.cores
        if caches < self.cores:
            text.append(f"hyperthreads: core {caches} is core 0's sibling, with a pair of threads of its own")
        return [row for t in text for row in prose(t, width, style="dim")]

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`core 0: packets a round 1 ▁ 4 ▄ 6 ▆`: the last rounds that found some."""
        from ixviz.draw.bar import labelled_levels

        sizes = self.sizes(moment, core, width // 4)
        name = f"{core_name(self.sim.threads[core].name)}: packets a round"
        return labelled_levels(name, [(count(s), s) for s in sizes], width, high=max([8, *sizes]))

    def totals(self, moment: Moment) -> Totals:
        """What the run had done up to the moment."""
        return totals(moment)

    # ---------------------------------------------------------------- words
    def doing(self, moment: Moment, core: int) -> str:
        """What a core (an index) does at the moment: `tcp: TCP, round of 12`."""
        return doing(moment, self.sim.threads[core])

    def _worked_on(self, moment: Moment, name: str) -> int | None:
        """The first packet of those that a core works on."""
        return (int(moment.view[name].packet) or None) if name.startswith("core") else None

    def journey(self, moment: Moment, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all that happened to a packet up to the moment; `ahead`: as far as recorded."""
        moment = self._told(moment, packet, ahead)
        if moment is None:
            return []
        history, out = self.sim.history, [self._arrival(moment, packet)]
        row = moment.batch_of(packet)
        if row is None:
            return out
        poll = self.sim.batches.event[row]
        out.append((poll, history.event(poll).time, f"is taken: {event_words(moment, poll)}"))
        for step in (*STEPS, "sent"):
            event = moment.step(packet, step)
            if event is not None:
                out.append((event, history.event(event).time, event_words(moment, event)))
        return out

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet at the moment."""
        latency = moment.latency(packet)
        return [*self._facts(packet), ("latency", duration(latency) if latency is not None else "not yet")]


__all__ = ["Drawn", "LanesShown", "Moment", "Picture"]
