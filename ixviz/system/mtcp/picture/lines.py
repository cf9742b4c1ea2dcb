"""The cache lines of an mTCP machine drawn against the cores: queues between threads, rings, sockets. None ever moves.
Invariant: `marked` lines are shown, else those just touched and the busiest; all others stand in a fixed order."""

from __future__ import annotations

from ixviz.draw import coherence as draw
from ixviz.draw.cells import fit
from ixviz.draw.rule import label_row
from ixviz.system.picture.coherence_view import net, seen, sharing
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.shown import Drawn


def rows(moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset()) -> list[Drawn]:
    """Lines, a legend, and whether any was shared, on at most `height` lines."""
    memory, view = moment.sim.memory, moment.view
    changed = net(moment.sim.history.changes(moment.at)) if moment.at else {}
    known = [n for n in memory.by_name if n in view]
    shown = [n for n in known if n in marked]
    if not shown:
        touched = {component for component, _ in changed}
        first = sorted(known, key=lambda n: (n not in touched, -view[n].accesses))[: max(height - 3, 1)]
        shown = [n for n in known if n in first]
    table = [draw.LineRow(*each) for each in seen(view, shown, memory.cores, changed)]
    head, *body = draw.coherence(table, memory.cores, width, title="line")
    words = label_row("so far", sharing(view, known, memory.cores), width, 8)
    lines = [(head, ""), *zip(body, shown, strict=True), (draw.legend(memory.protocol.letters, width), ""), (words, "")]
    return [Drawn(fit(row, width), name) for row, name in lines[:height]]
