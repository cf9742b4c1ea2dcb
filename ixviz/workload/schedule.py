"""When the requests of a closed loop are due: a stream of its own for each connection, drawn a block at a time.
Invariant: the n-th request of a connection is due at the same time whatever the machine does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ixviz.machine.streams import generator
from ixviz.machine.wire import PS
from ixviz.workload.patterns import LATEST, Numbers, Pattern

AHEAD = 64  # draws made at once for each connection
MOST_DRAWS = 500_000  # fewer ahead for very many connections


def ahead(connections: int) -> int:
    """How many draws are made at once for each of so many connections."""
    return max(1, min(AHEAD, MOST_DRAWS // connections))


class Steady:
    """Exponential gaps of a constant mean: `rate` per second over all connections."""

    def __init__(self, seed: int, connections: int, rate: float) -> None:
        self.seed, self.connections = seed, connections
        self._ahead = ahead(connections)
        self._mean = PS * connections / rate
        self._rows: dict[int, list[list[int]]] = {}

    def after(self, c: int, number: int, due: int) -> int:
        """When request `number` + 1 of connection c is due (ps), the one before it being due at `due`."""
        block, i = divmod(number, self._ahead)
        rows = self._rows.get(block)
        if rows is None:
            rows = self._rows[block] = self._block(block)
        return due + rows[c][i]

    def forget(self, number: int) -> None:
        """No connection will ask again for what comes before its request `number`."""
        for block in [block for block in self._rows if (block + 1) * self._ahead <= number]:
            del self._rows[block]

    def state(self) -> Any:
        """What a checkpoint keeps besides what each connection has drawn."""
        return None

    def restore(self, state: Any, source: Any, drawn: Sequence[int], due: Sequence[int]) -> None:
        """Go on where `source` was when each connection had `drawn` so many, the next of them `due` (ps)."""

    def _block(self, block: int) -> list[list[int]]:
        """Of each connection the next gaps, ps."""
        drawn = generator(self.seed, "schedule", block).exponential(self._mean, (self.connections, self._ahead))
        gaps: list[list[int]] = np.rint(np.minimum(drawn, LATEST)).astype(np.int64).tolist()
        return gaps


class Varying(Steady):
    """A load over time: sums of unit exponentials are the numbers of requests at which the pattern has one due."""

    def __init__(self, seed: int, connections: int, pattern: Pattern) -> None:
        super().__init__(seed, connections, 1)
        self.pattern = pattern
        self._sums: list[Numbers] = [np.zeros(connections)]  # of each connection, before block k
        self._moved: Numbers = np.zeros(connections)  # added to the sums since a what-if has changed the load

    def after(self, c: int, number: int, due: int) -> int:
        """See Steady; here the time follows from the number alone."""
        block, i = divmod(number, self._ahead)
        rows = self._rows.get(block)
        if rows is None:
            rows = self._rows[block] = self._block(block)
        return rows[c][i]

    def state(self) -> Any:
        """See Steady."""
        return (self.pattern, self.seed, self.connections), self._moved

    def restore(self, state: Any, source: Any, drawn: Sequence[int], due: Sequence[int]) -> None:
        """See Steady. After another load what is due already stays, and the rest follows it by this pattern."""
        self._rows.clear()  # they were made for a start at 0
        if state is not None and state[0] == (self.pattern, self.seed, self.connections):
            self._sums, self._moved = list(source._sums), state[1]
            return
        numbers = np.array(drawn[: self.connections])
        here = np.zeros(len(numbers))
        for block in np.unique(np.maximum(numbers - 1, 0) // self._ahead).tolist():
            rows, first = self._drawn(block), block * self._ahead
            mine = np.flatnonzero((numbers > first) & (numbers <= first + self._ahead))
            here[mine] = rows[mine, numbers[mine] - 1 - first]
        total = self.pattern.total(np.array(due[: self.connections])) / self.connections
        self._moved = np.zeros(self.connections)
        self._moved[: len(numbers)] = total - here

    def _drawn(self, block: int) -> Numbers:
        """Of each connection the sums of its unit exponentials up to each of a block."""
        for number in range(len(self._sums) - 1, block):
            self._drawn(number)
        units = generator(self.seed, "schedule", block).standard_exponential((self.connections, self._ahead))
        sums: Numbers = np.cumsum(units, axis=1) + self._sums[block][:, None]
        if len(self._sums) == block + 1:
            self._sums.append(sums[:, -1].copy())
        return sums

    def _block(self, block: int) -> list[list[int]]:
        """Of each connection when its next requests are due, ps."""
        due: list[list[int]] = self.pattern.when(
            (self._drawn(block) + self._moved[:, None]) * self.connections
        ).tolist()
        return due


def schedule_of(seed: int, connections: int, rate: float | Pattern | None) -> Steady | None:
    """The schedule for a rate over all connections; None without one: then a request waits for an answer alone."""
    if rate is None:
        return None
    return Varying(seed, connections, rate) if isinstance(rate, Pattern) else Steady(seed, connections, rate)
