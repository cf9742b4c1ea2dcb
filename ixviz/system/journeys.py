"""Machines whose packets leave each by itself, not with their batch: the table of their ways, and what hangs on it.
Invariant: a packet leaves once; resumed from a checkpoint = never stopped, to the picosecond."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ixviz.history import Journal
from ixviz.history.columns import Columns
from ixviz.machine.lines import Lines
from ixviz.system.simulation import Checkpoint, Simulation
from ixviz.system.tables import TableAt, TableColumn, table_at

Ints = np.ndarray[Any, np.dtype[Any]]


def journey_columns(*steps: str) -> Columns:
    """What befell each packet after it was taken: the events of its `steps` and of `sent`, the last one (-1 unwatched
    or not yet), and when it left, ps: its answer was handed to the NIC, or nothing was left to do for it. Row 0 is a
    dummy."""
    table = Columns(left="q", **dict.fromkeys((*steps, "sent"), "i"))
    for name in table.names:
        getattr(table, name).append(-1)
    return table


class Noting:
    """How a hardware thread writes down the ways of packets."""

    journeys: Columns
    journal: Journal | None
    last_event: int
    done: int

    def leave(self, number: int, now: int) -> None:
        """Nothing is left to do for a packet."""
        self.note("sent", number)
        self.journeys.left[number] = now
        self.done += 1

    def note(self, step: str, number: int) -> None:
        """Write down by which event a packet took a step."""
        table = self.journeys
        missing = number + 1 - len(table.left)
        if missing > 0:
            for name in table.names:
                getattr(table, name).extend([-1] * missing)
        if self.journal is not None:
            getattr(table, step)[number] = self.last_event


@dataclass(kw_only=True)
class JourneySimulation(Simulation):
    """A Simulation with `journeys`, a row a packet (see journey_columns); `memory` the cache lines; `sockets` keep what
    waits in them (`state`, `restore`); `shape` is what decides which components there are."""

    journeys: Columns
    memory: Lines
    sockets: Any
    shape: Any

    # ---------------------------------------------------------------- checkpoints
    def in_flight(self) -> list[int]:
        """Packets that have arrived and have not left."""
        got = [*self.in_service(), *(number for ids in self.feed.ids for number in ids)]
        left = self.journeys.left
        return sorted({n for n in got if n >= len(left) or left[n] < 0})

    def in_service(self) -> list[int]:
        """Packets that were taken out of the rings, and perhaps some that have left."""
        raise NotImplementedError

    def checkpoint(self) -> Checkpoint:
        """This moment, copied."""
        made = super().checkpoint()
        return replace(made, extra=(*made.extra, (self.sockets.state(), len(self.journeys.left), self.in_flight())))

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> JourneySimulation:
        """See Simulation.resume."""
        made = super().resume(at, journal, **changes)
        assert isinstance(made, JourneySimulation)
        sockets, rows, flying = at.extra[-1]
        made.sockets.restore(sockets)
        made.journeys.__dict__.update(self.journeys.copy(rows).__dict__)
        for number in flying:
            if number < rows:
                made.journeys.left[number] = -1
            made.feed.packets.done[number] = -1
        for name in self.journeys.names[1:] if self.journal is not None else ():
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

    # ---------------------------------------------------------------- where packets are
    def _place(self, made: TableAt, event: int | None) -> TableColumn:
        """The component each packet is in: its ring, what `_held` says, or the core that works on it; none once it has
        left."""
        columns = made.columns
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
            held = self._held(row + 1, int(place[row]), 2**31 if event is None else event)
            if held is not None:
                words.append(held or by_flow.get(int(columns["flow"].values[row]), ""))
                place[row] = len(words) - 1 if words[-1] else -1
        for thread in self.threads:
            number = view[thread.name].packet
            if view[thread.name].stage and 0 < number <= len(made) and place[number - 1] >= 0:
                place[number - 1] = thread.number
        return TableColumn(np.maximum(place, 0), "text", place >= 0, tuple(words))

    def _held(self, number: int, core: int, event: int) -> str | None:
        """The component that holds a packet which a core has taken, "" for its socket, None for the core itself."""
        raise NotImplementedError

    def _between(self, number: int, step: str, after: str, event: int) -> bool:
        """Whether a packet had taken a step by an event, and not yet the one after; known of recorded runs only."""
        table = self.journeys
        if number >= len(table.left):
            return False
        return 0 <= getattr(table, step)[number] <= event and not 0 <= getattr(table, after)[number] <= event
