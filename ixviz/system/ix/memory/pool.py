"""The mempool as one thread sees it: mbufs at hand, refilled from and given back to the shared pool in whole chunks.
Invariant: no more than two chunks are at hand; the lock of the shared pool is taken once for each chunk that moves."""

from __future__ import annotations

from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[Any]]
CHUNK = 128  # objects [code: MEMPOOL_DEFAULT_CHUNKSIZE]
MOST = 2 * CHUNK  # a thread keeps the chunk it works on and a private one behind it [code: mempool_free_2]
START = CHUNK  # at time 0, when the rings have been filled
_FEW, _MANY = 256, 65_536


def through(level: int, ops: Ints) -> tuple[int, list[tuple[int, int]]]:
    """`level` mbufs are at hand; each of `ops` frees so many (positive) or allocates so many (negative).

    Returns how many are at hand at the end and (index of the op, chunks fetched, negative when given back). A chunk is
    fetched when none is at hand, and one is given back when both are full.
    """
    moved: list[tuple[int, int]] = []
    at, size = 0, _FEW
    while at < len(ops):
        path = level + np.cumsum(ops[at : at + size])
        out = np.flatnonzero((path < 0) | (path > MOST))
        if not len(out):
            level, at, size = int(path[-1]), at + len(path), min(2 * size, _MANY)
            continue
        first = int(out[0])
        level, size = int(path[first]), _FEW
        chunks = -(level // CHUNK) if level < 0 else -((level - MOST + CHUNK - 1) // CHUNK)
        level += chunks * CHUNK
        moved.append((at + first, chunks))
        at += first + 1
    return level, moved
