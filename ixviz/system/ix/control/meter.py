"""The meter: what the package takes, the energy so far, and the cycles that the free cores had for a background job.
Invariant: from one reading to the next the power is what it was after the first; no energy is lost to rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ixviz.history import Component, field
from ixviz.machine.power import POWER, energy, watts
from ixviz.machine.profile import Profile
from ixviz.system.ix.control.steps import per_core

Watts = Callable[[Sequence[int], int], int]  # (threads in use, their clock in Hz) → mW


def watts_of(profile: Profile, cores: int) -> Watts:
    """The package's power by threads in use and clock, mW."""
    table = POWER[profile.name]

    def power(using: Sequence[int], clock: int) -> int:
        each = per_core(using, cores)
        return watts(table, cores - each.count(0), each.count(2), cores, clock)

    return power


def cycles(mhz: int, ps: int) -> int:
    """Whole cycles of so many MHz in a time."""
    return mhz * ps // 10**6


def standalone(cores: int, turbo: int, ps: int) -> int:
    """The cycles of a background job that has all cores to itself at Turbo (Hz), in a time."""
    return cycles(cores * (turbo // 10**6), ps)


class Meter(Component):
    """Energy is exact, and what polls takes as much as what works (see machine.power)."""

    power: int = field(doc="package power, mW (illustrative)")
    energy: int = field(doc="energy so far, µJ (illustrative)")
    rest: int = field(doc="what is left of the energy, fJ", hidden=True)
    since: int = field(unit="ps", doc="since when the power is what it is", hidden=True)
    spare: int = field(doc="MHz of the cores that Linux has, together", hidden=True)
    background: int = field(unit="cycles", doc="cycles that these cores had so far", hidden=True)

    # wiring, set by build
    cores: int
    watts: Watts

    def read(self, using: Sequence[int], clock: int, now: int) -> None:
        """Count up to now at the power so far; from now on `using` are the threads in use, at `clock` (Hz)."""
        if now > self.since:
            self.energy, self.rest, self.background = self._until(now)
            self.since = now
        self.power = self.watts(using, clock)
        self.spare = per_core(using, self.cores).count(0) * (clock // 10**6)

    def spent(self, now: int) -> tuple[int, int]:
        """Energy (µJ) and cycles of the background job up to now."""
        joule, _, free = self._until(now)
        return joule, free

    def _until(self, now: int) -> tuple[int, int, int]:
        span = now - self.since
        more, rest = energy(self.power, span, self.rest)
        return self.energy + more, rest, self.background + cycles(self.spare, span)
