"""The NIC: RX rings that drop when full, the software list behind each, ports, TX rings, the RETA.
Invariant: arrived = dropped + in rings + in lists + taken by cores, at every event."""

from __future__ import annotations

from ixviz.history import Component, field


class RxRing(Component):
    """An RX descriptor ring. Heads and tails only grow; `depth` = tail - head <= capacity."""

    head: int = field(doc="packets that have left the ring")
    tail: int = field(doc="packets that got a place in the ring")
    drops: int = field(doc="packets that found the ring full")
    deepest: int = field(doc="most packets at one time", hidden=True)
    capacity: int = field(doc="descriptors", hidden=True, constant=True)

    @property
    def depth(self) -> int:
        """Packets in the ring."""
        return self.tail - self.head


class RxList(Component):
    """The software list between ring and TCP. Capacity 0: there is none, batches come from the ring."""

    head: int = field(doc="packets taken into a batch")
    tail: int = field(doc="packets moved here from the ring")
    drops: int = field(doc="packets that found the list full")
    deepest: int = field(doc="most packets at one time", hidden=True)
    capacity: int = field(doc="mbufs", hidden=True, constant=True)

    @property
    def depth(self) -> int:
        """Packets in the list."""
        return self.tail - self.head


class Port(Component):
    """One port and its TX wire. What was sent over it is counted where it is posted, at the TX rings."""

    wire_free: int = field(unit="ps", doc="when the TX wire is free again", hidden=True)


class TxRing(Component):
    """A core's TX ring: frames are posted during a turn and handed over by one doorbell at its end."""

    posted: int = field(doc="frames posted")
    doorbells: int = field(doc="times the doorbell was rung")
    stalls: int = field(doc="turns that waited for free descriptors")
    capacity: int = field(doc="descriptors", hidden=True, constant=True)


class Nic(Component):
    """Totals of the NIC."""

    arrived: int = field(doc="frames that arrived")
