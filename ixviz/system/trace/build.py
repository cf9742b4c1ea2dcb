"""Builds the machine of a trace from a checked scenario: cores with private caches, a protocol, the file's accesses.
Invariant: the same scenario and file build the same machine, recorded or not."""

from __future__ import annotations

from functools import partial
from typing import Any

from ixviz.history import Journal, Slots
from ixviz.machine.agenda import Agenda
from ixviz.machine.caches import Caches
from ixviz.machine.lines import Lines
from ixviz.machine.profile import PROFILES
from ixviz.machine.protocol import NAMES
from ixviz.system.trace.player import START, Player, access_columns
from ixviz.system.trace.reader import Trace, read_trace
from ixviz.system.trace.simulation import TraceSimulation


class _NoCosts:
    """What a turn and a packet cost, which lessons ask of every run: a trace has neither."""

    batch = packet = (0,)


def capacity_of(scenario: Any) -> float:
    """A trace carries no packets."""
    return 0.0


def build(
    scenario: Any, journal: Journal | None = None, start: bool = True, trace: Trace | None = None
) -> TraceSimulation:
    """A simulation that stands at time 0. With a journal it records every access as an event.

    `start=False`: nothing is armed yet, a checkpoint will say what was. `trace` when the file has been read already.
    FileError when the file cannot be used; KeyError for a `scenario.fault`, since a trace has none.
    """
    if scenario.fault is not None:
        raise KeyError(scenario.fault)
    machine, system = scenario.machine, scenario.system
    profile, cache = PROFILES[machine.profile], machine.cache
    if trace is None:
        trace = read_trace(scenario.resolve(system.file), machine.cores, cache.line)
    if journal is not None and journal.count == 0:
        journal.event(0, START, 0, -1)  # "start": the components come to be
    agenda, slots = Agenda(), Slots(journal)
    accesses = access_columns()
    player = slots.add(
        Player, "trace", protocol=NAMES.index(system.protocol), trace=trace, journal=journal, accesses=accesses,
        subject=0,
    )  # fmt: skip
    clock = machine.clock or profile.clock
    lines = Lines(slots, machine.cores, profile.latencies, clock, protocol=system.protocol, paths=("read", "write"),
                  l3=system.l3)  # fmt: skip
    player.caches = Caches(lines, cache.size, cache.ways, cache.line)
    player.subjects = [slots.components.index(each) for each in lines.caches]
    player.alarm = agenda.alarm(player, 1)
    facts = {"clock": clock, "costs": "latencies", "costs_are": "illustrative", "packets": False}
    facts["costs_table"] = _NoCosts
    made = TraceSimulation(agenda, slots, journal, player, player.caches, accesses, scenario.run.until, scenario,
                           partial(_again, scenario=scenario, trace=trace), facts)  # fmt: skip
    if start:
        player.start(0)
    return made


def _again(*, scenario: Any, trace: Trace, journal: Journal | None = None) -> TraceSimulation:
    return build(scenario, journal, False, trace)
