"""Totals of runs side by side: what each has spent per packet, up to where the session stands, or as a whole.

Invariant: no run is read beyond what the session lets be read of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ixviz.compare.totals import NAMES, PER_PACKET, Total, so_far, whole, written
from ixviz.lesson.session import Session
from ixviz.scenario.simulate import picture_of


def shown(session: Session) -> tuple[str, ...]:
    """The runs of which the present look wants totals; none for another look."""
    look = session.look
    return tuple(look.compare) if look is not None and look.view == "totals" else ()


def totals(session: Session) -> list[Total]:
    """The totals of `shown`, in its order: of whole runs once the session is at the end of its own."""
    runs = shown(session)
    if session.position.event is None:
        return of_whole([session.runs.metrics(run) for run in runs], [_clock(session, run) for run in runs])
    pictures, moments = [], []
    for run in runs:
        sim = session.simulation(run)
        picture = picture_of(sim)
        pictures.append(picture)
        moments.append(picture.moment(sim.history.cursor(session.position_of(run).event or 0)))
    return so_far(pictures, moments)


def of_whole(metrics: Sequence[Mapping[str, Any]], clocks: Sequence[int]) -> list[Total]:
    """The totals of whole runs, from their figures and the clocks of their cores (Hz)."""
    columns = [whole(each, clock) for each, clock in zip(metrics, clocks, strict=True)]
    return [Total(name, tuple(column[name] for column in columns)) for name in NAMES]


def _clock(session: Session, run: str) -> int:
    return int(session.runs.built(run).threads[0].nominal)


def table(session: Session, found: Sequence[Total]) -> tuple[list[str], list[list[str]]]:
    """The totals as text: the heads of the columns, and a row each."""
    of = "the whole run" if session.position.event is None else "so far"
    rows = [[f"{each.name} per packet" if each.name in PER_PACKET else _LONG[each.name],
             *(written(each.name, value) for value in each.values)] for each in found]  # fmt: skip
    return [of, *shown(session)], rows


_LONG = {"p99": "p99 of the latency", "done": "packets done", "drops": "packets dropped"}


__all__ = ["of_whole", "shown", "table", "totals"]
