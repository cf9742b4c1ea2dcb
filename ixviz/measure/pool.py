"""Processes that work side by side, and end without a word when the reader presses Ctrl-C.
Invariant: whenever an interrupt comes, this process alone tells of it; one that is only just starting dies silently."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

_HELD = (signal.SIGINT,)


def pool(workers: int | None = None) -> Executor:
    """Processes, one a core unless told otherwise."""
    context = multiprocessing.get_context("spawn")
    return _Pool(workers or os.cpu_count(), mp_context=context, initializer=_begun)


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See Executor.submit. It may start a process, which inherits that interrupts wait until `_begun`."""
        with _waiting():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _waiting() -> Iterator[None]:
    """An interrupt that comes meanwhile comes afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # no Unix: a process that is starting may say that it was interrupted
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begun() -> None:
    """In a new process: an interrupt kills it, one that has waited at once; Python would print where it was."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)
