"""Each fault does what it says to the part that has it, and nothing to the others; nothing on the screen names it.
(Watched = unwatched and resumed = never stopped hold with faults too: test_watched.py, test_resume.py.)"""

from dataclasses import replace
from typing import Any

import pytest
from system.ledger import Ledger, never_overtakes
from system.runs import Telling, plain, recorded, same_completions, scenario, unwatched

from ixviz.history import Journal
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.simulate import faults, simulate
from ixviz.system.ix.picture.words import event_words
from ixviz.system.picture.moments import Moment, Rows

US = 10**6
IDS = ("fills-batches", "slow-doorbell", "small-ring", "stuck-application", "writes-mbuf")
MOVES = ("local-before-remote", "reta-before-arm", "two-owners")  # of machines with a control plane, see its tests


def machine(*at: str | float, cores: int = 1, **more: Any) -> dict[str, Any]:
    """Packets at these times (µs) on cores whose turn takes 1 µs and 0.25 µs a packet."""
    stages = ("tcp", "cross", "app", "calls", "timers", "tx")
    costs = {"poll": {"batch": 2400}, **{s: {"batch": 0, "packet": 0} for s in stages}, "app": {"packet": 600}}
    return {
        "machine": {"cores": cores, "nic": {"rate": "unlimited"}},
        "system": {"kind": "ix", "costs": costs, **more},
        "workload": {"kind": "timed", "size": "64 B", "packets": [{"at": f"{t} us"} for t in at]},
    }


def batches(made: Scenario) -> list[tuple[float, int]]:
    """Begin (µs) and size of each batch."""
    table = unwatched(made).batch_table()
    return [(t / US, n) for t, n in zip(table["begins"].tolist(), table["size"].tolist(), strict=True)]


def test_a_system_declares_its_faults_by_name() -> None:
    known = faults("ix")
    assert tuple(known) == (*IDS, *MOVES) and all(known[name].id == name for name in IDS)
    assert faults("pictures") == faults("none_such") == {}  # a system that declares none has none
    with pytest.raises(KeyError):
        simulate(plain(machine(1), "fills-batch"))


@pytest.mark.parametrize("fault", IDS)
def test_the_parts_that_have_it_are_parts_of_the_machine(fault: str) -> None:
    sim = simulate(scenario("ix-echo"))
    holders = faults("ix")[fault].holders(sim)
    assert holders and set(holders) <= set(sim.slots.by_name)
    assert holders == {
        "fills-batches": ("core0",), "small-ring": ("nic.q0",),
        "slow-doorbell": ("core0.tx", "core1.tx", "core2.tx", "core3.tx"),
        "stuck-application": ("core0",), "writes-mbuf": ("core0",),
    }[fault]  # fmt: skip


@pytest.mark.parametrize("fault", IDS)
def test_a_scenario_keeps_it_compares_it_and_does_not_tell_it(fault: str) -> None:
    calm = scenario("ix-one-core")
    ill = replace(calm, fault=fault)
    assert ill != calm and ill == replace(calm, fault=fault)
    assert with_changes(ill, {"system.batch_bound": 2}).fault == fault
    assert with_changes(calm, {"system.batch_bound": 2}).fault is None
    assert ill.raw == calm.raw and fault not in repr(ill)
    one, other = simulate(ill, Journal()), simulate(calm, Journal())
    assert one.slots.places == other.slots.places  # names, classes, order: what the list of parts shows
    assert one.kinds == other.kinds and one.facts.keys() == other.facts.keys()


# ------------------------------------------------------------------------------------------ fills-batches
def test_a_core_that_fills_its_batches_waits_for_sixteen_or_a_hundred_us() -> None:
    few, many = machine(10, 11, 40), machine(*(10 + i for i in range(16)))
    assert batches(plain(few)) == [(10, 1), (11.25, 1), (40, 1)]
    assert batches(plain(few, "fills-batches")) == [(110, 3)]
    assert batches(plain(many, "fills-batches")) == [(25, 16)]


def test_it_waits_for_no_more_than_the_bound() -> None:
    at = [10 + i for i in range(7)]
    assert batches(plain(machine(*at, batch_bound=3), "fills-batches")) == [(12, 3), (15, 3), (116, 1)]
    for fault in (None, "fills-batches"):
        assert batches(plain(machine(*at, batch_bound=1), fault)) == batches(plain(machine(*at, batch_bound=1)))


def test_what_came_during_a_turn_waits_as_long_as_it_is_too_little() -> None:
    at = [10] * 16 + [11, 12] + [50] * 13 + [50.5]
    assert batches(plain(machine(*at), "fills-batches")) == [(10, 16), (50.5, 16)]


def test_meanwhile_the_core_is_idle_with_packets_in_front_of_it() -> None:
    sim = recorded(plain(machine(10, 11, 40), "fills-batches"))
    history = sim.history
    assert history is not None
    cursor, seen, said = history.cursor(0), [], []
    for number in range(len(history)):
        cursor.seek(number)
        if cursor.view["core0"].stage == 0 and cursor.view["core0.rxlist"].depth:
            seen.append((cursor.time // US, cursor.view["core0.rxlist"].depth, cursor.view["nic.q0"].depth))
            said.append(event_words(Moment(sim, cursor, Rows(sim)), number))
    polled = "core 0 polls, takes nothing, and goes on polling"
    assert seen == [(10, 1, 0), (11, 1, 1), (11, 2, 0), (40, 2, 1), (40, 3, 0)]
    assert said[::2] == [polled] * 3 and all("arrives in q0" in words for words in said[1::2])


def test_only_the_first_core_does_so() -> None:
    made = scenario("ix-echo", "workload.rate=100 K/s", "run.until=2 ms")
    calm, ill = unwatched(made), unwatched(replace(made, fault="fills-batches"))
    for core, ((a, b), (c, d)) in enumerate(zip(calm.completions(), ill.completions(), strict=True)):
        count = min(len(b), len(d))
        assert count > 20 and a.tolist()[:count] == c.tolist()[:count]
        assert ((d[:count] > b[:count]).mean() > 0.9) if core == 0 else b.tolist() == d.tolist()


def test_p99_of_a_calm_memcached_shows_it() -> None:
    made = scenario("ix-memcached-usr", "workload.rate=50 K/s", "workload.spread=even", "run.until=40 ms")
    calm, ill = (metrics(unwatched(m))["latency_us"]["p99"] for m in (made, replace(made, fault="fills-batches")))
    assert 30 < calm < 40 and calm + 90 < ill < calm + 110


def test_with_no_list_they_wait_in_the_ring() -> None:
    made = plain(machine(10, 11, 40, software_list=0), "fills-batches")
    sim = simulate(made, Journal())
    sim.record(10**6, until=39 * US)
    assert (sim.slots.by_name["nic.q0"].depth, sim.threads[0].stage) == (2, 0)  # type: ignore[attr-defined]
    assert batches(made) == [(110, 3)]


# ------------------------------------------------------------------------------------------ slow-doorbell
@pytest.mark.parametrize("name", ["ix-echo", "ix-memcached-usr"])
def test_every_frame_reaches_the_wire_late_but_leaves_when_it_did(name: str) -> None:
    made = scenario(name, "run.until=0.5 ms", "run.warmup=0", "workload.rate=200 K/s")
    calm, ill = unwatched(replace(made, fault=None)), recorded(replace(made, fault="slow-doorbell"))
    never_overtakes(ill)
    both = min(len(calm.batches.tx), len(ill.batches.tx)) if not calm.lanes else len(ill.batches.tx)
    late = [ill.batches.tx[r] - ill.batches.ends[r] for r in range(1, both) if ill.batches.ends[r] >= 0]
    assert len(late) > 50 and min(late) == 20 * US and max(late) < 21 * US
    if calm.lanes:
        same_completions(calm, ill)
    early = metrics(calm)["latency_us"]["mean"]
    assert metrics(ill)["latency_us"]["mean"] == pytest.approx(early + 20, abs=0.5)


def test_a_short_tx_ring_still_stalls_a_turn_whose_frames_find_no_room() -> None:
    sets = ("machine.nic.tx_ring=16", "workload.rate=8 M/s", "workload.packets=4000", "run.until=null")
    journal = Telling()
    sim = simulate(replace(scenario("ix-echo", *sets), fault="slow-doorbell"), journal)
    ledger = Ledger(sim)
    journal.tell = ledger.check
    while sim.record(5000):
        pass
    never_overtakes(sim)
    assert sum(core.tx.stalls for core in sim.threads) > 0
    assert sum(core.done for core in sim.threads) == 4000


def test_a_frame_without_an_answer_is_not_late() -> None:
    sim = unwatched(replace(scenario("ix-capture"), fault="slow-doorbell"))
    packets, kinds = sim.feed.packets, set()
    for i in range(1, len(packets.batch)):
        if packets.batch[i] > 0:
            late = packets.done[i] - sim.batches.ends[packets.batch[i]]
            kinds.add((packets.kind[i], late >= 20 * US))
    assert len({kind for kind, _ in kinds}) == len(kinds) > 2  # each kind either always or never
    assert {late for _, late in kinds} == {True, False}


# ------------------------------------------------------------------------------------------ small-ring
def test_a_small_ring_drops_a_burst_and_no_other_does() -> None:
    made = scenario("ix-echo", "workload.rate=12 M/s", "run.until=0.5 ms", "machine.nic.ring=512")
    calm, ill = recorded(made), recorded(replace(made, fault="small-ring"))
    rings = [[sim.slots.by_name[f"nic.q{i}"] for i in range(4)] for sim in (calm, ill)]
    assert [r.drops for r in rings[0]] == [0, 0, 0, 0]  # type: ignore[attr-defined]
    drops = [r.drops for r in rings[1]]  # type: ignore[attr-defined]
    assert drops[0] > 100 and drops[1:] == [0, 0, 0]
    assert rings[1][0].deepest == 4  # type: ignore[attr-defined]
    assert unwatched(replace(made, fault="small-ring")).lanes


def test_a_ring_that_is_smaller_already_stays_so() -> None:
    sim = simulate(replace(scenario("ix-echo", "machine.nic.ring=2"), fault="small-ring"))
    assert sim.slots.by_name["nic.q0"].capacity == 2  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------ what if
@pytest.mark.parametrize("fault", IDS)
def test_a_fault_may_come_in_at_a_moment(fault: str) -> None:
    made = scenario("ix-echo", "workload.rate=4 M/s", "run.until=1 ms")
    sim = simulate(made, Journal())
    sim.record(100)
    checkpoint = sim.checkpoint()
    assert sim.journal is not None
    ill = sim.resume(checkpoint, sim.journal.fork(checkpoint.events), scenario=replace(made, fault=fault))
    calm = sim.resume(checkpoint, sim.journal.fork(checkpoint.events))
    for other in (ill, calm):
        while other.record(10_000):
            pass
    assert ill.history is not None and calm.history is not None
    last = min(len(ill.history), len(calm.history)) - 1
    assert 100 <= checkpoint.events < last / 4
    hashes = [[h.cursor(n).state_hash() for n in (checkpoint.events - 1, last)] for h in (ill.history, calm.history)]
    assert hashes[0][0] == hashes[1][0] and hashes[0][1] != hashes[1][1]
    if fault == "small-ring":
        assert ill.slots.by_name["nic.q0"].drops > 10  # type: ignore[attr-defined]
    never_overtakes(ill)
