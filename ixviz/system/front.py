"""What stands before the cores of every machine with packets: NIC, ports, RX rings, RETA, and who sends to them.
Invariant: the same scenario and seed build the same front, recorded or not; no system knows another's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ixviz.history import Journal, Slots
from ixviz.machine.agenda import Agenda
from ixviz.machine.nic import Nic, Port, RxRing
from ixviz.machine.profile import PROFILES, Profile
from ixviz.machine.reta import Reta, filled
from ixviz.machine.rss import default_reta
from ixviz.machine.wire import HEADERS
from ixviz.workload import kinds
from ixviz.workload.feed import Intake
from ixviz.workload.make import Made, make_feed


class Front(NamedTuple):
    """The front of a machine: `threads` are how many there will be behind it, `clock` in Hz, `reply_of` the bytes of
    the frame that answers a packet of a kind."""

    agenda: Agenda
    slots: Slots
    ports: Sequence[Port]
    rings: Sequence[RxRing]
    made: Made
    profile: Profile
    clock: int
    threads: int
    reply_of: Callable[[int, int], int]


def threads_of(scenario: Any) -> int:
    """Hardware threads of a machine: its cores, twice as many with hyperthreads."""
    return int(scenario.machine.cores) * (2 if scenario.machine.hyperthreads else 1)


def queues_of(scenario: Any) -> int:
    """Its RX queues: as many as it has hardware threads, if the scenario does not say."""
    return scenario.machine.nic.queues or min(threads_of(scenario), 256)


def front(scenario: Any, journal: Journal | None, capacity: float, bulk: bool,
          ring: Callable[[int, int], int] = lambda number, descriptors: descriptors) -> Front:  # fmt: skip
    """A scenario's front at time 0, with the first event of a new journal. `capacity`: packets per second at load 1;
    `bulk`: see make_feed; `ring(number, descriptors)`: how many RX ring `number` has."""
    machine, n_queues = scenario.machine, queues_of(scenario)
    profile, nic = PROFILES[machine.profile], machine.nic
    agenda = Agenda()
    if journal is not None and journal.count == 0:
        journal.event(0, 0, 0, -1)  # "start": the components come to be
    slots = Slots(journal)
    wire = slots.add(Nic, "nic")
    ports = [slots.add(Port, f"nic.port{i}") for i in range(nic.ports)]
    rings = [slots.add(RxRing, f"nic.q{i}", capacity=ring(i, nic.ring)) for i in range(n_queues)]
    reta = default_reta(n_queues, profile.reta)
    slots.add(Reta, "nic.reta", **filled(reta))
    intake = Intake(agenda, wire, ports, rings, reta, nic.rate, journal, [], [None] * n_queues)
    load = getattr(scenario.workload, "load", None)
    made = make_feed(scenario, intake, profile, None if load is None else load * capacity, bulk)
    return Front(agenda, slots, ports, rings, made, profile, machine.clock or profile.clock, threads_of(scenario),
                 partial(_reply, made))  # fmt: skip


def _reply(made: Made, number: int, kind: int) -> int:
    """Bytes of the frame that answers a frame: control frames are bare, messages as the application says."""
    if kind == kinds.SYN or kind == kinds.FIN:
        return HEADERS
    return made.reply_of(number)


def connect(scenario: Any, before: Front, threads: Sequence[Any]) -> None:
    """The threads are all there: hyperthreads learn of their siblings, the intake of the rings' numbers."""
    cores, feed = scenario.machine.cores, before.made.feed
    for one, other in zip(threads[:cores], threads[cores:], strict=False):
        one.sibling, other.sibling = other, one
    number = {c.name: i for i, c in enumerate(before.slots.components)}
    feed.intake.subject = [number[r.name] for r in before.rings]
    feed.connect(before.slots)
