"""Flows: their RSS hash, flow group and port; hashed for real, or dealt evenly over the queues.
Invariant: a flow has one group for life; a frame without a hash has none and goes to queue 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ixviz.machine import rss

Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Flows:
    """group int16 [n] (-1 = no hash) and port int16 [n], one entry a flow; `names` for the inspector, may be empty."""

    group: Ints
    port: Ints
    names: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.group)

    def group_of(self, flow: int) -> int:
        """The group of a flow, -1 for none (a frame that belongs to no flow has the number -1)."""
        return int(self.group[flow]) if flow >= 0 else -1


Made = Callable[[int, int], Flows]  # so many flows, from a number on


class Endless:
    """Flows without a last one, made in parts when one is asked for: each connection that opens has one of its own."""

    PART = 16_384

    def __init__(self, made: Made) -> None:
        self._made = made
        self._groups: list[int] = []  # of the flows made; lists, as each is asked for several times a frame
        self._ports: list[int] = []

    def at(self, flow: int) -> tuple[int, int]:
        """Group and port of a flow ≥ 0."""
        while flow >= len(self._groups):
            part = self._made(self.PART, len(self._groups))
            self._groups += part.group.tolist()
            self._ports += part.port.tolist()
        return self._groups[flow], self._ports[flow]


def from_hashes(hashes: Ints, ports: int, has_hash: Ints | None = None, names: Sequence[str] = ()) -> Flows:
    """Flows with these hashes: the low 7 bits choose the group, the bits above them the port of the bond."""
    group = (hashes & np.uint32(rss.RETA_SIZE - 1)).astype(np.int16)
    if has_hash is not None:
        group[~has_hash] = -1
    return Flows(group, ((hashes >> np.uint32(7)) % np.uint32(ports)).astype(np.int16), names)


def hashed(count: int, ports: int, start: int = 0) -> Flows:
    """`count` connections of 24 clients with consecutive ports, from the start-th on, through the real Toeplitz."""
    clients, many = 24, 64_000  # ports of a client; after them the first is used again, its connection long closed
    parts = []
    while count > 0:
        first, skip = divmod(start % (clients * many), clients)
        here = min(count, (many - first) * clients - skip)
        _, _, hashes = rss.tuples_for_clients(here + skip, clients=clients, first_port=1024 + first)
        parts.append(hashes[skip:])
        start += here
        count -= here
    return from_hashes(np.concatenate(parts) if parts else np.empty(0, dtype=np.uint32), ports)


def even(count: int, ports: int, reta: Sequence[int], queues: int, start: int = 0) -> Flows:
    """`count` connections dealt to the queues in turn, within a queue over its groups in turn, then over the ports."""
    entries = [[g for g, q in enumerate(reta) if q == queue] for queue in range(queues)]
    group = np.empty(count, dtype=np.int16)
    number = np.arange(start, start + count)
    for queue in range(queues):
        mine = number % queues == queue
        own = np.array(entries[queue], dtype=np.int16)
        if len(own):
            group[mine] = own[(number[mine] // queues) % len(own)]
        else:  # more queues than entries of the RETA: nothing can reach the rest
            group[mine] = number[mine] % len(reta)
    return Flows(group, (number // queues % ports).astype(np.int16))
