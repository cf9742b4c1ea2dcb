"""The books of a run in bulk, from the logs and counters of its lanes: sums where nothing else is asked for.
Invariant: the same as from the tables of packets and batches; every frame carries data and is answered alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ixviz.system.ix.memory import pool
from ixviz.system.ix.memory.books import Books, Eras
from ixviz.system.ix.memory.touches import CALLS
from ixviz.workload.kinds import DATA

Ints = np.ndarray[Any, np.dtype[Any]]
_APART, _MANY = 64, 4_096  # rows between looks at a pool's level, rows gone through one by one where it may run out


def enter(books: Books, lanes: Sequence[Any], feed: Any, eras: Eras) -> None:
    """All batches that have begun, into new books. One lane polls one queue."""
    whole = [(lane, _whole(lane)) for lane in lanes]
    busy, logs = [lane for lane, log in whole if len(log)], [log for _, log in whole if len(log)]
    firsts, chunks = [], []
    for lane, log in zip(busy, logs, strict=True):
        packets, q, t = int(log[:, 2].sum()), lane.queue, lane.number
        books.polls[q] = books.fetched[q] = len(log)
        books.put[q] = books.fresh[t] = lane.seen
        books.got[q] = books.packets[t] = books.frames[t] = packets
        books.calls[t] = packets * CALLS[DATA]
        out = _Out(log, lane.wire_ps)
        books.reclaimed[t] = out.back(log[-1:, 0])[0]
        books.pcbs[books.shape.cache(t)] += 2 * (packets + books.calls[t])
        firsts.append((int(log[0, 0]), t, packets))
        if lane.list_deepest + _on_the_wire(log, lane.wire_ps) > pool.START:
            moved = _chunks(log, feed.kept(q), out)
            chunks += [(int(log[row, 0]), t, count) for row, count in moved]
    for _, t, packets in sorted(firsts):
        books.read_arp(t, packets)
    for _, t, count in sorted(chunks, key=lambda c: c[:2]):
        books.move_chunks(t, count)
    for counts, costs in _turns(logs, eras):
        for lane, (turns, packets) in zip(busy, counts, strict=True):
            books.spend(costs[lane.number], turns, packets, 0)
    books.rows = sum(map(len, logs))


def _whole(lane: Any) -> Ints:
    """All batches of a lane that have begun, as Lane.batches; the end of the one that runs is -1."""
    log: Ints = lane.batches()
    return np.vstack([log, [[lane.began, -1, lane.size, -1]]]) if lane.size else log


def _turns(logs: Sequence[Ints], eras: Eras) -> list[tuple[list[tuple[int, int]], Any]]:
    """Per era: how many turns and packets each lane had in it; and its costs."""
    if len(eras) == 1:
        return [([(len(log), int(log[:, 2].sum())) for log in logs], eras[0][1])]
    begins, which = np.concatenate([log[:, 0] for log in logs]), np.repeat(range(len(logs)), [len(x) for x in logs])
    order = np.lexsort((which, begins))
    out = []
    for (since, costs), (until, _) in zip(eras, [*eras[1:], (len(order) + 1, {})], strict=True):
        mine = np.bincount(which[order[max(since - 1, 0) : until - 1]], minlength=len(logs))
        before = np.bincount(which[order[: max(since - 1, 0)]], minlength=len(logs))
        counts = [(int(n), int(log[a : a + n, 2].sum())) for log, a, n in zip(logs, before, mine, strict=True)]
        out.append((counts, costs))
    return out


# ---------------------------------------------------------------- mbufs
def _on_the_wire(log: Ints, wire: int) -> int:
    """At most so many frames of a lane were not out yet when it polled next."""
    if not wire:
        return 0
    left = log[:, 3] + log[:, 2] * wire - log[:, 1]
    return int(-(-max(int(left.max()), 0) // wire))


class _Out:
    """When the frames that a lane has sent are out: `back` counts those that a poll takes back."""

    def __init__(self, log: Ints, wire: int) -> None:
        ended = log[: len(log) - 1] if log[-1, 1] < 0 else log
        self._wire, self._size, self._start = wire, ended[:, 2], ended[:, 3]
        self._whole = self._start + wire * self._size
        self._sent = np.concatenate([[0], np.cumsum(self._size)])

    def back(self, polls: Ints) -> Ints:
        """How many are out by each of the polls (ps, ascending)."""
        behind = np.searchsorted(self._whole, polls, "right")  # batches that are out as a whole
        back: Ints = self._sent[behind]
        if self._wire and len(self._size):
            part = np.minimum(behind, len(self._size) - 1)
            some = np.clip((polls - self._start[part]) // self._wire, 0, self._size[part])
            back = np.where(behind < len(self._size), back + some, back)
        return back


def _chunks(log: Ints, arrives: Ints, out: _Out) -> list[tuple[int, int]]:
    """Chunks that the thread fetched (or gave back, negative): row of the batch, how many.

    Its mbufs in use are those fetched for frames so far less those that came back, as what a turn frees is what its
    answers take. Looked at now and then, and row by row where the pool may have run out or over in between.
    """
    last = np.append(np.arange(0, len(log) - 1, _APART), len(log) - 1)  # row of each stretch between two looks
    put = np.concatenate([[0], np.searchsorted(arrives, log[last, 0], "right")])
    back = np.concatenate([[0], out.back(log[last, 0])])
    least, most = pool.START + back[:-1] - put[1:], pool.START + back[1:] - put[:-1]
    chunks: list[tuple[int, int]] = []
    at = more = 0  # `more` mbufs at hand, for the chunks
    while at < len(last):
        tight = np.flatnonzero((least[at:] + more < 0) | (most[at:] + more > pool.MOST))
        if not len(tight):
            break
        at += int(tight[0])
        stop = min(at + _MANY // _APART, len(last))
        first = int(last[at - 1]) + 1 if at else 0
        polls = log[first : last[stop - 1] + 1, 0]
        came = np.diff(np.searchsorted(arrives, polls, "right"), prepend=put[at])
        ops = np.stack([np.diff(out.back(polls), prepend=back[at]), -came], 1).ravel()
        _, moved = pool.through(int(pool.START + more + back[at] - put[at]), ops)
        chunks += [(first + i // 2, count) for i, count in moved]
        more += pool.CHUNK * sum(count for _, count in moved)
        at = stop
    return chunks
