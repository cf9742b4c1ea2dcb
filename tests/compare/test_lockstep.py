"""One cursor over two runs: wherever one jumps or steps, all stand at that place, and the way there does not matter."""

from __future__ import annotations

from functools import cache

import pytest
from compare.small import lockstep, pair
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.compare.lockstep import BY_PACKET, BY_TIME, PHASES, Lockstep

WORKLOADS = ("open", "paced", "fast")


@cache
def made(workload: str) -> Lockstep:
    return lockstep(pair(workload))


def order(lock: Lockstep, run: int, event: int) -> tuple[bool, int, int, int]:
    """The order of all events: the starts first, then by time, at one time the runs in their order."""
    return event > 0, lock.runs[run].time(event), run, event


def check(lock: Lockstep) -> None:
    """Every run stands just after its last event at or before the cursor's."""
    assert lock.align == BY_TIME
    here = order(lock, lock.place.run, lock.place.event)
    for i, run in enumerate(lock.runs):
        assert order(lock, i, run.at) <= here
        if run.at < run.last:
            assert order(lock, i, run.at + 1) > here
        assert run.now == lock.place.now
        assert run.at == run.last or run.time(run.at + 1) >= lock.place.now


steps = st.lists(
    st.one_of(
        st.tuples(st.just("step"), st.integers(0, 2), st.sampled_from((1, -1))),
        st.tuples(st.just("time"), st.integers(0, 300_000_000), st.just(0)),
        st.tuples(st.just("packet"), st.integers(1, 40), st.sampled_from((1, -1))),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WORKLOADS), steps)
def test_a_place_is_the_same_however_it_was_reached(workload: str, way: list[tuple[str, int, int]]) -> None:
    lock = made(workload)
    lock.go_time(0)
    for what, number, by in way:
        if what == "time":
            lock.go_time(number)
        else:
            key = lock.runs[0].identity.key(number) if what == "packet" else None
            target = lock.packet_target(key, by) if key else lock.target(number, by)
            if target is not None:
                lock.go(*target)
        check(lock)
    place, stood = lock.place, [(run.at, run.now) for run in lock.runs]
    lock.go_time(0)
    lock.go(*place)
    assert [(run.at, run.now) for run in lock.runs] == stood


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WORKLOADS), st.integers(0, 250_000_000), st.integers(0, 2), st.integers(1, 6))
def test_as_many_steps_back_as_forward_lead_back(workload: str, time: int, size: int, count: int) -> None:
    lock = made(workload)
    lock.go_time(time)
    first = lock.target(size, 1)
    if first is None:
        return
    lock.go(*first)
    start, places = lock.place, []
    for _ in range(count):
        target = lock.target(size, 1)
        if target is None:
            break
        places.append(lock.place)
        lock.go(*target)
        assert order(lock, *lock.place[:2]) > order(lock, *places[-1][:2])
    for before in reversed(places):
        target = lock.target(size, -1)
        assert target is not None
        assert lock.go(*target) == before
    assert lock.place == start


def test_single_steps_pass_every_event_of_both_once() -> None:
    lock = made("open")
    lock.go_time(0)
    seen = [0, 0]
    lock.go(1, 0)
    while (target := lock.target(0, 1)) is not None:
        run, event = target
        seen[run] += 1
        assert event == seen[run]
        lock.go(run, event)
    assert seen == [run.last for run in lock.runs]


def test_a_run_that_is_not_recorded_far_enough_stops_the_others() -> None:
    lock = lockstep(pair("open"), whole=False)
    one, two = lock.runs
    while one.sim.record(5_000):
        pass
    edge = two.edge()
    assert edge is not None and lock.edge() == edge
    lock.go_time(edge - 1)
    assert lock.known(edge - 1) and not lock.known(edge)
    while (target := lock.target(0, 1)) is not None:
        lock.go(*target)
    assert one.time(one.at) <= edge and one.at != one.last
    lock.record(200)  # the one that is behind
    assert two.edge() is None or two.edge() > edge
    assert lock.target(0, 1) is not None


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WORKLOADS), st.integers(1, 60), st.integers(0, len(PHASES) - 1))
def test_by_packet_each_stands_where_the_packet_is_in_that_phase(workload: str, number: int, phase: int) -> None:
    lock = made(workload)
    key = lock.runs[0].identity.key(number)
    if key is None or not lock.go_packet(key, phase):
        return
    assert (lock.align, lock.key, lock.phase) == (BY_PACKET, key, phase)
    for run in lock.runs:
        packet = run.identity.packet(key)
        if packet is None:
            continue
        assert run.now == run.time(run.at)
        phases = run.phases(key)
        reached = [event for event in phases[: phase + 1] if event is not None]
        assert run.at == reached[-1]
        assert phases[0] == run.sim.feed.packets.event[packet]
        if phases[-1] is not None:
            assert run.time(phases[-1]) == run.moment.left(packet) or run.at < phases[-1]
    stood = [run.at for run in lock.runs]
    lock.go_time(1_000_000)
    assert lock.go_packet(key, phase)
    assert [run.at for run in lock.runs] == stood


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_phases_of_a_packet_come_one_after_the_other(workload: str) -> None:
    for run in made(workload).runs:
        for number in range(1, 30):
            key = run.identity.key(number)
            assert key is not None
            events = [event for event in run.phases(key) if event is not None]
            assert events == sorted(events)


def test_the_nearest_event_of_some_kinds() -> None:
    history = made("open").runs[0].history
    kinds = frozenset(("poll",))
    wanted = [e for e in range(len(history)) if history.kinds[history.event(e).kind] == "poll"]
    last = len(history) - 1
    assert history.next_of(kinds, 0, 1, last) == wanted[0]
    assert history.next_of(kinds, wanted[3], 1, last) == wanted[4]
    assert history.next_of(kinds, wanted[3], -1, last) == wanted[2]
    assert history.next_of(kinds, wanted[-1], 1, last) is None
    assert history.next_of(None, 5, -1, last) == 4
