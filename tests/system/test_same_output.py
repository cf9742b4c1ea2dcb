"""The same output whatever the interpreter's hash seed is."""

import json
import subprocess
import sys

import pytest

RUNS = [
    ("ix-capture", ()),
    ("ix-memcached-usr", ("workload.rate=4 M/s", "machine.nic.ring=4", "workload.rto=60 us")),
    ("ix-echo", ("machine.hyperthreads=true", "machine.nic.queues=3", "system.costs.distribution=exponential")),
]


@pytest.mark.parametrize(("name", "sets"), RUNS)
def test_for_every_hash_seed(name: str, sets: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ixviz", "run", name, "--json", "--record"]
    until = [] if name == "ix-capture" else ["--until", "0.4 ms", "--set", "run.warmup=0.1 ms"]
    command += [*until, *(word for s in sets for word in ("--set", s))]
    runs = []
    for seed in ("0", "1", "random"):
        got = subprocess.run(command, env=_environment(seed), capture_output=True, text=True, check=True)
        runs.append(got.stdout)
    assert runs[0] == runs[1] == runs[2]
    figures = json.loads(runs[0])
    assert figures["history"]["events"] > 1000 and len(figures["history"]["hash"]) == 16


def _environment(seed: str) -> dict[str, str]:
    import os

    import ixviz

    folder = os.path.dirname(os.path.dirname(ixviz.__file__))
    return {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": folder}
