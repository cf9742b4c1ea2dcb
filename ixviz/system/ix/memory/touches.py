"""The cache lines of an IX dataplane by name, and how often a turn reads and writes each.
Invariant: what a turn touches follows from the packets it takes; the table here is the one place that says how."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ixviz.machine.line import Line
from ixviz.workload import kinds

# Reads and writes, by the stage that makes them [code: one loop of ix-project/ix; facts 1.3, 1.5]:
#   poll   qN.ring      a read a poll, a write of its head for a batch with frames of it (the read before is one of what
#                       the NIC has written), and for each frame a read of its descriptor and a write of a fresh one
#          qN.list      a write for each frame that is put into it, one for each that is taken
#          coreN.pool   a write for each fresh mbuf, one for each sent frame's that comes back from the TX ring
#          txN.ring     a read for each sent frame that comes back
#   tcp    pcb          a read and a write a frame
#          coreN.events a write a frame: its event condition
#   app    coreN.events a read for each condition, a write for each batched call
#   calls  coreN.events a read for each call, a write for its return code
#          pcb          a read and a write a call
#          coreN.pool   a write for each mbuf that is done with, one for each that is sent
#          arp          a read for each frame that is sent
#   tx     txN.ring     a write for each frame that is sent
CALLS = tuple({kinds.DATA: 2, kinds.ACK: 0}.get(kind, 1) for kind in range(len(kinds.NAMES)))  # sendv and recv_done
FRAMES = tuple(map(int, kinds.ANSWERED))
POLL, TCP, APP, CALL, SEND = "poll", "tcp", "app", "calls", "tx"

PATHS = ("tcp", "refill", "give-back", "send")
TCP_PATH, REFILL, GIVE_BACK, SEND_PATH = range(1, 5)
KINDS = ("ring", "list", "events and calls", "local pool", "PCB", "PCBs", "lock and chunks", "ARP table, RCU")
STAGES = {  # in which stages of a turn a line of a kind is touched
    "ring": (POLL,), "list": (POLL,), "TX ring": (POLL, SEND), "events and calls": (TCP, APP, CALL),
    "local pool": (POLL, CALL), "PCB": (TCP, CALL), "lock and chunks": (POLL, CALL), "ARP table, RCU": (CALL,),
}  # fmt: skip


class RcuLine(Line):
    """A line that cores only read, and that the control plane, which is no core here, has read as well.

    So nobody has it alone: a reader gets it shared, from the L3 or from memory, and never from another core.
    """

    def _heard(self, bus: int, core: int) -> tuple[int, int, int, bool]:
        giver, sharers, lost, written = super()._heard(bus, core)
        return giver, sharers + 1, lost, written


class Own(NamedTuple):
    """A line that one core has to itself: what it holds, whose it is, the queue, thread or core in its name."""

    name: str
    what: str
    core: int
    number: int


@dataclass(frozen=True)
class Shape:
    """What decides which lines there are. `polls[t]` are the queues of hardware thread t; `lists`: whether there is a
    software list behind each ring."""

    cores: int
    polls: tuple[tuple[int, ...], ...]
    lists: bool

    @property
    def threads(self) -> int:
        """Hardware threads; thread t runs on core t mod `cores`, whose cache it uses."""
        return len(self.polls)

    @property
    def queues(self) -> int:
        """RX queues."""
        return sum(map(len, self.polls))

    @cached_property
    def poller(self) -> np.ndarray[Any, np.dtype[Any]]:
        """By queue: the hardware thread that polls it."""
        of = {q: t for t, queues in enumerate(self.polls) for q in queues}
        return np.array([of[q] for q in range(self.queues)], dtype=np.int64)

    @cached_property
    def own(self) -> tuple[Own, ...]:
        """The lines that one core has to itself, in the order of the stages; `coreN.pcbs` are all its connections."""
        out = []
        for t, queues in enumerate(self.polls):
            core = self.cache(t)
            for q in queues:
                out.append(Own(f"q{q}.ring", "ring", core, q))
                out += [Own(f"q{q}.list", "list", core, q)] if self.lists else []
            out.append(Own(f"core{t}.events", "events and calls", core, t))
            out.append(Own(f"core{t}.pool", "local pool", core, t))
            out.append(Own(f"tx{t}.ring", "TX ring", core, t))
        return (*out, *(Own(f"core{core}.pcbs", "PCBs", core, core) for core in range(self.cores)))

    def cache(self, thread: int) -> int:
        """The core whose cache a hardware thread uses."""
        return thread % self.cores
