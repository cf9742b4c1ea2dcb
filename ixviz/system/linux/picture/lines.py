"""The cache lines of a Linux machine drawn: the shared ones against the cores, who moved each last, how often.
Invariant: lines of one socket each are shown when they have just been touched; all others stand in a fixed order."""

from __future__ import annotations

from typing import Any

from ixviz.draw import coherence as draw
from ixviz.draw.rule import label_row
from ixviz.system.picture.coherence_view import net, seen, sharing
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.totals import totals as so_far
from ixviz.system.picture.words import plural


def names(moment: Moment) -> list[str]:
    """The lines that exist at the moment, those of sockets last."""
    known = [n for n in moment.sim.memory.by_name if n in moment.view]
    return [n for n in known if not _of_socket(n)] + [n for n in known if _of_socket(n)]


def _of_socket(name: str) -> bool:
    return name.startswith("sock") and name[4:].isdigit()


def rows(moment: Moment, width: int, height: int, marked: frozenset[str] = frozenset()) -> list[tuple[Any, str]]:
    """(line, component) on at most `height` lines: `marked` lines, else those that moved most and those touched now."""
    memory = moment.sim.memory
    changed = net(moment.sim.history.changes(moment.at)) if moment.at else {}
    known = names(moment)
    shown = [n for n in known if n in marked]
    if not shown:
        touched = {component for component, _ in changed}
        now = [n for n in known if n in touched]
        rest = sorted((n for n in known if n not in touched and not _of_socket(n)),
                      key=lambda n: -moment.view[n].transfers)  # fmt: skip
        room = max(height - 3, 1)
        chosen = set([*now, *rest][:room])
        shown = [n for n in known if n in chosen]
    table = [draw.LineRow(*each) for each in seen(moment.view, shown, memory.cores, changed)]
    head, *body = draw.coherence(table, memory.cores, width, title="line")
    out = [(head, ""), *zip(body, shown, strict=True), (draw.legend(memory.protocol.letters, width), ""),
           (totals(moment, width), "")]  # fmt: skip
    return out[:height]


def totals(moment: Moment, width: int) -> Any:
    """`a packet: 11.3 transfers, 4.1 crossings, 2.0 copies, 0.7 interrupts`."""
    done = so_far(moment)
    if not done.packets:
        return label_row("so far", f"{plural(done.transfers or 0, 'transfer')}, no packet is done", width, 8)
    kinds = ("transfers", "crossings", "copies", "interrupts")
    text = ", ".join(f"{getattr(done, name) / done.packets:.1f} {name}" for name in kinds)
    return label_row("so far", f"a packet: {text}", width, 8)


def shared(moment: Moment) -> str:
    """`9 of 34 lines moved between cores, 1,204 times`."""
    return sharing(moment.view, names(moment), moment.sim.memory.cores)
