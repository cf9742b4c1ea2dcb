"""The end of a turn: every packet of the batch is answered, then one doorbell hands the frames to the NIC.
Invariant: all packets of a batch leave at the same time; frames take the TX wires in order and never overlap."""

from __future__ import annotations

from ixviz.machine.nic import Port
from ixviz.machine.wire import HEADERS, wire_ps
from ixviz.system.ix.turn import DOORBELL, TX_FULL, Turn
from ixviz.workload import kinds


class Doorbell(Turn):
    """A turn that can end."""

    def _room_at(self, port: Port, wire: int) -> int:
        """When (ps) enough frames are on the wire of a port for the TX ring to take those of this batch."""
        return port.wire_free - (self.tx.capacity - min(self.size, self.tx.capacity)) * wire

    def _stalled(self, now: int, port: Port, wire: int) -> bool:
        """Whether the TX ring has too few free descriptors: the turn then ends when enough frames are on the wire."""
        until = self._room_at(port, wire)
        if wire and until > now:
            if self.journal is not None:
                self._event(now, TX_FULL)
            self.tx.stalls += 1
            self.stalled = until
            self.alarm.arm(until)
            return True
        return False

    def _ring_doorbell(self, now: int) -> bool:
        least = wire_ps(HEADERS, self.rate) if self.alike_wire is None else self.alike_wire
        for port in self.ports:
            if port.wire_free > now and self._stalled(now, port, least):
                return False
        if self.journal is not None:
            self._event(now, DOORBELL)
            self.batches.last[self.row] = self.last_event
        if self.stalled:
            self.stalled = 0
        if self.alike_wire is not None:
            self._answer_alike(now, now, self.alike_wire)
        else:
            self._answer(now, now)
        self.batches.ends[self.row] = now
        self.busy += now - self.began
        self.began = now
        self.done += self.size
        self.size = 0  # the batch is out; in this very instant the thread polls again
        self.members = []
        return True

    def _answer_alike(self, now: int, ready: int, wire: int) -> None:
        """Every packet is answered by a frame that takes the wire of the only port for the same time, from `ready`."""
        port, done = self.ports[0], self.feed.packets.done
        at = port.wire_free if port.wire_free > ready else ready
        self.batches.tx[self.row] = at
        for number in self.members:
            at += wire
            done[number] = at
        port.wire_free = at
        self.tx.posted += self.size
        self.tx.doorbells += 1

    def _answer(self, now: int, ready: int) -> None:
        """Each packet is answered as its kind and its application say, from `ready` on; the feed learns when."""
        feed, packets = self.feed, self.feed.packets
        answered = 0
        first = -1
        kind_of, flow_of, done = packets.kind, packets.flow, packets.done
        reply_of, port_of, rate, replied = self.reply_of, self.port_of, self.rate, feed.replied
        free = [port.wire_free for port in self.ports]
        for number in self.members:
            kind = kind_of[number]
            if not kinds.ANSWERED[kind]:
                done[number] = now
                continue
            frame = reply_of(number, kind)
            p = port_of(flow_of[number]) if len(free) > 1 else 0
            start = free[p]
            if start < ready:
                start = ready
            if first < 0:
                first = start
            free[p] = end = start + wire_ps(frame, rate)
            answered += 1
            done[number] = end
            replied(number, end, self.last_event)
        for port, at in zip(self.ports, free, strict=True):
            if port.wire_free != at:
                port.wire_free = at
        self.tx.posted += answered
        if answered:
            self.tx.doorbells += 1
        self.batches.tx[self.row] = max(first, now)
