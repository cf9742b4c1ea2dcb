"""What one can ask a history, against answers found by looking at everything."""

from itertools import pairwise

import numpy as np
import pytest
from history.naive import Naive, script
from history.scripts import SCRIPTS
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.history import Cursor
from ixviz.history import journal as module

SIZES = st.sampled_from([1, 2, 3, 16_384])


@pytest.fixture(autouse=True)
def _chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", module.CHUNK)  # so that what a test sets is undone


def made(ops: list[tuple[int, ...]], size: int) -> Naive:
    module.CHUNK = size
    return script(Naive(), ops)


def two(data: st.DataObject, n: Naive) -> tuple[int, int]:
    """A first and a last event."""
    a, b = data.draw(st.integers(0, len(n.events) - 1)), data.draw(st.integers(0, len(n.events) - 1))
    return min(a, b), max(a, b)


@settings(max_examples=60, deadline=None)
@given(SCRIPTS, SIZES, st.data())
def test_series_are_all_writes_to_a_slot(ops: list[tuple[int, ...]], size: int, data: st.DataObject) -> None:
    n = made(ops, size)
    first, last = two(data, n)
    for slot in range(n.slots.size):
        for bounds in ((first, last), (0, None)):
            events, times, values = n.history.series(slot, *bounds)
            got = list(zip(events.tolist(), times.tolist(), values.tolist(), strict=True))
            assert got == n.series(slot, bounds[0], len(n.events) - 1 if bounds[1] is None else bounds[1])
            assert events.dtype == times.dtype == values.dtype == np.int64


@settings(max_examples=60, deadline=None)
@given(SCRIPTS, SIZES, st.data())
def test_changes_of_a_sum_are_those_of_its_slots(ops: list[tuple[int, ...]], size: int, data: st.DataObject) -> None:
    n = made(ops, size)
    first, last = two(data, n)
    slots = st.integers(0, n.slots.size - 1)
    signs = data.draw(st.dictionaries(slots, st.sampled_from([1, -1, 3]), max_size=4)) if n.slots.size else {}
    times, changes = n.history.changes_of(signs, first, last)
    expected = []
    for event in range(first, last + 1):
        for change in n.history.changes(event):
            if change.slot in signs:
                by = (change.new - change.old) * signs[change.slot]
                expected.append((n.events[event][0], (by + 2**63) % 2**64 - 2**63))
    assert list(zip(times.tolist(), changes.tolist(), strict=True)) == expected
    assert times.dtype == changes.dtype == np.int64


@settings(max_examples=60, deadline=None)
@given(SCRIPTS, SIZES, st.data())
def test_spans_cover_all_time_with_the_value_held(ops: list[tuple[int, ...]], size: int, data: st.DataObject) -> None:
    n = made(ops, size)
    until = data.draw(st.sampled_from([None, *range(len(n.events))]))
    last = len(n.events) - 1 if until is None else until
    end = n.events[last][0]
    for slot in range(n.slots.size):
        spans = n.history.spans(slot, until)
        assert all(a < b for a, b, _ in spans) or spans == [(0, end, 0)]
        if end:
            assert spans[0][0] == 0 and spans[-1][1] == end
            assert all(x[1] == y[0] for x, y in pairwise(spans))
            for a, b, value in spans:
                for time in {a, (a + b) // 2, b - 1}:
                    event = min(n.at_time(time), last)
                    assert value == (n.held(slot, event) if event >= 0 else 0)


@settings(max_examples=60, deadline=None)
@given(SCRIPTS, SIZES, st.data())
def test_touched_are_the_events_that_write(ops: list[tuple[int, ...]], size: int, data: st.DataObject) -> None:
    n = made(ops, size)
    first, last = two(data, n)
    slots = data.draw(st.sets(st.integers(0, n.slots.size - 1), max_size=4))
    expected = [e for e in range(first, last + 1) if any(s in slots for s, *_ in n.writes[e])]
    assert n.history.touched(slots, first, last).tolist() == expected


@settings(max_examples=80, deadline=None)
@given(SCRIPTS, SIZES, st.data())
def test_next_and_previous_find_what_makes_a_condition_true(
    ops: list[tuple[int, ...]], size: int, data: st.DataObject
) -> None:
    n = made(ops, size)
    slot, limit = data.draw(st.integers(0, n.slots.size - 1)), data.draw(st.integers(-2, 8))
    start = data.draw(st.integers(0, len(n.events) - 1))
    last = data.draw(st.sampled_from([None, *range(len(n.events))]))

    def condition(cursor: Cursor) -> bool:
        return cursor.value(slot) >= limit

    true = [n.held(slot, e) >= limit for e in range(len(n.events))]
    makes = [e for e in range(len(n.events)) if true[e] and not (e and true[e - 1])]
    end = len(n.events) - 1 if last is None else last
    after = next((e for e in makes if start < e <= end), None)
    before = next((e for e in reversed(makes) if e < start), None)
    for slots in (None, [slot]):
        assert n.history.next(start, condition, slots, last) == after
        assert n.history.previous(start, condition, slots) == before


@settings(max_examples=60, deadline=None)
@given(SCRIPTS, SIZES, st.integers(0, 30))
def test_causes_are_the_chain_back_to_one_that_has_none(ops: list[tuple[int, ...]], size: int, at: int) -> None:
    n = made(ops, size)
    event = at % len(n.events)
    chain = [event]
    while n.events[chain[-1]][3] >= 0:
        chain.append(n.events[chain[-1]][3])
    assert [e.number for e in n.history.causes(event)] == chain
    assert [e.number for e in n.history.causes(event, 2)] == chain[:2]
    assert n.history.causes(-1) == []


@settings(max_examples=40, deadline=None)
@given(SCRIPTS, SIZES)
def test_questions_move_nobodys_cursor(ops: list[tuple[int, ...]], size: int) -> None:
    n = made(ops, size)
    cursor = n.history.cursor(len(n.events) // 2)
    before = cursor.at, cursor.values().tolist()
    n.history.next(0, lambda c: c.value(0) == 1)
    n.history.previous(len(n.events) - 1, lambda c: c.value(0) == 1)
    n.history.spans(0)
    n.history.changes(0)
    assert (cursor.at, cursor.values().tolist()) == before


def test_an_event_outside_is_refused() -> None:
    n = made([(1, 1, 0)], 4)
    for number in (-1, 2, 10**9):
        with pytest.raises(IndexError, match=f"no event {number}: there are 0 to 1"):
            n.history.event(number)
        with pytest.raises(IndexError):
            n.history.changes(number)


def test_many_chunks_are_asked_in_any_order() -> None:
    """More chunks than are kept decoded."""
    n = made([(1, 1, 0, 0, 0, i % 3, 0, 2, 2**33 + i) for i in range(40)], 3)
    assert len(n.history) == 41 and len(n.journal.chunks) == 14
    for event in [*range(41), *range(40, -1, -1), 0, 40, 20, 0]:
        assert [(c.slot, c.old, c.new) for c in n.history.changes(event)] == n.writes[event]
