"""Why a decision was taken, and how long it took to be carried out: signal, hold, migrations.
Invariant: the parts with a time add up to the whole; nothing later than the moment is told."""

from __future__ import annotations

from ixviz.system.ix.picture.control import words
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture.shown import Part, Why


def why(moment: Moment, packet: int) -> Why:
    """A decision taken apart: each migration from its command to its end."""
    table, migrations = moment.decisions, moment.migrations
    because, allowed = moment.sim.control.because[packet]
    notes = [f"because  {because}", *([f"allowed  {allowed}"] if allowed else ())]
    notes += [f"then     {text}" for text in words.moved(moment, packet)]
    parts = []
    at = table.time[packet]
    for row in moment.moved_for(packet):
        if not 0 <= migrations.last[row] <= moment.at:
            parts.append(Part(None, f"{_name(moment, row)} under way", migrations.event[row]))
            break
        parts.append(Part(migrations.ended[row] - at, _name(moment, row), migrations.event[row]))
        at = migrations.ended[row]
    end = moment.left(packet)
    if end is not None and end > at:
        parts.append(Part(end - at, "until it was complete", table.last[packet]))
    total = sum(part.ps or 0 for part in parts)
    return Why(f"{words.decision(moment, packet)}", parts, total, notes)


def _name(moment: Moment, row: int) -> str:
    table = moment.migrations
    by = "a packet ended it" if table.early[row] > 0 else "the timer ended it" if table.early[row] == 0 else ""
    met = f"{table.remote[row]} remote, {table.local[row]} local" if table.remote[row] >= 0 else ""
    whole = f"{table.groups[row]} groups, core {table.source[row]} → {table.target[row]}"
    return ", ".join(text for text in (whole, met, by) if text)
