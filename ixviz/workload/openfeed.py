"""Open-loop frames on their way to the rings, block by block.
Invariant: frame by frame (here) or in bulk (bulkfeed), every ring gets the same frames at the same picosecond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ixviz.machine.wire import arrivals, wire_ps, wire_ps_many
from ixviz.workload.feed import Feed, Intake
from ixviz.workload.open import Block, OpenLoop

Ints = np.ndarray[Any, np.dtype[Any]]
NEVER = 2**63 - 1  # after the longest run
_AHEAD = ("arrives", "flow", "queue", "kind", "frame", "done")  # columns filled a block at a time


class Spread:
    """Blocks after the wire: times of arrival and queues, the frames of all ports merged in order of arrival."""

    def __init__(self, intake: Intake, loop: OpenLoop) -> None:
        self._intake = intake
        self._loop = loop
        self.number = 0  # of the next block
        self.free = [0] * len(intake.ports)  # when the last frame of each port was in, ps
        self.held: Block | None = None
        groups = loop.flows.group
        reta = np.array([*intake.reta, 0], dtype=np.uint16)  # index -1 (no hash) is the last entry: queue 0
        self.queue_of_flow = reta[groups]

    def next(self) -> tuple[Block, Ints] | None:
        """The next block with arrival times in place of send times, and the queue of each frame."""
        block = self._loop.block(self.number)
        rate = self._intake.rate
        if len(self.free) == 1:
            if block is None:
                return None
            self.number += 1
            wire = wire_ps(block.frame, rate) if isinstance(block.frame, int) else wire_ps_many(block.frame, rate)
            times = arrivals(block.times, wire, self.free[0])
            self.free[0] = int(times[-1])
            return Block(times, block.flows, block.kind, block.frame), self.queue_of_flow[block.flows]
        if block is None:
            return self._merge(None, NEVER)
        self.number += 1
        port = self._loop.flows.port[block.flows]
        frames = np.broadcast_to(np.asarray(block.frame, dtype=np.int64), block.times.shape)
        times = np.empty_like(block.times)
        for p in range(len(self.free)):
            mine = port == p
            if mine.any():
                times[mine] = arrivals(block.times[mine], wire_ps_many(frames[mine], rate), self.free[p])
                self.free[p] = int(times[mine][-1])
        return self._merge(Block(times, block.flows, block.kind, block.frame), int(block.times[-1]))

    def _merge(self, block: Block | None, until: int) -> tuple[Block, Ints] | None:
        """Frames of all ports in order of arrival. Those later than the last one sent so far (`until`) are held: a
        port with less of a backlog may overtake them with frames of the next block."""
        parts = [b for b in (self.held, block) if b is not None]
        if not parts:
            return None
        times = np.concatenate([b.times for b in parts])
        flows = np.concatenate([b.flows for b in parts])
        kind, frame = (
            np.concatenate([np.broadcast_to(np.asarray(getattr(b, n)), b.times.shape) for b in parts])
            for n in ("kind", "frame")
        )
        order = np.argsort(times, kind="stable")
        ready = order[: int(np.searchsorted(times[order], until, side="right"))]
        rest = order[len(ready) :]
        self.held = Block(times[rest], flows[rest], kind[rest], frame[rest]) if len(rest) else None
        if not len(ready):
            return self.next()
        return Block(times[ready], flows[ready], kind[ready], frame[ready]), self.queue_of_flow[flows[ready]]

    def state(self) -> tuple[int, list[int], Block | None]:
        """Number of the next block, when each port is free, frames held (never changed, so not copied)."""
        return self.number, list(self.free), self.held

    def restore(self, state: tuple[int, list[int], Block | None]) -> None:
        """Take over a state; the loop is asked for the blocks before, which Poisson needs for their ends."""
        self.number, self.held = state[0], state[2]
        self.free = list(state[1])
        for k in range(self.number):
            self._loop.block(k)


class Rings:
    """The frames of a block ring by ring: their places in the block (`index`) and times (lists, ps).

    `flat` are the indices of all rings one after the other, those of ring q from `begin[q]` on.
    """

    def __init__(self, times: Ints, queues: Ints, count: int) -> None:
        self.index = [np.flatnonzero(queues == q) for q in range(count)]
        self.times: list[list[int]] = [times[i].tolist() for i in self.index]
        self.flat = np.concatenate(self.index)
        self.begin = np.cumsum([0, *(len(i) for i in self.index)])[:-1]


@dataclass
class Delivery:
    """The block that is being delivered: frames from `at` on have not arrived; the first is row `base` of the table."""

    times: Ints
    queues: Ints
    base: int
    at: int
    count: int  # rings
    _rings: Rings | None = None

    def rings(self) -> Rings:
        """Its frames ring by ring."""
        if self._rings is None:
            self._rings = Rings(self.times, self.queues, self.count)
        return self._rings


class OpenFeed(Feed):
    """Frame by frame: for watched runs and for frames that differ."""

    def __init__(self, intake: Intake, order: int, loop: OpenLoop) -> None:
        super().__init__(intake, order)
        self.loop = loop
        self.spread = Spread(intake, loop)
        self._times: list[int] = []
        self._queues: list[int] = []
        self._at = 0
        self._base = 1  # row of the block's first frame
        self._entered: tuple[int, list[int], Block | None] | None = None  # the Spread before the present block
        none = np.empty(0, dtype=np.int64)
        self._delivery = Delivery(none, none, 1, 0, len(intake.rings))

    def group_of(self, flow: int) -> int:
        """See Feed."""
        return self.loop.flows.group_of(flow)

    def _more(self) -> bool:
        entered = self.spread.state()
        made = self.spread.next()
        if made is None:
            return False
        self._entered = entered
        block, queues = made
        n, packets = len(block), self.packets
        self._base = len(packets.arrives)
        for column, values in (("arrives", block.times), ("flow", block.flows), ("queue", queues),
                               ("kind", block.kind), ("frame", block.frame)):  # fmt: skip
            target = getattr(packets, column)
            if isinstance(values, int):
                values = np.full(n, values)
            target.frombytes(values.astype(target.typecode).tobytes())
        packets.done.frombytes(np.full(n, -1, dtype=np.int64).tobytes())
        self._times = block.times.tolist()
        self._queues = queues.tolist()
        self._at = 0
        self._delivery = Delivery(block.times, queues, self._base, 0, len(self.ids))
        return True

    @property
    def block(self) -> Delivery:
        """The frames that are being delivered, and how far that is."""
        self._delivery.at = self._at
        return self._delivery

    def passed(self, count: int) -> None:
        """The next `count` frames of the block have been delivered by somebody else."""
        self._at += count
        self.next_at = 0

    def peek(self) -> int | None:
        """When the next frame arrives."""
        if self._at == len(self._times) and not self._more():
            return None
        return self._times[self._at]

    def advance(self, now: int) -> None:
        """Deliver the frames up to and at `now`."""
        while True:
            at, times = self._at, self._times
            if at == len(times):
                if not self._more():
                    self.next_at = NEVER
                    return
                continue
            time = times[at]
            if time > now:
                self.next_at = time
                return
            self._at = at + 1
            queue, number = self._queues[at], self._base + at
            if self.intake.changes:  # the block was dealt when the RETA may have been another
                packets = self.packets
                packets.queue[number] = queue = self.intake.queue_of(self.group_of(packets.flow[number]))
            self.deliver(number, time, queue)

    def state(self) -> dict[str, Any]:
        """Position in the blocks; the blocks themselves can be made again."""
        return {**super().state(), "at": self._at, "base": self._base, "entered": self._entered}

    def restore(self, state: dict[str, Any], source: Any) -> None:
        """Make the block again that the checkpoint was in."""
        super().restore(state, source)
        self.next_at = 0
        if not self.loop.same(source.loop):  # a what-if that changes who sends what: from here on
            now, rows = self.intake.agenda._now, len(self.packets.batch)
            for column in _AHEAD:
                del getattr(self.packets, column)[rows:]
            self.loop.restart(now, rows - 1)
            self.spread.free = [min(now, self.packets.arrives[-1])] * len(self.spread.free) if rows > 1 else [0]
            self._base = rows
            return
        if state["entered"] is None:
            return
        packets, done, queue = self.packets, self.packets.done[:], self.packets.queue[: state["rows"]]
        for column in _AHEAD:
            del getattr(packets, column)[state["base"] :]
        self.spread.restore(state["entered"])
        self._more()
        packets.done[: len(done)] = done
        if self.intake.changes:  # those that have arrived went where the RETA led then
            packets.queue[: len(queue)] = queue
        self._at = state["at"]
