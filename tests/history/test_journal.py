"""The journal and its chunks: what goes in comes out, narrow or wide, whole or cut."""

import numpy as np
import pytest
from history.naive import Lamp, Naive, Twin, script
from history.scripts import SCRIPTS
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.history import Journal
from ixviz.history import journal as module
from ixviz.history.journal import Chunk, assign


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-9, 9)), max_size=200), st.booleans())
def test_of_several_writes_to_one_slot_the_last_stays(writes: list[tuple[int, int]], wins: bool) -> None:
    expected, values = [0] * 6, np.zeros(6, dtype=np.int64)
    for slot, value in writes:
        expected[slot] = value
    slots = np.array([s for s, _ in writes], dtype=np.intp)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LAST_WINS", wins)  # False: the way around for a NumPy that keeps another
        assign(values, slots, np.array([v for _, v in writes], dtype=np.int64))
    assert values.tolist() == expected


def test_numpy_still_keeps_the_last_value_of_a_repeated_index() -> None:
    for size in (2, 64, 4096, 200_000):
        values = np.zeros(3, dtype=np.int64)
        values[np.arange(size) % 2] = np.arange(size)
        assert values.tolist() == [size - 2 + size % 2, size - 1 - size % 2, 0]
        backward = np.arange(size)[::-1]
        values[np.zeros(size, dtype=np.intp)] = backward
        assert values[0] == 0
    assert module.LAST_WINS is True


@settings(deadline=None)
@given(SCRIPTS, st.sampled_from([1, 2, 3, 7, 16_384]))
def test_what_was_written_is_read_at_every_size_of_chunk(ops: list[tuple[int, ...]], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        n = script(Naive(), ops)
        assert len(n.history) == len(n.events)
        assert max(len(c) for c in n.journal.chunks) <= size
        for i, (time, kind, subject, cause) in enumerate(n.events):
            e = n.history.event(i)
            assert (e.number, e.time, e.kind, e.subject, e.cause) == (i, time, kind, subject, cause)
            assert [(c.slot, c.old, c.new) for c in n.history.changes(i)] == n.writes[i]


def test_wide_and_negative_values_survive_beside_narrow_ones() -> None:
    values = [1, 2**31 - 1, 2**31, -1, -(2**31), -(2**31) - 1, 2**63 - 1, -(2**63), 0, 5]
    n = Naive()
    n.event(kind=0)
    lamp = n.add(Lamp, level=0)
    for value in values:
        n.event(1)
        n.set(lamp, "lit", value)
        n.set(lamp, "since", value // 3)
    assert len(n.history) == len(values) + 1
    (chunk,) = n.journal.chunks
    slots, old, new = chunk.writes()
    assert new[slots == 0].tolist() == values and old[slots == 0].tolist() == [0, *values[:-1]]
    assert chunk.new32.dtype == np.int32 and 0 < len(chunk.wide_at) < len(new)
    assert n.history.series(0)[2].tolist() == values
    assert n.history.series(2)[2].tolist() == [w[2] for e in n.writes for w in e if w[0] == 2]


SIZES = [(0, 16_384, 65_535, np.uint16), (3, 16_382, 65_536, np.int32)]


@pytest.mark.parametrize(("lamps", "twins", "last", "dtype"), SIZES)
def test_slots_take_two_bytes_as_long_as_they_fit(lamps: int, twins: int, last: int, dtype: type) -> None:
    n = Naive()
    n.event(kind=0)
    for cls in (Lamp,) * lamps + (Twin,) * twins:
        made = n.slots.add(cls, f"t{n.slots.size}")
    n.journal.seal()
    n.journal.event(1, 1, 0, -1)
    made.pair = 77  # type: ignore[attr-defined]
    assert made.base + 3 == last
    assert [(c.component, c.field, c.new) for c in n.history.changes(1)] == [(made.name, "pair", 77)]
    assert n.journal.chunks[-1].slots.dtype == dtype
    cursor = n.history.cursor(1)
    assert cursor.value(last) == 77 and cursor.value(0) == 0


def test_events_without_writes_and_sealing_when_there_is_nothing() -> None:
    journal = Journal()
    journal.seal()
    assert journal.chunks == [] and journal.count == 0
    for i in range(5):
        assert journal.event(i, 1, 2, i - 1) == i
    journal.seal()
    journal.seal()
    assert len(journal.chunks) == 1 and len(journal.chunks[0].slots) == 0
    assert journal.chunks[0].offsets.tolist() == [0] * 6
    assert journal.chunks[0].times.tolist() == [0, 1, 2, 3, 4]


@settings(deadline=None)
@given(SCRIPTS, st.data())
def test_the_head_of_a_chunk_is_the_chunk_of_its_first_events(ops: list[tuple[int, ...]], data: st.DataObject) -> None:
    n = script(Naive(), ops)
    n.journal.seal()
    (whole,) = n.journal.chunks
    count = data.draw(st.integers(1, len(whole)))
    part: Chunk = whole.head(count)
    assert len(part) == count and part.first == 0
    assert part.times.tolist() == [e[0] for e in n.events[:count]]
    slots, old, new = part.writes()
    got = list(zip(slots.tolist(), old.tolist(), new.tolist(), strict=True))
    assert got == [write for event in n.writes[:count] for write in event]
    held = n.states[count - 1]
    after = part.after(n.slots.size)
    assert after.tolist() == [held.get(s, 0) for s in range(n.slots.size)]


def test_a_fork_is_refused_beyond_the_end_and_open_writes_can_be_dropped() -> None:
    n = Naive()
    n.event(kind=0)
    n.add(Lamp)
    with pytest.raises(ValueError, match="no event 2"):
        n.journal.fork(2)
    with pytest.raises(ValueError, match="no event -1"):
        n.journal.fork(-1)
    branch = n.journal.fork(1)
    branch.log((0, 0, 5))
    branch.drop_open_writes()
    branch.event(3, 1, 0, -1)
    branch.seal()
    assert branch.chunks[-1].writes()[0].tolist() == []


def test_bytes_are_counted() -> None:
    n = Naive()
    n.event(kind=0)
    lamp = n.add(Lamp)
    for i in range(2000):
        n.event(1)
        n.set(lamp, "since", i + 1)
    assert len(n.history) == 2001
    assert n.history.nbytes == sum(c.nbytes for c in n.journal.chunks)
    assert 25 * 2000 < n.history.nbytes < 40 * 2000  # 21 + 10 for each event with its one write
