"""How the flow groups are dealt over the hardware threads of a step, and which of them move for it.
Invariant: thread i of k gets 128 // k groups, and one more if i < 128 mod k; the fewest possible groups move [code]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Move(NamedTuple):
    """One command MIGRATE: these groups go from one thread to another."""

    source: int
    target: int
    groups: tuple[int, ...]


def shares(cpus: Sequence[int], groups: int) -> dict[int, int]:
    """How many of so many groups each thread gets."""
    least, more = divmod(groups, len(cpus))
    return {cpu: least + (i < more) for i, cpu in enumerate(cpus)}


def moves(owners: Sequence[int], cpus: Sequence[int]) -> list[Move]:
    """The commands that deal the groups over `cpus`, in order of source, then target. `owners` has each group's thread.

    A thread gives its groups with the highest numbers. ValueError without a thread.
    """
    if not cpus:
        raise ValueError("flow groups need a hardware thread")
    wanted = shares(cpus, len(owners))
    mine: dict[int, list[int]] = {}
    for group, owner in enumerate(owners):
        mine.setdefault(owner, []).append(group)
    short = [cpu for cpu in cpus for _ in range(wanted[cpu] - len(mine.get(cpu, ())))]
    made: dict[tuple[int, int], list[int]] = {}
    for source in sorted(mine):
        for group in mine[source][wanted.get(source, 0) :]:
            made.setdefault((source, short.pop(0)), []).append(group)
    return [Move(source, target, tuple(groups)) for (source, target), groups in sorted(made.items())]
