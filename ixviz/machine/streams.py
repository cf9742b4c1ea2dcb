"""Named random streams: every stream belongs to one component and is drawn in blocks.
Invariant: the n-th draw of a stream depends on seed, name and n alone."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np


def generator(seed: int, *name: str | int) -> np.random.Generator:
    """A generator for the stream `name` of a run with this seed. Names are words and block numbers."""
    words = [zlib.crc32(str(part).encode()) for part in name]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed % 2**64, *words])))


class Exponential:
    """Exponential factors of mean 1 as integers in 1/2^20, read by position (the position is somebody's slot)."""

    BLOCK = 4096
    ONE = 1 << 20

    def __init__(self, seed: int, *name: str | int) -> None:
        self._key: tuple[Any, ...] = (seed, *name)
        self._number = -1
        self._block: list[int] = []

    def total(self, position: int, count: int) -> int:
        """Sum of `count` factors from `position` on, in 1/2^20."""
        total = 0
        while count > 0:
            number, start = divmod(position, self.BLOCK)
            if number != self._number:
                seed, *name = self._key
                drawn = generator(seed, *name, number).exponential(self.ONE, self.BLOCK)
                self._block, self._number = np.rint(drawn).astype(np.int64).tolist(), number
            part = self._block[start : start + count]
            total += sum(part)
            position += len(part)
            count -= len(part)
        return total
