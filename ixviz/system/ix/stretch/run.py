"""A stretch of a recorded run at once: whole turns in place of steps, their events and writes made when it is over.
Invariant: journal, tables and machine are then what they would be had every stage and frame been a step of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ixviz.system.ix.costs import IDLE, POLL
from ixviz.system.ix.dataplane import Dataplane
from ixviz.system.ix.pcb import RECV, SENDV, Pcb, PcbPool
from ixviz.system.ix.stretch.loop import run_turns
from ixviz.system.ix.stretch.settle import Settle
from ixviz.system.simulation import Simulation
from ixviz.workload.openfeed import OpenFeed

LEAST = 1000  # events wanted; for fewer, and where a stretch came to fewer than FEW, steps are as fast
FEW = 200
MOST = 5  # after n tries in vain (at most these) the next 2^n - 1 are left out


class Stretch:
    """Takes a recorded run on where nothing rare happens: data frames of connections that are open, in an open loop, on
    one port, with fixed costs and one ring a thread (`build` sees to that). It ends before a drop, a frame of a new
    connection, a TX ring that is full, and before the last frame that is known by now: those are left to the steps.
    """

    def __init__(self, simulation: Simulation, feed: OpenFeed, pcbs: PcbPool) -> None:
        self._agenda, self._feed, self._pcbs = simulation.agenda, feed, pcbs
        self._cores: Sequence[Dataplane] = simulation.threads
        self._settle = Settle(simulation, feed, pcbs)
        self._open = np.zeros(len(feed.loop.flows), dtype=bool)  # flows whose next frame changes nothing but a count
        self._looked = 0  # entries of the pool known to `_open`, but for the `_young` ones
        self._young: list[Pcb] = []
        self._turn_ps: dict[int, int] = {}
        self._vain = self._leave_out = 0

    def __call__(self, events: int, end: int | None) -> bool:
        """Go on for about `events` events, none later than `end` (ps). False when nothing was done: take steps."""
        if events < LEAST:
            return False
        if self._leave_out:
            self._leave_out -= 1
            return False
        now = self._agenda._now
        if not all(map(self._ready, self._cores)):
            return False
        last = self._until(events, now)
        if end is not None and end < last:
            last = end
        if last <= now:
            return False
        log = run_turns(self._cores, self._feed, last, events, self._turn_ps)
        if log.events >= FEW and self._settle.take(log):
            self._vain = 0
            return True
        self._vain = min(self._vain + 1, MOST)
        self._leave_out = 2**self._vain - 1
        return False

    def _ready(self, core: Dataplane) -> bool:
        """Whether a thread is quiescent, or in a turn whose ends of stages are known and whose connections are open."""
        if core.anchor or core.position or core.control or core.fresh or core.running is not core.costs:
            return False
        if core.speed != core.clock:
            return False
        if core.stage == IDLE:
            return core.alarm.at < 0 and core.feed.intake.waiting[core.queues[0]] is not None
        return core.plan is not None and not core.stalled and core.alarm.at == core.plan[core.stage]

    def _until(self, events: int, now: int) -> int:
        """Up to when (ps) all frames are known and belong to open connections; `now` or less: not even for a moment."""
        for pcb in (young := self._young + self._pcbs.entries[self._looked :]):
            if pcb.condition == RECV and pcb.call == SENDV:
                self._open[pcb.flow] = True
        self._looked = len(self._pcbs.entries)
        self._young = [pcb for pcb in young if not self._open[pcb.flow]]
        feed = self._feed
        at, base, times = feed.block.at, feed.block.base, feed.block.times
        if at >= len(times) or times[at] <= now:
            return now
        first = base + at  # the earliest packet that TCP has not seen
        for core in self._cores:
            ids = feed.ids[core.queues[0]]
            if core.stage == POLL:
                first = min(first, core.members[0])
            elif ids:
                first = min(first, ids[0])
        stop = min(len(times), at + events + 1)
        flows = np.frombuffer(feed.packets.flow, dtype=np.int32)[first : base + stop]
        new = np.flatnonzero(~self._open[flows])
        known = int(new[0]) + first - base if len(new) else stop - 1
        return int(times[known]) - 1 if known >= at else now
