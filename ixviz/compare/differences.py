"""Where the systems differ: packets dropped, late, in another order, sent at another time; waits for locks; the first
interrupt, copy or transfer of a line where the other has had none.
Invariant: a difference hangs on what had happened by its time alone, so it is the same however far is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ixviz.compare.identity import Key
from ixviz.compare.run import Run

Ints = np.ndarray[Any, np.dtype[Any]]
LATER = 10_000_000  # ps: so much more latency in one than in the other is a difference
SPIN = "spin"  # the kind of event that begins a wait for a lock
COUNTED = ("interrupts", "copies", "transfers")  # of Totals: what a system can do without, as far as it is modelled
KINDS = ("dropped", "later", "order", "sent", "waits", *COUNTED)


class Difference(NamedTuple):
    """What differs at a time (ps) in `run`, whose event it is (-1: the packet leaves; see `event_of`), from `other`,
    both indices. `packets` are its numbers there and in `other`, 0 where there is none; `data` is what words need."""

    time: int
    run: int
    event: int
    kind: str
    other: int
    key: Key = ()
    packets: tuple[int, int] = (0, 0)
    data: tuple[int, ...] = ()


def event_of(runs: Sequence[Run], found: Difference) -> int:
    """The event of `run` at which a difference shows."""
    if found.event >= 0:
        return found.event
    return runs[found.run].journey(found.packets[0])[-1][0]


def differences(runs: Sequence[Run], edge: int | None) -> list[Difference]:
    """All differences of the others from the first run before `edge` (ps; None: of whole runs), in order of time."""
    out: list[Difference] = []
    for other in range(1, len(runs)):
        out += between(runs, 0, other, edge)
    return sorted(out)


def between(runs: Sequence[Run], a: int, b: int, edge: int | None) -> Iterator[Difference]:
    """The differences of two of the runs, in no order."""
    end = 2**63 - 1 if edge is None else edge
    pairs = _Pairs(runs[a], runs[b], end)
    for found in (*_dropped(pairs), *_later(pairs), *_order(pairs), *_sent(pairs)):
        run, time, event, kind, packets, data = found
        if time < end:
            numbers = packets if run == 0 else packets[::-1]
            key = runs[a].identity.key(packets[0]) or ()
            yield Difference(time, (a, b)[run], event, kind, (b, a)[run], key, numbers, data)
    yield from _waits(runs, a, b, end)
    yield from _first(runs, a, b, end)


# ----------------------------------------------------------------------------------------------- packets
Found = tuple[int, int, int, str, tuple[int, int], tuple[int, ...]]  # side, time, event, kind, packets, data


class _Pairs:
    """The packets that have arrived in both runs: numbers, arrivals, when they left (-1 not yet) and were dropped
    (-1 not), arrays for each side, in order of arrival in the first run."""

    def __init__(self, one: Run, two: Run, end: int) -> None:
        self.runs = (one, two)
        tables = [run.sim.feed.packets for run in self.runs]
        rows = [len(table.event) for table in tables]
        if one.identity.closed:
            matched = [(p, two.identity.packet(key)) for p in range(1, rows[0])
                       if (key := one.identity.key(p)) is not None]  # fmt: skip
            pairs = np.array([(p, q) for p, q in matched if q is not None and q < rows[1]], dtype=np.int64)
            pairs = pairs.reshape(-1, 2)
        else:
            both = np.arange(1, min(rows), dtype=np.int64)
            pairs = np.stack([both, both], axis=1)
        self.number = pairs[:, 0], pairs[:, 1]
        self.arrives, self.event, self.left, self.dropped = ([np.empty(0)] * 2 for _ in range(4))
        for i, (run, table) in enumerate(zip(self.runs, tables, strict=True)):
            at = self.number[i]
            self.arrives[i] = table.array("arrives")[at]
            self.event[i] = table.array("event")[at]
            left = run.sim.leaves()[at]
            self.left[i] = np.where(left < end, left, -1)
            self.dropped[i] = self._drops(run, table.array("batch")[at], i)

    def _drops(self, run: Run, batch: Ints, i: int) -> Ints:
        """When each was dropped: by its ring when it arrived, by a list in an event of its own."""
        out = np.where(batch == -2, self.arrives[i], -1)
        for row in np.flatnonzero(batch <= -3).tolist():
            out[row] = run.time(int(-3 - batch[row]))
        return out

    def packets(self, row: int) -> tuple[int, int]:
        return int(self.number[0][row]), int(self.number[1][row])


def _dropped(pairs: _Pairs) -> Iterator[Found]:
    """Dropped by one, when the other has it and has not dropped it by then."""
    for side in (0, 1):
        mine, others = pairs.dropped[side], pairs.dropped[1 - side]
        time = np.maximum(mine, pairs.arrives[1 - side])
        for row in np.flatnonzero((mine >= 0) & ((others < 0) | (others > time))).tolist():
            at = int(time[row])
            if at > mine[row]:  # the other gets it only later
                yield 1 - side, at, int(pairs.event[1 - side][row]), "dropped", pairs.packets(row), (side,)
            else:
                batch = pairs.runs[side].sim.feed.packets.batch[int(pairs.number[side][row])]
                event = int(pairs.event[side][row]) if batch == -2 else int(-3 - batch)
                yield side, at, event, "dropped", pairs.packets(row), (side,)


def _later(pairs: _Pairs) -> Iterator[Found]:
    """Much later in one: shown when it leaves there, or in the other if that is later still."""
    out = (pairs.left[0] >= 0) & (pairs.left[1] >= 0)
    latency = [left - arrives for left, arrives in zip(pairs.left, pairs.arrives, strict=True)]
    for row in np.flatnonzero(out & (np.abs(latency[1] - latency[0]) > LATER)).tolist():
        side = int(pairs.left[1][row] >= pairs.left[0][row])
        yield (side, int(pairs.left[side][row]), -1, "later", pairs.packets(row),
               (int(latency[0][row]), int(latency[1][row])))  # fmt: skip


def _order(pairs: _Pairs) -> Iterator[Found]:
    """Of two packets that came one after the other in both, one leaves first here and the other there."""
    one, two = pairs.left
    if len(one) < 2:
        return
    out = (one[:-1] >= 0) & (one[1:] >= 0) & (two[:-1] >= 0) & (two[1:] >= 0)
    out &= pairs.arrives[1][:-1] <= pairs.arrives[1][1:]  # the first run's arrivals are in order anyway
    turned = (one[:-1] - one[1:]) * np.sign(two[:-1] - two[1:]) < 0
    for row in (np.flatnonzero(out & turned) + 1).tolist():
        last = [(int(pairs.left[side][r]), side, r) for side in (0, 1) for r in (row - 1, row)]
        time, side, at = max(last)
        other = int(pairs.number[0][row - 1 if at == row else row])
        first = int(one[row] < one[row - 1])  # 1: the first run lets the later packet go first
        yield side, time, -1, "order", pairs.packets(at), (other, int(at == row), first)


def _sent(pairs: _Pairs) -> Iterator[Found]:
    """A request that a client sent at another time, since another answer permitted it."""
    if not pairs.runs[0].identity.closed:
        return
    rows = [run.sim.feed.packets.array("request")[at] for run, at in zip(pairs.runs, pairs.number, strict=True)]
    both = np.flatnonzero((rows[0] >= 0) & (rows[1] >= 0))
    sent = [run.sim.feed.requests.array("sent")[r[both]] for run, r in zip(pairs.runs, rows, strict=True)]
    due = [run.sim.feed.requests.array("due")[r[both]] for run, r in zip(pairs.runs, rows, strict=True)]
    for i in np.flatnonzero(sent[0] != sent[1]).tolist():
        row = int(both[i])
        side = int(pairs.arrives[1][row] >= pairs.arrives[0][row])
        yield (side, int(pairs.arrives[side][row]), int(pairs.event[side][row]), "sent", pairs.packets(row),
               (int(sent[0][i]), int(sent[1][i]), int(due[0][i]), int(due[1][i])))  # fmt: skip


# ----------------------------------------------------------------------------------------------- locks, firsts
def _waits(runs: Sequence[Run], a: int, b: int, end: int) -> Iterator[Difference]:
    """A core begins to spin for a lock, and the other system's cores have done so less often by then."""
    begun = [spins(run, end) for run in (runs[a], runs[b])]
    for side in (0, 1):
        events, times = begun[side]
        had = np.searchsorted(begun[1 - side][1], times, side="right")
        for n in np.flatnonzero(had < np.arange(1, len(times) + 1)).tolist():
            yield Difference(int(times[n]), (a, b)[side], int(events[n]), "waits", (b, a)[side],
                             data=(n + 1, int(had[n])))  # fmt: skip


def spins(run: Run, end: int) -> tuple[Ints, Ints]:
    """Events and times of all waits for locks that began before `end` (ps)."""
    history = run.history
    if SPIN not in history.kinds:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    kind, last = history.kinds.index(SPIN), len(history)
    events, times = [], []
    for chunk in history.journal.chunks:
        hit = np.flatnonzero((chunk.kinds == kind) & (chunk.times < end))
        hit = hit[hit + chunk.first < last]
        events.append(hit + chunk.first)
        times.append(chunk.times[hit])
    return np.concatenate(events), np.concatenate(times)


def lock_got(run: Run, events: Ints) -> Ints:
    """For each event that begins a wait for a lock the one with which the wait ends: the next of the same core, which
    then has the lock. 2**62 where that is not recorded."""
    subjects = np.concatenate([chunk.subjects for chunk in run.history.journal.chunks])
    got = np.full(len(events), 2**62, dtype=np.int64)
    for core in np.unique(subjects[events]).tolist():
        own, mine = np.flatnonzero(subjects == core), np.flatnonzero(subjects[events] == core)
        after = np.searchsorted(own, events[mine], side="right")
        there = after < len(own)
        got[mine[there]] = own[after[there]]
    return got


def _first(runs: Sequence[Run], a: int, b: int, end: int) -> Iterator[Difference]:
    """The first of its kind in one run, where the other has had none up to then."""
    for name in COUNTED:
        for one, other in ((a, b), (b, a)):
            event = first_of(runs[one], name)
            if event is None or (time := runs[one].time(event)) >= end:
                continue
            if counted(runs[other], name, max(runs[other].history.event_at(time), 0)) == 0:
                yield Difference(time, one, event, name, other)


def counted(run: Run, name: str, event: int) -> int | None:
    """One of the totals just after an event, None where the system does not model it."""
    totals = run.picture.totals(run.moment_at(event))
    found: int | None = None if totals is None else getattr(totals, name)
    return found


def first_of(run: Run, name: str) -> int | None:
    """The event that made one of the totals more than 0; None if none has. Totals never fall."""
    if not counted(run, name, run.last):
        return None
    low, high = 0, run.last
    while low < high:
        middle = (low + high) // 2
        if counted(run, name, middle):
            high = middle
        else:
            low = middle + 1
    return low
