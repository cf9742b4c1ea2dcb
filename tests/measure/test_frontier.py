"""The frontier: its arithmetic on made-up configurations, what is run for it, and the file that keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measure.test_sweep import InOrder

from ixviz.measure import frontier as module
from ixviz.measure import frontier_file as files
from ixviz.measure.frontier import Static, between, bound, efficient, largest, static
from ixviz.scenario.load import bundled, from_raw, load
from ixviz.scenario.simulate import simulate

GHZ = 10**9
SMALL, WIDE, FAST = (
    Static(1, False, GHZ, 10_000, 0.9, 100, True),
    Static(2, False, GHZ, 14_000, 0.5, 200, True),
    Static(1, False, 2 * GHZ, 16_000, 0.8, 190, False),
)
ALL = (SMALL, WIDE, FAST)


def test_in_each_span_the_cheapest_that_carries_its_load() -> None:
    """10 W, 14 W, 14 W and 10 W; for a background job the fast core leaves more than two slow ones."""
    least, most = bound(ALL, [50, 150, 200, 0])
    assert least == ((10_000 + 14_000 + 14_000 + 10_000) / 4, (0.9 + 0.5 + 0.5 + 0.9) / 4, 0)
    assert most.free == pytest.approx((0.9 + 0.8 + 0.5 + 0.9) / 4)
    assert most.mw == (10_000 + 16_000 + 14_000 + 10_000) / 4


def test_a_load_that_none_carries_gets_the_one_that_carries_most_and_is_counted() -> None:
    least, most = bound(ALL, [100, 200.5, 1e9, 99])
    assert least.mw == (10_000 + 14_000 + 14_000 + 10_000) / 4
    assert least.beyond == most.beyond == 0.5


def test_the_frontier_itself_has_no_configuration_that_another_beats() -> None:
    assert efficient(ALL) == [SMALL, WIDE]
    assert efficient([FAST, WIDE._replace(mw=17_000)]) == [FAST, WIDE._replace(mw=17_000)]


STATICS = st.builds(
    Static, st.integers(1, 4), st.booleans(), st.just(GHZ), st.integers(1, 9), st.just(0.5), st.integers(1, 9),
    st.just(True),
)  # fmt: skip


@given(st.lists(STATICS, min_size=1, max_size=8), st.lists(st.floats(0, 10), min_size=1, max_size=5))
def test_the_bound_is_what_looking_at_all_of_them_finds(made: list[Static], rates: list[float]) -> None:
    top = max(s.load for s in made)
    truth = [min(s.mw for s in made if s.load >= min(rate, top)) for rate in rates]
    least, _ = bound(made, rates)
    assert least.mw == pytest.approx(sum(truth) / len(truth))
    assert least.beyond == sum(rate > top for rate in rates) / len(rates)


@pytest.mark.parametrize("limit", [0.2, 0.7, 0.9301, 0.99, 1.7])
def test_a_search_comes_within_a_hundredth_from_below(limit: float) -> None:
    asked: list[float] = []

    def holds(value: float) -> bool:
        asked.append(value)
        return value <= limit

    found = largest(holds, 0.93)
    assert limit / 1.01 <= found <= limit and found in asked
    assert len(asked) == len(set(asked)) < 60


def test_a_search_that_never_holds_ends() -> None:
    assert largest(lambda value: False, 0.93) == 0


def test_between_two_clocks_the_share_is_on_a_line() -> None:
    assert between([1, 2, 3, 4, 5], {1: 0.9, 5: 0.98}) == pytest.approx({1: 0.9, 2: 0.92, 3: 0.94, 4: 0.96, 5: 0.98})
    assert between([7], {7: 0.5}) == {7: 0.5}


# ---------------------------------------------------------------- runs
NAME = "ix-elastic-triangle"
TWO = ("machine.cores=2", "workload.rate.to=300 K/s", "run.compress=1000")


def test_the_machine_that_is_run_is_the_same_without_a_control_plane() -> None:
    made = load(bundled(NAME), list(TWO))
    one = from_raw(static(made.raw, 2, True, 1_300_000_000, 123_456.5))
    assert (one.machine.cores, one.machine.hyperthreads, one.machine.clock) == (2, True, 1_300_000_000)
    assert one.machine.nic.ports == made.machine.nic.ports and one.system.control is None
    assert one.system.batch_bound == made.system.batch_bound
    assert one.workload.rate == 123_456.5  # type: ignore[union-attr]
    assert one.workload.model_copy(update={"rate": made.workload.rate}) == made.workload  # type: ignore[union-attr]
    assert (one.run.compress, one.run.warmup, one.run.seed) == (1, module.WARMUP, made.run.seed)
    window = one.run.until - one.run.warmup  # type: ignore[operator]
    assert window * 123_456.5 / 1e12 == pytest.approx(module.REQUESTS)


def test_all_static_configurations_have_their_cycles_and_their_power() -> None:
    sim: Any = simulate(load(bundled(NAME)))
    made = sim.configurations()
    assert len(made) == len({c[:3] for c in made}) == 8 * 2 * 14
    by = {c[:3]: c for c in made}
    full, one = by[8, True, 2_800_000_000], by[1, False, 1_200_000_000]
    assert full.mw == max(c.mw for c in made) == 91_000 and one.mw == min(c.mw for c in made)
    assert full.free == 0 and one.free == 7 * 1_200
    cycles_of_64 = 2_360 + 64 * 4_463
    assert one.capacity == pytest.approx(1.2e9 * 64 / cycles_of_64)
    assert full.capacity == pytest.approx(8 * 2.8e9 * 1.12 * 64 / cycles_of_64)


def test_a_frontier_has_all_configurations_and_says_which_were_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is replaced: one hyperthread carries .9 of the capacity, both .8, whatever the clock."""
    monkeypatch.setattr(module, "_holds", lambda raw, config, share: share <= (0.8 if config[1] else 0.9))
    made = load(bundled(NAME), list(TWO))
    sim: Any = simulate(made)
    told: list[tuple[int, int]] = []
    found = module.frontier(made, sim, InOrder(), lambda done, of: told.append((done, of)))
    assert told == [(i, 4) for i in range(4)]
    assert [(s.cores, s.hyperthreads, s.clock, s.mw) for s in found] == [c[:4] for c in sim.configurations()]
    for one, config in zip(found, sim.configurations(), strict=True):
        assert one.load / config.capacity == pytest.approx(0.8 if one.hyperthreads else 0.9, rel=0.011)
        assert one.measured == (one.clock in (1_200_000_000, 2_800_000_000))
    assert found[0].free == pytest.approx(1_200 / (2 * 2_800))


@pytest.mark.parametrize(
    ("name", "sets"),
    [("ix-memcached-usr", []), ("ix-migrate-one", []), ("ix-one-core", []),
     (NAME, [f"system.costs.{s}.{k}=0" for s in ("poll", "tcp", "cross", "app", "calls", "timers", "tx")
             for k in ("batch", "packet")])],
)  # fmt: skip
def test_a_machine_without_a_frontier(name: str, sets: list[str]) -> None:
    assert not module.possible(simulate(load(bundled(name), sets)))


# ---------------------------------------------------------------- the file
def key_of(*sets: str) -> str:
    made = load(bundled(NAME), [*TWO, *sets])
    return files.fingerprint(made, simulate(made))


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "frontier"
    assert files.read(folder, "abc") is None and files.read(None, "abc") is None
    assert files.write(folder, "abc", ALL) and files.read(folder, "abc") == list(ALL)
    assert [path.name for path in folder.iterdir()] == ["abc.json"]
    assert files.write(folder, "abc", ALL[:1]) and files.read(folder, "abc") == [SMALL]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"version": 1, "fingerprint": "abc", "configurations": []}', "\x00", "[" * 100_000,
     '{"version": 2, "fingerprint": "abc", "configurations": [[1, false, 1, 1, 0, 1, true]]}',
     '{"version": 1, "fingerprint": "abd", "configurations": [[1, false, 1, 1, 0, 1, true]]}',
     '{"version": 1, "fingerprint": "abc", "configurations": [[1, false, 1, 1, 0, "1", true]]}',
     '{"version": 1, "fingerprint": "abc", "configurations": [[1, false, 1, 1, 0, -1, true]]}',
     '{"version": 1, "fingerprint": "abc", "configurations": [[1]]}'],
)  # fmt: skip
def test_a_file_that_is_none_of_ours_is_as_if_it_were_not(content: str, tmp_path: Path) -> None:
    (tmp_path / "abc.json").write_text(content)
    assert files.read(tmp_path, "abc") is None


def test_where_nothing_can_be_written_nothing_is_left_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not files.write(tmp_path / "file" / "frontier", "abc", ALL) and not files.write(None, "abc", ALL)
    (tmp_path / "abc.json").mkdir()
    assert not files.write(tmp_path, "abc", ALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["abc.json", "file"]


def test_a_fingerprint_is_that_of_the_machine_not_of_the_load() -> None:
    same = key_of()
    assert same == key_of("workload.rate.to=1 M/s", "run.compress=25", "system.control.policy=back", "title=other")
    others = [key_of(text) for text in ("machine.cores=3", "system.batch_bound=8", "workload.connections=100",
                                        "system.costs.app.packet=6000", "workload.mix=etc", "run.seed=2",
                                        "workload.client_share=1us")]  # fmt: skip
    assert len({same, *others}) == 8 and all(len(key) == 16 for key in others)


def test_a_fingerprint_follows_power_and_search(monkeypatch: pytest.MonkeyPatch) -> None:
    from ixviz.machine import power

    before = key_of()
    monkeypatch.setattr(module, "SLO_US", 400)
    assert key_of() != before
    monkeypatch.undo()
    assert key_of() == before
    (name, table), = power.POWER.items()
    monkeypatch.setitem(power.POWER, name, power.Power(**{**table.__dict__, "uncore": table.uncore + 1}))
    assert key_of() != before


def test_the_file_is_plain_json(tmp_path: Path) -> None:
    files.write(tmp_path, "abc", ALL)
    data = json.loads((tmp_path / "abc.json").read_text())
    assert data["configurations"][0] == [1, False, GHZ, 10_000, 0.9, 100, True]
