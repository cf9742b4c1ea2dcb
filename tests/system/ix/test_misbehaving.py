"""An application that does not return, and one that writes what it may only read: one thread is stopped, none other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from system.ledger import Ledger
from system.machines import examples, scenarios
from system.runs import Telling, plain, recorded, same_completions, same_figures, unwatched

from ixviz.history import Journal
from ixviz.measure.metrics import metrics
from ixviz.scenario.simulate import picture_of, simulate
from ixviz.system.ix.turn import LIMIT, STOPPED

MS = 10**9
BOTH = ("stuck-application", "writes-mbuf")


def machine(cores: int = 2, **more: Any) -> dict[str, Any]:
    """Turns of 1 µs and 0.25 µs a packet, ring 3 from 0.4 µs on; a packet every 50 µs to each core for 12 ms."""
    costs = {"poll": {"batch": 960}, "cross": {"batch": 0}, "tcp": {"packet": 0}, "app": {"batch": 0, "packet": 600},
             "calls": {"packet": 0}, "timers": {"batch": 0}, "tx": {"batch": 1440, "packet": 0}}  # fmt: skip
    packets = [{"at": f"{1 + flow + 50 * i} us", "flow": flow} for i in range(240) for flow in range(cores)]
    return {
        "machine": {"cores": cores, "nic": {"rate": "unlimited", "ring": 64}, **more},
        "system": {"kind": "ix", "costs": costs},
        "workload": {"kind": "timed", "size": "64 B", "flows": cores, "packets": packets},
        "run": {"until": "12 ms"},
    }


def queue_of_core0(sim: Any) -> tuple[int, int]:
    """(arrived, dropped) of its ring."""
    ring = sim.threads[0].rings[0]
    return ring.tail + ring.drops, ring.drops


@pytest.mark.parametrize("fault", BOTH)
def test_core_0_is_stopped_and_the_others_go_on_untouched(fault: str) -> None:
    ill, calm = unwatched(plain(machine(), fault)), unwatched(plain(machine()))
    core, other = ill.threads
    assert core.stage == STOPPED and core.batch == 8 and core.done == 7 and core.size == 1
    start = ill.batches.begins[core.row]
    after = LIMIT if fault == "stuck-application" else 0
    assert core.began == start + 400_000 + after  # 0.4 µs of poll, then ring 3
    assert core.busy + core.idle == core.began
    one, two = ill.completions(), calm.completions()
    assert one[1][0].tolist() == two[1][0].tolist() and one[1][1].tolist() == two[1][1].tolist()
    assert other.done == 240 and calm.threads[0].done == 240
    arrived, dropped = queue_of_core0(ill)
    assert arrived == 240 and dropped == 240 - 8 - 64  # 8 were taken, the ring holds 64
    assert metrics(ill)["packets"]["in_flight"] == 1 + 64
    assert metrics(ill)["cores"][0]["busy"] == pytest.approx(core.busy / ill.now)


@pytest.mark.parametrize("fault", BOTH)
def test_what_is_counted(fault: str) -> None:
    ill = unwatched(plain(machine(), fault)).protection()
    calm = unwatched(plain(machine())).protection()
    assert ill["interrupts"] == (1 if fault == "stuck-application" else 0) and calm["interrupts"] == 0
    assert ill["crossings"] == 2 * (8 + 240) and calm["crossings"] == 2 * (240 + 240)
    if fault == "stuck-application":
        cycles = 248 * (960 + 1440 + 600)
        spent = 24_000_000  # 10 ms in ring 3
        assert ill["kernel_share"] == pytest.approx(1 - (248 * 600 + spent) / (cycles + spent))


@pytest.mark.parametrize("fault", BOTH)
def test_it_is_an_event_in_words_and_the_picture_shows_the_thread_stopped(fault: str) -> None:
    sim: Any = recorded(plain(machine(), fault))
    kind = sim.kinds.index("watchdog" if fault == "stuck-application" else "page fault")
    [number] = [i for i in range(len(sim.history)) if sim.history.event(i).kind == kind]
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(number))
    words = picture.words(moment, number)
    assert words.startswith("core 0 ") and "ring 3" in words and "stops it" in words
    assert picture.doing(moment, 0) == "stopped" and picture.doing(moment, 1) != "stopped"
    before = picture.moment(sim.history.cursor(number - 1))
    assert picture.doing(before, 0).startswith("app in ring 3")
    later = picture.moment(sim.history.cursor(len(sim.history) - 1))
    for at in (moment, later):
        for wide in (False, True):
            drawn = ["".join(s.text for s in d.line) for d in picture.machine(at, 80, 30, wide=wide)]
            assert any("stopped" in line for line in drawn)
        lanes = ["".join(s.text for s in line) for line in picture.lanes(at, 80, 2).lines]
        assert at is moment or (" stopped " in lanes[2] and "idle" not in lanes[2])
    packet = next(p for p in range(1, 500) if sim.feed.packets.batch[p] == sim.threads[0].row)
    assert "stopped with its thread" in picture.why(later, packet).parts[-1].text
    waiting = next(p for p in range(packet + 1, 500) if sim.feed.packets.queue[p] == 0)
    assert "was stopped in batch 8" in picture.why(later, waiting).parts[-1].text
    assert picture.totals(later).interrupts == (1 if fault == "stuck-application" else 0)
    assert picture.totals(later).crossings == sim.protection()["crossings"]


@pytest.mark.parametrize("threads", [False, True], ids=["cores", "hyperthreads"])
@pytest.mark.parametrize("fault", BOTH)
def test_watched_and_unwatched_agree_and_so_does_a_resumed_run(fault: str, threads: bool) -> None:
    made = plain(machine(2, hyperthreads=threads), fault)
    fast, slow = unwatched(made), recorded(made, 997)
    same_completions(fast, slow)
    same_figures(fast, slow)
    for at in (200_000_000, 351_100_000, 351_500_000, 5 * MS, 11 * MS):
        for journal in (None, Journal()):
            sim = simulate(made, journal)
            sim.run(at)
            moment = sim.checkpoint()
            again = sim.resume(moment, journal=journal and journal.fork(moment.events))
            again.run()
            same_completions(fast, again)
            same_figures(fast, again)


@examples(25)
@given(scenarios(), st.sampled_from(BOTH))
def test_on_machines_of_any_shape(raw: dict[str, Any], fault: str) -> None:
    raw["run"]["until"] = "11 ms"
    made = plain(raw, fault)
    fast, journal = unwatched(made), Telling()
    slow = simulate(made, journal)
    ledger = Ledger(slow)
    journal.tell = ledger.check
    while slow.record(5_000):
        pass
    same_completions(fast, slow)
    same_figures(fast, slow)
