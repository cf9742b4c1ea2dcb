"""All lines of a machine and the private caches of its cores; which fields share a line; what is counted.
Invariant: for each count the sum over lines = the sum over caches = the total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ixviz.history import Slots
from ixviz.machine.line import Cache, Counts, Line, line_class
from ixviz.machine.profile import Latencies
from ixviz.machine.protocol import MODIFIED, PROTOCOLS, STATES
from ixviz.machine.wire import PS

COUNTS = ("accesses", "hits", "misses", "transfers", "invalidations", "upgrades", "writebacks", "memory_reads")


class Lines:
    """All lines of a machine and the private caches of its cores (`cache0`, …), under one protocol.

    `paths` name the code paths by which lines are accessed, `kinds` what lines hold; `path(name)`, `kind(name)` are
    their numbers, 0 for none. `l3`: whether the cores share a third-level cache, which then has every line that was
    ever read. `hz` is the clock that cycles are of. `threads` of the hardware, None for as many as cores: thread i
    runs on core i mod `cores`, so hyperthreads share the core's cache; accesses and locks are by thread.
    """

    def __init__(self, slots: Slots, cores: int, latencies: Latencies, hz: int, *, protocol: str = "mesi",
                 paths: Iterable[str] = (), kinds: Iterable[str] = (), l3: bool = True,
                 threads: int | None = None) -> None:  # fmt: skip
        self.slots, self.cores, self.latencies, self.hz, self.l3 = slots, cores, latencies, hz, l3
        self.protocol: Any = PROTOCOLS[protocol]
        self.paths, self.kinds = tuple(paths), tuple(kinds)
        self.threads = threads or cores
        self.cache_of = tuple(i % cores for i in range(self.threads))
        self.names = tuple(f"core{i}" for i in range(cores))
        self.caches = [slots.add(Cache, f"cache{i}") for i in range(cores)]
        self.by_name: dict[str, Line] = {}
        self.of: dict[str, Line] = {}  # by the name of a field that lies on it

    def path(self, name: str) -> int:
        """The number of a code path; ValueError if it was not declared."""
        return self.paths.index(name) + 1

    def kind(self, name: str) -> int:
        """The number of a kind of line; ValueError if it was not declared."""
        return self.kinds.index(name) + 1

    def ps(self, cycles: int) -> int:
        """The time so many cycles take, ps, rounded up."""
        return -(-cycles * PS // self.hz)

    def add(self, name: str, base: type[Line] = Line, *, home: int = -1, what: str = "", held: int = -1,
            **wiring: Any) -> Any:  # fmt: skip
        """Make a line. `home`: the core it is meant for; `held`: the core that has it M from before time 0, uncounted.

        ValueError when the name is taken.
        """
        cls = line_class(base, self.cores, self.threads, self.paths, self.kinds)
        given: dict[str, Any] = {"home": home + 1, "what": self.kind(what) if what else 0, **wiring}
        given |= {"lines": self, "copies": 0}
        if held >= 0:
            given |= {f"core{held}": MODIFIED, "copies": 1 << held, "present": 1, **Line.touched_by(held)}
        line = self.by_name[name] = self.slots.add(cls, name, **given)
        return line

    def lay(self, layout: Layout, base: type[Line] = Line, **given: Any) -> None:
        """Make the lines of a layout (`given` as for `add`); `of[field]` is then the line that a field lies on."""
        for name, fields in layout.lines.items():
            line = self.by_name.get(name) or self.add(name, base, **given)
            self.of.update(dict.fromkeys(fields, line))

    def rebuild(self) -> None:
        """After slots have been loaded: take over the lines that were made while running."""
        for component in self.slots.components:
            if isinstance(component, Line):
                component.lines = self
                component.recount()
                self.by_name[component.name] = component

    def figures(self) -> dict[str, Any]:
        """The object `coherence` of `ixviz run --json`: totals, each core's, and those of each line ever accessed."""
        cores = [{"id": i, **_counts(c)} for i, c in enumerate(self.caches)]
        lines = [{"name": name, **_counts(x), "states": "".join(STATES[x.state(i)] for i in range(self.cores))}
                 for name, x in self.by_name.items() if x.accesses]  # fmt: skip
        totals = {key: sum(core[key] for core in cores) for key in COUNTS}
        return {**totals, "per_core": cores, "lines": lines}


class Layout:
    """Which fields share a line: `lines` has the fields of each line by its name. A field lies on one line only."""

    def __init__(self, lines: Mapping[str, Sequence[str]]) -> None:
        self.lines = {name: tuple(fields) for name, fields in lines.items()}
        fields = [each for of in self.lines.values() for each in of]
        twice = next((each for each in fields if fields.count(each) > 1), None)
        if twice is not None:
            raise ValueError(f"a field lies on two lines: {twice}")


def _counts(of: Counts) -> dict[str, int]:
    return {key: getattr(of, key) for key in COUNTS}
