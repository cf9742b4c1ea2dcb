"""The picture of an IX machine: what the screen asks a system for, as pure functions of a moment and a size.
Invariant: the screen knows this class by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ixviz.draw import ring
from ixviz.draw.cells import Line, Lines, sides
from ixviz.draw.cells import width as cells
from ixviz.draw.numbers import count, duration
from ixviz.draw.prose import prose
from ixviz.system.ix.costs import STAGES
from ixviz.system.ix.picture import machine, timelanes
from ixviz.system.ix.picture.words import GLOSSARY, KNOBS, doing, event_words
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.packet_picture import PacketPicture, latency_line
from ixviz.system.picture.shown import Drawn, LanesShown, Totals, blank
from ixviz.system.picture.timewindow import round_cell
from ixviz.system.picture.views import seen
from ixviz.system.picture.words import core_name, cores_words, plural

_STAGES = frozenset((*STAGES[1:], "doorbell", "quiescent", "watchdog", "page fault"))


class Picture(PacketPicture):
    """Draws a recorded IX run. `cell` is a good length (ps) for a cell of the lanes, `cores` the number of lanes."""

    knobs, glossary = KNOBS, GLOSSARY
    charts = ("batch size", "queue depth", "throughput", "latency")
    steps = {"event": None, "stage": _STAGES, "batch": frozenset(("poll",))}

    draw_lanes = staticmethod(timelanes.lanes)
    tell = staticmethod(event_words)

    def __init__(self, sim: Any) -> None:
        turn = sim.facts["costs_table"].turn(1) * 10**12 // sim.facts["clock"]
        super().__init__(sim, round_cell(max(turn // 10, 1_000)))
        self._lines = frozenset(sim.memory.names)
        if hasattr(sim, "control"):
            self.views = {**self.views, "control": "control", "migration": "migration"}
        self.bound = f"B {count(sim.bound)}"
        self.heading = f"{sim.system}, {cores_words(sim.memory.cores, self.cores)}, {self.bound}"

    def moment(self, cursor: Any, now: int | None = None) -> Moment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        return Moment(self.sim, cursor, self._rows, now)

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
        if marked & {"control", "migration"} and hasattr(self.sim, "control"):
            return self._control(moment, width, height, marked)
        if other := seen(self, moment, width, height, marked, followed, core):
            return other
        if marked & self._lines:
            return self.coherence(moment, width, height, marked, core)
        if self.cores > 1 and (self.cores >= 6 or wide or 3 * self.cores + 1 > height):
            out = self._rows_form(moment, width, height, wide, followed, core)
            return (out + (self._below(moment, width, height - len(out), core) if wide else []))[:height]
        remarks = [blank(width), *(Drawn(r) for r in self.remarks(width))] if wide else []
        out = machine.wide(moment, width, followed, core) if wide else machine.narrow(moment, width, followed)
        if marked and (keep := [d for d in out if d.name and _means(marked, d.name)]):
            out = [_with_scale(keep[0], moment, width), *keep[1:]] if keep[0].name != "nic" else keep
        below = self._below(moment, width, height - len(out) - len(remarks), core) if wide else []
        return (out + below + remarks)[:height]

    def _below(self, moment: Moment, width: int, room: int, core: int) -> list[Drawn]:
        """The cache lines, where there is room for them and a blank line."""
        if room < 3:
            return []
        from ixviz.system.ix.picture import lines  # not needed for the first frame of a small screen

        return [blank(width), *lines.rows(moment, width, room - 1, core)]

    def _control(self, moment: Moment, width: int, height: int, marked: frozenset[str]) -> list[Drawn]:
        """The control plane, or a migration of it, in place of the machine."""
        from ixviz.system.ix.picture.control import migration, view
        from ixviz.system.ix.picture.control import moment as control

        own = control.Moment(self.sim, moment.cursor, moment.now)
        return migration.panel(own, width, height) if "migration" in marked else view.view(own, width, height)

    def coherence(self, moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset(),
                  core: int = 0) -> list[Drawn]:  # fmt: skip
        """The cache lines against the cores: `marked` ones, else those of a core's last batch and the shared ones."""
        from ixviz.system.ix.picture import lines

        return lines.rows(moment, width, height, core, marked)

    def totals(self, moment: Moment) -> Totals:
        """What the run had done up to the moment."""
        from ixviz.system.ix.picture.totals import totals

        return totals(moment)

    def doing(self, moment: Moment, core: int) -> str:
        """`tcp, batch of 2`, `app in ring 3, batch of 6`, `idle: polls`."""
        return doing(moment.view[self.sim.threads[core].name])

    def _rows_form(
        self, moment: Moment, width: int, height: int, wide: bool, followed: int | None, core: int
    ) -> list[Drawn]:
        rest = 10 if wide and height >= self.cores + 13 else 0
        out = machine.rows(moment, width, min(self.cores + 2, max(height - 1 - rest, 3)), core)
        note = "" if out[0].line and _has(out[0].line, "cell =") else machine.scale_words(moment, width)
        out.append(Drawn(sides(latency_line(moment, width - len(note) - 2), note, width)))
        if rest:
            out += [blank(width), *machine.stages(moment, width, core, followed)]
        return out

    def remarks(self, width: int) -> Lines:
        """What the model leaves out, and whether its costs are measured."""
        text = ["not modelled here: PCIe, cache sizes, congestion control"]
        facts = self.sim.facts
        if facts["costs_are"] == "illustrative":
            text.append("costs are illustrative (round numbers)")
        elif facts["costs"] == "scenario":
            text.append("costs are the scenario's own")
        else:
            text.append("costs: sums fitted to the paper, their split illustrative")
        caches = self.sim.memory.cores
        if caches < self.cores:
            text.append(f"hyperthreads: core {caches} is core 0's sibling and shares its cache, c0, and so on")
        return [row for t in text for row in prose(t, width, style="dim")]

    def levels(self, moment: Moment, width: int, core: int = 0) -> Line:
        """`batch size 1 ▁ 4 ▄ 6 ▆`: the last batches of a core."""
        from ixviz.draw.bar import labelled_levels

        sizes = self.sizes(moment, core, width // 4)
        name = "batch size" if self.cores == 1 else f"{core_name(self.sim.threads[core].name)}: batch size"
        return labelled_levels(name, [(count(s), s) for s in sizes], width, high=max([8, *sizes]))

    # ---------------------------------------------------------------- words
    def _worked_on(self, moment: Moment, name: str) -> int | None:
        """The first packet of the batch that a core has."""
        thread = next((t for t in self.sim.threads if t.name == name), None)
        row = moment.row_at(thread.number, moment.at) if thread else None
        members = moment.members(row) if row else []
        return members[0] if members else None

    def _way(self, moment: Moment, packet: int, row: int) -> Iterator[tuple[int, int, str]]:
        history, batches = self.sim.history, self.sim.batches
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
            yield number, event.time, text

    def _last_of(self, moment: Moment, core: Any, poll: int) -> int:
        """The last event of a core up to the moment."""
        stage = moment.view.slot(f"{core.name}.stage")
        found = self.sim.history.touched([stage], poll, moment.at)
        return int(found[-1]) if len(found) else poll

    def packet_facts(self, moment: Moment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet at the moment."""
        row, latency = moment.batch_of(packet), moment.latency(packet)
        return [*self._facts(packet), ("batch", count(moment.number(row)) if row else "none yet"),
                ("latency", duration(latency) if latency is not None else "not yet")]  # fmt: skip


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
