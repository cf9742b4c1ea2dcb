"""The tables that a control plane fills in: decisions, migrations, and the signals of each tick.
Invariant: they only grow; of a row that is not over the cells to come are -1."""

from __future__ import annotations

from ixviz.history.columns import Columns


def _with_dummy(table: Columns) -> Columns:
    for name in table.names:
        getattr(table, name).append(-1)
    return table


def decision_columns() -> Columns:
    """The table of decisions; row 0 is a dummy. `fast`, `slow` in 1/1024 packet, `idle` in 1/65536; times in ps."""
    return _with_dummy(Columns(time="q", before="h", after="h", fast="q", slow="q", idle="i", busiest="h", groups="i",
                               ended="q", event="i", last="i"))  # fmt: skip


def migration_columns() -> Columns:
    """The table of migrations; row 0 is a dummy. Times in ps, -1 = not yet. `polled`: when the target polled the first
    packet of a group in transition; `early`: that ended it.

    `event` and `last` are the events that commanded and ended it (-1 unwatched or not yet).
    """
    times = dict.fromkeys(("commanded", "seen", "armed", "polled", "ending", "ended"), "q")
    counts = dict.fromkeys(("remote", "local", "listed", "event", "last"), "i")
    return _with_dummy(Columns(source="h", target="h", groups="h", **times, early="b", **counts))


def signal_columns() -> Columns:
    """What was known at each tick, for the charts of long runs: a row each 0.1 s (divided by `compress`)."""
    return Columns(time="q", step="h", cpus="h", cores="h", clock="q", fast="q", slow="q", idle="i", sent="q",
                   power="i", energy="q", background="q")  # fmt: skip
