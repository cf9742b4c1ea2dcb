"""A frontier as text and as JSON, with the least energy for a load.
Invariant: says of each figure whether it is predicted, fitted or illustrative; every number has a unit."""

from __future__ import annotations

from typing import Any

from ixviz.measure.control_report import share
from ixviz.measure.frontier import SLO_US, Bound, Frontier, efficient
from ixviz.measure.report import number
from ixviz.scenario.messages import escape

NOTE = """\
  Loads are predicted, by runs of this machine without a control plane; what a
  request costs was fitted to other runs, nothing to a frontier. ≈: between two
  that were run. Power is illustrative."""


def as_json_object(name: str, found: Frontier, least: Bound | None, most: Bound | None) -> dict[str, Any]:
    """The object of `ixviz frontier --json` (version 1). `bound` is None for a scenario without an end."""
    best = set(efficient(found))
    top = max(one.mw for one in found)
    return {
        "version": 1,
        "scenario": name,
        "slo_us": SLO_US,
        "configurations": [
            {"cores": one.cores, "hyperthreads": one.hyperthreads, "clock_hz": one.clock, "power_w": one.mw / 1000,
             "load_per_s": one.load, "measured": one.measured, "efficient": one in best}
            for one in found
        ],
        "bound": None if least is None or most is None else {
            "power_w": least.mw / 1000, "saved": 1 - least.mw / top, "beyond": least.beyond, "background": most.free,
        },
    }  # fmt: skip


def table(scenario: Any, found: Frontier, least: Bound | None, most: Bound | None) -> str:
    """The efficient configurations, and the bound for the scenario's load."""
    best, top = efficient(found), max(one.mw for one in found)
    out = [escape(scenario.title or scenario.name),
           f"  {len(best)} of {len(found)} static configurations: no other carries as much for less",
           f"  {'power':>8}  {'cores':>5}  hyperthreads  clock     requests/s, p99 < {SLO_US} µs"]  # fmt: skip
    for one in best:
        both, about = "both" if one.hyperthreads else "one", " " if one.measured else "≈"
        out.append(f"  {one.mw / 1000:>6.1f} W  {one.cores:>5}  {both:<12}  {one.clock / 1e9:.1f} GHz   "
                   f"{about} {number(one.load):>9}")  # fmt: skip
    if least is not None and most is not None:
        out.append(f"  this load: at least {least.mw / 1000:.1f} W on the average, {share(1 - least.mw / top)} saved")
        out.append(f"  against all threads at Turbo; a background job gets at most {share(most.free)}")
        if least.beyond:
            out.append(f"  in {share(least.beyond)} of the time no configuration carries the load")
    return "\n".join([*out, NOTE])
