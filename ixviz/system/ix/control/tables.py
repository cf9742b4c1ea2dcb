"""The tables of a control plane as they stood at an event: decisions, migrations, and where packets in transition are.
Invariant: nothing that happened after the event can be read from a table at that event."""

from __future__ import annotations

from typing import Any

import numpy as np

from ixviz.system.tables import Ints, TableAt, TableColumn

NAMES = ("decisions", "migrations")
REMOTE, LOCAL, LIST = range(3)  # where a packet was put when it was handed over


def table(sim: Any, name: str, event: int | None) -> TableAt:
    """`decisions` or `migrations` just after `event` of a recorded run; None = all that has been simulated so far."""
    made: TableAt = {"decisions": _decisions, "migrations": _migrations}[name](sim, event)
    return made


def _rows(table: Any, names: tuple[str, ...], event: int | None) -> tuple[dict[str, Ints], Ints]:
    """Columns of the rows begun by an event, and which of them were over by then."""
    rows = len(table) - 1
    if event is not None:
        rows = int(np.searchsorted(table.array("event")[1:], event, side="right"))
    got = {n: table.array(n)[1 : rows + 1].astype(np.int64) for n in names}
    over = table.array("ended")[1 : rows + 1] >= 0
    if event is not None:
        last = table.array("last")[1 : rows + 1]
        over = (last >= 0) & (last <= event)
    return got, over


def _decisions(sim: Any, event: int | None) -> TableAt:
    names = ("time", "before", "after", "fast", "slow", "idle", "busiest", "groups", "ended")
    got, over = _rows(sim.control.decisions, names, event)
    cores = tuple(t.name for t in sim.threads)
    return TableAt("decisions", "number", {
        "number": TableColumn(np.arange(1, len(over) + 1)),
        "time": TableColumn(got["time"], "time"),
        "before": TableColumn(got["before"]),
        "after": TableColumn(got["after"]),
        "way": TableColumn((got["after"] > got["before"]).astype(np.int64), "text", None, ("down", "up")),
        "fast": TableColumn(got["fast"] // 1024),
        "slow": TableColumn(got["slow"] // 1024),
        "idle": TableColumn(got["idle"] * 100 // 65_536),
        "busiest": TableColumn(got["busiest"], "text", None, cores),
        "groups": TableColumn(got["groups"]),
        "ended": TableColumn(got["ended"], "time", over),
    })  # fmt: skip


def _migrations(sim: Any, event: int | None) -> TableAt:
    from ixviz.system.ix.control.migration import ARMED, ENDING  # it imports this module

    names = ("source", "target", "groups", "commanded", "armed", "ending", "ended", "early", "remote", "local",
             "listed")  # fmt: skip
    table = sim.control.migration.table
    got, over = _rows(table, names, event)
    cores = tuple(t.name for t in sim.threads)
    # Of the one under way its state says how far it is. A time would say too much: two events may have the same.
    state = sim.control.migration.state if event is None else sim.history.cursor(event).view["migration"].state

    def by(since: int) -> Ints:
        known: Ints = over | (state >= since)
        return known

    return TableAt("migrations", "number", {
        "number": TableColumn(np.arange(1, len(over) + 1)),
        "source": TableColumn(got["source"], "text", None, cores),
        "target": TableColumn(got["target"], "text", None, cores),
        "groups": TableColumn(got["groups"]),
        "commanded": TableColumn(got["commanded"], "time"),
        "armed": TableColumn(got["armed"], "time", by(ARMED)),
        "ending": TableColumn(got["ending"], "time", by(ENDING)),
        "ended": TableColumn(got["ended"], "time", over),
        "timer": TableColumn(1 - np.maximum(got["early"], 0), "text", by(ENDING), ("no", "yes")),
        "remote": TableColumn(got["remote"], "number", over),
        "local": TableColumn(got["local"], "number", over),
        "listed": TableColumn(got["listed"], "number", by(ARMED)),
    })  # fmt: skip


def place(sim: Any, event: int | None, packets: TableAt) -> TableColumn:
    """The component each packet of a table is in, none once it has left; some wait for a migration to end."""
    columns = packets.columns
    view = sim.slots.by_name if event is None else sim.history.cursor(event).view
    taken, left = columns["batch"].known, columns["leaves"].known
    assert taken is not None and left is not None
    waits = ~taken & (columns["dropped"].values == 0)
    words = [t.name for t in sim.threads]
    where = np.where(taken & ~left, columns["core"].values, -1)
    handed = _handed(sim, event, len(packets))
    for thread in sim.threads:
        names = thread.rings[0].name, thread.lists[0].name, thread.remote.name, thread.local.name
        ring, rxlist, remote, local = (len(words) + i for i in range(4))
        words += names
        mine = np.flatnonzero(waits & (handed[0] < 0) & (columns["queue"].values == thread.queues[0]))
        in_ring = view[names[0]].depth
        where[mine] = rxlist
        where[mine[len(mine) - in_ring :]] = ring
        for put, at in ((REMOTE, remote), (LOCAL, local), (LIST, rxlist)):
            where[waits & (handed[0] == put) & (handed[1] == thread.number)] = at
    return TableColumn(np.maximum(where, 0), "text", where >= 0, tuple(words))


def _handed(sim: Any, event: int | None, rows: int) -> tuple[Ints, Ints]:
    """Of each packet where it was put last by a migration (-1 never), and on behalf of which thread."""
    log = sim.control.migration.handed
    where, thread = np.full(rows, -1, dtype=np.int64), np.full(rows, -1, dtype=np.int64)
    stop = len(log) if event is None else int(np.searchsorted(log.array("event"), event, side="right"))
    number = log.array("packet")[:stop].astype(np.int64) - 1
    known = number < rows
    where[number[known]] = log.array("where")[:stop][known]  # of several the last one stays
    thread[number[known]] = log.array("thread")[:stop][known]
    return where, thread
