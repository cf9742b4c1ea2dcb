"""Profiles: the constants of a real machine, each with its source.
Invariant: no constant of hardware is typed anywhere else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Latencies:
    """Cycles until a core has a line, by where its data are. They include the look into its own cache.

    `own` the core's own cache · `l3` the shared L3 · `transfer` another core's cache, which had the line to itself ·
    `memory` · `upgrade`: it has a shared copy and the others have to be told before it may write.
    """

    own: int
    l3: int
    transfer: int
    memory: int
    upgrade: int


@dataclass(frozen=True)
class Profile:
    """Constants of a server and its NIC. Sources: [paper], [code], [derived] as graded in the model's page."""

    name: str
    clock: int  # Hz, nominal [paper]
    cores: int  # physical cores on one socket [paper]
    hyperthread_gain: int  # percent that a second busy hyperthread adds to a core [derived: .53 against .48 M/s]
    clocks: tuple[int, ...]  # Hz, the P-states from the lowest to the nominal one [code: 13 of them, 1.2 … 2.4 GHz]
    turbo: int  # Hz, with all cores busy [recalled]
    reta: int  # entries of the redirection table [code]
    one_way_nics: int  # ps, a pair of NICs end to end [paper]
    switch: int  # ps, one switch: "a few hundred ns" [paper], 300 taken here
    latencies: Latencies  # no source for this processor: all illustrative, of the order usual for its generation

    @property
    def shared_speed(self) -> int:
        """Percent of the clock that each of two busy hyperthreads of a core gets."""
        return (100 + self.hyperthread_gain) // 2


PROFILES = {
    "e5-2665": Profile(
        name="Intel Xeon E5-2665, 82599",
        clock=2_400_000_000,
        cores=8,
        hyperthread_gain=12,
        clocks=tuple(range(1_200_000_000, 2_400_000_001, 100_000_000)),
        turbo=2_800_000_000,
        reta=128,
        one_way_nics=3_000_000,
        switch=300_000,
        latencies=Latencies(own=4, l3=40, transfer=75, memory=190, upgrade=65),
    )
}
