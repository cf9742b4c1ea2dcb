"""An mTCP machine: watched = unwatched, resumed = never stopped, and every event keeps the books."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.both_ways import same_both_ways, same_from_each_checkpoint
from system.machines import KINDS, examples, machine, workload
from system.mtcp.mtcp_ledger import MtcpLedger, never_overtakes
from system.runs import plain, recorded, scenario, unwatched
from system.test_resume import branch, stopped_and_resumed

from ixviz.history import Journal
from ixviz.scenario.simulate import simulate
from ixviz.system.mtcp import turns

ECHO = ("mtcp-echo", "machine.cores=2", "run.warmup=0", "run.until=0.9 ms", "workload.connections=40")


@st.composite
def scenarios(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Plain values of a whole scenario, a few hundred packets long."""
    system = {
        "kind": "mtcp",
        "chunk": draw(st.sampled_from([1, 3, 64])),
        "select_us": draw(st.sampled_from([1, 7, 100])),
        "interrupt_rate": draw(st.sampled_from([0, 956, 200_000])),
    }
    until = f"{draw(st.integers(1, 1500))} us"
    run = {"seed": draw(st.integers(0, 3)), "until": until, "warmup": draw(st.sampled_from(["0 us", "0.5 us"]))}
    return {"machine": draw(machine()), "system": system, "workload": draw(workload(kinds)), "run": run}


def compare(raw: dict[str, Any]) -> None:
    same_both_ways(plain(raw), MtcpLedger, never_overtakes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slice_us", [3_000, 20])
def test_watched_on_machines_of_any_shape(kind: str, slice_us: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLICE", slice_us * 10**6)

    @examples(8)
    @given(scenarios((kind,)))
    def check(raw: dict[str, Any]) -> None:
        compare(raw)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_resumed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLICE", 20 * 10**6)

    @examples(8)
    @given(scenarios((kind,)), st.floats(0, 1))
    def check(raw: dict[str, Any], part: float) -> None:
        stopped_and_resumed(raw, 64, part, None)

    check()


def test_a_recorded_run_resumes_into_the_same_history() -> None:
    same_from_each_checkpoint(simulate(scenario(*ECHO), Journal()), 100)


def test_a_what_if_keeps_the_machine() -> None:
    sim: Any = simulate(scenario(*ECHO), Journal())
    sim.record(150)
    at = sim.checkpoint()
    with pytest.raises(ValueError, match="stay as they are"):
        sim.resume(at, journal=sim.journal.fork(at.events), scenario=scenario(*ECHO, "machine.cores=3"))
    other: Any = branch(sim, at, scenario=scenario(*ECHO, "system.interrupt_rate=0"))
    while sim.record(5000):
        pass
    assert sum(c.interrupts for c in other.threads) > sum(c.interrupts for c in sim.threads)
    assert sum(c.timeouts for c in other.threads) < sum(c.timeouts for c in sim.threads)


def test_the_table_of_packets_at_an_event_knows_nothing_later() -> None:
    sim: Any = simulate(scenario(*ECHO), Journal())
    seen = []
    while sim.journal.count < 700 and sim.record(13):
        table = sim.table("packets")
        place = table.later["place"]()
        seen.append((sim.journal.count - 1, table.columns["leaves"].known.sum(), _words(place)))
    sim.record(5000)
    for event, gone, places in seen:
        table = sim.table("packets", event)
        assert table.columns["leaves"].known.sum() == gone
        assert _words(table.later["place"]()) == places
    named = {w for _, _, places in seen for w in places}
    assert {w.strip("0123456789")[:4] for w in named} == {"", "core", "nic.", "sock"}
    assert any(w.endswith(".jobs") for w in named)


def _words(column: Any) -> list[str]:
    return [column.words[v] if k else "" for v, k in zip(column.values.tolist(), column.known.tolist(), strict=True)]


# -------------------------------------------------------------------------------- one message, by hand
ALONE = ("mtcp-echo", "machine.cores=1", "machine.hyperthreads=false", "workload.connections=1",
         "workload.messages=unlimited", "run.warmup=0", "run.until=1 ms")  # fmt: skip


def kinds_of(sim: Any, first: int, last: int) -> list[str]:
    return [sim.kinds[sim.history.event(i).kind] for i in range(first, last + 1)]


def test_a_message_is_handed_over_twice() -> None:
    """Woken by its interrupt, to the application when the TCP thread sleeps, back when the application does."""
    sim: Any = recorded(scenario(*ALONE))
    first, last = sim.feed.packets.event[1], sim.journeys.sent[1]
    assert kinds_of(sim, first, last) == [
        "arrive", "interrupt",
        "rx", "tcp", "through", "flush", "told", "tx", "sent",  # its ACK leaves at once
        "rx", "select", "asleep",  # only a round that finds nothing ends in select()
        "switch", "epoll", "app", "handed", "wait", "waits",
        "switch", "rx", "jobs", "handled", "tx", "sent",
    ]  # fmt: skip
    core = sim.threads[0]
    assert core.tx.posted == core.tx.doorbells == 2 * core.tcp.turns // 2


def test_while_nobody_may_interrupt_select_finds_packets_at_its_timeout() -> None:
    sim: Any = recorded(scenario(*ALONE))
    woken = [sim.history.event(i) for i in range(len(sim.history)) if sim.kinds[sim.history.event(i).kind] == "timer"]
    slept = [sim.history.event(i) for i in range(len(sim.history)) if sim.kinds[sim.history.event(i).kind] == "asleep"]
    assert len(woken) > 5
    for event in woken:
        before = max(e.time for e in slept if e.time < event.time)
        assert (event.time - before) % 100_000_000 == 0
    raised = [sim.history.event(i).time for i in range(len(sim.history))
              if sim.kinds[sim.history.event(i).kind] == "interrupt"]  # fmt: skip
    assert len(raised) == 1, "956 interrupts a second: the next may come after 1.05 ms"


def test_copies_and_crossings_of_a_message() -> None:
    """The driver copies it in and out, the process twice each way; each call of driver or scheduler crosses twice."""
    sim: Any = recorded(scenario(*ALONE))
    done = int((sim.feed.requests.array("done") >= 0).sum())
    figures = sim.protection()
    assert figures["copies"] == 2 * done and figures["user_copies"] == 4 * done
    calls = {"rx": 2, "tx": 2, "select": 2, "wait": 4}  # wait: futex, and the signal to the TCP thread
    count = {k: sum(sim.kinds[sim.history.event(i).kind] == k for i in range(len(sim.history))) for k in calls}
    assert figures["crossings"] == sum(count[k] * n for k, n in calls.items()) + 2 * figures["wakes"]
    assert figures["switches"] == 2 * figures["wakes"] == 2 * done


def test_the_application_gets_a_turn_though_packets_never_end() -> None:
    """More load than the machine carries: after a slice the TCP thread gives the core away."""
    work = {"kind": "poisson", "load": 2.5, "flows": 200}
    sim: Any = unwatched(plain({"system": {"kind": "mtcp"}, "workload": work, "run": {"until": "25 ms"}}))
    core = sim.threads[0]
    assert core.app.turns >= 2 and core.app.time > 0.15 * core.busy
    assert sum(r.drops for r in core.rings) > 100


@pytest.mark.parametrize("cores", [1, 2, 4, 8])
def test_no_line_ever_moves(cores: int) -> None:
    for name in ("mtcp-echo", "mtcp-memcached-usr"):
        sets = (f"machine.cores={cores}", f"workload.connections={32 * cores}", "run.warmup=0", "run.until=1 ms")
        sim: Any = unwatched(scenario(name, *sets))
        figures = sim.memory.figures()
        assert figures["accesses"] > 500 and figures["transfers"] == figures["upgrades"] == 0
        assert {"core0.events", "core0.jobs", "q0.ring", "sock0"} <= {line["name"] for line in figures["lines"]}
