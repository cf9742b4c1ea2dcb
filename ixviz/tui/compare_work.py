"""The work behind a comparison in small slices: recording, and what a key began that has to wait for it.

Invariant: a slice takes about its budget and no longer; between two slices the screen is drawn and keys are heard.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ixviz.compare.lockstep import Lockstep

SLICE = 400  # events between two looks at the clock


class Slices:
    """`job` is the work that goes on, `job_text` says what it is."""

    lock: Lockstep
    job: Iterator[str] | None
    job_text: str

    def record(self, budget: float) -> None:
        """Record for at most about `budget` seconds."""
        end = time.perf_counter() + budget
        while self.lock.record(SLICE) and time.perf_counter() < end:
            pass

    def start(self, job: Iterator[str]) -> None:
        """Begin a piece of work; its first slice is done at once."""
        self.job = job
        self.work()

    def work(self) -> None:
        """One slice of the present job."""
        if self.job is None:
            return
        try:
            self.job_text = next(self.job)
        except StopIteration:
            self.job, self.job_text = None, ""
