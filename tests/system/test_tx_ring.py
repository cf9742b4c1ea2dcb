"""A TX ring with few descriptors: turns wait, nothing is lost, and the wire never carries two frames at once."""

import itertools

import pytest
from system.runs import recorded, scenario, unwatched


@pytest.mark.parametrize("ring", [1, 2, 5, 20])
@pytest.mark.parametrize("name", ["ix-echo", "ix-memcached-etc"])
def test_turns_wait_and_nothing_is_lost(name: str, ring: int) -> None:
    sets = [f"machine.nic.tx_ring={ring}", "machine.nic.ring=4096", "machine.nic.ports=1", "run.warmup=0"]
    sets += ["machine.nic.rate=1 Gbps", "run.until=1 ms"]
    if name == "ix-echo":  # slow cores make large batches
        sets += ["machine.clock=300 MHz", "workload.load=0.95", "run.until=3 ms"]
    else:
        sets.append("workload.rate=9 M/s")
    sim = recorded(scenario(name, *sets))
    stalls = sum(core.tx.stalls for core in sim.threads)
    assert stalls > 3
    packets, batches = sim.feed.packets, sim.batches
    rows = len(packets.batch)
    out = sorted((packets.done[i], packets.frame[i]) for i in range(1, rows) if packets.done[i] >= 0)
    assert len(out) > 300 and all(b > a for (a, _), (b, _) in itertools.pairwise(out))
    gaps = [b[0] - a[0] for a, b in itertools.pairwise(out)]
    assert min(gaps) >= 84 * 8 * 1000  # 84 bytes at least, 1 ns a bit
    assert sum(core.done for core in sim.threads) == len(out)
    assert not any(core.tx.posted - core.done for core in sim.threads)
    assert sim.history is not None
    full = list(sim.kinds).index("tx full")
    told = sum(sim.history.event(i).kind == full for i in range(len(sim.history)))
    assert told == stalls
    late = max(batches.tx[r] - batches.ends[r] for r in range(1, len(batches.core)) if batches.ends[r] >= 0)
    assert late <= max(ring, 64) * 1100 * 8 * 1000  # the wire of a batch is free when the ring has drained


def test_with_room_enough_no_turn_waits() -> None:
    sim = unwatched(scenario("ix-echo", "machine.nic.tx_ring=65536", "workload.rate=9 M/s", "run.until=2 ms"))
    assert sum(core.tx.stalls for core in sim.threads) == 0
    assert sum(core.tx.posted for core in sim.threads) == sum(core.done for core in sim.threads) > 5000
