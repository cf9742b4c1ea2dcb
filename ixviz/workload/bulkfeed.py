"""Open-loop frames in bulk: for unwatched runs whose frames are all alike and come in by one port.
Invariant: a lane is given the arrival times of its ring and finds with one search how many have come by a poll."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ixviz.workload.feed import Feed, Intake
from ixviz.workload.open import OpenLoop
from ixviz.workload.openfeed import NEVER, Spread

Ints = np.ndarray[Any, np.dtype[Any]]


class Lane(Protocol):
    """Who polls a ring in bulk. `times` are arrivals not yet behind `at`; `seen` counts those behind it."""

    times: list[int]
    at: int
    gaps: list[tuple[int, int]]

    def pack(self) -> None:
        """Put what has been logged into less memory."""

    def settle(self) -> None:
        """Bring the slots of ring, list and thread up to date."""

    def poll_rest(self, now: int) -> None:
        """See what has arrived up to and at `now`, at the end of a run."""


class BulkFeed(Feed):
    """Hands blocks to lanes, one lane a ring. Nothing is delivered frame by frame, so there is no packet table."""

    bulk = True

    def __init__(self, intake: Intake, order: int, loop: OpenLoop) -> None:
        super().__init__(intake, order)
        self.loop = loop
        self.spread = Spread(intake, loop)
        self.lanes: list[Any] = []
        self.horizon = -1  # all frames up to here are known, ps
        self.arrived: list[list[Ints]] = [[] for _ in intake.rings]  # per ring, all frames, for the figures

    def until(self, now: int) -> None:
        """Hand out blocks until all frames up to and at `now` are known."""
        while self.horizon <= now:
            self.more()

    def more(self) -> None:
        """Hand out the next block."""
        made = self.spread.next()
        if made is None:
            self.horizon = NEVER
            return
        block, queues = made
        self.horizon = int(block.times[-1])
        parts = [block.times]
        if len(self.lanes) > 1:  # one stable sort (radix, on small integers) for all rings in place of a mask for each
            order = np.argsort(queues.astype(np.uint8) if len(self.lanes) <= 256 else queues, kind="stable")
            ends = np.cumsum(np.bincount(queues, minlength=len(self.lanes)))
            parts = np.split(block.times[order], ends[:-1])
        for q, (lane, mine) in enumerate(zip(self.lanes, parts, strict=True)):
            self.arrived[q].append(mine)
            lane.times = lane.times[lane.at :] + mine.tolist()
            lane.at = 0
            lane.pack()

    def peek(self) -> int | None:
        """Lanes look by themselves."""
        return None

    def group_of(self, flow: int) -> int:
        """See Feed."""
        return self.loop.flows.group_of(flow)

    def advance(self, now: int) -> None:
        """At the end of a run: all that has arrived is in the rings, and the slots say so."""
        for lane in self.lanes:
            lane.poll_rest(now)
        for lane in self.lanes:
            lane.settle()

    def kept(self, queue: int) -> Ints:
        """Arrival times of all frames of a queue that were not dropped, so far as polls have seen them; int64 ps."""
        parts, lane = self.arrived[queue], self.lanes[queue]
        times = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
        times = times[: len(times) - (len(lane.times) - lane.at)]
        if lane.gaps:
            keep = np.ones(len(times), dtype=bool)
            for start, count in lane.gaps:
                keep[start : start + count] = False
            times = times[keep]
        return times

    def state(self) -> dict[str, Any]:
        """Positions and the frames not yet seen."""
        for lane in self.lanes:
            lane.settle()
        return {
            **super().state(),
            "spread": self.spread.state(),
            "horizon": self.horizon,
            "arrived": [list(a) for a in self.arrived],
            "lanes": [lane.state() for lane in self.lanes],
        }

    def restore(self, state: dict[str, Any], source: Any) -> None:
        """Take over positions and frames."""
        super().restore(state, source)
        if not self.loop.same(source.loop):
            raise ValueError("a run in bulk cannot change its load on the way: record it")
        self.spread.restore(state["spread"])
        self.horizon = state["horizon"]
        self.arrived = [list(a) for a in state["arrived"]]
        for lane, kept in zip(self.lanes, state["lanes"], strict=True):
            lane.restore(kept)
