"""Small machines of two systems, and their comparison, for the tests of this room."""

from __future__ import annotations

from typing import Any

from ixviz.compare.align import Aligned, aligned
from ixviz.compare.lockstep import Lockstep
from ixviz.compare.run import Run
from ixviz.scenario.load import Scenario, from_raw

OPEN = {"kind": "poisson", "rate": "400 K/s", "flows": 16}
PACED = {"kind": "closed", "connections": 6, "outstanding": 2, "rate": "500 K/s"}
FAST = {"kind": "closed", "connections": 4, "messages": 2, "close": "fin"}
WORKLOADS = {"open": OPEN, "paced": PACED, "fast": FAST}


def scenario(system: str, workload: dict[str, Any], *, cores: int = 2, ring: int = 512, until: str = "300 us",
             seed: int = 3, name: str = "") -> Scenario:  # fmt: skip
    """A machine of so many cores."""
    raw = {
        "machine": {"cores": cores, "nic": {"ports": 1, "rate": "10 Gbps", "ring": ring}},
        "system": {"kind": system},
        "workload": workload,
        "run": {"until": until, "seed": seed},
    }
    return from_raw(raw, name or f"small-{system}")


def pair(workload: str = "open", **options: Any) -> Aligned:
    """IX beside Linux on the same packets."""
    work = WORKLOADS[workload]
    return aligned([scenario(system, work, **options) for system in ("ix", "linux")])


def lockstep(given: Aligned, whole: bool = True) -> Lockstep:
    """Their runs, recorded to the end unless only a little is wanted."""
    lock = Lockstep([Run(s, label) for s, label in zip(given.scenarios, given.labels, strict=True)])
    while whole and lock.record(5_000):
        pass
    return lock
