"""The work behind a comparison in small slices: recording, and what a key began that has to wait for it.

Invariant: a slice takes about its budget and no longer; between two slices the screen is drawn and keys are heard.
"""

from __future__ import annotations

import time

from ixviz.compare.lockstep import Lockstep

from .work import Working

SLICE = 400  # events between two looks at the clock


class Slices(Working):
    """The work of a comparison, whose runs are recorded side by side."""

    lock: Lockstep

    def record(self, budget: float) -> None:
        """Record for at most about `budget` seconds."""
        end = time.perf_counter() + budget
        while self.lock.record(SLICE) and time.perf_counter() < end:
            pass
