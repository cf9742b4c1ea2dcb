"""Builds a Linux machine from a checked scenario: NIC, vectors, cores with an application thread each, lines, sockets.
Invariant: the same scenario and seed build the same machine, recorded or not."""

from __future__ import annotations

from functools import partial
from typing import Any

from ixviz.history import Journal
from ixviz.machine.lines import Lines
from ixviz.machine.nic import TxRing
from ixviz.machine.profile import PROFILES
from ixviz.machine.streams import generator
from ixviz.machine.wire import PS
from ixviz.system.front import connect, front, queues_of, threads_of
from ixviz.system.journeys import journey_columns
from ixviz.system.linux import paths
from ixviz.system.linux.costs import FITTED, PREDICTED, TABLES, Sums
from ixviz.system.linux.cpu import KINDS, RAISE, STEPS
from ixviz.system.linux.simulation import LinuxSimulation, shape_of
from ixviz.system.linux.sockets import Listener, Sockets
from ixviz.system.linux.task import Core
from ixviz.system.linux.vector import Vector
from ixviz.system.simulation import batch_columns

DEALT = 4_096  # connections dealt to the threads at once, as many to each


def costs_name(scenario: Any) -> str:
    """Whose costs a scenario has: those of its application."""
    workload = scenario.workload
    return str(workload.mix) if workload.kind == "memcached" else "echo"


def capacity_of(scenario: Any) -> float:
    """Requests per second on open connections that all cores carry, misses and waiting left out."""
    machine, profile = scenario.machine, PROFILES[scenario.machine.profile]
    gain = 1 + profile.hyperthread_gain / 100 if machine.hyperthreads else 1
    cycles = TABLES[costs_name(scenario)].request()
    return float(machine.cores * (machine.clock or profile.clock) / cycles * gain)


def build(scenario: Any, journal: Journal | None = None, start: bool = True) -> LinuxSimulation:
    """A simulation that stands at time 0. With a journal it records every event.

    `start=False`: nothing is armed yet, a checkpoint will say what was. KeyError for a `scenario.fault`: it has none.
    """
    if scenario.fault is not None:
        raise KeyError(scenario.fault)
    machine, system = scenario.machine, scenario.system
    n, n_queues, rate = threads_of(scenario), queues_of(scenario), machine.nic.rate
    capacity = capacity_of(scenario)
    before = front(scenario, journal, capacity, False)
    agenda, slots, ports, rings, made, profile, clock, *_ = before
    feed = made.feed

    name = costs_name(scenario)
    batches, journeys = batch_columns(), journey_columns(*STEPS)
    cpus: list[Core] = []
    for i in range(n):
        tx = slots.add(TxRing, f"core{i}.tx", capacity=machine.nic.tx_ring)
        mine = [q for q in range(n_queues) if q % n == i]
        core = slots.add(
            Core, f"core{i}", speed=clock, nominal=clock, number=i, clock=clock,
            shared=clock * profile.shared_speed // 100, costs=TABLES[name], budget=system.budget,
            steering=system.steering, feed=feed, queues=mine, rings=[rings[q] for q in mine], lists=[], ports=ports,
            tx=tx, rate=rate, journal=journal, batches=batches, journeys=journeys, sibling=None, cpus=cpus,
            listener=i if system.reuseport else 0, reply_of=before.reply_of, port_of=made.port_of,
            owner_of=partial(_owner, scenario.run.seed, n, {}),
        )  # fmt: skip
        core.subject = len(slots.components) - 1
        core.alarm = agenda.alarm(core, core.subject + 1)
        cpus.append(core)
    vectors: list[Vector] = []
    interval = PS // system.interrupt_rate if system.interrupt_rate else 0
    for q in range(n_queues):
        vector = slots.add(Vector, f"irq{q}", number=q, interval=interval, kind=RAISE, ring=rings[q], feed=feed,
                           cpu=cpus[q % n], journal=journal)  # fmt: skip
        vector.subject = len(slots.components) - 1
        vector.alarm = agenda.alarm(vector, vector.subject + 1)
        vector.prepare()
        vectors.append(vector)
    lines = Lines(slots, machine.cores, profile.latencies, clock, paths=paths.PATHS, kinds=paths.KINDS, threads=n)
    touched = paths.Touched(lines, n, n_queues, [q % n for q in range(n_queues)])
    names = [f"listen{i}" for i in range(n)] if system.reuseport else ["listen"]
    listeners = [Listener(lines, x, system.lock, lines.cache_of[i] if system.reuseport else -1)
                 for i, x in enumerate(names)]  # fmt: skip
    sockets = Sockets(slots, lines, listeners)
    for listener in listeners:
        listener.lock.granted = lambda thread, at: cpus[thread].granted(at)
    for core in cpus:
        core.vectors = [vectors[q] for q in core.queues]
        core.sends_by = vectors[core.number % n_queues]
        core.sockets, core.lines, core.at = sockets, lines, touched
        core.prepare()
    connect(scenario, before, cpus)

    def restored() -> None:
        lines.rebuild()
        sockets.rebuild()

    simulation = LinuxSimulation(
        "linux", KINDS, agenda, slots, journal, feed, cpus, batches, scenario.run.until, scenario.run.warmup, capacity,
        system.budget, lambda journal=None, scenario=scenario: build(scenario, journal, False),
        {"costs": name, "fitted_to": FITTED[name], "predicted": PREDICTED[name], "costs_are": "fitted", "clock": clock,
         "costs_table": Sums(TABLES[name]), **made.facts},
        restored=restored, journeys=journeys, memory=lines, sockets=sockets, shape=shape_of(scenario),
    )  # fmt: skip
    if start:
        simulation.start()
    return simulation


def _owner(seed: int, threads: int, kept: dict[int, list[int]], flow: int) -> int:
    """The thread that was dealt a connection made before time 0; or whose listen socket a flow's hash chooses."""
    block, i = divmod(max(flow, 0), DEALT)
    dealt = kept.get(block)
    if dealt is None:
        dealt = kept[block] = (generator(seed, "worker", block).permutation(DEALT) % threads).tolist()
    return dealt[i]


__all__ = ["build", "capacity_of", "threads_of"]
