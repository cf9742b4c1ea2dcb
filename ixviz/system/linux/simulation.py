"""A Linux machine with its workload: a Simulation in which each packet leaves by itself, not with its poll.
Invariant: resumed from a checkpoint = never stopped, to the picosecond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ixviz.history import Journal
from ixviz.system.journeys import JourneySimulation
from ixviz.system.simulation import Checkpoint


def shape_of(scenario: Any) -> Any:
    """What decides which components there are."""
    machine, system = scenario.machine, scenario.system
    return machine.cores, machine.hyperthreads, machine.nic.ports, machine.nic.queues, system.reuseport, system.lock


@dataclass
class LinuxSimulation(JourneySimulation):
    """What `build` returns. A row of `batches` is a NAPI poll that found packets."""

    def in_service(self) -> list[int]:
        """See JourneySimulation."""
        got: list[int] = self.sockets.packets()
        for cpu in self.threads:
            got += [*cpu.backlog, *((cpu.packet,) if cpu.packet else ()), *((cpu.about,) if cpu.about else ())]
        return got

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> JourneySimulation:
        """See Simulation.resume. ValueError for another machine, or other listen sockets than those there are."""
        if "scenario" in changes and shape_of(changes["scenario"]) != self.shape:
            raise ValueError("cores, queues, ports and listen sockets stay as they are")
        return super().resume(at, journal, **changes)

    def _held(self, number: int, core: int, event: int) -> str | None:
        return "" if self._between(number, "queued", "read", event) else None

    # ---------------------------------------------------------------- figures
    def protection(self) -> dict[str, Any]:
        """Crossings between ring 3 and ring 0, copies and interrupts so far, the kernel's share of the busy time."""
        cpus = self.threads
        busy = sum(c.busy for c in cpus)
        return {
            "crossings": sum(c.crossings for c in cpus),
            "copies": sum(c.copies for c in cpus),
            "interrupts": sum(c.interrupts for c in cpus),
            "wakes": sum(c.wakes for c in cpus),
            "kernel_share": 1 - sum(c.user for c in cpus) / busy if busy else None,
            "softirq_share": sum(c.softirq for c in cpus) / busy if busy else None,
            "spin_share": sum(c.spun for c in cpus) / busy if busy else None,
        }
