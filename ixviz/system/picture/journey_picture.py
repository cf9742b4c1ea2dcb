"""What pictures of systems do alike whose packets leave each by itself, every step of their ways an event.
Invariant: the screen knows a picture by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ixviz.draw.cells import Line
from ixviz.draw.numbers import count, duration
from ixviz.system.picture.moments import JourneyMoment
from ixviz.system.picture.packet_picture import PacketPicture
from ixviz.system.picture.shown import Totals
from ixviz.system.picture.timewindow import round_cell
from ixviz.system.picture.totals import totals
from ixviz.system.picture.words import core_name, cores_words


class JourneyPicture(PacketPicture):
    """`bound` says what limits a `group` of packets; `way_steps` are the columns of the journeys in their order."""

    parts = ("rings", "vectors")
    way_steps: Sequence[str]

    def __init__(self, sim: Any, cell: int, bound: str) -> None:
        super().__init__(sim, round_cell(cell))
        self._scratch: Any = None  # made when a moment is first looked at: a whole run has no history
        self.bound = bound
        self.heading = f"{sim.system}, {cores_words(sim.memory.cores, self.cores)}, {bound}"

    def moment(self, cursor: Any, now: int | None = None) -> JourneyMoment:
        """The moment at which a cursor stands, shown as of `now` (ps)."""
        if self._scratch is None:
            self._scratch = self.sim.history.cursor(0)
        return JourneyMoment(self.sim, cursor, self._rows, now, self._scratch)

    def levels(self, moment: JourneyMoment, width: int, core: int = 0) -> Line:
        """`core 0: packets a poll 1 ▁ 4 ▄ 6 ▆`: its last groups that had some."""
        from ixviz.draw.bar import labelled_levels

        sizes = self.sizes(moment, core, width // 4)
        name = f"{core_name(self.sim.threads[core].name)}: packets a {self.group}"
        return labelled_levels(name, [(count(s), s) for s in sizes], width, high=max([8, *sizes]))

    def totals(self, moment: JourneyMoment) -> Totals:
        """What the run had done up to the moment."""
        return totals(moment)

    def _worked_on(self, moment: JourneyMoment, name: str) -> int | None:
        """The (first) packet that a core works on."""
        return (int(moment.view[name].packet) or None) if name.startswith("core") else None

    def _way(self, moment: JourneyMoment, packet: int, row: int) -> Iterator[tuple[int, int, str]]:
        history, poll = self.sim.history, self.sim.batches.event[row]
        yield poll, history.event(poll).time, f"is taken: {self.words(moment, poll)}"
        for step in self.way_steps:
            event = moment.step(packet, step)
            if event is not None:
                yield event, history.event(event).time, self.words(moment, event)

    def packet_facts(self, moment: JourneyMoment, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet at the moment."""
        latency = moment.latency(packet)
        return [*self._facts(packet), ("latency", duration(latency) if latency is not None else "not yet")]
