"""A cursor: one position in the history and the values of all slots there.
Invariant: the values depend on the position alone, never on the way by which it was reached."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from ixviz.history.component import View
from ixviz.history.journal import Chunk, Ints, assign

if TYPE_CHECKING:
    from ixviz.history.history import History

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_C = np.uint64(0x94D049BB133111EB)
_S1, _S2 = np.uint64(30), np.uint64(31)


def mix(slots: Ints, values: Ints) -> int:
    """Sum over slots of a 64-bit mix of (slot, value); slots that hold 0 count nothing. Order does not matter."""
    held = values != 0
    s, v = slots[held].astype(np.uint64), values[held].astype(np.uint64)
    x = (s + np.uint64(1)) * _A ^ (v * _B)
    x = (x ^ (x >> _S1)) * _C
    return int((x ^ (x >> _S2)).sum(dtype=np.uint64))


class Cursor:
    """A place in a history. `at` is the number of the event just done; `view` shows the components there."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.view = View(history.places, self)
        self.at = -1
        self._chunk: Chunk | None = None
        self._writes: tuple[Ints, Ints, Ints] = (np.empty(0, np.intp), np.empty(0, np.int64), np.empty(0, np.int64))
        self._values = np.zeros(0, dtype=np.int64)
        self._hash: tuple[int, int] | None = None  # (event, hash) last asked for
        self.seek(0)

    def value(self, slot: int) -> int:
        """The value of a slot here; 0 before the component existed."""
        return int(self._values[slot]) if slot < len(self._values) else 0

    def values(self) -> Ints:
        """All slots here as a copy, int64."""
        return self._values.copy()

    @property
    def time(self) -> int:
        """Time of the event just done, ps."""
        assert self._chunk is not None
        return int(self._chunk.times[self.at - self._chunk.first])

    def seek(self, event: int) -> int:
        """Go to just after `event` and return its number. Raises IndexError outside 0 … last event."""
        chunk = self.history.chunk_of(event)
        if chunk is not self._chunk:
            self._values = chunk.before(self.history.size)
            self._chunk, self._writes = chunk, self.history.writes_of(chunk)
            self._hash = None
            done = 0
        else:
            done = int(chunk.offsets[self.at - chunk.first + 1])
        goal = int(chunk.offsets[event - chunk.first + 1])
        slots, old, new = self._writes
        if goal > done:
            assign(self._values, slots[done:goal], new[done:goal])
        elif goal < done:
            assign(self._values, slots[goal:done][::-1], old[goal:done][::-1])
        self.at = event
        return event

    def seek_time(self, time: int) -> int:
        """Go to the last event at or before `time` (ps); before the first event that is event 0."""
        return self.seek(max(0, self.history.event_at(time)))

    def step(self, by: int = 1) -> bool:
        """Move by events; False, and no move, when that would leave the history."""
        goal = self.at + by
        if not 0 <= goal < len(self.history):
            return False
        self.seek(goal)
        return True

    def state_hash(self) -> int:
        """64-bit hash of all slots, from the last one asked for in this chunk when that is cheaper."""
        chunk = self._chunk
        assert chunk is not None
        if self._hash is not None:
            was, known = self._hash
            a, b = int(chunk.offsets[was - chunk.first + 1]), int(chunk.offsets[self.at - chunk.first + 1])
            lo, hi = min(a, b), max(a, b)
            if hi - lo < len(self._values):
                slots, old, new = self._writes
                delta = mix(slots[lo:hi], new[lo:hi]) - mix(slots[lo:hi], old[lo:hi])
                known = (known + (delta if b >= a else -delta)) % 2**64
                self._hash = (self.at, known)
                return known
        value = mix(np.arange(len(self._values)), self._values)
        self._hash = (self.at, value)
        return value

    def __getitem__(self, name: str) -> Any:
        return self.view[name]


def chunk_index(firsts: list[int], event: int) -> int:
    """Index of the chunk that holds an event, given the first events of all chunks."""
    return bisect_right(firsts, event) - 1
