"""Published values beside ours: what a paper says, and the figure of our runs that stands for it.

Invariant: what stands in the column of the paper is from facts, with its place; what stands in ours comes from a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


CONTROL: Mapping[str, str] = {  # what the papers say of a control plane's policy, facts 1.10
    "eff": "44–54 % saved (SoCC 2015), 46–54 % (TOCS 2016), of the bound 85–93 % (SoCC 2015)",
    "back": "the job 32–46 % (SoCC 2015), 35–47 % (TOCS 2016), of the bound 82–92 % (SoCC 2015)",
}
Runs = Sequence[Mapping[str, Any]]


def _rate(run: Mapping[str, Any]) -> float:
    return float(run["requests"]["completed_per_s"])


def _batch_bound(runs: Runs) -> Comparison:
    one, sixteen, bound = map(_rate, runs[:3])
    rows = (  # facts 1.10, OSDI 2014
        Row("requests a second, B = 64", "1.8 M/s", f"{bound / 1e6:.2f} M/s", "fitted"),
        Row("B = 64 against B = 1", "+ 29 %", f"+ {100 * (bound / one - 1):.0f} %", "fitted"),
        Row("B = 64 against B = 16", "the same", f"+ {100 * (bound / sixteen - 1):.1f} %", "predicted"),
        Row("p99 with hardly any load", "32 µs", f"{runs[3]['latency_us']['p99']:.1f} µs", "fitted"),
    )
    note = "The paper counts requests a second with p99 below 500 µs, we the most that the cores complete."
    return Comparison("memcached USR on six cores", rows, note)


def _three_systems(runs: Runs) -> Comparison:
    echo = [f"{_rate(run) / 1e6:.2f} M/s" for run in runs[:3]]
    p99 = [f"{run['latency_us']['p99']:.1f} µs" for run in runs[3:5]]
    way = [f"{run['latency_us']['mean'] / 2:.1f} µs" for run in runs[5:]]
    rows = (  # facts 1.10
        Row("echo, 8 cores: IX, one port", "2.12 M/s", echo[0], "predicted: the wire"),
        Row("echo, 8 cores: mTCP", "1.48 M/s", echo[1], "fitted"),
        Row("echo, 8 cores: Linux", "0.22 M/s", echo[2], "fitted"),
        Row("p99 with hardly any load: IX", "32 µs", p99[0], "fitted"),
        Row("p99 with hardly any load: Linux", "85 µs", p99[1], "predicted"),
        Row("64 B one way: IX", "5.7 µs", way[0], "predicted"),
        Row("64 B one way: Linux", "24 µs", way[1], "predicted"),
    )
    note = ("Echo: connections of one message, read off a figure (TOCS 2016). p99: memcached USR; it and what is below "
            "are from OSDI 2014. No latency of mTCP is published.")  # fmt: skip
    return Comparison("IX, mTCP and Linux", rows, note)


# What each is called, how many runs it takes, and in which order:
# batch-bound     B = 1, 16 and 64 under more load than any of them carries, and one with hardly any load
# three-systems   echo at 8 cores on IX, mTCP and Linux; memcached USR with hardly any load on IX and Linux; one message
#                 there and back between two like machines, IX and Linux
_KNOWN: Mapping[str, tuple[int, Callable[[Runs], Comparison]]] = {
    "batch-bound": (4, _batch_bound),
    "three-systems": (7, _three_systems),
}


def compared(of: str, runs: Runs) -> Comparison | None:
    """The comparison called `of`, from the metrics of its runs; None for a name or a number of runs not known here."""
    count, make = _KNOWN.get(of, (-1, None))
    return make(runs) if make is not None and len(runs) == count else None
