"""From a checked scenario's `workload` to the feed that brings its frames.
Invariant: the only place that knows all kinds of workload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

import numpy as np

from ixviz.machine.profile import Profile
from ixviz.machine.wire import HEADERS, frame_bytes
from ixviz.workload import flows as flow_module
from ixviz.workload import kinds
from ixviz.workload.bulkfeed import BulkFeed
from ixviz.workload.feed import Feed, Intake
from ixviz.workload.open import OpenLoop, Poisson, Written
from ixviz.workload.openfeed import OpenFeed
from ixviz.workload.patterns import Pattern, made

# The client's share of a memcached request's latency beyond wire, NICs and switch: mutilate, its kernel, its NIC.
# Fitted to the unloaded p99 of facts 1.10 (USR 32 µs, ETC 45 µs), which ours brackets at 10 and 50 k requests/s (31 and
# 34, 44 and 47 µs); everything else of it is predicted.
CLIENT_SHARE = {"usr": 20_080_000, "etc": 31_760_000}

LONGEST = 106 * 86_400 * 10**12  # ps, the longest run that 64 bits hold
MOST_FRAMES = 20_000_000  # of a capture, repeated

Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Made:
    """A feed, and what the system asks of the workload: whether all frames are alike and their size, replies, ports."""

    feed: Feed
    frame: int
    reply_of: Callable[[int], int]
    port_of: Callable[[int], int]
    facts: dict[str, Any] = attr(default_factory=dict)
    alike: bool = False


def make_feed(scenario: Any, intake: Intake, profile: Profile, rate: float | None, bulk: bool) -> Made:
    """The feed of a scenario. `rate`: packets per second if the scenario gives a load; `bulk`: the system could take
    an open loop of frames that are all alike, from one port, in bulk."""
    workload = scenario.workload
    if workload.kind in ("closed", "memcached"):
        return _clients(scenario, intake, profile)
    loop, facts = open_loop(scenario, intake, rate)
    size = loop.frame or HEADERS
    bulk = bulk and loop.alike and len(intake.ports) == 1
    feed: Feed = (BulkFeed if bulk else OpenFeed)(intake, 0, loop)
    port = loop.flows.port
    return Made(feed, size, lambda n: feed.packets.frame[n], lambda f: int(port[f]) if f >= 0 else 0, facts,
                loop.alike)  # fmt: skip


def open_loop(scenario: Any, intake: Intake, rate: float | None) -> tuple[OpenLoop, dict[str, Any]]:
    """Poisson, timed or a capture, with facts to show."""
    workload, ports = scenario.workload, len(intake.ports)
    if workload.kind == "poisson":
        flows = flow_module.hashed(workload.flows, ports)
        given = rate if rate is not None else workload.rate
        per_s, facts = _offered(scenario, float(given) if isinstance(given, int) else given)
        assert per_s is not None
        return Poisson(per_s, flows, workload.size, scenario.run.seed, workload.packets), facts
    if workload.kind == "timed":
        times: list[int] = []
        flow: list[int] = []
        for entry in workload.packets:
            if getattr(entry, "at", None) is not None:
                times.append(entry.at)
                flow.append(getattr(entry, "flow", 0) or 0)
            else:
                times.extend(entry.from_ + i * entry.every for i in range(entry.count))
                flow.extend([getattr(entry, "flow", 0) or 0] * entry.count)
        order = np.argsort(np.array(times, dtype=np.int64), kind="stable")
        flows = flow_module.hashed(max(workload.flows, max(flow, default=0) + 1), ports)
        return Written(np.array(times, dtype=np.int64)[order], np.array(flow, dtype=np.int32)[order], kinds.DATA,
                       frame_bytes(workload.size), flows), {}  # fmt: skip
    return _capture(scenario, ports)


def _offered(scenario: Any, rate: Any) -> tuple[float | Pattern | None, dict[str, Any]]:
    """A rate, or the pattern that stands in its place, compressed; and what to show of it.

    Offered is what is due on the average between the warm-up and the end of the run.
    """
    if rate is None or isinstance(rate, int | float):
        return rate, {"offered_per_s": rate}
    run = scenario.run
    pattern = made(rate, run.seed, run.compress)
    facts = {"offered_per_s": pattern.mean(run.warmup, run.until or pattern.span), "pattern": pattern}
    if pattern.clipped:
        facts["warnings"] = ["workload.rate: where the pattern would be below 0 it is 0"]
    return pattern, facts


def _capture(scenario: Any, ports: int) -> tuple[OpenLoop, dict[str, Any]]:
    from ixviz.machine.rss import Hasher
    from ixviz.workload.capture import CaptureError, read_capture

    workload = scenario.workload
    capture = read_capture(scenario.resolve(workload.file), Hasher(scenario.machine.nic.hash_types))
    times: Ints = capture.times_ps
    flow: Ints = capture.flow.astype(np.int32)
    if workload.speed != 1:
        times = np.rint(times / workload.speed).astype(np.int64)
    n = len(times)
    if n * workload.repeat > MOST_FRAMES:
        raise CaptureError(f"workload.repeat: {n:,} frames {workload.repeat:,} times are more than {MOST_FRAMES:,}")
    if n and int(times[-1]) / workload.speed * workload.repeat > LONGEST:
        raise CaptureError("workload.speed: the capture would last longer than 106 days")
    kind: Ints = capture.kind.astype(np.int8)
    frame: Ints = capture.sizes.astype(np.int64)
    has_hash, hashes = capture.has_hash, capture.hashes
    if workload.repeat > 1 and n:
        period = int(times[-1]) + (int(times[-1]) // max(1, n - 1) or 1)
        times = (times[None, :] + (np.arange(workload.repeat, dtype=np.int64) * period)[:, None]).ravel()
        kind, frame, flow = (np.tile(a, workload.repeat) for a in (kind, frame, flow))
        has_hash, hashes = np.tile(has_hash, workload.repeat), np.tile(hashes, workload.repeat)
    # frames of one flow may hash differently (a fragment by addresses only): each (flow, hash) gets an entry of its own
    key = np.where(has_hash, hashes.astype(np.int64), -1)
    pairs, where = np.unique(np.stack([flow.astype(np.int64), key], axis=1), axis=0, return_inverse=True)
    flows = flow_module.from_hashes(
        np.maximum(pairs[:, 1], 0).astype(np.uint32), ports, pairs[:, 1] >= 0,
        [capture.flows[f] if f >= 0 else "no flow" for f in pairs[:, 0].tolist()],
    )  # fmt: skip
    facts = {"warnings": list(capture.warnings), "frames": n, "format": capture.format}
    return Written(times, where.ravel().astype(np.int32), kind, frame, flows), facts


def _clients(scenario: Any, intake: Intake, profile: Profile) -> Made:
    from ixviz.workload.clients import Clients
    from ixviz.workload.loop import Echo, Loop, Mix
    from ixviz.workload.memcached import MIXES

    workload, run = scenario.workload, scenario.run
    ports, queues = len(intake.ports), len(intake.rings)
    share = 0
    one_way = profile.one_way_nics + profile.switch
    mix: Mix
    if workload.kind == "memcached":
        share = workload.client_share if workload.client_share is not None else CLIENT_SHARE[workload.mix]
        mix = MIXES[workload.mix](workload.connections, run.seed)
        messages, close = None, "rst"
    else:
        one_way = max(1, workload.round_trip // 2)
        mix = Echo(workload.size)
        messages, close = workload.messages, workload.close
    rate, facts = _offered(scenario, workload.rate)
    loop = Loop(workload.connections, workload.outstanding, rate, one_way, share, messages, close,
                workload.rto, run.seed, getattr(workload, "quickack", True))  # fmt: skip

    def flows_of(count: int, start: int) -> flow_module.Flows:
        if workload.spread == "even":
            return flow_module.even(count, ports, intake.reta, queues, start)
        return flow_module.hashed(count, ports, start)

    feed = Clients(intake, 0, loop, mix, flows_of)
    facts |= {"client_share": share, "one_way": one_way}
    if messages is None:
        held = np.zeros(queues, dtype=np.int64)
        for c in range(workload.connections):
            held[intake.queue_of(feed.flow_data(c)[0])] += 1
        facts["fullest_queue_excess"] = float(held.max() * queues / workload.connections - 1)
    requests = feed.requests
    return Made(feed, HEADERS, lambda n: feed.requests.reply[feed.packets.request[n]]
                if feed.packets.request[n] >= 0 else HEADERS, lambda f: feed.flow_data(f)[1],
                {**facts, "requests": requests})  # fmt: skip
