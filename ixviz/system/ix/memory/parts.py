"""Lines and caches as components of the machine, so that they can be marked, looked into and named in expressions.
Invariant: they have no slots, so no event writes them; what they say is computed, at a cursor up to its event."""

from __future__ import annotations

from typing import Any

from ixviz.history import Component, Slots
from ixviz.system.ix.memory.books import Books
from ixviz.system.ix.memory.memory import Memory


class Counted(Component):
    """What is counted for each line and for each core's cache, summed up to the batches that have begun."""

    memory: Memory  # of a live machine; a cursor's view asks its history for it

    def _books(self) -> Books | None:
        cursor = self.__dict__.get("_source")
        if cursor is None:
            return self.memory.books()
        memory: Memory | None = cursor.history.__dict__.get("memory")
        return memory.at(memory.begun(cursor.at)) if memory is not None else None  # None: a history without its machine

    def _count(self, key: str) -> int:
        books = self._books()
        return books.count(self.name, key) if books is not None else 0

    @property
    def accesses(self) -> int:
        """Reads and writes."""
        return self._count("accesses")

    @property
    def hits(self) -> int:
        """Found in the core's own cache."""
        return self._count("hits")

    @property
    def misses(self) -> int:
        """Accesses whose data were not in the core's own cache."""
        return self._count("misses")

    @property
    def transfers(self) -> int:
        """Data supplied by another core's cache, which had the line to itself."""
        return self._count("transfers")

    @property
    def invalidations(self) -> int:
        """Copies that other cores lost to a write."""
        return self._count("invalidations")

    @property
    def upgrades(self) -> int:
        """Hits that wrote to a shared copy, so that the others had to be told."""
        return self._count("upgrades")

    @property
    def writebacks(self) -> int:
        """Times memory was given a changed line."""
        return self._count("writebacks")

    @property
    def memory_reads(self) -> int:
        """Data that came from memory."""
        return self._count("memory_reads")


class CoreCache(Counted):
    """The private cache of a core, as far as coherence sees it."""


class OwnLine(Counted):
    """A cache line that one core has to itself."""


class SharedLine(Counted):
    """A cache line that all cores read, and none writes."""


class PoolLine(Counted):
    """The lock of the shared pool of mbufs and its list of chunks, on one cache line."""

    @property
    def refills(self) -> int:
        """Chunks of 128 mbufs that a core fetched."""
        books = self._books()
        return sum(books.refills) if books is not None else 0

    @property
    def give_backs(self) -> int:
        """Chunks of 128 mbufs that a core gave back."""
        books = self._books()
        return sum(books.gives) if books is not None else 0


def put_in(slots: Slots, memory: Memory, history: Any) -> None:
    """Add them to a machine, behind all that acts in it; `history` is that of a recorded one, else None."""
    for core in range(memory.cores):
        slots.add(CoreCache, f"cache{core}", memory=memory)
    for name in memory.names:
        cls = {"arp": SharedLine, "mempool": PoolLine}.get(name, OwnLine)
        slots.add(cls, name, memory=memory)
    if history is not None:
        history.__dict__.update(memory=memory)
