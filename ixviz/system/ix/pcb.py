"""TCP protocol control blocks, as a person can follow them: state, last event condition, last system call.
Invariant: a PCB narrates what the stages do; it never decides what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from ixviz.history import Component, Slots, field
from ixviz.workload import kinds

STATES = ("closed", "syn_received", "established", "close_wait")
CONDITIONS = ("none", "knock", "connected", "recv", "sent", "dead")
CALLS = ("none", "accept", "sendv", "recv_done", "close")
CLOSED, SYN_RECEIVED, ESTABLISHED, CLOSE_WAIT = range(4)
NONE, KNOCK, RECV, SENT, DEAD = map(CONDITIONS.index, ("none", "knock", "recv", "sent", "dead"))
ACCEPT, SENDV, CLOSE = map(CALLS.index, ("accept", "sendv", "close"))


class Pcb(Component):
    """A connection. `flow` says who is in it (-1: free); entries of the pool are used again, as in IX."""

    flow: int = field(default=-1, doc="number of the flow in this entry")
    state: int = field(values=STATES, doc="TCP state")
    condition: int = field(values=CONDITIONS, doc="last event condition given to the application")
    call: int = field(values=CALLS, doc="last system call of the application")
    messages: int = field(doc="messages received")

    def tcp_in(self, kind: int) -> None:
        """A frame goes through TCP: what it changes and which event condition it raises."""
        if kind == kinds.DATA or kind == kinds.OTHER:
            if self.state != ESTABLISHED:  # a frame without a handshake is processed as an established flow
                self.state = ESTABLISHED
            self.messages += 1
            self.condition = RECV
        elif kind == kinds.SYN:
            self.state, self.condition = SYN_RECEIVED, KNOCK
        elif kind == kinds.ACK and self.state == CLOSE_WAIT:  # the last one, of our own FIN
            self.state, self.condition = CLOSED, DEAD
        elif kind == kinds.ACK:
            self.condition = SENT if self.state == ESTABLISHED else NONE
            self.state = ESTABLISHED
        elif kind == kinds.FIN:
            self.state, self.condition = CLOSE_WAIT, DEAD
        else:
            self.state, self.condition = CLOSED, DEAD

    def calls_out(self, kind: int) -> None:
        """The application's batched call for this frame is carried out. Its data carries the ACK, so that the delayed
        ACK (1 ms) never fires: between TCP and calls it is owed."""
        if kind == kinds.DATA or kind == kinds.OTHER:
            self.call = SENDV
        elif kind == kinds.SYN:
            self.call = ACCEPT
        elif kind == kinds.FIN or kind == kinds.RST:
            self.call = CLOSE


class PcbPool:
    """Finds the PCB of a flow. Free entries are used again, the lowest number first; grows when there is none.

    (IX takes the one freed last. By number the pool can be rebuilt from the slots alone; nothing else hangs on it.)
    """

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self.of: dict[int, Pcb] = {}
        self.entries: list[Pcb] = []
        self.free: list[int] = []  # heap of numbers

    def get(self, flow: int) -> Pcb:
        """The entry of a flow, a new one if it has none."""
        pcb = self.of.get(flow)
        if pcb is None:
            if self.free:
                pcb = self.entries[heappop(self.free)]
            else:
                pcb = self._slots.add(Pcb, f"pcb{len(self.entries)}")
                self.entries.append(pcb)
            pcb.flow = flow
            pcb.messages = 0
            pcb.call = pcb.condition = NONE
            self.of[flow] = pcb
        return pcb

    def release(self, flow: int) -> None:
        """The flow's connection is gone; its entry may be used again."""
        pcb = self.of.pop(flow, None)
        if pcb is not None:
            pcb.flow = -1
            heappush(self.free, int(pcb.name[3:]))

    def tcp_in(self, members: Sequence[int], packets: Any) -> int:
        """The packets of a batch go through TCP. Returns how many of their connections have not called sendv yet."""
        known, get = self.of, self.get
        flows, kind_of = packets.flow, packets.kind
        assert self._slots.journal is not None
        log, messages = self._slots.journal.log, Pcb.offset("messages")
        fresh = 0
        for number in members:
            flow = flows[number]
            pcb = known.get(flow) or get(flow)
            kind = kind_of[number]
            state = pcb.__dict__
            if kind == kinds.DATA and state["condition"] == RECV and state["call"] == SENDV:
                old = state["messages"]  # pcb.messages += 1: Pcb.tcp_in for the common case, at half its price
                state["messages"] = old + 1
                log((pcb.base + messages, old, old + 1))
                continue
            pcb.tcp_in(kind)
            fresh += pcb.call != SENDV
        return fresh

    def calls_out(self, members: Sequence[int], packets: Any) -> None:
        """The batched system calls of the application are carried out; who is closed gives the entry back."""
        for number in members:
            flow = packets.flow[number]
            pcb = self.get(flow)
            pcb.calls_out(packets.kind[number])
            if pcb.state == CLOSED:
                self.release(flow)

    def rebuild(self) -> None:
        """Find out from the slots who is in which entry (after a resume)."""
        self.entries = [c for c in self._slots.components if isinstance(c, Pcb)]
        self.of = {pcb.flow: pcb for pcb in self.entries if pcb.flow >= 0}
        self.free = [i for i, pcb in enumerate(self.entries) if pcb.flow < 0]
