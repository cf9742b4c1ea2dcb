"""What each stage of a request's path costs, in cycles, and the names of the stages: the one place for both.
Invariant: what Arrakis measured stands as measured; the rest of a sum is fitted, and FITTED says to what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

STAGES = (
    "idle", "interrupt", "napi", "steer", "tcp_in", "spin", "listen", "switch", "epoll", "accept", "read", "copy_in",
    "app", "write", "copy_out", "tcp_out", "close",
)  # fmt: skip
(IDLE, INTERRUPT, NAPI, STEER, TCP_IN, SPIN, LISTEN, SWITCH, EPOLL, ACCEPT, READ, COPY_IN, APP, WRITE, COPY_OUT,
 TCP_OUT, CLOSE) = range(17)  # fmt: skip
SOFTIRQ = frozenset((INTERRUPT, NAPI, STEER, TCP_IN, LISTEN))  # on behalf of packets, whatever thread runs on the core

# Arrakis, Table 1 (OSDI 2014): Linux UDP echo, µs a packet with the application running [paper], at 2.4 GHz.
STACK_IN, STACK_OUT, SCHEDULER, COPY_IN_, COPY_OUT_, RETURN, CALL = 3_024, 2_520, 408, 576, 1_056, 240, 240
WAKE_IDLE = 5_760  # the scheduler when the cpu was idle, 2.40 µs [paper]


@dataclass(frozen=True)
class Costs:
    """Cycles. `napi` once a poll, `each` a packet of it, `reclaim` a frame that has been sent; `control_in` a frame
    without data; `rest_in`, `read`, `write`, `rest_out` are what TCP and the socket layer cost beyond Arrakis' UDP;
    `hold_…` is work done while the listen socket's lock is held; `calls` further system calls a request."""

    app: int
    rest_in: int
    read: int
    write: int
    rest_out: int
    calls: int = 0
    interrupt: int = 1_200
    napi: int = 600
    each: int = 400
    reclaim: int = 150
    steer: int = 600
    control_in: int = 500
    epoll: int = 900
    event: int = 350
    accept: int = 500
    close: int = 800
    hold_syn: int = 3_100
    hold_ack: int = 3_700
    hold_accept: int = 1_850

    def request(self, per_poll: float = 3.0, per_epoll: float = 1.5) -> float:
        """Cycles of a request on an open connection without misses; packets a poll, events an epoll_wait as given."""
        softirq = (self.interrupt + self.napi) / per_poll + self.each + self.reclaim
        softirq += STACK_IN + self.rest_in + SCHEDULER
        thread = (CALL + self.epoll + RETURN) / per_epoll + self.event
        calls = (2 + self.calls) * (CALL + RETURN) + self.read + COPY_IN_ + self.write + COPY_OUT_ + STACK_OUT
        return softirq + thread + calls + self.rest_out + self.app


class Sums:
    """The costs as lessons ask for them: `batch[-1]` cycles of an interrupt and a poll, `packet[-1]` of a request."""

    def __init__(self, costs: Costs) -> None:
        self.batch = [costs.interrupt + costs.napi]
        self.packet = [round(costs.request(float("inf")))]


# 64 B echo. The rests are fitted to 38,000 cycles a message (of two busy hyperthreads a core) on long connections,
# the holds to .22 M connections/s of one message at 8 cores, `accept`, `close` and `control_in` to .06 and .08 M/s at
# half a core and one [facts 1.10]. How a sum divides over the stages is illustrative.
ECHO = Costs(app=700, rest_in=1_500, read=2_500, write=3_000, rest_out=2_500)

# memcached: the application's user-level work is IX's (6,143 cycles USR, 7,427 ETC), and libevent's around it; the
# rests are fitted to 500 K and 550 K requests/s at p99 < 500 µs on 8 cores [facts 1.10]. It reads until all is read.
LIBEVENT = 2_400
USR = Costs(app=6_143 + LIBEVENT, rest_in=3_000, read=4_700, write=4_300, rest_out=3_900, calls=1)
ETC = replace(USR, app=7_427 + LIBEVENT, rest_in=2_000, read=3_500, write=3_000, rest_out=2_700)

FITTED = {
    "usr": "fitted to 500 K requests/s at p99 < 500 µs on 8 cores",
    "etc": "fitted to 550 K requests/s at p99 < 500 µs on 8 cores",
    "echo": "fitted to .06, .08 and .22 M connections/s of one message (half a core, 1, 8) and 38,000 cycles a message",
}
_BY_ITSELF = "the growth of transfers with cores"
PREDICTED = {
    "echo": f"flat from about 5 cores, one-way latency of 64 B, {_BY_ITSELF}",
    "usr": f"unloaded p99, the kernel's share, {_BY_ITSELF}",
    "etc": f"unloaded p99, the kernel's share, {_BY_ITSELF}",
}
TABLES: Mapping[str, Costs] = {"usr": USR, "etc": ETC, "echo": ECHO}
