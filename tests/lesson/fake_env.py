"""An environment made of dicts, with a small machine in it, for the tests of expressions.

Invariant: only what is written here is known; None stands for what has not happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ixviz.lesson.expr import Column, Kind, Value, none, number, text, time

US = 10**6
TIMES = {"arrives", "polled", "leaves", "begins", "ends", "armed", "ended", "tcp_begins"}
WORDS = {
    "state": ("idle", "armed", "done"),
    "way": ("none", "up"),
    "queue": ("nic.q0", "core0.rxlist", "core1.remote", "core1.local"),
}


def value_of(name: str, data: Any) -> Value:
    if data is None:
        return none(f"{name} has not happened yet")
    if isinstance(data, bool):
        return Value(Kind.BOOL, data)
    if isinstance(data, str):
        return text(data, WORDS.get(name))
    return time(data) if name in TIMES else number(data)


@dataclass
class DictRow:
    table: str
    number: int
    data: Mapping[str, Any]

    def get(self, field: str) -> Value | None:
        return value_of(field, self.data[field]) if field in self.data else None

    def fields(self) -> Iterable[str]:
        return self.data


class DictTable:
    def __init__(self, name: str, rows: list[dict[str, Any]], number: str = "id") -> None:
        self.name, self.number = name, number
        self.rows = [DictRow(name, row[number], row) for row in rows]

    def __len__(self) -> int:
        return len(self.rows)

    def fields(self) -> Iterable[str]:
        return self.rows[0].data if self.rows else ()

    def column(self, field: str) -> Column | None:
        if field not in self.fields():
            return None
        data = [row.data[field] for row in self.rows]
        known = np.array([x is not None for x in data])
        sample = next((x for x in data if x is not None), 0)
        kind = value_of(field, sample).kind
        if kind is Kind.TEXT and field in WORDS:
            words = WORDS[field]
            codes = [words.index(x) if x is not None else -1 for x in data]
            return Column(np.array(codes), kind, known, words)
        filler = type(sample)()
        plain = np.array([filler if x is None else x for x in data], dtype=object if kind is Kind.TEXT else None)
        return Column(plain, kind, known)

    def row(self, position: int) -> DictRow:
        return self.rows[position]

    def positions(self, numbers: Any) -> Any:
        at = {row.number: i for i, row in enumerate(self.rows)}
        return np.array([at.get(int(n), -1) for n in numbers], dtype=np.intp)


@dataclass
class DictEnv:
    values: dict[str, Value] = field(default_factory=dict)
    tables: dict[str, DictTable] = field(default_factory=dict)
    runs: dict[str, DictEnv] = field(default_factory=dict)
    calls: dict[tuple[str, str], Value] = field(default_factory=dict)
    held: dict[str, Column] = field(default_factory=dict)

    def lookup(self, name: str) -> Value | None:
        return self.values.get(name)

    def table(self, name: str) -> DictTable | None:
        return self.tables.get(name)

    def row(self, table: str, number: int) -> DictRow | None:
        return next((row for row in self.tables[table].rows if row.number == number), None)

    def series(self, name: str) -> Column | None:
        return self.held.get(name)

    def call(self, function: str, name: str) -> Value | None:
        return self.calls.get((function, name))

    def run(self, name: str) -> DictEnv | None:
        return self.runs.get(name)

    def names(self) -> Iterable[str]:
        return [*self.values, *self.tables, *self.runs]


def bench() -> DictEnv:
    """Four batches of 1, 2, 4 and 7 packets, then two packets that wait; `one`, where they run one by one."""
    packets, batches, alone = [], [], []
    pid = 0
    for b, size in enumerate((1, 2, 4, 7), start=1):
        begins = b * 10 * US
        ends = begins + US + size * US // 4
        batches.append({"number": b, "size": size, "begins": begins, "ends": ends})
        for k in range(size):
            pid += 1
            packets.append({"id": pid, "batch": b, "arrives": begins - US, "polled": begins, "leaves": ends,
                            "group": 19, "queue": "core0.rxlist", "state": "done"})  # fmt: skip
            alone.append({"id": pid, "batch": pid, "leaves": begins + (k + 1) * 5 * US // 4})
    for late in (15, 16):
        packets.append({"id": late, "batch": None, "arrives": 50 * US, "polled": None, "leaves": None,
                        "group": 19, "queue": "nic.q0", "state": "idle"})  # fmt: skip
        alone.append({"id": late, "batch": None, "leaves": None})
    env = DictEnv(
        values={"core0.batch": number(4), "core0.stage": text("idle", ("idle", "poll", "tcp")), "tcp": text("tcp"),
                "nic.q0": text("nic.q0"), "core0.rxlist": text("core0.rxlist"), "core1.local": text("core1.local"),
                "core1.remote": text("core1.remote"), "rxlist": text("rxlist"), "app": text("app"),
                "system.batch_bound": number(64), "nic.drops": number(0)},
        tables={"packets": DictTable("packets", packets), "batches": DictTable("batches", batches, "number")},
        calls={("waiting", "nic.q0"): number(2), ("waiting", "rxlist"): number(0), ("waiting", "tcp"): number(0),
               ("waiting", "app"): number(0)},
        held={"core0.batch": Column(np.array([1, 4]), Kind.NUMBER, weights=np.array([3 * US, US]))},
    )  # fmt: skip
    env.runs["bench"] = env
    env.runs["one"] = DictEnv(
        values={"core0.batch": number(11)},
        tables={"packets": DictTable("packets", alone)},
        calls={("waiting", "rxlist"): number(3)},
    )
    return env
