"""The picture of an mTCP machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import Any

from ixviz.draw.cells import Lines, fit
from ixviz.draw.numbers import count
from ixviz.draw.prose import prose
from ixviz.system.mtcp.core import STEPS
from ixviz.system.mtcp.costs import STAGES
from ixviz.system.mtcp.picture import lines, machine
from ixviz.system.mtcp.picture.words import GLOSSARY, KNOBS, doing, event_words, mode
from ixviz.system.picture.journey_picture import JourneyPicture
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_lanes import lanes_by
from ixviz.system.picture.packet_picture import latency_line
from ixviz.system.picture.shown import Drawn, blank
from ixviz.system.picture.views import seen

_STAGES = frozenset((*STAGES, "sent", "asleep", "waits"))
_CELL = 2_000_000  # ps; a hand-over to the application and back takes ten such or more


class Picture(JourneyPicture):
    """Draws a recorded mTCP run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    charts = ("batch size", "queue depth", "hand-overs", "throughput", "latency")
    group, condition, knobs, glossary = "round", "core0.events.depth >= 5", KNOBS, GLOSSARY
    steps = {"event": None, "stage": _STAGES, "round": frozenset(("rx",)), "switch": frozenset(("switch",))}

    way_steps = (*STEPS, "sent")

    draw_lanes = staticmethod(lanes_by(mode, {"tcp": "t", "app": "a", "switch": "s"}))
    tell = staticmethod(event_words)

    def __init__(self, sim: Any) -> None:
        super().__init__(sim, _CELL, f"chunk {count(sim.bound)}")

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
        latency = Drawn(fit(latency_line(moment, width), width))
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
            out += [blank(width), *lines.rows(moment, width, spare)]
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

    # ---------------------------------------------------------------- words
    def doing(self, moment: Moment, core: int) -> str:
        """What a core (an index) does at the moment: `tcp: TCP, round of 12`."""
        return doing(moment, self.sim.threads[core])
