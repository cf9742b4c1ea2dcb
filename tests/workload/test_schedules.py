"""When requests are due: constant rates as ever, loads over time by their pattern, whatever the machine does."""

import hashlib
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from system.runs import plain, recorded, same_completions, scenario, unwatched
from system.test_resume import branch, same_history, stopped_and_resumed

from ixviz.history import Journal
from ixviz.machine.streams import generator
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import simulate
from ixviz.system.simulation import Simulation
from ixviz.workload import clients as clients_module
from ixviz.workload import open as open_module
from ixviz.workload.flows import hashed
from ixviz.workload.open import BLOCK, FIRST, Poisson
from ixviz.workload.patterns import Pattern
from ixviz.workload.schedule import Steady, Varying

US, MS, S = 10**6, 10**9, 10**12
TRIANGLE = {"pattern": "triangle", "from": "0.1 M/s", "to": "2 M/s", "over": "50 ms"}
SINE = {"pattern": "sine", "mean": "1 M/s", "amplitude": "1.2 M/s", "period": "20 ms", "over": "50 ms",
        "noise": "200 K/s", "every": "4 ms"}  # fmt: skip
STEPS = {"pattern": "qtriangle", "to": "2.2 M/s", "over": "50 ms", "step": "0.5 M/s"}
PATTERNS = [TRIANGLE, SINE, STEPS]


def raw(work: dict[str, Any], compress: int = 25, **system: Any) -> dict[str, Any]:
    """A small machine with this workload; patterns of 50 ms take 2 ms."""
    return {
        "machine": {"cores": 2, "nic": {"rate": "10 Gbps"}}, "system": {"kind": "ix", **system}, "workload": work,
        "run": {"compress": compress, "seed": 3},
    }  # fmt: skip


def closed(rate: Any, connections: int = 20) -> dict[str, Any]:
    return {"kind": "closed", "connections": connections, "outstanding": 3, "rate": rate, "round_trip": "8 us"}


def dues(sim: Simulation) -> dict[int, list[int]]:
    """Per connection when its requests were due, ps."""
    due: dict[int, list[int]] = defaultdict(list)
    for c, t in zip(sim.feed.requests.connection, sim.feed.requests.due, strict=True):
        due[c].append(t)
    return due


# ---------------------------------------------------------------- constant rates
@pytest.mark.parametrize(
    ("work", "until", "count", "wanted"),
    [
        ({"kind": "memcached", "rate": "1.6 M/s"}, "3 ms", 4771, "4a92965bf519fc66"),
        (closed("1 M/s"), "3 ms", 3022, "4ee25217ff1ddacf"),
        ({"kind": "closed", "rate": "1 M/s", "connections": 7, "messages": 3}, "2 ms", 693, "c7bec492c3448207"),
    ],
)
def test_a_constant_rate_is_drawn_as_before_there_were_patterns(
    work: dict[str, Any], until: str, count: int, wanted: str
) -> None:
    made = {"machine": {"cores": 6}, "system": {"kind": "ix"}, "workload": work, "run": {"until": until, "seed": 7}}
    requests = unwatched(plain(made)).feed.requests
    known = b"".join(requests.array(name).astype(np.int64).tobytes() for name in ("connection", "due"))
    assert (len(requests), hashlib.sha256(known).hexdigest()[:16]) == (count, wanted)


def test_gaps_are_exponential_draws_of_one_stream() -> None:
    schedule, due = Steady(5, 9, 2e6), 0
    drawn = [generator(5, "schedule", block).exponential(9 * S / 2e6, (9, 64)) for block in range(3)]
    for number in range(3 * 64):
        due = schedule.after(4, number, due)
    assert due == int(sum(np.rint(block[4]).sum() for block in drawn))


# ---------------------------------------------------------------- loads over time
def test_a_flat_pattern_is_a_constant_rate() -> None:
    steady, flat = Steady(5, 9, 2e6), Varying(5, 9, Pattern([(0, S, 2e6, 2e6)]))
    one = other = 0
    for number in range(500):
        one, other = steady.after(7, number, one), flat.after(7, number, other)
        assert abs(one - other) <= number / 2 + 1  # each gap of the one is rounded, of the other each sum


@pytest.mark.parametrize("rate", PATTERNS)
def test_what_is_due_does_not_depend_on_the_machine(rate: dict[str, Any]) -> None:
    fast = unwatched(plain(raw(closed(rate))))
    slow = unwatched(plain(raw(closed(rate), batch_bound=1, costs={"app": {"packet": 9000}})))
    one, other = dues(fast), dues(slow)
    assert sum(map(len, one.values())) > 1.2 * sum(map(len, other.values())) > 500
    for c in range(20):
        n = min(len(one[c]), len(other[c]))
        assert n > 10 and one[c][:n] == other[c][:n]


@pytest.mark.parametrize("rate", PATTERNS)
@pytest.mark.parametrize("kind", ["closed", "poisson"])
def test_as_many_are_due_as_the_pattern_says(kind: str, rate: dict[str, Any]) -> None:
    """In each tenth of the pattern, uncompressed, within five standard deviations of a Poisson count."""
    work = closed(rate, 200) | {"outstanding": 1000} if kind == "closed" else {"kind": kind, "rate": rate}
    sim = simulate(plain(raw(work, compress=1)))
    pattern: Pattern = sim.facts["pattern"]
    if kind == "closed":
        schedule, times = sim.feed.schedule, []
        for c in range(200):
            due = sim.feed.due[c]
            number = 1
            while due < pattern.span:
                times.append(due)
                due = schedule.after(c, number, due)
                number += 1
    else:
        blocks = [sim.feed.loop.block(k) for k in range(4)]
        times = np.concatenate([block.times for block in blocks if block is not None])
        assert (np.diff(times) >= 0).all() and (times[-1] > pattern.span or blocks[-1] is None)
    edges = np.linspace(0, pattern.span, 11).astype(np.int64)
    counts, wanted = np.histogram(times, edges)[0], np.diff(pattern.total(edges))
    assert (np.abs(counts - wanted) <= 5 * np.sqrt(np.maximum(wanted, 1))).all(), (counts, wanted)
    assert counts.max() > 3 * max(counts.min(), 1)


def test_facts_for_the_screen() -> None:
    facts = simulate(plain(raw(closed(TRIANGLE)))).facts
    pattern = facts["pattern"]
    assert (pattern.span, pattern.highest, pattern.rate(MS)) == (2 * MS, 2_000_000, 2_000_000)
    assert facts["offered_per_s"] == pytest.approx(1.05e6) and "warnings" not in facts
    late = raw(closed(TRIANGLE))
    late["run"] |= {"warmup": "0.5 ms", "until": "1.5 ms"}
    assert simulate(plain(late)).facts["offered_per_s"] == pytest.approx(1.05e6 + 0.95e6 / 2)
    assert simulate(plain(raw(closed(SINE)))).facts["warnings"] == [
        "workload.rate: where the pattern would be below 0 it is 0"
    ]
    assert "pattern" not in simulate(scenario("ix-memcached-usr")).facts


def test_a_poisson_block_can_be_made_again() -> None:
    pattern = Pattern([(0, 50 * MS, 1e6, 3e6), (50 * MS, 60 * MS, 0.0, 0.0)])
    loop = Poisson(pattern, hashed(50, 1), 64, 3)
    blocks = [loop.block(k) for k in range(4)]
    assert [0 if b is None else len(b) for b in blocks[:2]] == [FIRST, BLOCK]
    assert blocks[2] is not None and 0 < len(blocks[2]) < BLOCK, "the last rate is 0, so there is a last frame"
    assert blocks[3] is None and blocks[2].times[-1] <= 50 * MS
    again = Poisson(pattern, hashed(50, 1), 64, 3)
    for k in range(3):
        for other in (again, loop):
            block = other.block(k)
            assert block is not None and np.array_equal(block.times, blocks[k].times)  # type: ignore[union-attr]
    assert loop.same(again) and not loop.same(Poisson(1e6, hashed(50, 1), 64, 3))


# ---------------------------------------------------------------- checkpoints and what-ifs
WORKS = [closed(TRIANGLE), {"kind": "memcached", "connections": 12, "rate": SINE}, {"kind": "poisson", "rate": STEPS},
         closed(SINE) | {"messages": 2}]  # fmt: skip


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize("part", [0.0, 0.4, 0.9])
def test_resumed_is_never_stopped(work: dict[str, Any], part: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients_module, "FORGETS", 50)
    made = raw(work)
    if work["kind"] == "poisson":  # else it runs in bulk, which its own test covers
        made["machine"]["nic"]["ports"] = 2
    stopped_and_resumed(made, 64, part, None)


def test_resumed_in_bulk() -> None:
    stopped_and_resumed(raw({"kind": "poisson", "rate": STEPS}), 64, 0.5, None)


@pytest.mark.parametrize("work", WORKS)
def test_recorded_and_resumed_is_never_stopped(work: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_module, "BLOCK", 64)
    made = plain(raw(work, compress=100))
    whole = recorded(made, 61)
    sim = simulate(made, Journal())
    sim.record(1500)
    checkpoint = sim.checkpoint()
    early = branch(sim, checkpoint)
    while sim.record(1000):
        pass
    for other in (sim, early, branch(sim, checkpoint)):
        same_completions(whole, other)
        same_history(whole, other)


def test_draws_that_nobody_will_ask_for_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    work = {"kind": "memcached", "connections": 2, "outstanding": 8, "rate": TRIANGLE}
    whole = unwatched(plain(raw(work, compress=10)))
    monkeypatch.setattr(clients_module, "FORGETS", 50)
    sim = unwatched(plain(raw(work, compress=10)))
    same_completions(whole, sim)
    least = min(sim.feed.drawn) // 64
    assert least > 10 and len(whole.feed.schedule._rows) > least
    for kept in (sim.feed.schedule._rows, sim.feed.mix._blocks):
        assert min(kept) >= least - 1 and len(kept) < 10


CONSTANT = "1 M/s"


@pytest.mark.parametrize(
    ("before", "after"), [(CONSTANT, TRIANGLE), (TRIANGLE, SINE), (STEPS, CONSTANT), (TRIANGLE, TRIANGLE)]
)
@pytest.mark.parametrize("kind", ["closed", "poisson"])
def test_a_load_changed_in_a_what_if_holds_from_there_on(kind: str, before: Any, after: Any) -> None:
    work = closed(before) | {"outstanding": 1000} if kind == "closed" else {"kind": "poisson", "rate": before}
    made = raw(work)
    made["run"]["until"] = "2 ms"
    made["machine"]["nic"]["ports"] = 2  # not in bulk
    sim = simulate(plain(made))
    sim.run(MS)
    checkpoint = sim.checkpoint()
    changed = with_changes(plain(made), {"workload.rate": after})
    other = sim.resume(checkpoint, scenario=changed)
    other.run()
    sim.run()
    feeds = (sim.feed, other.feed)
    old, new = (np.array(f.requests.due if kind == "closed" else f.packets.arrives) for f in feeds)
    assert np.array_equal(old[old <= MS], new[new <= MS])
    assert np.array_equal(old, new) == (before is after)
    edges = np.array([MS, 3 * MS // 2, 2 * MS])
    pattern = other.facts.get("pattern")
    wanted = np.diff(pattern.total(edges)) if pattern is not None else np.array([500, 500])
    counts = np.histogram(new, edges)[0]
    assert (np.abs(counts - wanted) <= 5 * np.sqrt(np.maximum(wanted, 1)) + 5).all(), (counts, wanted)


def test_a_what_if_with_another_seed_does_not_make_up_for_the_past() -> None:
    made = plain(raw(closed(TRIANGLE) | {"outstanding": 1000}))
    sim = simulate(made)
    sim.run(MS)
    other = sim.resume(sim.checkpoint(), scenario=with_changes(made, {"run.seed": 4}))
    sim.run()
    other.run()
    one, two = dues(sim), dues(other)
    assert one.keys() == two.keys() and one != two
    for c in one:
        assert (np.diff(two[c]) >= 0).all()
    late = [sum(t > MS for due in each.values() for t in due) for each in (one, two)]
    assert abs(late[0] - late[1]) < 5 * (2 * late[0]) ** 0.5
