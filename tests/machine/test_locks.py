"""Locks: closed forms of what n cores get done, one holder at a time in the order of asking, going on from slots."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.history import Component, Slots, field
from ixviz.machine.agenda import Agenda
from ixviz.machine.lines import Lines
from ixviz.machine.locks import SLEEP_PS, WAITS, WAKE_PS, Lock, make_lock
from ixviz.machine.profile import Latencies

OWN, LLC, MOVE, MEMORY, TELL = 1, 10, 100, 1000, 50
LATENCIES = Latencies(own=OWN, l3=LLC, transfer=MOVE, memory=MEMORY, upgrade=TELL)
NS = 1000  # ps in a cycle at 1 GHz
OUTSIDE, WAITING, INSIDE = range(3)
QUICK = settings(max_examples=40, deadline=None, derandomize=True, database=None)


class Worker(Component):
    """A core that works outside, wants the lock, works inside, lets go, and begins again."""

    stage: int = field(values=("outside", "waiting", "inside"))
    until: int = field(unit="ps")
    turns: int = field()

    def wake(self, now: int) -> None:
        if self.stage == OUTSIDE:
            self.machine.asked.append(self.number)
            at = self.machine.lock.request(self.number, now)
            if at == WAITS:
                self.stage, self.until = WAITING, 0
            else:
                self.enter(at)
        else:
            assert self.stage == INSIDE
            self.machine.left.append((self.machine.lock.since, now, self.number))
            done = self.machine.lock.release(self.number, now)
            self.turns += 1
            self.stage = OUTSIDE
            self.arm(done + self.machine.outside(self.number, self.turns))

    def enter(self, at: int) -> None:
        self.stage = INSIDE
        self.arm(at + self.machine.inside(self.number, self.turns))

    def arm(self, at: int) -> None:
        self.until = at
        self.alarm.arm(at)


class Machine:
    """n workers and a lock; `outside` and `inside` give the ps of a core's n-th turn."""

    def __init__(self, kind: str, cores: int, outside: Any, inside: Any) -> None:
        self.agenda, self.slots = Agenda(), Slots()
        self.lines = Lines(self.slots, cores, LATENCIES, 10**9)
        self.lock: Lock = make_lock(self.lines, "listen.lock", kind, self.granted)
        self.outside, self.inside = outside, inside
        self.asked: list[int] = []
        self.left: list[tuple[int, int, int]] = []
        self.workers = [self.slots.add(Worker, f"worker{i}", number=i, machine=self) for i in range(cores)]
        for i, worker in enumerate(self.workers):
            worker.alarm = self.agenda.alarm(worker, i + 1)

    def granted(self, core: int, at: int) -> None:
        worker = self.workers[core]
        assert worker.stage == WAITING and self.lock.holder == core + 1 and self.lock.since == at
        assert not self.lock.has(core, at - 1) and self.lock.has(core, at)
        worker.enter(at)

    def start(self) -> None:
        for i, worker in enumerate(self.workers):
            worker.arm(i * NS)

    def go_on(self) -> None:
        """Arm every worker as its slots say (after they have been loaded)."""
        self.lines.rebuild()
        for worker in self.workers:
            if worker.until:
                worker.alarm.arm(worker.until)


def always(cycles: int) -> Any:
    return lambda core, turn: cycles * NS


def period(kind: str, cores: int, outside: int, inside: int, warm: int = 40, turns: int = 200) -> float:
    """Cycles from a release to the next, once the first turns are over."""
    machine = Machine(kind, cores, always(outside), always(inside))
    machine.start()
    while len(machine.left) < warm + turns:
        machine.agenda.step()
    return (machine.left[warm + turns - 1][1] - machine.left[warm - 1][1]) / turns / NS


@pytest.mark.parametrize("kind", ["ticket", "mcs", "mutex"])
def test_alone_a_lock_costs_a_look_into_the_own_cache(kind: str) -> None:
    accesses = 4 if kind == "mcs" else 2  # its node and the tail, twice
    assert period(kind, 1, 700, 300) == 700 + 300 + accesses * OWN


def test_mcs_is_flat_once_it_is_saturated() -> None:
    """The holder finds the link to its successor, which has stood in its node since before it got the lock, writes into
    the successor's node, and the successor reads that: two transfers, whoever else waits."""
    for cores in (3, 4, 8, 16, 31):
        assert period("mcs", cores, 500, 1000) == 1000 + OWN + 2 * MOVE


@pytest.mark.parametrize("cores", [3, 4, 6, 8, 16, 31])
def test_ticket_falls_with_every_core(cores: int) -> None:
    """All others wait. The first to fetch the line anew gets it from the holder, the rest from the L3; the heir is in
    the middle of them. The holder had to take the line from the one that asked last."""
    waiting = cores - 1
    fetches = MOVE + (waiting - 1) * LLC
    assert period("ticket", cores, 0, 1000) == 1000 + MOVE + -(-fetches * (waiting + 1) // (2 * waiting))


def test_ticket_collapses_where_mcs_does_not() -> None:
    ticket = [period("ticket", n, 3000, 500) for n in (1, 2, 4, 8, 16, 31)]
    mcs = [period("mcs", n, 3000, 500) for n in (1, 2, 4, 8, 16, 31)]
    assert ticket[0] > ticket[1] > ticket[2] > ticket[3], "the lock is not full yet: more cores, more done"
    assert ticket[3] < ticket[4] < ticket[5], "then every further core makes all slower"
    assert mcs[0] > mcs[1] > mcs[2] > mcs[3] == mcs[4] == mcs[5]
    assert ticket[5] > mcs[5] - 300


def test_a_mutex_pays_a_wake_up_for_each_hand_off() -> None:
    """The heir was asleep and fetches the line; the holder let go of a line that the last to ask had written."""
    wake = WAKE_PS / NS
    assert period("mutex", 4, 0, 1000) == 1000 + MOVE + wake + MOVE
    assert period("mutex", 16, 0, 1000) == 1000 + MOVE + wake + MOVE


def test_what_waiting_cost_is_counted() -> None:
    for kind in ("ticket", "mcs", "mutex"):
        machine = Machine(kind, 4, always(100), always(1000))
        machine.start()
        machine.agenda.run_until(200_000 * NS)
        lock = machine.lock
        turns = sum(worker.turns for worker in machine.workers)
        assert lock.holds == turns + 1 and lock.handoffs >= turns - 1
        assert lock.most_waiters == 3 and lock.waiters == len(lock.queue()) >= 2
        waited, other = (lock.slept, lock.spin) if kind == "mutex" else (lock.spin, lock.slept)
        share = waited / 200_000  # cores that waited, on average: the three others, and the heir at each hand-off
        assert other == 0 and (3 < share < 4 if kind == "mutex" else 2 < share < 3.2)
        assert 0.2 < lock.held / (200_000 * NS) < 1


def test_who_asks_a_mutex_and_waits_first_goes_to_sleep() -> None:
    machine = Machine("mutex", 2, always(0), always(10))
    lock = machine.lock
    machine.workers[1].stage = WAITING
    has = lock.request(0, 0)
    assert has == MEMORY * NS and lock.request(1, has) == WAITS
    assert lock.asked1 == has + MOVE * NS + SLEEP_PS
    later = has + MOVE * NS  # the line is with core 1 now
    done = lock.release(0, later)
    assert done == later + MOVE * NS < lock.since - WAKE_PS
    assert lock.since == has + MOVE * NS + SLEEP_PS + WAKE_PS + MOVE * NS, "it falls asleep before it can be woken"


@QUICK
@given(st.sampled_from(["ticket", "mcs", "mutex"]), st.integers(1, 7), st.integers(0, 5000), st.integers(0, 999))
def test_one_holder_at_a_time_in_the_order_of_asking(kind: str, cores: int, work: int, seed: int) -> None:
    rng = random.Random(seed)
    times: dict[tuple[int, int, int], int] = {}

    def some(which: int, most: int) -> Any:
        return lambda core, turn: times.setdefault((which, core, turn), rng.randrange(most + 1)) * NS

    machine = Machine(kind, cores, some(0, work), some(1, 900))
    machine.start()
    for _ in range(400):
        machine.agenda.step()
        lock = machine.lock
        waiting = [w.number for w in machine.workers if w.stage == WAITING]
        assert sorted(lock.queue()) == waiting and lock.waiters == len(waiting)
        inside = [w.number for w in machine.workers if w.stage == INSIDE]
        assert inside == ([lock.holder - 1] if lock.holder else [])
        assert not waiting or lock.holder, "nobody waits for a free lock"
    left = machine.left
    assert [number for _, _, number in left] == machine.asked[: len(left)]
    assert all(since <= until for since, until, _ in left)
    assert all(until <= since for (_, until, _), (since, _, _) in pairwise(left))


@QUICK
@given(st.sampled_from(["ticket", "mcs", "mutex"]), st.integers(2, 6), st.integers(0, 3000), st.integers(5, 150))
def test_going_on_from_the_slots_is_never_having_stopped(kind: str, cores: int, work: int, steps: int) -> None:
    def outside(core: int, turn: int) -> int:
        return ((core * 7919 + turn * 104_729) % (work + 1)) * NS

    one = Machine(kind, cores, outside, always(300))
    one.start()
    for _ in range(steps):
        one.agenda.step()
    other = Machine(kind, cores, outside, always(300))
    other.slots.load(one.slots.values().tolist())
    other.agenda._now = one.agenda.now
    other.go_on()
    one.left.clear()
    for _ in range(200):
        one.agenda.step()
        other.agenda.step()
    assert one.left == other.left and len(one.left) > 20
    assert one.slots.values().tolist() == other.slots.values().tolist()


def test_hyperthreads_are_two_waiters_on_one_cache() -> None:
    slots = Slots()
    lines = Lines(slots, 2, LATENCIES, 10**9, threads=4)
    got: list[tuple[int, int]] = []
    lock = make_lock(lines, "lock", "ticket", lambda thread, at: got.append((thread, at)))
    for thread in (0, 2, 1):
        lock.request(thread, 0)
    assert lock.queue() == [2, 1]
    lock.release(0, 10**7)
    assert got[0][0] == 2 and lock.holder == 3
    lock.release(2, 2 * 10**7)
    assert [thread for thread, _ in got] == [2, 1]


def test_what_nobody_may_do() -> None:
    machine = Machine("ticket", 3, always(0), always(0))
    lock = machine.lock
    with pytest.raises(ValueError, match="not held by thread 0"):
        lock.release(0, 0)
    lock.request(0, 0)
    with pytest.raises(ValueError, match=r"has listen\.lock or waits"):
        lock.request(0, 0)
    assert lock.request(1, 0) == WAITS
    with pytest.raises(ValueError, match=r"has listen\.lock or waits"):
        lock.request(1, 0)
    with pytest.raises(KeyError):
        make_lock(machine.lines, "x", "spin")
