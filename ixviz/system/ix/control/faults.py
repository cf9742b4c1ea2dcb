"""What can be wrong with a migration: each breaks one rule of the protocol (facts 1.8), for lessons that ask which.
Invariant: nothing else of the machine differs, and nothing in it tells which fault it has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ixviz.machine.reta import NAMES
from ixviz.system.ix.control.migration import Migration
from ixviz.system.ix.control.rebalance import Move


def local_first(migration: Migration) -> None:
    """The target empties its local queue before the remote one: packets overtake others of their connection."""
    migration.__dict__["_ordered"] = lambda: migration.local_ids + migration.remote_ids


def early_reta(migration: Migration) -> None:
    """The RETA is rewritten with the command: until the source sees it, two threads work on one connection."""
    migration.__dict__["command"] = partial(_command_and_rewrite, migration)


def _command_and_rewrite(migration: Migration, move: Move, now: int, cause: int = -1) -> None:
    Migration.command(migration, move, now, cause)
    queue = migration.threads[move.target].queues[0]
    for number in move.groups:
        migration.feed.intake.reta[number] = queue
        setattr(migration.reta, NAMES[number], queue)


def keeps_polled(migration: Migration) -> None:
    """The source goes on with packets that it polls in transition: the target gets the later ones at the same time."""
    migration.__dict__["sort"] = partial(_sort_but_source, migration)


def _sort_but_source(migration: Migration, thread: Any, numbers: Sequence[int]) -> list[int]:
    if thread.number + 1 == migration.source:
        return list(numbers)
    return Migration.sort(migration, thread, numbers)
