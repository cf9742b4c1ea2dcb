"""Totals side by side: so far they are sums of what the machine counts, at the end those of `ixviz run --json`."""

from __future__ import annotations

import json

import pytest
from compare.small import OPEN, lockstep, pair, scenario

from ixviz.compare.align import aligned
from ixviz.compare.differences import KINDS
from ixviz.compare.report import compared, page
from ixviz.compare.totals import NAMES, Total, here, whole, written
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import with_changes
from ixviz.scenario.simulate import simulate

LINUX = aligned([scenario("linux", {**OPEN, "rate": "150 K/s"}, cores=c) for c in (2, 4)])


def test_so_far_they_are_sums_over_the_cores_divided_by_the_packets_done() -> None:
    lock = lockstep(LINUX)
    for time in (30_000_000, 150_000_000, 300_000_000):
        lock.go_time(time)
        rows = {total.name: total.values for total in here(lock.runs)}
        assert tuple(rows) == NAMES
        for i, run in enumerate(lock.runs):
            view = run.moment.view
            cores = [view[thread.name] for thread in run.sim.threads]
            done = sum(core.done for core in cores)
            assert rows["done"][i] == done > 0
            for name in ("crossings", "copies", "interrupts"):
                assert rows[name][i] == sum(getattr(core, name) for core in cores) / done
            assert rows["transfers"][i] == sum(view[c.name].transfers for c in run.sim.memory.caches) / done
            left = sorted(n for p in range(1, run.moment.packets + 1) if (n := run.moment.latency(p)) is not None)
            assert rows["p99"][i] == left[max(0, -(-len(left) * 99 // 100) - 1)]


def test_at_the_end_they_are_those_of_the_whole_run() -> None:
    lock = lockstep(LINUX)
    lock.go_time(300_000_000)
    rows = {total.name: total.values for total in here(lock.runs)}
    for i, each in enumerate(LINUX.scenarios):
        sim = simulate(each)
        sim.run()
        got = whole(metrics(sim), sim.threads[0].nominal)
        for name in ("transfers", "crossings", "interrupts", "copies", "done", "drops"):
            assert rows[name][i] == got[name]
        assert rows["cycles"][i] == pytest.approx(got["cycles"], rel=1e-3)


def test_before_anything_is_done_there_is_nothing_to_divide_by() -> None:
    lock = lockstep(LINUX)
    lock.go_time(0)
    rows = {total.name: total.values for total in here(lock.runs)}
    assert rows["done"] == rows["drops"] == (0, 0)
    assert {rows[name] for name in NAMES if name not in ("done", "drops")} == {(None, None)}


def test_a_mark_means_that_one_has_none_of_it() -> None:
    assert Total("copies", (0, 2.0)).differs
    assert not Total("copies", (1.0, 2.0)).differs
    assert not Total("copies", (0, 0)).differs
    assert not Total("copies", (None, 2.0)).differs  # not modelled is not none


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [("cycles", 36_400.4, "36,400"), ("crossings", 4.11, "4.1"), ("transfers", 0.0, "0"), ("interrupts", 0.02, "0.02"),
     ("p99", 88_000_000, "88.0 µs"), ("p99", 3_110_000_000, "3.11 ms"), ("drops", 1204, "1,204"),
     ("copies", None, "–")],
)  # fmt: skip
def test_numbers_as_they_are_written(name: str, value: float | None, text: str) -> None:
    assert written(name, value) == text


# ----------------------------------------------------------------------------------------------- the object
def test_the_object_has_the_runs_and_what_differs() -> None:
    given = pair("open")
    got = compared(given)
    assert got["version"] == 1
    assert [run["system"] for run in got["runs"]] == ["ix", "linux"]
    found = got["differences"]
    assert found["labels"] == ["ix", "linux"] and found["workload_of"] == "small-ix"
    assert found["arrivals"] == "identical" and found["packets"] > 100
    assert found["recorded_whole"] and found["recorded_us"] == 300
    assert set(found["counts"]) == set(KINDS) and found["counts"]["later"] > 3
    later = [each for each in found["first"] if each["kind"] == "later"]
    assert len(later) == 3 and all(each["words"].startswith(each["packet"].capitalize()) for each in later)
    assert [run["packets"]["delivered"] for run in got["runs"]] == [total["done"] for total in found["totals"]]
    assert got == json.loads(json.dumps(compared(given), allow_nan=False))  # again the same


def test_no_more_is_recorded_than_the_scenario_says() -> None:
    found = compared(LINUX)["differences"]
    assert found["recorded_whole"]
    part = compared(aligned([with_changes(each, {"run.watch": 400}) for each in LINUX.scenarios]))["differences"]
    assert not part["recorded_whole"] and part["recorded_us"] < 300
    assert part["totals"] == found["totals"]  # these are of whole runs
    assert part["counts"]["later"] < found["counts"]["later"]


def test_the_page_says_the_same_in_columns() -> None:
    given = pair("open")
    got = compared(given)
    text = page(got, given)
    assert "arrivals identical to the picosecond" in text
    assert [row.split() for row in text.splitlines() if row.startswith("    copies")] == [["copies", "0", "2.1"]]
    assert "over 10 µs longer" in text and "Packet 1 leaves linux" in text
    assert max(map(len, text.splitlines())) <= 100
