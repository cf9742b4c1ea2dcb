"""Time lanes of a Linux run: arrivals above, a row a core with on whose account it worked: softirq, kernel, user.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from typing import Any

from ixviz.draw import lanes as draw
from ixviz.system.linux.picture.moment import Moment
from ixviz.system.linux.picture.words import mode
from ixviz.system.packet_lanes import page
from ixviz.system.shown import LanesShown
from ixviz.system.words import core_name

_SHORT = {"softirq": "s", "kernel": "k", "user": "u", "spins": "x"}


def lanes(moment: Moment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
          first: int = 0) -> LanesShown:  # fmt: skip
    """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
    shown = page(moment, width, origin, cell, note, followed)
    cores = [draw.Lane(core_name(t.name), _pieces(moment, t, shown.start))
             for t in moment.sim.threads[first : first + rows]]  # fmt: skip
    lines = draw.lanes(shown.start, shown.end, moment.now, shown.arrivals, cores, width, **shown.more)
    return LanesShown(lines, shown.start, shown.end, shown.columns)


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
