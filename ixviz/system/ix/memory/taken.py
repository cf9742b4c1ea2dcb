"""What a slice of the batches did, as columns: read from the tables of packets and batches.
Invariant: of a batch only what was known when it began is read, and of the batches before it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ixviz.system.ix.memory import touches
from ixviz.system.ix.memory.touches import Shape

Ints = np.ndarray[Any, np.dtype[Any]]
_CALLS, _FRAMES = np.array(touches.CALLS), np.array(touches.FRAMES)


class Members(NamedTuple):
    """The packets of the batches, batch by batch: flow, row within the slice, batched calls."""

    flow: Ints
    row: Ints
    calls: Ints


@dataclass(frozen=True)
class Taken:
    """Batches in order of beginning. By batch: hardware thread, packets, batched calls, frames that answer them, sent
    frames whose mbufs came back at its poll, fresh mbufs of its poll; `bare` packets without data. By queue: polls,
    batches with frames of it, frames put into its list, frames taken."""

    thread: Ints
    size: Ints
    calls: Ints
    frames: Ints
    reclaimed: Ints
    fresh: Ints
    bare: Ints
    polls: Ints
    fetched: Ints
    put: Ints
    got: Ints
    members: Members


@dataclass
class Reader:
    """How far the tables have been read: `rows` batches, all packets before `low` are taken or dropped. By thread: its
    last poll (ps), the packets of its last batch that were answered, when frames not yet taken back are out (ps)."""

    shape: Shape
    rows: int = 0
    low: int = 1
    polled: list[int] = field(default_factory=list)
    open: list[Ints] = field(default_factory=list)
    out: list[Ints] = field(default_factory=list)

    def __post_init__(self) -> None:
        n, none = self.shape.threads, np.empty(0, dtype=np.int64)
        self.polled, self.open, self.out = [-1] * n, [none] * n, [none] * n

    def copy(self) -> Reader:
        """The same place; the arrays are never written, so not copied."""
        made = Reader(self.shape, self.rows, self.low)
        made.polled, made.open, made.out = list(self.polled), list(self.open), list(self.out)
        return made

    def read(self, batches: Any, packets: Any, rows: int) -> Taken:
        """The batches up to row `rows` of the table, those before left out."""
        first, shape = self.rows + 1, self.shape
        thread, begins = _part(batches.core, first, rows + 1), _part(batches.begins, first, rows + 1)
        size = _part(batches.size, first, rows + 1)
        count = len(thread)
        low, high = self.low, bisect_right(packets.arrives, int(begins[-1]), self.low, len(packets.batch))
        batch, queue = _part(packets.batch, low, high), _part(packets.queue, low, high)
        mine = np.flatnonzero((batch >= first) & (batch <= rows))
        mine = mine[np.argsort(batch[mine], kind="stable")]
        row = batch[mine] - first
        kind = _part(packets.kind, low, high)[mine]
        calls, frames = _CALLS[kind], _FRAMES[kind]
        reclaimed = np.zeros(count, dtype=np.int64)
        fresh = np.zeros(count, dtype=np.int64) if shape.lists else size
        polls, fetched, put, got = (np.zeros(shape.queues, dtype=np.int64) for _ in range(4))
        got += np.bincount(queue[mine], minlength=shape.queues)
        own = thread[row] == shape.poller[queue[mine]]
        seen = np.unique(row[own] * shape.queues + queue[mine][own])
        fetched += np.bincount(seen % shape.queues, minlength=shape.queues)
        arrives = _part(packets.arrives, low, high)
        kept = batch >= -1
        for t in np.unique(thread).tolist():
            rows_of = np.flatnonzero(thread == t)
            times = begins[rows_of]
            for q in shape.polls[t]:
                polls[q] += len(rows_of)
                come = _between(arrives[kept & (queue == q)], self.polled[t], times)
                if shape.lists:
                    put[q] += come.sum()
                    fresh[rows_of] += come
            self.polled[t] = int(times[-1])
            answered = (thread[row] == t) & (frames > 0)
            ended = mine[answered & (row < rows_of[-1])] + low
            out = np.concatenate([self.out[t], _at(packets.done, self.open[t]), _at(packets.done, ended)])
            out.sort()
            back = np.searchsorted(out, times, "right")
            reclaimed[rows_of] = np.diff(back, prepend=0)
            self.out[t] = out[back[-1] :]
            self.open[t] = mine[answered & (row == rows_of[-1])] + low
        if not shape.lists:
            put = got
        waiting = np.flatnonzero((batch == -1) | (batch > rows))
        self.low = low + int(waiting[0]) if len(waiting) else high
        self.rows = rows
        return Taken(thread, size, np.bincount(row, calls, count).astype(np.int64),
                     np.bincount(row, frames, count).astype(np.int64), reclaimed, fresh,
                     np.bincount(row, (kind > 0) & (kind < len(touches.CALLS) - 1), count).astype(np.int64),
                     polls, fetched, put, got, Members(_part(packets.flow, low, high)[mine], row, calls))  # fmt: skip


def _between(times: Ints, since: int, polls: Ints) -> Ints:
    """How many of `times` (ascending) come up to each poll, those up to the poll before left out."""
    start = np.searchsorted(times, since, "right")
    return np.diff(np.searchsorted(times, polls, "right"), prepend=start)


def _part(column: Any, start: int, stop: int) -> Ints:
    """A part of a column of a table, int64, copied: the table may go on growing."""
    return np.frombuffer(column, dtype=column.typecode)[start:stop].astype(np.int64)


def _at(column: Any, index: Ints) -> Ints:
    return np.frombuffer(column, dtype=column.typecode)[index].astype(np.int64)
