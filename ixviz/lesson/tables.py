"""The tables of a run as the expression language reads them.

Invariant: nothing is computed here; columns, kinds and what is known are those of Simulation.table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
        column = self.owner.columns.get(field)
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
        return self.owner.columns


@dataclass(frozen=True, slots=True)
class RunTable:
    """A table as of an event."""

    name: str
    columns: dict[str, Column]
    numbers: np.ndarray[Any, np.dtype[Any]]

    def __len__(self) -> int:
        return len(self.numbers)

    def fields(self) -> Iterable[str]:
        """The names of the columns."""
        return self.columns

    def column(self, field: str) -> Column | None:
        """See expr.values.Table."""
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
    columns = {
        name: Column(np.asarray(c.values), _KINDS[c.kind], None if c.known is None else np.asarray(c.known, np.bool_),
                     tuple(c.words) or None)
        for name, c in found.columns.items()
    }  # fmt: skip
    return RunTable(found.name, columns, np.asarray(found.columns[found.key].values))
