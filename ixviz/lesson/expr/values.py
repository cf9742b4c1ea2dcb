"""What expressions are made of, and what an environment has to offer.

Invariant: a Value of kind NONE always carries the reason, so that whoever reads it can say what has not happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Kind(Enum):
    """What a value measures. Values of two kinds are never compared or added."""

    NUMBER = "number"
    TIME = "time"  # picoseconds; an integer unless it was computed
    RATE = "per_s"  # events a second
    SIZE = "size"  # bytes
    BITRATE = "bits_per_s"
    TEXT = "text"  # a word: the state of an enum, the name of a component
    BOOL = "bool"
    ROW = "row"
    TABLE = "table"
    NONE = "none"  # has not happened


NONE = "none"  # in expressions: what has not happened, and the state that some enums call so
MEASURES = frozenset({Kind.NUMBER, Kind.TIME, Kind.RATE, Kind.SIZE, Kind.BITRATE})


class Row(Protocol):
    """One row of a table: packet 9, batch 3. Two rows are equal if table and number are."""

    @property
    def table(self) -> str: ...
    @property
    def number(self) -> int: ...
    def get(self, field: str) -> Value | None:
        """The field's value; of kind NONE if it has not happened, None if there is no such field."""

    def fields(self) -> Iterable[str]: ...


class Table(Protocol):
    """Rows with common fields, in order of their numbers, readable as columns."""

    def __len__(self) -> int: ...
    def fields(self) -> Iterable[str]: ...
    def column(self, field: str) -> Column | None:
        """All values of a field, one an existing row; None if there is no such field."""

    def row(self, position: int) -> Row:
        """The row at a position, 0 ≤ position < len."""

    def positions(self, numbers: NDArray[Any]) -> NDArray[np.intp]:
        """Where the rows with these numbers are; -1 for those that do not exist."""


class Env(Protocol):
    """What names mean, at one moment of one run. Every method answers None for a name it does not know."""

    def lookup(self, name: str) -> Value | None:
        """A dotted name: a component's field (`core0.batch`), a component (`nic.q0`, as TEXT of its name), a metric,
        a scenario value, `said`, what `let` and `pick` bind. Kind NONE if known but not happened."""

    def table(self, name: str) -> Table | None:
        """`packets`, `batches`, …"""

    def row(self, table: str, number: int) -> Row | None:
        """The row with this number (`packet(9)` asks for `packets`, 9); None if it does not exist yet."""

    def series(self, name: str) -> Column | None:
        """The values a component's field had so far, with `weights` = how long each was held, in ps."""

    def call(self, function: str, name: str) -> Value | None:
        """`waiting(nic.q0)` asks for `waiting`, `nic.q0`: functions of a name, not of a value. None: unknown
        function. For a name it cannot take the environment raises ExprError (the evaluator sets the offset)."""

    def run(self, name: str) -> Env | None:
        """The environment of another run of the lesson."""

    def names(self) -> Iterable[str]:
        """Names worth suggesting: runs, tables, components, fields, metrics."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `data` is int or float (see Kind for units), str, bool, a Row, a Table or None.

    `words` are the words a TEXT may be compared with (an enum's states), if they are known. `reason` says, for kind
    NONE, what has not happened.
    """

    kind: Kind
    data: Any = None
    words: tuple[str, ...] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One value for each row. `known` is None if all have happened. TEXT is either codes into `words` or, without
    `words`, an object array of str. `weights`: see Env.series."""

    values: NDArray[Any]
    kind: Kind
    known: NDArray[np.bool_] | None = None
    words: Sequence[str] | None = None
    weights: NDArray[Any] | None = None


def number(data: float) -> Value:
    """A bare number."""
    return Value(Kind.NUMBER, data)


def time(ps: float) -> Value:
    """A time or a duration in picoseconds."""
    return Value(Kind.TIME, ps)


def rate(per_s: float) -> Value:
    """Events a second."""
    return Value(Kind.RATE, per_s)


def text(word: str, words: Iterable[str] | None = None) -> Value:
    """A word, with the words it may be compared with where they are known."""
    return Value(Kind.TEXT, word, tuple(words) if words is not None else None)


def truth(data: bool) -> Value:
    return Value(Kind.BOOL, data)


def none(reason: str) -> Value:
    """Something that has not happened; `reason` is a sentence without a full stop ("packet 9 has not left yet")."""
    return Value(Kind.NONE, None, None, reason)
