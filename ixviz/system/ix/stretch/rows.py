"""The events and writes of a stretch, made from its turns and arrivals all together.
Invariant: in the order of the steps: by time, frames first, then core by core; each write with the value before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ixviz.machine.nic import RxList, RxRing, TxRing
from ixviz.system.ix.costs import IDLE, POLL, TX
from ixviz.system.ix.dataplane import Dataplane
from ixviz.system.ix.pcb import Pcb, PcbPool
from ixviz.system.ix.stretch.turns import BELL, IN_TCP, POLLED, QUIET, Log, Turns
from ixviz.system.ix.turn import DOORBELL, QUIESCENT, STAGE0
from ixviz.workload.feed import ARRIVE
from ixviz.workload.openfeed import OpenFeed

Ints = np.ndarray[Any, np.dtype[Any]]
KIND = np.array([*(stage + STAGE0 for stage in range(POLL, TX + 1)), DOORBELL, QUIESCENT])
PLACES = 2**20  # of writes within an event: more than the largest batch has


class Members:
    """Who is in the turns: `packet` and `turn` of each, turn by turn; `place` within its turn."""

    def __init__(self, log: Log, turns: Turns, feed: OpenFeed) -> None:
        rings, block = feed.block.rings(), feed.block
        self.queue: list[Ints] = []  # per core: packets that are taken by these turns or still wait at its ring
        parts = []
        for c, core in enumerate(log.cores):
            q = core.queues[0]
            held = np.array([*(core.members if core.stage else ()), *feed.ids[q]], dtype=np.int64)
            come = block.base + rings.index[q][log.pos[c] : np.searchsorted(rings.index[q], block.at + log.arrivals)]
            self.queue.append(np.concatenate([held, come]))
            mine = slice(turns.first[c], turns.behind[c])
            parts.append(self.queue[c][: int(turns.size[mine].sum())])
        self.packet = np.concatenate(parts)
        self.turn = np.repeat(np.arange(turns.count), turns.size)
        starts = np.cumsum(turns.size) - turns.size
        self.place = np.arange(len(self.turn)) - starts[self.turn]


class Rows:
    """Makes the events and the writes of one log; `base` is the number of the first event."""

    def __init__(self, log: Log, turns: Turns, feed: OpenFeed, base: int) -> None:
        self.log, self.turns, self.feed = log, turns, feed
        block = feed.block
        frames = slice(block.at, block.at + log.arrivals)
        self.queues = block.queues[frames]
        self.of_turn, self.column = np.nonzero(turns.there)
        times = np.concatenate([block.times[frames], turns.at[turns.there]])
        self.sorted = np.argsort(times, kind="stable")
        self.rank = np.empty(len(times), dtype=np.int64)
        self.rank[self.sorted] = np.arange(len(times))
        self.number = base + self.rank
        self.times = times[self.sorted]
        self.event = np.full(turns.there.shape, -1, dtype=np.int64)  # rank of each event of a turn, -1: not within
        self.event[turns.there] = self.rank[log.arrivals :]
        self._parts: list[tuple[Ints, ...]] = []

    # ---------------------------------------------------------------- events
    def events(self) -> Ints:
        """int64 [n, 4]: time, kind, subject, cause."""
        log, turns, here = self.log, self.turns, self.log.arrivals
        cores = log.cores
        core_of = turns.core[self.of_turn]
        mine = self.number[here:]
        made = np.full((len(self.number), 4), -1, dtype=np.int64)
        made[:here, 1], made[:here, 2] = ARRIVE, np.array(self.feed.intake.subject)[self.queues]
        made[here:, 1] = KIND[self.column]
        made[here:, 2] = np.array([core.subject for core in cores])[core_of]
        if len(mine):
            cause = np.concatenate([mine[:1], mine[:-1]])
            led = np.flatnonzero(np.diff(core_of, prepend=-1))
            cause[led] = np.array([core.last_event for core in cores])[core_of[led]]
            woken = np.flatnonzero((self.column == POLLED) & turns.rested[self.of_turn])  # by the frame that just came
            rings = self.feed.block.rings()
            frame = rings.flat[rings.begin[turns.core[self.of_turn[woken]]] + turns.to[self.of_turn[woken]] - 1]
            cause[woken] = self.number[frame - self.feed.block.at]
            made[here:, 3] = cause
        made = made[self.sorted]
        made[:, 0] = self.times
        return made

    # ---------------------------------------------------------------- writes
    def writes(self, members: Members, pcbs: PcbPool) -> tuple[Ints, Ints]:
        """How many writes each event has, and int64 [m, 3]: slot, old, new, in order. Only what changes is written."""
        self._arrivals()
        self._polls()
        self._bells()
        self._stages()
        self._messages(members, pcbs)
        rank, place, slot, old, new = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        changed = np.flatnonzero(old != new)
        order = changed[np.argsort(rank[changed] * PLACES + place[changed], kind="stable")]
        return np.bincount(rank[order], minlength=len(self.rank)), np.stack([slot[order], old[order], new[order]], 1)

    def _write(self, rank: Ints, place: int | Ints, slot: int | Ints, old: int | Ints, new: int | Ints) -> None:
        whole = (np.full(len(rank), x) if isinstance(x, int) else x for x in (place, slot, old, new))
        self._parts.append((rank, *whole))

    def _arrivals(self) -> None:
        log, turns, block = self.log, self.turns, self.feed.block
        rings, nic = block.rings(), self.feed.intake.nic
        here = log.arrivals
        came = self.rank[:here]
        arrived = nic.arrived + np.arange(here)
        self._write(came, 1, nic.base + nic.offset("arrived"), arrived, arrived + 1)
        tail, deepest = RxRing.offset("tail"), RxRing.offset("deepest")
        for c, core in enumerate(log.cores):
            q, ring, pos = core.queues[0], core.rings[0], log.pos[c]
            frames = rings.index[q][pos : np.searchsorted(rings.index[q], block.at + here)] - block.at
            if not len(frames):
                continue
            rank, before = came[frames], ring.tail + np.arange(len(frames))
            self._write(rank, 0, ring.base + tail, before, before + 1)
            polls = turns.to[turns.first[c] : turns.behind[c]][~turns.old[turns.first[c] : turns.behind[c]]]
            taken = np.searchsorted(polls, pos + np.arange(len(frames)), "right")  # polls before: they emptied the ring
            head = np.concatenate([[ring.head], ring.tail + polls - pos])[taken]
            most = np.maximum.accumulate(np.concatenate([[ring.deepest], before + 1 - head]))
            self._write(rank, 2, ring.base + deepest, most[:-1], most[1:])

    def _slots(self, parts: Sequence[Any], cls: Any, name: str, where: Ints) -> Ints:
        slot: Ints = np.array([part.base + cls.offset(name) for part in parts])[self.turns.core[where]]
        return slot

    def _polls(self) -> None:
        turns, cores = self.turns, self.log.cores
        rings, lists = [core.rings[0] for core in cores], [core.lists[0] for core in cores]
        polled = np.flatnonzero(turns.there[:, POLLED])
        rank = self.event[polled, POLLED]
        took = np.where(turns.old, 0, turns.size)
        ended = turns.before(turns.end, [core.began for core in cores])
        idle = np.where(turns.rested, turns.begin - ended, 0)
        most = turns.depth.copy()
        for c, each in enumerate(lists):
            mine = slice(turns.first[c], turns.behind[c])
            most[mine] = np.maximum.accumulate(np.maximum(most[mine], each.deepest))
        moved = turns.summed(turns.come, [ring.head for ring in rings])
        listed = turns.summed(turns.come, [each.tail for each in lists])
        gone = turns.summed(took, [each.head for each in lists])
        idled = turns.summed(idle, [core.idle for core in cores])
        batch = turns.summed(~turns.old, [core.batch for core in cores])
        row = turns.before(turns.row, [core.row for core in cores])
        most_before = turns.before(most, [each.deepest for each in lists])
        writes: tuple[tuple[Sequence[Any], Any, str, Ints, Ints], ...] = (
            (rings, RxRing, "head", moved - turns.come, moved),
            (lists, RxList, "tail", listed - turns.come, listed),
            (lists, RxList, "deepest", most_before, most),
            (lists, RxList, "head", gone - took, gone),
            (cores, Dataplane, "row", row, turns.row),
            (cores, Dataplane, "idle", idled - idle, idled),
            (cores, Dataplane, "began", ended, turns.begin),
            (cores, Dataplane, "stage", np.where(turns.rested, IDLE, TX), np.full(turns.count, POLL)),
            (cores, Dataplane, "batch", batch - 1, batch),
            (cores, Dataplane, "size", np.zeros(turns.count, dtype=np.int64), turns.size),
        )
        for place, (parts, cls, name, old, new) in enumerate(writes):
            self._write(rank, place, self._slots(parts, cls, name, polled), old[polled], new[polled])

    def _bells(self) -> None:
        turns, cores = self.turns, self.log.cores
        out = np.flatnonzero(turns.out)
        rank = self.event[out, BELL]
        size, spent = np.where(turns.out, turns.size, 0), np.where(turns.out, turns.end - turns.begin, 0)
        rings, port = [core.tx for core in cores], cores[0].ports[0]
        wire = port.base + port.offset("wire_free")
        self._write(rank, 0, wire, turns.free[out], turns.start[out] + turns.size[out] * turns.wire)
        posted = turns.summed(size, [ring.posted for ring in rings])
        bells = turns.summed(turns.out, [ring.doorbells for ring in rings])
        busy = turns.summed(spent, [core.busy for core in cores])
        done = turns.summed(size, [core.done for core in cores])
        writes = (
            (rings, TxRing, "posted", posted - size, posted),
            (rings, TxRing, "doorbells", bells - 1, bells),
            (cores, Dataplane, "busy", busy - spent, busy),
            (cores, Dataplane, "began", turns.begin, turns.end),
            (cores, Dataplane, "done", done - size, done),
            (cores, Dataplane, "size", turns.size, np.zeros(turns.count, dtype=np.int64)),
        )
        for place, (parts, cls, name, old, new) in enumerate(writes):
            self._write(rank, place + 1, self._slots(parts, cls, name, out), old[out], new[out])

    def _stages(self) -> None:
        turns, cores = self.turns, self.log.cores
        where, column = np.nonzero(turns.there[:, IN_TCP:BELL])
        slot = self._slots(cores, Dataplane, "stage", where)
        self._write(self.event[where, column + IN_TCP], 0, slot, column + POLL, column + POLL + 1)
        quiet = np.flatnonzero(turns.there[:, QUIET])
        slot = self._slots(cores, Dataplane, "stage", quiet)
        self._write(self.event[quiet, QUIET], 0, slot, TX, IDLE)

    def _messages(self, members: Members, pcbs: PcbPool) -> None:
        """TCP counts a message for each packet of a batch. One connection's are all on one core, hence in order."""
        seen = np.flatnonzero(self.turns.there[members.turn, IN_TCP])
        flow = np.frombuffer(self.feed.packets.flow, dtype=np.int32)[members.packet[seen]]
        flows, which, counts = np.unique(flow, return_inverse=True, return_counts=True)
        entries = [pcbs.of[f] for f in flows.tolist()]
        by = np.argsort(which, kind="stable")
        before = np.empty(len(seen), dtype=np.int64)
        before[by] = np.arange(len(seen)) - np.repeat(np.cumsum(counts) - counts, counts)
        before += np.array([e.messages for e in entries], dtype=np.int64)[which]
        slot = np.array([e.base for e in entries], dtype=np.int64)[which] + Pcb.offset("messages")
        rank = self.event[members.turn[seen], IN_TCP]
        self._write(rank, 1 + members.place[seen], slot, before, before + 1)
