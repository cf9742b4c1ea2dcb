"""A Linux machine with its workload: a Simulation in which each packet leaves by itself, not with its poll.
Invariant: resumed from a checkpoint = never stopped, to the picosecond."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ixviz.history import Journal
from ixviz.history.columns import Columns
from ixviz.machine.lines import Lines
from ixviz.system.linux.sockets import Sockets
from ixviz.system.simulation import Checkpoint, Simulation
from ixviz.system.tables import TableAt, TableColumn, table_at

Ints = np.ndarray[Any, np.dtype[Any]]
_STEPS = ("steered", "tcp_in", "queued", "read", "app", "write", "sent")


def shape_of(scenario: Any) -> Any:
    """What decides which components there are."""
    machine, system = scenario.machine, scenario.system
    return machine.cores, machine.hyperthreads, machine.nic.ports, machine.nic.queues, system.reuseport, system.lock


@dataclass
class LinuxSimulation(Simulation):
    """What `build` returns. `journeys` has a row a packet (see journey_columns), `memory` the cache lines; a row of
    `batches` is a NAPI poll that found packets."""

    journeys: Columns = None  # type: ignore[assignment]
    memory: Lines = None  # type: ignore[assignment]
    sockets: Sockets = None  # type: ignore[assignment]
    shape: Any = None

    # ---------------------------------------------------------------- checkpoints
    def checkpoint(self) -> Checkpoint:
        """This moment, copied."""
        made = super().checkpoint()
        return replace(made, extra=(*made.extra, (self.sockets.state(), len(self.journeys.left), self.in_flight())))

    def in_flight(self) -> list[int]:
        """Packets that have arrived and have not left."""
        got = [*self.sockets.packets(), *(number for ids in self.feed.ids for number in ids)]
        for cpu in self.threads:
            got += [*cpu.backlog, *((cpu.packet,) if cpu.packet else ()), *((cpu.about,) if cpu.about else ())]
        left = self.journeys.left
        return sorted({n for n in got if n >= len(left) or left[n] < 0})

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> LinuxSimulation:
        """See Simulation.resume. ValueError for another machine, or other listen sockets than those there are."""
        if "scenario" in changes and shape_of(changes["scenario"]) != self.shape:
            raise ValueError("cores, queues, ports and listen sockets stay as they are")
        made = super().resume(at, journal, **changes)
        assert isinstance(made, LinuxSimulation)
        sockets, rows, flying = at.extra[-1]
        made.sockets.restore(sockets)
        journeys = self.journeys.copy(rows)
        made.journeys.__dict__.update(journeys.__dict__)
        for number in flying:
            if number < rows:
                made.journeys.left[number] = -1
            made.feed.packets.done[number] = -1
        for name in _STEPS if self.journal is not None else ():
            steps = made.journeys.array(name)
            steps[steps >= at.events] = -1
            setattr(made.journeys, name, array("i", steps.tobytes()))
        return made

    # ---------------------------------------------------------------- completions
    def leaves(self) -> Ints:
        """When each packet left (its answer was handed to the NIC), ps, int64; -1 = not yet or dropped."""
        rows = len(self.feed.packets.batch)
        left = self.journeys.array("left")[:rows]
        return np.concatenate([left, np.full(rows - len(left), -1, dtype=np.int64)])

    def table(self, name: str, event: int | None = None) -> TableAt:
        """See Simulation.table; `packets` leave each by itself."""
        made = table_at(self, name, event)
        if name == "packets":
            made.later["place"] = lambda: self._place(made, event)
            rows = len(made)
            left = self.leaves()[1 : rows + 1]
            left = np.concatenate([left, np.full(rows - len(left), -1, dtype=np.int64)])
            known = left >= 0
            if event is not None:
                sent = np.full(rows, -1, dtype=np.int64)
                steps = self.journeys.array("sent")[1 : rows + 1]
                sent[: len(steps)] = steps
                known = (sent >= 0) & (sent <= event)
            made.columns["leaves"] = TableColumn(left, "time", known)
            made.columns["latency"] = TableColumn(left - made.columns["arrives"].values, "time", known)
        return made

    def _place(self, made: TableAt, event: int | None) -> TableColumn:
        """The component each packet is in: ring, socket, or the core that works on it; none once it has left."""
        rows, columns = len(made), made.columns
        view: Any = self.slots.by_name if event is None else self.history.cursor(event).view  # type: ignore[union-attr]
        taken, left = columns["batch"].known, columns["leaves"].known
        assert taken is not None and left is not None
        gone = left | (columns["dropped"].values == 1)
        words = [t.name for t in self.threads]
        place = np.where(taken & ~gone, columns["core"].values, -1)
        waits = ~taken & ~gone
        place[waits] = len(words) + columns["queue"].values[waits]
        words += [ring.name for ring in self.feed.intake.rings]
        socks = [view[s.name] for s in self.sockets.entries if s.name in view]
        by_flow = {s.flow: s.name for s in socks if s.tcp}  # one that is not made yet is all zero
        for row in np.flatnonzero(taken & ~gone).tolist():
            number = row + 1
            if self._queued(number, event):
                words.append(by_flow.get(int(columns["flow"].values[row]), ""))
                place[row] = len(words) - 1 if words[-1] else -1
        for thread in self.threads:
            number = view[thread.name].packet
            if view[thread.name].stage and 0 < number <= rows and place[number - 1] >= 0:
                place[number - 1] = thread.number
        return TableColumn(np.maximum(place, 0), "text", place >= 0, tuple(words))

    def _queued(self, number: int, event: int | None) -> bool:
        """Whether a packet waits in its socket; known of recorded runs only."""
        if number >= len(self.journeys.queued):
            return False
        limit = event if event is not None else 2**31
        return 0 <= self.journeys.queued[number] <= limit and not 0 <= self.journeys.read[number] <= limit

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
