"""Looks for the next difference, forward and back, among those that are recorded.
Invariant: what is found depends on the place and on what is looked for, never on how far is recorded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ixviz.compare.differences import KINDS, Difference, differences, event_of, lock_got
from ixviz.compare.lockstep import BY_PACKET, Lockstep
from ixviz.compare.run import Run

NEWS, ANY = "news", "any"
WANTED = (NEWS, ANY, *KINDS)  # what may be looked for: `news` is the first of each kind, and gaps larger than before
_LARGER = 1.25  # so many times the largest before


class Finder:
    """The differences of a lockstep: `known` are those before `edge` (ps; None: to the end of all runs)."""

    def __init__(self, lock: Lockstep) -> None:
        self.lock = lock
        self.edge: int | None = 0
        self.known: list[Difference] = []
        self._news: set[int] = set()
        self._passed: set[int] = set()

    def at(self) -> list[Difference]:
        """Those that show at the present event, in the order of KINDS."""
        lock, place = self.lock, self.lock.place
        time = lock.runs[place.run].time(place.event)
        if self.edge is not None and time >= self.edge:
            self.look()
        here = [each for each in self.known if each.time == time and each.run == place.run
                and event_of(lock.runs, each) == place.event]  # fmt: skip
        return sorted(here, key=lambda each: KINDS.index(each.kind))

    def look(self) -> None:
        """Look through all that is recorded."""
        self.edge = self.lock.edge()
        self.known = differences(self.lock.runs, self.edge)
        self._news = _news(self.known)
        self._passed = passed(self.lock.runs, self.known)

    def target(self, by: int, wanted: str) -> Difference | None:
        """The next (by = 1) or previous difference of a kind, or of `any` or `news`; None if none is recorded. While
        the runs are aligned by packet, of those that are about one."""
        found = self._target(by, wanted)
        if found is None and by > 0 and self.edge != self.lock.edge():
            self.look()
            found = self._target(by, wanted)
        return found

    def _target(self, by: int, wanted: str) -> Difference | None:
        lock = self.lock
        time = lock.runs[lock.place.run].time(lock.place.event)
        here = (time, lock.place.run, lock.place.event)
        numbered = enumerate(self.known) if by > 0 else reversed(list(enumerate(self.known)))
        for number, each in numbered:
            if (each.time < time) if by > 0 else (each.time > time):
                continue
            if (wanted == NEWS and number not in self._news) or (lock.align == BY_PACKET and not each.key):
                continue
            if number in self._passed:
                continue
            if wanted not in (NEWS, ANY) and each.kind != wanted:
                continue
            there = (each.time, each.run, event_of(lock.runs, each))
            if (there > here) if by > 0 else (there < here):
                return each
        return None


def passed(runs: Sequence[Run], among: Sequence[Difference]) -> set[int]:
    """Which of the waits for a lock nobody is led to: those that begin while the core of an earlier one, to which one
    is led, still waits. Behind a lock that is fought for dozens begin while one lasts."""
    out = set()
    for side in {(each.run, each.other) for each in among if each.kind == "waits"}:
        mine = [n for n, each in enumerate(among) if each.kind == "waits" and (each.run, each.other) == side]
        got = lock_got(runs[side[0]], np.array([among[n].event for n in mine], dtype=np.int64))
        until = -1  # the event with which the wait ends that one was led to last
        for number, ends in zip(mine, got.tolist(), strict=True):
            if among[number].event < until:
                out.add(number)
            else:
                until = ends
    return out


def _news(among: Sequence[Difference]) -> set[int]:
    """The first of each kind in each run, and each gap that is much larger than all before it."""
    seen: set[tuple[str, int]] = set()
    largest = 0.0
    out = set()
    for number, each in enumerate(among):
        gap = abs(each.data[0] - each.data[1]) if each.kind == "later" else 0
        if (each.kind, each.run) not in seen or gap >= _LARGER * largest > 0:
            seen.add((each.kind, each.run))
            out.add(number)
            largest = max(largest, float(gap))
    return out
