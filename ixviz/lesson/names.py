"""The names that an expression can use over one run, with kinds and a line of meaning: what `ixviz names` lists.

Invariant: a name is listed only after the run's own environment has answered to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ixviz.history import Journal
from ixviz.lesson import figures
from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import ExprError, Kind, Value, format_value
from ixviz.lesson.runs import Runs
from ixviz.scenario.simulate import simulate

_ALIKE, _MANY = 16, 64  # fields that differ in a number, and words, that are listed one by one
KINDS: Final[Mapping[Kind, str]] = {
    Kind.NUMBER: "number", Kind.TIME: "time", Kind.RATE: "rate", Kind.SIZE: "size", Kind.BITRATE: "bit rate",
    Kind.TEXT: "word", Kind.BOOL: "yes or no", Kind.NONE: "", Kind.ROW: "row", Kind.TABLE: "table",
}  # fmt: skip
FIGURES: Final[Mapping[str, str]] = {
    "packets.arrived": "packets that arrived in the whole run",
    "packets.delivered": "packets that were done with",
    "packets.dropped": "packets that found no place",
    "packets.in_flight": "packets on their way at the end",
    "requests.offered": "requests a second that were sent",
    "requests.completed": "requests a second that were answered",
    "latency.mean": "from request to answer; in an open loop from arrival to leaving",
    "latency.p50": "half of them took at most this long",
    "latency.p99": "99 of 100 took at most this long",
    "latency.max": "the slowest",
    "wait.mean": "from arrival to the poll that took the packet",
    "wait.p99": "99 of 100 waited at most this long",
    "batch.mean": "packets in a batch, the average",
    "batch.max": "packets in the largest batch",
    "coherence.accesses": "accesses of cores to cache lines, where they are modelled",
    "coherence.hits": "accesses that found the line in their own cache",
    "coherence.misses": "accesses that did not",
    "coherence.transfers": "lines that came from another core's cache",
    "coherence.invalidations": "copies that a write took from other caches",
    "coherence.upgrades": "writes to a line that was held shared",
    "coherence.writebacks": "lines written back to memory",
    "coherence.memory_reads": "lines that came from memory",
    "protection.crossings": "crossings between ring 3 and ring 0, each way one",
    "protection.copies": "copies of a payload between kernel and application",
    "protection.user_copies": "copies of a payload within the application",
    "protection.interrupts": "interrupts taken",
    "protection.wakes": "times a thread was woken from sleep",
    "protection.kernel_share": "share of the busy time in ring 0, 0 to 1",
    "protection.softirq_share": "share of the busy time in interrupts and softirqs",
    "protection.spin_share": "share of the busy time spinning for locks",
    "busy": "share of the time that the cores were at work, 0 to 1",
}
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "packets": {
        "id": "its number, from 1, in order of arrival",
        "arrives": "when it was whole in its ring",
        "queue": "the ring it was sent to, such as nic.q0",
        "flow": "its connection",
        "group": "its flow group, a row of the RETA",
        "kind": "what it is to TCP",
        "size": "bytes of the frame, a bare number",
        "dropped": "whether it found no place",
        "batch": "the batch that took it, none before",
        "core": "the core of this batch",
        "polled": "when this batch began",
        "leaves": "when it was done with: its answer is out",
        "latency": "from arrives to leaves",
        "place": "the component it is in now, none once it is gone",
    },
    "batches": {
        "number": "its number, from 1, in order of beginning on all cores",
        "core": "the core that ran it",
        "size": "packets in it",
        "begins": "when the poll took it",
        "ends": "when it was done, none before",
        "duration": "from begins to ends",
    },
    "requests": {
        "id": "its number, from 1, in order of sending",
        "connection": "the connection it went over",
        "due": "when its client wanted to send it",
        "sent": "when it was sent",
        "done": "when its answer was back, none before",
        "latency": "from sent to done",
        "packet": "the packet that carried it, none before it arrived",
    },
    "decisions": {
        "number": "its number, from 1",
        "time": "when it was taken, in the run's own time",
        "before": "the step before it",
        "after": "the step it asked for",
        "way": "up or down",
        "fast": "the fast queue, packets",
        "slow": "the slow queue, packets",
        "idle": "mean idleness of the threads, percent",
        "busiest": "the thread whose queue was the fast one",
        "groups": "flow groups that move for it",
        "ended": "when it was carried out, none before",
    },
    "migrations": {
        "number": "its number, from 1",
        "source": "the thread that gives the flow groups",
        "target": "the thread that gets them",
        "groups": "how many flow groups move",
        "commanded": "when the command was written",
        "armed": "when the source saw it and armed the timer, none before",
        "ending": "when a packet at the target or the timer ended the transition, none before",
        "ended": "when the target had the groups, none before",
        "timer": "whether the timer ended it",
        "remote": "packets that went through the remote queue",
        "local": "packets that went through the local queue",
        "listed": "of the remote ones: from the source's list",
    },
    "accesses": {
        "id": "its number, from 1, in the order of the trace",
        "core": "the core that made it",
        "kind": "read or write",
        "line": "its cache line, such as line40",
        "outcome": "what it found",
        "begins": "when it began",
        "ends": "when it was done, none before",
    },
}
FUNCTIONS: Final[Mapping[str, str]] = {
    "count(packets where …)": "how many rows; `where` may be left out everywhere",
    "mean, min, max, p50, p99": "of a column, over rows: p99(packets.latency where batch == 4)",
    "mean(core0.size)": "of a field of a component: over time, each value as long as it was held",
    "first(…), last(…)": "a row: last(batches).size",
    "packet(9), batch(3)": "a row by its number: packet(9).leaves",
    "abs(x), min(x, y), max(x, y)": "of values",
    "waiting(…)": "packets in a ring, in the lists (rxlist), or in batches in a stage",
}
_MORE: Final = {
    "time": "now, from the start of the run",
    "nic.drops": "packets dropped so far, by rings and lists",
    "rxlist": "short for the list behind the ring, where there is one",
}


@dataclass(frozen=True, slots=True)
class Name:
    """A name or a column. `value` is what it is in a scenario, `words` are those it may be compared with."""

    name: str
    kind: str
    doc: str = ""
    value: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Components of one class, or a table. `more`: others like these may come while the machine runs."""

    names: tuple[str, ...]
    doc: str
    fields: tuple[Name, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """All names of one run."""

    run: str
    components: tuple[Group, ...]
    now: tuple[Name, ...]
    scenario: tuple[Name, ...]
    figures: tuple[Name, ...]
    tables: tuple[Group, ...]
    waiting: tuple[str, ...]


def names_of(runs: Runs, run: str) -> Names:
    """The names over a run of a lesson. It is recorded a little for that. KeyError when there is no such run."""
    env = RunEnv(runs, run, 0)
    scenario = runs.scenario(run)
    costs = [f"system.cost.{part}" for part in ("batch", "packet")]
    values = [*figures.scenario_names(scenario), *(name for name in costs if env.lookup(name) is not None)]
    return Names(
        run=run,
        components=tuple(_components(env)),
        now=tuple(_name(name, env.lookup(name), doc) for name, doc in _MORE.items()
                  if env.lookup(env.alias(name)) is not None),
        scenario=tuple(_valued(name, env.lookup(name)) for name in values),
        figures=tuple(Name(name, _figure_kind(name), FIGURES[name]) for name in figures.NAMES),
        tables=tuple(_tables(env)),
        waiting=tuple(_waiting(env)),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------- components
def _components(env: RunEnv) -> Iterator[Group]:
    """Components that differ in their numbers only are one group."""
    fresh = simulate(env.runs.scenario(env.name), Journal())
    first = {place.name for place in fresh.history.places} if fresh.history is not None else set()
    families: dict[tuple[str, Any], list[str]] = {}
    for name, cls in env.components().items():
        families.setdefault((re.sub(r"\d+", "#", name), cls), []).append(name)
    for (_, cls), members in families.items():
        fields = tuple(_fields(env, members[0], cls))
        yield Group(tuple(members), _sentence(cls.__doc__), fields, any(name not in first for name in members))


def _fields(env: RunEnv, owner: str, cls: Any) -> Iterator[Name]:
    """What the inspector shows first, what is computed, then what belongs to the mechanism."""
    docs = {key: declared.doc for key, declared in cls.FIELDS.items() if not declared.hidden}
    parts = ((key, getattr(cls, key)) for key in dir(cls))
    docs |= {key: _lowered(_sentence(part.__doc__)) for key, part in parts if isinstance(part, property)}
    docs |= {key: declared.doc for key, declared in cls.FIELDS.items() if declared.hidden}
    numbered: dict[str, list[str]] = {}
    for key in docs:
        numbered.setdefault(key.rstrip("0123456789"), []).append(key)
    for key, doc in docs.items():
        alike = numbered[key.rstrip("0123456789")]
        if len(alike) <= _ALIKE:
            yield _name(key, env.lookup(f"{owner}.{key}"), doc)
        elif key == alike[0]:
            yield replace(_name(key, env.lookup(f"{owner}.{key}"), doc), name=f"{key} … {alike[-1]}")


def _sentence(doc: str | None) -> str:
    """The first sentence of a docstring, without its full stop."""
    return " ".join((doc or "").split()).partition(". ")[0].rstrip(".")


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() else sentence


def _name(name: str, value: Value | None, doc: str) -> Name:
    if value is None:
        raise KeyError(name)
    words = tuple(value.words or ())
    return Name(name, KINDS[value.kind], doc, words=(*words[:3], "…") if len(words) > _MANY else words)


def _waiting(env: RunEnv) -> Iterator[str]:
    """What `waiting(…)` can be asked for."""
    stages = (w for cls in env.components().values() if "stage" in cls.FIELDS
              for w in cls.FIELDS["stage"].values)  # fmt: skip
    for name in dict.fromkeys([*env.components(), "rxlist", *stages]):
        try:
            env.call("waiting", name)
        except ExprError:
            continue
        yield name


# ----------------------------------------------------------------------------------------------- values, tables
def _valued(name: str, value: Value | None) -> Name:
    if value is None:
        raise KeyError(name)
    return Name(name, KINDS[value.kind], value=format_value(value) if value.kind is not Kind.NONE else "")


def _figure_kind(name: str) -> str:
    return KINDS[figures.FIGURES[name][1]] if name in figures.FIGURES else KINDS[Kind.NUMBER]


def _tables(env: RunEnv) -> Iterator[Group]:
    for name in env.tables():
        table = env.table(name)
        if table is None:
            continue
        columns = []
        for field in table.fields():
            column = table.column(field)
            assert column is not None
            words = tuple(word for word in column.words or () if word not in env.components())
            columns.append(Name(field, KINDS[column.kind], COLUMNS[name].get(field, ""), words=words))
        yield Group((name,), "", tuple(columns))
