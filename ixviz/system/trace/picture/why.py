"""Why an access took as long as it did: what supplied its line, and who had taken it away before.
Invariant: the parts with a time add up to the access's own time exactly; the others are its history."""

from __future__ import annotations

import numpy as np

from ixviz.draw.numbers import count, duration
from ixviz.machine.caches import line_name
from ixviz.machine.line import HIT, L3, MEMORY, TRANSFER, UPGRADE
from ixviz.machine.protocol import INVALID
from ixviz.system.picture.shown import Part, Why
from ixviz.system.trace.picture.moment import Access, Moment
from ixviz.system.trace.picture.words import did, does, event_words, line_words

_NOTES = ("Latencies are illustrative; an access waits for no other but the one before it in the trace.",)


def why(moment: Moment, number: int) -> Why:
    """Why access `number` (it has begun) took its time."""
    access = moment.access(number)
    took = access.ends - access.begins
    verb = "does" if moment.left(number) is None else "did"
    title = f"Why {verb} access {count(number)} take {duration(took)}? C{does(access)[1:]}."
    words = event_words(moment, access.event).partition(": ")[2]
    parts = [Part(took, words, access.event)]
    if access.outcome in (TRANSFER, L3, MEMORY):
        parts += _missed(moment, access)
    elif access.outcome == UPGRADE:
        parts += _shared(moment, access)
    return Why(title, parts, took, [*_lesson(access, parts), *_NOTES])


def _missed(moment: Moment, access: Access) -> list[Part]:
    """Why the core had no copy: it never had one, another core's write took it, or it made room."""
    name, who = line_name(access.line), f"core {access.core}"
    lost = _last(moment, name, f"core{access.core}", access.event, INVALID)
    if lost is None:
        return [Part(None, f"{who} has never had {line_words(name)} before: the first access always misses")]
    taker = moment.access_of(lost)
    if taker is None or taker.core == access.core:
        return [Part(None, f"{who} had {line_words(name)} until it made room for another line of its set", lost)]
    parts = [Part(None, f"{who} had {line_words(name)} until {did(taker)} and took it", lost)]
    if _true_sharing(moment, access, taker):
        text = f"{access.address:#x} itself was written by another core since: the two really share it"
    else:
        text = (f"no other core has written {access.address:#x} since, only other words of {line_words(name)}: "
                "this is false sharing")  # fmt: skip
    return [*parts, Part(None, text)]


def _shared(moment: Moment, access: Access) -> list[Part]:
    """Who read the line last and so made it shared."""
    rows = moment.sim.trace.numbers[: access.number - 1]
    for i in np.flatnonzero(rows == access.line)[::-1].tolist():
        if moment.sim.trace.cores[i] != access.core:
            other = moment.access(i + 1)
            return [Part(None, f"the line has been shared at least since {did(other)}", other.event)]
    return []


def _true_sharing(moment: Moment, access: Access, taker: Access) -> bool:
    """Whether another core wrote the very address since the copy was lost."""
    trace = moment.sim.trace
    for i in range(taker.number - 1, access.number - 1):
        if trace.writes[i] and trace.cores[i] != access.core and trace.addresses[i] == access.address:
            return True
    return False


def _last(moment: Moment, component: str, field: str, before: int, value: int) -> int | None:
    """The last event before `before` that made a field this value; None if there is none."""
    slot = moment.view.slot(f"{component}.{field}")
    events, _, values = moment.sim.history.series(slot, 0, before - 1)
    hits = np.flatnonzero(values == value)
    return int(events[hits[-1]]) if len(hits) else None


def _lesson(access: Access, parts: list[Part]) -> list[str]:
    if access.outcome == HIT:
        return ["A hit stays inside the core: no other core notices."]
    if any("false sharing" in part.text for part in parts):
        return ["With the two words on lines of their own neither core would lose its copy."]
    return []
