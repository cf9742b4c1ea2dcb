"""What a closed loop is: its parameters, how large its requests and replies are, and the table of its requests.
Invariant: sizes depend on connection and number alone, so any request can be asked for again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ixviz.history.columns import Columns
from ixviz.machine.wire import frame_bytes
from ixviz.workload.patterns import Pattern


class Mix(Protocol):
    """Sizes of requests and replies: payload bytes of the n-th request of a connection, and of its answer."""

    def sizes(self, connection: int, number: int) -> tuple[int, int]: ...

    def forget(self, number: int) -> None:
        """No connection will ask again for what comes before its request `number`."""


@dataclass(frozen=True)
class Echo:
    """Every message has the same size and comes back as it is."""

    payload: int

    def sizes(self, connection: int, number: int) -> tuple[int, int]:
        """The same both ways."""
        return self.payload, self.payload

    def forget(self, number: int) -> None:
        """Nothing is drawn."""


@dataclass(frozen=True)
class Loop:
    """Parameters of a closed loop. Times in ps, `rate` per second over all connections, or a pattern (None = as fast as
    it goes).

    `one_way` from a client's send to the last bit's way up to the port and back likewise; `client_share` is added to
    the way of a reply (fitted, see the model's page); `messages` per connection, None = never closes; `rto` of a
    request that was dropped (illustrative). `quickack`: the last reply of a connection, with which no next request goes
    out, is acknowledged at once by a frame of its own (as Linux does early in a connection, TCP_QUICKACK).
    """

    connections: int
    outstanding: int
    rate: float | Pattern | None
    one_way: int
    client_share: int
    messages: int | None
    close: str
    rto: int
    seed: int
    quickack: bool = True


def request_columns() -> Columns:
    """The table of requests: connection, due, sent and done (the reply is at the client), all ps; -1 = not yet."""
    return Columns(connection="i", due="q", sent="q", done="q", size="i", reply="i", packet="i", tries="h")


def note_request(table: Columns, connection: int, due: int, now: int, size: int, reply: int) -> int:
    """A request of `size` bytes of payload is sent `now` (ps) for the first time; its row."""
    row = len(table.connection)
    table.connection.append(connection)
    table.due.append(due)
    table.sent.append(now)
    table.done.append(-1)
    table.size.append(frame_bytes(size))
    table.reply.append(frame_bytes(reply))
    table.packet.append(-1)
    table.tries.append(1)
    return row
