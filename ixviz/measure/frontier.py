"""The Pareto frontier: what a machine that stays as it is carries within the SLO, and what it takes for that.
Invariant: loads come from runs of the ordinary machine without a control plane; the bound is arithmetic on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from ixviz.measure.metrics import PS, distribution

SLO_US = 500  # p99 of a request [paper, facts 1.9]
GUESS, STRIDE, CLOSE = 0.93, 0.04, 0.01  # of the capacity: where a search begins, its steps, how close it comes
WARMUP, LEAST, REQUESTS = PS // 100, PS // 50, 20_000  # a run: ps of warm-up, ps at least, requests at least


class Static(NamedTuple):
    """A configuration (`cores` with one hyperthread or both at `clock`, Hz) and what it is good for.

    `mw` is the package's power (illustrative), `free` the share of all cores at Turbo that is left for a background
    job, `load` the most requests per second with p99 < 500 µs. `measured`: by runs of its own, else between two that
    were.
    """

    cores: int
    hyperthreads: bool
    clock: int
    mw: int
    free: float
    load: float
    measured: bool


Frontier = Sequence[Static]  # all configurations, in any order


class Bound(NamedTuple):
    """Means over time: power (mW), share left for a background job; and the share of time that none carries."""

    mw: float
    free: float
    beyond: float


# ---------------------------------------------------------------- arithmetic
def bound(frontier: Frontier, rates: Sequence[float]) -> tuple[Bound, Bound]:
    """For a load of so many requests per second in spans of equal length: (least power, most for a background job).

    In each span the machine is the best of those that carry its load: changes cost nothing, the future is known. Where
    none does it is the one that carries most.
    """
    made = []
    for key in (lambda s: (s.mw, -s.load), lambda s: (-s.free, s.mw, -s.load)):
        best = _best(frontier, key)
        chosen = [next((s for s in best if s.load >= rate), best[-1]) for rate in rates]
        n = len(chosen)
        beyond = sum(1 for rate in rates if rate > best[-1].load) / n
        made.append(Bound(sum(s.mw for s in chosen) / n, sum(s.free for s in chosen) / n, beyond))
    return made[0], made[1]


def efficient(frontier: Frontier) -> list[Static]:
    """Those for which no other takes less and carries as much: the frontier itself, from the least on."""
    return _best(frontier, lambda s: (s.mw, -s.load))


def _best(frontier: Frontier, key: Callable[[Static], Any]) -> list[Static]:
    """In the order of `key`, each that carries more than all before it."""
    out: list[Static] = []
    for one in sorted(frontier, key=key):
        if not out or one.load > out[-1].load:
            out.append(one)
    return out


def largest(holds: Callable[[float], bool], guess: float, stride: float = STRIDE, close: float = CLOSE) -> float:
    """The largest value that holds, by bisection to `close` (a share of it), searched from `guess` on in `stride`s.

    0 if none does down to a tenth of the guess.
    """
    low, high, at = 0.0, float("inf"), guess
    while not low or high == float("inf"):
        if holds(at):
            low, at = at, at * (1 + stride)
        else:
            high, at = at, at * (1 - stride)
        if not low and at < guess / 10:
            return 0.0
    while high / low > 1 + close:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def between(clocks: Sequence[int], known: dict[int, float]) -> dict[int, float]:
    """Shares of the capacity at all `clocks`, those `known` at some of them (the first and the last too): linear."""
    at = sorted(known)
    out = {}
    for clock in clocks:
        low = max(c for c in at if c <= clock)
        high = min(c for c in at if c >= clock)
        part = (clock - low) / (high - low) if high > low else 0.0
        out[clock] = known[low] + (known[high] - known[low]) * part
    return out


# ---------------------------------------------------------------- runs
def possible(sim: Any) -> bool:
    """Whether there is a frontier to find: a machine with a control plane, clients, and turns that cost something."""
    has_load = sim.facts.get("requests") is not None and sim.facts.get("offered_per_s") is not None
    return hasattr(sim, "configurations") and has_load and bool(sim.capacity < float("inf"))


def frontier(scenario: Any, sim: Any, executor: Executor, tell: Callable[[int, int], None]) -> Frontier:
    """All static configurations of a scenario's machine, of which `sim` is a simulation. `tell(done, of)` meanwhile."""
    groups = [list(g) for _, g in groupby(sim.configurations(), lambda c: (c.cores, c.hyperthreads))]
    asked = [executor.submit(search, scenario.raw, [tuple(c) for c in group]) for group in groups]
    out: list[Static] = []
    most = max(c.cores * c.clock for group in groups for c in group) // 10**6
    for number, (group, future) in enumerate(zip(groups, asked, strict=True)):
        tell(number, len(groups))
        known = future.result()
        shares = between([c.clock for c in group], known)
        out += [Static(c.cores, c.hyperthreads, c.clock, c.mw, c.free / most, shares[c.clock] * c.capacity,
                       c.clock in known) for c in group]  # fmt: skip
    return out


def search(raw: dict[str, Any], group: Sequence[Any]) -> dict[int, float]:
    """Of configurations that differ in their clock alone, at some clocks: the share of the capacity they carry."""
    shares: dict[int, float] = {}
    guess = GUESS
    for config in ends(group):
        found = shares[config[2]] = largest(partial(_holds, raw, config), guess)
        guess = found or GUESS
    return shares


def ends(group: Sequence[Any]) -> Sequence[Any]:
    """Those that are run: the lowest clock and the highest. Between them the share of the capacity is all but linear:
    at 1.8 GHz within 1 % of what runs find, for 1 to 8 cores."""
    return (group[0], group[-1]) if len(group) > 1 else group


def _holds(raw: dict[str, Any], config: Any, share: float) -> bool:
    """Whether a configuration carries a share of its capacity within the SLO."""
    from ixviz.scenario.load import from_raw
    from ixviz.scenario.simulate import simulate

    cores, both, clock, _, _, capacity = config
    sim = simulate(from_raw(static(raw, cores, both, clock, share * capacity)))
    sim.run()
    sent, done = sim.feed.requests.array("sent"), sim.feed.requests.array("done")  # type: ignore[attr-defined]
    p99 = distribution((done - sent)[(done >= sim.warmup) & (done <= sim.now)])["p99"]
    return p99 is not None and bool(p99 < SLO_US)


def without(values: dict[str, Any], key: str) -> dict[str, Any]:
    """The same without a key."""
    return {k: v for k, v in values.items() if k != key}


def static(raw: dict[str, Any], cores: int, both: bool, clock: int, rate: float) -> dict[str, Any]:
    """As plain values the scenario of the same machine without a control plane: a short run at a constant rate."""
    window = max(LEAST, round(REQUESTS / rate * PS))
    nic = without(raw["machine"].get("nic", {}), "queues")  # one a hardware thread
    seed = (raw.get("run") or {}).get("seed", 1)
    size = {"cores": cores, "hyperthreads": both, "clock": f"{clock / 1e6:g} MHz"}
    return {
        "machine": {**raw["machine"], "nic": nic, **size},
        "system": without(raw["system"], "control"),
        "workload": {**raw["workload"], "rate": f"{rate:.3f} /s"},
        "run": {"warmup": f"{WARMUP} ps", "until": f"{WARMUP + window} ps", "seed": seed},
    }
