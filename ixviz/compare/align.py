"""Makes scenarios comparable: one of them gives its packets and its run to all, every system keeps its cores.
Invariant: afterwards all have the same workload, seed, span, ports and link rate; what was changed is told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.messages import Problem, Problems
from ixviz.scenario.simulate import simulate
from ixviz.scenario.units import format_quantity

FEWEST, MOST = 2, 3  # systems beside each other
# What decides when which packet comes: taken from one scenario for all.
SHARED = ("workload", "run", "machine.profile", "machine.nic.ports", "machine.nic.rate", "machine.nic.hash_types")

OWN = ("migrate",)  # of `run`: commands to one system, which each keeps


@dataclass(frozen=True)
class Aligned:
    """Scenarios with the same packets. `labels` are short names, all different; `notes` say what was changed."""

    scenarios: tuple[Scenario, ...]
    labels: tuple[str, ...]
    giver: int  # whose packets they are
    notes: tuple[str, ...]

    @property
    def packets(self) -> str:
        """`the packets of ix-echo: poisson, 4 M/s`."""
        given = self.scenarios[self.giver]
        return f"the packets of {given.name}: {described(given)}"


def aligned(scenarios: Sequence[Scenario], giver: int = 0) -> Aligned:
    """The scenarios, of which there are FEWEST to MOST, with the packets of one of them. Raises Problems."""
    for each in scenarios:
        if str(each.workload.kind) == "none":
            told = f"a {each.system.kind} has no packets; only systems that are sent packets can be compared"
            node = (each.tree.get("system") or each.tree).get("kind") or each.tree
            raise Problems([Problem(node.file, node.line, node.col, "system.kind", told)])
    if scenarios[giver].run.decisions_only:
        run = scenarios[giver].tree.get("run") or scenarios[giver].tree
        node = run.get("watch") or run
        told = "a run that records decisions has no packets to compare; run.watch=50000 records packets"
        raise Problems([Problem(node.file, node.line, node.col, "run.watch", told)])
    values = _given(scenarios[giver])
    made, notes = [], []
    for scenario in scenarios:
        other = scenario
        if scenario is not scenarios[giver] or _by_load(scenario):
            kept = {key: value for key, value in (scenario.raw.get("run") or {}).items() if key in OWN}
            other = with_changes(scenario, {**values, "run": {**values["run"], **kept}})
        changed = [key for key in SHARED if _value(scenario, key) != _value(other, key)]
        if changed and scenario is not scenarios[giver]:
            own = f" (its own: {described(scenario)})" if "workload" in changed else ""
            notes.append(f"{scenario.name} is given {_listed(changed)} of {scenarios[giver].name}{own}")
        made.append(other)
    return Aligned(tuple(made), labels(scenarios), giver, tuple(notes))


def _value(scenario: Scenario, key: str) -> Any:
    here: Any = scenario
    for step in key.split("."):
        here = getattr(here, step)
    return here


def _given(scenario: Scenario) -> dict[str, Any]:
    """What all shall have, as it would be written. A load becomes the rate that it means on the giver's machine."""
    nic, work = scenario.machine.nic, dict(scenario.raw["workload"])
    if _by_load(scenario):
        rate = float(simulate(scenario).facts["offered_per_s"])
        work = {key: value for key, value in work.items() if key != "load"} | {"rate": f"{rate:.9f} /s"}
    if work["kind"] == "capture":
        work["file"] = str(scenario.resolve(work["file"]).absolute())
    return {
        "workload": work,
        "run": {key: value for key, value in (scenario.raw.get("run") or {}).items() if key not in OWN},
        "machine.profile": scenario.machine.profile,
        "machine.nic.ports": nic.ports,
        "machine.nic.rate": "unlimited" if nic.rate is None else f"{nic.rate} bps",
        "machine.nic.hash_types": list(nic.hash_types),
    }


def _by_load(scenario: Scenario) -> bool:
    return getattr(scenario.workload, "load", None) is not None


def labels(scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """What the systems are called in sentences: by their kind, else by the scenario's name, else numbered."""
    for names in ([str(s.system.kind) for s in scenarios], [s.name for s in scenarios]):
        if len(set(names)) == len(names):
            return tuple(names)
    return tuple(f"{s.name} {chr(ord('A') + i)}" for i, s in enumerate(scenarios))


def described(scenario: Scenario) -> str:
    """`poisson, 4 M/s`, `closed, 256 connections`, `memcached usr, 1.6 M/s`."""
    work: Any = scenario.workload
    kind = f"{work.kind} {work.mix}" if work.kind == "memcached" else str(work.kind)
    rate, load = getattr(work, "rate", None), getattr(work, "load", None)
    if load is not None:
        return f"{kind}, load {load:g}"
    if isinstance(rate, int | float):
        return f"{kind}, {format_quantity(rate, 'per_s')}"
    if rate is not None:
        return f"{kind}, a rate that changes"
    many = getattr(work, "connections", None)
    return f"{kind}, {many:,} connections" if many is not None else kind


def _listed(words: Sequence[str]) -> str:
    return " and ".join([*([", ".join(words[:-1])] if len(words) > 1 else []), words[-1]])
