"""The panel of a migration: who gives what to whom, which packets are where, how far the protocol is.
Invariant: at most the present migration and what it met so far; nothing later than the moment's event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ixviz.draw.cells import Line, Lines, Span, fit
from ixviz.draw.numbers import count, duration
from ixviz.system.ix.control.migration import ARMED, COMMANDED, ENDING, NONE, TOLD
from ixviz.system.ix.control.tables import LIST
from ixviz.system.ix.picture import words
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import core_name, plural

_NAME = 11
_STATES = ("over", "commanded", "armed", "ending", "told")


def panel(moment: Any, width: int, height: int) -> list[Drawn]:
    """The present migration, or the last one, on at most `height` lines. `moment` has sim, view, at and now.

    A line for each place where packets of the groups may wait, so that a question can point at it.
    """
    view, table = moment.view["migration"], moment.sim.control.migration.table
    row = int(view.number)
    if not row:
        return [Drawn(fit("no flow group has been moved yet", width, "dim"), "migration")]
    source, target = (moment.sim.threads[getattr(table, end)[row]] for end in ("source", "target"))
    whole = f"{plural(table.groups[row], 'flow group')}, {core_name(source.name)} → {core_name(target.name)}"
    out = [Drawn(fit(f"Migration {row}: {whole}", width, "title"), "migration"),
           Drawn(_state(moment, source, target, width), "migration")]  # fmt: skip
    held = _held(moment)
    moved = {change.component for change in moment.sim.history.changes(moment.at)} if moment.at else set()
    for thread, does in ((source, "gives"), (target, "gets")):
        out.append(Drawn(_thread(moment, thread, does, width), thread.name))
        handed = ((thread.remote, "first  "), (thread.local, "then   ")) if thread is target else ()
        for part, note in (*handed, (thread.rings[0], ""), (thread.lists[0], "")):
            numbers = held.get(part.name, ())
            out.append(Drawn(_place(moment, part.name, note, numbers, part.name in moved, width), part.name))
    if height > len(out) + 1:  # with less room the text below has more use for it
        out += [Drawn(line, "migration") for line in _so_far(moment, row, width)]
    return out[:height]


def _state(moment: Any, source: Any, target: Any, width: int) -> Line:
    """`armed      in transition for 0.50 µs; core 0's timer runs`: how far it is, and what comes next."""
    at = moment.view["migration"]
    giver, getter = core_name(source.name), core_name(target.name)
    by = f"a packet came to {getter}" if at.early else "the timer of 1 ms fired"
    words = {
        NONE: f"ended because {by}",
        COMMANDED: f"{giver} sees it between two turns",
        ARMED: f"in transition for {duration(moment.now - at.armed, unit='µs')}; {giver}'s timer runs",
        ENDING: f"{by}: {giver} polls once more",
        TOLD: f"{giver} has polled once more: {getter} takes over",
    }[at.state]
    return fit((*fit(_STATES[at.state], _NAME, "here" if at.state else "dim"), Span(words)), width)


def _thread(moment: Any, thread: Any, does: str, width: int) -> Line:
    """`core 0     gives   tcp, batch of 4`."""
    at = moment.view[thread.name]
    stage = type(thread).FIELDS["stage"].values[at.stage]
    doing = words.doing(at) if stage == "idle" else f"{stage}, batch of {count(at.size)}"
    return fit((*fit(core_name(thread.name), _NAME), Span(f"{does:<8}{doing}")), width)


def _place(moment: Any, name: str, note: str, numbers: Sequence[int], moved: bool, width: int) -> Line:
    """`  remote     3   first  13 14 15`: how many packets wait in a place, and which."""
    depth = moment.view[name].depth
    own = name.partition(".")[2]
    word = f"ring {own}" if name.startswith("nic.") else "list" if own == "rxlist" else own
    which = " ".join(count(n) for n in numbers)
    style = "mark" if moved else ""
    return fit((*fit(f"  {word}", _NAME), Span(f"{depth:>5,}   ", style), Span(f"{note}{which}", style)), width)


def _held(moment: Any) -> Mapping[str, list[int]]:
    """The packets that wait in each place, by its name, the first one first.

    What came to a list out of the two queues lies there in the order in which it was put in, which a fault may change.
    """
    packets = moment.sim.table("packets", moment.at)
    place, arrived = packets.later["place"](), moment.sim.feed.packets.array("event")
    log = moment.sim.control.migration.handed
    stop = int(np.searchsorted(log.array("event"), moment.at, side="right"))
    put = {int(log.packet[i]): (int(log.event[i]), i) for i in range(stop) if log.where[i] == LIST}
    out: dict[str, list[int]] = {}
    for number, (at, known) in enumerate(zip(place.values.tolist(), place.known.tolist(), strict=True), start=1):
        if known:
            out.setdefault(place.words[at], []).append(number)
    return {name: sorted(here, key=lambda n: put.get(n, (int(arrived[n]), n))) for name, here in out.items()}


def _so_far(moment: Any, row: int, width: int) -> Lines:
    """When what happened, and how many packets went which way."""
    at, table = moment.view["migration"], moment.sim.control.migration.table
    start = table.commanded[row]
    known = [name for name, then in (("seen", at.state != COMMANDED), ("ended", at.state == NONE)) if then]
    times = [f"commanded {duration(start)}",
             *(f"{name} +{duration(getattr(table, name)[row] - start)}" for name in known)]  # fmt: skip
    met = f"{at.remote:,} remote, {at.listed:,} of them from the list; {at.local:,} local"
    return [fit((*fit(head, _NAME), Span(text)), width) for head, text in (("times", ", ".join(times)), ("went", met))]
