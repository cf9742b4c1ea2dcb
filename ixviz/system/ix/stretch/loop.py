"""The turns of a stretch, one after the other over all cores: when they begin and end and what they take.
Invariant: it looks at the machine and leaves it as it is; what it saw too much of is cut off by the log's `last`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from heapq import heapify, heapreplace

import numpy as np

from ixviz.system.ix.costs import TX
from ixviz.system.ix.dataplane import Dataplane
from ixviz.system.ix.stretch.turns import Log
from ixviz.workload.openfeed import NEVER, OpenFeed

OF_A_TURN = 10  # events, at most


def run_turns(cores: Sequence[Dataplane], feed: OpenFeed, last: int, events: int, turn_ps: dict[int, int]) -> Log:
    """The turns up to `last` (ps), or until there are about `events`, or until something rare: the log says up to when.

    Nothing is changed by it but `turn_ps`, which keeps how long a turn of so many packets lasts.
    """
    rings = feed.block.rings()
    times_of = [rings.times[core.queues[0]] for core in cores]
    pos = [int(np.searchsorted(rings.index[core.queues[0]], feed.block.at)) for core in cores]
    log = Log(cores, list(pos))
    ring_depth = [core.rings[0].depth for core in cores]
    waiting = [core.lists[0].depth for core in cores]
    size = [core.size for core in cores]
    ring_room, list_room = [c.rings[0].capacity for c in cores], cores[0].lists[0].capacity
    bound, wire, room = cores[0].bound, cores[0].alike_wire or 0, cores[0].tx.capacity
    free = cores[0].ports[0].wire_free
    turns, doorbells, quiet = log.turns.extend, log.doorbells.extend, log.quiet.append
    current, number = [0] * len(cores), 0  # turns are numbered: first those that run, by core, then as they begin
    heap = []
    for c, core in enumerate(cores):
        if core.stage:
            current[c], number = number, number + 1
            assert core.plan is not None
            heap.append((core.plan[TX], c))
        else:
            heap.append((times_of[c][pos[c]] if pos[c] < len(times_of[c]) else NEVER, c))
    heapify(heap)
    count = -OF_A_TURN * len(cores)  # those that run at the end are not over
    while True:
        now, c = heap[0]
        if now > last:
            break
        n = size[c]
        if n:
            start = now
            if free > now:
                start = free
                until = free - (room - min(n, room)) * wire
                if wire and until > now:
                    last = now - 1
                    break
            free = start + n * wire
            doorbells((current[c], start))
        times, at = times_of[c], pos[c]
        to = bisect_right(times, now, at)
        come = to - at
        if ring_depth[c]:
            come += ring_depth[c]
        if come > ring_room[c]:
            break  # below it is seen when the ring was full
        there = waiting[c] + come
        if there > list_room:
            last = now - 1
            break
        ring_depth[c], pos[c] = 0, to
        if there:
            took = there if there < bound else bound
            waiting[c], size[c] = there - took, took
            turns((c, now, took, come, there, to))
            current[c], number = number, number + 1
            lasts = turn_ps.get(took)
            if lasts is None:
                lasts = turn_ps[took] = cores[c].offsets_of(took)[TX]
            heapreplace(heap, (now + lasts, c))
            count += come + OF_A_TURN
            if count >= events and now < last:
                last = now
        else:
            quiet(current[c])
            size[c] = 0
            heapreplace(heap, (times[to] if to < len(times) else NEVER, c))
    for c, times in enumerate(times_of):  # a ring may overflow before the next poll, be it within the stretch or not
        full = pos[c] + ring_room[c] - ring_depth[c]
        if full < len(times) and times[full] <= last:
            last = times[full] - 1
    log.last, log.events = last, count + OF_A_TURN * len(cores)
    return log
