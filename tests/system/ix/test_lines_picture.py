"""Cache lines and protection on the screen: whose line it is, what is shared in words, which ring a stage runs in."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from system.runs import recorded, scenario

from ixviz.draw.cells import plain, width
from ixviz.history import Journal
from ixviz.lesson.expr import parse
from ixviz.lesson.expr.evaluator import evaluate
from ixviz.scenario.simulate import picture_of, simulate
from ixviz.system.ix.picture.lines import sharing

OVER = ("ix-echo", "workload.load=1.5", "run.until=0.5 ms", "workload.flows=40")


@pytest.fixture(scope="module")
def over() -> Any:
    """Four cores that cannot keep up: their pools are refilled."""
    return recorded(scenario(*OVER))


def event_of(sim: Any, kind: str, n: int) -> int:
    """The n-th event of a kind."""
    number, found = list(sim.kinds).index(kind), -1
    for event in range(len(sim.history)):
        found += sim.history.event(event).kind == number
        if found == n:
            return event
    raise AssertionError(f"there are {found} events of {kind}")


def drawn(sim: Any, event: int, columns: int = 100, height: int = 20, **more: Any) -> list[str]:
    picture = picture_of(sim)
    rows = picture.coherence(picture.moment(sim.history.cursor(event)), columns, height, **more)
    assert len(rows) <= height and all(width(d.line) == columns for d in rows)
    return plain([d.line for d in rows]).splitlines()


def test_a_batch_touches_lines_of_its_core_and_the_shared_ones(over: Any) -> None:
    poll = event_of(over, "poll", 250)
    picture = picture_of(over)
    core = picture.core_here(picture.moment(over.history.cursor(poll)))
    head, *rows = drawn(over, poll, core=core)
    assert head.split()[:7] == ["core", f"{core},", "batch", head.split()[3], "c0", "c1", "c2"]
    at = head.index("c0")
    states = {row[2:20].rstrip(): row[at : at + 12].split() for row in rows[:10]}
    own = [f"q{core}.ring", f"q{core}.list", f"core{core}.events", f"core{core}.pool", f"tx{core}.ring"]
    assert list(states)[:5] == own and list(states)[-2:] == ["arp", "mempool"]
    pcbs = [name for name in states if name.startswith("pcb of flow ")]
    assert len(pcbs) == 3
    for name in (*own, *pcbs):
        assert states[name] == ["M" if c == core else "·" for c in range(4)]
    assert states["arp"] == ["S"] * 4
    here = [row[2:20].rstrip() for row in rows[:10] if row.startswith("▸")]
    assert here == [own[0], own[1], own[3], own[4], "mempool"]  # what a poll touches


def test_the_words_name_what_is_shared_and_nothing_else(over: Any) -> None:
    early, late = (" ".join(drawn(over, e, 80)) for e in (event_of(over, "poll", 3), len(over.history) - 1))
    refills = sum(over.memory.at(len(over.batches.core) - 1).refills)
    assert refills > 3
    assert "no line was shared but the ARP table (read by all, under RCU) and the mempool" in " ".join(late.split())
    assert f"(refilled {refills} times, 128 mbufs at a time, under its lock)" in " ".join(late.split())
    assert "mempool (" not in early
    one = recorded(scenario("ix-one-core", "run.until=0.2 ms"))
    alone = " ".join(drawn(one, len(one.history) - 1))
    assert "no line was shared" in alone and "but" not in alone


def test_a_core_reads_the_arp_table_when_it_sends_not_before() -> None:
    sim = recorded(scenario("ix-echo", "run.until=30 us", "workload.rate=200 K/s"))
    calls = event_of(sim, "calls", 0)
    before, then = drawn(sim, calls - 1), drawn(sim, calls)
    assert "·  ·  ·  ·" in next(row for row in before if "arp" in row)
    row = next(row for row in then if "arp" in row)
    assert row.count("S") == 1 and "»S" in row
    assert "no line was shared" in " ".join(then) and "ARP table (" not in " ".join(then)


def test_a_refill_moves_the_line_of_the_lock(over: Any) -> None:
    books = over.memory
    row = next(k for k in range(len(over.batches.core)) if books.at(k).transfers)
    event = over.batches.event[row]
    lock = next(line for line in drawn(over, event, core=over.batches.core[row]) if "mempool" in line)
    assert "»M" in lock and " refill" in lock and f"→c{over.batches.core[row]}" in lock
    after = next(line for line in drawn(over, event + 1) if "mempool" in line)
    assert "»" not in after


def test_marked_lines_are_shown_in_place_of_the_machine(over: Any) -> None:
    picture = picture_of(over)
    moment = picture.moment(over.history.cursor(len(over.history) - 1))
    shown = picture.machine(moment, 80, 14, marked=frozenset({"mempool", "q2.ring", "core1.events"}))
    assert [d.name for d in shown if d.name] == ["core1.events", "q2.ring", "mempool"]
    assert all(d.name in over.slots.by_name for d in shown if d.name)
    usual = picture.machine(moment, 80, 14, marked=frozenset({"core1"}))
    assert "core1" in {d.name for d in usual} and not any("never touched" in plain([d.line]) for d in usual)


def test_where_there_is_room_they_stand_below_what_was_there(over: Any) -> None:
    picture = picture_of(over)
    moment = picture.moment(over.history.cursor(9))
    small, large = (plain([d.line for d in picture.machine(moment, 63, h, wide=True)]) for h in (17, 40))
    assert large.startswith(small) and "mempool" in large and "mempool" not in small


def test_the_stages_say_their_ring_at_80_columns(over: Any) -> None:
    picture = picture_of(over)
    rows = plain([d.line for d in picture.machine(picture.moment(over.history.cursor(9)), 80, 14)])
    assert "→ring3 app    →ring0" in rows
    wide = plain([d.line for d in picture.machine(picture.moment(over.history.cursor(9)), 63, 30, wide=True)])
    assert "ring 3: consumes all event conditions" in wide and "(ring 0 → 3)" in wide


def test_totals_of_a_moment_grow_to_those_of_the_run(over: Any) -> None:
    picture = picture_of(over)
    last = len(over.history) - 1
    seen = [picture.totals(picture.moment(over.history.cursor(e))) for e in range(0, last, 97)]
    for one, two in pairwise(seen):
        assert all(a <= b for a, b in zip(one, two, strict=True))
    end = picture.totals(picture.moment(over.history.cursor(last)))
    whole = over.protection()
    assert end.packets == sum(t.done for t in over.threads)
    assert end.transfers == over.memory.figures()["transfers"] > 0
    assert 0 <= end.crossings - whole["crossings"] <= 2 * len(over.threads)
    assert (end.copies, end.interrupts) == (whole["copies"], whole["interrupts"]) == (0, 0)
    assert end.dropped == sum(x.drops for t in over.threads for x in (*t.rings, *t.lists))


def test_each_crossing_counts_when_it_is_made() -> None:
    sim = recorded(scenario("ix-one-core", "run.until=0.05 ms"))
    picture, last = picture_of(sim), 0
    for event in range(1, 60):
        kind = sim.kinds[sim.history.event(event).kind]
        now = picture.totals(picture.moment(sim.history.cursor(event))).crossings
        assert now - last == (1 if kind in ("app", "calls") else 0), event
        last = now
    assert last >= 4


def test_what_a_core_does(over: Any) -> None:
    picture = picture_of(over)
    for kind, words in (("poll", "poll, batch of"), ("cross_in", "to ring 3"), ("app", "app in ring 3, batch of"),
                        ("cross_out", "to ring 0"), ("tx", "tx, batch of")):  # fmt: skip
        moment = picture.moment(over.history.cursor(event_of(over, kind, 20)))
        assert picture.doing(moment, picture.core_here(moment)).startswith(words)


# ------------------------------------------------------------------------------------------- as components
def test_lines_are_components_without_slots() -> None:
    made = scenario(*OVER)
    sim = simulate(made, Journal())
    parts = sim.slots.by_name
    assert set(sim.memory.names) <= set(parts) and {"cache0", "cache3"} <= set(parts)
    assert all(not type(parts[name]).FIELDS for name in (*sim.memory.names, "cache0"))
    assert sim.slots.size == len(sim.slots.values())


def test_what_they_say_is_that_of_the_moment(over: Any) -> None:
    last = len(over.history) - 1
    figures = over.memory.figures()
    rng = random.Random(1)
    cursor = over.history.cursor(last)
    for line in figures["lines"]:
        part = cursor.view[line["name"]]
        assert (part.accesses, part.hits, part.misses, part.transfers) == tuple(
            line[key] for key in ("accesses", "hits", "misses", "transfers")
        )
        live = over.slots.by_name[line["name"]]
        assert (live.accesses, live.transfers) == (line["accesses"], line["transfers"])
    for core in figures["per_core"]:
        part = cursor.view[f"cache{core['id']}"]
        assert (part.accesses, part.misses, part.invalidations, part.upgrades, part.memory_reads) == tuple(
            core[key] for key in ("accesses", "misses", "invalidations", "upgrades", "memory_reads")
        )
    for event in [rng.randrange(last) for _ in range(20)]:
        cursor.seek(event)
        rows = over.memory.begun(event)
        assert cursor.view["mempool"].refills == sum(over.memory.at(rows).refills)
        assert cursor.view["mempool"].give_backs == sum(over.memory.at(rows).gives)


def test_expressions_of_a_lesson_read_them() -> None:
    from types import SimpleNamespace

    from ixviz.lesson.env import RunEnv

    sim: Any = recorded(scenario(*OVER))
    runs: Any = SimpleNamespace(recorded=lambda name, events=0, time=None: sim, scenario=lambda name: scenario(*OVER),
                                facts=lambda name: sim.facts)  # fmt: skip
    env = RunEnv(runs, "over", len(sim.history) - 1)
    assert evaluate(parse("mempool.transfers"), env).data == sim.memory.figures()["transfers"]
    assert evaluate(parse("q0.ring.transfers + core3.pcbs.misses"), env).data == 0
    assert evaluate(parse("cache1.hits + cache1.misses == cache1.accesses"), env).data is True


def test_sharing_in_words() -> None:
    sim: Any = simulate(scenario("ix-echo"), Journal())
    books = sim.memory.at(0)
    assert sharing(books, 0) == sharing(books, 1) == "no line was shared"
    assert sharing(books, 4) == "no line was shared but the ARP table (read by all, under RCU)"
    books.move_chunks(1, 1)
    books.move_chunks(2, -1)
    assert sharing(books, 2) == (
        "no line was shared but the ARP table (read by 2 of 4 cores, under RCU) and the mempool (refilled once, "
        "given back once, 128 mbufs at a time, under its lock)"
    )
