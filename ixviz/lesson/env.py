"""What names mean over one run at one event, or at its end.

Invariant: at an event nothing later can be read; figures of the whole run exist only at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ixviz.history import Cursor
from ixviz.lesson import figures
from ixviz.lesson.expr import Column, ExprError, Kind, Value, none, number, text, time
from ixviz.lesson.expr.errors import suggestion
from ixviz.lesson.tables import RunRow, RunTable, table_of

if TYPE_CHECKING:
    from ixviz.lesson.runs import Runs

TABLES = ("packets", "batches", "requests")
CONTROL = ("decisions", "migrations")  # further tables of a run with a control plane
ACCESSES = "accesses"  # the table of a trace, which has none of the others
_UNITS = {"ps": Kind.TIME, "B": Kind.SIZE}


class RunEnv:
    """One run, just after `event` (None: at its end). `cursor` is a shared one for scanning; it has to stand there.

    `ahead` are names that may be read as they will be (`given` of an open prediction), and where from. `parts` are the
    only components it knows, where somebody has found that no other is asked for (reads.py).
    """

    def __init__(self, runs: Runs, name: str, event: int | None, cursor: Cursor | None = None) -> None:
        self.runs, self.name, self.event = runs, name, event
        self.ahead: tuple[frozenset[str], RunEnv] | None = None
        self.parts: Mapping[str, Any] | None = None
        self._cursor = cursor
        self._tables: dict[str, RunTable | None] = {}

    # ------------------------------------------------------------------------------------------- where we are
    def sim(self) -> Any:
        """The simulation: recorded up to the event, or the whole run."""
        if self.event is None:
            return self.runs.whole(self.name)
        return self.runs.recorded(self.name, self.event + 1)

    def cursor(self) -> Cursor:
        """A cursor at the event."""
        assert self.event is not None
        if self._cursor is None:
            self._cursor = self.sim().history.cursor(self.event)
        return self._cursor

    def component(self, name: str) -> Any:
        """The component of this name here, to be read; None if there is none (yet)."""
        if self.event is None:
            return self.sim().slots.by_name.get(name)
        try:
            return self.cursor().view[name]
        except KeyError:
            return None

    def components(self) -> Mapping[str, Any]:
        """All components by name, with their classes: at an event those that are recorded."""
        if self.parts is not None:
            return self.parts
        sim = self.sim()
        return {p.name: p.cls for p in (sim.slots if self.event is None else sim.history).places}

    # ------------------------------------------------------------------------------------------- Env
    def lookup(self, name: str) -> Value | None:
        """See Env.lookup."""
        if self.ahead is not None and name in self.ahead[0]:
            return self.ahead[1].lookup(name)
        if name == "time":
            return time(self.sim().now if self.event is None else self.cursor().time)
        if name == "nic.drops":
            return number(sum(self.component(n).drops for n, c in self.components().items() if "drops" in c.FIELDS))
        # No component has one of these names. The machine is asked last: figures may be known where it was not run.
        if name in figures.NAMES:
            if self.event is not None:
                return none(f"{name} is a figure of the whole run, which is not over")
            return figures.figure(self.runs.metrics(self.name), name)
        found = figures.scenario_value(self.runs.scenario(self.name), name)
        if found is None and name.startswith("system.cost."):
            found = figures.cost(self.runs.facts(self.name), name)
        return self._field(name) if found is None else found

    def alias(self, name: str) -> str:
        """`rxlist` for the list behind the ring, where there is one."""
        if name != "rxlist" and not name.startswith("rxlist."):
            return name
        lists = [each for each in self.components() if ".rxlist" in each]
        return lists[0] + name.removeprefix("rxlist") if len(lists) == 1 else name

    def _field(self, name: str) -> Value | None:
        name = self.alias(name)
        classes = self.components()
        if name in classes:
            return text(name)
        owner, _, key = name.rpartition(".")
        cls = classes.get(owner)
        if cls is None:
            return None
        declared = cls.FIELDS.get(key)
        if declared is None and not isinstance(getattr(cls, key, None), property):
            known = [*cls.FIELDS, *(n for n, part in vars(cls).items() if isinstance(part, property))]
            raise ExprError(f"{owner} has no {key}{suggestion(key, known)}")
        data = getattr(self.component(owner), key)
        if declared is not None and declared.values:
            return text(declared.values[data], declared.values)
        return Value(_UNITS.get(declared.unit, Kind.NUMBER) if declared is not None else Kind.NUMBER, data)

    def table(self, name: str) -> RunTable | None:
        """See Env.table. Packets of a whole run need a record of it, which is made then."""
        if name not in self.tables():
            return None
        if name not in self._tables:
            try:
                found = self.sim().table(name, self.event)
            except ValueError:
                found = None
                if self.event is None and name == "packets":
                    found = self.runs.recorded_to_end(self.name).table(name)
            self._tables[name] = None if found is None else table_of(found)
        return self._tables[name]

    def tables(self) -> tuple[str, ...]:
        """The tables that a run like this one can have."""
        scenario = self.runs.scenario(self.name)
        if str(scenario.workload.kind) == "none":
            return (ACCESSES,)
        return (*TABLES, *CONTROL) if getattr(scenario.system, "control", None) is not None else TABLES

    def row(self, table: str, number: int) -> RunRow | None:
        """See Env.row."""
        found = self.table(table)
        if found is None:
            return None
        at = int(found.positions(np.array([number]))[0])
        return found.row(at) if at >= 0 else None

    def series(self, name: str) -> Column | None:
        """See Env.series; times in ps are the weights."""
        owner, _, key = self.alias(name).rpartition(".")
        cls: Any = self.components().get(owner)
        if cls is None or key not in cls.FIELDS:
            return None
        sim = self.sim() if self.event is not None else self.runs.recorded_to_end(self.name)
        history = sim.history
        place = next(p for p in history.places if p.name == owner)
        last = len(history) - 1 if self.event is None else self.event
        end = sim.now if self.event is None else history.event(last).time
        _, times, values = history.series(place.base + list(cls.FIELDS).index(key), 0, last)
        starts, held = np.concatenate([[0], times]), np.concatenate([[0], values])
        weights = np.diff(np.append(starts, end))
        if len(times) and times[0] == 0:  # what a slot was before its run began is no value of it
            began = int(np.searchsorted(times, 0, side="right"))
            held, weights = held[began:], weights[began:]
        declared = cls.FIELDS[key]
        kind = Kind.TEXT if declared.values else _UNITS.get(declared.unit, Kind.NUMBER)
        return Column(held, kind, None, declared.values or None, weights)

    def call(self, function: str, name: str) -> Value | None:
        """`waiting(x)`: packets in a ring or list, or in batches that are in a stage now."""
        if function != "waiting":
            return None
        classes = self.components()
        rings = {each for each, cls in classes.items() if {"head", "tail"} <= set(cls.FIELDS)}
        plain = self.alias(name)
        lists = [each for each in rings if ".rxlist" in each]
        if plain == "rxlist" and lists:
            return number(sum(self.component(each).depth for each in lists))
        if plain in rings:
            return number(self.component(plain).depth)
        cores = {each: cls.FIELDS["stage"].values for each, cls in classes.items() if "stage" in cls.FIELDS}
        stages = {word for words in cores.values() for word in words} - {"idle"}
        inside = {name} & stages or {word for word in stages if word.startswith(name + "_")}
        if not inside:
            known = sorted([*rings, *(["rxlist"] if lists else []), *stages])
            raise ExprError(f"nothing waits in {name}{suggestion(name, known)}")
        total = 0
        for each, words in cores.items():
            core = self.component(each)
            total += core.size if words[core.stage] in inside else 0
        return number(total)

    def run(self, name: str) -> Any:
        """See Env.run; a run by itself knows no other."""
        return None

    def names(self) -> Iterable[str]:
        """See Env.names."""
        fields = [f"{name}.{key}" for name, cls in self.components().items() for key in (*cls.FIELDS, "depth")
                  if hasattr(cls, key) or key != "depth"]  # fmt: skip
        scenario = figures.scenario_names(self.runs.scenario(self.name))
        return [*fields, *self.components(), *scenario, "system.cost.batch", "system.cost.packet", *figures.NAMES,
                "time", "nic.drops", "rxlist", *self.tables()]  # fmt: skip
