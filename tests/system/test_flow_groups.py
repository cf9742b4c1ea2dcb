"""The RETA as a picture: owners in their places, shares that add up, one packet's way, nothing that comes later."""

from typing import Any

import pytest
from system.runs import recorded, scenario

from ixviz.draw.cells import plain, width
from ixviz.machine.reta import NAMES
from ixviz.scenario.simulate import picture_of
from ixviz.system.picture.flow_groups import flow_groups

THREE = ("ix-echo", "machine.cores=3", "workload.flows=2", "run.until=0.1 ms")


def at(sim: Any, event: int) -> Any:
    return picture_of(sim).moment(sim.history.cursor(event))


def shown(moment: Any, w: int, h: int, packet: int | None = None, **more: Any) -> list[str]:
    cores = len(moment.sim.threads)
    core_of = [q % cores for q in range(len(moment.sim.feed.ids))]
    lines = [d.line for d in flow_groups(moment, w, h, core_of, packet, **more)]
    assert len(lines) <= h and all(width(line) == w for line in lines)
    return plain(lines).splitlines()


def test_two_flows_on_three_cores() -> None:
    sim = recorded(scenario(*THREE))
    moment = at(sim, len(sim.history) - 1)
    rows = shown(moment, 80, 10, 5)
    assert rows[1].split()[:17] == ["0", *(str(i % 3) for i in range(16))]
    shares = [[int(n.replace(",", "")) for n in row[53:].split()] for row in rows[1:4]]
    assert [s[:2] for s in shares] == [[0, 43], [1, 43], [2, 42]]
    assert sum(s[2] for s in shares) == moment.packets and shares[0][2] == 0, "two flows have two groups"
    assert 99 <= sum(s[3] for s in shares) <= 101
    flow = sim.feed.packets.flow[5]
    group = sim.feed.group_of(flow)
    assert rows[-1].startswith(f"packet 5, flow {flow}: hash & 127 = {group}, whose entry said q{group % 3}, core ")


def test_before_anything_arrived_and_a_packet_to_come() -> None:
    moment = at(recorded(scenario(*THREE)), 0)
    rows = shown(moment, 80, 10, 5)
    assert "packet" not in rows[-1] and rows[1].rstrip().endswith("43        0    –")


@pytest.mark.parametrize(("w", "h"), [(80, 10), (120, 12), (56, 20), (30, 8), (12, 3), (80, 1)])
def test_every_room(w: int, h: int) -> None:
    sim = recorded(scenario("ix-echo-10g", "run.warmup=0", "run.until=0.05 ms"))
    assert shown(at(sim, 300), w, h, 3)


def test_an_entry_that_changes_owner_is_marked_in_its_place() -> None:
    """What a controller does when it moves group 19 to core 2's queue."""
    sim = recorded(scenario(*THREE))
    event = sim.journal.event(sim.now, 0, 0, -1)
    sim.slots.by_name["nic.reta"].g19 = 2
    before, after = at(sim, event - 1), at(sim, event)
    assert (before.view["nic.reta"].g19, after.view["nic.reta"].g19) == (1, 2)
    row = shown(after, 80, 10, moved={19})[2]
    assert row[4:].split()[3].startswith("»") and "»" not in shown(before, 80, 10)[2]
    assert len(NAMES) == 128
