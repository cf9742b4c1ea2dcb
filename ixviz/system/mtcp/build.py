"""Builds an mTCP machine from a checked scenario: NIC, cores with two threads each, the queues between them, sockets.
Invariant: the same scenario and seed build the same machine, recorded or not."""

from __future__ import annotations

from collections import deque
from typing import Any

from ixviz.history import Journal
from ixviz.machine.lines import Lines
from ixviz.machine.nic import TxRing
from ixviz.machine.profile import PROFILES
from ixviz.machine.wire import PS
from ixviz.system.front import connect, front, queues_of, threads_of
from ixviz.system.journeys import journey_columns
from ixviz.system.mtcp import paths
from ixviz.system.mtcp.app import Core
from ixviz.system.mtcp.core import KINDS, STEPS, Pthread, Vector
from ixviz.system.mtcp.costs import FITTED, PREDICTED, TABLES, Costs, Sums, crowded
from ixviz.system.mtcp.simulation import MtcpSimulation, shape_of
from ixviz.system.mtcp.sockets import Sockets
from ixviz.system.simulation import batch_columns

US = PS // 1_000_000


def costs_name(scenario: Any) -> str:
    """Whose costs a scenario has: those of its application."""
    workload = scenario.workload
    return str(workload.mix) if workload.kind == "memcached" else "echo"


def costs_of(scenario: Any) -> Costs:
    """What the stages cost on the machine of a scenario."""
    far = PROFILES[scenario.machine.profile].latencies
    return crowded(TABLES[costs_name(scenario)], threads_of(scenario), far.memory - far.l3)


def capacity_of(scenario: Any) -> float:
    """Requests per second on open connections that all cores carry in full chunks, misses and waiting left out."""
    machine, profile = scenario.machine, PROFILES[scenario.machine.profile]
    gain = 1 + profile.hyperthread_gain / 100 if machine.hyperthreads else 1
    cycles = costs_of(scenario).request(scenario.system.chunk)
    return float(machine.cores * (machine.clock or profile.clock) / cycles * gain)


def build(scenario: Any, journal: Journal | None = None, start: bool = True) -> MtcpSimulation:
    """A simulation that stands at time 0. With a journal it records every event.

    `start=False`: nothing is armed yet, a checkpoint will say what was. KeyError for a `scenario.fault`: it has none.
    """
    if scenario.fault is not None:
        raise KeyError(scenario.fault)
    machine, system = scenario.machine, scenario.system
    n, n_queues = threads_of(scenario), queues_of(scenario)
    capacity = capacity_of(scenario)
    before = front(scenario, journal, capacity, False)
    agenda, slots, ports, rings, made, profile, clock, *_ = before
    feed = made.feed

    name, costs = costs_name(scenario), costs_of(scenario)
    batches, journeys = batch_columns(), journey_columns(*STEPS)
    cores: list[Core] = []
    for i in range(n):
        tx = slots.add(TxRing, f"core{i}.tx", capacity=machine.nic.tx_ring)
        mine = [q for q in range(n_queues) if q % n == i]
        core = slots.add(
            Core, f"core{i}", speed=clock, nominal=clock, number=i, clock=clock,
            shared=clock * profile.shared_speed // 100, costs=costs, chunk=system.chunk,
            timeout=system.select_us * US, interval=PS // system.interrupt_rate if system.interrupt_rate else 0,
            feed=feed, queues=mine, rings=[rings[q] for q in mine], lists=[], ports=ports, tx=tx,
            rate=machine.nic.rate, journal=journal, batches=batches, journeys=journeys, sibling=None,
            reply_of=before.reply_of, port_of=made.port_of,
        )  # fmt: skip
        core.subject = len(slots.components) - 1
        core.alarm = agenda.alarm(core, core.subject + 1)
        core.tcp, core.app = slots.add(Pthread, f"core{i}.tcp"), slots.add(Pthread, f"core{i}.app")
        cores.append(core)
    vectors = [slots.add(Vector, f"irq{q}") for q in range(n_queues)]
    lines = Lines(slots, machine.cores, profile.latencies, clock, paths=paths.PATHS, kinds=paths.KINDS, threads=n)
    touched = paths.Touched(lines, n, n_queues)
    sockets = Sockets(slots, lines, touched, n)
    for core in cores:
        i = core.number
        core.vectors = [vectors[q] for q in core.queues]
        core.sockets, core.lines, core.at = sockets, lines, touched
        core.events, core.jobs, core.accept = touched.events[i], touched.jobs[i], touched.accepts[i]
        core.events.ids, core.jobs.ids, core.accept.socks = deque(), deque(), deque()
        core.prepare()
    connect(scenario, before, cores)

    def restored() -> None:
        lines.rebuild()
        sockets.rebuild()

    simulation = MtcpSimulation(
        "mtcp", KINDS, agenda, slots, journal, feed, cores, batches, scenario.run.until, scenario.run.warmup, capacity,
        system.chunk, lambda journal=None, scenario=scenario: build(scenario, journal, False),
        {"costs": name, "fitted_to": FITTED[name], "predicted": PREDICTED[name],
         "costs_are": "fitted" if name == "echo" else "illustrative", "clock": clock, "costs_table": Sums(costs),
         **made.facts},
        restored=restored, journeys=journeys, memory=lines, sockets=sockets, shape=shape_of(scenario),
    )  # fmt: skip
    if start:
        simulation.start()
    return simulation


__all__ = ["build", "capacity_of", "threads_of"]
