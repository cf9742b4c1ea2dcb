"""What each stage of a turn costs, in cycles: the one place where costs are written down.
Invariant: sums are fitted to published figures, named here; how they divide over the stages is illustrative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STAGES = ("idle", "poll", "tcp", "cross_in", "app", "cross_out", "calls", "timers", "tx")
IDLE, POLL, TCP, APP, CALLS, TX = map(STAGES.index, ("idle", "poll", "tcp", "app", "calls", "tx"))
KEYS = ("poll", "tcp", "cross", "app", "calls", "timers", "tx")


@dataclass(frozen=True)
class Stage:
    """Cycles: once a turn, for each packet with data, for each without (SYN, ACK, FIN, RST), per extra queue polled."""

    batch: int = 0
    packet: int = 0
    control: int = 0
    queue: int = 0


Table = Mapping[str, Stage]

# A batch of n memcached-USR requests costs 2,360 + n × 7,963 cycles on a core. Fitted to: 1.8 M requests/s on 6 cores
# at the SLO, and 29 % more than with B = 1 [facts 1.10, derived]. The split over the stages is illustrative.
USR: Table = {
    "poll": Stage(batch=400, packet=120, control=120),
    "tcp": Stage(packet=900, control=400),
    "cross": Stage(batch=760),
    "app": Stage(packet=6_143, control=50),
    "calls": Stage(packet=600, control=90),
    "timers": Stage(batch=200),
    "tx": Stage(batch=1_000, packet=200, control=60),
}

# ETC: the application's share scaled so that capacity falls as the SLO load does, 1.55 against 1.80 M/s [facts 1.10].
ETC: Table = {**USR, "app": Stage(packet=7_427, control=50)}

# Echo, four equations [facts 1.10, derived]: a message costs 1,880 cycles on a lone hyperthread of a machine with four
# ports (1.3 × 8.8 M messages/s over 16 hyperthreads that gain 12 %), 1,700 of them its own; a connection of one message
# (SYN, ACK, data, ACK, FIN, ACK) 4,140 with one port (.58 M/s) and 5,000 with four (.48 M/s): 3,057 cycles a turn for
# each queue beyond the first.
ECHO: Table = {
    "poll": Stage(batch=400, packet=120, control=100, queue=3_057),
    "tcp": Stage(packet=620, control=224),
    "cross": Stage(batch=760),
    "app": Stage(packet=300, control=20),
    "calls": Stage(packet=460, control=50),
    "timers": Stage(batch=200),
    "tx": Stage(batch=1_000, packet=200, control=50),
}

FITTED = {
    "usr": "a batch of n costs 2,360 + n × 7,963 cycles: fitted to 1.8 M requests/s on 6 cores and to the 29 % of B",
    "etc": "as usr, the application's share scaled to 1.55 M requests/s on 6 cores",
    "echo": "fitted to .58 and .48 M connections/s of one message on one hyperthread with one and four ports, and to "
    "11.4 M messages/s on long connections with four ports",
}
_MEMCACHED = "SLO loads at every B, the shape of every curve, batch sizes, drops"
PREDICTED = {
    "usr": _MEMCACHED,
    "etc": f"the load at the SLO, {_MEMCACHED}",
    "echo": "cores add up, the wire is the limit with one port from 4 cores on, one-way latency of 64 B",
}
TABLES: Mapping[str, Table] = {"usr": USR, "etc": ETC, "echo": ECHO}


class Costs:
    """Costs of a turn, cumulated: `batch[s]`, `packet[s]`, `control[s]` are cycles up to and with stage s.

    The crossing's costs are halved: into ring 3, and back. `extra_queues`: queues × ports a core polls beyond one.
    """

    def __init__(self, table: Table, extra_queues: int = 0) -> None:
        self.table = dict(table)
        batch, packet, control = [0], [0], [0]
        for name in STAGES[1:]:
            stage = table.get("cross" if name.startswith("cross") else name, Stage())
            b = stage.batch + (stage.queue * extra_queues)
            p, c = stage.packet, stage.control
            if name == "cross_in":
                b, p, c = b // 2, p // 2, c // 2
            elif name == "cross_out":
                b, p, c = b - b // 2, p - p // 2, c - c // 2
            batch.append(batch[-1] + b)
            packet.append(packet[-1] + p)
            control.append(control[-1] + c)
        self.batch, self.packet, self.control = batch, packet, control

    def turn(self, data: int, control: int = 0) -> int:
        """Cycles of a whole turn with so many packets."""
        return self.batch[-1] + self.packet[-1] * data + self.control[-1] * control
