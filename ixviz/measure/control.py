"""The figures of a run with a control plane: what it decided and spent, its latency tick by tick, the frontier's bound.
Invariant: figures of the run come from the run, the bound from other runs of the same machine (frontier.py)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ixviz.measure.frontier import SLO_US, Frontier, Static, bound
from ixviz.measure.metrics import PS, US, rank

TICK = PS // 10  # ps of the pattern from one decision to the next [code, facts 1.7]
SETTLED = 1.0  # s of the pattern since the last step ended: a tick after that is outside the ramps (ours)


def control(sim: Any, frontier: Frontier | None = None) -> dict[str, Any] | None:
    """The object `control` of `ixviz run --json`; None for a machine without a control plane.

    `slo` is None without requests. `pareto`, and `bound` and `of_bound` of `background`, are None without a frontier.
    `share` and `of_bound` are what is reached of the best that any configurations give, `of_steps` of the best that
    the policy's own steps give: the future known, changes for nothing.
    """
    if not hasattr(sim, "control_figures"):
        return None
    made: dict[str, Any] = sim.control_figures()
    made["slo"] = _slo(sim)
    made["pareto"] = None
    background = made["background"] = {**made["background"], "bound": None, "of_bound": None, "of_steps": None}
    rates = tick_rates(sim, sim.now)
    if frontier is None or not rates:
        return made
    least, most = bound(frontier, rates)
    of_steps = [each for each in frontier if _is_step(each, made["steps"])]
    own, most_own = bound(of_steps, rates) if of_steps else (None, None)
    static = max(each.mw for each in frontier)  # all threads at Turbo
    saved = 1 - least.mw / static
    made["pareto"] = {
        "saved": saved,
        "share": _part(made["saved"], saved),
        "of_steps": None if own is None else _part(made["saved"], 1 - own.mw / static),
        "energy_j": least.mw / 1000 * sim.now / PS,
        "beyond": least.beyond,
    }
    background["bound"] = most.free
    background["of_bound"] = _part(background["share"], most.free)
    background["of_steps"] = None if most_own is None else _part(background["share"], most_own.free)
    return made


def _part(value: float, of: float) -> float | None:
    return value / of if of else None


def _is_step(one: Static, steps: list[dict[str, Any]]) -> bool:
    """Whether a static configuration is one of a policy's steps."""
    mine = one.cores, one.hyperthreads, one.clock
    return any(mine == (step["cores"], step["hyperthreads"], step["clock_hz"]) for step in steps)


def tick_rates(sim: Any, end: int) -> list[float]:
    """The load of each tick up to `end` (ps), requests per second, as the scenario means it; empty without one."""
    pattern, rate = sim.facts.get("pattern"), sim.facts.get("offered_per_s")
    tick = TICK // sim.control.compress
    times = range(0, end + 1, tick)
    if pattern is not None:
        return [pattern.mean(time, time + tick) for time in times[:-1]]
    return [] if rate is None else [float(rate)] * (len(times) - 1)


def _slo(sim: Any) -> dict[str, Any] | None:
    """Shares of the ticks (every 0.1 s of the pattern) with a p99 above the SLO: of all, and of those outside ramps.

    A tick's p99 is that of the requests sent in it. Outside the ramps: no step is under way, and none was in the last
    `SETTLED` s of the pattern. Ticks in which nothing was sent that was answered are left out. `settled_p99_us` is the
    p99 of all requests that were sent outside the ramps.
    """
    if sim.facts.get("requests") is None:
        return None
    times = np.array([0, *sim.control.signals.time], dtype=np.int64)
    p99 = tick_p99(sim.feed.requests, times)
    known = p99 >= 0
    over, calm = p99 > SLO_US * US, settled(sim.control.decisions, times, round(SETTLED * PS) // sim.control.compress)
    return {
        "limit_us": SLO_US,
        "ticks": int(known.sum()),
        "over": _share(over & known, known),
        "settled_ticks": int((calm & known).sum()),
        "settled_over": _share(over & calm & known, calm & known),
        "settled_p99_us": sent_p99(sim.feed.requests, times, calm),
    }


def _share(part: Any, of: Any) -> float | None:
    return float(part.sum() / of.sum()) if of.any() else None


def tick_p99(requests: Any, times: Any) -> Any:
    """The p99 (ps) of the requests sent from each time up to the next; -1 where none of them is answered."""
    sent, done = requests.array("sent"), requests.array("done")
    edges = np.searchsorted(sent, times).tolist()  # they are written down when they are sent
    out = np.full(len(times) - 1, -1, dtype=np.int64)
    for tick, (first, stop) in enumerate(pairwise(edges)):
        part = done[first:stop]
        took = (part - sent[first:stop])[part >= 0]
        if len(took):
            out[tick] = _p99(took)
    return out


def sent_p99(requests: Any, times: Any, chosen: Any) -> float | None:
    """The p99 (µs) of all requests sent in those spans between two `times` that are `chosen`; None without any."""
    sent, done = requests.array("sent"), requests.array("done")
    edges = np.searchsorted(sent, times)
    part = slice(int(edges[0]), int(edges[-1]))
    took = (done - sent)[part][np.repeat(chosen, np.diff(edges)) & (done[part] >= 0)]
    return float(_p99(took) / US) if len(took) else None


def _p99(took: Any) -> Any:
    at = rank(len(took), 99)
    return np.partition(took, at)[at]


def settled(decisions: Any, times: Any, after: int) -> Any:
    """Whether in each span between two `times` no step was under way, nor ended less than `after` (ps) before."""
    calm = np.ones(len(times) - 1, dtype=bool)
    for row in range(1, len(decisions)):
        began, ended = decisions.time[row], decisions.ended[row]
        last = ended + after if ended >= 0 else times[-1]
        calm &= (times[1:] <= began) | (times[:-1] >= last)
    return calm
