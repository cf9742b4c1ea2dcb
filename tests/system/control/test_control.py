"""The control plane in a machine: same run recorded, unrecorded, resumed and zoomed into; policies of other people."""

from typing import Any

import pytest
from system.runs import plain

from ixviz.history import Journal
from ixviz.machine.profile import Profile
from ixviz.scenario.simulate import simulate
from ixviz.system.ix.control import policy as policies
from ixviz.system.ix.control.policy import Wish
from ixviz.system.ix.control.rebalance import shares
from ixviz.system.ix.control.steps import Step, eff
from ixviz.system.ix.zoom import zoom

MS = 10**9


def machine(policy: str = "eff", rate: str = "400 K/s", until: str = "130 ms", **more: Any) -> Any:
    return plain({
        "machine": {"cores": 4, "hyperthreads": True},
        "system": {"kind": "ix", "control": {"policy": policy}},
        "workload": {"kind": "memcached", "rate": rate, "connections": 200},
        "run": {"until": until, "compress": 25, **more},
    })  # fmt: skip


def whole(made: Any) -> Any:
    """A run without a record."""
    sim = simulate(made)
    sim.run()
    return sim


def recorded(made: Any, until: int | None = None) -> Any:
    sim = simulate(made, Journal())
    while sim.record(5_000, until):
        pass
    return sim


def state(sim: Any) -> dict[tuple[str, str], int]:
    """All slots by name, without those that only a recorded run has, or has within a turn."""
    out = {}
    for slots in {id(s): s for s in (sim.slots, sim.control_slots)}.values():
        for name, part in slots.by_name.items():
            if not name.startswith("pcb"):
                out |= {(name, f): getattr(part, f) for f in type(part).FIELDS if f not in ("stage", "fresh")}
    return out


def decisions(sim: Any) -> list[tuple[int, ...]]:
    table = sim.control.decisions
    names = ("time", "before", "after", "groups", "ended")
    return [tuple(getattr(table, n)[i] for n in names) for i in range(1, len(table))]


def test_cores_join_under_load_and_every_packet_is_answered() -> None:
    sim = whole(machine())
    control = sim.control
    assert control.step >= 3 and [d[1:3] for d in decisions(sim)] == [(i, i + 1) for i in range(control.step)]
    holds = [b[0] - a[0] for a, b in zip(decisions(sim), decisions(sim)[1:], strict=False)]
    assert min(holds) >= 200 * MS // 25
    owners = [g.owner - 1 for g in control.flow_groups]
    assert {n: owners.count(n) for n in set(owners)} == shares(control.present().cpus, 128)
    assert all(r.drops == 0 for r in sim.feed.intake.rings)
    assert [t.number for t in sim.threads if not t.parked] == list(control.present().cpus)
    for thread in sim.threads:
        assert thread.busy + thread.idle + thread.away == thread.began


def test_recorded_or_not() -> None:
    plain_run, all_of_it = whole(machine()), recorded(machine())
    only = recorded(machine(watch="decisions"))
    assert decisions(plain_run) == decisions(all_of_it) == decisions(only)
    assert state(plain_run) == state(only) == state(all_of_it)
    polls = sum(only.kinds[only.history.event(n).kind] == "polled" for n in range(len(only.history)))
    met = only.control.migration.table
    assert len(only.history) - polls < 400 < len(all_of_it.history)
    assert 0 < polls <= sum(met.remote[1:]) + sum(met.local[1:]) - sum(met.listed[1:]), "each met a packet that moves"


@pytest.mark.parametrize("at", [20_000_000_123, 61_500_000_000])
def test_zoom(at: int) -> None:
    """Every packet of a millisecond of a run of which only decisions were recorded."""
    only = recorded(machine(watch="decisions"))
    close = zoom(only, at)
    assert close.now == at and len(close.history) == 1
    assert close.history.event(0).time == at
    close.record(10**9, at + MS)
    other = simulate(machine())
    other.run(at + MS)
    assert state(close) == state(other)
    arrived = other.slots.by_name["nic"].arrived
    assert len(close.feed.packets.batch) - 1 == arrived == close.slots.by_name["nic"].arrived
    cursor = close.history.cursor(0)
    before = cursor.view["nic"].arrived
    assert sum(1 for e in close.feed.packets.event[1:] if e > 0) == arrived - before > 200
    cursor.seek(len(close.history) - 1)
    assert all(cursor.value(i) == v for i, v in enumerate(close.slots.values().tolist()))


def test_zoom_needs_a_checkpoint() -> None:
    sim = whole(machine(until="5 ms"))
    with pytest.raises(ValueError, match="checkpoint"):
        zoom(sim, MS)


@pytest.mark.parametrize("watch", ["all", "decisions"])
def test_resumed_from_any_checkpoint(watch: str) -> None:
    sim = simulate(machine(watch=watch), Journal())
    while sim.record(5_000, every=3_000):
        pass
    at = sim.checkpoints[len(sim.checkpoints) // 2]
    again = sim.resume(at, sim.journal.fork(at.events))
    while again.record(5_000):
        pass
    assert state(again) == state(sim) and decisions(again) == decisions(sim)
    assert again.control.because == sim.control.because
    assert len(again.history) == len(sim.history)


# ---------------------------------------------------------------- policies of other people
class Odd:
    """Goes up by one step each time, but does what it should not at the third and fifth tick."""

    def __init__(self, profile: Profile, cores: int) -> None:
        self.steps: list[Step] = eff(profile, cores)
        self.asked = 0

    def decide(self, signals: policies.Signals) -> Any:
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("out of [ideas]")
        if self.asked == 5:
            return Wish(99, "why not")
        if self.asked == 7:
            return 2
        return Wish(signals.step + 1, f"tick {self.asked}") if self.asked in (2, 8) else None


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "installed", lambda: {"odd": Odd})


def test_a_policy_that_fails_is_reported_and_the_run_goes_on(odd: None) -> None:
    sim = whole(machine("odd", until="45 ms"))
    assert [d[:3] for d in decisions(sim)] == [(8 * MS, 0, 1), (32 * MS, 1, 2)]
    assert [why for why, _ in sim.control.because[1:]] == ["tick 2", "tick 8"]
    assert sim.control.failed == 3 and sim.control.reports == [
        (12 * MS, "it raised RuntimeError: out of [ideas]"),
        (20 * MS, "it asked for step 99, there are 0 to 17"),
        (28 * MS, "it returned 2, a Wish or None is expected"),
    ]


class Clocks:
    """One thread, of which the clock rises at the third tick: no flow group moves for that."""

    def __init__(self, profile: Profile, cores: int) -> None:
        self.steps = [Step((0,), profile.clocks[0], 1.0, "core 0"), Step((0,), profile.clock, 0.5, "2.4 GHz")]
        self.told: list[policies.Signals] = []

    def decide(self, signals: policies.Signals) -> Any:
        self.told.append(signals)
        return Wish(1, "third tick") if len(self.told) == 3 else None


def test_a_step_of_the_clock_alone_is_over_when_the_clock_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "installed", lambda: {"clocks": Clocks})
    sim = recorded(machine("clocks", until="20 ms", watch="decisions"))
    assert decisions(sim) == [(12 * MS, 0, 1, 0, 12 * MS)]
    event, last = (getattr(sim.control.decisions, name)[1] for name in ("event", "last"))
    assert [sim.kinds[sim.history.event(number).kind] for number in (event, last)] == ["step", "clock"]
    assert [bool(sim.table("decisions", number).columns["ended"].known[0]) for number in (event, last)] == [False, True]
    assert sim.history.cursor(last).view["control"].step == 1


def test_the_three_averages_of_a_queue_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shorter an average remembers, the more it has of what is new."""
    monkeypatch.setattr(policies, "installed", lambda: {"clocks": Clocks})
    first = whole(machine("clocks", rate="800 K/s", until="20 ms")).control.policy.told[0]
    assert 0 < first.slow < first.middle < first.fast


def test_a_policy_keeps_its_own_state_over_a_checkpoint(odd: None) -> None:
    sim = recorded(machine("odd", until="45 ms", watch="decisions"))
    first = sim.checkpoints[0]
    again = sim.resume(first, sim.journal.fork(first.events))
    while again.record(5_000):
        pass
    assert decisions(again) == decisions(sim) and again.control.reports == sim.control.reports
