"""The journal: events and the writes grouped under them, sealed chunk by chunk into NumPy arrays.
Invariant: events are in order of time; a sealed chunk never changes and may be shared by branches."""

from __future__ import annotations

import threading
from array import array
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[Any]]

CHUNK = 16_384  # events; a seek replays at most one chunk from its keyframe, so this bounds it (about 1 ms)
_NARROW = np.iinfo(np.int32)

# with repeated indices an assignment must keep the last value; NumPy does, and this notices the day it does not
_probe = np.zeros(1, dtype=np.int64)
_probe[np.zeros(64, dtype=np.int64)] = np.arange(64)
LAST_WINS = bool(_probe[0] == 63)


def assign(values: Ints, slots: Ints, new: Ints) -> None:
    """values[slots] = new in order: of several writes to one slot the last one stays."""
    if not LAST_WINS:  # pragma: no cover - no NumPy we allow needs it
        _, first = np.unique(slots[::-1], return_index=True)
        keep = len(slots) - 1 - first
        slots, new = slots[keep], new[keep]
    values[slots] = new


class Chunk:
    """Some consecutive events, immutable.

    times int64 [n] ps · kinds uint8 [n] · subjects int32 [n] · causes int32 [n] (event number, -1 none) · offsets
    int32 [n + 1] into the writes. Writes are kept as slots (uint16 when they fit), old and new as int32 with the few
    wide values beside: 10 to 12 bytes a write. `keyframe` int64 holds all slots before the first event.
    """

    __slots__ = (
        "causes", "first", "keyframe", "kinds", "new32", "offsets", "old32", "slots", "subjects", "times",
        "wide_at", "wide_new", "wide_old",
    )  # fmt: skip

    def __init__(self, first: int, events: Ints, writes: Ints, keyframe: Ints) -> None:
        self.first = first
        self.keyframe = keyframe
        self.times = events[:, 0].copy()
        self.kinds = events[:, 1].astype(np.uint8)
        self.subjects = events[:, 2].astype(np.int32)
        self.causes = events[:, 3].astype(np.int32)
        self.offsets = np.append(events[:, 4] // 3, len(writes)).astype(np.int32)
        slots, old, new = writes[:, 0], writes[:, 1], writes[:, 2]
        self.slots = slots.astype(np.uint16 if len(slots) == 0 or slots.max() < 65_536 else np.int32)
        wide = (old > _NARROW.max) | (new > _NARROW.max) | (old < _NARROW.min) | (new < _NARROW.min)
        self.wide_at = np.flatnonzero(wide).astype(np.int32)
        self.wide_old = old[self.wide_at].copy()
        self.wide_new = new[self.wide_at].copy()
        self.old32 = old.astype(np.int32)
        self.new32 = new.astype(np.int32)

    def __len__(self) -> int:
        return len(self.times)

    def writes(self) -> tuple[Ints, Ints, Ints]:
        """Slots (intp), old and new (int64) of all writes of the chunk, in order."""
        old, new = self.old32.astype(np.int64), self.new32.astype(np.int64)
        old[self.wide_at] = self.wide_old
        new[self.wide_at] = self.wide_new
        return self.slots.astype(np.intp), old, new

    def after(self, size: int) -> Ints:
        """All slots after the last event (the next chunk's keyframe), `size` of them."""
        values = self.before(size)
        slots, _, new = self.writes()
        assign(values, slots, new)
        return values

    def before(self, size: int) -> Ints:
        """All slots before the first event, `size` of them: components that came later were 0.

        In a branch there may be fewer than in the keyframe, which knows what its chunk went on to make after the fork.
        """
        values = np.zeros(size, dtype=np.int64)
        both = min(size, len(self.keyframe))
        values[:both] = self.keyframe[:both]
        return values

    def head(self, count: int) -> Chunk:
        """The first `count` events as a chunk of its own (what a branch keeps of the chunk it forks in)."""
        part = object.__new__(Chunk)
        end = int(self.offsets[count])
        wide = int(np.searchsorted(self.wide_at, end))
        part.first, part.keyframe = self.first, self.keyframe
        for name in ("times", "kinds", "subjects", "causes"):
            setattr(part, name, getattr(self, name)[:count])
        part.offsets = self.offsets[: count + 1]
        for name in ("slots", "old32", "new32"):
            setattr(part, name, getattr(self, name)[:end])
        for name in ("wide_at", "wide_old", "wide_new"):
            setattr(part, name, getattr(self, name)[:wide])
        return part

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        return sum(getattr(self, n).nbytes for n in self.__slots__ if n != "first")


class Journal:
    """Where a recorded run writes. `event()` opens an event, `log` takes its writes; `seal()` makes them readable.

    `open`, `writes` and `count` are what `event` is made of, for the one place that cannot afford the call. Who wants
    each event as it happens sets `stepwise`: then `block` is not used. Who records holds `busy` meanwhile, so that
    another thread may read what is sealed.
    """

    stepwise = False

    def __init__(self) -> None:
        self.busy = threading.RLock()
        self.chunks: list[Chunk] = []
        self.sealed = 0
        self.count = 0
        self.size = 0  # slots; the machine keeps it current when components are created
        self._events: list[int] = []  # lists, because extending an array costs three times as much
        self.writes: list[int] = []
        self._parts: list[tuple[Ints, Ints]] = []  # flushed events and writes of the chunk to come
        self._flushed = 0  # integers in the writes of `_parts`
        self.open = self._events.extend
        self.log = self.writes.extend

    def event(self, time: int, kind: int, subject: int, cause: int) -> int:
        """Open the next event and return its number. `time` in ps, never before the last event's.

        Whoever records calls `seal_if_full` between events: not here, this is the hot path.
        """
        self.open((time, kind, subject, cause, len(self.writes)))
        self.count = number = self.count + 1
        return number - 1

    def seal_if_full(self) -> None:
        """Seal when a chunk's worth of events is open."""
        if self.count - self.sealed >= CHUNK:
            self.seal()

    def flush(self) -> None:
        """Move what is in the buffers into arrays: called every few hundred events, while they are in the cache."""
        if self._events:
            events = np.frombuffer(array("q", self._events), dtype=np.int64).reshape(-1, 5)
            events[:, 4] += self._flushed
            self._parts.append((events, np.frombuffer(array("q", self.writes), dtype=np.int64)))
            self._flushed += len(self.writes)
            del self._events[:]
            del self.writes[:]

    def block(self, events: Ints, counts: Ints, writes: Ints) -> None:
        """Events that come one after the other, made all at once: int64 [n, 4] (time, kind, subject, cause), how many
        writes each has [n], and the writes, int64 [m, 3] (slot, old, new)."""
        self.flush()
        offsets = 3 * (np.cumsum(counts) - counts) + self._flushed
        self._parts.append((np.concatenate([events, offsets[:, None]], axis=1), writes.ravel()))
        self._flushed += 3 * len(writes)
        self.count += len(events)

    def seal(self) -> None:
        """Turn what is in the buffers into a chunk. Writes after this belong to the next event.

        While another thread records, nothing: its open events become readable when it is done.
        """
        if not self.busy.acquire(blocking=False):
            return
        try:
            self._seal()
        finally:
            self.busy.release()

    def _seal(self) -> None:
        if not self._events and not self._parts:
            return
        self.flush()
        events = np.concatenate([e for e, _ in self._parts])
        writes = np.concatenate([w for _, w in self._parts]).reshape(-1, 3)
        self._parts, self._flushed = [], 0
        keyframe = self.chunks[-1].after(self.size) if self.chunks else np.zeros(self.size, dtype=np.int64)
        self.chunks.append(Chunk(self.sealed, events, writes, keyframe))
        self.sealed = self.count

    def drop_open_writes(self) -> None:
        """Forget writes that belong to no event: those of rebuilding the components of a resumed run."""
        assert (not self._events or self.count == 1) and not self._parts, "only before the first event of a branch"
        del self.writes[:]

    def begin(self, time: int, values: Ints) -> None:
        """Let the history begin at `time` with all slots as they are (`values`, int64): event 0 makes them so.

        For a run that was not recorded so far. Only before the second event; what event 0 wrote is forgotten.
        """
        assert self.count == 1 and not self._parts and len(self._events) == 5, "only before the second event"
        self._events[0] = time
        del self.writes[:]
        for slot in np.flatnonzero(values).tolist():
            self.log((slot, 0, int(values[slot])))

    def fork(self, count: int) -> Journal:
        """A journal that shares the first `count` events with this one and goes on by itself."""
        self.seal()
        if not 0 <= count <= self.count:
            raise ValueError(f"no event {count}: there are {self.count}")
        branch = Journal()
        branch.size = self.size
        for chunk in self.chunks:
            if chunk.first + len(chunk) <= count:
                branch.chunks.append(chunk)
            elif chunk.first < count:
                branch.chunks.append(chunk.head(count - chunk.first))
        branch.sealed = branch.count = count
        return branch
