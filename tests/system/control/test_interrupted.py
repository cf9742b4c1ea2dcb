"""A run left in the midst of a migration and taken up again is the run that never stopped; looked at close, too."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from system.control.machines import check, elastic, order_of_flows
from system.control.test_control import decisions, recorded, state
from system.control.test_control_picture import UP
from system.runs import events, times

from ixviz.history import Journal
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import simulate
from ixviz.system.ix.control.migration import NONE
from ixviz.system.ix.zoom import zoom

MS = 10**9
frames = st.lists(st.tuples(st.integers(1_000, 3_000_000), st.integers(0, 7)), min_size=5, max_size=40)
bursts = st.lists(
    st.tuples(st.integers(900_000, 1_200_000), st.integers(0, 7), st.integers(2, 30), st.integers(0, 900)), max_size=3
)
moves = st.lists(st.tuples(st.integers(1_000, 1_400), st.sets(st.integers(0, 7), min_size=1), st.integers(0, 3)),
                 min_size=1, max_size=4)  # fmt: skip
parts = st.floats(0, 1)


@cache
def group_of(flow: int) -> int:
    return int(elastic([(1, flow)]).feed.group_of(flow))


def moving(frames: Any, bursts: Any, moves: Any, watched: bool) -> Any:
    """A machine whose flow groups move at set times (µs), in the midst of its packets (ns)."""
    arrivals = [*frames, *((at + i * gap, flow) for at, flow, count, gap in bursts for i in range(count))]
    migrate = [{"at": f"{at} us", "groups": sorted({group_of(f) for f in flows}), "to": target}
               for at, flows, target in sorted(moves, key=lambda m: m[0])]  # fmt: skip
    return elastic(sorted(arrivals), watched=watched, migrate=migrate)


def tables(sim: Any) -> Any:
    """What is known of migrations and decisions, by rows and names."""
    log = [[list(getattr(table, name)) for name in table.names]
           for table in (sim.control.migration.table, sim.control.decisions, sim.control.migration.handed)]  # fmt: skip
    return log, sim.control.because, sim.control.reports, order_of_flows(sim)


def same(one: Any, other: Any) -> None:
    assert state(one) == state(other)
    assert tables(one) == tables(other)
    if one.history is not None:
        assert events(one) == events(other)
        last = len(one.history) - 1
        assert one.history.cursor(last).state_hash() == other.history.cursor(last).state_hash()


def record(sim: Any) -> Any:
    while sim.record(50):
        pass
    return sim


@settings(max_examples=40, deadline=None)
@given(frames, bursts, moves, parts)
def test_recorded(frames: Any, bursts: Any, moves: Any, part: float) -> None:
    whole = record(moving(frames, bursts, moves, True))
    slot = whole.history.cursor(0).view.slot("migration.state")
    under_way = [e for e in whole.history.touched([slot], 1, len(whole.history) - 1).tolist()
                 if whole.history.cursor(e).view["migration"].state != NONE]  # fmt: skip
    assume(under_way)
    sim = moving(frames, bursts, moves, True)
    at = under_way[int(part * (len(under_way) - 1))] + 1
    while sim.journal.count < at and sim.record(1):
        pass
    assume(sim.control.migration.state != NONE)
    checkpoint = sim.checkpoint()
    early = record(sim.resume(checkpoint, sim.journal.fork(checkpoint.events)))
    check(early)
    record(sim)
    late = record(sim.resume(checkpoint, sim.journal.fork(checkpoint.events)))
    for other in (sim, early, late):
        same(whole, other)


@settings(max_examples=60, deadline=None)
@given(frames, bursts, moves, parts, parts)
def test_unrecorded(frames: Any, bursts: Any, moves: Any, which: float, part: float) -> None:
    whole = moving(frames, bursts, moves, False)
    whole.run()
    table = whole.control.migration.table
    assume(len(table) > 1)
    row = 1 + int(which * (len(table) - 2))
    sim = moving(frames, bursts, moves, False)
    sim.run(table.commanded[row] + int(part * (table.ended[row] - table.commanded[row])))
    checkpoint = sim.checkpoint()
    early = sim.resume(checkpoint)
    check(early)
    early.run()
    sim.run()
    late = sim.resume(checkpoint)
    check(late)
    late.run()
    for other in (sim, early, late):
        same(whole, other)


# ------------------------------------------------------------------------------------------------ of decisions alone
@cache
def climb(watch: str = "decisions") -> Any:
    """Cores join one after the other: 36 ms, six migrations, a fifth of the time one is under way."""
    return recorded(with_changes(UP, {"run.watch": watch}))


@st.composite
def moments(draw: st.DrawFn) -> int:
    """A time (ps) of that run, mostly one at which a migration is under way."""
    table = climb().control.migration.table
    row = draw(st.integers(0, len(table) - 1))
    first, last = (table.commanded[row], table.ended[row]) if row else (0, climb().now)
    return draw(st.integers(first, last))


@settings(max_examples=25, deadline=None)
@given(moments())
def test_of_which_only_decisions_are_recorded(at: int) -> None:
    sim = simulate(UP, Journal())
    sim.record(10**6, at)
    checkpoint = sim.checkpoint()
    again = sim.resume(checkpoint, sim.journal.fork(checkpoint.events))
    check(again)
    record(again)
    same(climb(), again)
    unrecorded = sim.resume(checkpoint)  # as to look close
    unrecorded.run()
    assert decisions(unrecorded) == decisions(climb()) and state(unrecorded) == state(climb())


def test_a_knob_may_be_turned_in_a_run_of_decisions() -> None:
    sim = simulate(UP, Journal())
    sim.record(10**6, 12 * MS)
    checkpoint = sim.checkpoint()
    turned = sim.resume(checkpoint, sim.journal.fork(checkpoint.events),
                        scenario=with_changes(UP, {"machine.nic.ring": 256, "run.watch": "decisions"}))  # fmt: skip
    assert turned.history.kinds[turned.history.event(checkpoint.events).kind] == "what if"
    assert turned.slots.by_name["nic.q0"].capacity == 256 and sim.slots.by_name["nic.q0"].capacity == 512
    record(turned)
    assert len(turned.control.decisions) > 1 and turned.now == climb().now


@settings(max_examples=25, deadline=None)
@given(moments(), st.integers(0, MS))
def test_close_all_is_where_it_was(at: int, on: int) -> None:
    """Against the run of which every packet is recorded; and causes come before what they cause."""
    close, full = zoom(climb(), at), climb("all")
    close.record(10**6, at + on)
    last, event = len(close.history) - 1, full.history.event_at(close.now)
    for name in ("decisions", "migrations"):
        ours, theirs = close.table(name, last), full.table(name, event)
        assert {n: known(c) for n, c in ours.columns.items()} == {n: known(c) for n, c in theirs.columns.items()}
    ours, theirs = (sim.table("packets", e).later["place"]() for sim, e in ((close, last), (full, event)))
    assert known(ours) == known(theirs)
    assert all(close.history.event(number).cause < number for number in range(1, last + 1))


def known(column: Any) -> list[Any]:
    """The values of a column, None where they are not known; words for numbers."""
    values = [column.words[v] for v in column.values] if column.words else column.values.tolist()
    return values if column.known is None else [v if k else None for v, k in zip(values, column.known, strict=True)]


def test_events_are_in_order_of_time() -> None:
    """What has arrived by the time of a look at the signals, or of a timer, is told before it."""
    assert (np.diff(times(climb("all"))) >= 0).all() and (np.diff(times(climb())) >= 0).all()
