"""Builds an IX machine from a checked scenario: NIC, rings, elastic threads, their costs and their workload.
Invariant: the same scenario and seed build the same machine, recorded or not."""

from __future__ import annotations

from functools import partial
from typing import Any

from ixviz.history import Journal, Slots
from ixviz.machine.agenda import Agenda
from ixviz.machine.nic import Nic, Port, RxList, RxRing, TxRing
from ixviz.machine.profile import PROFILES
from ixviz.machine.rss import default_reta
from ixviz.machine.streams import Exponential
from ixviz.machine.wire import HEADERS, wire_ps
from ixviz.system.ix.costs import FITTED, TABLES, Costs, Stage, Table
from ixviz.system.ix.dataplane import KINDS, Dataplane
from ixviz.system.ix.faults import FAULTS
from ixviz.system.ix.lane import TurnLane, Wire
from ixviz.system.ix.pcb import PcbPool
from ixviz.system.ix.stretch.run import Stretch
from ixviz.system.simulation import Simulation, batch_columns
from ixviz.workload import kinds
from ixviz.workload.bulkfeed import BulkFeed
from ixviz.workload.feed import Intake
from ixviz.workload.make import Made, make_feed
from ixviz.workload.openfeed import OpenFeed


def table_of(scenario: Any) -> tuple[Table, str]:
    """The costs of a scenario and their name: those of its application; a stage it gives replaces that stage."""
    workload = scenario.workload
    name = workload.mix if workload.kind == "memcached" else "echo"
    table = dict(TABLES[name])
    given = scenario.system.costs
    for key in table:
        stage = getattr(given, key, None)
        if stage is not None:
            packet = stage.packet or 0
            control = stage.control if stage.control is not None else packet
            table[key] = Stage(stage.batch or 0, packet, control, stage.queue or 0)
            name = "scenario"
    return table, name


def threads_of(scenario: Any) -> int:
    """Hardware threads of a machine: its cores, twice as many with hyperthreads."""
    return int(scenario.machine.cores) * (2 if scenario.machine.hyperthreads else 1)


def capacity_of(scenario: Any) -> float:
    """Data packets per second that all cores carry when every batch is as large as its bound lets it be."""
    machine, profile = scenario.machine, PROFILES[scenario.machine.profile]
    bound = scenario.system.batch_bound
    cycles = Costs(table_of(scenario)[0]).turn(bound)
    if cycles == 0:
        return float("inf")
    gain = 1 + profile.hyperthread_gain / 100 if machine.hyperthreads else 1
    return float(machine.cores * (machine.clock or profile.clock) * bound / cycles * gain)


def build(scenario: Any, journal: Journal | None = None, start: bool = True) -> Simulation:
    """A simulation that stands at time 0. With a journal it records every event; without one it runs a batch a step.

    `start=False`: nothing is armed yet, a checkpoint will say what was. KeyError for a `scenario.fault` that is none.
    """
    machine, system = scenario.machine, scenario.system
    profile = PROFILES[machine.profile]
    clock = machine.clock or profile.clock
    n_threads = threads_of(scenario)
    n_queues = machine.nic.queues or min(n_threads, 256)
    rate = machine.nic.rate
    agenda = Agenda()
    if journal is not None and journal.count == 0:
        journal.event(0, 0, 0, -1)  # "start": the components come to be
    slots = Slots(journal)
    nic = slots.add(Nic, "nic")
    ports = [slots.add(Port, f"nic.port{i}") for i in range(machine.nic.ports)]
    fault = FAULTS[scenario.fault] if scenario.fault is not None else None
    sizes = [fault.ring(i, machine.nic.ring) if fault else machine.nic.ring for i in range(n_queues)]
    rings = [slots.add(RxRing, f"nic.q{i}", capacity=size) for i, size in enumerate(sizes)]
    reta = default_reta(n_queues, profile.reta)
    intake = Intake(agenda, nic, ports, rings, reta, rate, journal, [], [None] * n_queues)
    load = getattr(scenario.workload, "load", None)
    capacity = capacity_of(scenario)
    fixed = getattr(system.costs, "distribution", "fixed") == "fixed"
    plain = fixed and not machine.hyperthreads and system.software_list > 0 and n_queues <= n_threads
    plain = plain and (fault is None or fault.bulk)
    made = make_feed(scenario, intake, profile, None if load is None else load * capacity, plain and journal is None)
    feed = made.feed

    table, costs_name = table_of(scenario)
    batches = batch_columns()
    pcbs = PcbPool(slots) if journal is not None else None
    threads: list[Dataplane] = []
    for i in range(n_threads):
        mine = [q for q in range(n_queues) if q % n_threads == i]
        lists = [
            slots.add(RxList, f"core{i}.rxlist" + ("" if len(mine) == 1 else str(k)), capacity=system.software_list)
            for k in range(len(mine))
        ]
        factors = None
        if not fixed:
            factors = Exponential(scenario.run.seed, "cost", i)
        tx = slots.add(TxRing, f"core{i}.tx", capacity=machine.nic.tx_ring)
        core = slots.add(
            Dataplane, f"core{i}", speed=clock, nominal=clock,
            number=i, clock=clock, shared=clock * profile.shared_speed // 100, bound=system.batch_bound,
            costs=Costs(table, max(0, len(mine) * len(ports) - 1)), feed=feed, queues=mine,
            rings=[rings[q] for q in mine], lists=lists, ports=ports, tx=tx, rate=rate, journal=journal,
            batches=batches, factors=factors, sibling=None, pcbs=pcbs,
            alike_wire=wire_ps(made.frame, rate) if made.alike and len(ports) == 1 else None,
            reply_of=partial(_reply, made), port_of=made.port_of,
        )  # fmt: skip
        core.subject = len(slots.components) - 1
        core.alarm = agenda.alarm(core, core.subject + 1)
        core.prepare()
        if fault is not None:
            fault.put_in(core)
        threads.append(core)
    if machine.hyperthreads:
        for i in range(machine.cores):
            threads[i].sibling, threads[i + machine.cores].sibling = threads[i + machine.cores], threads[i]
    number = {c.name: i for i, c in enumerate(slots.components)}
    intake.subject = [number[r.name] for r in rings]
    feed.connect(slots)
    until = scenario.run.until
    lanes: list[TurnLane] = []
    if isinstance(feed, BulkFeed):
        wire = Wire()
        lanes = [TurnLane(t, feed, agenda, wire, wire_ps(made.frame, rate)) for t in threads if t.queues]
        feed.lanes = lanes
    simulation = Simulation(
        "ix", KINDS, agenda, slots, journal, feed, [t for t in threads if t.queues], batches, until,
        scenario.run.warmup, capacity, system.batch_bound,
        lambda journal=None, scenario=scenario: build(scenario, journal, False),
        {"costs": costs_name, "fitted_to": FITTED.get(costs_name), "costs_are": system.costs_are,
         "costs_table": Costs(table), "clock": clock, **made.facts},
        lanes, pcbs.rebuild if pcbs is not None else None,
    )  # fmt: skip
    at_once = plain and threads[0].alike_wire is not None and journal is not None and not journal.stepwise
    if at_once and isinstance(feed, OpenFeed) and pcbs is not None:
        simulation.stretch = Stretch(simulation, feed, pcbs)
    if start:
        simulation.start()
    return simulation


def _reply(made: Made, number: int, kind: int) -> int:
    """Bytes of the frame that answers a frame: control frames are bare, messages as the application says."""
    if kind == kinds.SYN or kind == kinds.FIN:
        return HEADERS
    return made.reply_of(number)


__all__ = ["build", "capacity_of", "table_of", "threads_of"]
