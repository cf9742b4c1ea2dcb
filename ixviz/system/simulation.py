"""A built machine with its workload: run it, record it, leave it at any moment and go on from there.
Invariant: resumed from a checkpoint = never stopped, to the picosecond."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

import numpy as np

from ixviz.history import History, Journal, Slots
from ixviz.history.columns import Columns
from ixviz.history.component import Component
from ixviz.machine.agenda import Agenda
from ixviz.system.recording import Recording
from ixviz.system.tables import TableAt, table_at
from ixviz.workload.feed import Feed

Ints = np.ndarray[Any, np.dtype[Any]]


def batch_columns() -> Columns:
    """The table of batches; row 0 is a dummy. Times in ps; `tx` is when its first frame gets the TX wire;
    `event` and `last` are the events that began and ended it (-1 unwatched or not yet)."""
    table = Columns(core="h", begins="q", ends="q", size="i", tx="q", event="i", last="i")
    for name in table.names:
        getattr(table, name).append(-1)
    return table


def begin_batch(batches: Columns, core: int, begins: int, size: int, event: int | None) -> int:
    """A new row of that table, of a batch that runs; its number. `event`: the one that began it, None unwatched."""
    row = len(batches.core)
    batches.core.append(core)
    batches.begins.append(begins)
    batches.ends.append(-1)
    batches.size.append(size)
    batches.tx.append(-1)
    if event is not None:
        batches.event.append(event)
        batches.last.append(-1)
    return row


@dataclass(frozen=True)
class Checkpoint:
    """A moment: slots, agenda time, number of events so far, and what the feed and the threads keep besides slots.

    Tables only grow, so of them it keeps the number of rows (`batches`) and which batches were `running`.
    """

    time: int
    events: int
    values: Ints
    feed: dict[str, Any]
    batches: int
    running: tuple[int, ...]
    extra: tuple[Any, ...]
    places: tuple[tuple[str, type, int], ...]


@dataclass
class Simulation(Recording):
    """What a system's `build` returns. `kinds` are the names of its kinds of event; `threads` its hardware threads.

    `until` (ps) is where a run ends, None = when nothing more happens. `capacity` is packets per second at the batch
    bound. `facts` are what the screen and `--json` say about the run besides its metrics (text, number pairs).
    """

    system: str
    kinds: Sequence[str]
    agenda: Agenda
    slots: Slots
    journal: Journal | None
    feed: Feed
    threads: Sequence[Any]
    batches: Columns
    until: int | None
    warmup: int
    capacity: float
    bound: int
    reopen: Callable[..., Simulation]
    facts: dict[str, Any] = attr(default_factory=dict)
    lanes: Sequence[Any] = ()  # in bulk runs, one a thread: they run whole turns in place of the threads
    restored: Callable[[], None] | None = None  # called when slots have been loaded: rebuild what hangs on them
    stretch: Callable[[int, int | None], bool] | None = None  # records about so many events at once, if it can
    history: History | None = None
    checkpoints: list[Checkpoint] = attr(default_factory=list)
    ended: bool = False

    def __post_init__(self) -> None:
        if self.journal is not None and self.history is None:
            self.history = History(self.journal, self.slots, self.kinds)

    @property
    def recorded(self) -> bool:
        """Whether packets and batches know their events."""
        return self.journal is not None

    def start(self) -> None:
        """Let every thread begin. Not after a resume: there they are armed as they were."""
        if self.lanes:
            for lane in self.lanes:
                lane.arm(self.now)
        else:
            for thread in self.threads:
                thread.start(self.now)

    def _go_on(self, events: int, end: int | None) -> None:
        if self.stretch is None or not self.stretch(events, end):  # a step makes a few events
            self._steps(max(1, min(100 if self.stretch else 400, events // 2)), end)

    def _stands_at(self, time: int) -> None:
        self.feed.advance(time)

    def checkpoint(self) -> Checkpoint:
        """This moment, copied."""
        return Checkpoint(
            self.now,
            self.journal.count if self.journal is not None else 0,
            self._settled(),
            self.feed.state(),
            len(self.batches.core),
            tuple(int(t.row) for t in self.threads if t.stage),
            () if self.lanes else tuple(t.state() for t in self.threads),
            tuple((p.name, p.cls, p.base) for p in self.slots.places),
        )

    def _settled(self) -> Ints:
        for lane in self.lanes:
            lane.settle()
        return self.slots.values()

    def _load(self, values: Sequence[int]) -> list[tuple[Component, str, int]]:
        """Set all slots as `_settled` had them; returns the constants that were something else, see Slots.load."""
        return self.slots.load(values)

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> Simulation:
        """A new simulation that stands at a checkpoint. `journal`: where it records (a fork of ours for a branch).

        `changes` are passed to the system's build (other knobs from here on). The one resumed from stays as it is.
        """
        made = self.reopen(journal=journal, **changes)
        known = made.slots.by_name
        for name, cls, _ in at.places:
            if name not in known:
                made.slots.add(cls, name)  # created while running: a connection, a path
        turned = made._load(at.values.tolist())
        if made.journal is not None:
            made.journal.drop_open_writes()
        if made.restored is not None:
            made.restored()
        made.agenda._queue.clear()
        made.agenda._now = at.time
        made.feed.restore(at.feed, self.feed)
        made.batches.__dict__.update(self.batches.copy(at.batches).__dict__)
        for row in at.running if not self.lanes else ():
            for name in ("ends", "tx", "last") if self.recorded else ("ends", "tx"):
                getattr(made.batches, name)[row] = -1
        for thread, extra in zip(made.threads, at.extra, strict=False):
            thread.restore(extra)
        if turned and made.journal is not None:
            made.journal.event(at.time, len(made.kinds) - 1, 0, -1)  # "what if", the last kind of every system
        for component, name, value in turned:
            setattr(component, name, value)
        for thread in made.threads if not made.lanes else ():
            thread.retune(at.time)
        return made

    # ---------------------------------------------------------------- completions
    def leaves(self) -> Ints:
        """When each packet of the table left (doorbell of its batch), ps, int64; -1 = not yet or dropped. Not bulk."""
        batch = self.feed.packets.array("batch").astype(np.int64)
        ends = self.batches.array("ends")
        return np.where(batch > 0, ends[np.maximum(batch, 0)], -1)

    def completions(self) -> list[tuple[Ints, Ints]]:
        """Per queue (arrival, leaving) of all packets that were processed, in order of leaving; int64 ps."""
        done = []
        if self.lanes:
            for lane in self.lanes:
                log = lane.batches()
                left = np.repeat(log[:, 1], log[:, 2])
                done.append((self.feed.kept(lane.queue)[: len(left)], left))  # type: ignore[attr-defined]
            return done
        packets = self.feed.packets
        left = self.leaves()
        arrives, queue = packets.array("arrives")[: len(left)], packets.array("queue")[: len(left)]
        for q in range(len(self.feed.ids)):
            mine = (queue == q) & (left >= 0)
            done.append((arrives[mine], left[mine]))
        return done

    def table(self, name: str, event: int | None = None) -> TableAt:
        """`packets`, `batches` or `requests` as they stood just after an event, or (None) as they are now."""
        return table_at(self, name, event)

    def batch_table(self) -> dict[str, Ints]:
        """Columns `core`, `begins`, `ends`, `size`, `tx` of all batches in order of beginning; ends -1 = running."""
        if not self.lanes:
            return {n: self.batches.array(n)[1:].astype(np.int64) for n in ("core", "begins", "ends", "size", "tx")}
        parts = []
        for lane in self.lanes:
            log = lane.batches()
            if lane.size:
                log = np.vstack([log, [[lane.began, -1, lane.size, -1]]])
            parts.append(np.hstack([np.full((len(log), 1), lane.number), log]))
        rows = np.concatenate(parts)
        rows = rows[np.lexsort((rows[:, 0], rows[:, 1]))]
        return dict(zip(("core", "begins", "ends", "size", "tx"), rows.T, strict=True))
