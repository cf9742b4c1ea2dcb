"""A hardware thread: its clock, the batch it runs, its busy and idle time.
Invariant: busy + idle = the time of its last transition; every stage ends at anchor + ceil(cycles / speed)."""

from __future__ import annotations

from ixviz.history import Component, field
from ixviz.machine.wire import PS

UNIT = 1 << 20  # cycles are kept in 1/2^20 where a draw or a change of speed makes fractions


class Thread(Component):
    """What is common to hardware threads of every system. `speed` in Hz; times in ps; `position` in cycles / 2^20."""

    speed: int = field(unit="Hz", doc="cycles per second now", hidden=True)
    began: int = field(unit="ps", doc="when it last began or ended a turn")
    anchor: int = field(unit="ps", doc="when the speed was last set within this turn, 0 = not", hidden=True)
    position: int = field(doc="cycles done at the anchor, in 1/2^20", hidden=True)
    busy: int = field(unit="ps", doc="time spent in turns")
    idle: int = field(unit="ps", doc="time spent polling with nothing to do")

    def end_of(self, cycles: int) -> int:
        """When the work up to `cycles` (in 1/2^20, from the start of the turn) is done, at the present speed; ps."""
        since = self.anchor or self.began
        if cycles <= self.position:  # done before the speed changed, within the last picosecond
            return since
        return since - (self.position - cycles) * PS // (self.speed * UNIT)  # minus a negative's floor: a ceiling

    def set_speed(self, hz: int, now: int, running: bool) -> None:
        """Change the speed; work done so far in a running turn is kept (rounded down to 1/2^20 cycle)."""
        if running:
            self.position += (now - (self.anchor or self.began)) * self.speed * UNIT // PS
            self.anchor = now
        self.speed = hz
