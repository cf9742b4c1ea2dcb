"""A history: the sealed journal, who owns which slot, and the questions one can ask.
Invariant: a question reads chunks only; it never moves a cursor that somebody else holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ixviz.history.component import Place, Slots
from ixviz.history.cursor import Cursor, chunk_index
from ixviz.history.journal import Chunk, Ints, Journal

_LOOK = 5_000  # events whose writes are looked through at once

@dataclass(frozen=True)
class Event:
    """One event: number, time in ps, kind (index into `History.kinds`), subject (index of a component), cause."""

    number: int
    time: int
    kind: int
    subject: int
    cause: int


@dataclass(frozen=True)
class Change:
    """One write of an event, with the component and field it belongs to."""

    component: str
    field: str
    old: int
    new: int
    slot: int


class History:
    """All that happened so far. `kinds` are the names of the kinds of event, in the order of their numbers."""

    def __init__(self, journal: Journal, slots: Slots, kinds: Sequence[str]) -> None:
        self.journal = journal
        self.places: Sequence[Place] = slots.places
        self.kinds = tuple(kinds)
        self._lock = threading.Lock()
        self._firsts: list[int] = []
        self._decoded: OrderedDict[int, tuple[Ints, Ints, Ints]] = OrderedDict()

    # ---------------------------------------------------------------- size and access
    def __len__(self) -> int:
        """Number of events, those just written included, unless another thread is writing them."""
        if self.journal.sealed != self.journal.count:
            self.journal.seal()
        return self.journal.sealed

    @property
    def size(self) -> int:
        """Number of slots."""
        return self.journal.size

    def chunk_of(self, event: int) -> Chunk:
        """The chunk that holds an event; IndexError outside 0 … last event."""
        if not 0 <= event < len(self):
            raise IndexError(f"no event {event}: there are 0 to {len(self) - 1}")
        chunks = self.journal.chunks
        if len(chunks) != len(self._firsts):
            self._firsts = [chunk.first for chunk in chunks]
        return chunks[chunk_index(self._firsts, event)]

    def writes_of(self, chunk: Chunk) -> tuple[Ints, Ints, Ints]:
        """Decoded writes of a chunk; the last few are kept."""
        with self._lock:
            kept = self._decoded.get(chunk.first)
            if kept is None or len(kept[0]) != len(chunk.slots):
                kept = self._decoded[chunk.first] = chunk.writes()
                if len(self._decoded) > 4:
                    self._decoded.popitem(last=False)
            else:
                self._decoded.move_to_end(chunk.first)
            return kept

    def cursor(self, event: int = 0) -> Cursor:
        """A new cursor at an event."""
        made = Cursor(self)
        made.seek(event)
        return made

    def event(self, number: int) -> Event:
        """One event; IndexError outside the history."""
        chunk = self.chunk_of(number)
        i = number - chunk.first
        return Event(number, int(chunk.times[i]), int(chunk.kinds[i]), int(chunk.subjects[i]), int(chunk.causes[i]))

    def event_at(self, time: int) -> int:
        """Number of the last event at or before `time` (ps), -1 if there is none."""
        len(self)
        chunks = self.journal.chunks
        lo, hi = 0, len(chunks)
        while lo < hi:
            mid = (lo + hi) // 2
            if chunks[mid].times[0] <= time:
                lo = mid + 1
            else:
                hi = mid
        if lo == 0:
            return -1
        chunk = chunks[lo - 1]
        return chunk.first + int(np.searchsorted(chunk.times, time, side="right")) - 1

    # ---------------------------------------------------------------- questions
    def changes(self, event: int) -> list[Change]:
        """What an event wrote, in order."""
        chunk = self.chunk_of(event)
        slots, old, new = self.writes_of(chunk)
        a, b = (int(x) for x in chunk.offsets[event - chunk.first : event - chunk.first + 2])
        from ixviz.history.component import View

        describe = View(self.places, None).describe
        out = []
        for i in range(a, b):
            component, name, _ = describe(int(slots[i]))
            out.append(Change(component, name, int(old[i]), int(new[i]), int(slots[i])))
        return out

    def series(self, slot: int, first: int = 0, last: int | None = None) -> tuple[Ints, Ints, Ints]:
        """All writes to a slot in events first … last: event numbers, times (ps), new values; three int64 arrays."""
        newest = len(self) - 1  # seals what is still open
        end = newest if last is None else last
        events, times, values = [], [], []
        for chunk in self.journal.chunks:
            if chunk.first > end or chunk.first + len(chunk) <= first:
                continue
            hit = np.flatnonzero(chunk.slots == slot)
            if not len(hit):
                continue
            row = np.searchsorted(chunk.offsets, hit, side="right") - 1
            new = chunk.new32[hit].astype(np.int64)
            if len(chunk.wide_at):
                at = np.searchsorted(chunk.wide_at, hit)
                at[at == len(chunk.wide_at)] = 0
                wide = chunk.wide_at[at] == hit
                new[wide] = chunk.wide_new[at[wide]]
            number = row + chunk.first
            keep = (number >= first) & (number <= end)
            events.append(number[keep])
            times.append(chunk.times[row[keep]])
            values.append(new[keep])
        if not events:
            empty = np.empty(0, dtype=np.int64)
            return empty, empty, empty
        return np.concatenate(events), np.concatenate(times), np.concatenate(values)

    def next_of(self, kinds: Collection[str] | None, start: int, by: int, last: int) -> int | None:
        """The next (by = 1) or previous (-1) event of some kinds (None = any) from `start`, excluded, up to `last`."""
        if kinds is None:
            return start + by if 0 <= start + by <= last else None
        wanted = np.array([k in kinds for k in self.kinds])
        number = start + by
        while 0 <= number <= last:
            chunk = self.chunk_of(number)
            hits = np.flatnonzero(wanted[chunk.kinds]) + chunk.first
            hits = hits[(hits >= number) & (hits <= last)] if by > 0 else hits[hits <= number]
            if len(hits):
                return int(hits[0] if by > 0 else hits[-1])
            number = chunk.first + len(chunk) if by > 0 else chunk.first - 1
        return None

    def changes_of(self, signs: Mapping[int, int], first: int, last: int) -> tuple[Ints, Ints]:
        """By how much a sum of slots, each times its sign, changed with each write in events first … last.

        Times (ps) and changes (modulo 2^64), two int64 arrays in order; the slots are looked for all at once.
        """
        weights = np.zeros(self.size, dtype=np.int64)
        weights[list(signs)] = list(signs.values())
        times, changes = [], []
        len(self)  # seals what is still open
        for chunk in self.journal.chunks:
            begin, end = max(first - chunk.first, 0), min(last + 1 - chunk.first, len(chunk))
            if begin >= end:
                continue
            slots, old, new = self.writes_of(chunk)
            low, high = int(chunk.offsets[begin]), int(chunk.offsets[end])
            weight = weights[slots[low:high]]
            hit = np.flatnonzero(weight)
            row = np.searchsorted(chunk.offsets, hit + low, side="right") - 1
            times.append(chunk.times[row])
            changes.append((new[low:high][hit] - old[low:high][hit]) * weight[hit])
        empty = np.empty(0, dtype=np.int64)
        return np.concatenate(times or [empty]), np.concatenate(changes or [empty])

    def spans(self, slot: int, until: int | None = None) -> list[tuple[int, int, int]]:
        """A slot as a list of (from ps, to ps, value): a swim lane. The last span ends at event `until`."""
        last = len(self) - 1 if until is None else until
        _, times, values = self.series(slot, 0, last)
        end = self.event(last).time
        if not len(times):
            return [(0, end, 0)]
        starts = [0, *(int(t) for t in times)]
        held = [0, *(int(v) for v in values)]
        ends = [*starts[1:], end]
        return [(a, b, v) for a, b, v in zip(starts, ends, held, strict=True) if b > a]

    def causes(self, event: int, limit: int = 1000) -> list[Event]:
        """The chain of causes, from the event itself back to one that has none (at most `limit` links)."""
        chain: list[Event] = []
        while event >= 0 and len(chain) < limit:
            link = self.event(event)
            chain.append(link)
            event = link.cause
        return chain

    def touched(self, slots: Iterable[int], first: int, last: int) -> Ints:
        """Numbers of the events in first … last that write any of the slots, ascending."""
        len(self)  # seals what is still open
        wanted = np.fromiter(slots, dtype=np.int64)
        found = []
        for chunk in self.journal.chunks:
            if chunk.first > last or chunk.first + len(chunk) <= first:
                continue
            hit = np.flatnonzero(np.isin(chunk.slots, wanted))
            row = np.unique(np.searchsorted(chunk.offsets, hit, side="right") - 1) + chunk.first
            found.append(row[(row >= first) & (row <= last)])
        return np.concatenate(found) if found else np.empty(0, dtype=np.int64)

    def forward(self, start: int, condition: Callable[[Cursor], bool], slots: Iterable[int] | None = None,
                last: int | None = None) -> Iterator[int | None]:  # fmt: skip
        """None now and then, at least after each event looked at; as the last the first event after `start` that
        *makes* the condition true (it was false before), if there is one up to `last`.

        `slots`: the only ones the condition reads, so that other events are skipped; None = look at every event.
        """
        end = len(self) - 1 if last is None else last
        if start >= end:
            return
        cursor = self.cursor(start)
        was = condition(cursor)
        for first in range(start + 1, end + 1, _LOOK):
            for number in self._looked(slots, first, min(first + _LOOK - 1, end)):
                cursor.seek(int(number))
                now = condition(cursor)
                if now and not was:
                    yield int(number)
                    return
                was = now
                yield None
            yield None

    def backward(self, start: int, condition: Callable[[Cursor], bool], slots: Iterable[int] | None = None
                 ) -> Iterator[int | None]:  # fmt: skip
        """As `forward`, for the last event before `start` that made the condition true; 0 if it was true from there."""
        if start <= 0:
            return
        cursor = self.cursor(start - 1)
        now = condition(cursor)
        for end in range(start - 1, 0, -_LOOK):
            for number in reversed(self._looked(slots, max(end - _LOOK + 1, 1), end)):
                cursor.seek(int(number) - 1)  # nothing that it reads is written between two events that are looked at
                before = condition(cursor)
                if now and not before:
                    yield int(number)
                    return
                now = before
                yield None
            yield None
        if now:
            yield 0

    def _looked(self, slots: Iterable[int] | None, first: int, last: int) -> Sequence[int] | Ints:
        return range(first, last + 1) if slots is None else self.touched(slots, first, last)

    def next(self, start: int, condition: Callable[[Cursor], bool], slots: Iterable[int] | None = None,
             last: int | None = None) -> int | None:  # fmt: skip
        """What `forward` finds, None if there is none."""
        return next((found for found in self.forward(start, condition, slots, last) if found is not None), None)

    def previous(self, start: int, condition: Callable[[Cursor], bool],
                 slots: Iterable[int] | None = None) -> int | None:  # fmt: skip
        """What `backward` finds, None if there is none."""
        return next((found for found in self.backward(start, condition, slots) if found is not None), None)

    @property
    def nbytes(self) -> int:
        """Memory of all sealed chunks in bytes."""
        return sum(chunk.nbytes for chunk in self.journal.chunks)
