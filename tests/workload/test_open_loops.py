"""Open loops: blocks that can be made again, flows that have one group and port for life."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.history import Journal
from ixviz.machine.rss import default_reta, tuples_for_clients
from ixviz.scenario.load import bundled, load
from ixviz.scenario.simulate import simulate
from ixviz.workload.bulkfeed import BulkFeed
from ixviz.workload.flows import even, from_hashes, hashed
from ixviz.workload.memcached import Etc, Usr
from ixviz.workload.open import BLOCK, FIRST, Block, Poisson, Written
from ixviz.workload.openfeed import OpenFeed


def same(one: Block | None, other: Block | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one.times, other.times) and np.array_equal(one.flows, other.flows)


def test_poisson_blocks_follow_each_other_and_can_be_made_again() -> None:
    flows = hashed(50, 1)
    loop = Poisson(2e6, flows, 64, 3, FIRST + BLOCK + 1000)
    blocks = [loop.block(k) for k in range(4)]
    assert [0 if b is None else len(b) for b in blocks] == [FIRST, BLOCK, 1000, 0]
    times = np.concatenate([b.times for b in blocks if b is not None])
    assert (np.diff(times) >= 0).all() and times[0] > 0
    gaps = np.diff(times) / 1e6  # µs; standard error of the mean .3 %
    assert gaps.mean() == pytest.approx(0.5, rel=0.012) and gaps.std() == pytest.approx(0.5, rel=0.02)
    again = Poisson(2e6, flows, 64, 3, FIRST + BLOCK + 1000)
    assert all(same(again.block(k), blocks[k]) for k in range(4))
    assert all(same(loop.block(k), blocks[k]) for k in (2, 0, 1, 0))
    assert not same(Poisson(2e6, flows, 64, 4).block(0), blocks[0])
    counts = np.bincount(np.concatenate([b.flows for b in blocks if b is not None]), minlength=50)
    assert counts.min() > 0.9 * len(times) / 50  # standard error 2 %


def test_written_frames_are_handed_out_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ixviz.workload.open.BLOCK", 4)
    flows = hashed(3, 1)
    times, flow = np.arange(10) * 5, (np.arange(10) % 3).astype(np.int32)
    kind, frame = np.arange(10).astype(np.int8) % 5, np.arange(10) + 60
    loop = Written(times, flow, kind, frame, flows)
    parts = [loop.block(k) for k in range(3)]
    assert loop.block(3) is None and not loop.alike
    assert [x for b in parts if b for x in b.times.tolist()] == times.tolist()
    assert [x for b in parts if b for x in b.kind.tolist()] == kind.tolist()  # type: ignore[union-attr]
    assert [x for b in parts if b for x in b.frame.tolist()] == frame.tolist()  # type: ignore[union-attr]
    assert Written(times, flow, 0, 118, flows).alike and not Written(times, flow, 1, 54, flows).alike


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 70_000), st.integers(1, 400), st.integers(1, 4))
def test_flows_in_parts_are_the_flows_of_the_whole(start: int, count: int, ports: int) -> None:
    whole, part = hashed(start + count, ports), hashed(count, ports, start)
    assert np.array_equal(whole.group[start:], part.group) and np.array_equal(whole.port[start:], part.port)
    assert part.port.min() >= 0 and part.port.max() < ports and len(part) == count
    if start == 0:
        assert part.group.tolist() == (tuples_for_clients(count, first_port=1024).hash & 127).tolist()


def test_there_is_no_last_flow() -> None:
    """A long run opens more connections than 24 clients have ports."""
    for start in (1_535_000, 281 * 16_384, 10**7):
        assert len(hashed(16_384, 2, start)) == 16_384
    assert len(hashed(1_000_000, 1)) == 1_000_000


@given(st.integers(1, 600), st.integers(1, 4), st.integers(1, 140), st.integers(0, 3000))
def test_even_flows_are_dealt_evenly(count: int, ports: int, queues: int, start: int) -> None:
    reta = default_reta(queues)
    made = even(count, ports, reta, queues, start)
    reached = min(queues, 128)
    held = np.bincount([reta[g] for g in made.group.tolist()], minlength=reached)
    if queues <= 128:
        assert held.max() - held.min() <= 1
    assert made.port.max() < ports and made.group.min() >= 0 and made.group.max() < 128
    assert np.array_equal(even(start + count, ports, reta, queues).group[start:], made.group)


def test_a_flow_without_a_hash_has_no_group() -> None:
    made = from_hashes(np.array([5, 200, 300], dtype=np.uint32), 3, np.array([True, False, True]))
    assert made.group.tolist() == [5, -1, 300 & 127] and made.port.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("mix", "get", "keys"), [(Usr, 0.99, (16, 19)), (Etc, 0.75, (20, 70))])
def test_the_mixes_are_the_papers(mix: type[Usr], get: float, keys: tuple[int, int]) -> None:
    one = mix(40, 3)
    sizes = [one.sizes(c, n) for c in range(40) for n in range(320)]  # 12,800: standard error .1 and .4 %
    gets = [s for s in sizes if s[1] > 24]
    assert len(gets) / len(sizes) == pytest.approx(get, abs=0.015)
    assert all(24 + keys[0] <= request <= 24 + keys[1] for request, _ in gets)
    values = [reply - 28 for _, reply in gets]
    puts = [request for request, reply in sizes if reply == 24]
    assert len(puts) == len(sizes) - len(gets)
    if mix is Usr:
        assert set(values) == {2} and all(24 + 8 + 2 + 16 <= r <= 24 + 8 + 2 + 19 for r in puts)
    else:
        assert min(values) == 1 and max(values) == 1024
        assert sum(v < 15 for v in values) / len(values) == pytest.approx(0.44155, abs=0.02)
        assert all(24 + 8 + 20 + 1 <= r <= 24 + 8 + 70 + 1024 for r in puts)
    other = mix(40, 3)
    assert [other.sizes(c, n) for c, n in ((3, 300), (3, 0), (39, 70))] == [
        one.sizes(c, n) for c, n in ((3, 300), (3, 0), (39, 70))
    ]
    assert [mix(40, 4).sizes(c, 0) for c in range(40)] != [one.sizes(c, 0) for c in range(40)]


def test_every_feed_knows_the_group_of_a_flow_as_a_plain_number() -> None:
    """In bulk, frame by frame, and of clients that open connections without end."""
    made = load(bundled("ix-one-core"))
    bulk, watched = simulate(made).feed, simulate(made, Journal()).feed
    assert (type(bulk), type(watched)) == (BulkFeed, OpenFeed)
    expected = [-1, *(tuples_for_clients(16, first_port=1024).hash & 127).tolist()]
    for feed in (bulk, watched):
        found = [feed.group_of(flow) for flow in range(-1, 16)]
        assert found == expected and {type(group) for group in found} == {int}
    clients = simulate(load(bundled("ix-echo-10g"))).feed
    for flow in (0, 16_383, 16_384, 40_000):
        group, port = clients.flow_data(flow)
        assert (group, port) == (clients.group_of(flow), 0) and {type(group), type(port)} == {int}
        assert group == int(hashed(1, 1, flow).group[0])
