"""The picture of a trace: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from typing import Any

import numpy as np

from ixviz.draw.cells import Line, Lines, fit
from ixviz.draw.numbers import duration
from ixviz.draw.prose import prose
from ixviz.system.picture.any_picture import AnyPicture
from ixviz.system.picture.packet_picture import LINES
from ixviz.system.picture.shown import Drawn, LanesShown
from ixviz.system.picture.timewindow import round_cell
from ixviz.system.picture.words import plural
from ixviz.system.trace.picture import machine, timelanes
from ixviz.system.trace.picture.moment import Moment
from ixviz.system.trace.picture.words import GLOSSARY, KNOBS, event_words, line_words, short
from ixviz.system.trace.player import KINDS

_LANES = 4  # cores whose lanes are kept room for
_LEAST = 9  # lines that the view of the lines keeps
_BUS = frozenset(("upgrade", "transfer", "l3", "memory"))


class Picture(AnyPicture):
    """Draws a recorded trace. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes.

    What the screen follows as a packet is an access, and with it its line.
    """

    charts = ("transfers", "misses", "lines")
    noun, came, stays, gone, late = "access", "has been made", "is not done yet", "are done", "take so long"
    steps = {"event": None, "bus": _BUS, "transfer": frozenset(("transfer",))}
    following, group, arrived, way = "line", "transfer", "accesses", "beginning to end"
    condition = "cache0.transfers >= 2"
    knobs, glossary = KNOBS, GLOSSARY
    views = {"machine": "", "cache lines": LINES}

    draw_lanes = staticmethod(timelanes.lanes)
    tell = staticmethod(event_words)

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.cores = sim.memory.cores
        self.cell = round_cell(sim.memory.ps(sim.memory.latencies.transfer) // 6)
        self.bound = sim.memory.protocol.name.upper()
        self.heading = f"trace, {plural(self.cores, 'core')}, {self.bound}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        return Moment(self.sim, cursor, now)

    def opening(self) -> int:
        """The event a run opens on: the first access."""
        events = self.sim.accesses.event
        return events[1] if len(events) > 1 else 0

    def origin(self, moment: Moment) -> int:
        """Where the first page of the lanes begins (ps)."""
        return 0

    # ---------------------------------------------------------------- the machine
    def machine(self, moment: Moment, width: int, height: int, *, wide: bool = False, followed: int | None = None,
                core: int = 0, marked: frozenset[str] = frozenset()) -> list[Drawn]:  # fmt: skip
        """Lines against cores on at most `height` lines. `marked` names the lines to show, all when it is empty; with
        `cache lines` among them there is nothing else."""
        if not wide or LINES in marked:  # room is left for lanes where the screen has so much
            kept = height - 3 - min(self.cores, _LANES)
            room = kept if kept >= 6 and not wide else height
            return machine.view(moment, width, room, marked - {LINES}, LINES in marked)
        more = [machine.sharing_line(moment, width), *machine.set_line(moment, width)]
        cores = [Drawn(fit("", width)), *machine.core_lines(moment, width, self.cores + 1)]
        if height - len(more) - len(cores) >= _LEAST:
            more += cores
        more = more[: max(height - _LEAST, 0)]
        out = machine.view(moment, width, min(height - len(more), moment.lines + 4), marked)
        return [*out, *more]

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and whether its costs are measured."""
        text = ["not modelled here: the queue at the bus, store buffers, prefetching", "latencies are illustrative"]
        return [row for t in text for row in prose(t, width, style="dim")]

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`moves   line 40 ▇ 7   line 41 ▁ 1`: transfers of the lines that moved last."""
        from ixviz.draw.bar import labelled_levels

        places = dict.fromkeys(moment.moves()[::-1][:200].tolist())  # the latest first
        names = [moment.line_at(place) for place in list(places)[: width // 12]][::-1]
        moved = [(name, moment.view[name].transfers) for name in names]
        shown = [(f"{line_words(name)}: {n:,}", float(n)) for name, n in moved]
        return labelled_levels("moves", shown, width) if shown else fit("moves   none yet", width)

    # ---------------------------------------------------------------- words
    def packet_here(self, moment: Moment) -> int | None:
        """The access that the present event is, or the last one before it. None before any."""
        access = moment.access_of(moment.at)
        return access.number if access is not None else moment.packets or None

    def core_here(self, moment: Moment) -> int:
        """The core of the present access."""
        access = moment.access_of(moment.at)
        return access.core if access is not None else 0

    def journey(self, moment: Moment, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all accesses to an access's line up to the moment; `ahead`: as far as recorded."""
        moment = self._told(moment, packet, ahead)
        if moment is None:
            return []
        numbers = self.sim.trace.numbers[: moment.packets]
        rows = (np.flatnonzero(numbers == numbers[packet - 1]) + 1).tolist()
        made = (moment.access(row) for row in rows)
        return [(access.event, access.begins, short(access, KINDS[1:6])) for access in made]

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of an access at the moment."""
        access = moment.access(packet)
        number = self.sim.caches.set_of(access.address)
        took = duration(access.ends - access.begins) if moment.left(packet) is not None else "not yet done"
        facts = [("core", str(access.core)), ("does", "write" if access.write else "read"),
                 ("address", f"{access.address:#x}"), ("line", f"{access.line:x}")]  # fmt: skip
        if number is not None:
            facts.append(("set", str(number)))
        return [*facts, ("took", took)]


__all__ = ["Drawn", "LanesShown", "Moment", "Picture"]
