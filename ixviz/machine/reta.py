"""The redirection table (RETA): to which RX queue the NIC sends the frames of each flow group.
Invariant: at every event an entry names one queue; a frame's group is fixed by its hash, its queue by the entry."""

from __future__ import annotations

from collections.abc import Sequence

from ixviz.history import Component, field
from ixviz.machine.rss import RETA_SIZE

NAMES = tuple(f"g{i}" for i in range(RETA_SIZE))


class Reta(Component):
    """The entries `g0` … `g127`: the queue of each flow group (the low bits of the hash are its number)."""

    locals().update({name: field(doc=f"queue of flow group {name[1:]}", hidden=True) for name in NAMES})

    def queues(self) -> list[int]:
        """The queue of each group, in order of the groups."""
        return [getattr(self, name) for name in NAMES]


def filled(queues: Sequence[int]) -> dict[str, int]:
    """The fields of a RETA whose group i goes to `queues[i]`, for `Slots.add`."""
    return dict(zip(NAMES, queues, strict=True))
