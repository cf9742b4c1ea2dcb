"""The part of time lanes that systems with packets have: the page of time, arrivals, drops, who is followed, pieces.
Invariant: the window depends on now, the zoom and the width alone, so the same moment always looks the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ixviz.draw import lanes as draw
from ixviz.system.picture.moments import JourneyMoment, Moment
from ixviz.system.picture.shown import LanesShown
from ixviz.system.picture.timewindow import NAME, window
from ixviz.system.picture.words import core_name


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


def pieces(moment: JourneyMoment, thread: Any, start: int,
           mode: Callable[[int], str]) -> list[tuple[int, int | None, str]]:  # fmt: skip
    """(from, to or None while it goes on, what; ps) of a thread since `start`, one for as long as `mode` of its stage
    is the same; idle is left out."""
    history = moment.sim.history
    before = max(history.event_at(start), 0)
    if before > moment.at:
        return []
    _, times, values = history.series(moment.view.slot(f"{thread.name}.stage"), before + 1, moment.at)
    now_at = mode(moment.then(before)[thread.name].stage)
    since = start
    out: list[tuple[int, int | None, str]] = []
    for time, value in zip(times.tolist(), values.tolist(), strict=True):
        next_at = mode(value)
        if next_at == now_at:
            continue
        if now_at != "idle" and time > since:
            out.append((since, time, now_at))
        now_at, since = next_at, time
    return [*out, (since, None, now_at)] if now_at != "idle" else out


def lanes_by(mode: Callable[[int], str], short: Mapping[str, str]) -> Callable[..., LanesShown]:
    """Lanes whose rows show for how long a core's `mode` of its stage was the same; `short` are its words in a cell."""

    def lanes(moment: JourneyMoment, width: int, rows: int, origin: int, cell: int, note: str, followed: int | None,
              first: int = 0) -> LanesShown:  # fmt: skip
        """Axis, arrivals, at most `rows` cores beginning with `first`, and the now row."""
        shown = page(moment, width, origin, cell, note, followed)
        cores = []
        for t in moment.sim.threads[first : first + rows]:
            parts = [draw.Batch(a, b, what, short[what]) for a, b, what in pieces(moment, t, shown.start, mode)]
            cores.append(draw.Lane(core_name(t.name), parts))
        lines = draw.lanes(shown.start, shown.end, moment.now, shown.arrivals, cores, width, **shown.more)
        return LanesShown(lines, shown.start, shown.end, shown.columns)

    return lanes
