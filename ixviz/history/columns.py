"""Columns: append-only tables of integers, one row a packet, a batch or a request.
Invariant: rows are only added; a cell may be filled later, once, and says by which event that happened."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np


class Columns:
    """A table. `Columns(arrives="q", queue="h")` has the attributes `arrives` and `queue`, arrays of these types."""

    def __init__(self, **typecodes: str) -> None:
        self.names = tuple(typecodes)
        for name, code in typecodes.items():
            setattr(self, name, array(code))

    def __getattr__(self, name: str) -> Any:  # only for type checkers: columns are instance attributes
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(getattr(self, self.names[0]))

    def copy(self, rows: int | None = None) -> Columns:
        """The first `rows` rows (all of them by default) as a table of its own."""
        made = object.__new__(Columns)
        made.names = self.names
        for name in self.names:
            setattr(made, name, getattr(self, name)[:rows])
        return made

    def array(self, name: str) -> np.ndarray[Any, np.dtype[Any]]:
        """A column as a NumPy array of its own (a copy, so that the table may go on growing)."""
        column = getattr(self, name)
        return np.array(column, dtype=column.typecode)

    @property
    def nbytes(self) -> int:
        """Memory of the cells in bytes."""
        return sum(len(c) * c.itemsize for c in (getattr(self, n) for n in self.names))
