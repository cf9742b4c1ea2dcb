"""Frames on a wire, hardware threads, random streams: against loops that anybody can check."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.history import Slots
from ixviz.machine.profile import PROFILES
from ixviz.machine.streams import Exponential, generator
from ixviz.machine.thread import UNIT, Thread
from ixviz.machine.wire import PS, arrivals, wire_ps, wire_ps_many


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(1, 900)), min_size=1, max_size=50), st.integers(0, 9000))
def test_frames_queue_for_the_wire_one_after_another(frames: list[tuple[int, int]], free: int) -> None:
    times = np.cumsum([gap for gap, _ in frames])
    wire = np.array([w for _, w in frames])
    expected, last = [], free
    for at, takes in zip(times.tolist(), wire.tolist(), strict=True):
        last = max(at, last + takes)  # at: when its last bit would be in on an idle wire
        expected.append(last)
    assert arrivals(times, wire, free).tolist() == expected
    assert arrivals(times, np.full(len(times), 7), free).tolist() == arrivals(times, 7, free).tolist()
    assert arrivals(times, 0, 0).tolist() == times.tolist()


@given(st.lists(st.integers(1, 9014), min_size=1), st.sampled_from([None, 10**9, 10**10, 3]))
def test_many_frames_take_what_each_takes(sizes: list[int], rate: int | None) -> None:
    assert wire_ps_many(np.array(sizes), rate).tolist() == [wire_ps(s, rate) for s in sizes]


@given(st.lists(st.tuples(st.integers(1, 10**6), st.sampled_from([2_400_000_000, 1_344_000_000, 999_999_937])),
                max_size=6), st.integers(1, 10**7), st.integers(1, 10**9))  # fmt: skip
def test_work_is_kept_when_the_speed_changes(changes: list[tuple[int, int]], cycles: int, began: int) -> None:
    """The end is never early, and late by at most a picosecond and 1/2^20 cycle for each change."""
    thread = Slots().add(Thread, "t", speed=2_400_000_000, began=began)
    done, now, speed = Fraction(0), began, 2_400_000_000
    changed = 0
    for later, hz in changes:
        if done + Fraction(later * speed, PS) >= cycles:
            break
        done += Fraction(later * speed, PS)
        now, speed = now + later, hz
        thread.set_speed(hz, now, True)
        changed += 1
    exact = now + (cycles - done) * PS / speed
    end = thread.end_of(cycles * UNIT)
    assert exact <= end < exact + 1 + changed * Fraction(PS, UNIT * 999_999_937)
    if not changed:
        assert end == ceil(exact)
        assert thread.anchor == 0


def test_an_idle_thread_changes_its_speed_and_nothing_else() -> None:
    thread = Slots().add(Thread, "t", speed=10, began=5)
    thread.set_speed(20, 9, False)
    assert (thread.speed, thread.anchor, thread.position) == (20, 0, 0)


def test_two_busy_hyperthreads_get_112_percent_together() -> None:
    assert 2 * PROFILES["e5-2665"].shared_speed == 112


@given(st.integers(0, 9000), st.lists(st.integers(0, 5000), max_size=6))
def test_draws_depend_on_their_position_alone(start: int, counts: list[int]) -> None:
    whole = Exponential(7, "cost", 1)
    pieces = Exponential(7, "cost", 1)
    at, total = start, 0
    for count in counts:
        total += pieces.total(at, count)
        at += count
    assert total == whole.total(start, sum(counts))
    assert pieces.total(0, 1) == Exponential(7, "cost", 1).total(0, 1)  # back to a block read before


def test_draws_have_the_mean_of_one_and_the_right_spread() -> None:
    stream = Exponential(1, "cost", 0)
    draws = np.array([stream.total(i, 1) for i in range(50_000)]) / Exponential.ONE
    assert draws.mean() == pytest.approx(1, abs=0.02)  # standard error .0045
    assert draws.std() == pytest.approx(1, abs=0.03)
    assert draws.min() >= 0 and (draws > 1).mean() == pytest.approx(np.exp(-1), abs=0.01)


def test_streams_differ_by_seed_and_name_and_by_nothing_else() -> None:
    keys = [(1, "a"), (2, "a"), (1, "b"), (1, "a", 0), (1, "a", 1), (1, 0)]
    first = [generator(*key).integers(2**62) for key in keys]
    assert len(set(first)) == 6
    assert generator(1, "a", 3).integers(2**62) == generator(1, "a", 3).integers(2**62)
    assert generator(2**64 + 1, "a").integers(2**62) == first[0]
