"""A replayed trace: run it, record it, leave it at any moment and go on from there.
Invariant: resumed from a checkpoint = never stopped; of a what-if only the protocol may differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

import numpy as np

from ixviz.history import History, Journal, Slots
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Agenda
from ixviz.machine.caches import Caches, line_name
from ixviz.machine.lines import Lines
from ixviz.machine.protocol import PROTOCOLS, STATES
from ixviz.system.recording import Recording
from ixviz.system.tables import NAMES, TableAt, TableColumn
from ixviz.system.trace.player import KINDS, Player
from ixviz.system.trace.reader import Trace, otherwise

Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """A moment: time, number of events so far, slots, accesses begun, and the components there were."""

    time: int
    events: int
    values: Ints
    accesses: int
    places: tuple[tuple[str, type, int], ...]


@dataclass
class TraceSimulation(Recording):
    """What `build` returns. `memory` has the lines and caches with all counts, `accesses` a row an access."""

    agenda: Agenda
    slots: Slots
    journal: Journal | None
    player: Player
    caches: Caches
    accesses: Columns
    until: int | None
    scenario: Any
    reopen: Callable[..., TraceSimulation]
    facts: dict[str, Any]
    system: str = "trace"
    kinds: Sequence[str] = KINDS
    history: History | None = None
    checkpoints: list[Checkpoint] = attr(default_factory=list)
    ended: bool = False
    # What other rooms ask of every simulation; a trace has no packets, so none of their machinery.
    feed: None = None
    warmup: int = 0
    bound: int | None = None
    lanes: Sequence[Any] = ()

    def __post_init__(self) -> None:
        if self.journal is not None:
            self.history = History(self.journal, self.slots, self.kinds)

    @property
    def memory(self) -> Lines:
        """The lines and the caches of the cores."""
        return self.caches.lines

    @property
    def trace(self) -> Trace:
        """The accesses of the file."""
        return self.player.trace

    def checkpoint(self) -> Checkpoint:
        """This moment, copied."""
        return Checkpoint(
            self.now,
            self.journal.count if self.journal is not None else 0,
            self.slots.values(),
            len(self.accesses),
            tuple((p.name, p.cls, p.base) for p in self.slots.places),
        )

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> TraceSimulation:
        """A new simulation that stands at a checkpoint. `journal`: where it records (a fork of ours for a branch).

        `changes` are passed to build (`scenario`: one with another protocol). The one resumed from stays as it is.
        Raises ValueError when more than the protocol differs, or it has no word for a state that copies are in.
        """
        self._same_machine(changes.get("scenario"))
        made = self.reopen(journal=journal, **changes)
        for name, cls, _ in at.places:
            if name not in made.slots.by_name:
                made.slots.add(cls, name)  # created while running: a line, a set
        turned = made.slots.load(at.values.tolist())
        if made.journal is not None:
            made.journal.drop_open_writes()
        made.caches.rebuild()
        made._check_states()
        made.agenda._queue.clear()
        made.agenda._now = at.time
        made.accesses.__dict__.update(self.accesses.copy(at.accesses).__dict__)
        if turned and made.journal is not None:
            made.journal.event(at.time, len(KINDS) - 1, 0, -1)
        for component, name, value in turned:
            setattr(component, name, value)
        made.player.restore()
        return made

    def _same_machine(self, other: Any) -> None:
        if other is not None and (other.machine, other.system.file, other.system.l3) != (
            self.scenario.machine, self.scenario.system.file, self.scenario.system.l3,
        ):  # fmt: skip
            raise ValueError("in the middle of a trace only system.protocol can be another")

    def _check_states(self) -> None:
        protocol = self.memory.protocol
        held = {STATES[line.state(i)] for line in self.memory.by_name.values() for i in range(self.memory.cores)}
        missing = sorted(held - set(PROTOCOLS[protocol.name].letters))
        if missing:
            raise ValueError(f"there are copies in state {' and '.join(missing)}, which {protocol.name} does not have")

    def another_future(self) -> dict[str, Any]:
        """What `resume` is given so that all accesses which have not begun are others: see reader.otherwise."""
        return {"trace": otherwise(self.trace, self.player.position, self.memory.cores, self.caches.line)}

    def busy(self) -> list[int]:
        """How long (ps) each core has been at its accesses, up to now."""
        out = [0] * self.memory.cores
        for core, begins, ends in zip(self.trace.cores, self.accesses.begins[1:], self.accesses.ends[1:], strict=False):
            out[core] += min(ends, self.now) - begins
        return out

    # ---------------------------------------------------------------- what lessons ask of every run
    def batch_table(self) -> dict[str, Ints]:
        """See Simulation.batch_table: a trace has no batches."""
        return {name: np.empty(0, dtype=np.int64) for name in ("core", "begins", "ends", "size", "tx")}

    def table(self, name: str, event: int | None = None) -> TableAt:
        """`accesses` as they stood just after an event (None: now); the tables of packets are empty."""
        if name != "accesses":
            if name not in NAMES:
                raise KeyError(name)
            key = "number" if name == "batches" else "id"
            return TableAt(name, key, {key: TableColumn(np.empty(0, dtype=np.int64))})
        rows = len(self.accesses) - 1
        if event is not None:
            rows = int(np.searchsorted(self.accesses.array("event")[1:], event, side="right"))
        got = {n: self.accesses.array(n)[1 : rows + 1].astype(np.int64) for n in ("begins", "ends", "outcome")}
        time = self.now if event is None or self.history is None else self.history.event(event).time
        trace = self.trace
        return TableAt(name, "id", {
            "id": TableColumn(np.arange(1, rows + 1)),
            "core": TableColumn(np.array(trace.cores[:rows], dtype=np.int64), "text", None, self.memory.names),
            "kind": TableColumn(np.array(trace.writes[:rows], dtype=np.int64), "text", None, ("read", "write")),
            "line": TableColumn(trace.place[:rows], "text", None, tuple(map(line_name, trace.order))),
            "outcome": TableColumn(got["outcome"], "text", None, KINDS[1:6]),
            "begins": TableColumn(got["begins"], "time"),
            "ends": TableColumn(got["ends"], "time", got["ends"] <= time),
        })  # fmt: skip
