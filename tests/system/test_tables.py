"""A table at an event is the table of a run that stopped there: nothing that came later can be read."""

import numpy as np
import pytest
from system.runs import scenario

from ixviz.history import Journal
from ixviz.scenario.simulate import simulate
from ixviz.system.simulation import Simulation
from ixviz.system.tables import TableAt

ECHO = ("ix-echo", "workload.rate=20 M/s")
RUNS = [
    ("bench",),
    ("ix-capture",),
    (*ECHO, "machine.nic.ring=4", "machine.nic.queues=6"),
    (*ECHO, "system.software_list=4"),  # a list drops a packet long after it has arrived
    ("ix-echo", "machine.hyperthreads=true", "workload.rate=9 M/s", "machine.nic.tx_ring=3"),
]


def told(table: TableAt) -> dict[str, list[int | None]]:
    """What a reader gets: unknown cells are None."""
    out: dict[str, list[int | None]] = {}
    for name, column in table.columns.items():
        known = column.known if column.known is not None else np.ones(len(table), dtype=bool)
        out[name] = [v if k else None for v, k in zip(column.values.tolist(), known.tolist(), strict=True)]
    return out


def nothing_later(sim: Simulation, names: tuple[str, ...], until: int) -> None:
    seen = []
    while sim.journal.count < until and sim.record(7):  # type: ignore[union-attr]
        seen.append((sim.journal.count - 1, {name: told(sim.table(name)) for name in names}))  # type: ignore[union-attr]
    sim.record(3 * until)
    assert len(seen) > 20
    for event, tables in seen:
        for name, table in tables.items():
            assert told(sim.table(name, event)) == table, f"{name} at event {event}"


@pytest.mark.parametrize("made", RUNS, ids=" ".join)
def test_packets_and_batches(made: tuple[str, ...]) -> None:
    nothing_later(simulate(scenario(*made), Journal()), ("packets", "batches"), 700)


def test_requests() -> None:
    made = scenario("ix-memcached-usr", "workload.connections=50")
    nothing_later(simulate(made, Journal()), ("requests",), 900)


def test_a_table_says_what_the_slots_say() -> None:
    sim = simulate(scenario("bench"), Journal())
    while sim.record(100):
        pass
    assert sim.history is not None
    cursor = sim.history.cursor(0)
    for event in range(0, len(sim.history), 29):
        cursor.seek(event)
        packets, batches = told(sim.table("packets", event)), told(sim.table("batches", event))
        assert len(packets["id"]) == cursor.view["nic"].arrived
        assert len(batches["number"]) == cursor.view["core0"].batch
        assert sum(x is not None for x in packets["leaves"]) == cursor.view["core0"].done
        waiting = cursor.view["nic.q0"].depth + cursor.view["core0.rxlist"].depth
        assert sum(x is None for x in packets["batch"]) == waiting
        running = [size for size, end in zip(batches["size"], batches["ends"], strict=True) if end is None]
        assert running in ([], [cursor.view["core0"].size])
    columns = (packets[name] for name in ("arrives", "leaves", "latency"))
    gone = [(a, b, c) for a, b, c in zip(*columns, strict=True) if a is not None and b is not None]
    assert len(gone) > 150 and all(b - a == c for a, b, c in gone)


def test_a_run_without_such_a_table_says_so() -> None:
    sim = simulate(scenario("ix-echo", "run.until=0.1 ms"))
    sim.run()
    with pytest.raises(ValueError, match="record it"):
        sim.table("packets")
    with pytest.raises(ValueError, match="clients"):
        sim.table("requests")
    with pytest.raises(KeyError):
        sim.table("flows")
    assert len(sim.table("batches")) == sum(t.batch for t in sim.threads)
