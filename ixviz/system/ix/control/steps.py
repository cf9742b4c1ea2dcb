"""The step tables: what each step of a policy gives the dataplane, made from a processor's cores and clocks.
Invariant: each step has all that the step before it has, and one thing more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ixviz.machine.profile import Profile

_MARGIN = 1.2  # all thresholds of idleness, times this [code, facts 1.7]
_HYPERTHREADS = 1 - 1 / 1.3  # a core's second hyperthread counts for 30 %
_TURBO = 0.1
NEVER = float("inf")


@dataclass(frozen=True)
class Step:
    """The hardware threads that run the dataplane, in the order in which they get flow groups, and their clock (Hz).

    `idle`: how idle (0 … 1) the threads must be on the average before the step is taken back. `adds` is what it adds to
    the one before, in words. Thread i is core i's first hyperthread, thread cores + i its second.
    """

    cpus: tuple[int, ...]
    clock: int
    idle: float
    adds: str


def per_core(threads: Iterable[int], cores: int) -> list[int]:
    """Of each core how many of its hardware threads are among `threads`."""
    counts = [0] * cores
    for thread in threads:
        counts[thread % cores] += 1
    return counts


def by_whole_cores(steps: Sequence[Step], cores: int) -> bool:
    """Whether the steps give and take cores with both hyperthreads and nothing less: the rest is for another job."""
    return len(steps) > 1 and all(set(per_core(step.cpus, cores)) <= {0, 2} for step in steps)


def eff(profile: Profile, cores: int) -> list[Step]:
    """For energy [code]: cores 1 … n at the lowest clock, then their hyperthreads, then clock by clock to Turbo."""
    lowest, *higher = profile.clocks
    made = [Step(tuple(range(n)), lowest, 1 / n * _MARGIN if n > 1 else NEVER, f"core {n - 1}")
            for n in range(1, cores + 1)]  # fmt: skip
    everything = tuple(range(2 * cores))
    made.append(Step(everything, lowest, _HYPERTHREADS * _MARGIN, "the hyperthreads"))
    return made + _clocks(everything, lowest, higher, profile.turbo)


def back(profile: Profile, cores: int) -> list[Step]:
    """For consolidation [code]: cores 1 … n with both hyperthreads at the nominal clock, then Turbo."""
    made = [Step((*range(n), *range(cores, cores + n)), profile.clock, 1 / n * _MARGIN if n > 1 else NEVER,
                 f"core {n - 1}") for n in range(1, cores + 1)]  # fmt: skip
    return made + _clocks(made[-1].cpus, profile.clock, [], profile.turbo)


def minmax(profile: Profile, cores: int) -> list[Step]:
    """All or nothing [code]: one hardware thread at the lowest clock, or all of them at Turbo."""
    least = Step((0,), profile.clocks[0], NEVER, "core 0")
    return [least, Step(tuple(range(2 * cores)), profile.turbo, _TURBO * _MARGIN, "everything")]


def static(profile: Profile, cores: int) -> list[Step]:
    """What does not change: all hardware threads at Turbo."""
    return [Step(tuple(range(2 * cores)), profile.turbo, NEVER, "everything")]


TABLES = {"eff": eff, "back": back, "minmax": minmax, "static": static}


def _clocks(cpus: tuple[int, ...], before: int, clocks: Sequence[int], turbo: int) -> list[Step]:
    made = []
    for clock in clocks:
        made.append(Step(cpus, clock, (clock - before) / clock * _MARGIN, f"{clock / 1e9:.1f} GHz"))
        before = clock
    return [*made, Step(cpus, turbo, _TURBO * _MARGIN, "Turbo")]
