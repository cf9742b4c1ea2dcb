"""The TCP thread: poll, TCP for all packets of the poll, events to the application, its jobs, then frames, select().
Invariant: a stage runs for the whole round; the thread polls again until a poll finds nothing, then it sleeps."""

from __future__ import annotations

from ixviz.system.mtcp import paths
from ixviz.system.mtcp.core import ASLEEP, HANDLED, READY, SLEEPS, STAGE0, THROUGH, TOLD
from ixviz.system.mtcp.costs import FLUSH, JOBS, RX, SELECT, TCP
from ixviz.system.mtcp.out import Out
from ixviz.system.mtcp.sockets import CLOSING, ESTABLISHED, LISTENS, SYN_RECEIVED
from ixviz.system.simulation import begin_batch
from ixviz.workload import kinds


class Stack(Out):
    """A round of the TCP thread."""

    # ---------------------------------------------------------------- in
    def _round(self, now: int) -> None:
        """Poll the rings: at most a chunk of each, copied by the driver in one call."""
        self._event(now, RX + STAGE0)
        self._has_it(now)
        costs, packets = self.costs, self.feed.packets
        cycles = 0
        for q, ring in zip(self.queues, self.rings, strict=True):
            took = min(ring.tail - ring.head, self.chunk)
            self.crossings += 2
            cycles += costs.rx
            if took:
                line = self.at.rings[q]
                line.dma(True)
                cycles += costs.frame * took + line.access(self.number, False, paths.POLL, now)
                ring.head += took
                self.members += [self.feed.ids[q].popleft() for _ in range(took)]
        self.found = int(bool(self.members))
        if self.members:
            event = self.last_event if self.journal is not None else None
            self.row = begin_batch(self.batches, self.number, now, len(self.members), event)
            for number in self.members:
                packets.batch[number] = self.row
            self.batch += 1
            self.size = len(self.members)
            self.copies += sum(packets.kind[n] == kinds.DATA for n in self.members)
        self._about(self.members)
        self._run(RX, cycles, now)

    def end_rx(self, now: int) -> None:
        """The packets are in the process: TCP for all of them."""
        if not self.members:
            self._jobs(now)
            return
        self._event(now, TCP + STAGE0)
        costs, packets, cycles = self.costs, self.feed.packets, 0
        for number in self.members:
            self.note("tcp", number)
            data = packets.kind[number] == kinds.DATA
            self.user_copies += data
            cycles += costs.data_in if data else costs.control_in
            sock = self.sockets.get(packets.flow[number])
            if sock is not None:
                cycles += sock.access(self.number, True, paths.TCP, now)
        self._run(TCP, cycles, now)

    def end_tcp(self, now: int) -> None:
        """All packets of the round are through TCP."""
        self._event(now, THROUGH)
        members, self.members = self.members, []
        for number in members:
            self._received(number, now)
        if self.fresh:
            self._event(now, FLUSH + STAGE0)
            self._run(FLUSH, self.costs.flush + self.costs.event * len(self.fresh), now)
        else:
            self._jobs(now)

    def _received(self, number: int, now: int) -> None:
        """What a packet does to its connection."""
        packets = self.feed.packets
        kind, flow = packets.kind[number], packets.flow[number]
        sock = self.sockets.get(flow)
        if kind == kinds.SYN:
            if sock is None:
                self.sockets.make(flow, self.number, SYN_RECEIVED)
            self.answers.append(number)
            return
        if sock is not None and sock.tcp == SYN_RECEIVED and kind != kinds.OTHER:
            sock.tcp = ESTABLISHED
            self.accept.put(sock.number)
            self.owed += self.accept.access(self.number, True, paths.TCP, now)
            if not self.accept.ready:
                self.accept.ready = 1
                self.fresh.append(LISTENS)
        if kind in (kinds.ACK, kinds.OTHER) or (kind == kinds.RST and sock is None):
            packets.done[number] = now
            self.leave(number, now)
            return
        sock = sock or self.sockets.make(flow, self.number, ESTABLISHED)
        sock.ids.append(number)
        sock.queued += 1
        sock.held += 1
        if kind != kinds.RST and flow not in self.acks:
            self.acks.append(flow)
        if sock.accepted and not sock.ready:
            sock.ready = 1
            self.fresh.append(sock.number)

    def end_flush(self, now: int) -> None:
        """The events are in the application's queue, which is woken if it sleeps."""
        self._event(now, TOLD)
        for number in self.fresh:
            for packet in self.sockets.entries[number].ids if number != LISTENS else ():
                self.note("told", packet)
        self.owed += self.events.put(self.fresh, self.number, paths.FLUSH, now)
        self.fresh = []
        if self.app.state == SLEEPS:
            self.app.state = READY
            self.wakes += 1
            self.crossings += 2
            self.owed += self.costs.wake
        self._jobs(now)

    # ---------------------------------------------------------------- what the application asked for
    def _jobs(self, now: int) -> None:
        """Answers and closes since the last round."""
        if not self.jobs.tail - self.jobs.head:
            self._frames(now)
            return
        self._event(now, JOBS + STAGE0)
        got, cycles = self.jobs.take(self.number, paths.JOBS, now)
        costs, packets = self.costs, self.feed.packets
        self.members = got
        cycles += costs.jobs + costs.job * len(got)
        for number in got:
            self.note("jobs", number)
            if packets.kind[number] == kinds.DATA:
                cycles += costs.data_out
            sock = self.sockets.get(packets.flow[number])
            assert sock is not None
            cycles += sock.access(self.number, True, paths.JOBS, now)
        self._about(got)
        self._run(JOBS, cycles, now)

    def end_jobs(self, now: int) -> None:
        """Answers are ready to be sent, connections are closed."""
        self._event(now, HANDLED)
        packets = self.feed.packets
        jobs, self.members = self.members, []
        for number in jobs:
            kind = packets.kind[number]
            if kind != kinds.DATA:
                sock = self.sockets.get(packets.flow[number])
                assert sock is not None
                sock.tcp = CLOSING
            if kind == kinds.RST:
                packets.done[number] = now
                self._gone(number, now)
            else:
                self.answers.append(number)
        self._frames(now)

    # ---------------------------------------------------------------- again, or sleep
    def _round_over(self, now: int) -> None:
        """A round that found packets is followed by another, one that did not by select()."""
        if self.row:
            self.batches.ends[self.row] = self.batches.tx[self.row] = now
            if self.journal is not None:
                self.batches.last[self.row] = self.last_event
            self.row = 0
            self.size = 0
        if self.found:
            self._again(now)
            return
        self._event(now, SELECT + STAGE0)
        self.crossings += 2
        self._about(())
        self._run(SELECT, self.costs.select, now)

    def end_select(self, now: int) -> None:
        """select() returns at once when packets wait; else the TCP thread sleeps."""
        if self._waiting():
            self._again(now)
            return
        self._event(now, ASLEEP)
        self.tcp.state = SLEEPS
        self.slept = now
        if self.app.state == READY:
            self._switch(now)
        else:
            self._rest_both(now)

    def _again(self, now: int) -> None:
        if self.app.state == READY and self._over(now):
            self._switch(now)
        else:
            self._round(now)
