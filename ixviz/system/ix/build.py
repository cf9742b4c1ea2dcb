"""Builds an IX machine from a checked scenario: NIC, rings, elastic threads, their costs and their workload.
Invariant: the same scenario and seed build the same machine, recorded or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ixviz.history import Journal
from ixviz.machine.nic import RxList, TxRing
from ixviz.machine.profile import PROFILES
from ixviz.machine.streams import Exponential
from ixviz.machine.wire import wire_ps
from ixviz.system.front import connect, front, queues_of, threads_of
from ixviz.system.ix.costs import FITTED, PREDICTED, TABLES, Costs, Stage, Table
from ixviz.system.ix.dataplane import KINDS, Dataplane
from ixviz.system.ix.lane import TurnLane, Wire
from ixviz.system.ix.memory import parts as memory_parts
from ixviz.system.ix.memory.memory import Memory
from ixviz.system.ix.memory.touches import Shape
from ixviz.system.ix.pcb import PcbPool
from ixviz.system.ix.simulation import IxSimulation
from ixviz.system.ix.stretch.run import Stretch
from ixviz.system.simulation import batch_columns
from ixviz.workload.bulkfeed import BulkFeed
from ixviz.workload.openfeed import OpenFeed

if TYPE_CHECKING:
    from ixviz.system.ix.faults import IxFault


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


def capacity_of(scenario: Any) -> float:
    """Data packets per second that all cores carry when every batch is as large as its bound lets it be."""
    machine, profile = scenario.machine, PROFILES[scenario.machine.profile]
    bound = scenario.system.batch_bound
    cycles = Costs(table_of(scenario)[0]).turn(bound)
    if cycles == 0:
        return float("inf")
    gain = 1 + profile.hyperthread_gain / 100 if machine.hyperthreads else 1
    return float(machine.cores * (machine.clock or profile.clock) * bound / cycles * gain)


def build(scenario: Any, journal: Journal | None = None, start: bool = True, whole: bool = False) -> IxSimulation:
    """A simulation that stands at time 0. With a journal it records every event; without one it runs a batch a step.

    With `run.watch: decisions` only the control plane is recorded, unless the `whole` is wanted. `start=False`: nothing
    is armed yet, a checkpoint will say what was. KeyError for a `scenario.fault` that is none.
    """
    control_journal = journal
    if scenario.run.decisions_only and not whole:
        journal = None
    machine, system = scenario.machine, scenario.system
    fault = _fault(scenario.fault)
    capacity = capacity_of(scenario)
    fixed = getattr(system.costs, "distribution", "fixed") == "fixed"
    n_queues, n_threads, rate = queues_of(scenario), threads_of(scenario), machine.nic.rate
    plain = fixed and not machine.hyperthreads and system.software_list > 0 and n_queues <= n_threads
    plain = plain and (fault is None or fault.bulk) and system.control is None
    parts = _elastic() if system.control is not None else Parts(Dataplane, RxList, KINDS, IxSimulation)
    rings_of = {"ring": fault.ring} if fault is not None else {}
    before = front(scenario, journal, capacity, plain and journal is None, **rings_of)
    agenda, slots, ports, rings, made, profile, clock, *_ = before
    feed = made.feed

    table, costs_name = table_of(scenario)
    batches = batch_columns()
    pcbs = PcbPool(slots) if journal is not None else None
    threads: list[Dataplane] = []
    for i in range(n_threads):
        mine = [q for q in range(n_queues) if q % n_threads == i]
        names = [f"core{i}.rxlist" + ("" if len(mine) == 1 else str(k)) for k in range(len(mine))]
        lists = [slots.add(parts.rxlist, name, capacity=system.software_list) for name in names]
        factors = None
        if not fixed:
            factors = Exponential(scenario.run.seed, "cost", i)
        tx = slots.add(TxRing, f"core{i}.tx", capacity=machine.nic.tx_ring)
        core = slots.add(
            parts.thread, f"core{i}", speed=clock, nominal=clock,
            number=i, clock=clock, shared=clock * profile.shared_speed // 100, bound=system.batch_bound,
            costs=Costs(table, max(0, len(mine) * len(ports) - 1)), feed=feed, queues=mine,
            rings=[rings[q] for q in mine], lists=lists, ports=ports, tx=tx, rate=rate, journal=journal,
            batches=batches, factors=factors, sibling=None, pcbs=pcbs,
            alike_wire=wire_ps(made.frame, rate) if made.alike and len(ports) == 1 else None,
            reply_of=before.reply_of, port_of=made.port_of,
        )  # fmt: skip
        core.subject = len(slots.components) - 1
        core.alarm = agenda.alarm(core, core.subject + 1)
        core.prepare()
        if fault is not None:
            fault.put_in(core)
        threads.append(core)
    connect(scenario, before, threads)
    until = scenario.run.until
    lanes: list[TurnLane] = []
    if isinstance(feed, BulkFeed):
        wire = Wire()
        lanes = [TurnLane(t, feed, agenda, wire, wire_ps(made.frame, rate)) for t in threads if t.queues]
        feed.lanes = lanes
    simulation = parts.simulation(
        "ix", parts.kinds, agenda, slots, journal, feed, [t for t in threads if t.queues], batches, until,
        scenario.run.warmup, capacity, system.batch_bound,
        lambda journal=None, scenario=scenario, whole=False: build(scenario, journal, False, whole),
        {"costs": costs_name, "fitted_to": FITTED.get(costs_name), "predicted": PREDICTED.get(costs_name),
         "costs_are": system.costs_are,
         "costs_table": Costs(table), "clock": clock, **made.facts},
        lanes, pcbs.rebuild if pcbs is not None else None,
    )  # fmt: skip
    shape = Shape(machine.cores, tuple(tuple(t.queues) for t in threads), system.software_list > 0)
    simulation.memory = Memory(simulation, shape, profile.latencies, clock, [(0, {t.number: t.costs for t in threads})])
    memory_parts.put_in(slots, simulation.memory, simulation.history)
    at_once = plain and threads[0].alike_wire is not None and journal is not None and not journal.stepwise
    if at_once and isinstance(feed, OpenFeed) and pcbs is not None:
        simulation.stretch = Stretch(simulation, feed, pcbs)
    if parts.more is not None:
        parts.more(simulation, scenario, before, KINDS, control_journal)
    if start:
        simulation.start()
    return simulation


class Parts(NamedTuple):
    """What a machine is made of: classes of its threads, software lists and simulation, and its kinds of event."""

    thread: type[Dataplane]
    rxlist: type[RxList]
    kinds: Sequence[str]
    simulation: type[IxSimulation]
    more: Callable[..., None] | None = None  # what is put in when all else is there


def _elastic() -> Parts:
    from ixviz.system.ix.control import build as control  # few machines have a control plane

    return Parts(control.Elastic, control.ElasticList, control.kinds_with(KINDS), control.ElasticSimulation,
                 control.put_control)  # fmt: skip


def _fault(name: str | None) -> IxFault | None:
    if name is None:
        return None
    from ixviz.system.ix.faults import FAULTS  # few machines have one

    return FAULTS[name]


__all__ = ["build", "capacity_of", "table_of", "threads_of"]
