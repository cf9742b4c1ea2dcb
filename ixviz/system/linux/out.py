"""What leaves: an answer goes to the NIC by the core's own TX queue.
Invariant: frames of a port take its wire in order and never overlap."""

from __future__ import annotations

from ixviz.machine.wire import wire_ps
from ixviz.system.linux.napi import Napi


class Out(Napi):
    """What a core sends."""

    def transmit(self, number: int, kind: int, now: int) -> None:
        """Hand the answer to a packet to the NIC; the feed learns when its last bit is out."""
        packets = self.feed.packets
        flow = packets.flow[number]
        port = self.ports[self.port_of(flow) if len(self.ports) > 1 else 0]
        end = max(port.wire_free, now) + wire_ps(self.reply_of(number, kind), self.rate)
        port.wire_free = end
        packets.done[number] = end
        self.tx.posted += 1
        self.tx.doorbells += 1
        self.sends_by.posted(end, self.last_event)
        self.feed.replied(number, end, self.last_event)
