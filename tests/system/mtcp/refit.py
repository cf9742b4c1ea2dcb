"""What is published of mTCP beside our model's figures, for other costs: `python refit.py data_in=800 lines=7`.

No test: run it to fit the table in system/mtcp/costs.py anew. Without arguments it shows the costs as they are.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from ixviz.measure.metrics import metrics
from ixviz.scenario.load import bundled, load
from ixviz.scenario.simulate import simulate
from ixviz.system.mtcp import build, costs

# What, M/s as published [facts 1.10], settings, ms to measure. 384 connections a core are enough to keep it busy.
TARGETS = (
    ("1 core, one message", 0.27, ("machine.cores=1", "workload.connections=384"), 24),
    ("2 cores", None, ("machine.cores=2", "workload.connections=768"), 12),
    ("4 cores", None, ("machine.cores=4", "workload.connections=1536"), 8),
    ("8 cores", 1.48, (), 6),
    ("8 cores, 256 connections", None, ("workload.connections=256",), 6),
    ("8 cores, 4,096 connections", None, ("workload.connections=4096",), 6),
    ("8 cores, 1,024 messages", 4.63, ("workload.messages=1024",), 5),
)


def figures(sets: tuple[str, ...], span: int) -> dict[str, Any]:
    """The metrics of mtcp-echo after 5 ms."""
    sim = simulate(load(bundled("mtcp-echo"), [*sets, "run.warmup=5 ms", f"run.until={5 + span} ms"]))
    sim.run()
    return metrics(sim)


def main(words: list[str]) -> None:
    """Print the table for the costs as changed by `name=cycles`."""
    changes = {name: int(value) for name, _, value in (word.partition("=") for word in words)}
    build.TABLES = {**costs.TABLES, "echo": replace(costs.ECHO, **changes)}
    for what, published, sets, span in TARGETS:
        got = figures(sets, span)
        ours = got["requests"]["completed_per_s"] / 1e6
        error = f"{100 * (ours / published - 1):+.1f} %" if published else ""
        busy = sum(core["busy"] for core in got["cores"]) / len(got["cores"])
        print(f"{what:<26} {published or '–':>5} {ours:>7.3f} {error:>8}   busy {100 * busy:.0f} %, "
              f"batch {got['batch']['mean']:.1f}, dropped {got['packets']['dropped']}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
