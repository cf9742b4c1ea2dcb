"""Time lanes of a Linux run: arrivals above, a row a core with on whose account it worked: softirq, kernel, user.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from typing import Any, NamedTuple

from ixviz.draw import lanes as draw
from ixviz.draw.cells import Lines
from ixviz.system.linux.picture.moment import Moment
from ixviz.system.linux.picture.words import core_name, mode
from ixviz.system.timewindow import window

NAME = 11  # cells of the lanes' names
_SHORT = {"softirq": "s", "kernel": "k", "user": "u", "spins": "x"}


class LanesShown(NamedTuple):
    """The lines, and the window they show (ps), for a click to become a time."""

    lines: Lines
    start: int
    end: int
    columns: int


def lanes(moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
          first: int = 0) -> LanesShown:  # fmt: skip
    """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
    columns = max(width - NAME, 1)
    start, end = window(moment.now, origin, cell, columns)
    packets = moment.sim.feed.packets
    a, b = moment.arrivals(start, end)
    at = (moment.now - start) // cell
    if note and len(note) + 6 > at and at + 9 + len(note) > columns:
        note = "later is hidden"
    drops = [packets.arrives[p] for p in range(a, b) if packets.batch[p] == -2 and moment.dropped(p)]
    marked = {packets.arrives[followed]: "P"} if followed is not None and followed <= moment.packets else None
    cores = [draw.Lane(core_name(t.name), _pieces(moment, t, start)) for t in moment.sim.threads[first : first + rows]]
    lines = draw.lanes(start, end, moment.now, packets.arrives[a:b], cores, width, drops=drops, marked=marked,
                       note=note, name_width=NAME)  # fmt: skip
    return LanesShown(lines, start, end, columns)


def _pieces(moment: Moment, thread: Any, start: int) -> list[draw.Batch]:
    """What a core did since `start`, one piece for as long as it worked on the same account."""
    history = moment.sim.history
    before = max(history.event_at(start), 0)
    if before > moment.at:
        return []
    slot = moment.view.slot(f"{thread.name}.stage")
    _, times, values = history.series(slot, before + 1, moment.at)
    now_at = mode(moment.then(before)[thread.name].stage)
    since, out = start, []
    for time, value in zip(times.tolist(), values.tolist(), strict=True):
        next_at = mode(value)
        if next_at == now_at:
            continue
        if now_at != "idle" and time > since:
            out.append(draw.Batch(since, time, now_at, _SHORT[now_at]))
        now_at, since = next_at, time
    if now_at != "idle":
        out.append(draw.Batch(since, None, now_at, _SHORT[now_at]))
    return out
