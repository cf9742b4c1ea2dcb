"""Stepping is exact: in the first 2,000 events of every bundled scenario, and of lesson 02's machine, the hash at an
event is that of the live machine when the event was complete, by whatever way the cursor came there."""

import random

import numpy as np
import pytest
from history.naive import hash_of
from system.ledger import Ledger, never_overtakes
from system.runs import Telling, machines, scenario

from ixviz.history import journal as module
from ixviz.scenario.simulate import simulate

EVENTS = 2000
NAMES = [*machines(), "bench"]
IX = [n for n in NAMES if not n.startswith(("linux-", "mtcp-"))]  # these have ledgers of their own


def state(values: np.ndarray) -> dict[int, int]:
    return {i: v for i, v in enumerate(values.tolist()) if v}


@pytest.mark.parametrize("name", NAMES)
def test_the_first_events_can_be_walked_in_any_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 60 if name == "ix-migrate-one" else 300)
    journal = Telling()
    sim = simulate(scenario(name), journal)
    live: list[np.ndarray] = []
    journal.tell = lambda number, kind, subject: live.append(sim.slots.values())
    while len(live) <= EVENTS and sim.record(40):
        pass
    history = sim.history
    assert history is not None
    count = len(live)
    assert count > EVENTS or not sim.record(1)  # a small capture may end before
    assert count > (100 if name == "ix-migrate-one" else 250)
    assert len(history) >= count and len(history.journal.chunks) > 1
    cursor, fresh = history.cursor(0), history.cursor(count - 1)
    assert cursor.step(-1) is False and cursor.at == 0
    rng = random.Random(name)
    hashes = {i: hash_of(state(live[i])) for i in sorted(rng.sample(range(count), 60))}
    for _ in range(500):
        way = rng.randrange(5)
        if way == 0:
            cursor.seek(rng.choice(list(hashes)))
        elif way == 1:
            cursor.seek_time(history.event(rng.randrange(count)).time - rng.randrange(2))
        elif way < 4:
            cursor.step(rng.choice([1, -1]))
        else:
            cursor.step(rng.choice([2, -2, 17, -17, 400, -400]))
        if cursor.at >= count:
            cursor.seek(count - 1)
        values, truth = cursor.values(), live[cursor.at]
        assert (values[: len(truth)] == truth).all() and not values[len(truth) :].any()
        if cursor.at in hashes:
            assert cursor.state_hash() == hashes[cursor.at]
        elif way == 3:
            fresh.seek(cursor.at)
            assert cursor.state_hash() == fresh.state_hash()
    for event, expected in hashes.items():
        cursor.seek(event)
        assert cursor.state_hash() == expected
    cursor.seek(len(history) - 1)
    assert cursor.step(1) is False and cursor.at == len(history) - 1


@pytest.mark.parametrize("name", NAMES)
def test_a_step_forward_and_back_is_no_step(name: str) -> None:
    journal = Telling()
    sim = simulate(scenario(name), journal)
    sim.record(600)
    assert sim.history is not None
    cursor = sim.history.cursor(0)
    there = []
    for _ in range(min(600, len(sim.history)) - 1):
        there.append(cursor.state_hash())
        assert cursor.step()
    assert len(set(there)) > len(there) * 0.6  # most events change something
    for expected in reversed(there):
        assert cursor.step(-1)
        assert cursor.state_hash() == expected


LOADED = [
    ("ix-echo", "workload.rate=16 M/s", "machine.nic.ring=8"),
    ("ix-echo", "workload.rate=16 M/s", "system.software_list=0", "machine.nic.ring=16", "system.batch_bound=4"),
    ("ix-echo", "workload.rate=16 M/s", "system.software_list=6", "machine.nic.queues=7", "system.batch_bound=3"),
    ("ix-echo", "machine.hyperthreads=true", "machine.cores=2", "machine.nic.tx_ring=4", "workload.rate=9 M/s"),
    ("ix-memcached-usr", "workload.rate=8 M/s", "machine.nic.ring=3", "workload.rto=50 us", "system.software_list=0"),
    ("ix-memcached-etc", "machine.nic.queues=2", "system.costs.distribution=exponential"),
    ("bench", "system.batch_bound=2"),
]


@pytest.mark.parametrize("made", [*[(n,) for n in IX], *LOADED], ids=" ".join)
def test_what_came_is_dropped_waiting_in_service_or_done_at_every_event(made: tuple[str, ...]) -> None:
    journal = Telling()
    sim = simulate(scenario(*made), journal)
    ledger = Ledger(sim)
    journal.tell = ledger.check
    while ledger.checked <= EVENTS and sim.record(200):
        pass
    assert ledger.checked > EVENTS or (sim.ended and ledger.checked == journal.count - 1)
    never_overtakes(sim)
    if made in LOADED[:3]:
        assert sum(q.drops for q in [*ledger.rings, *ledger.lists]) > 100
    if made == LOADED[3]:
        assert sum(core.tx.stalls for core in ledger.cores) > 0
