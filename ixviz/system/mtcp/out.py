"""What leaves: all frames of a round in one call of the driver, ACKs apart from answers, which are a round later.
Invariant: frames of a port take its wire in order and never overlap; a packet leaves with the frame that answers it."""

from __future__ import annotations

from ixviz.machine.wire import HEADERS, wire_ps
from ixviz.system.mtcp.core import SENT, STAGE0
from ixviz.system.mtcp.costs import TX
from ixviz.system.mtcp.turns import Turns
from ixviz.workload import kinds


class Out(Turns):
    """What the TCP thread sends."""

    def _frames(self, now: int) -> None:
        """Send what there is: set-up and end of connections first, then ACKs, then data."""
        if not self.answers and not self.acks:
            self._round_over(now)
            return
        self._event(now, TX + STAGE0)
        costs, kind = self.costs, self.feed.packets.kind
        data = sum(kind[n] == kinds.DATA for n in self.answers)
        self.crossings += 2
        self.copies += data
        self.user_copies += data
        frames = len(self.answers) + len(self.acks)
        cycles = costs.tx + costs.frame * frames + costs.ack * len(self.acks)
        self._about(self.answers)
        self._run(TX, cycles + costs.control_out * (len(self.answers) - data), now)

    def end_tx(self, now: int) -> None:
        """The frames are on the TX ring, the doorbell rung."""
        self._event(now, SENT)
        packets = self.feed.packets
        first = [n for n in self.answers if packets.kind[n] != kinds.DATA]
        for number in first:
            self._transmit(number, now)
        for flow in self.acks:
            self._occupy(flow, HEADERS, now)
        for number in self.answers:
            if packets.kind[number] == kinds.DATA:
                self._transmit(number, now)
        self.tx.posted += len(self.answers) + len(self.acks)
        self.tx.doorbells += 1
        self.answers, self.acks = [], []
        self._round_over(now)

    def _occupy(self, flow: int, frame: int, now: int) -> int:
        """A frame takes the wire of its flow's port; returns when its last bit is out."""
        port = self.ports[self.port_of(flow) if len(self.ports) > 1 else 0]
        end = max(port.wire_free, now) + wire_ps(frame, self.rate)
        port.wire_free = end
        return end

    def _transmit(self, number: int, now: int) -> None:
        packets = self.feed.packets
        kind = packets.kind[number]
        end = self._occupy(packets.flow[number], self.reply_of(number, kind), now)
        packets.done[number] = end
        self.feed.replied(number, end, self.last_event)
        if kind == kinds.SYN:
            self.leave(number, now)
        else:
            self._gone(number, now)

    def _gone(self, number: int, now: int) -> None:
        self.leave(number, now)
        sock = self.sockets.get(self.feed.packets.flow[number])
        assert sock is not None
        self.sockets.let_go(sock)

    def _round_over(self, now: int) -> None:
        """Go on after the round's frames."""
        raise NotImplementedError
