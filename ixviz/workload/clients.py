"""Clients that answer: closed loops with a schedule of their own, connections that may open and close.
Invariant: a request's due time depends on its connection and number alone; it is sent then, or when a slot frees."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np

from ixviz.machine.streams import generator
from ixviz.machine.wire import HEADERS, PS, frame_bytes, wire_ps
from ixviz.workload import kinds
from ixviz.workload.feed import Feed, Intake
from ixviz.workload.flows import Endless, Made
from ixviz.workload.loop import Loop, Mix, note_request, request_columns
from ixviz.workload.schedule import schedule_of

DUE, REPLY, AGAIN, OPENED, CLOSED_BY_FIN = range(5)
IDLE, OPENING, OPEN, CLOSING = range(4)
FORGETS = 1 << 16  # requests between two looks for draws that nobody will ask for again
NEVER = 2**63 - 1  # after the longest run
SYN_RTO = PS  # a lost SYN is sent again after 1 s (RFC 6298); illustrative like every RTO here


class Clients(Feed):
    """A feed whose frames are permitted by answers. Two heaps: what clients do when, and frames behind the wire."""

    def __init__(self, intake: Intake, order: int, loop: Loop, mix: Mix, flows: Made) -> None:
        super().__init__(intake, order)
        self.loop, self.mix, self._flows = loop, mix, Endless(flows)
        n = loop.connections
        self.requests = request_columns()
        self.doing: list[tuple[int, int, int, int]] = []  # (time, connection, what, request)
        self.flying: list[tuple[int, int, int, int, int, int]] = []  # (time, number, flow, kind, frame, request)
        self.frames = 0
        self.free = [0] * len(intake.ports)
        self.busy = [0] * n  # outstanding requests
        self.drawn = [0] * n  # requests drawn from the schedule
        self.due = [0] * n  # when the next is due, ps
        self.armed = [False] * n  # a DUE of it lies in `doing`
        self.status = [OPEN if loop.messages is None else IDLE] * n
        self.left = [-1 if loop.messages is None else loop.messages] * n
        self.flow = list(range(n))
        self.why = [-1] * n  # the doorbell event whose answer permitted the next frame of a connection
        self.opened = 0  # connections opened so far; with a lifecycle each has a flow of its own
        self.schedule = schedule_of(loop.seed, n, loop.rate)
        self._wire: dict[int, int] = {}
        if self.schedule is None:
            for first in range(0, n, 4096):  # a moment for each within a round trip, so that they do not march in step
                drawn = generator(loop.seed, "start", first // 4096).random(4096) * (2 * loop.one_way)
                self.due[first : first + 4096] = drawn.astype(np.int64)[: n - first].tolist()
        else:
            self.due = [self.schedule.after(c, 0, 0) for c in range(n)]
            self.drawn = [1] * n
        for c in range(n):
            self.armed[c] = True
            heappush(self.doing, (self.due[c], c, DUE, -1))

    # ---------------------------------------------------------------- flows
    def flow_data(self, flow: int) -> tuple[int, int]:
        """Flow group and port of a flow."""
        return self._flows.at(flow)

    def group_of(self, flow: int) -> int:
        """See Feed."""
        return self.flow_data(flow)[0]

    # ---------------------------------------------------------------- what clients do
    def _send(self, now: int, flow: int, kind: int, frame: int, request: int) -> None:
        """A frame leaves a client at `now`; it is in when its last bit is, one way and one frame later or queued."""
        wire = self._wire.get(frame)
        if wire is None:
            wire = self._wire[frame] = wire_ps(frame, self.intake.rate)
        port = self.flow_data(flow)[1]
        arrives = max(now + self.loop.one_way, self.free[port] + wire)
        self.free[port] = arrives
        self.frames += 1
        heappush(self.flying, (arrives, self.frames, flow, kind, frame, request))

    def _pump(self, c: int, now: int) -> None:
        """Let connection c send what is due and permitted, and arm it for what comes."""
        loop, schedule = self.loop, self.schedule
        while True:
            due = self.due[c] if schedule is not None or self.due[c] > now else now
            if due > now:
                if not self.armed[c]:
                    self.armed[c] = True
                    heappush(self.doing, (due, c, DUE, -1))
                return
            if self.status[c] != OPEN:
                if self.status[c] == IDLE:
                    self.status[c] = OPENING
                    self.flow[c] = self.opened
                    self.opened += 1
                    self._send(now, self.flow[c], kinds.SYN, HEADERS, -2 - c)
                return
            if self.busy[c] >= loop.outstanding or self.left[c] == 0:
                return
            number = self.drawn[c]
            size, reply = self.mix.sizes(c, number)
            request = note_request(self.requests, c, due, now, size, reply)
            self.busy[c] += 1
            if self.left[c] > 0:
                self.left[c] -= 1
            if schedule is not None:
                self.due[c] = schedule.after(c, number, due)
            self.drawn[c] = number + 1
            if request % FORGETS == FORGETS - 1:
                self._forget()
            self._send(now, self.flow[c], kinds.DATA, frame_bytes(size), request)

    def _forget(self) -> None:
        """Let go of draws that all connections are past: of a long run they would be most of its memory."""
        least = min(self.drawn)
        self.mix.forget(least)
        if self.schedule is not None:
            self.schedule.forget(least)

    def _replied(self, c: int, now: int) -> None:
        self.busy[c] -= 1
        if self.left[c] == 0 and self.busy[c] == 0:
            if self.loop.quickack:
                self._send(now, self.flow[c], kinds.ACK, HEADERS, -1)
            if self.loop.close == "rst":
                self._send(now, self.flow[c], kinds.RST, HEADERS, -1)
                self._closed(c)
            else:
                self._send(now, self.flow[c], kinds.FIN, HEADERS, -2 - c)
                self.status[c] = CLOSING
        self._pump(c, now)

    def _closed(self, c: int) -> None:
        self.status[c] = IDLE
        self.left[c] = self.loop.messages or -1

    def _do(self) -> None:
        now, c, what, request = heappop(self.doing)
        if what == DUE:
            self.armed[c] = False
            self._pump(c, now)
        elif what == REPLY:
            self._replied(c, now)
        elif what == AGAIN:
            if request >= 0:
                self.requests.tries[request] += 1
                self._send(now, self.flow[c], kinds.DATA, self.requests.size[request], request)
            else:
                kind = kinds.SYN if self.status[c] == OPENING else kinds.FIN
                self._send(now, self.flow[c], kind, HEADERS, request)
        elif what == OPENED:
            self.status[c] = OPEN
            self._send(now, self.flow[c], kinds.ACK, HEADERS, -1)
            self._pump(c, now)
        else:
            self._send(now, self.flow[c], kinds.ACK, HEADERS, -1)
            self._closed(c)
            self._pump(c, now)

    # ---------------------------------------------------------------- the feed
    def peek(self) -> int | None:
        """When the next client acts or the next frame is in, whichever is first."""
        doing, flying = self.doing, self.flying
        if not doing:
            return flying[0][0] if flying else None
        return min(doing[0][0], flying[0][0]) if flying else doing[0][0]

    def advance(self, now: int) -> None:
        """Clients act and frames arrive, in order of time, up to and at `now`."""
        doing, flying = self.doing, self.flying
        while True:
            if doing and doing[0][0] <= now and (not flying or doing[0][0] <= flying[0][0]):
                self._do()
            elif flying and flying[0][0] <= now:
                time, _, flow, kind, frame, request = heappop(flying)
                group = self.flow_data(flow)[0]
                self.cause = -1
                packets = self.packets
                number, queue = len(packets.batch), self.intake.queue_of(group)
                if request >= 0:
                    self.requests.packet[request] = number
                    self.cause = self.why[self.requests.connection[request]]
                packets.arrives.append(time)
                packets.flow.append(flow)
                packets.kind.append(kind)
                packets.queue.append(queue)
                packets.frame.append(frame)
                packets.done.append(-1)
                packets.request.append(request)
                self.deliver(number, time, queue)
            else:
                self.next_at = min(doing[0][0] if doing else NEVER, flying[0][0] if flying else NEVER)
                return

    def dropped(self, number: int, time: int) -> None:
        """A request, SYN or FIN that was dropped is sent again after an RTO; a lost ACK or RST is not missed."""
        self._sooner(time)
        request = self.packets.request[number]
        if request >= 0:
            heappush(self.doing, (time + self.loop.rto, self.requests.connection[request], AGAIN, request))
        elif request <= -2:
            heappush(self.doing, (time + SYN_RTO, -2 - request, AGAIN, request))

    def replied(self, number: int, time: int, event: int) -> None:
        """The answer left the server at `time`: it is at the client one way and the client's share later."""
        request, kind = self.packets.request[number], self.packets.kind[number]
        at = time + self.loop.one_way + self.loop.client_share
        self._sooner(at)
        if kind == kinds.DATA:
            if request >= 0:
                self.requests.done[request] = at
                self.why[self.requests.connection[request]] = event
                heappush(self.doing, (at, self.requests.connection[request], REPLY, request))
        elif request <= -2:
            what = OPENED if kind == kinds.SYN else CLOSED_BY_FIN
            heappush(self.doing, (at, -2 - request, what, -1))

    def _sooner(self, at: int) -> None:
        """A client will act at `at`, perhaps before what was next: quiescent threads must be woken for it."""
        self.next_at = 0
        if (self.alarm.at < 0 or at < self.alarm.at) and any(self.intake.waiting):
            self.alarm.arm(at)

    def state(self) -> dict[str, Any]:
        """Both heaps, the tables and what each connection is at."""
        kept = {n: list(getattr(self, n)) for n in _COPIED}
        open_ = np.flatnonzero(np.frombuffer(self.requests.done, dtype=np.int64) < 0).tolist() if self.frames else []
        tries = [self.requests.tries[r] for r in open_]
        schedule = self.schedule and self.schedule.state()
        return {**super().state(), "requests": len(self.requests.done), "open": open_, "tries": tries,
                "frames": self.frames, "opened": self.opened, "schedule": schedule, **kept}  # fmt: skip

    def restore(self, state: dict[str, Any], source: Any) -> None:
        """Take over a state: of the tables what they held then."""
        super().restore(state, source)
        self.requests = source.requests.copy(state["requests"])
        for request, tries in zip(state["open"], state["tries"], strict=True):
            self.requests.done[request] = -1
            self.requests.tries[request] = tries
            if self.requests.packet[request] >= state["rows"]:
                self.requests.packet[request] = -1
        self.next_at = 0
        self.frames, self.opened = state["frames"], state["opened"]
        for n in _COPIED:
            setattr(self, n, list(state[n]))
        if self.schedule is not None:
            self.schedule.restore(state["schedule"], source.schedule, self.drawn, self.due)


_COPIED = ("doing", "flying", "free", "busy", "drawn", "due", "armed", "status", "left", "flow", "why")
