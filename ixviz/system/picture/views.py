"""Other views of a machine with packets than its parts: its cache lines, its flow groups.
Invariant: a view is asked for by what is marked; without such a mark nothing is drawn."""

from __future__ import annotations

from typing import Any

from ixviz.system.picture.flow_groups import flow_groups
from ixviz.system.picture.packet_picture import LINES, RETA
from ixviz.system.picture.shown import Drawn


def seen(picture: Any, moment: Any, width: int, height: int, marked: frozenset[str],
         followed: int | None, core: int) -> list[Drawn]:  # fmt: skip
    """The view that a mark asks for, of what is marked besides; empty when none does."""
    if RETA in marked:
        threads = picture.sim.threads
        owner = {q: i for i, thread in enumerate(threads) for q in thread.queues}
        packet = followed if followed is not None else picture.packet_here(moment)
        return flow_groups(moment, width, height, [owner[q] for q in sorted(owner)], packet)
    if LINES in marked:
        drawn: list[Drawn] = picture.coherence(moment, width, height, marked - {LINES}, core)
        return drawn
    return []
