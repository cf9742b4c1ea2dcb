"""IX's own cache lines: what the books say is what every single access does, and no line of one core's is ever moved.
(Watched = unwatched = in bulk, and resumed = never stopped: test_watched.py and test_resume.py compare all figures.)"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.ix.accesses import OneByOne
from system.machines import FAULTS, KINDS, examples, scenarios
from system.runs import machines, plain, recorded, scenario, unwatched

from ixviz.history import Journal
from ixviz.machine.lines import COUNTS
from ixviz.scenario.load import bundled, load, with_changes
from ixviz.scenario.simulate import simulate

IX = [name for name in machines() if load(bundled(name)).system.kind == "ix"]
MOVES = [name for name in IX if getattr(load(bundled(name)).system, "control", None) is not None]
SHORT = {"queue-md1": "run.until=2 ms", "ix-capture": "run.until=1 s"}


def short(name: str, *sets: str) -> Any:
    """A bundled scenario, cut short."""
    return scenario(name, SHORT.get(name, "run.until=1 ms"), "run.warmup=0", *sets)


def as_books_have_it(lines: dict[str, dict[str, Any]], cores: int) -> dict[str, dict[str, Any]]:
    """Connections that one core has for itself are one line a core."""
    out = {}
    for name, line in lines.items():
        owners = [c for c in range(cores) if line["states"][c] != "I"]
        if name.startswith("pcb ") and line["transfers"] == 0:
            name = f"core{owners[0]}.pcbs"
            if name in out:
                line = {**line, **{key: line[key] + out[name][key] for key in COUNTS}}
        out[name] = {**line, "name": name}
    return out


def check_figures(sim: Any) -> dict[str, Any]:
    """The object `coherence` adds up, and is what access by access comes to."""
    got = sim.memory.figures()
    for key in COUNTS:
        assert got[key] == sum(core[key] for core in got["per_core"]) == sum(line[key] for line in got["lines"])
    for each in (got, *got["per_core"], *got["lines"]):
        assert each["hits"] + each["misses"] == each["accesses"]
    reference = as_books_have_it(OneByOne(sim).go(), sim.memory.cores)
    assert {line["name"]: line for line in got["lines"]} == reference
    return got


@pytest.mark.parametrize("kind", KINDS)
def test_the_books_are_what_every_access_does(kind: str) -> None:
    @examples(25)
    @given(scenarios((kind,)), FAULTS, st.booleans())
    def check(raw: dict[str, Any], fault: str | None, watched: bool) -> None:
        sim = recorded(plain(raw, fault)) if watched else unwatched(plain(raw, fault))
        if not sim.lanes:
            check_figures(sim)

    check()


@pytest.mark.parametrize("cores", [1, 2, 4, 8])
@pytest.mark.parametrize("name", [name for name in IX if name not in MOVES])
def test_no_line_moves_between_cores_but_the_mempool(name: str, cores: int) -> None:
    sim = unwatched(short(name, f"machine.cores={cores}", f"machine.nic.queues={cores}"))
    got = sim.memory.figures()
    assert got["accesses"] > 1000
    assert got["transfers"] == sum(line["transfers"] for line in got["lines"] if line["name"] == "mempool")
    assert all(line["misses"] == 0 for line in got["lines"] if line["name"] not in ("mempool", "arp")
               and not line["name"].endswith(".ring"))  # fmt: skip
    arp = next(line for line in got["lines"] if line["name"] == "arp")
    assert arp["transfers"] == arp["invalidations"] == arp["upgrades"] == 0
    assert arp["misses"] == len(arp["states"]) - arp["states"].count("I") >= 1 == arp["memory_reads"]
    assert not any(line["name"].startswith("pcb ") for line in got["lines"])


@pytest.mark.parametrize("name", MOVES)
def test_a_migration_moves_the_lines_of_its_connections_and_says_so(name: str) -> None:
    got = unwatched(scenario(name)).memory.figures()
    named = [line for line in got["lines"] if line["name"].startswith("pcb of flow ") or line["name"] == "mempool"]
    assert got["transfers"] == sum(line["transfers"] for line in named)


def test_refills_are_chunks_of_128_and_move_the_line_of_the_lock() -> None:
    """An overloaded machine: each core's list takes mbufs that nothing gives back."""
    sim = unwatched(scenario("ix-echo", "workload.load=1.5", "run.until=3 ms"))
    books = sim.memory.books()
    waiting = {t.number: t.lists[0].depth for t in sim.threads}
    for thread, depth in waiting.items():
        assert abs(128 * books.refills[thread] - depth) < 128 + 512 + 64 and books.gives[thread] == 0
    assert min(books.refills) >= 4
    figures = sim.memory.figures()
    lock = next(line for line in figures["lines"] if line["name"] == "mempool")
    assert lock["accesses"] == 4 * sum(books.refills) and lock["memory_reads"] == 1
    assert 0 < lock["transfers"] <= sum(books.refills) - 1
    assert figures["transfers"] == lock["transfers"]


@pytest.mark.parametrize("journal", [None, Journal()], ids=["unwatched", "recorded"])
def test_two_cores_that_touch_one_connection_move_its_line(journal: Journal | None) -> None:
    """The RETA is changed in the middle of a run: then each connection's line follows it to the other core."""
    sets = ("machine.cores=2", "machine.nic.queues=2", "workload.connections=9", "workload.rate=100 K/s")
    sim: Any = simulate(scenario("ix-memcached-usr", *sets, "run.warmup=0", "run.until=800 us"), journal)
    sim.run(400_000_000)
    assert sim.memory.figures()["transfers"] == 0
    sim.feed.intake.reta[:] = [1 - queue for queue in sim.feed.intake.reta]
    sim.run(600_000_000)
    got = check_figures(sim)
    moved = [line for line in got["lines"] if line["name"].startswith("pcb of flow ")]
    assert len(moved) >= 5 and got["transfers"] == len(moved)
    assert all(line["transfers"] == line["upgrades"] == line["invalidations"] == 1 for line in moved)  # read, write
    sim.feed.intake.reta[:] = [1 - queue for queue in sim.feed.intake.reta]
    sim.run()
    assert check_figures(sim)["transfers"] > len(moved) + 5
    first = next(k for k in range(len(sim.batches.core)) if sim.memory.at(k).transfers)
    assert sim.batches.begins[first - 1] < 400_000_000 + 30_000_000 and sim.batches.begins[first] > 400_000_000


def test_hyperthreads_share_the_cache_of_their_core() -> None:
    sim = unwatched(short("ix-echo", "machine.hyperthreads=true", "machine.cores=2"))
    got = sim.memory.figures()
    assert len(got["per_core"]) == 2 and len(sim.threads) == 4
    assert {line["states"] for line in got["lines"] if line["name"].startswith("core3.")} == {"IM"}
    assert next(line for line in got["lines"] if line["name"] == "arp")["misses"] == 2


# ------------------------------------------------------------------------------------------- at a moment
def test_the_books_after_k_batches_hang_on_nothing_else() -> None:
    """Forwards, backwards, at random, on a run whose pools run out: as from a machine that has looked at nothing."""
    made = scenario("ix-echo", "workload.load=1.3", "run.until=2 ms", "system.batch_bound=3")
    sim = recorded(made)
    rows = len(sim.batches.core) - 1
    assert rows > 2000
    asked = [rows, 1, 700, 701, 300, 299, 0, 256, 257, 255, rows // 2, rows - 1, rows]
    for k in asked:
        fresh = simulate(made, Journal())
        fresh.batches, fresh.feed = sim.batches, sim.feed
        one, other = sim.memory.at(k), fresh.memory.at(k)
        assert one.rows == other.rows == k
        assert one.figures() == other.figures() and one.level == other.level
        assert (one.cycles, one.user, one.refills, one.gives) == (other.cycles, other.user, other.refills, other.gives)
    assert sim.memory.at(rows).transfers > 10


def test_the_books_after_k_batches_do_not_know_what_came_later() -> None:
    made = scenario("ix-memcached-usr", "run.warmup=0", "run.until=0.3 ms")
    sim, seen = simulate(made, Journal()), []
    while sim.record(300):
        k = len(sim.batches.core) - 1
        seen.append((k, sim.memory.at(k).figures()))
    assert len(seen) > 5
    for k, figures in reversed(seen):
        assert sim.memory.at(k).figures() == figures


# ------------------------------------------------------------------------------------------- protection
def test_a_turn_crosses_twice_and_nothing_is_copied() -> None:
    sim = unwatched(short("ix-echo"))
    got = sim.protection()
    assert got["crossings"] == 2 * sum(t.tx.doorbells for t in sim.threads) > 100
    assert (got["copies"], got["interrupts"], got["wakes"]) == (0, 0, None)


def test_the_kernels_share_is_what_is_not_the_applications_stage() -> None:
    """Typed in: 2.4 µs of application in every turn of 4.8 µs and 0.6 µs a packet of it in 1.2."""
    costs = [f"system.costs.{s}.{k}=0" for s in ("tcp", "cross", "calls", "timers", "tx") for k in ("batch", "packet")]
    costs += ["system.costs.poll.batch=1000", "system.costs.app.batch=500", "system.costs.app.packet=300",
              "system.costs.tx.packet=100", "system.costs.poll.packet=0"]  # fmt: skip
    sim = recorded(scenario("ix-one-core", *costs, "run.until=0.5 ms"))
    table = sim.batch_table()
    turns, packets = len(table["size"]), int(table["size"].sum())
    share = (500 * turns + 300 * packets) / (1500 * turns + 400 * packets)
    assert sim.protection()["kernel_share"] == pytest.approx(1 - share, rel=1e-12)


@pytest.mark.parametrize("journal", [None, Journal()], ids=["in bulk", "recorded"])
def test_a_what_if_changes_what_turns_cost_from_then_on_only(journal: Journal | None) -> None:
    made = scenario("ix-echo", "machine.cores=2", "run.until=1 ms", "workload.rate=600 K/s")
    changed = with_changes(made, {"system.costs.app.packet": 5000})
    sim = simulate(made, journal)
    sim.run(400_000_000)
    assert bool(sim.lanes) == (journal is None)
    at = sim.checkpoint()
    first = len(sim.batch_table()["size"])
    other = sim.resume(at, journal=journal and journal.fork(at.events), scenario=changed)
    assert other.protection() == sim.protection()
    other.run()
    sizes = other.batch_table()["size"].tolist()
    assert 100 < first < len(sizes) - 100
    by, then = sim.threads[0].costs, other.threads[0].costs
    whole = sum(map(by.turn, sizes[:first])) + sum(map(then.turn, sizes[first:]))
    assert other.memory.books().cycles == whole
    assert other.protection()["kernel_share"] < sim.protection()["kernel_share"] - 0.1
