"""Looking close: every event of a millisecond around now, as a branch of its own beside the run it is of.

Invariant: the run itself stays as it is; what is seen close is what happened in it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .branch import Branch

if TYPE_CHECKING:
    from .state import State

HALF = 500_000_000  # ps before and after now


def look(state: State) -> Iterator[str]:
    """Makes the branch and goes to it; tells how far it is."""
    branch, began = state.branch, time.perf_counter()
    at, first = branch.now, 0
    while branch.parent is not None and branch.fork is not None:
        first = branch.sim.history.event(branch.fork).time
        if at >= first:
            break
        branch, first = branch.parent, 0  # what was before it forked
    start = max(at - HALF, first)
    try:
        ways = branch.sim.closer(start)
    except ValueError as error:
        state.message = str(error)
        return
    if ways is None:
        state.message = "all of this is recorded already: [ shows less time in a cell"
        return
    sim: Any = None
    try:
        for step in ways:
            if isinstance(step, float):
                yield f"looking close, {step:.0%}"
            else:
                sim = step
    except ValueError as error:
        state.message = str(error)
        return
    sim.until = at + HALF if sim.until is None else min(at + HALF, sim.until)
    name = f"close-up {sum(b.name.startswith('close-up') for b in state.branches) + 1}"
    made = Branch(sim, state.picture_of(sim), branch.scenario, name, parent=None, change="every event of 1 ms")
    while not made.ended:
        made.record(0.02)
        yield "looking close, 100 %"
    state.branches.append(made)
    state.current = len(state.branches) - 1
    made.seek_time(at)
    state.moved()
    state.message = f"{name}: every event of 1 ms, made in {time.perf_counter() - began:.1f} s; v goes back"
