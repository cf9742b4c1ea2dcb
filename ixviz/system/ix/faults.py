"""What can be wrong with an IX machine: the faults a lesson may put in, each with the hook by which build does so.
Invariant: a machine without a fault runs none of this; with one, watched and unwatched agree as they do without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ixviz.machine.nic import Port
from ixviz.system.faults import Fault
from ixviz.system.ix.control import faults as control
from ixviz.system.ix.costs import APP, POLL, STAGES
from ixviz.system.ix.dataplane import Dataplane
from ixviz.system.ix.turn import LIMIT, PAGE_FAULT, QUIESCENT, STOPPED, WATCHDOG

FILL = 16  # packets that a core which fills its batches waits for
PATIENCE = 100_000_000  # ps; 100 µs after the first came it begins with what there is
LATE = 20_000_000  # ps; 20 µs from a slow doorbell to the NIC
FEW = 4  # descriptors of a small ring
LAST = 8  # batch from which on an application misbehaves
_CROSS_IN = STAGES.index("cross_in")


def _as_it_is(part: Any) -> None:
    """Leaves a part alone."""


def _full_size(number: int, capacity: int) -> int:
    return capacity


@dataclass(frozen=True)
class IxFault(Fault):
    """A fault of this system. `put_in` changes a thread that is built; `ring` gives the descriptors of RX ring `number`
    whose scenario says `capacity`; `move` changes the migrations of a control plane; `bulk`: unwatched, whole turns may
    still run in lanes."""

    put_in: Callable[[Dataplane], None] = _as_it_is
    ring: Callable[[int, int], int] = _full_size
    move: Callable[[Any], None] = _as_it_is
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
        type(core)._poll(core, now)
        return
    if core.journal is not None:
        core._event(now, QUIESCENT)
    for q, ring, rxlist in zip(core.queues, core.rings, core.lists, strict=True):
        if rxlist.capacity and ring.tail != ring.head:
            core._move(q, ring, rxlist, now)
    core._rest(now)
    if any(feed.ids[q] for q in core.queues):  # not all of it went to another thread
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


def _misbehave(kind: int, after: int, core: Dataplane) -> None:
    """From its LAST batch on core 0's application is stopped by an event of a kind, so long (ps) after it got it."""
    if core.number:
        return

    def wake(now: int) -> None:
        there = core.stage == POLL if core.journal is None else core.stage == APP and core.stalled
        if core.batch >= LAST and there:
            if not core.stalled and after:  # unwatched it has just crossed to ring 3
                core.stalled = now + after
                core.alarm.arm(core.stalled)
            else:
                _stop(core, now, kind)
            return
        type(core).wake(core, now)
        if core.batch < LAST or not core.works():
            return
        if core.journal is None:
            core.alarm.arm(core.next_end())
        elif core.stage == APP and after:
            core.stalled = now + after
            core.alarm.arm(core.stalled)
        elif core.stage == APP:
            _stop(core, now, kind)

    def next_end() -> int:
        if core.journal is None and core.batch >= LAST and not core.stalled:
            return core.end_of(core.cycles_to(_CROSS_IN))
        return type(core).next_end(core)

    core.__dict__.update(next_end=next_end, ends_by=kind)
    core.alarm.wake = wake


def _stop(core: Dataplane, now: int, kind: int) -> None:
    """The kernel has a thread back that its application would not give, and keeps it; what it had is not answered."""
    if core.journal is not None:
        if core.feed.next_at <= now:
            core.feed.advance(now)
        core._event(now, kind)
    core.stage = STOPPED
    core.busy += now - core.began
    core.began = now
    core.stalled = 0
    core.alarm.at = -1
    if core.sibling is not None:
        core._speeds(now, False)


def _core0(sim: Any) -> tuple[str, ...]:
    return (sim.threads[0].name,)


def _tx_rings(sim: Any) -> tuple[str, ...]:
    return tuple(thread.tx.name for thread in sim.threads)


def _q0(sim: Any) -> tuple[str, ...]:
    return ("nic.q0",)


def _migration(sim: Any) -> tuple[str, ...]:
    return ("migration",) if hasattr(sim, "control") else ()


def _targets(sim: Any) -> tuple[str, ...]:
    """Who gets groups by the scenario's own migrations; any thread may, where a policy decides."""
    return _movers(sim, {entry.to for entry in sim.script.entries} if getattr(sim, "script", None) else None)


def _sources(sim: Any) -> tuple[str, ...]:
    """Who gives groups by the scenario's own migrations: who had them at the start."""
    script = getattr(sim, "script", None)
    if script is None:
        return _movers(sim, None)
    cpus = sim.control.policy.steps[0].cpus
    return _movers(sim, {cpus[g % len(cpus)] for entry in script.entries for g in entry.groups})


def _movers(sim: Any, numbers: set[int] | None) -> tuple[str, ...]:
    if not hasattr(sim, "control"):
        return ()
    return tuple(t.name for t in sim.threads if numbers is None or t.number in numbers)


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
    IxFault(
        "stuck-application",
        "The application gives its thread back as soon as it has consumed the event conditions.",
        "From its 8th batch on that of core 0 does not. After 10 ms the watchdog interrupts the thread and stops it.",
        _core0,
        put_in=partial(_misbehave, WATCHDOG, LIMIT),
    ),
    IxFault(
        "writes-mbuf",
        "What has arrived is there for the application to read: mbufs are mapped read-only.",
        "In its 8th batch that of core 0 writes into one: a page fault in ring 3, and the thread is stopped.",
        _core0,
        put_in=partial(_misbehave, PAGE_FAULT, 0),
    ),
    IxFault(
        "local-before-remote",
        "A thread that gets flow groups takes the packets of its remote queue first, then those of the local one.",
        "It takes those of the local queue first.",
        _targets,
        move=control.local_first,
    ),
    IxFault(
        "reta-before-arm",
        "The RETA is rewritten when the groups are in transition, not before.",
        "It is rewritten with the command, before the thread that has the groups has seen it.",
        _migration,
        move=control.early_reta,
    ),
    IxFault(
        "two-owners",
        "A thread that gives flow groups hands on every packet of them that it still polls.",
        "It goes on with those as if they were its own.",
        _sources,
        move=control.keeps_polled,
    ),
)
FAULTS: Mapping[str, IxFault] = {fault.id: fault for fault in _ALL}

__all__ = ["FAULTS", "IxFault"]
