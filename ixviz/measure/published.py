"""Published values beside ours: what a paper says, and the figure of our runs that stands for it.

Invariant: what stands in the column of the paper is from facts, with its place; what stands in ours comes from a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A published value and ours; `grade` says whether ours was fitted to it or predicted."""

    what: str
    paper: str
    ours: str
    grade: str


class Comparison(NamedTuple):
    """`title` names the machine, `note` what is not the same on both sides."""

    title: str
    rows: tuple[Row, ...]
    note: str


def compared(of: str, runs: Sequence[Mapping[str, Any]]) -> Comparison | None:
    """The comparison called `of`, from the metrics of its runs; None for a name or a number of runs it does not know.

    `batch-bound`: the runs are B = 1, 16 and 64 under more load than any of them carries, and one with hardly any load.
    """
    if of != "batch-bound" or len(runs) != 4:
        return None
    one, sixteen, bound = (run["requests"]["completed_per_s"] for run in runs[:3])
    rows = (  # facts 1.10, OSDI 2014
        Row("requests a second, B = 64", "1.8 M/s", f"{bound / 1e6:.2f} M/s", "fitted"),
        Row("B = 64 against B = 1", "+ 29 %", f"+ {100 * (bound / one - 1):.0f} %", "fitted"),
        Row("B = 64 against B = 16", "the same", f"+ {100 * (bound / sixteen - 1):.1f} %", "predicted"),
        Row("p99 with hardly any load", "32 µs", f"{runs[3]['latency_us']['p99']:.1f} µs", "fitted"),
    )
    note = "The paper counts requests a second with p99 below 500 µs, we the most that the cores complete."
    return Comparison("memcached USR on six cores", rows, note)
