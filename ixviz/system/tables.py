"""The tables of a run as they stood at an event: packets, batches, requests, as columns with what was known.
Invariant: nothing that happened after the event can be read from a table at that event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ixviz.workload import kinds

Ints = np.ndarray[Any, np.dtype[Any]]
NAMES = ("packets", "batches", "requests")


@dataclass(frozen=True)
class TableColumn:
    """`values` [rows]; `kind` is "time" (ps), "number" or "text" (indices into `words`); `known` [rows], None = all."""

    values: Ints
    kind: str = "number"
    known: Ints | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableAt:
    """A table at an event: `key` is the column with the numbers of its rows (1, 2, … in order of beginning).

    `later` makes columns that cost a seek, when they are asked for.
    """

    name: str
    key: str
    columns: dict[str, TableColumn]
    later: dict[str, Callable[[], TableColumn]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns[self.key].values)


def table_at(sim: Any, name: str, event: int | None = None) -> TableAt:
    """A table as it stood just after `event` of a recorded run; None = all that has been simulated so far.

    KeyError for an unknown table, ValueError when the run kept no such table (in bulk, or without clients).
    """
    if name not in NAMES:
        raise KeyError(name)
    made: TableAt = {"packets": _packets, "batches": _batches, "requests": _requests}[name](sim, event)
    return made


def _batches(sim: Any, event: int | None) -> TableAt:
    if sim.lanes:
        got = sim.batch_table()
        rows = len(got["core"])
        ended = got["ends"] >= 0
    else:
        table = sim.batches
        rows = len(table.core) - 1
        if event is not None:
            rows = int(np.searchsorted(table.array("event")[1:], event, side="right"))
        got = {n: table.array(n)[1 : rows + 1].astype(np.int64) for n in ("core", "begins", "ends", "size")}
        ended = got["ends"] >= 0
        if event is not None:
            last = table.array("last")[1 : rows + 1]
            ended = (last >= 0) & (last <= event)
    names = tuple(t.name for t in sim.threads)
    return TableAt("batches", "number", {
        "number": TableColumn(np.arange(1, rows + 1)),
        "core": TableColumn(got["core"], "text", None, names),
        "size": TableColumn(got["size"]),
        "begins": TableColumn(got["begins"], "time"),
        "ends": TableColumn(got["ends"], "time", ended),
        "duration": TableColumn(got["ends"] - got["begins"], "time", ended),
    })  # fmt: skip


def _packets(sim: Any, event: int | None) -> TableAt:
    if sim.lanes:
        raise ValueError("this run kept no table of packets: record it")
    packets, batches = sim.feed.packets, sim.batches
    rows = len(packets.batch) - 1
    if event is not None:
        rows = int(np.searchsorted(packets.array("event")[1:], event, side="right"))
    part = {n: packets.array(n)[1 : rows + 1].astype(np.int64)
            for n in ("arrives", "flow", "kind", "queue", "frame", "batch")}  # fmt: skip
    batch = part["batch"]
    row = np.maximum(batch, 0)
    taken = batch > 0
    begins, ends = batches.array("begins")[row], batches.array("ends")[row]
    left = taken & (ends >= 0)
    dropped = batch <= -2
    if event is not None:
        began, last = batches.array("event")[row], batches.array("last")[row]
        taken = taken & (began <= event)
        left = taken & (last >= 0) & (last <= event)
        dropped = dropped & (-3 - batch <= event)  # by a list in that event; by its ring (-2) when it arrived
    group = _groups(sim, part["flow"])
    rings = tuple(f"nic.q{i}" for i in range(len(sim.feed.ids)))
    cores = tuple(t.name for t in sim.threads)
    core = batches.array("core")[row].astype(np.int64)
    return TableAt("packets", "id", {
        "id": TableColumn(np.arange(1, rows + 1)),
        "arrives": TableColumn(part["arrives"], "time"),
        "queue": TableColumn(part["queue"], "text", None, rings),
        "flow": TableColumn(part["flow"], "number", part["flow"] >= 0),
        "group": TableColumn(group, "number", group >= 0),
        "kind": TableColumn(part["kind"], "text", None, kinds.NAMES),
        "size": TableColumn(part["frame"]),
        "dropped": TableColumn(dropped.astype(np.int64), "text", None, ("no", "yes")),
        "batch": TableColumn(batch, "number", taken),
        "core": TableColumn(core, "text", taken, cores),
        "polled": TableColumn(begins, "time", taken),
        "leaves": TableColumn(ends, "time", left),
        "latency": TableColumn(ends - part["arrives"], "time", left),
    }, {"place": lambda: _place(sim, event, part["queue"], ~taken & ~dropped, taken & ~left, core)})  # fmt: skip


def _place(sim: Any, event: int | None, queue: Ints, waits: Ints, runs: Ints, core: Ints) -> TableColumn:
    """The component each packet is in, none once it has left: a list holds those of its queue that came first."""
    view = sim.slots.by_name if event is None else sim.history.cursor(event).view
    named = {id(component): name for name, component in sim.slots.by_name.items()}
    cores = [thread.name for thread in sim.threads]
    words, place = list(cores), np.where(runs, core, -1)
    for thread in sim.threads:
        for q, ring, rxlist in zip(thread.queues, thread.rings, thread.lists, strict=True):
            mine = np.flatnonzero(waits & (queue == q))
            depth = view[named[id(rxlist)]].depth
            place[mine[:depth]], place[mine[depth:]] = len(words), len(words) + 1
            words += [named[id(rxlist)], named[id(ring)]]
    return TableColumn(np.maximum(place, 0), "text", place >= 0, tuple(words))


def _groups(sim: Any, flow: Ints) -> Ints:
    loop = getattr(sim.feed, "loop", None)
    flows = getattr(loop, "flows", None)
    if flows is not None:
        return np.where(flow >= 0, flows.group[np.maximum(flow, 0)], -1)
    known = {int(f): sim.feed.group_of(int(f)) for f in np.unique(flow)}
    return np.array([known[int(f)] for f in flow], dtype=np.int64)


def _requests(sim: Any, event: int | None) -> TableAt:
    table = getattr(sim.feed, "requests", None)
    if table is None:
        raise ValueError("only clients that wait for answers make requests")
    time = sim.now if event is None else sim.history.event(event).time
    rows = int(np.searchsorted(table.array("sent"), time, side="right"))
    part = {n: table.array(n)[:rows].astype(np.int64) for n in ("connection", "due", "sent", "done", "packet")}
    answered = (part["done"] >= 0) & (part["done"] <= time)
    arrived = part["packet"] > 0
    if event is not None:
        arrived &= sim.feed.packets.array("event")[np.maximum(part["packet"], 0)] <= event
    return TableAt("requests", "id", {
        "id": TableColumn(np.arange(1, rows + 1)),
        "connection": TableColumn(part["connection"]),
        "due": TableColumn(part["due"], "time"),
        "sent": TableColumn(part["sent"], "time"),
        "done": TableColumn(part["done"], "time", answered),
        "latency": TableColumn(part["done"] - part["sent"], "time", answered),
        "packet": TableColumn(part["packet"], "number", arrived),
    })  # fmt: skip
