"""The picture of a Linux machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import Any

from ixviz.draw.cells import Lines, sides
from ixviz.draw.numbers import count
from ixviz.draw.prose import prose
from ixviz.system.linux.costs import STAGES
from ixviz.system.linux.picture import machine
from ixviz.system.linux.picture.words import GLOSSARY, KNOBS, doing, event_words, mode
from ixviz.system.picture.journey_picture import JourneyPicture
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_lanes import lanes_by
from ixviz.system.picture.packet_picture import latency_line
from ixviz.system.picture.shown import Drawn, blank
from ixviz.system.picture.views import seen

_STAGES = frozenset((*STAGES, "raise", "sent"))
_CELL = 500_000  # ps; a request takes 30 such


class Picture(JourneyPicture):
    """Draws a recorded Linux run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    charts = ("batch size", "queue depth", "throughput", "latency", "transfers")
    group, condition, knobs, glossary = "poll", "nic.q0.depth >= 2", KNOBS, GLOSSARY
    steps = {"event": None, "stage": _STAGES, "poll": frozenset(("napi",))}

    way_steps = ("steered", "tcp_in", "queued", "read", "app", "write", "sent")

    draw_lanes = staticmethod(lanes_by(mode, {"softirq": "s", "kernel": "k", "user": "u", "spins": "x"}))
    tell = staticmethod(event_words)

    def __init__(self, sim: Any) -> None:
        super().__init__(sim, _CELL, f"NAPI budget {count(sim.bound)}")

    # ---------------------------------------------------------------- the machine
    def machine(self, moment: Moment, width: int, height: int, *, wide: bool = False, followed: int | None = None,
                core: int = 0, marked: frozenset[str] = frozenset()) -> list[Drawn]:  # fmt: skip
        """The machine on at most `height` lines. `marked` names the components to show, all when it is empty; cache
        lines among them are shown against the cores."""
        core = min(max(core, 0), self.cores - 1)
        if other := seen(self, moment, width, height, marked, followed, core):
            return other
        if marked & set(self.sim.memory.by_name):
            return machine.coherence(moment, width, height, marked)
        more = [d for d in (machine.listen_line(moment, width),) if d is not None]
        more.append(Drawn(sides(latency_line(moment, width), "", width)))
        spare = height - self.cores - 2 - len(more)
        if wide and spare >= 6:
            more += [blank(width), *machine.coherence(moment, width, spare - 1, frozenset())]
        out = [*machine.rows(moment, width, max(height - len(more), 4), core), *more]
        return machine.kept(out, self.sim.threads, marked)[:height]

    def coherence(self, moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset(),
                  core: int = 0) -> list[Drawn]:  # fmt: skip
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

    # ---------------------------------------------------------------- words
    def doing(self, moment: Moment, core: int) -> str:
        """What a core (an index) does at the moment: `softirq: NAPI, 3 of 64`."""
        return doing(moment, self.sim.threads[core])
