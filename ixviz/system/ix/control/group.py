"""A flow group: which hardware thread owns it, and whether it is being moved.
Invariant: a group has exactly one owner, or is in transition from one thread to another and has none."""

from __future__ import annotations

from ixviz.history import Component, field

MOST = 512  # hardware threads of a machine
WHO = ("none", *(f"core{i}" for i in range(MOST)))  # a slot holds a thread's number + 1


class FlowGroup(Component):
    """`group19`: all connections whose hash ends in the same seven bits (facts 1.8)."""

    owner: int = field(values=WHO, doc="the thread whose connections these are")
    previous: int = field(values=WHO, doc="in transition: the thread that had it")
    target: int = field(values=WHO, doc="in transition: the thread that gets it")
    moving: int = field(values=("no", "yes"), doc="whether it is in transition")


class Waiting(Component):
    """`core1.remote`, `core1.local`: packets of groups in transition, until the target owns them."""

    head: int = field(doc="packets that went on to the software list")
    tail: int = field(doc="packets put in")

    @property
    def depth(self) -> int:
        """Packets that wait."""
        return self.tail - self.head
