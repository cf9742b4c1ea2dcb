"""What tables and machine hold after a stretch.
Invariant: the slots are what the writes made of them; the tables are filled in as the steps would have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ixviz.history.journal import assign
from ixviz.system.ix.pcb import PcbPool
from ixviz.system.ix.stretch.rows import Members, Rows
from ixviz.system.ix.stretch.turns import BELL, POLLED, Log, Turns
from ixviz.system.simulation import Simulation
from ixviz.workload.openfeed import OpenFeed

Ints = np.ndarray[Any, np.dtype[Any]]


class Settle:
    """Writes a log into journal, tables, slots, and arms everybody for what comes."""

    def __init__(self, simulation: Simulation, feed: OpenFeed, pcbs: PcbPool) -> None:
        assert simulation.journal is not None
        self._agenda, self._slots, self._batches = simulation.agenda, simulation.slots, simulation.batches
        self._journal, self._feed, self._pcbs = simulation.journal, feed, pcbs
        self._cells: list[tuple[dict[str, Any], str]] = []  # of each slot: where it lives
        self._parts = 0  # components in `_cells`

    def take(self, log: Log) -> bool:
        """All of it; False when nothing happens in it."""
        feed, journal = self._feed, self._journal
        log.arrivals = int(np.searchsorted(feed.block.times, log.last, "right")) - feed.block.at
        turns = Turns(log, len(self._batches.core))
        base = journal.count
        rows, members = Rows(log, turns, feed, base), Members(log, turns, feed)
        if not len(rows.times):
            return False
        events = rows.events()
        counts, writes = rows.writes(members, self._pcbs)
        self._packets(turns, rows, members)
        self._turns(log, turns, rows, base)
        self._queues(log, turns, rows, members)
        self._values(writes)
        journal.block(events, counts, writes)
        self._arm(log, int(rows.times[-1]))
        return True

    def _packets(self, turns: Turns, rows: Rows, members: Members) -> None:
        packets, here = self._feed.packets, rows.log.arrivals
        packets.event.frombytes(rows.number[:here].astype(packets.event.typecode).tobytes())
        packets.batch.frombytes(np.full(here, -1, dtype=packets.batch.typecode).tobytes())
        polled, out = turns.there[members.turn, POLLED], turns.out[members.turn]
        batch = np.frombuffer(packets.batch, dtype=packets.batch.typecode)
        batch[members.packet[polled]] = turns.row[members.turn[polled]]
        done = np.frombuffer(packets.done, dtype=packets.done.typecode)
        done[members.packet[out]] = turns.start[members.turn[out]] + (members.place[out] + 1) * turns.wire

    def _turns(self, log: Log, turns: Turns, rows: Rows, base: int) -> None:
        """The table of batches."""
        batches, number = self._batches, np.array([core.number for core in log.cores])
        new = np.flatnonzero(~turns.old)[turns.order]
        out = turns.out
        columns = {
            "core": number[turns.core],
            "begins": turns.begin,
            "ends": np.where(out, turns.end, -1),
            "size": turns.size,
            "tx": np.where(out, turns.start, -1),
            "event": base + rows.event[:, POLLED],
            "last": np.where(out, base + rows.event[:, BELL], -1),
        }
        for name, values in columns.items():
            column = getattr(batches, name)
            column.frombytes(values[new].astype(column.typecode).tobytes())
        for i in np.flatnonzero(turns.old & out).tolist():
            for name in ("ends", "tx", "last"):
                getattr(batches, name)[int(turns.row[i])] = int(columns[name][i])

    def _queues(self, log: Log, turns: Turns, rows: Rows, members: Members) -> None:
        """What is not kept in slots: who waits, who is in service, the last events, when stages end."""
        feed, here = self._feed, log.arrivals
        core_of = turns.core[rows.of_turn]
        for c, core in enumerate(log.cores):
            q, first, behind = core.queues[0], int(turns.first[c]), int(turns.behind[c])
            taken = int(turns.size[first:behind].sum())
            ids = feed.ids[q]
            ids.clear()
            ids.extend(members.queue[c][taken:].tolist())
            events = rows.number[here:][core_of == c]
            if len(events):
                core.last_event = int(events[-1])
            frames = rows.number[:here][rows.queues == q]
            if len(frames):
                feed.last_event[q] = int(frames[-1])
            if behind > first:
                last = behind - 1
                size = int(turns.size[last])
                core.members, core.plan = [], None
                if not turns.out[last]:
                    core.members = members.queue[c][taken - size : taken].tolist()
                    core.plan = [int(turns.begin[last]) + end for end in core.offsets_of(size)]

    def _arm(self, log: Log, now: int) -> None:
        agenda, feed = self._agenda, self._feed
        agenda._queue.clear()
        agenda._now = now
        feed.passed(log.arrivals)
        feed.alarm.at = -1
        for core in log.cores:
            core.alarm.at = -1
            feed.intake.waiting[core.queues[0]] = None
        for core in log.cores:
            if core.stage:
                assert core.plan is not None
                core.alarm.arm(core.plan[core.stage])
            else:
                feed.wait(core.queues[0], core.alarm)

    def _values(self, writes: Ints) -> None:
        """The last value that each slot was given."""
        parts = self._slots.components
        for part in parts[self._parts :]:
            self._cells += [(part.__dict__, name) for name in type(part).FIELDS]
        self._parts = len(parts)
        values, touched = np.zeros(len(self._cells), dtype=np.int64), np.zeros(len(self._cells), dtype=bool)
        assign(values, writes[:, 0], writes[:, 2])
        touched[writes[:, 0]] = True
        where = np.flatnonzero(touched)
        for i, value in zip(where.tolist(), values[where].tolist(), strict=True):
            state, name = self._cells[i]
            state[name] = value
