"""Clients that wait for answers: their schedule is theirs, a slot permits a request, a loss costs an RTO."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest
from system.runs import plain, recorded, unwatched

from ixviz.system.simulation import Simulation
from ixviz.workload import kinds

US = 10**6


def run(work: dict[str, Any], until: str = "2 ms", watch: bool = False, **system: Any) -> Simulation:
    machine = {"cores": 2, "nic": system.pop("nic", {"rate": "10 Gbps"})}
    made = plain({
        "machine": machine, "system": {"kind": "ix", **system}, "workload": {"kind": "closed", **work},
        "run": {"until": until},
    })  # fmt: skip
    return recorded(made) if watch else unwatched(made)


def column(sim: Simulation, name: str) -> list[int]:
    return list(getattr(sim.feed.requests, name))


RATE = {"connections": 20, "outstanding": 3, "rate": "1 M/s", "round_trip": "8 us"}


def test_what_is_due_does_not_depend_on_the_machine() -> None:
    fast, slow = run(RATE), run(RATE, batch_bound=1, costs={"app": {"packet": 9000}})
    dues = []
    for sim in (fast, slow):
        due: dict[int, list[int]] = defaultdict(list)
        for c, t in zip(column(sim, "connection"), column(sim, "due"), strict=True):
            due[c].append(t)
        dues.append(due)
    assert sum(map(len, dues[0].values())) > sum(map(len, dues[1].values())) > 500
    for c in range(20):
        n = min(len(dues[0][c]), len(dues[1][c]))
        assert n > 10 and dues[0][c][:n] == dues[1][c][:n]
    gaps = [b - a for due in dues[0].values() for a, b in pairwise(due)]
    assert sum(gaps) / len(gaps) == pytest.approx(20 * US, rel=0.08)  # standard error 2.5 %


def test_a_request_is_sent_when_it_is_due_or_the_moment_a_slot_frees() -> None:
    sim = run(RATE, batch_bound=1, costs={"app": {"packet": 4000}})
    held: dict[int, list[int]] = defaultdict(list)  # when the slots of a connection free
    waited = 0
    for c, due, sent, done in zip(*(column(sim, n) for n in ("connection", "due", "sent", "done")), strict=True):
        taken = sorted(t for t in held[c] if t > due)
        if len(taken) < 3:
            assert sent == due
        else:
            assert sent == taken[-3], "not when the oldest of the taken slots freed"
            waited += 1
        held[c].append(done if done >= 0 else 2**62)
        assert sum(t > sent for t in held[c]) <= 3
    assert waited > 100


def test_a_latency_is_two_ways_the_queue_and_the_turn() -> None:
    """One connection alone: 4 µs to the port, its turn, its wire, 4 µs back; the share of the client is none."""
    sim = run({"connections": 1, "round_trip": "8 us"}, until="1 ms")
    turn = -(-(2360 + 1700) * 10**12 // 2_400_000_000)
    wire = 142 * 800
    took = {d - s for s, d in zip(column(sim, "sent"), column(sim, "done"), strict=True) if d >= 0}
    assert took == {4 * US + turn + wire + 4 * US}
    sent = column(sim, "sent")
    assert all(b - a in took for a, b in pairwise(sent))  # without a rate: at once again


@pytest.mark.parametrize("ports", [1, 2])
def test_requests_queue_for_the_wire_of_their_port(ports: int) -> None:
    nic = {"rate": "1 Gbps", "ports": ports}
    sim = run({"connections": 60, "outstanding": 4, "round_trip": "2 us"}, nic=nic)
    packets = sim.feed.packets
    for port in range(ports):
        mine = [n for n in range(1, len(packets.batch)) if sim.feed.flow_data(packets.flow[n])[1] == port]
        gaps = [packets.arrives[b] - packets.arrives[a] for a, b in pairwise(mine)]
        assert len(gaps) > 500 and min(gaps) == 142 * 8000  # 142 B at 8 ns a byte, back to back


@pytest.mark.parametrize("watch", [True, False])
def test_a_request_that_is_dropped_is_sent_again_after_an_rto(watch: bool) -> None:
    nic = {"rate": "10 Gbps", "ring": 1, "queues": 1}
    work = {"connections": 12, "outstanding": 1, "round_trip": "2 us", "rto": "50 us"}
    sim = run(work, until="3 ms", watch=watch, batch_bound=1, software_list=0, nic=nic)
    tries, packets = column(sim, "tries"), sim.feed.packets
    came: dict[int, list[int]] = defaultdict(list)
    for number in range(1, len(packets.batch)):
        came[packets.request[number]].append(number)
    again = 0
    for request, numbers in came.items():
        assert len(numbers) <= tries[request] <= len(numbers) + 1  # the last may be on its way
        assert all(packets.batch[n] == -2 for n in numbers[:-1])
        for a, b in pairwise(numbers):
            gap = packets.arrives[b] - packets.arrives[a]
            assert 51 * US <= gap < 52 * US  # the RTO, one way, and what the wire is busy
            again += 1
    assert again > 50
    assert sim.feed.requests.packet[0] == came[0][-1]


@pytest.mark.parametrize("close", ["fin", "rst"])
@pytest.mark.parametrize("quickack", [True, False])
def test_a_connection_opens_carries_its_messages_and_closes(close: str, quickack: bool) -> None:
    loop = {"connections": 4, "messages": 3, "close": close, "quickack": quickack, "round_trip": "4 us"}
    sim = run(loop, watch=True)
    packets = sim.feed.packets
    frames: dict[int, list[int]] = defaultdict(list)
    for number in range(1, len(packets.batch)):
        frames[packets.flow[number]].append(packets.kind[number])
    ending = [kinds.ACK] * quickack + ([kinds.FIN, kinds.ACK] if close == "fin" else [kinds.RST])
    whole = [kinds.SYN, kinds.ACK, *[kinds.DATA] * 3, *ending]
    assert len(frames) > 40
    assert sorted(frames) == list(range(len(frames)))  # every connection has a flow of its own
    assert sum(f == whole for f in frames.values()) >= len(frames) - 4
    assert all(f == whole[: len(f)] for f in frames.values())
    pcbs = [p for n, p in sim.slots.by_name.items() if n.startswith("pcb")]
    assert len(pcbs) <= 8, "entries of closed connections are used again"


def test_a_connection_has_one_message_at_a_time_unless_it_may_have_more() -> None:
    for outstanding in (1, 3):
        sim = run({"connections": 2, "outstanding": outstanding, "messages": 7, "round_trip": "30 us"})
        rows = zip(*(column(sim, n) for n in ("sent", "done", "connection")), strict=True)
        spans = [(s, d if d >= 0 else 2**62, c) for s, d, c in rows]
        most = max(sum(a <= t < b for a, b, k in spans if k == c) for t, _, c in spans)
        assert most == outstanding


def test_a_lost_syn_is_sent_again_after_a_second() -> None:
    nic = {"rate": "10 Gbps", "ring": 1, "queues": 1}
    work = {"connections": 9, "messages": 1, "round_trip": "0 us"}
    sim = run(work, until="1.1 s", batch_bound=1, software_list=0, nic=nic)
    packets = sim.feed.packets
    lost = [n for n in range(1, len(packets.batch)) if packets.kind[n] == kinds.SYN and packets.batch[n] == -2]
    assert lost
    for n in lost[:5]:
        later = [m for m in range(n + 1, len(packets.batch)) if packets.flow[m] == packets.flow[n]]
        if packets.arrives[n] < 10**11:
            assert packets.kind[later[0]] == kinds.SYN
            assert packets.arrives[later[0]] - packets.arrives[n] == pytest.approx(10**12, rel=1e-5)
