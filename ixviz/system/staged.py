"""A hardware thread that does one stage after the other: when a stage ends, also while its sibling is busy.
Invariant: a stage ends at anchor + ceil(cycles / speed), at the same picosecond whatever is watched."""

from __future__ import annotations

from typing import Any

from ixviz.machine.agenda import Alarm
from ixviz.machine.lines import Lines
from ixviz.machine.thread import UNIT, Thread
from ixviz.machine.wire import PS


class Staged(Thread):
    """What such threads have in common. A system declares the slots: `stage` (0 is idle), `work` (cycles of the stage,
    in 1/2^20) and `owed` (cycles to be added to the next stage)."""

    stage: int
    work: int
    owed: int

    # wiring, set by build
    clock: int  # Hz, alone on its core
    shared: int  # Hz, while its sibling is active too
    sibling: Any
    lines: Lines
    alarm: Alarm

    @property
    def active(self) -> bool:
        """Whether it takes cycles from its sibling."""
        return self.stage != 0

    def retune(self, now: int) -> None:
        """After a resume: a clock that a what-if has changed holds at once, costs from the next stage on."""
        busy = self.active
        speed = self.shared if self.sibling is not None and busy and self.sibling.active else self.clock
        if self.speed != speed:
            self.set_speed(speed, now, busy)
            if busy and self.alarm.at > now:
                self.alarm.arm(max(now, self.end_of(self.work)))

    def cycles(self, ps: int) -> int:
        """So many ps in cycles at the nominal clock, rounded up."""
        return -(-ps * self.lines.hz // PS)

    def _run(self, stage: int, cycles: int, now: int) -> None:
        """The thread does `stage` for so many cycles, and what it owes, from now on. After the event that begins it."""
        self._run_units(stage, (cycles + self.owed) * UNIT, now)
        if self.owed:
            self.owed = 0

    def _run_units(self, stage: int, work: int, now: int) -> None:
        self.stage = stage
        self.work = work
        self._from_start(now)
        self.alarm.arm(self.end_of(work))

    def _rest(self, stage: int, now: int) -> None:
        """The thread is idle or spins: it wakes when somebody arms it."""
        self.stage = stage
        self._from_start(now)

    def _from_start(self, now: int) -> None:
        """The stage that was set is at its very beginning."""
        if self.anchor:
            self.anchor = 0
        if self.position:
            self.position = 0
        if self.sibling is not None:
            self._pace(now)

    def _pace(self, now: int) -> None:
        """Two busy siblings share the core. After the stage was set, at its very beginning."""
        other = self.sibling
        speed = self.shared if self.active and other.active else self.clock
        if self.speed != speed:
            self.speed = speed
        if other.active and other.speed != speed:
            other.set_speed(speed, now, True)
            if other.alarm.at > now:
                other.alarm.arm(max(now, other.end_of(other.work)))
