"""What each stage of the two threads costs, in cycles, and the names of the stages: the one place for both.
Invariant: three numbers are fitted, FITTED says to what; how sums divide over the stages is illustrative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

STAGES = ("idle", "interrupt", "timer", "switch", "rx", "tcp", "flush", "jobs", "tx", "select", "epoll", "app", "wait")
(IDLE, INTERRUPT, TIMER, SWITCH, RX, TCP, FLUSH, JOBS, TX, SELECT, EPOLL, APP, WAIT) = range(13)
STACK = frozenset((RX, TCP, FLUSH, JOBS, TX, SELECT))  # the TCP thread's
APPLICATION = frozenset((EPOLL, APP, WAIT))  # the application thread's
RING3 = frozenset((TCP, FLUSH, JOBS, EPOLL, APP))  # the rest is the kernel's: driver, system calls, scheduler

# Arrakis, Table 1 (OSDI 2014) [paper], at 2.4 GHz: a system call and its return, .10 µs each; the scheduler when the
# cpu was idle, 2.40 µs.
CALLS, WAKE_IDLE = 480, 5_760

# What a pair of threads goes through again and again: the driver's buffers, its flow table of 131,072 entries [code],
# its sockets' buffers. As far as the sets of all pairs do not fit into the L3, `lines` of each frame come from memory.
WORKING_SET, L3 = 3.0, 20.0  # MB: illustrative, and recalled [facts 1.9]


@dataclass(frozen=True)
class Costs:
    """Cycles. Once a batch: `rx`, `tx` and `select`, calls of the packet I/O; `flush`, and `wake` of the application;
    `jobs`; `epoll`; `wait` when it sleeps again, `signal` if it wakes the TCP thread; `switch` between the two;
    `interrupt`. For each: `frame` that the driver copies, in or out; packet with data (`data_in`), without
    (`control_in`); `event`, `job`; answer with data (`data_out`), without (`control_out`), `ack`. The application:
    `read`, `app` and `write` a message, `accept` and `close` a connection. `lines` of a frame: see crowded."""

    app: int
    data_in: int
    read: int
    write: int
    data_out: int
    control_in: int
    control_out: int
    accept: int
    close: int
    ack: int = 150
    frame: int = 150
    lines: int = 0
    event: int = 60
    job: int = 60
    rx: int = CALLS + 400
    tx: int = CALLS + 400
    select: int = CALLS + 500
    flush: int = 200
    wake: int = CALLS + 900
    jobs: int = 200
    epoll: int = 250
    wait: int = CALLS + 600
    signal: int = CALLS + 1_200
    switch: int = 2_400
    interrupt: int = 1_200

    def batch(self) -> int:
        """What a hand-over to the application and back costs, however many packets take part: two rounds of the TCP
        thread, both switches, and the application's calls."""
        rounds = 2 * (self.rx + self.select) + self.flush + self.wake + self.jobs + 2 * self.tx
        return rounds + 2 * self.switch + self.epoll + self.wait + self.signal

    def message(self) -> int:
        """Cycles of a message on an open connection: in, its ACK, event, application, job, answer."""
        stack = self.frame + self.data_in + self.ack + self.frame + self.event + self.job + self.data_out + self.frame
        return stack + self.event + self.read + self.app + self.write

    def request(self, batch: float = 64.0) -> float:
        """Cycles of a message in a batch of so many, misses left out."""
        return self.message() + self.batch() / batch


def crowded(costs: Costs, threads: int, miss: int) -> Costs:
    """The costs on a machine with so many hardware threads; `miss`: cycles of a line from memory beyond one in the L3.

    The mechanism is a guess (see MODEL.md), its size fitted.
    """
    spilled = max(0.0, 1 - L3 / (WORKING_SET * threads))
    return replace(costs, frame=costs.frame + round(costs.lines * miss * spilled))


class Sums:
    """The costs as lessons ask for them: `batch[-1]` cycles of a hand-over and back, `packet[-1]` of a message."""

    def __init__(self, costs: Costs) -> None:
        self.batch = [costs.batch()]
        self.packet = [costs.message()]


# 64 B echo: a message, a connection beyond its message and `lines` are fitted, see FITTED. How the two sums divide is
# illustrative.
ECHO = Costs(app=300, data_in=800, read=300, write=350, data_out=450, control_in=530, control_out=420, accept=950,
             close=700, lines=4)  # fmt: skip

# memcached: the stack is the echo's, the application's own work IX's for the same program [see system/ix/costs.py].
USR = replace(ECHO, app=6_143)
ETC = replace(ECHO, app=7_427)

FITTED = {
    "echo": "fitted to .27 and 1.48 M connections/s of one message (1 and 8 cores) and to 4.63 M messages/s, 1,024 a "
    "connection (8 cores)",
    "usr": "not fitted: the echo's stack, and the application's work as fitted for IX",
    "etc": "not fitted: the echo's stack, and the application's work as fitted for IX",
}
PREDICTED = {
    "echo": "one-way latency of 64 B, the numbers of cores between, sizes of batches, no transfers",
    "usr": "everything; nothing is published of it",
    "etc": "everything; nothing is published of it",
}
TABLES: Mapping[str, Costs] = {"echo": ECHO, "usr": USR, "etc": ETC}
