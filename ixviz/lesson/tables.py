"""The tables of a run as the expression language reads them.

Invariant: nothing is computed here; columns, kinds and what is known are those of Simulation.table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ixviz.lesson.expr import Column, Kind, Value, none

_KINDS = {"time": Kind.TIME, "number": Kind.NUMBER, "text": Kind.TEXT}


@dataclass(frozen=True, slots=True)
class RunRow:
    """Packet 9, batch 3."""

    owner: RunTable
    position: int

    @property
    def table(self) -> str:
        """The name of its table."""
        return self.owner.name

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return int(self.owner.numbers[self.position])

    def get(self, field: str) -> Value | None:
        """See expr.values.Row."""
        column = self.owner.column(field)
        if column is None:
            return None
        if column.known is not None and not column.known[self.position]:
            return none(f"{field} of {self.table}({self.number}) has not happened yet")
        data = column.values[self.position].item()
        if column.words is not None:
            return Value(Kind.TEXT, column.words[data], tuple(column.words))
        return Value(column.kind, data)

    def fields(self) -> Iterable[str]:
        """The names of its columns."""
        return self.owner.fields()


@dataclass(frozen=True, slots=True)
class RunTable:
    """A table as of an event."""

    name: str
    columns: dict[str, Column]
    numbers: np.ndarray[Any, np.dtype[Any]]
    later: Mapping[str, Callable[[], Column]] = field(default_factory=dict)  # made when asked for

    def __len__(self) -> int:
        return len(self.numbers)

    def fields(self) -> Iterable[str]:
        """The names of the columns."""
        return (*self.columns, *(name for name in self.later if name not in self.columns))

    def column(self, field: str) -> Column | None:
        """See expr.values.Table."""
        if field not in self.columns and field in self.later:
            self.columns[field] = self.later[field]()
        return self.columns.get(field)

    def row(self, position: int) -> RunRow:
        """See expr.values.Table."""
        return RunRow(self, position)

    def positions(self, numbers: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[np.intp]]:
        """See expr.values.Table; rows are numbered 1, 2, … without gaps."""
        at = np.asarray(numbers).astype(np.int64) - 1
        return np.where((at >= 0) & (at < len(self)), at, -1).astype(np.intp)


def table_of(found: Any) -> RunTable:
    """A TableAt as a Table of the expression language."""

    def column(c: Any) -> Column:
        known = None if c.known is None else np.asarray(c.known, np.bool_)
        return Column(np.asarray(c.values), _KINDS[c.kind], known, tuple(c.words) or None)

    def late(make: Callable[[], Any]) -> Callable[[], Column]:
        return lambda: column(make())

    columns = {name: column(c) for name, c in found.columns.items()}
    later = {name: late(make) for name, make in found.later.items()}
    return RunTable(found.name, columns, np.asarray(found.columns[found.key].values), later)
