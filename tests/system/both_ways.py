"""A machine run watched, with the ledger open, and unwatched: what each system's tests compare.
Invariant: the watched run's ledger is asked about every event, and both ways have the same packets and figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from system.runs import Telling, same_completions, same_figures, times, unwatched
from system.test_resume import branch, same_history

from ixviz.scenario.load import Scenario
from ixviz.scenario.simulate import simulate


def same_both_ways(made: Scenario, ledger_of: Callable[[Any], Any], in_order: Callable[[Any], None]) -> None:
    """Run both ways and compare; `ledger_of` makes the ledger of the watched simulation, `in_order` is its rule of
    the order in which packets leave."""
    fast = unwatched(made)
    journal = Telling()
    slow = simulate(made, journal)
    ledger = ledger_of(slow)
    journal.tell = ledger.check
    while slow.record(997):
        pass
    assert ledger.checked == journal.count - 1
    assert (np.diff(times(slow)) >= 0).all(), "time goes back"
    in_order(slow)
    same_completions(fast, slow)
    same_figures(fast, slow)


def same_from_each_checkpoint(sim: Any, every: int) -> None:
    """Recorded to its end, the run resumes from its checkpoints into the same history and the same journeys."""
    while sim.record(every, every=every):
        pass
    assert len(sim.checkpoints) > 6
    for checkpoint in sim.checkpoints[1::2]:
        made: Any = branch(sim, checkpoint)
        same_history(sim, made)
        for name in sim.journeys.names:
            assert sim.journeys.array(name).tolist() == made.journeys.array(name).tolist()
