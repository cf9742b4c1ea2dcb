"""Step tables and the dealing of flow groups: what is published of them [facts 1.6, 1.7], and fewest moves."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.machine.profile import PROFILES
from ixviz.system.ix.control.rebalance import moves, shares
from ixviz.system.ix.control.steps import TABLES, back, eff, minmax

PROFILE = PROFILES["e5-2665"]
GHZ = 10**9


def test_the_table_for_energy_has_22_steps() -> None:
    steps = eff(PROFILE, 8)
    assert len(steps) == 22 and len(PROFILE.clocks) == 13
    assert [len(s.cpus) for s in steps] == [*range(1, 9), *[16] * 14]
    assert [s.clock for s in steps[:9]] == [1.2 * GHZ] * 9
    assert [s.clock for s in steps[9:-1]] == [pytest.approx((12 + i) * GHZ / 10) for i in range(1, 13)]
    assert steps[-1].clock == PROFILE.turbo > steps[-2].clock == PROFILE.clock
    assert steps[0].idle == math.inf and steps[3].idle == pytest.approx(1.2 / 4)
    assert steps[8].idle == pytest.approx(1.2 * (1 - 1 / 1.3))
    assert steps[9].idle == pytest.approx(1.2 * 0.1 / 1.3) and steps[-1].idle == pytest.approx(0.12)


def test_the_table_for_consolidation_has_9_steps() -> None:
    steps = back(PROFILE, 8)
    assert [len(s.cpus) for s in steps] == [2, 4, 6, 8, 10, 12, 14, 16, 16]
    assert steps[1].cpus == (0, 1, 8, 9) and {s.clock for s in steps[:-1]} == {PROFILE.clock}
    assert steps[-1].clock == PROFILE.turbo


def test_all_or_nothing() -> None:
    assert [(len(s.cpus), s.clock) for s in minmax(PROFILE, 8)] == [(1, 1.2 * GHZ), (16, PROFILE.turbo)]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("cores", [1, 2, 8, 64])
def test_each_step_has_more_than_the_one_before(name: str, cores: int) -> None:
    steps = TABLES[name](PROFILE, cores)
    for less, more in pairwise(steps):
        assert set(less.cpus) <= set(more.cpus) and less.clock <= more.clock and less != more
        assert 0 < more.idle < 1 or cores == 1 or more.idle == less.idle


@pytest.mark.parametrize("before", range(1, 17))
@pytest.mark.parametrize("after", range(1, 17))
def test_the_fewest_groups_move(before: int, after: int) -> None:
    """128 // k' each, the first 128 mod k' one more; a group moves only if its thread has too many."""
    owners = [next(c for c in range(before) if g < sum(list(shares(range(before), 128).values())[: c + 1]))
              for g in range(128)]  # fmt: skip
    new = list(owners)
    made = moves(owners, range(after))
    for source, target, groups in made:
        assert source != target
        for group in groups:
            assert new[group] == source
            new[group] = target
    assert [new.count(c) for c in range(after)] == [128 // after + (c < 128 % after) for c in range(after)]
    surplus = sum(max(0, owners.count(c) - (new.count(c) if c < after else 0)) for c in range(before))
    assert sum(len(m.groups) for m in made) == surplus == sum(a != b for a, b in zip(owners, new, strict=True))


def test_from_three_to_four_threads() -> None:
    """Screen F: 32 groups for the fourth, 11 + 11 + 10 of the others."""
    made = moves([i % 3 for i in range(128)], range(4))
    assert [(m.source, m.target, len(m.groups)) for m in made] == [(0, 3, 11), (1, 3, 11), (2, 3, 10)]


@given(st.lists(st.integers(0, 15), min_size=128, max_size=128), st.lists(st.integers(0, 15), min_size=1, unique=True))
def test_from_any_owners_to_any_threads(owners: list[int], cpus: list[int]) -> None:
    new = list(owners)
    for source, target, groups in moves(owners, cpus):
        for group in groups:
            assert new[group] == source != target
            new[group] = target
    assert {c: new.count(c) for c in cpus} == shares(cpus, 128)


def test_no_thread() -> None:
    with pytest.raises(ValueError, match="hardware thread"):
        moves([0] * 128, [])
