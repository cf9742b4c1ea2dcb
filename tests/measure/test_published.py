"""Published values beside ours: every figure of ours comes from the runs handed in."""

from typing import Any

from ixviz.measure.published import compared


def run(completed: float, p99: float = 0.0) -> dict[str, Any]:
    return {"requests": {"completed_per_s": completed}, "latency_us": {"p99": p99}}


def test_our_column_comes_from_the_runs() -> None:
    got = compared("batch-bound", [run(1e6), run(1.5e6), run(1.8e6), run(1e5, 30.0)])
    assert got is not None
    assert [row.ours for row in got.rows] == ["1.80 M/s", "+ 80 %", "+ 20.0 %", "30.0 µs"]
    assert {row.grade for row in got.rows} == {"fitted", "predicted"}


def test_an_unknown_table_or_another_number_of_runs_is_none() -> None:
    assert compared("nothing", [run(1e6)] * 4) is None
    assert compared("batch-bound", [run(1e6)]) is None
