"""Hypothesis strategies: small machines with every kind of workload, rings that overflow, clients that wait."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ixviz.workload.capture import write_pcap
from ixviz.workload.frames import arp_frame, tcp_frame, udp_frame

_KEPT = tempfile.TemporaryDirectory(prefix="ixviz-test-")  # goes away with the process
FOLDER = Path(_KEPT.name)
MORE = int(os.environ.get("IXVIZ_EXAMPLES", "0"))
FAULTS = st.sampled_from([None, None, None, "fills-batches", "slow-doorbell", "small-ring"])
KINDS = ("poisson", "timed", "closed", "memcached", "capture")


def examples(count: int) -> settings:
    """The same `count` examples each time; with IXVIZ_EXAMPLES=20 20 times as many, at random."""
    return settings(
        max_examples=count * max(MORE, 1), derandomize=not MORE, database=None, deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip


def machine() -> st.SearchStrategy[dict[str, Any]]:
    """Cores, hyperthreads, ports, queues, rings."""
    nic = {
        "ports": st.sampled_from([1, 1, 2, 3]),
        "rate": st.sampled_from(["unlimited", "10 Gbps", "1 Gbps"]),
        "queues": st.sampled_from([None, None, 1, 2, 3, 5]),
        "ring": st.sampled_from([1, 2, 7, 64, 512]),
        "tx_ring": st.sampled_from([1, 3, 16, 64, 4096]),
    }
    return st.fixed_dictionaries({
        "cores": st.integers(1, 4),
        "hyperthreads": st.booleans(),
        "nic": st.fixed_dictionaries(nic).map(lambda n: {k: v for k, v in n.items() if v is not None}),
    })  # fmt: skip


@st.composite
def system(draw: st.DrawFn) -> dict[str, Any]:
    """Batch bound, software list, costs."""
    costs: dict[str, Any] = {"distribution": draw(st.sampled_from(["fixed", "fixed", "exponential"]))}
    if draw(st.booleans()):
        for stage in ("poll", "tcp", "cross", "app", "tx"):
            kinds = ("batch", "packet", "control", "queue")
            costs[stage] = {k: draw(st.sampled_from([0, 1, 7, 240, 2401])) for k in kinds}
        costs["app"]["packet"] += 1
        costs["poll"]["batch"] += 1  # no turn is free: time would stand still
    return {
        "kind": "ix",
        "batch_bound": draw(st.sampled_from([1, 2, 3, 8, 64])),
        "software_list": draw(st.sampled_from([0, 1, 5, 64, 32_768])),
        "costs": costs,
    }


def capture_file(frames: list[tuple[int, str, int, int]]) -> str:
    """A capture of (µs since the frame before, what, flow, payload) and its path."""
    at, out = 0, []
    for gap, what, flow, size in frames:
        at += gap * 1000
        a, b, port = f"10.0.{flow % 3}.1", "10.0.9.9", 4000 + flow
        if what == "arp":
            frame = arp_frame(a, b)
        elif what == "udp":
            frame = udp_frame(a, b, port, 53, bytes(size))
        else:
            frame = tcp_frame(a, b, port, 80, what, payload=bytes(size) if what == "PA" else b"")
        out.append((at, frame))
    path = FOLDER / f"{abs(hash(tuple(frames)))}.pcap"
    write_pcap(path, out)
    return str(path)


FRAMES = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 0, 1, 1, 3, 40]), st.sampled_from(["S", "A", "PA", "PA", "PA", "FA", "R", "udp", "arp"]),
        st.integers(0, 9), st.sampled_from([0, 1, 64, 700]),
    ), min_size=1, max_size=80,
)  # fmt: skip


@st.composite
def workload(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """One of the five kinds of workload, a few hundred frames of it."""
    kind = draw(st.sampled_from(kinds))
    work: dict[str, Any] = {"kind": kind}
    if kind == "poisson":
        work["load"] = draw(st.sampled_from([0.1, 0.6, 0.97, 1.3, 2.0]))
        work["flows"] = draw(st.sampled_from([1, 5, 200]))
        work["size"] = draw(st.sampled_from(["0 B", "64 B", "1 KB"]))
        work["packets"] = draw(st.integers(1, 300))
    elif kind == "timed":
        at = draw(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=120))
        work |= {"size": "64 B", "flows": 21, "packets": [{"at": f"{t} us", "flow": f} for t, f in at]}
    elif kind == "capture":
        work["file"] = capture_file(draw(FRAMES))
        work["speed"] = draw(st.sampled_from([1, 1, 8]))
        work["repeat"] = draw(st.sampled_from([1, 1, 3]))
    else:
        work["connections"] = draw(st.integers(1, 12))
        work["outstanding"] = draw(st.sampled_from([1, 2, 5]))
        work["rto"] = draw(st.sampled_from(["20 us", "500 us"]))
        work["spread"] = draw(st.sampled_from(["even", "hashed"]))
        if kind == "memcached" or draw(st.booleans()):
            work["rate"] = draw(st.sampled_from(["20 K/s", "400 K/s", "4 M/s"]))
        if kind == "memcached":
            work["mix"] = draw(st.sampled_from(["usr", "etc"]))
        else:
            work["round_trip"] = draw(st.sampled_from(["0 us", "1 us", "7.3 us", "40 us"]))
            work["messages"] = draw(st.sampled_from(["unlimited", 1, 1, 2, 5]))
            work["close"] = draw(st.sampled_from(["fin", "rst"]))
    return work


@st.composite
def scenarios(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Plain values of a whole scenario, a few hundred packets long."""
    work = draw(workload(kinds))
    run: dict[str, Any] = {"seed": draw(st.integers(0, 3))}
    if work["kind"] in ("closed", "memcached"):
        run["until"] = f"{draw(st.integers(1, 400))} us"
        run["warmup"] = draw(st.sampled_from(["0 us", "0.5 us"]))
    elif draw(st.booleans()):
        run["until"] = f"{draw(st.integers(1, 100))} us"
    return {"machine": draw(machine()), "system": draw(system()), "workload": work, "run": run}


@st.composite
def bulk_scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """Machines that run in bulk when they are not watched: one port, fixed costs, a list, frames all alike."""
    made = draw(scenarios(("poisson", "timed")))
    nic, system = made["machine"]["nic"], made["system"]
    made["machine"]["hyperthreads"] = False
    nic["ports"] = 1
    nic["queues"] = min(nic.get("queues", 8), made["machine"]["cores"])
    system["costs"]["distribution"] = "fixed"
    system["software_list"] = system["software_list"] or 32_768
    return made
