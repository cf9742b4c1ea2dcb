"""Scenarios made comparable: what is taken from whom, what is told, what is refused; the same packets then come."""

import pytest
from compare.small import FAST, OPEN, PACED, lockstep, pair, scenario

from ixviz.compare.align import aligned, labels
from ixviz.compare.identity import named
from ixviz.compare.report import same
from ixviz.scenario.load import bundled, load
from ixviz.scenario.messages import Problems


def bundle(name: str) -> object:
    return load(bundled(name))


def test_the_first_gives_its_packets_and_the_others_keep_their_machine() -> None:
    one, two = bundle("ix-echo"), bundle("linux-memcached-usr")
    made = aligned([one, two])
    assert made.labels == ("ix", "linux")
    assert made.scenarios[0] is one
    other = made.scenarios[1]
    assert (other.workload, other.run) == (one.workload, one.run)
    assert (other.system, other.machine.cores, other.machine.nic.queues) == (two.system, 8, 8)
    assert other.machine.nic.ports == one.machine.nic.ports == 1
    assert made.notes == (
        "linux-memcached-usr is given workload, run and machine.nic.ports of ix-echo "
        "(its own: memcached usr, 450 K/s)",
    )  # fmt: skip


def test_another_may_give_them() -> None:
    made = aligned([bundle("ix-echo"), bundle("linux-memcached-usr")], 1)
    assert {s.workload.kind for s in made.scenarios} == {"memcached"}
    assert made.scenarios[0].name == "ix-echo" and made.scenarios[0].machine.nic.ports == 4
    assert made.packets == "the packets of linux-memcached-usr: memcached usr, 450 K/s"


def test_a_load_becomes_the_rate_that_it_means_on_the_givers_machine() -> None:
    one = scenario("ix", {"kind": "poisson", "load": 0.5, "flows": 16})
    made = aligned([one, scenario("linux", OPEN)])
    rates = {s.workload.rate for s in made.scenarios}
    assert len(rates) == 1 and all(s.workload.load is None for s in made.scenarios)
    assert 1e6 < rates.pop() < 2e6  # half of what two cores carry


def test_commands_to_one_system_stay_its_own() -> None:
    moving = bundle("ix-migrate-one")
    made = aligned([scenario("linux", OPEN), moving])
    assert made.scenarios[1].run.migrate == moving.run.migrate != made.scenarios[0].run.migrate
    assert aligned([moving, scenario("linux", OPEN)]).scenarios[1].run.until == moving.run.until


def test_a_captures_file_is_found_from_the_givers_folder() -> None:
    made = aligned([bundle("ix-capture"), scenario("linux", OPEN)])
    lock = lockstep(made, whole=False)
    assert lock.runs[1].sim.feed.packets.arrives[1] == lock.runs[0].sim.feed.packets.arrives[1]


def test_what_has_no_packets_is_refused_at_its_place() -> None:
    with pytest.raises(Problems) as caught:
        aligned([bundle("ix-echo"), bundle("coherence-trace")])
    [problem] = caught.value.problems
    assert problem.file.endswith("coherence-trace.yaml") and problem.key == "system.kind" and problem.line
    assert "has no packets" in problem.message


def test_a_run_that_records_decisions_is_refused_at_its_place() -> None:
    day = load(bundled("ix-elastic-triangle"))
    with pytest.raises(Problems) as told:
        aligned([day, load(bundled("ix-echo"))])
    (problem,) = told.value.problems
    assert problem.key == "run.watch" and "no packets" in problem.message
    assert aligned([day, load(bundled("ix-echo"))], giver=1).scenarios[0].run.watch != -1


def test_labels_are_all_different() -> None:
    ix, linux = scenario("ix", OPEN), scenario("linux", OPEN)
    assert labels([ix, linux]) == ("ix", "linux")
    assert labels([ix, scenario("ix", OPEN, name="other")]) == ("small-ix", "other")
    assert labels([ix, ix]) == ("small-ix A", "small-ix B")


@pytest.mark.parametrize("workload", ["open", "capture"])
def test_open_loops_and_captures_arrive_at_the_same_picosecond(workload: str) -> None:
    if workload == "open":
        lock = lockstep(pair("open"))
    else:
        lock = lockstep(aligned([bundle("ix-capture"), scenario("linux", OPEN)]), whole=False)
        while max(run.last for run in lock.runs) < 2_000 and lock.record(500):
            pass
    one, two = (run.sim.feed.packets for run in lock.runs)
    edge = lock.edge()
    rows = min(len(one.event), len(two.event))
    assert rows > 30
    for name in ("arrives", "flow", "kind", "frame"):
        assert list(getattr(one, name)[1:rows]) == list(getattr(two, name)[1:rows])
    assert same(lock.runs, edge)["arrivals"] == "identical"


def test_clients_mean_to_send_the_same_requests_at_the_same_times() -> None:
    lock = lockstep(pair("paced"))
    tables = [run.sim.feed.requests for run in lock.runs]
    due = [dict(zip(run.identity.requests(), t.due, strict=True)) for run, t in zip(lock.runs, tables, strict=True)]
    both = due[0].keys() & due[1].keys()
    assert len(both) >= 40
    assert all(due[0][key] == due[1][key] for key in both)
    assert same(lock.runs, lock.edge())["due"] == "identical"
    sizes = [dict(zip(run.identity.requests(), t.size, strict=True)) for run, t in zip(lock.runs, tables, strict=True)]
    assert all(sizes[0][key] == sizes[1][key] for key in both)


def test_clients_without_a_schedule_are_said_to_have_none() -> None:
    lock = lockstep(pair("fast"))
    assert same(lock.runs, lock.edge()) == {
        "arrivals": "by answers",
        "due": "by answers",
        "requests": len({*lock.runs[0].identity.requests()} & {*lock.runs[1].identity.requests()}),
    }


@pytest.mark.parametrize("workload", [PACED, FAST])
def test_a_key_means_one_frame_and_one_frame_has_one_key(workload: dict[str, object]) -> None:
    lock = lockstep(aligned([scenario("ix", workload), scenario("linux", workload)]))
    for run in lock.runs:
        packets = run.sim.feed.packets
        keys = [run.identity.key(number) for number in range(1, len(packets.event))]
        assert len(set(keys)) == len(keys)
        assert all(run.identity.packet(key) == number for number, key in enumerate(keys, start=1))
        assert all(key[1] == packets.kind[number] for number, key in enumerate(keys, start=1))
    other = lock.runs[1].identity
    for number in range(1, len(lock.runs[0].sim.feed.packets.event)):
        key = lock.runs[0].identity.key(number)
        if key and (there := other.packet(key)) is not None:
            pair_ = [run.sim.feed.packets.frame[n] for run, n in zip(lock.runs, (number, there), strict=True)]
            assert pair_[0] == pair_[1]


def test_names_of_packets() -> None:
    assert named((1212,)) == "packet 1,212"
    assert named((5, 0, 2, 0)) == "request 3 of connection 5"
    assert named((5, 2, 0, 0)) == "SYN 1 of connection 5"
    assert named((5, 0, 2, 1)) == "request 3 of connection 5, try 2"
