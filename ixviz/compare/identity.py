"""Which packet of one run is which of another: in open loops and captures by number, in closed loops by who sent it.
Invariant: a key means the same frame in every run with the same workload and seed, whatever the systems answered."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ixviz.workload import kinds

Key = tuple[int, ...]  # (number,), or (connection, kind, which of that kind, which try)


class Identity:
    """The packets of one run by key, extended as the run grows. Requests are known by (connection, n), from 0."""

    def __init__(self, sim: Any) -> None:
        self.sim = sim
        self.closed: bool = getattr(sim.feed, "requests", None) is not None
        self._keys: list[Key] = [()]  # by number of the packet; row 0 is a dummy
        self._packets: dict[Key, int] = {}
        self._requests: list[tuple[int, int]] = []  # by number of the request
        self._of_connection: Counter[int] = Counter()
        self._seen: Counter[Key] = Counter()
        self._owner: dict[int, int] = {}  # flow → connection

    def key(self, packet: int) -> Key | None:
        """The key of a packet, None before it has arrived."""
        if not self.closed:
            return (packet,) if 0 < packet < len(self.sim.feed.packets.batch) else None
        self._grow()
        return self._keys[packet] if 0 < packet < len(self._keys) else None

    def packet(self, key: Key) -> int | None:
        """The packet with a key, None before it has arrived."""
        if not self.closed:
            return key[0] if 0 < key[0] < len(self.sim.feed.packets.batch) else None
        self._grow()
        return self._packets.get(key)

    def requests(self) -> list[tuple[int, int]]:
        """(connection, n) of every request in order of sending; none in an open loop."""
        if self.closed:
            connections = self.sim.feed.requests.connection
            for row in range(len(self._requests), len(connections)):
                c = connections[row]
                self._requests.append((c, self._of_connection[c]))
                self._of_connection[c] += 1
        return self._requests

    def _grow(self) -> None:
        packets, known = self.sim.feed.packets, len(self._keys)
        rows = len(packets.batch)
        if known == rows:
            return
        requests = self.requests()
        for number in range(known, rows):
            request, kind, flow = packets.request[number], packets.kind[number], packets.flow[number]
            if request >= 0:
                connection, n = requests[request]
            else:
                connection = -2 - request if request <= -2 else self._owner.get(flow, flow)
                n = 0
            if request != -1:
                self._owner[flow] = connection
            sent = (connection, kind, n)
            key = (*sent, self._seen[sent]) if request >= 0 else (connection, kind, self._seen[sent], 0)
            self._seen[sent] += 1
            self._keys.append(key)
            self._packets[key] = number


def named(key: Key) -> str:
    """`packet 212`; `request 3 of connection 5`, counted from 1 of each connection; `SYN 2 of connection 5`."""
    if len(key) == 1:
        return f"packet {key[0]:,}"
    connection, kind, n, again = key
    what = "request" if kind == kinds.DATA else kinds.NAMES[kind].upper()
    return f"{what} {n + 1:,} of connection {connection:,}" + (f", try {again + 1}" if again else "")
