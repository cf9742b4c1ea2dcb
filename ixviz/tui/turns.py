"""Whose turn it is with the machines: the screen's, which reads their histories, or that of a thread which records.

Invariant: a machine's tables are never read while they grow in another thread. (What is sealed of its journal may be,
see history.Journal.busy; but a table that is read cannot grow, and one that grows is not whole.)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A lock that the screen takes for a moment, again and again, and a thread for as long as it records."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mine = 0  # how often the screen has taken it without giving it back

    def take(self, wait: float = 0.0) -> bool:
        """The screen wants to read; waits at most so many seconds. May be taken again while it is held."""
        if self._mine == 0 and not self._lock.acquire(timeout=wait):
            return False
        self._mine += 1
        return True

    def give(self) -> None:
        """The screen has done what it took it for."""
        if self._mine:
            self._mine -= 1
            if not self._mine:
                self._lock.release()

    def lend(self) -> int:
        """Let a thread have it while the screen waits for that thread; what `back` wants."""
        held, self._mine = self._mine, 0
        if held:
            self._lock.release()
        return held

    def back(self, held: int) -> None:
        """After `lend`: the screen has it again, unless a thread still records; then `give` does nothing."""
        if held and self._lock.acquire(blocking=False):
            self._mine = held

    @contextmanager
    def recording(self) -> Iterator[None]:
        """For a thread that records."""
        with self._lock:
            yield
