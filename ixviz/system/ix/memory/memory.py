"""The cache lines of an IX run at any number of batches: books kept at some places, and carried on from there.
Invariant: the books after k batches depend on the first k batches alone, however they are come by."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

import numpy as np

from ixviz.machine.profile import Latencies
from ixviz.system.ix.memory import lanes, touches
from ixviz.system.ix.memory.books import Books, Eras, Split
from ixviz.system.ix.memory.taken import Reader, Taken
from ixviz.system.ix.memory.touches import Shape

Ints = np.ndarray[Any, np.dtype[Any]]
_PIECE = 65_536  # rows entered at once
_EVERY, _MOST = 256, 96  # rows between places at first, places kept


class _Place(NamedTuple):
    books: Books
    reader: Reader


class Memory:
    """Asked for `at` so many batches; `figures` are those of all that have begun."""

    def __init__(self, simulation: Any, shape: Shape, latencies: Latencies, hz: int, eras: Eras) -> None:
        self.shape, self.eras = shape, eras
        self._sim, self._made = simulation, (shape, latencies, hz)
        self._now = self._new()
        self._kept: list[_Place] = []
        self._every = _EVERY
        self._owner = np.full(0, -1, dtype=np.int16)  # by flow: the core that touched it first
        self._known = 0  # rows up to which that is so
        self._split: Split = {}
        self._bulk: tuple[Any, Books] | None = None  # of a run in bulk, and when they were made

    @property
    def cores(self) -> int:
        """Private caches."""
        return self.shape.cores

    @property
    def names(self) -> tuple[str, ...]:
        """The lines that every machine of this shape has."""
        return (*(own.name for own in self.shape.own), "arp", "mempool")

    def begun(self, event: int) -> int:
        """How many batches had begun by an event of a recorded run."""
        return bisect_right(self._sim.batches.event, event, 1) - 1

    def at(self, rows: int) -> Books:
        """The books after the first `rows` batches of the table. They are written on at the next call."""
        i = bisect_right(self._kept, rows, key=lambda place: place.books.rows)
        if rows < self._now.books.rows or (i and self._kept[i - 1].books.rows > self._now.books.rows):
            self._now = self._copy(self._kept[i - 1]) if i else self._new()
        while rows > self._every * _MOST:
            self._every *= 2
        while self._now.books.rows < rows:
            now = self._now.books.rows
            stop = min(rows, now + _PIECE, now - now % self._every + self._every)
            self._carry_on(stop)
            if stop % self._every == 0 and (not self._kept or self._kept[-1].books.rows < stop):
                self._keep()
        return self._now.books

    def figures(self) -> dict[str, Any]:
        """See Books.figures."""
        return self.books().figures()

    def books(self) -> Books:
        """The books of all batches that have begun."""
        sim = self._sim
        if not sim.lanes:
            return self._whole(len(sim.batches.core) - 1)
        seen = tuple((len(lane.log), len(lane.packed), lane.began) for lane in sim.lanes)
        if self._bulk is None or self._bulk[0] != seen:
            made = Books(*self._made)
            lanes.enter(made, sim.lanes, sim.feed, self.eras)
            self._bulk = seen, made
        return self._bulk[1]

    # ---------------------------------------------------------------- carrying on
    def _whole(self, rows: int) -> Books:
        """The books at the end: no places are kept on the way, nobody may come back."""
        if self._now.books.rows > rows:
            return self.at(rows)
        while self._now.books.rows < rows:
            self._carry_on(min(rows, self._now.books.rows + _PIECE))
        return self._now.books

    def _new(self) -> _Place:
        return _Place(Books(*self._made), Reader(self.shape))

    @staticmethod
    def _copy(place: _Place) -> _Place:
        return _Place(place.books.copy(), place.reader.copy())

    def _keep(self) -> None:
        self._kept = [place for place in self._kept if place.books.rows % self._every == 0]
        self._kept.append(self._copy(self._now))

    def _carry_on(self, rows: int) -> None:
        books, reader = self._now
        taken = reader.read(self._sim.batches, self._sim.feed.packets, rows)
        if rows > self._known:
            self._learn(taken, books.rows)
            self._known = rows
        books.enter(taken, self._split, self.eras)

    def _learn(self, taken: Taken, before: int) -> None:
        """Who touches each connection first, and from which row on it is not that core's alone."""
        flow, row, _ = taken.members
        new = row + before + 1 > self._known
        flow, row = flow[new], row[new]
        real = flow >= 0
        flow, row = flow[real], row[real]
        if not len(flow):
            return
        most = int(flow.max()) + 1
        if most > len(self._owner):
            more = np.full(max(most, 2 * len(self._owner)) - len(self._owner), -1, dtype=np.int16)
            self._owner = np.concatenate([self._owner, more])
        core = (taken.thread[row] % self.cores).astype(np.int16)
        unknown = np.flatnonzero(self._owner[flow] < 0)[::-1]  # of several the first is to stay
        self._owner[flow[unknown]] = core[unknown]
        since: dict[int, int] = {}
        for i in np.flatnonzero(self._owner[flow] != core).tolist():
            f = int(flow[i])
            if f not in self._split:
                since.setdefault(f, int(row[i]) + before + 1)
        for f, accesses in self._accesses(since).items():
            self._split[f] = since[f], int(self._owner[f]), accesses

    def _accesses(self, since: dict[int, int]) -> dict[int, int]:
        """Accesses to each of some connections by the batches before a row."""
        if not since:
            return {}
        packets = self._sim.feed.packets
        flows = np.frombuffer(packets.flow, dtype=packets.flow.typecode)[: len(packets.batch)]
        mine = np.flatnonzero(np.isin(flows, list(since)))
        flow = flows[mine].astype(np.int64)
        batch = np.frombuffer(packets.batch, dtype=packets.batch.typecode)[mine]
        kind = np.frombuffer(packets.kind, dtype=packets.kind.typecode)[mine]
        known, which = np.unique(flow, return_inverse=True)
        rows = np.array([since[f] for f in known.tolist()])[which]
        counts = (2 + 2 * np.array(touches.CALLS)[kind]) * ((batch > 0) & (batch < rows))
        return dict(zip(known.tolist(), np.bincount(which, counts).astype(int).tolist(), strict=True))
