"""The frame of a packet's why where packets leave each by itself: dropped, still under way, or gone; the parts are a
system's own. Invariant: the parts' times are as the system says, and none of 0 ps is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ixviz.draw.numbers import count, duration
from ixviz.system.picture.moments import JourneyMoment
from ixviz.system.picture.shown import Part, Why


def told(moment: JourneyMoment, packet: int, parts: Callable[[JourneyMoment, int, int], Sequence[Part]],
         notes: Callable[[JourneyMoment, int], list[str]]) -> Why:  # fmt: skip
    """Why `packet` (it has arrived) left when it did, or where it has been so far.

    `parts(moment, packet, until)` divide its time from its arrival until `until` (ps).
    """
    table = moment.sim.feed.packets
    arrived, name = table.arrives[packet], f"packet {count(packet)}"
    if moment.dropped(packet):
        full = Part(None, f"its ring q{table.queue[packet]} was full", table.event[packet])
        return Why(f"Why was {name} dropped?", [full], 0, [])
    end = moment.left(packet)
    until = moment.now if end is None else end
    shown, total = [p for p in parts(moment, packet, until) if p.ps], until - arrived
    if end is None:
        return Why(f"Where has {name} been since it arrived?", shown, total, [])
    return Why(f"Why did {name} leave {duration(total)} after it arrived?", shown, total, notes(moment, packet))
