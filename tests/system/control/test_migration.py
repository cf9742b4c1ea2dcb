"""Moving flow groups (facts 1.8): nothing is lost or overtakes, one owner, remote before local, when it ends."""

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from system.control.machines import US, check, elastic, go, migrate, order_of_flows

from ixviz.scenario.simulate import faults

MS = 1000 * US
EXAMPLES = int(os.environ.get("IXVIZ_MIGRATIONS", "400"))  # the claim is made for 10,000

frames = st.lists(st.tuples(st.integers(1_000, 4_000_000), st.integers(0, 7)), min_size=1, max_size=60)
bursts = st.lists(
    st.tuples(st.integers(1_000, 4_000_000), st.integers(0, 7), st.integers(1, 40), st.integers(0, 900)), max_size=4
)
commands = st.lists(
    st.tuples(st.integers(1, 5_000_000), st.sets(st.integers(0, 7), min_size=1), st.integers(0, 3)), max_size=8
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(frames, bursts, commands, st.integers(1, 4))
def test_whatever_the_timing(frames: Any, bursts: Any, commands: Any, bound: int) -> None:
    """Packets, polls and migrations at any times. Frames come in order of time; a tie is in order of the list."""
    arrivals = [*frames, *((at + i * gap, flow) for at, flow, count, gap in bursts for i in range(count))]
    sim = elastic(sorted(arrivals, key=lambda a: a[0]), bound=bound)
    for at, flows, target in sorted(commands, key=lambda c: c[0]):
        migrate(sim, at * 1000, sorted(flows), target)
        check(sim)
    go(sim, 8 * MS)
    check(sim)
    done = order_of_flows(sim)
    assert sum(len(rows) for rows in done.values()) == len(arrivals), "no packet is lost, none is dropped"
    for rows in done.values():
        numbers = [number for number, _ in rows]
        assert numbers == sorted(numbers), "a packet overtook one of its flow"
    table = sim.control.migration.table
    for row in range(1, len(table)):
        assert table.commanded[row] <= table.seen[row] == table.armed[row] <= table.ending[row] <= table.ended[row]
        polled, timer = table.polled[row], table.armed[row] + MS
        if table.early[row]:
            assert table.local[row] > 0 and table.ending[row] == polled <= timer  # at one instant the thread is first
        else:
            assert table.ending[row] == timer and not 0 <= polled < timer
    assert {g.owner for g in sim.control.flow_groups} <= {1, 2, 3, 4}


FLOW = 3
UNWATCHED = ("stage", "fresh")  # within a turn: an unwatched thread wakes at its end only


def one_move(arrivals: list[int], at: int = 100, watched: bool = False) -> Any:
    """Frames of one flow at these times (µs), of which the group moves at `at`; to a thread on the other core."""
    sim = elastic([(1000 * t, FLOW) for t in arrivals], watched=watched)
    owner = sim.control.flow_groups[sim.feed.group_of(FLOW)].owner - 1
    assert migrate(sim, at * US, [FLOW], (owner + 1) % 2)
    go(sim, 8 * MS)
    check(sim)
    return sim


def test_a_silent_group_moves_when_the_timer_fires() -> None:
    table = one_move([10]).control.migration.table
    assert table.seen[1] == 100 * US, "a thread that polls sees the command at once"
    assert (table.early[1], table.remote[1], table.local[1]) == (0, 0, 0)
    assert table.ending[1] == table.ended[1] == 100 * US + MS


def test_the_first_packet_at_the_target_ends_it() -> None:
    table = one_move([10, 300]).control.migration.table
    assert (table.early[1], table.remote[1], table.local[1]) == (1, 0, 1)
    assert table.ending[1] == table.ended[1] == 300 * US


def test_what_the_source_still_holds_goes_first() -> None:
    """Six frames at once, three in the first batch; the command comes in its middle, so three wait in the list."""
    sim = one_move([100] * 6 + [102], at=101)
    table = sim.control.migration.table
    assert (table.listed[1], table.remote[1]) == (3, 4) and table.early[1] == 0
    (rows,) = order_of_flows(sim).values()
    assert [n for n, _ in rows] == list(range(1, 8)) and len({core for _, core in rows}) == 2


def test_a_frame_in_the_old_ring_is_not_lost_when_the_timer_ends_it() -> None:
    """Ours: the source polls its ring once more in both cases (the released code only after an IPI, facts 1.8)."""
    sim = one_move([10])
    source = sim.threads[sim.control.migration.table.source[1]]
    assert not source.rings[0].depth


@pytest.mark.parametrize("watched", [False, True])
def test_watched_and_unwatched_are_the_same(watched: bool) -> None:
    arrivals = [100 + i // 3 for i in range(60)]
    sim, other = one_move(arrivals, 110, watched), one_move(arrivals, 110)
    for name in ("commanded", "seen", "armed", "ending", "ended", "remote", "local", "listed", "early"):
        assert getattr(sim.control.migration.table, name) == getattr(other.control.migration.table, name)
    assert order_of_flows(sim) == order_of_flows(other)
    for name in (c for c in other.slots.by_name if not c.startswith("pcb")):
        one, two = sim.slots.by_name[name], other.slots.by_name[name]
        assert all(getattr(one, f) == getattr(two, f) for f in type(two).FIELDS if f not in UNWATCHED), name


# ---------------------------------------------------------------- faults
BUSY = [(100_000 + 100 * i, FLOW) for i in range(40)]  # ns: more than a core carries, while the group moves


def faulty(fault: str | None, watched: bool = False) -> Any:
    sim = elastic(BUSY, fault=fault, watched=watched)
    owner = sim.control.flow_groups[sim.feed.group_of(FLOW)].owner - 1
    assert migrate(sim, 101_300_000, [FLOW], (owner + 1) % 2)
    go(sim, 8 * MS)
    return sim


def overtaken(sim: Any) -> bool:
    """Whether a packet was overtaken by a later one of its flow."""
    (rows,) = order_of_flows(sim).values()
    return [n for n, _ in rows] != sorted(n for n, _ in rows)


def both_at_once(sim: Any) -> bool:
    """Whether two threads had packets of one connection in batches at one time."""
    batches, spans = sim.batches, []
    for row in range(1, len(batches.core)):
        spans.append((batches.begins[row], batches.ends[row], batches.core[row]))
    return any(a[2] != b[2] and a[0] < b[1] and b[0] < a[1] for a in spans for b in spans)


def test_without_a_fault_nothing_overtakes_and_one_thread_has_the_connection() -> None:
    sim = faulty(None)
    assert sim.control.migration.table.local[1] > 0 and sim.control.migration.table.remote[1] > 0
    assert not overtaken(sim) and not both_at_once(sim)


@pytest.mark.parametrize(("fault", "together"), [
    ("local-before-remote", False), ("reta-before-arm", True), ("two-owners", True),
])  # fmt: skip
@pytest.mark.parametrize("watched", [False, True])
def test_a_fault_shows_in_the_order_of_a_connection(fault: str, together: bool, watched: bool) -> None:
    sim = faulty(fault, watched)
    assert overtaken(sim) or together
    assert both_at_once(sim) == together
    assert order_of_flows(sim) == order_of_flows(faulty(fault, not watched))


def test_who_has_the_fault() -> None:
    sim = elastic(BUSY, fault="local-before-remote")
    assert faults("ix")["local-before-remote"].holders(sim) == tuple(t.name for t in sim.threads)
    assert faults("ix")["reta-before-arm"].holders(sim) == ("migration",)
