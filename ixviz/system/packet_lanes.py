"""The part of time lanes that all systems with packets have: the page of time, arrivals, drops, who is followed.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ixviz.system.pictures import Moment
from ixviz.system.timewindow import NAME, window


class Page(NamedTuple):
    """A page of time (ps) of so many columns; `more` is what draw.lanes wants besides the cores."""

    start: int
    end: int
    columns: int
    arrivals: Sequence[int]
    more: dict[str, Any]


def page(moment: Moment, width: int, origin: int, cell: int, note: str, followed: int | None) -> Page:
    """The page that now is on; `note` is cut to what fits beside now."""
    columns = max(width - NAME, 1)
    start, end = window(moment.now, origin, cell, columns)
    packets = moment.sim.feed.packets
    a, b = moment.arrivals(start, end)
    at = (moment.now - start) // cell
    if note and len(note) + 6 > at and at + 9 + len(note) > columns:
        note = "later is hidden"
    drops = [packets.arrives[p] for p in range(a, b) if packets.batch[p] == -2 and moment.dropped(p)]
    marked = {packets.arrives[followed]: "P"} if followed is not None and followed <= moment.packets else None
    more = {"drops": drops, "marked": marked, "note": note, "name_width": NAME}
    return Page(start, end, columns, packets.arrives[a:b], more)
