"""Recording a part of a run that was not recorded: from the nearest checkpoint, every packet of a window.
Invariant: what is recorded of the window is what happened in the run, to the picosecond."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from ixviz.history import Journal

_SLICE = 2 * 10**9  # ps of a run made again between two looks


def zoom(sim: Any, at: int) -> Any:
    """See steps; at once."""
    made = None
    for made in steps(sim, at):  # noqa: B007  (the last one counts)
        pass
    return made


def steps(sim: Any, at: int) -> Iterator[Any]:
    """Shares of the way (0 … 1) while the run up to `at` is made again, then what was asked for:

    a simulation that stands at `at` (ps) of an unrecorded run and records every event from there on.

    Its history begins with one event that makes everything as it is; what came before counts as known. ValueError when
    the run kept no checkpoint up to `at`, or has not come so far.
    """
    kept = [c for c in sim.checkpoints if c.time <= at]
    if not kept or at > sim.now:
        raise ValueError("there is no checkpoint before that time")
    plain = sim.resume(max(kept, key=lambda c: (c.time, c.events)))  # at one time the later: a branch forks there
    start = plain.now
    while plain.now < at:
        plain.run(min(at, plain.now + _SLICE))
        yield (plain.now - start) / (at - start)
    moment = plain.checkpoint()
    journal = Journal()
    made = plain.resume(moment, journal, whole=True)
    for thread in made.threads:
        thread.watch(at)
    journal.begin(at, made.slots.values())
    _at_event_0(made)
    yield made


def _at_event_0(made: Any) -> None:
    """Packets, batches, decisions and migrations so far belong to event 0, which makes all as it is."""
    packets, batches, control = made.feed.packets, made.batches, made.control
    packets.event = _zeros(len(packets.batch))
    for table, ends in ((batches, batches.ends), *((t, t.ended) for t in (control.decisions, control.migration.table))):
        table.event = _zeros(len(ends))
        table.last = array("i", (0 if end >= 0 else -1 for end in ends))
    control.migration.note_all()


def _zeros(rows: int) -> Any:
    made = array("i", bytes(4 * rows))
    made[0] = -1  # the dummy
    return made
