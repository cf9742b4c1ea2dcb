"""From a checked Scenario to a Simulation: finds the system's `build`, and makes scenarios of captures.
Invariant: the only place that goes from a system's name to its code."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ixviz.scenario.load import Scenario, load, with_changes
from ixviz.scenario.messages import Problem, Problems
from ixviz.system.files import FileError
from ixviz.workload.pcapfile import CaptureError

if TYPE_CHECKING:
    from ixviz.history import Journal
    from ixviz.system.faults import Fault
    from ixviz.system.simulation import Simulation


def simulate(scenario: Scenario, journal: Journal | None = None) -> Simulation:
    """A simulation at time 0; with a journal it records. The scenario's fault is in it (KeyError if it is none).

    Raises Problems for what only shows now, such as a mistake in a file that the scenario names.
    """
    system: Any = importlib.import_module(f"ixviz.system.{scenario.system.kind}.build")
    if getattr(scenario.workload, "load", None) is not None and system.capacity_of(scenario) == float("inf"):
        work = scenario.tree.get("workload")
        node = (work and work.get("load")) or scenario.tree
        why = "a load is a share of what the machine can carry, and turns that cost nothing carry everything"
        raise Problems([Problem(node.file, node.line, node.col, "workload.load", f"{why}: give workload.rate")])
    try:
        made: Simulation = system.build(scenario, journal)
    except FileError as error:
        raise Problems(_told(error, scenario)) from None
    return made


def _told(error: FileError, scenario: Scenario) -> list[Problem]:
    """Mistakes in a file with their places; of the file as a whole, at the key that names it."""
    out = []
    for line, col, message in error.mistakes:
        if line:
            out.append(Problem(str(error.path), line, col, "", message))
            continue
        node = scenario.tree
        for step in error.key.split("."):
            node = node.get(step) or node
        out.append(Problem(node.file, node.line, node.col, error.key, f"{error.path}: {message}"))
    return out


def faults(kind: str) -> Mapping[str, Fault]:
    """The faults that a system declares, by their ids; none if it declares no faults."""
    name = f"ixviz.system.{kind}.faults"
    try:
        declared: Mapping[str, Fault] = importlib.import_module(name).FAULTS
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        return {}
    return declared


def picture_of(simulation: Simulation) -> Any:
    """What draws a recorded run: the Picture of its system. The screen gets it here, so it need not name a system."""
    system: Any = importlib.import_module(f"ixviz.system.{simulation.system}.{simulation.shown_by}")
    return system.Picture(simulation)


def expected_packets(scenario: Scenario, until: int | None = None) -> float:
    """About how many packets a run will have up to `until` (ps, by default its end); 0 when that is bounded by a file
    or a list."""
    work: Any = scenario.workload
    until = scenario.run.until if until is None else until
    if until is None or work.kind not in ("poisson", "closed", "memcached"):
        return float(getattr(work, "packets", None) or 0) if work.kind == "poisson" else 0.0
    rate = getattr(work, "rate", None)
    load = getattr(work, "load", None)
    if rate is None:
        system: Any = importlib.import_module(f"ixviz.system.{scenario.system.kind}.build")
        rate = (1 if load is None else load) * min(system.capacity_of(scenario), 1e12)
    if isinstance(rate, int | float):
        packets = rate * until / 10**12
    else:
        from ixviz.workload.patterns import made  # few scenarios have a load over time

        packets = float(made(rate, scenario.run.seed, scenario.run.compress).total(until))
    return min(packets, float(getattr(work, "packets", None) or packets))


def capture_scenario(path: str | Path, sets: Sequence[str] = ()) -> Scenario:
    """The default IX machine with a capture's frames, to the last one's completion; `sets` as of `--set`."""
    file = Path(path)
    try:
        str(file).encode()
    except UnicodeEncodeError:
        shown = file.name.encode(errors="replace").decode()
        told = "the name of this file is no UTF-8, which a scenario is written in; give it another name"
        raise Problems([Problem(shown, 1, 1, "", told)]) from None
    text = f"""
title: {json.dumps(f"Capture {file.name}")}
machine: {{profile: e5-2665, cores: 4, nic: {{ports: 1, rate: 10 Gbps}}}}
system: {{kind: ix}}
workload: {{kind: capture, file: {json.dumps(str(file.absolute()))}}}
"""
    return load(text, sets, file.name)


__all__ = ["CaptureError", "capture_scenario", "faults", "picture_of", "simulate", "with_changes"]
