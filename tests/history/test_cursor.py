"""The cursor as a state machine against a naive history: wherever it came from, it shows what was there."""

import numpy as np
import pytest
from history.naive import Lamp, Naive, Twin, hash_of, script
from history.scripts import SCRIPTS, operations
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ixviz.history import Cursor
from ixviz.history import journal as module
from ixviz.history.cursor import mix


class Walk(RuleBasedStateMachine):
    """A history that grows while a cursor walks in it."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()

    @initialize(size=st.sampled_from([1, 2, 3, 5, 16_384]), ops=SCRIPTS)
    def begin(self, size: int, ops: list[tuple[int, ...]]) -> None:
        self.patch.setattr(module, "CHUNK", size)
        self.naive = script(Naive(), ops)
        self.cursor = self.naive.history.cursor(0)
        self.at = 0

    @rule(op=operations())
    def one_more_event(self, op: tuple[int, ...]) -> None:
        later, kind, back, *rest = op
        n = self.naive
        n.event(later, kind, 0, max(-1, len(n.events) - 1 - back))
        for which, name, value in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            if name == 9:
                n.add(Twin, pair=value)
            else:
                part = n.slots.components[which % len(n.slots.components)]
                n.set(part, list(type(part).FIELDS)[name % 3], value)

    @rule(by=st.sampled_from([1, -1, 1, -1, 2, -3, 7, 10**6, -(10**6), 0]))
    def step(self, by: int) -> None:
        goal = self.at + by
        inside = 0 <= goal < len(self.naive.events)
        assert self.cursor.step(by) is inside
        self.at = goal if inside else self.at

    @rule(part=st.floats(0, 1))
    def seek(self, part: float) -> None:
        self.at = round(part * (len(self.naive.events) - 1))
        assert self.cursor.seek(self.at) == self.at

    @rule(part=st.floats(-0.1, 1.1), off=st.integers(-1, 1))
    def seek_time(self, part: float, off: int) -> None:
        time = int(part * self.naive.time) + off
        self.at = max(0, self.naive.at_time(time))
        assert self.naive.history.event_at(time) == self.naive.at_time(time)
        assert self.cursor.seek_time(time) == self.at

    @rule(off=st.sampled_from([-1, -7, 0, 5]))
    def seek_outside(self, off: int) -> None:
        with pytest.raises(IndexError):
            self.cursor.seek(off if off < 0 else len(self.naive.events) + off)

    @rule()
    def hash(self) -> None:
        assert self.cursor.state_hash() == hash_of(self.naive.states[self.at])

    @rule()
    def another_cursor(self) -> None:
        assert self.naive.history.cursor(self.at).state_hash() == hash_of(self.naive.states[self.at])

    @invariant()
    def shows_what_was_there(self) -> None:
        if not hasattr(self, "naive"):
            return
        held = self.naive.states[self.at]
        assert self.cursor.at == self.at and self.cursor.time == self.naive.events[self.at][0]
        size = self.naive.slots.size
        assert [self.cursor.value(s) for s in range(size)] == [held.get(s, 0) for s in range(size)]

    def teardown(self) -> None:
        if hasattr(self, "naive"):
            assert self.cursor.state_hash() == hash_of(self.naive.states[self.at])
        self.patch.undo()


Walk.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestWalk = Walk.TestCase


def test_at_the_start_and_at_the_end_it_says_so_and_does_not_move() -> None:
    n = script(Naive(), [(1, 1, 0, 0, 0, 1), (1, 1, 0, 0, 0, 2)])
    cursor = n.history.cursor(0)
    assert cursor.step(-1) is False and cursor.at == 0
    assert cursor.step() is True and cursor.step() is True and cursor.at == 2
    assert cursor.step() is False and cursor.step(9) is False and cursor.at == 2 and cursor.value(0) == 2
    assert cursor.step(-2) is True and cursor.step(-1) is False and cursor.at == 0 and cursor.value(0) == 0


def test_an_empty_history_has_no_place_for_a_cursor() -> None:
    with pytest.raises(IndexError):
        Naive().history.cursor(0)


def test_values_are_a_copy() -> None:
    n = script(Naive(), [(1, 1, 0, 0, 0, 5)])
    cursor = n.history.cursor(1)
    cursor.values()[:] = 99
    assert cursor.values().tolist() == [5, 7, 0]


def test_the_hash_does_not_depend_on_the_order_or_on_slots_that_hold_nothing() -> None:
    rng = np.random.default_rng(5)
    slots = rng.permutation(400)
    values = rng.integers(-(2**62), 2**62, 400)
    values[::3] = 0
    whole = mix(slots, values)
    order = rng.permutation(400)
    assert mix(slots[order], values[order]) == whole
    assert mix(slots[values != 0], values[values != 0]) == whole
    assert whole == hash_of(dict(zip(slots.tolist(), values.tolist(), strict=True)))
    assert 0 <= whole < 2**64 and mix(slots[:0], values[:0]) == 0


@given(st.dictionaries(st.integers(0, 70_000), st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5), st.data())
def test_another_value_or_another_slot_is_another_hash(held: dict[int, int], data: st.DataObject) -> None:
    slot = data.draw(st.sampled_from(sorted(held)))
    other = data.draw(st.integers(-(2**63), 2**63 - 1).filter(lambda v: v != held[slot]))
    assert hash_of(held) != hash_of({**held, slot: other})
    arrays = np.array(list(held)), np.array(list(held.values()), dtype=np.int64)
    assert mix(*arrays) == hash_of(held)


@settings(max_examples=40, deadline=None)
@given(SCRIPTS, SCRIPTS, SCRIPTS, st.sampled_from([1, 2, 4, 16_384]))
def test_a_branch_shares_the_past_and_has_a_future_of_its_own(
    past: list[tuple[int, ...]], ours: list[tuple[int, ...]], theirs: list[tuple[int, ...]], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        n = script(Naive(), past)
        fork = len(n.events)
        places, held = len(n.slots.components), n.slots.values()
        for later, *_ in ours:  # the first future: every event changes something, some create
            n.event(later)
            n.set(n.slots.components[0], "since", n.held(2, len(n.events) - 1) + 3)
            n.add(Twin)
        branch = Naive(n.journal.fork(fork), n.events[fork - 1][0])
        for place in n.slots.places[:places]:
            branch.slots.add(place.cls, place.name)
        branch.slots.load(held.tolist())
        branch.journal.drop_open_writes()
        branch.states, branch.events, branch.writes = n.states[:fork], n.events[:fork], n.writes[:fork]
        for later, *_ in theirs:
            branch.event(later, 2)
            branch.set(branch.slots.components[0], "since", branch.held(2, len(branch.events) - 1) - 5)
        assert len(branch.history) == len(branch.events) and len(n.history) == len(n.events)
        here, there = n.history.cursor(0), branch.history.cursor(0)
        for event in (*range(fork), *range(fork - 1, -1, -1)):
            here.seek(event)
            there.seek(event)
            assert here.state_hash() == there.state_hash() == hash_of(n.states[event])
        for naive, cursor in ((n, here), (branch, there)):
            for event in range(fork, len(naive.events)):
                cursor.seek(event)
                assert cursor.state_hash() == hash_of(naive.states[event])
                assert [(c.slot, c.old, c.new) for c in naive.history.changes(event)] == naive.writes[event]
        if ours and theirs:
            assert n.history.cursor(fork).state_hash() != branch.history.cursor(fork).state_hash()


def test_a_component_born_late_is_not_there_before_and_goes_away_when_one_steps_back() -> None:
    n = script(Naive(), [(1, 1, 0, 0, 0, 1)])
    cursor: Cursor = n.history.cursor(1)
    early = cursor.state_hash()
    n.event(1)
    n.add(Lamp, lit=2, since=2**50)
    n.event(1)
    n.set(n.slots.components[1], "lit", 0)
    cursor.seek(3)
    assert cursor.values().tolist() == [1, 7, 0, 0, 7, 2**50]
    cursor.step(-1)
    assert cursor.values().tolist() == [1, 7, 0, 2, 7, 2**50]
    cursor.step(-1)
    assert cursor.values().tolist()[:3] == [1, 7, 0] and not cursor.values()[3:].any()
    assert cursor.state_hash() == early
