"""The pictures of a control plane: the view of its signals and decisions, the panel of a migration, their words."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from system.runs import plain as made_of
from system.runs import scenario

from ixviz.draw.cells import plain, width
from ixviz.history import Journal
from ixviz.machine.profile import PROFILES
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import picture_of, simulate
from ixviz.system.ix.control.steps import TABLES
from ixviz.system.ix.picture.control.words import step_words
from ixviz.system.picture.words import cores_words

COSTS = {"tcp": {"packet": 20_400}, "app": {"packet": 24_000}, "calls": {"packet": 14_400}, "cross": {"batch": 2_400}}


def decisions(rates: str) -> Any:
    """Four cores on which a request takes 50 µs at 1.2 GHz; `rates` are `3.0 s: 50 K/s, …`, of which each stays."""
    points = [each.split(": ") for each in rates.split(", ")]
    return made_of({
        "machine": {"cores": 4, "hyperthreads": True, "nic": {"ports": 1}},
        "system": {"kind": "ix", "batch_bound": 4, "control": {"policy": "eff"}, "costs": COSTS},
        "workload": {"kind": "memcached", "connections": 400, "rate": {
            "pattern": "points", "points": [{"at": at, "rate": rate} for at, rate in points]}},
        "run": {"compress": 25, "watch": "decisions"},
    })  # fmt: skip


MOVE = scenario("ix-migrate-one")
UP = decisions("0 s: 50 K/s, 0.9 s: 50 K/s")


@cache
def recorded(which: str) -> Any:
    sim = simulate({"move": MOVE, "up": UP}[which], Journal())
    while sim.record(5_000):
        pass
    return sim


def shown(sim: Any, event: int, w: int = 78, h: int = 14, *marked: str) -> list[str]:
    """The machine at an event, as lines of text without the blanks at their ends."""
    picture = picture_of(sim)
    drawn = picture.machine(picture.moment(sim.history.cursor(event)), w, h, marked=frozenset(marked), wide=w > 100)
    assert all(width(each.line) == w for each in drawn) and len(drawn) <= h
    return [line.rstrip() for line in plain([each.line for each in drawn]).split("\n")]


def told(sim: Any, event: int) -> str:
    """All that is drawn and said at an event."""
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(event))
    out = [*shown(sim, event, 80, 11, "migration"), *shown(sim, event, 80, 11, "control"), *shown(sim, event, 80, 20)]
    out += [*shown(sim, event, 80, 11, "nic.reta"), picture.words(moment, event), plain([picture.levels(moment, 80)])]
    out += [plain(picture.lanes(moment, 80, 4).lines)]
    out += [plain(picture.chart(moment, name, 80, 8)) for name in picture.charts]
    for name in ("migrations", "decisions"):
        table = sim.table(name, event)
        for key, column in table.columns.items():
            known = [True] * len(table) if column.known is None else column.known.tolist()
            out.append(f"{name}.{key} {[v for v, k in zip(column.values.tolist(), known, strict=True) if k]} {known}")
    return "\n".join(out)


# ------------------------------------------------------------------------------------------------ nothing of the future
@pytest.mark.parametrize("made", [MOVE, UP], ids=["move", "up"])
def test_what_is_told_at_an_event_does_not_change_when_more_is_recorded(made: Any) -> None:
    sim: Any = simulate(made, Journal())
    seen = {}
    while sim.record(3):
        seen[sim.journal.count - 1] = told(sim, sim.journal.count - 1)
    assert len(seen) > 5
    for event, text in seen.items():
        assert told(sim, event) == text, event


def test_of_two_events_at_one_time_the_first_knows_nothing_of_the_second() -> None:
    sim = recorded("move")
    kinds, history = sim.kinds, sim.history
    numbers = {kind: [n for n in range(len(history)) if kinds[history.event(n).kind] == kind] for kind in kinds}
    (begun,), (last,), (done,) = numbers["migrate"], numbers["last poll"], numbers["migrated"]
    ending = next(n for n in range(begun, last) if history.cursor(n).view["migration"].state == 3)
    assert history.event(ending).time == history.event(ending - 1).time == 8 * 10**6

    def known(name: str, event: int) -> bool:
        return bool(sim.table("migrations", event).columns[name].known[0])

    assert not known("ending", ending - 1) and known("ending", ending) and known("timer", ending)
    assert not known("armed", begun - 1) and known("armed", begun)
    assert not known("ended", done - 1) and known("ended", done)


# ------------------------------------------------------------------------------------------------ the migration's panel
def test_the_panel_says_which_packet_is_where() -> None:
    sim = recorded("move")
    twelve = next(n for n in range(len(sim.history)) if len(sim.table("packets", n)) == 12)
    assert shown(sim, twelve, 78, 14, "migration") == [
        "Migration 1: 1 flow group, core 0 → core 1",
        "ending     a packet came to core 1: core 0 polls once more",
        "core 0     gives   tx, batch of 1",
        "  ring q0      0",
        "  list         0",
        "core 1     gets    cross_in, batch of 1",
        "  remote       3   first  7 8 9",
        "  local        1   then   10",
        "  ring q1      1   12",
        "  list         0",
        "times      commanded 6.00 µs, seen +1.50 µs",
        "went       3 remote, 1 of them from the list; 1 local",
    ]
    assert len(shown(sim, twelve, 78, 11, "migration")) == 10  # the rest is left to the text below
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(twelve))
    names = [each.name for each in picture.machine(moment, 78, 14, marked=frozenset(("migration",)))]
    assert names[2:10] == ["core0", "nic.q0", "core0.rxlist", "core1", "core1.remote", "core1.local", "nic.q1",
                           "core1.rxlist"]  # fmt: skip


@pytest.mark.parametrize(("fault", "order"), [(None, "7 8 9 10"), ("local-before-remote", "10 7 8 9")])
def test_a_list_is_shown_in_the_order_in_which_it_lies(fault: str | None, order: str) -> None:
    sim: Any = simulate(replace(MOVE, fault=fault), Journal())
    while sim.record(5_000):
        pass
    done = next(n for n in range(len(sim.history)) if sim.kinds[sim.history.event(n).kind] == "migrated")
    panel = shown(sim, done, 78, 12, "migration")
    assert panel[1] == "over       ended because a packet came to core 1" and panel[9] == f"  list         4   {order}"
    assert picture_of(sim).words(picture_of(sim).moment(sim.history.cursor(done)), done).endswith(
        "core 1 owns 1 flow group: 3 remote and 1 local go to its list")  # fmt: skip


def test_the_timer_is_told() -> None:
    alone = scenario("ix-migrate-one", "workload.packets=[{at: 2 us, flow: 17}]", "run.until=3 ms")
    sim: Any = simulate(alone, Journal())
    while sim.record(5_000):
        pass
    fired = next(n for n in range(len(sim.history)) if sim.kinds[sim.history.event(n).kind] == "timer")
    panel = shown(sim, fired, 63, 14, "migration")
    assert panel[1] == "ending     the timer of 1 ms fired: core 0 polls once more"
    before = shown(sim, fired - 1, 63, 14, "migration")
    assert before[1] == "armed      in transition for 0.00 µs; core 0's timer runs"


# ------------------------------------------------------------------------------------------------ the view
def test_what_a_background_job_has_is_seen_with_the_policy_that_is_made_for_one() -> None:
    sim = simulate(with_changes(UP, {"system.control.policy": "back"}), Journal())
    while sim.record(5_000):
        pass
    last = len(sim.history) - 1
    assert sim.now == sim.history.event(last).time or sim.ended
    row = next(line for line in shown(sim, last, 80, 11) if line.startswith("job"))
    now, so_far = map(int, re.fullmatch(r"job    [▁-█]+ + (\d+) % +of standalone, (\d+) % so far", row).groups())
    free = 4 - len({c % 4 for c in sim.control.policy.steps[sim.control.step].cpus})
    assert now == round(100 * free / 4 * 2.4 / 2.8) and free in (2, 3)
    spent = sim.control.spent(sim.history.event(last).time)[1]
    assert so_far == round(100 * spent / (4 * 2.8e9 * sim.history.event(last).time / 1e12))
    assert not any(line.startswith("power") for line in shown(sim, last, 80, 11))
    assert [line[:5] for line in shown(sim, last, 80, 14)[3:6]] == ["idle ", "job  ", "power"]
    assert not any(line.startswith("job") for line in shown(recorded("up"), 40, 80, 14)), "not where nothing is for it"


def test_a_decision_has_its_signal_threshold_hold_and_consequence() -> None:
    sim = recorded("up")
    two = sim.control.decisions.event[2]
    lines = shown(sim, two, 80, 11)
    patterns = [
        r"load   [▁-█]+ + [45]\d k/s     p99 [\d,]+ µs, limit 500 µs",
        r"cores  [▁-█]+ + 2 of 4     clock 1.2 GHz, step 1 of 17",
        r"queue  [▁-█]+ + fast \d+    up > 32    slow \d+, down < 8", r"idle   ▁+ + \d %        down > 60 %",
        r"power  [▁-█]+ + \d\d W       at most 58 W, illustrative",
        r"── Decisions ─+ 0.30 s of the pattern = 25 × 12.00 ms ──",
        "0.30 s   UP  step 1 → 2: core 2 joins, 3 cores at 1.2 GHz",
        r"         because  fast queue \d+ > 32, on core [01]",
        r"         allowed  last up 0.2 s ago \(≥ 0.2 s\), last down never \(≥ 2 s\)",
        "         then     42 flow groups of 128 move",
    ]  # fmt: skip
    assert len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line), line
    done = sim.control.decisions.last[2]
    after = shown(sim, done, 80, 14)
    assert after[9] == "         then     42 flow groups of 128 moved, 21 + 21"
    assert re.fullmatch(r" {18}\d+ packets took a remote queue, \d+ a local one, none was lost", after[10])
    assert "42 flow groups of 128 move; 21 have their new core" in "\n".join(shown(sim, done - 1, 80, 14))


def test_at_the_beginning_nothing_is_known() -> None:
    sim = recorded("up")
    assert shown(sim, 0, 80, 11)[0].endswith(f"{'–':<11}p99 –, limit 500 µs")
    assert shown(sim, 0, 80, 11)[-1] == "none yet: the signals are looked at every 0.1 s"


def test_the_flow_groups_are_a_view() -> None:
    sim = recorded("up")
    picture = picture_of(sim)
    assert picture.views == {"control": "", "flow groups": "nic.reta"}
    grid = shown(sim, sim.control.decisions.last[2], 80, 11, "nic.reta")
    assert grid[1].split()[:17] == ["0", *"0" * 16] and grid[8].split()[:17] == ["112", *"2" * 16]
    assert grid[3].split()[-4:-2] == ["2", "42"] and grid[-1] == "every group has one owner"


def test_the_lanes_have_the_times_of_the_pattern_and_what_is_parked() -> None:
    sim = recorded("up")
    picture = picture_of(sim)
    third = picture.moment(sim.history.cursor(sim.control.decisions.last[3]))
    lines = plain(picture.lanes(third, 80, 8).lines).split("\n")
    assert lines[0].startswith("pattern, ms ") and lines[1].count("▴") == 3
    assert "runs" in lines[2] and lines[9].split() == ["core", "7", "parked"]


@pytest.mark.parametrize(("w", "h"), [(40, 5), (60, 10), (63, 19), (80, 11), (120, 34)])
@pytest.mark.parametrize("which", ["move", "up"])
def test_every_size(which: str, w: int, h: int) -> None:
    sim = recorded(which)
    last = len(sim.history) - 1
    for event in (0, 1, last // 2, last):
        for marked in ((), ("migration",), ("control",), ("nic.reta",)):
            assert shown(sim, event, w, h, *marked)


# ------------------------------------------------------------------------------------------------ words
def test_every_event_of_the_decisions_says_who() -> None:
    sim = recorded("up")
    picture = picture_of(sim)
    told: dict[str, list[str]] = {}
    for number in range(1, len(sim.history)):
        kind = sim.kinds[sim.history.event(number).kind]
        told.setdefault(kind, []).append(picture.words(picture.moment(sim.history.cursor(number)), number))
    assert told["unpark"] == [f"core {i} is taken from Linux and polls" for i in (1, 2, 3)]
    assert told["polled"][0] == "core 0 polls 9 packets of groups in transition, for the remote queue of core 1"
    assert "core 1 polls 1 packet of groups in transition, for the local queue of core 1" in told["polled"]
    assert told["migrated"][0].startswith("core 1 owns 64 flow groups")
    down = decisions("0 s: 50 K/s, 0.35 s: 50 K/s, 0.35 s: 1 K/s, 5 s: 1 K/s")
    fallen: Any = simulate(down, Journal())
    while fallen.record(5_000):
        pass
    (parked,) = (n for n in range(len(fallen.history)) if fallen.kinds[fallen.history.event(n).kind] == "park")
    picture = picture_of(fallen)
    assert picture.words(picture.moment(fallen.history.cursor(parked)), parked) == "core 2 is given back to Linux"


def test_headings_tell_cores_from_hyperthreads() -> None:
    assert picture_of(recorded("up")).heading == "ix, 4 cores, 8 hyperthreads, policy eff, 25 × compressed"
    assert picture_of(recorded("move")).heading == "ix, 2 cores, 4 hyperthreads, B 2"
    assert cores_words(8, 8) == "8 cores" and cores_words(1, 2) == "1 core, 2 hyperthreads"


@pytest.mark.parametrize(("policy", "before", "after", "words"), [
    ("eff", 3, 4, "core 4 joins, 5 cores at 1.2 GHz"),
    ("eff", 1, 0, "core 1 leaves, 1 core at 1.2 GHz"),
    ("eff", 7, 8, "the hyperthreads join, 8 cores with 16 hyperthreads at 1.2 GHz"),
    ("eff", 8, 7, "the hyperthreads leave, 8 cores at 1.2 GHz"),
    ("eff", 8, 9, "the clock rises to 1.3 GHz"),
    ("eff", 21, 20, "the clock falls to 2.4 GHz"),
    ("back", 0, 1, "core 1 joins, 2 cores with 4 hyperthreads at 2.4 GHz"),
    ("minmax", 0, 1, "7 cores join, 8 cores with 16 hyperthreads at 2.8 GHz"),
    ("minmax", 1, 0, "7 cores leave, 1 core at 1.2 GHz"),
])  # fmt: skip
def test_a_step_in_words(policy: str, before: int, after: int, words: str) -> None:
    assert step_words(TABLES[policy](PROFILES["e5-2665"], 8), before, after, 8) == words
