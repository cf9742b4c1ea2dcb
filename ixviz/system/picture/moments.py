"""A moment of a recorded run, as pictures read it: the cursor, and packets and batches up to its event only.
Invariant: nothing that happened after the cursor's event can be read through a Moment; each question costs O(log n)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np


class Rows:
    """Which batches each core had, by number of the row in the table of batches; kept and extended as the run grows."""

    def __init__(self, sim: Any) -> None:
        self._sim = sim
        self._known = 1
        self._of: dict[int, list[int]] = {}

    def of(self, core: int) -> list[int]:
        """The rows of a core in order of beginning, all that are recorded."""
        cores = self._sim.batches.core
        for row in range(self._known, len(cores)):
            self._of.setdefault(cores[row], []).append(row)
        self._known = len(cores)
        return self._of.setdefault(core, [])


class Moment:
    """A run at an event: `cursor` stands there, `at` is its number, `now` (ps) may lie between it and the next."""

    def __init__(self, sim: Any, cursor: Any, rows: Rows, now: int | None = None) -> None:
        self.sim, self.cursor, self.rows = sim, cursor, rows
        self.view = cursor.view
        self.at: int = cursor.at
        self.now: int = cursor.time if now is None else max(now, cursor.time)
        self.packets: int = bisect_right(sim.feed.packets.event, self.at, 1) - 1  # how many have arrived
        self.batches: int = bisect_right(sim.batches.event, self.at, 1) - 1  # how many have begun, on all cores

    # ---------------------------------------------------------------- packets
    def packet_of(self, event: int) -> int | None:
        """The packet that arrived with an event."""
        events = self.sim.feed.packets.event
        i = bisect_left(events, event, 1)
        return i if i < len(events) and events[i] == event and event <= self.at else None

    def arrivals(self, start: int, end: int) -> tuple[int, int]:
        """The packets that arrived from `start` up to `end` (ps), as a range of numbers."""
        times = self.sim.feed.packets.arrives
        stop = self.packets + 1
        return bisect_left(times, start, 1, stop), bisect_left(times, end, 1, stop)

    def dropped(self, packet: int) -> bool:
        """Whether a packet found its ring full."""
        table = self.sim.feed.packets
        if table.batch[packet] != -2:
            return False
        history = self.sim.history
        return bool(history.kinds[history.event(table.event[packet]).kind] == "drop")

    def batch_of(self, packet: int) -> int | None:
        """The row of the batch a packet is or was in, None before it was taken."""
        row = self.sim.feed.packets.batch[packet]
        return row if 0 < row <= self.batches else None

    def left(self, packet: int) -> int | None:
        """When a packet left (ps), None if it has not."""
        row = self.batch_of(packet)
        return None if row is None else self.ended(row)

    def latency(self, packet: int) -> int | None:
        """How long (ps) from its arrival until a packet left, None if it has not."""
        end = self.left(packet)
        return None if end is None else end - int(self.sim.feed.packets.arrives[packet])

    def finished(self, most: int) -> list[int]:
        """Latencies (ps) of the last `most` packets that have left."""
        found: list[int] = self.latencies(most).tolist()
        return found

    def latencies(self, most: int) -> Any:
        """The same as an int64 array in order of arrival; none that came before the last 5 × `most` counts."""
        for back in (most + most // 4, 5 * most):  # mostly few are still there
            found = self._left_of(max(self.packets - back, 0) + 1, most)
            if len(found) == most:
                break
        return found

    def _left_of(self, first: int, most: int) -> Any:
        """Latencies (ps) of the last `most` packets from `first` on that have left, an int64 array."""
        row = self._column("batch", first)
        taken = np.flatnonzero((row > 0) & (row <= self.batches))
        if not len(taken):
            return np.empty(0, dtype=np.int64)
        row, table = row[taken], self.sim.batches
        low, high = int(row.min()), int(row.max()) + 1
        last, ends = np.array(table.last[low:high])[row - low], np.array(table.ends[low:high])[row - low]
        gone = np.flatnonzero((last >= 0) & (last <= self.at))[-most:]
        return ends[gone] - self._column("arrives", first)[taken[gone]]

    def _column(self, name: str, first: int) -> Any:
        """A column of the packets from `first` on that have arrived, as an array."""
        return np.array(getattr(self.sim.feed.packets, name)[first : self.packets + 1])

    # ---------------------------------------------------------------- batches
    def ended(self, row: int) -> int | None:
        """When a batch ended (ps), None while it runs."""
        table = self.sim.batches
        last = table.last[row]
        return table.ends[row] if 0 <= last <= self.at else None

    def begun(self, core: int) -> int:
        """How many batches a core has begun."""
        return bisect_right(self.rows.of(core), self.batches)

    def row_at(self, core: int, event: int) -> int | None:
        """The batch a core ran at an event (the doorbell included): the last begun by then."""
        rows = self.rows.of(core)
        i = bisect_right(rows, min(event, self.at), key=self.sim.batches.event.__getitem__)
        return rows[i - 1] if i else None

    def rows_between(self, core: int, start: int, end: int) -> list[int]:
        """The batches of a core that overlap `start` … `end` (ps), in order."""
        rows, table = self.rows.of(core), self.sim.batches
        stop = bisect_right(rows, self.batches)
        a = max(bisect_right(rows, start, 0, stop, key=table.begins.__getitem__) - 1, 0)
        b = bisect_left(rows, end, a, stop, key=table.begins.__getitem__)
        return rows[a:b]

    def number(self, row: int) -> int:
        """A batch's number among those of its core: 1, 2, …"""
        return bisect_left(self.rows.of(self.sim.batches.core[row]), row) + 1

    def members(self, row: int) -> list[int]:
        """The packets of a batch, in order of arrival (one core's queues only, so a search back and forth is short)."""
        table = self.sim.feed.packets
        begins, size = self.sim.batches.begins[row], self.sim.batches.size[row]
        stop = bisect_right(table.arrives, begins, 1, self.packets + 1)
        out: list[int] = []
        for packet in range(stop - 1, 0, -1):
            if table.batch[packet] == row:
                out.append(packet)
                if len(out) == size:
                    break
        return out[::-1]


class JourneyMoment(Moment):
    """A moment of a run whose packets leave each by itself, every step of their ways an event; what it calls batches
    are polls. `scratch` is a cursor for looks at other events."""

    def __init__(self, sim: Any, cursor: Any, rows: Rows, now: int | None, scratch: Any) -> None:
        super().__init__(sim, cursor, rows, now)
        self._scratch = scratch

    def then(self, event: int) -> Any:
        """The components just after an event, the moment's at most. Valid until the next look."""
        if event >= self.at:
            return self.view
        self._scratch.seek(event)
        return self._scratch.view

    def step(self, packet: int, name: str) -> int | None:
        """The event by which a packet took a step (a column of the journeys), None if it has not by now."""
        column = getattr(self.sim.journeys, name)
        event = column[packet] if packet < len(column) else -1
        return event if 0 <= event <= self.at else None

    def left(self, packet: int) -> int | None:
        """When a packet left (ps): its answer was handed to the NIC, or nothing was left to do. None if not yet."""
        return None if self.step(packet, "sent") is None else int(self.sim.journeys.left[packet])

    def _left_of(self, first: int, most: int) -> Any:
        sent = np.array(self.sim.journeys.sent[first : self.packets + 1])
        gone = np.flatnonzero((sent >= 0) & (sent <= self.at))[-most:]
        left = np.array(self.sim.journeys.left[first : first + len(sent)])
        return left[gone] - self._column("arrives", first)[gone]

    def chain(self, last: int, first: int) -> list[Any]:
        """The events that led from `first` to `last`, by their causes, in order; from as far back as they reach."""
        history = self.sim.history
        out = [history.event(last)]
        while out[-1].number > first and out[-1].cause >= 0:
            out.append(history.event(out[-1].cause))
        return out[::-1]
