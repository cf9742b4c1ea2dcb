"""An mTCP machine with its workload: a Simulation in which each packet leaves with the frames of a later round.
Invariant: resumed from a checkpoint = never stopped, to the picosecond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ixviz.history import Journal
from ixviz.system.journeys import JourneySimulation
from ixviz.system.simulation import Checkpoint


def shape_of(scenario: Any) -> Any:
    """What decides which components there are."""
    machine = scenario.machine
    return machine.cores, machine.hyperthreads, machine.nic.ports, machine.nic.queues


@dataclass
class MtcpSimulation(JourneySimulation):
    """What `build` returns. A row of `batches` is a round of a TCP thread that found packets."""

    def in_service(self) -> list[int]:
        """See JourneySimulation."""
        got: list[int] = self.sockets.packets()
        for core in self.threads:
            got += [*core.members, *core.at_app, *core.answers]
        return got

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> JourneySimulation:
        """See Simulation.resume. ValueError for another machine."""
        if "scenario" in changes and shape_of(changes["scenario"]) != self.shape:
            raise ValueError("cores, queues and ports stay as they are")
        return super().resume(at, journal, **changes)

    def _held(self, number: int, core: int, event: int) -> str | None:
        """Its socket from TCP's end until the application reads it, then the job queue until the TCP thread looks."""
        if self._between(number, "handed", "jobs", event):
            return f"{self.threads[core].name}.jobs"
        return "" if self._between(number, "told", "app", event) else None

    # ---------------------------------------------------------------- figures
    def protection(self) -> dict[str, Any]:
        """So far: crossings between ring 3 and ring 0 (calls of the packet I/O and of the scheduler, once a batch), the
        driver's copies and the process's own, switches between threads; the kernel's share of the busy time."""
        cores = self.threads
        busy = sum(c.busy for c in cores)
        names = ("crossings", "copies", "user_copies", "interrupts", "timeouts", "wakes", "switches")
        return {
            **{name: sum(getattr(c, name) for c in cores) for name in names},
            "kernel_share": 1 - sum(c.user for c in cores) / busy if busy else None,
        }
