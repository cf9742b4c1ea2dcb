"""Power of a processor package from what runs on it: cores, their hyperthreads, the clock.
Invariant: whole milliwatts by integer arithmetic; more cores, hyperthreads or clock never take less."""

from __future__ import annotations

from dataclasses import dataclass

from ixviz.machine.profile import PROFILES

FJ = 10**9  # fJ in a µJ: 1 mW for 1 ps is 1 fJ


@dataclass(frozen=True)
class Power:
    """What a package takes, in mW. Static and dynamic: uncore + idle cores + cores in use, one of these
    static + dynamic × f V² (both as shares of those at the highest clock), the textbook form for CMOS.

    No source gives these for our processor: all are illustrative. They are chosen so that two figures come out: 91 W at
    the most (8 cores, 16 hyperthreads, Turbo; [recalled], facts 1.10) and about a third of that for one core at the
    lowest clock, as is usual where L3, memory controller and links stay awake while any core is (illustrative).
    """

    uncore: int  # L3, memory controller, links: as long as any core runs [illustrative]
    idle: int  # a core parked in a deep C-state [illustrative]
    static: int  # leakage and clock tree of a core in use [illustrative]
    dynamic: int  # of a core in use with one hyperthread, at the highest clock [illustrative]
    hyperthread: int  # percent of its dynamic power that a core's second hyperthread adds [illustrative]
    lowest: tuple[int, int]  # clock (Hz) and voltage (mV) of the lowest P-state [clock: code; voltage: illustrative]
    highest: tuple[int, int]  # the same of Turbo [recalled; illustrative]

    def microvolts(self, clock: int) -> int:
        """The voltage for a clock (Hz): on the line between the two, and the nearer of theirs outside."""
        (low, below), (high, above) = self.lowest, self.highest
        within = min(max(clock, low), high) - low
        return below * 1000 + (above - below) * 1000 * within // (high - low)

    def core(self, clock: int, both: bool) -> int:
        """mW of a core in use at a clock (Hz), with one hyperthread or both.

        In use is what polls, works or does both: a polling loop takes as much with packets as without.
        """
        top, volts = self.highest[0], self.highest[1] * 1000
        dynamic = self.dynamic * clock * self.microvolts(clock) ** 2 // (top * volts**2)
        return self.static + (dynamic * (100 + self.hyperthread) // 100 if both else dynamic)


POWER = {
    PROFILES["e5-2665"].name: Power(
        uncore=25_520, idle=300, static=1_200, dynamic=6_350, hyperthread=10,
        lowest=(PROFILES["e5-2665"].clocks[0], 800), highest=(PROFILES["e5-2665"].turbo, 1_050),
    )
}  # fmt: skip


def watts(power: Power, using: int, both: int, cores: int, clock: int) -> int:
    """The power of a package of `cores` cores in mW, `using` of them in use, `both` of these with both hyperthreads.

    The others are parked. ValueError for more cores than there are.
    """
    if not 0 <= both <= using <= cores:
        raise ValueError(f"{both} of {using} of {cores} cores: each is at most the next")
    one = (using - both) * power.core(clock, False)
    return power.uncore + (cores - using) * power.idle + one + both * power.core(clock, True)


def energy(mw: int, ps: int, rest: int = 0) -> tuple[int, int]:
    """What `mw` take in `ps`: whole µJ, and the rest in fJ, to be given to the next call so that nothing is lost."""
    return divmod(mw * ps + rest, FJ)
