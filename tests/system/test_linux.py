"""A Linux machine: watched = unwatched, resumed = never stopped, and every event keeps the books."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.both_ways import same_both_ways, same_from_each_checkpoint
from system.linux_ledger import LinuxLedger, never_overtakes
from system.machines import KINDS, examples, machine, workload
from system.runs import plain, recorded, scenario, unwatched
from system.test_resume import branch, stopped_and_resumed

from ixviz.history import Journal
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import simulate


@st.composite
def scenarios(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Plain values of a whole scenario, a few hundred packets long."""
    work = draw(workload(kinds))
    system = {
        "kind": "linux",
        "budget": draw(st.sampled_from([1, 3, 64])),
        "interrupt_rate": draw(st.sampled_from([0, 20_000, 200_000])),
        "steering": draw(st.booleans()),
        "reuseport": draw(st.booleans()),
        "lock": draw(st.sampled_from(["ticket", "mcs"])),
    }
    until = f"{draw(st.integers(1, 1500))} us"
    run = {"seed": draw(st.integers(0, 3)), "until": until, "warmup": draw(st.sampled_from(["0 us", "0.5 us"]))}
    return {"machine": draw(machine()), "system": system, "workload": work, "run": run}


def compare(raw: dict[str, Any]) -> None:
    same_both_ways(plain(raw), LinuxLedger, never_overtakes)


@pytest.mark.parametrize("kind", KINDS)
def test_watched_on_machines_of_any_shape(kind: str) -> None:
    @examples(12)
    @given(scenarios((kind,)))
    def check(raw: dict[str, Any]) -> None:
        compare(raw)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_resumed(kind: str) -> None:
    @examples(8)
    @given(scenarios((kind,)), st.floats(0, 1))
    def check(raw: dict[str, Any], part: float) -> None:
        stopped_and_resumed(raw, 64, part, None)

    check()


ECHO = ("linux-echo", "machine.cores=2", "run.warmup=0", "run.until=0.7 ms", "workload.connections=40")


def test_a_recorded_run_resumes_into_the_same_history() -> None:
    same_from_each_checkpoint(simulate(scenario(*ECHO), Journal()), 200)


def test_a_what_if_keeps_the_machine() -> None:
    sim: Any = simulate(scenario(*ECHO), Journal())
    sim.record(500)
    at = sim.checkpoint()
    for key, value in (("system.lock", "mcs"), ("system.reuseport", True), ("machine.cores", 3)):
        with pytest.raises(ValueError, match="stay as they are"):
            sim.resume(at, journal=sim.journal.fork(at.events), scenario=with_changes(scenario(*ECHO), {key: value}))
    other: Any = branch(sim, at, scenario=with_changes(scenario(*ECHO), {"system.interrupt_rate": 0}))
    while sim.record(5000):
        pass
    assert sum(c.interrupts for c in other.threads) > sum(c.interrupts for c in sim.threads)


def test_the_table_of_packets_at_an_event_knows_nothing_later() -> None:
    sim: Any = simulate(scenario(*ECHO), Journal())
    seen = []
    while sim.journal.count < 900 and sim.record(31):
        table = sim.table("packets")
        place = table.later["place"]()
        seen.append((sim.journal.count - 1, table.columns["leaves"].known.sum(), _words(place)))
    sim.record(5000)
    for event, gone, places in seen:
        table = sim.table("packets", event)
        assert table.columns["leaves"].known.sum() == gone
        assert _words(table.later["place"]()) == places
    named = {w for _, _, places in seen for w in places}
    assert {w[:4] for w in named} == {"", "core", "nic.", "sock"}


def _words(column: Any) -> list[str]:
    return [column.words[v] if k else "" for v, k in zip(column.values.tolist(), column.known.tolist(), strict=True)]


def test_moderation_keeps_interrupts_apart() -> None:
    sim: Any = recorded(scenario("linux-memcached-usr", "run.warmup=0", "run.until=1 ms", "workload.connections=100"))
    kind = list(sim.kinds).index("raise")
    raised: dict[int, int] = {}
    for i in range(len(sim.history)):
        event = sim.history.event(i)
        if event.kind == kind:
            assert event.time - raised.get(event.subject, -(10**12)) >= 50_000_000
            raised[event.subject] = event.time
    assert len(raised) == 8


def test_an_application_that_is_interrupted_goes_on_with_what_was_left() -> None:
    """Each request takes the application as many cycles as it costs, whatever came in between."""
    sim: Any = recorded(scenario("linux-memcached-usr", "run.warmup=0", "run.until=1 ms", "workload.connections=100"))
    kinds = list(sim.kinds)
    preempted = sum(sim.history.event(i).kind == kinds.index("preempt") for i in range(len(sim.history)))
    assert preempted > 20
    done = sum(c.copies for c in sim.threads) / 2
    per_request = sum(c.user for c in sim.threads) * 2.4e9 / 1e12 / done
    assert per_request == pytest.approx(sim.threads[0].costs.app, rel=0.05)  # those that run at the end


def test_data_that_came_with_the_last_ack_waits_for_accept() -> None:
    sim: Any = unwatched(scenario(*ECHO))
    requests = sim.feed.requests
    done = requests.array("done")
    assert (done >= 0).sum() > 40
    assert sum(c.crossings for c in sim.threads) >= 8 * (done >= 0).sum()  # accept, read, write, close and epoll_wait
    assert sum(x.lock.holds for x in sim.sockets.listeners) >= 3 * (done >= 0).sum() - 40
