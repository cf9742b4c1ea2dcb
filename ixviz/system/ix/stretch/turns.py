"""The turns of a stretch as columns, and when each event of each turn happens.
Invariant: core by core and in order, so that what a core counts is a sum over its turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

import numpy as np

from ixviz.system.ix.costs import POLL, TX
from ixviz.system.ix.dataplane import Dataplane

Ints = np.ndarray[Any, np.dtype[Any]]
# The events of a turn, as columns: poll, the stages after it, doorbell; quiescent if the next poll took nothing.
POLLED, IN_TCP, BELL, QUIET, COLUMNS = 0, 1, 8, 9, 10


@dataclass
class Log:
    """What the loop over turns saw, up to `last` (ps). `pos`: per core, how many frames of the block its ring had had.

    `turns`: core, begin, size, how many had come, how many were there, frames of the block then. `doorbells`: number of
    the turn, when the wire took its first frame. `quiet`: turns after which nothing waited. A log may go on too far.
    """

    cores: Sequence[Dataplane]
    pos: list[int]
    turns: list[int] = attr(default_factory=list)
    doorbells: list[int] = attr(default_factory=list)
    quiet: list[int] = attr(default_factory=list)
    last: int = 0
    events: int = 0  # about
    arrivals: int = 0


class Turns:
    """The turns of a log as columns, core by core and in order; those that ran before come first, as `old`.

    `of`: when each of a turn's COLUMNS events happens, `there` [turns, COLUMNS] whether it does within the stretch.
    """

    def __init__(self, log: Log, rows: int) -> None:
        cores, last = log.cores, log.last
        old = [(c, core) for c, core in enumerate(cores) if core.stage]
        new = np.array(log.turns, dtype=np.int64).reshape(-1, 6)
        new = new[: np.searchsorted(new[:, 1], last, "right")]
        ran = np.array([(c, k.began, k.size, 0, 0, 0) for c, k in old], dtype=np.int64).reshape(-1, 6)
        whole = np.concatenate([ran, new])
        count, size = len(whole), whole[:, 2]
        sizes, which = np.unique(size, return_inverse=True)
        ends = np.array([cores[0].offsets_of(int(n)) for n in sizes], dtype=np.int64).reshape(-1, TX + 1)[which]
        end = whole[:, 1] + ends[:, TX]
        # ---- doorbells: one wire for all cores, hence in order of time
        bells = np.array(log.doorbells, dtype=np.int64).reshape(-1, 2)
        bells = bells[bells[:, 0] < count]
        bells = bells[: np.searchsorted(end[bells[:, 0]], last, "right")]
        wire = cores[0].alike_wire or 0
        start, free = np.full(count, -1), np.full(count, -1)
        start[bells[:, 0]] = bells[:, 1]
        after = bells[:, 1] + size[bells[:, 0]] * wire
        free[bells[:, 0]] = np.concatenate([[cores[0].ports[0].wire_free], after[:-1]])[: len(bells)]
        quiet = np.zeros(count, dtype=bool)
        ended = np.array(log.quiet, dtype=np.int64)
        quiet[ended[ended < count]] = True
        row = np.concatenate([[k.row for _, k in old], np.arange(rows, rows + len(new))]).astype(np.int64)
        # ---- core by core
        by = np.argsort(whole[:, 0], kind="stable")
        self.count, self.wire = count, wire
        self.core, self.begin, self.size, self.come, self.depth, self.to = (whole[by, i] for i in range(6))
        self.end, self.start, self.free, self.row, self.quiet = end[by], start[by], free[by], row[by], quiet[by]
        self.old = by < len(old)
        self.order = np.argsort(self.row[~self.old])  # of the new ones, as they began
        self.first = np.searchsorted(self.core, np.arange(len(cores)))  # of each core
        self.behind = np.searchsorted(self.core, np.arange(len(cores)), "right")
        self.lead = self.first[self.core]  # first turn of the same core
        self.at = np.empty((count, COLUMNS), dtype=np.int64)
        self.at[:, POLLED] = self.begin
        self.at[:, IN_TCP : BELL + 1] = self.begin[:, None] + ends[by, POLL:]
        self.at[:, QUIET] = self.end
        self.there = self.at <= last
        self.there[:, QUIET] &= self.quiet
        stage = np.array([core.stage for core in cores])[self.core]
        self.there &= ~self.old[:, None] | (np.arange(COLUMNS) >= stage[:, None])
        self.out = self.there[:, BELL]
        self.rested = self.before(self.quiet, [not core.stage for core in cores]) & ~self.old  # it was quiescent before

    def before(self, values: Ints, initial: Sequence[int]) -> Ints:
        """The value of the turn before on the same core, `initial` [cores] for the first."""
        shifted = np.concatenate([values[:1], values[:-1]])
        led = np.flatnonzero(self.lead == np.arange(self.count))
        shifted[led] = np.asarray(initial)[self.core[led]]
        return shifted

    def summed(self, values: Ints, initial: Sequence[int]) -> Ints:
        """Sums over the turns of a core, this one included, on top of `initial` [cores]."""
        total = np.cumsum(values)
        sums: Ints = np.asarray(initial, dtype=np.int64)[self.core] + total
        sums -= (total - values)[self.lead]
        return sums
