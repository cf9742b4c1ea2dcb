"""A moment of a control plane: its tables up to the cursor's event, and what the packets of the last while met.
Invariant: nothing that happened after the moment can be read through it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from ixviz.machine.wire import PS
from ixviz.system.ix.control.loop import SAMPLE, TICKS
from ixviz.system.ix.control.meter import cycles, standalone


class Moment:
    """A run at an event: `cursor` stands there, `at` is its number, `now` (ps) may lie between it and the next.

    What a screen counts and follows as packets are decisions here: `packets` were taken, `batches` migrations ended.
    """

    def __init__(self, sim: Any, cursor: Any, now: int | None = None) -> None:
        self.sim, self.cursor, self.view = sim, cursor, cursor.view
        self.at: int = cursor.at
        self.now: int = cursor.time if now is None else max(now, cursor.time)
        control = sim.control
        self.decisions, self.migrations, self.signals = control.decisions, control.migration.table, control.signals
        self.packets: int = bisect_right(self.decisions.event, self.at, 1) - 1
        self.commanded: int = bisect_right(self.migrations.event, self.at, 1) - 1
        self.ticks: int = bisect_right(self.signals.time, self.now)

    @property
    def batches(self) -> int:
        """Migrations that have ended."""
        ended = self.migrations.last
        return sum(1 for row in range(1, self.commanded + 1) if 0 <= ended[row] <= self.at)

    @property
    def step(self) -> int:
        """The present step of the table."""
        return int(self.view["control"].step)

    def seconds(self, ps: int) -> float:
        """A time as that of the pattern: multiplied by what the run is compressed by; s."""
        by: int = self.sim.control.compress
        return ps * by / PS

    def left(self, number: int) -> int | None:
        """When a decision was carried out (ps), None while it is under way."""
        last = self.decisions.last[number]
        return self.decisions.ended[number] if 0 <= last <= self.at else None

    def dropped(self, number: int) -> bool:
        """No decision is dropped."""
        return False

    def finished(self, most: int) -> list[int]:
        """How long (ps) the last `most` decisions took to be carried out."""
        rows = range(max(1, self.packets - most + 1), self.packets + 1)
        ends = ((row, self.left(row)) for row in rows)
        return [end - self.decisions.time[row] for row, end in ends if end is not None]

    def decision_of(self, event: int) -> int | None:
        """The decision that an event is part of: the last one taken by then."""
        row = bisect_right(self.decisions.event, min(event, self.at), 1) - 1
        return row or None

    def moved_for(self, number: int) -> range:
        """The migrations of a decision that have been commanded: none is before it or at the time of the next."""
        table, after = self.migrations.commanded, self.decisions.time
        first = bisect_left(table, after[number], 1, self.commanded + 1)
        stop = self.commanded + 1
        if number < self.packets:
            stop = bisect_left(table, after[number + 1], first, stop)
        return range(first, stop)

    def column(self, name: str) -> Any:
        """A column of the signals up to now, as an array."""
        return np.array(getattr(self.signals, name)[: self.ticks])

    def job(self) -> tuple[Any, float, float]:
        """What a background job has had of all cores at Turbo (standalone): at each tick, now, and so far."""
        cores, turbo, meter = self.sim.control.cores, self.sim.profile.turbo, self.view["control"]
        a_second = standalone(cores, turbo, PS)
        times, had = self.column("time"), self.column("background")
        shares = np.diff(had, prepend=0) / np.maximum(np.diff(times, prepend=0), 1) * PS / a_second
        now, (_, so_far) = cycles(meter.spare, PS) / a_second, meter.spent(self.now)
        return shares, now, so_far / standalone(cores, turbo, self.now) if self.now else now

    def rates(self) -> Any:
        """Packets that came per second, by tick."""
        sent, time = self.column("sent").astype(float), self.column("time").astype(float)
        return np.diff(sent, prepend=0.0) * PS / np.maximum(np.diff(time, prepend=0.0), 1.0)

    def load(self) -> float | None:
        """Packets that came in the last 0.1 s of the pattern, per second; None at the very beginning."""
        arrives = self.sim.feed.packets.array("arrives")[1:]
        first, stop = np.searchsorted(arrives, [self._lately, self.now], side="right")
        return float(stop - first) * PS / (self.now - self._lately) if self.now else None

    def p99(self) -> float | None:
        """The 99th percentile (µs) of the requests that were answered in the last 0.1 s of the pattern."""
        table = getattr(self.sim.feed, "requests", None)
        if table is None:
            return None
        done = table.array("done")
        mine = np.flatnonzero((done > self._lately) & (done <= self.now))
        out = np.sort(done[mine] - table.array("sent")[mine])
        return float(out[max(0, -(-len(out) * 99 // 100) - 1)]) / 1e6 if len(out) else None

    @property
    def _lately(self) -> int:
        """Where the last 0.1 s of the pattern begin (ps)."""
        by: int = self.sim.control.compress
        return max(self.now - SAMPLE * TICKS // by, 0)

    def tails(self) -> list[tuple[int, float]]:
        """The 99th percentile (µs) of the requests sent between two ticks, by the later tick (ps); if answered."""
        table = getattr(self.sim.feed, "requests", None)
        if table is None:
            return []
        sent, done = np.array(table.sent), np.array(table.done)
        edges = np.searchsorted(sent, [0, *self.column("time")])
        out = []
        for a, b, at in zip(edges[:-1], edges[1:], self.column("time").tolist(), strict=True):
            part = done[a:b]
            took = np.sort((part - sent[a:b])[(part >= 0) & (part <= self.now)])
            if len(took):
                out.append((at, float(took[max(0, -(-len(took) * 99 // 100) - 1)]) / 1e6))
        return out
