"""What can be wrong with an IX machine: the faults a lesson may put in, each with the hook by which build does so.
Invariant: a machine without a fault runs none of this; with one, watched and unwatched agree as they do without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ixviz.machine.nic import Port
from ixviz.system.faults import Fault
from ixviz.system.ix.dataplane import Dataplane
from ixviz.system.ix.turn import QUIESCENT

FILL = 16  # packets that a core which fills its batches waits for
PATIENCE = 100_000_000  # ps; 100 µs after the first came it begins with what there is
LATE = 20_000_000  # ps; 20 µs from a slow doorbell to the NIC
FEW = 4  # descriptors of a small ring


def _as_it_is(core: Dataplane) -> None:
    """Leaves a thread alone."""


def _full_size(number: int, capacity: int) -> int:
    return capacity


@dataclass(frozen=True)
class IxFault(Fault):
    """A fault of this system. `put_in` changes a thread that is built; `ring` gives the descriptors of RX ring `number`
    whose scenario says `capacity`; `bulk`: unwatched, whole turns may still run in lanes."""

    put_in: Callable[[Dataplane], None] = _as_it_is
    ring: Callable[[int, int], int] = _full_size
    bulk: bool = False


# Methods of one thread are replaced, not its class: the parts of a machine with a fault look like those of any other.
def _fill_batches(core: Dataplane) -> None:
    if core.number == 0:
        core._poll = partial(_poll_when_full, core)  # type: ignore[method-assign]


def _poll_when_full(core: Dataplane, now: int) -> None:
    """A poll that takes nothing before a batch's worth is there; what came is moved to the list and stays in it."""
    feed = core.feed
    if core.journal is None:
        feed.advance(now)
    waiting = sum(len(feed.ids[q]) for q in core.queues)
    if waiting == 0 or waiting >= min(FILL, core.bound) or _patient_until(core) <= now:
        Dataplane._poll(core, now)
        return
    if core.journal is not None:
        core._event(now, QUIESCENT)
    for q, ring, rxlist in zip(core.queues, core.rings, core.lists, strict=True):
        if rxlist.capacity and ring.tail != ring.head:
            core._move(q, ring, rxlist, now)
    core._rest(now)
    core.alarm.arm(_patient_until(core))  # a packet that comes before wakes it too


def _patient_until(core: Dataplane) -> int:
    """When (ps) the packet that has waited longest in front of the core has waited enough."""
    feed = core.feed
    return PATIENCE + min(int(feed.packets.arrives[feed.ids[q][0]]) for q in core.queues if feed.ids[q])


def _ring_late(core: Dataplane) -> None:
    def answer_alike(now: int, ready: int, wire: int) -> None:
        Dataplane._answer_alike(core, now, ready + LATE, wire)

    def answer(now: int, ready: int) -> None:
        Dataplane._answer(core, now, ready + LATE)

    def room_at(port: Port, wire: int) -> int:
        return Dataplane._room_at(core, port, wire) - LATE

    core.__dict__.update(_answer_alike=answer_alike, _answer=answer, _room_at=room_at)


def _core0(sim: Any) -> tuple[str, ...]:
    return (sim.threads[0].name,)


def _tx_rings(sim: Any) -> tuple[str, ...]:
    return tuple(thread.tx.name for thread in sim.threads)


def _q0(sim: Any) -> tuple[str, ...]:
    return ("nic.q0",)


def _small_q0(number: int, capacity: int) -> int:
    return min(FEW, capacity) if number == 0 else capacity


_ALL = (
    IxFault(
        "fills-batches",
        "A core that finds packets begins at once, with what is there.",
        "Core 0 begins when 16 packets wait in front of it (or B, if that is less), or 100 µs after the first came.",
        _core0,
        put_in=_fill_batches,
    ),
    IxFault(
        "slow-doorbell",
        "Frames go to the wire at the doorbell, as soon as it is free.",
        "The NIC looks at a TX ring 20 µs after its doorbell was rung.",
        _tx_rings,
        put_in=_ring_late,
    ),
    IxFault(
        "small-ring",
        "Every RX ring has as many descriptors as the scenario says.",
        "Ring q0 has 4, and drops what comes when they are taken.",
        _q0,
        ring=_small_q0,
        bulk=True,
    ),
)
FAULTS: Mapping[str, IxFault] = {fault.id: fault for fault in _ALL}

__all__ = ["FAULTS", "IxFault"]
