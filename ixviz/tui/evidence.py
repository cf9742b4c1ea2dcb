"""Where a fault shows: the first event of a machine with a fault that one without it does not have.

Invariant: the machine without it is the same scenario from the start, so nothing but the fault can make them differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ixviz.history import Journal
from ixviz.scenario.simulate import simulate

from .turns import Turns

MOST = 200_000  # events; a fault that shows later is left to be found
SLICE = 500


def first_difference(sim: Any, scenario: Any, turns: Turns, rest: Callable[[float], None]) -> int | None:
    """The event's number; None when the fault shows in no event, or late. For a thread: it takes turns."""
    healthy = simulate(replace(scenario, fault=None), Journal())
    for first in range(0, MOST, SLICE):
        while len(healthy.history) < first + SLICE and not healthy.ended:
            healthy.record(SLICE)
        with turns.recording():
            last = len(sim.history)
            for number in range(first, min(first + SLICE, last)):
                if number >= len(healthy.history):
                    return number
                if (here := _of(sim, number)) != (there := _of(healthy, number)):
                    return _before(sim, number, there[2]) if there[0] < here[0] else number
        if first + SLICE >= last:
            return None
        rest(0.0)
    return None


def _of(sim: Any, number: int) -> tuple[int, int, int]:
    event = sim.history.event(number)
    return event.time, event.kind, event.subject


def _before(sim: Any, number: int, subject: int) -> int:
    """The last event of a component before this one: from then on it does not do what it should."""
    return next((i for i in range(number - 1, -1, -1) if sim.history.event(i).subject == subject), number)
