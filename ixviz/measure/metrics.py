"""The figures of one run, as `ixviz run --json` prints them.
Invariant: a figure without samples is None, never NaN; numbers are not rounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ixviz.measure.frontier import Frontier

Ints = np.ndarray[Any, np.dtype[Any]]
US = 1_000_000  # picoseconds in a microsecond
PS = 10**12


@dataclass(frozen=True)
class Samples:
    """Per finished packet of the window, int64 ps: `wait` until its batch began, `latency` until its answer is out."""

    wait: Ints
    latency: Ints


def rank(count: int, percent: int) -> int:
    """Index of the nearest-rank percentile among `count` sorted values: always a value that occurred."""
    return max(0, -(-count * percent // 100) - 1)


def distribution(values: Ints) -> dict[str, float | None]:
    """mean, p50, p99 (nearest rank) and max of times in ps, in µs. Puts the array in another order."""
    n = len(values)
    if n == 0:
        return {"mean": None, "p50": None, "p99": None, "max": None}
    p50, p99 = rank(n, 50), rank(n, 99)
    values.partition((p50, p99))
    return {
        "mean": float(values.mean()) / US,
        "p50": float(values[p50]) / US,
        "p99": float(values[p99]) / US,
        "max": float(values[p99:].max()) / US,
    }


def samples(sim: Any) -> Samples:
    """All packets that have left since the warm-up, in any order; none where the system has no packets."""
    if sim.feed is None:
        return Samples(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    parts = [_lane_samples(sim, lane) for lane in sim.lanes] if sim.lanes else [_table_samples(sim)]
    if len(parts) == 1:
        return Samples(*parts[0])
    return Samples(*(np.concatenate(p) for p in zip(*parts, strict=True)))


def _lane_samples(sim: Any, lane: Any) -> tuple[Ints, Ints]:
    log = lane.batches()
    began, left, size, tx = log.T
    total = int(size.sum())
    arrives = sim.feed.kept(lane.queue)[:total]
    wait = np.repeat(began, size)
    wait -= arrives
    if lane.wire_ps:  # the k-th of a batch is out k + 1 frame times after the batch got the wire
        latency = np.repeat(tx - (np.cumsum(size) - size) * lane.wire_ps, size)
        latency += np.arange(lane.wire_ps, (total + 1) * lane.wire_ps, lane.wire_ps)
    else:
        latency = np.repeat(tx, size)
    latency -= arrives
    if sim.warmup:
        inside = np.repeat(left >= sim.warmup, size)
        wait, latency = wait[inside], latency[inside]
    return wait, latency


def _table_samples(sim: Any) -> tuple[Ints, Ints]:
    packets = sim.feed.packets
    batch = packets.array("batch").astype(np.int64)
    rows = len(batch)
    known = batch > 0
    batch = batch[known]
    left, begins = sim.leaves()[known], sim.batches.array("begins")[batch]
    arrives, done = packets.array("arrives")[:rows][known], packets.array("done")[:rows][known]
    out = (left >= 0) & (left >= sim.warmup)
    return (begins - arrives)[out], (done - arrives)[out]


def metrics(sim: Any, name: str = "", seed: int = 0, frontier: Frontier | None = None) -> dict[str, Any]:
    """The object of `ixviz run --json` (version 1) for a simulation, over what it has run so far.

    requests, latency_us, wait_us and batch cover warmup … now; packets, queues, cores and coherence the whole run.
    `coherence` is None where the model has no cache lines, `protection` (crossings, copies, interrupts and the kernel's
    share of the busy time, the whole run) where it does not count them. `costs` says to what they were fitted,
    and what of the published figures then comes out by itself (None where a system does not say). `control` is None
    where there is no control plane; see control.control, which `frontier` is for.
    """
    from ixviz.measure.control import control  # it needs what is here

    if sim.feed is None:
        return {**_head(sim, name, seed), **_without_packets(sim), "coherence": sim.memory.figures(),
                "protection": None, "costs": _costs(sim.facts), "control": None}  # fmt: skip
    memory = getattr(sim, "memory", None)
    rings, lists = _components(sim, "nic.q"), [x for t in sim.threads for x in t.lists]
    list_of = {q: x for t in sim.threads for q, x in zip(t.queues, t.lists, strict=False)}
    arrived = sim.slots.by_name["nic"].arrived
    delivered = sum(t.done for t in sim.threads)
    dropped = sum(r.drops for r in rings) + sum(x.drops for x in lists)
    now, window = sim.now, max(0, sim.now - sim.warmup)
    got = samples(sim)
    requests = sim.facts.get("requests")
    if requests is not None:
        requests = sim.feed.requests
        sent, done = requests.array("sent"), requests.array("done")
        inside = (done >= sim.warmup) & (done <= now)
        latency, completed = (done - sent)[inside], int(inside.sum())
    else:
        latency, completed = got.latency, len(got.latency)
    offered = sim.facts.get("offered_per_s")
    if offered is None and requests is None and window:
        offered = arrived * PS / now if now else None
    table = sim.batch_table()
    size = table["size"][table["begins"] >= sim.warmup]
    waited = distribution(got.wait)
    return {
        **_head(sim, name, seed),
        "packets": {
            "arrived": arrived,
            "delivered": delivered,
            "dropped": dropped,
            "in_flight": arrived - delivered - dropped,
        },
        "requests": {
            "offered_per_s": offered,
            "completed_per_s": completed * PS / window if window else None,
        },
        "latency_us": distribution(latency),
        "wait_us": {"mean": waited["mean"], "p99": waited["p99"]},
        "batch": {
            "mean": float(size.mean()) if len(size) else None,
            "max": int(size.max()) if len(size) else None,
            "bound": sim.bound,
        },
        "queues": [
            {
                "id": i,
                "arrived": r.tail + r.drops,
                "dropped": r.drops + (list_of[i].drops if i in list_of else 0),
                "max_depth": r.deepest,
                "list_max_depth": list_of[i].deepest if i in list_of else 0,
            }
            for i, r in enumerate(rings)
        ],
        "cores": [
            {
                "id": t.number,
                "busy": (t.busy + (now - t.began if _works(t) else 0)) / now if now else None,
                "packets": t.done,
                "batches": t.batch,
            }
            for t in sim.threads
        ],
        "coherence": None if memory is None else memory.figures(),
        "protection": sim.protection() if hasattr(sim, "protection") else None,
        "costs": _costs(sim.facts),
        "control": control(sim, frontier),
    }


def _works(thread: Any) -> bool:
    """Whether a thread is at work now, which its busy time does not have yet."""
    return bool(thread.works() if hasattr(thread, "works") else thread.stage)


def _head(sim: Any, name: str, seed: int) -> dict[str, Any]:
    return {"version": 1, "scenario": name, "system": sim.system, "seed": seed, "simulated_us": sim.now / US}


def _costs(facts: dict[str, Any]) -> dict[str, Any]:
    return {"of": facts.get("costs"), "are": facts.get("costs_are"), "fitted_to": facts.get("fitted_to"),
            "predicted": facts.get("predicted")}  # fmt: skip


def _without_packets(sim: Any) -> dict[str, Any]:
    """The figures of packets for a run that has none, in the same shape."""
    none = distribution(np.empty(0, dtype=np.int64))
    now = sim.now
    return {
        "packets": {"arrived": 0, "delivered": 0, "dropped": 0, "in_flight": 0},
        "requests": {"offered_per_s": None, "completed_per_s": None},
        "latency_us": none,
        "wait_us": {"mean": None, "p99": None},
        "batch": {"mean": None, "max": None, "bound": None},
        "queues": [],
        "cores": [
            {"id": i, "busy": busy / now if now else None, "packets": 0, "batches": 0}
            for i, busy in enumerate(sim.busy())
        ],
    }


def _components(sim: Any, prefix: str) -> list[Any]:
    return [c for n, c in sim.slots.by_name.items() if n.startswith(prefix)]
