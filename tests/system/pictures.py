"""What every picture of a machine has to keep, whatever the system: its widths, its past, parts that add up.
Invariant: what is drawn at a moment is drawn through the picture alone, as the screen does it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from system.runs import scenario

from ixviz.draw.cells import ascii_twin, plain, width
from ixviz.history import Journal
from ixviz.scenario.simulate import picture_of, simulate


def drawn(picture: Any, moment: Any, w: int, h: int) -> str:
    """All that is drawn at a moment, as text; each line of it as wide as was asked, none too many."""
    core = picture.core_here(moment)
    parts = [d.line for d in picture.machine(moment, w, h, wide=w > 100, core=core)]
    assert len(parts) <= h
    parts += [*picture.lanes(moment, w, 4, core=core).lines, picture.levels(moment, w, core)]
    parts += [d.line for d in picture.coherence(moment, w, 12)]
    for line in parts:
        assert width(line) == w and plain([ascii_twin(line)]).isascii()
    for name in picture.charts:
        parts += picture.chart(moment, name, w, 8)
    text: str = plain(parts)
    packet = picture.packet_here(moment)
    if packet is not None:
        text += f"{picture.why(moment, packet)} {picture.journey(moment, packet)}"
        text += str(picture.packet_facts(moment, packet))
    return text + picture.words(moment, moment.at) + picture.doing(moment, core) + str(picture.totals(moment))


def drawn_the_same_later(made: tuple[str, ...], events: int, step: int, more: int) -> None:
    """What is drawn at every `step`-th of so many events is drawn so again when `more` have been recorded."""
    sim: Any = simulate(scenario(*made), Journal())
    picture = picture_of(sim)
    seen = []
    while sim.journal.count < events and sim.record(step):
        event = sim.journal.count - 1
        seen.append((event, drawn(picture, picture.moment(sim.history.cursor(event)), 80, 14)))
    sim.record(more)
    for event, text in seen:
        assert drawn(picture, picture.moment(sim.history.cursor(event)), 80, 14) == text


def drawn_at_places(sim: Any, w: int, h: int) -> None:
    """Something is drawn at the beginning, in the middle and at the end."""
    picture = picture_of(sim)
    last = len(sim.history) - 1
    for event in (0, 1, last // 3, last // 2, last):
        assert drawn(picture, picture.moment(sim.history.cursor(event)), w, h)


def parts_add_up(sim: Any, events: Iterable[int], every: int = 1) -> set[str]:
    """The parts of each `every`-th packet's latency are those of its way, and nothing of later; their texts."""
    picture = picture_of(sim)
    told = set()
    for event in events:
        moment = picture.moment(sim.history.cursor(event))
        for packet in range(1, moment.packets + 1, every):
            why = picture.why(moment, packet)
            assert sum(part.ps or 0 for part in why.parts) == why.total
            assert all(part.ps is None or part.ps > 0 for part in why.parts)
            assert all(part.event <= event for part in why.parts)
            end = moment.left(packet)
            if end is not None:
                assert why.total == end - sim.feed.packets.arrives[packet]
            told |= {part.text for part in why.parts}
    return told
