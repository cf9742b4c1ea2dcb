"""The control plane's part of what `ixviz run` prints: what it spent, what came of it, and its decisions with reasons.
Invariant: every number has a unit; what is illustrative says so; texts of other people's policies are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.measure.published import CONTROL
from ixviz.measure.report import number
from ixviz.scenario.messages import escape

MOST_LINES = 20  # decisions and reports that are printed; --json has all


def control_lines(figures: dict[str, Any]) -> list[str]:
    """Lines for the object `control`."""
    moved, by = figures["migrations"], figures["compress"]
    decisions, reports = figures["decisions"], figures["reports"]
    up = sum(d["after"] > d["before"] for d in decisions)
    rows = [("control", f"policy {escape(figures['policy'])}, {number(len(decisions))} decisions: {up} up, "
                        f"{len(decisions) - up} down")]  # fmt: skip
    if by > 1:
        rows.append(("compress", f"{by}: times of the load, the loop, its holds and averages are divided; "
                                 "costs, wire, SLO and the 1 ms timer are not"))  # fmt: skip
    rows.append(("moved", f"{number(moved['groups'])} flow groups in {number(moved['count'])} migrations, "
                          f"{number(moved['by_timer'])} ended by the timer; {number(moved['remote'])} packets went by "
                          f"remote queues, {number(moved['local'])} by local ones"))  # fmt: skip
    rows.append(("energy", f"{number(figures['energy_j'], 1)} J of {number(figures['static_j'], 1)} J with all threads "
                           f"at Turbo: {share(figures['saved'])} saved (power is illustrative)"))  # fmt: skip
    if figures["pareto"] is not None or figures["slo"] is not None:
        rows.append(("frontier", _pareto(figures["pareto"])))
    rows += [*_background(figures["background"]), *_slo(figures["slo"])]
    if (paper := CONTROL.get(figures["policy"])) is not None:
        rows.append(("published", f"{paper}; their loads were others, ours is predicted"))
    out = [f"  {name:<10} {text}" for name, text in rows]
    if figures["failed"]:
        out.append(f"  {number(figures['failed'])} wishes of the policy could not be carried out:")
        out += _some([f"  {r['time_s']:>9.1f} s  {escape(r['what'])}" for r in reports])
    if decisions:
        out.append("  decision      steps  what              took       because")
        out += _some([_decision(d) for d in decisions])
    return out


def share(value: float | None) -> str:
    """A share as a percentage, or a dash."""
    return "–" if value is None else f"{100 * value:.1f} %"


def _pareto(pareto: dict[str, Any] | None) -> str:
    if pareto is None:
        return "not known: --frontier finds what static configurations would save, minutes once"
    text = f"the best static configuration at each moment saves {share(pareto['saved'])}: " \
           f"{share(pareto['share'])} of that is reached"  # fmt: skip
    if pareto["beyond"]:
        text += f"; in {share(pareto['beyond'])} of the time none carries the load"
    return text


def _background(background: dict[str, Any]) -> list[tuple[str, str]]:
    text = f"the free cores have {share(background['share'])} of what all cores at Turbo would have"
    if background["bound"] is not None:
        text += f"; {share(background['bound'])} is possible: {share(background['of_bound'])} of that is reached"
    return [("background", text)]


def _slo(slo: dict[str, Any] | None) -> list[tuple[str, str]]:
    if slo is None:
        return []
    return [("SLO", f"p99 over {slo['limit_us']} µs in {share(slo['over'])} of {number(slo['ticks'])} ticks; "
                    f"outside the ramps {share(slo['settled_over'])} of {number(slo['settled_ticks'])}"
                    + ("" if (p99 := slo["settled_p99_us"]) is None else f", p99 of all {p99:,.0f} µs"))]  # fmt: skip


def _decision(d: dict[str, Any]) -> str:
    steps = f"{d['before']} → {d['after']}"
    took = "under way" if d["took_us"] is None else f"{d['took_us']:,.0f} µs" if d["took_us"] else "at once"
    return f"  {d['time_s']:>7.1f} s  {steps:>7}  {escape(d['changes']):<16}  {took:<9}  {escape(d['because'])}"


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([f"  and {more:,} more (--json has all)"] if more > 0 else [])]
