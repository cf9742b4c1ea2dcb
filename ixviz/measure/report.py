"""Figures as text for people: what `ixviz run` and `ixviz sweep` print without --json.
Invariant: every number has a unit; what is fitted or illustrative says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.scenario.messages import escape
from ixviz.scenario.units import format_time

US = 1_000_000


def number(value: float | None, digits: int = 0) -> str:
    """A number with thousands separated, or a dash."""
    return "–" if value is None else f"{value:,.{digits}f}"


def micro(value: float | None) -> str:
    """A time given in µs, rounded as people read it: `132.10 µs`, `1.87 ms`. --json has all digits."""
    return "–" if value is None else format_time(round(value * US), digits=2)


def report(figures: dict[str, Any], scenario: Any, facts: dict[str, Any]) -> str:
    """A page of figures."""
    simulated = format_time(round(figures["simulated_us"] * US))
    if facts.get("packets") is False:
        rows = [("simulated", simulated), ("costs", f"{facts['costs']}, {facts['costs_are']}")]
        head = [escape(scenario.title or scenario.name), *(f"  {name:<10} {text}" for name, text in rows)]
        return "\n".join([*head, *_recorded(figures), *_coherence(figures["coherence"])])
    packets, requests, latency = figures["packets"], figures["requests"], figures["latency_us"]
    batch = figures["batch"]
    rows = [
        ("simulated", simulated),
        ("packets", f"{number(packets['arrived'])} arrived, {number(packets['delivered'])} delivered, "
                    f"{number(packets['dropped'])} dropped, {number(packets['in_flight'])} in flight"),
        ("requests", f"{number(requests['offered_per_s'])} /s offered, "
                     f"{number(requests['completed_per_s'])} /s completed"),
        ("latency", f"mean {micro(latency['mean'])}, p50 {micro(latency['p50'])}, p99 {micro(latency['p99'])}, "
                    f"max {micro(latency['max'])}"),
        ("wait", f"mean {micro(figures['wait_us']['mean'])}, p99 {micro(figures['wait_us']['p99'])}"),
        ("batch", f"mean {number(batch['mean'], 2)}, max {number(batch['max'])}, bound {number(batch['bound'])}"),
    ]  # fmt: skip
    excess = facts.get("fullest_queue_excess")
    if excess is not None:
        rows.append(("spread", f"the fullest queue has {100 * excess:.1f} % more connections than the mean"))
    fitted = facts.get("fitted_to")
    rows.append(("costs", f"{facts.get('costs')}, {facts.get('costs_are')}" + (f": {fitted}" if fitted else "")))
    out = [escape(scenario.title or scenario.name), *(f"  {name:<10} {text}" for name, text in rows)]
    out += _recorded(figures)
    out.append("  core    busy       packets     batches      queue   arrived   dropped   deepest ring, list")
    cores, queues = figures["cores"], figures["queues"]
    for i in range(max(len(cores), len(queues))):
        left, right = " " * 40, ""
        if i < len(cores):
            c = cores[i]
            busy = "–" if c["busy"] is None else f"{100 * c['busy']:.1f} %"
            left = f"  {c['id']:>4} {busy:>9} {c['packets']:>12,} {c['batches']:>11,}"
        if i < len(queues):
            q = queues[i]
            depths = f"{q['max_depth']:>8,}, {q['list_max_depth']:,}"
            right = f" {q['id']:>10} {q['arrived']:>9,} {q['dropped']:>9,} {depths}"
        out.append(f"{left:<40}{right}")
    if figures["control"] is not None:
        from ixviz.measure.control_report import control_lines  # few machines have a control plane

        out += control_lines(figures["control"])
    if figures["coherence"] is not None:
        out += _coherence(figures["coherence"])
    return "\n".join(out)


def _recorded(figures: dict[str, Any]) -> list[str]:
    """How many events a recorded run has, and the hash of its last state."""
    if (history := figures.get("history")) is None:
        return []
    return [f"  {'recorded':<10} {number(history['events'])} events, the last state's hash is {history['hash']}"]


_MOST_LINES = 20
_COUNTS = ("accesses", "hits", "misses", "transfers", "memory_reads", "invalidations", "upgrades", "writebacks")
_TITLES = ("accesses", "hits", "misses", "transfers", "memory", "invalidated", "upgrades", "writebacks")


def _coherence(figures: dict[str, Any]) -> list[str]:
    """Cache lines: totals, each core's, and the lines that moved most."""
    lines = sorted(figures["lines"], key=lambda line: (-line["transfers"], -line["misses"]))
    rows = [("all cores", figures), *((f"core {core['id']}", core) for core in figures["per_core"])]
    rows += [(escape(line["name"]), line) for line in lines[:_MOST_LINES]]
    first = max(9, *(len(name) for name, _ in rows))
    out = [f"  {'':<{first}}" + "".join(f"{title:>12}" for title in _TITLES)]
    out += [f"  {name:<{first}}" + "".join(f"{number(row[key]):>12}" for key in _COUNTS) for name, row in rows]
    if len(lines) > _MOST_LINES:
        out.append(f"  and {len(lines) - _MOST_LINES:,} lines that moved less")
    return out


def sweep_head(keys: Sequence[str], slo: bool) -> str:
    """The first line of a sweep's table."""
    names = [*keys, *(["load"] if slo else []), "completed /s", "p50 µs", "p99 µs", "batch", "dropped"]
    return "  ".join(f"{n:>14}" for n in names)


def sweep_row(point: Sequence[str], result: dict[str, Any], slo: bool) -> str:
    """One setting's line."""
    figures = result["figures"] if slo else result
    cells = [escape(p.partition("=")[2]) for p in point]
    if slo:
        cells.append(number(result["load"], 3))
    if figures is None:
        cells.append("never holds")
    else:
        cells += [number(figures["requests"]["completed_per_s"]), number(figures["latency_us"]["p50"], 2),
                  number(figures["latency_us"]["p99"], 2), number(figures["batch"]["mean"], 2),
                  number(figures["packets"]["dropped"])]  # fmt: skip
    return "  ".join(f"{c:>14}" for c in cells)
