"""One cache line, with a state in each core's cache: what an access does, costs, and where its data come from.
Invariant: at most one copy is M, E or O; M or E is the only copy; hits + misses = accesses for each line and cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ixviz.history import Component, field
from ixviz.machine.protocol import BUS_RD, BUS_RDX, INVALID, STATES
from ixviz.machine.wire import PS

if TYPE_CHECKING:
    from ixviz.machine.lines import Lines

HIT, UPGRADE, TRANSFER, L3, MEMORY = range(5)  # where an access finds its data
_BITS = 62  # cores a word of `touched`


class Counts(Component):
    """What is counted for each line and for each core's cache; all of it where the access was that caused it."""

    accesses: int = field(doc="reads and writes")
    hits: int = field(doc="found in the core's own cache")
    transfers: int = field(doc="data supplied by another core's cache, which had the line to itself")
    invalidations: int = field(doc="copies that other cores lost to a write")
    upgrades: int = field(doc="hits that wrote to a shared copy, so that the others had to be told")
    writebacks: int = field(doc="times memory was given a changed line")
    memory_reads: int = field(doc="data that came from memory")
    waited: int = field(unit="cycles", doc="waited while the line was on its way to others")

    @property
    def misses(self) -> int:
        """Accesses whose data were not in the core's own cache."""
        return self.accesses - self.hits

    @property
    def l3_reads(self) -> int:
        """Data that came from the shared L3."""
        return self.misses - self.transfers - self.memory_reads


class Cache(Counts):
    """The private cache of a core, as far as coherence sees it."""


class Line(Counts):
    """A cache line. The state of each core's copy is in `core0`, `core1`, …; `Lines.add` makes lines.

    Accesses are by hardware threads, which are the cores unless hyperthreads share a cache: see Lines.
    """

    PER_THREAD: ClassVar[Sequence[tuple[str, Any]]] = ()  # further fields a thread has in it: prefix and declaration
    home: int
    what: int
    last: int
    path: int
    moved_from: int
    moved_to: int
    moved_by: int
    present: int
    busy: int
    lines: Lines
    copies: int  # the cores that have a copy, a bit each: follows from the states, is no slot

    def state(self, core: int) -> int:
        """The state of a core's copy, an index into STATES."""
        held: int = getattr(self, f"core{core}")
        return held

    def access(self, thread: int, write: bool, path: int = 0, now: int = -1) -> int:
        """A thread reads or writes the line on a code path. Returns the cycles until it has done so.

        With `now` (ps) an access that needs the bus waits while the line is on its way to others: accesses of several
        cores at one time are served one after the other.
        """
        lines = self.lines
        core = lines.cache_of[thread]
        name = lines.names[core]
        state = self.__dict__[name]
        row = (lines.protocol.writes if write else lines.protocol.reads)[state]
        mine = lines.caches[core]
        if row[2]:
            cycles = self._over_the_bus(core, name, state, row, mine, path, now)
        else:
            self.hits += 1
            mine.hits += 1
            if row[0] != state:
                setattr(self, name, row[0])
            cycles = lines.latencies.own
        self.last = core + 1
        self.path = path
        self.accesses += 1
        mine.accesses += 1
        return cycles

    def _over_the_bus(self, core: int, name: str, state: int, row: Any, mine: Cache, path: int, now: int) -> int:
        lines = self.lines
        giver, sharers, lost, written = self._heard(row[2], core)
        setattr(self, name, row[1] if sharers else row[0])
        if lost:
            self.invalidations += lost
            mine.invalidations += lost
        if written:
            self.writebacks += 1
            mine.writebacks += 1
        if state != INVALID:
            self.hits += 1
            mine.hits += 1
            self.upgrades += 1
            mine.upgrades += 1
            cycles = lines.latencies.upgrade
        else:
            cycles = self._fetched(core, mine, giver, path)
        if now < 0:
            return cycles
        start = max(now, self.busy)
        if start > now:
            wait = -(-(start - now) * lines.hz // PS)
            self.waited += wait
            mine.waited += wait
            cycles += wait
        self.busy = now + lines.ps(cycles)
        return cycles

    def _heard(self, bus: int, core: int) -> tuple[int, int, int, bool]:
        """All other copies hear the bus: who supplies (-1 nobody), copies there were, copies lost, memory updated."""
        giver, sharers, lost, written = -1, 0, 0, False
        names, heard, state_of = self.lines.names, self.lines.protocol.snoops[bus], self.__dict__
        others = copies = state_of["copies"]
        if core >= 0:
            others &= ~(1 << core)
            state_of["copies"] = copies | 1 << core
        while others:
            bit = others & -others
            others ^= bit
            other = bit.bit_length() - 1
            held = state_of[names[other]]
            sharers += 1
            to, supplies, updates = heard[held]
            if supplies:
                giver, written = other, updates
            if to != held:
                setattr(self, names[other], to)
                if to == INVALID:
                    lost += 1
                    state_of["copies"] ^= bit
        return giver, sharers, lost, written

    def _fetched(self, core: int, mine: Cache, giver: int, path: int) -> int:
        lines = self.lines
        word, bit = f"touched{core // _BITS}", 1 << core % _BITS
        setattr(self, word, self.__dict__[word] | bit)
        if giver >= 0:
            self.transfers += 1
            mine.transfers += 1
            self.moved_from, self.moved_to, self.moved_by = giver + 1, core + 1, path
            return lines.latencies.transfer
        if lines.l3 and self.present:
            return lines.latencies.l3
        self.present = 1
        self.memory_reads += 1
        mine.memory_reads += 1
        return lines.latencies.memory

    def bulk(self, thread: int, reads: int, writes: int, path: int = 0, now: int = -1) -> int:
        """`reads` reads, then `writes` writes of one thread with nobody in between: what that many `access` do."""
        cycles = 0
        for write, times in ((False, reads), (True, writes)):
            if times > 0:
                cycles += self.access(thread, write, path, now) + (times - 1) * self.lines.latencies.own
            if times > 1:  # the first has made all others hits
                mine = self.lines.caches[self.lines.cache_of[thread]]
                for counted in (self, mine):
                    counted.accesses += times - 1
                    counted.hits += times - 1
        return cycles

    def outcome(self, thread: int, write: bool) -> int:
        """Where an access would find its data now: HIT, UPGRADE, TRANSFER, L3 or MEMORY. Changes nothing."""
        lines = self.lines
        core = lines.cache_of[thread]
        state = self.state(core)
        row = (lines.protocol.writes if write else lines.protocol.reads)[state]
        if state != INVALID:
            return UPGRADE if row[2] else HIT
        heard = lines.protocol.snoops[row[2]]
        if any(heard[self.state(other)][1] for other in range(lines.cores) if other != core):
            return TRANSFER
        return L3 if lines.l3 and self.present else MEMORY

    def evict(self, core: int) -> bool:
        """A core's copy makes room for another line. Returns whether memory was given the line."""
        state = self.state(core)
        written: bool = self.lines.protocol.evicts[state]
        if written:
            self.writebacks += 1
            self.lines.caches[core].writebacks += 1
        if state != INVALID:
            setattr(self, f"core{core}", INVALID)
            self.__dict__["copies"] ^= 1 << core
        return written

    def dma(self, write: bool) -> None:
        """A device reads or writes the line through the shared L3. Cores lose or share their copies, uncounted."""
        self._heard(BUS_RDX if write else BUS_RD, -1)
        self.present = 1

    def recount(self) -> None:
        """After the states have been loaded: which cores have a copy."""
        self.copies = sum(1 << i for i in range(self.lines.cores) if self.state(i) != INVALID)

    def touched(self, core: int) -> bool:
        """Whether a core ever had the line."""
        return bool(getattr(self, f"touched{core // _BITS}") >> core % _BITS & 1)

    @staticmethod
    def touched_by(core: int) -> dict[str, int]:
        """The fields of a line that only this core ever had."""
        return {f"touched{core // _BITS}": 1 << core % _BITS}


_MADE: dict[Any, Any] = {}


def line_class(base: type[Line], cores: int, threads: int, paths: tuple[str, ...], kinds: tuple[str, ...]) -> Any:
    """The class of the lines of a machine with so many caches and threads, made once: states first, then the counts."""
    key = base, cores, threads, paths, kinds
    made: Any = _MADE.get(key)
    if made is not None:
        return made
    who = ("nobody", *(f"core{i}" for i in range(cores)))
    fields: dict[str, Any] = {
        "home": field(values=who, doc="the core it is meant for"),
        "what": field(values=("line", *kinds), doc="what it holds"),
        "last": field(values=who, doc="who accessed it last"),
        "path": field(values=("none", *paths), doc="on which code path"),
        "moved_from": field(values=who, doc="whose cache supplied it at the last transfer"),
        "moved_to": field(values=who, doc="to whom"),
        "moved_by": field(values=("none", *paths), doc="on which code path"),
        "present": field(values=("no", "yes"), doc="whether the shared L3 has it", hidden=True),
        "busy": field(unit="ps", doc="until when it is on its way to a core", hidden=True),
    }
    fields |= {f"touched{i}": field(doc="cores that ever had it, a bit each", hidden=True)
               for i in range((cores + _BITS - 1) // _BITS)}  # fmt: skip
    for prefix, declared in base.PER_THREAD:
        fields |= {f"{prefix}{i}": declared for i in range(threads)}
    states = {f"core{i}": field(values=STATES, doc=f"state of core {i}'s copy") for i in range(cores)}
    made = _MADE[key] = type(f"{base.__name__}Of{cores}", (base,), {**states, **fields, "__doc__": base.__doc__})
    made.FIELDS = {**{name: made.FIELDS[name] for name in states}, **made.FIELDS}
    # A history file finds the class again by its name, so what it is made for is in it.
    made.__module__ = base.__module__
    made.__qualname__ = f"{base.__qualname__}Of{cores}[{'|'.join((*paths, '', *kinds))}]"
    return made
