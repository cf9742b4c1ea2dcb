"""The two memcached mixes of the paper: sizes of keys, values, requests and replies.
Invariant: the n-th request of a connection has the same sizes in every run with the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ixviz.machine.streams import generator
from ixviz.workload.schedule import ahead

HEADER = 24  # binary protocol header, bytes; a GET's reply carries 4 bytes of flags, a SET's request 8 of extras

# Facebook's ETC value sizes 0..14 B as mutilate draws them have a table (total probability .44155) that the facts give
# only as a total; drawn evenly here. Above: generalised Pareto. Keys: generalised extreme value. [facts 1.9, code]
SMALL = 0.44155
KEY = (30.7984, 8.20449, 0.078688)
VALUE = (15.0, 214.476, 0.348238)


def gev(u: Any, mu: float, sigma: float, xi: float) -> Any:
    """Quantile u of the generalised extreme value distribution."""
    return mu + sigma * ((-np.log(u)) ** -xi - 1) / xi


def gpareto(u: Any, theta: float, sigma: float, k: float) -> Any:
    """Quantile u of the generalised Pareto distribution."""
    return theta + sigma * ((1 - u) ** -k - 1) / k


class Usr:
    """Facebook's USR: keys shorter than 20 B, values of 2 B, 99 % GET [facts 1.9]."""

    get, seed_name = 0.99, "usr"

    def __init__(self, connections: int, seed: int) -> None:
        self.connections, self.seed = connections, seed
        self._ahead = ahead(connections)
        self._blocks: dict[int, list[list[tuple[int, int]]]] = {}

    def draw(self, rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Any, Any]:
        """Key and value bytes."""
        return rng.integers(16, 20, shape), np.full(shape, 2)

    def sizes(self, connection: int, number: int) -> tuple[int, int]:
        """Payload bytes of a request and of its reply."""
        block, i = divmod(number, self._ahead)
        rows = self._blocks.get(block)
        if rows is None:
            rng = generator(self.seed, self.seed_name, block)
            shape = (self.connections, self._ahead)
            is_get = rng.random(shape) < self.get
            key, value = self.draw(rng, shape)
            request = HEADER + key + np.where(is_get, 0, 8 + value)
            reply = HEADER + np.where(is_get, 4 + value, 0)
            rows = [list(zip(a, b, strict=True)) for a, b in zip(request.tolist(), reply.tolist(), strict=True)]
            self._blocks[block] = rows
        return rows[connection][i]

    def forget(self, number: int) -> None:
        """No connection will ask again for what comes before its request `number`."""
        for block in [block for block in self._blocks if (block + 1) * self._ahead <= number]:
            del self._blocks[block]


class Etc(Usr):
    """Facebook's ETC: keys of 20–70 B, values of 1 B–1 KB, 75 % GET [facts 1.9]."""

    get, seed_name = 0.75, "etc"

    def draw(self, rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Any, Any]:
        """Key and value bytes."""
        key = np.clip(gev(rng.random(shape), *KEY), 20, 70).astype(np.int64)
        small = rng.random(shape) < SMALL
        value = np.where(small, rng.integers(1, 15, shape), np.clip(gpareto(rng.random(shape), *VALUE), 15, 1024))
        return key, value.astype(np.int64)


MIXES = {"usr": Usr, "etc": Etc}
