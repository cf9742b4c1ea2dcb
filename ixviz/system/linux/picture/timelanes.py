"""Time lanes of a Linux run: arrivals above, a row a core with on whose account it worked: softirq, kernel, user.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from ixviz.draw import lanes as draw
from ixviz.system.linux.picture.words import mode
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.packet_lanes import page, pieces
from ixviz.system.picture.shown import LanesShown
from ixviz.system.picture.words import core_name

_SHORT = {"softirq": "s", "kernel": "k", "user": "u", "spins": "x"}


def lanes(moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
          first: int = 0) -> LanesShown:  # fmt: skip
    """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
    shown = page(moment, width, origin, cell, note, followed)
    cores = []
    for t in moment.sim.threads[first : first + rows]:
        parts = [draw.Batch(a, b, what, _SHORT[what]) for a, b, what in pieces(moment, t, shown.start, mode)]
        cores.append(draw.Lane(core_name(t.name), parts))
    lines = draw.lanes(shown.start, shown.end, moment.now, shown.arrivals, cores, width, **shown.more)
    return LanesShown(lines, shown.start, shown.end, shown.columns)
