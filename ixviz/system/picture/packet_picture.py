"""What pictures of systems with packets do alike: where a run opens, whom an event is about, what is known of a packet.
Invariant: no method reads what happened after the moment; nothing here knows one system."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ixviz.draw.cells import Line, Span, line
from ixviz.draw.numbers import duration
from ixviz.machine.wire import PS, wire_ps
from ixviz.system.picture.any_picture import AnyPicture
from ixviz.system.picture.moments import Moment, Rows
from ixviz.system.picture.shown import Knob
from ixviz.system.picture.words import plural
from ixviz.workload.kinds import NAMES

RETA, LINES = "nic.reta", "cache lines"  # marks that ask for another view of the machine
RATE_OVER = 32  # packets over which the rate of arrivals is taken
WAY = "ring to doorbell"  # of a packet: from when it stands in its ring until its answer is handed to the NIC
KNOBS = (Knob("machine.nic.ring", "64", "packets that find room in a ring"),
         Knob("workload.rate", "2 M/s", "requests a second"))  # fmt: skip
GLOSSARY = (
    ("ring", "where the NIC puts packets, one for each core; when full it drops"),
    ("flow", "the packets of one connection; all come to the same ring"),
    ("p50, p99", "50 and 99 of 100 latencies are below it"),
    ("M/s", "million a second"),
)


class PacketPicture(AnyPicture):
    """A picture of threads that take packets out of rings. `cell`: see AnyPicture."""

    parts: tuple[str, ...] = ("rings",)  # attributes of a thread with components whose events are its own too

    noun, came, stays, gone, late = "packet", "has arrived", "is still here", "left", "leave so late"
    following, group, arrived, way = "packet", "batch", "arrived", WAY
    condition = "nic.q0.depth >= 5"
    knobs: tuple[Knob, ...] = KNOBS
    views = {"machine": "", "cache lines": LINES, "flow groups": RETA}
    fixed = ("machine.cores", "machine.hyperthreads", "machine.nic.queues", "machine.nic.ports", "machine.profile")
    glossary: tuple[tuple[str, str], ...] = GLOSSARY

    def __init__(self, sim: Any, cell: int) -> None:
        self.sim = sim
        self._rows = Rows(sim)
        self.cores = len(sim.threads)
        self.cell = cell

    def opening(self) -> int:
        """The event a run opens on: the first packet's arrival, else the first event."""
        events = self.sim.feed.packets.event
        return events[1] if len(events) > 1 else 0

    def origin(self, moment: Moment) -> int:
        """Where the first page of the lanes begins (ps): just before the first arrival, once that has happened."""
        if not moment.packets:
            return moment.now
        first: int = self.sim.feed.packets.arrives[1]
        round_ = 10 * self.cell
        return first if first % round_ == 0 else max(0, first - self.cell)

    def sizes(self, moment: Moment, core: int, most: int) -> list[int]:
        """Packets of the last `most` batches that a core (an index) has begun."""
        number = self.sim.threads[core].number
        begun = moment.begun(number)
        return [self.sim.batches.size[r] for r in self._rows.of(number)[max(0, begun - most) : begun]]

    def packet_here(self, moment: Moment) -> int | None:
        """The packet that the present event is about: it arrived, or a core is at it. None before any."""
        packet = moment.packet_of(moment.at)
        if packet is None:
            packet = self._worked_on(moment, self._subject(moment))
        return packet if packet is not None else moment.packets or None

    @abstractmethod
    def _worked_on(self, moment: Any, name: str) -> int | None:
        """The packet that the component `name` works on, None if it works on none."""

    def core_here(self, moment: Moment) -> int:
        """The core (as an index) that the present event is about: it acts, or something befalls one of its `parts`."""
        name = self._subject(moment)
        for i, thread in enumerate(self.sim.threads):
            if thread.name == name or any(part.name == name for key in self.parts for part in getattr(thread, key)):
                return i
        return 0

    def owners(self, part: str, names: Sequence[str]) -> list[str]:
        """See AnyPicture.owners; a ring belongs to the core that polls it, not to the NIC, a stage to every core."""
        whole = self._named(part)
        if not whole:
            cores = [thread.name for thread in self.sim.threads]
            return [name for name in names if name in cores]
        found = {t.name for t in self.sim.threads for key in self.parts for x in getattr(t, key) if x.name in whole}
        found.update(name for name in super().owners(part, names) if name != "nic")
        return [name for name in names if name in found]

    def _subject(self, moment: Moment) -> str:
        """The component that the present event is about."""
        history = self.sim.history
        return str(history.places[history.event(moment.at).subject].name)

    def _arrival(self, moment: Moment, packet: int) -> tuple[int, int, str]:
        """(event, time ps, words) of a packet's arrival: the head of its journey."""
        table = self.sim.feed.packets
        queue = f"q{table.queue[packet]}"
        words = f"{queue} is full: dropped" if moment.dropped(packet) else f"arrives in {queue}"
        return table.event[packet], table.arrives[packet], words

    def journey(self, moment: Any, packet: int, *, ahead: bool = False) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all that happened to a packet up to the moment; `ahead`: as far as recorded."""
        moment = self._told(moment, packet, ahead)
        if moment is None:
            return []
        row = moment.batch_of(packet)
        return [self._arrival(moment, packet), *(self._way(moment, packet, row) if row is not None else ())]

    @abstractmethod
    def _way(self, moment: Any, packet: int, row: int) -> Iterable[tuple[int, int, str]]:
        """The same from when it was taken, in a group (a row) of packets."""

    def _facts(self, packet: int) -> list[tuple[str, str]]:
        """Name and value of what is known of a packet from its arrival on."""
        table = self.sim.feed.packets
        return [("flow", f"{table.flow[packet]:,}"), ("kind", NAMES[table.kind[packet]]),
                ("frame", f"{table.frame[packet]:,} B"), ("queue", f"q{table.queue[packet]}")]  # fmt: skip


def lately(moment: Moment) -> tuple[float | None, float | None]:
    """Packets a second that arrived lately, and how many of the last one's size all ports could bring; None: not known,
    and no limit."""
    packets, intake, n = moment.sim.feed.packets, moment.sim.feed.intake, moment.packets
    first = max(1, n - RATE_OVER + 1)
    came = packets.arrives[n] - packets.arrives[first] if n - first >= 3 else 0
    most = len(intake.ports) * PS / wire_ps(packets.frame[n], intake.rate) if intake.rate and n else None
    return (n - first) * PS / came if came else None, most


def latency_line(moment: Moment, room: int) -> Line:
    """`latency, ring to doorbell   p50 33 µs   p99 128 µs`, of the last packets that have left."""
    got = np.sort(moment.latencies(2_000))
    if not len(got):
        return line(Span("latency   no packet has left yet", "dim"))
    p50, p99 = int(got[(len(got) - 1) // 2]), int(got[max(0, -(-len(got) * 99 // 100) - 1)])
    of = f"of the last {len(got):,} packets" if len(got) == 2_000 else f"of {plural(len(got), 'packet')}"
    words = f"latency, {WAY}   p50 {duration(p50, 1)}   p99 {duration(p99, 1)}"
    return line(f"{words}   {of}" if len(words) + 3 + len(of) <= room else words)


def row_names(threads: Sequence[Any], selected: int, room: int, rows: int) -> list[str]:
    """The components that the `rows` lines of a table with a head and a row a thread mean; `room` lines for threads."""
    n = len(threads)
    first = 0 if n <= room else min(max(selected - (room - 1) // 2, 0), n - room + 1)
    return ["", *(threads[min(first + i, n - 1)].name for i in range(rows - 1))]
