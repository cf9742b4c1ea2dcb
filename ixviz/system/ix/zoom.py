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
    plain = sim.resume(max(kept, key=lambda c: c.time))
    start = plain.now
    while plain.now < at:
        plain.run(min(at, plain.now + _SLICE))
        yield (plain.now - start) / (at - start)
    moment = plain.checkpoint()
    journal = Journal()
    made = plain.resume(moment, journal, whole=True)
    _events(made)
    for thread in made.threads:
        thread.watch(at)
    journal.begin(at, made.slots.values())
    yield made


def _events(made: Any) -> None:
    """Packets and batches so far belong to event 0."""
    rows = len(made.feed.packets.batch)
    made.feed.packets.event = array("i", bytes(4 * rows))
    made.feed.packets.event[0] = -1
    batches = made.batches
    batches.event = array("i", bytes(4 * len(batches.core)))
    batches.last = array("i", (0 if end >= 0 else -1 for end in batches.ends))
    batches.event[0] = -1
