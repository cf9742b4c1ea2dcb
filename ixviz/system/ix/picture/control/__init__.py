"""The picture of a run of which only the control plane was recorded: what the screen asks a system for.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ixviz.draw.cells import Line, Lines, fit
from ixviz.draw.prose import prose
from ixviz.system.ix.picture.control import timelanes, view, words
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture.any_picture import AnyPicture
from ixviz.system.picture.packet_picture import RETA
from ixviz.system.picture.shown import Drawn, LanesShown
from ixviz.system.picture.timewindow import round_cell
from ixviz.system.picture.words import cores_words, plural

_LANES = 8  # threads whose lanes are kept room for


class Picture(AnyPicture):
    """Draws the decisions of a control plane. What the screen follows as a packet is a decision here."""

    charts = ("load and cores", "queues", "power", "latency")
    noun, came, stays, gone, late = "decision", "has been taken", "is under way", "are complete", "come about"
    steps = {"event": None, "migration": frozenset(("migrated",)), "decision": frozenset(("step",))}
    following, group, arrived, way = "of it", "migration", "decisions", "decision to its end"
    condition = "control.step >= 4"
    views: Mapping[str, str] = {"control": "", "flow groups": RETA}
    glossary = words.GLOSSARY

    draw_lanes = staticmethod(timelanes.lanes)
    tell = staticmethod(words.event_words)

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.cores = len(sim.threads)
        span = sim.until or 10**12
        self.cell = round_cell(max(span // 60, 1_000))
        control = sim.control
        self.bound = f"policy {sim.facts.get('policy', '')}"
        by = f", {control.compress} × compressed" if control.compress > 1 else ""
        self.heading = f"{sim.system}, {cores_words(control.cores, self.cores)}, {self.bound}{by}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        return Moment(self.sim, cursor, now)

    def opening(self) -> int:
        """The event a run opens on: the first signals."""
        return 1 if len(self.sim.history) > 1 else 0

    def origin(self, moment: Moment) -> int:
        """Where the first page of the lanes begins (ps)."""
        return 0

    # ---------------------------------------------------------------- the machine
    def machine(self, moment: Moment, width: int, height: int, *, wide: bool = False, followed: int | None = None,
                core: int = 0, marked: frozenset[str] = frozenset()) -> list[Drawn]:  # fmt: skip
        """Signals against thresholds, the last decision and, where there is room, who owns each flow group."""
        if RETA in marked:
            return view.groups(moment, width, height)
        return view.view(moment, width, height)

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and what is compressed."""
        by = self.sim.control.compress
        text = ["watts are illustrative, their ratios count; polling costs as much as working",
                "not modelled here: what a step costs, limits of Turbo, caches of the background job"]  # fmt: skip
        if self.cores > (cores := self.sim.control.cores):
            text.append(f"hyperthreads: core {cores} is core 0's sibling, and so on")
        if by > 1:
            text.insert(0, f"{by} × compressed: the load's times and the control loop's; costs, wire, SLO, timer not")
        return [row for t in text for row in prose(t, width, style="dim")]

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`decided so far: 2 decisions, 3 migrations, 3.87 J`."""
        control = moment.view["control"]
        return fit(f"decided so far: {plural(moment.packets, 'decision')}, {plural(moment.batches, 'migration')}, "
                   f"{control.energy / 1e6:,.2f} J", width)  # fmt: skip

    # ---------------------------------------------------------------- words
    def packet_here(self, moment: Moment) -> int | None:
        """The decision that the present event is part of. None before any."""
        return moment.decision_of(moment.at)

    def core_here(self, moment: Moment) -> int:
        """The thread that the present event is about: the busiest one."""
        return max(0, min(int(moment.view["control"].busiest) - 1, self.cores - 1))

    def doing(self, moment: Moment, core: int) -> str:
        """Whether a thread runs, and its clock."""
        steps = self.sim.control.policy.steps
        runs = core in steps[moment.step].cpus
        return f"runs at {words.ghz(moment.view['control'].clock)}" if runs else "parked"

    def journey(self, moment: Moment, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of a decision and its migrations up to the moment; `ahead`: as far as recorded."""
        moment = self._told(moment, packet, ahead)
        if moment is None:
            return []
        table, migrations = moment.decisions, moment.migrations
        out = [(table.event[packet], table.time[packet], words.decision(moment, packet))]
        for row in moment.moved_for(packet):
            whole = f"{migrations.groups[row]} groups, core {migrations.source[row]} → {migrations.target[row]}"
            out.append((migrations.event[row], migrations.commanded[row], f"{whole}: commanded"))
            if 0 <= migrations.last[row] <= moment.at:
                by = "a packet" if migrations.early[row] else "the timer"
                out.append((migrations.last[row], migrations.ended[row], f"{whole}: done, ended by {by}"))
        return out

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a decision at the moment."""
        table = moment.decisions
        end = moment.left(packet)
        return [("step", f"{table.before[packet]} → {table.after[packet]}"),
                ("fast", f"{table.fast[packet] / 1024:.0f}"), ("slow", f"{table.slow[packet] / 1024:.0f}"),
                ("idle", f"{table.idle[packet] / 65536:.0%}"),
                ("took", words.took(None if end is None else end - table.time[packet]))]  # fmt: skip


__all__ = ["Drawn", "LanesShown", "Moment", "Picture"]
