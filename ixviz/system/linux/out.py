"""What leaves: an answer goes to the NIC by the core's own TX queue; a packet is done with.
Invariant: frames of a port take its wire in order and never overlap; a packet leaves once."""

from __future__ import annotations

from ixviz.machine.wire import wire_ps
from ixviz.system.linux.napi import Napi


class Out(Napi):
    """What a core sends, and how it writes down the way of a packet."""

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

    def leave(self, number: int, now: int) -> None:
        """Nothing is left to do for a packet."""
        self.note("sent", number)
        self.journeys.left[number] = now
        self.done += 1

    def note(self, step: str, number: int) -> None:
        """Write down by which event a packet took a step."""
        table = self.journeys
        missing = number + 1 - len(table.left)
        if missing > 0:
            for name in table.names:
                getattr(table, name).extend([-1] * missing)
        if self.journal is not None:
            getattr(table, step)[number] = self.last_event
