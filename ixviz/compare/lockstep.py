"""Two or three runs and one cursor: where each of them stands follows from it alone.
Invariant: jumped to or stepped to, the same place puts every run at the same event; no run stands ahead of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ixviz.compare.identity import Key
from ixviz.compare.run import PHASES, Run

BY_TIME, BY_PACKET = "time", "packet"


class Place(NamedTuple):
    """Just after an event of one run, in the order of all: by time, at one time the runs in their order. `now` (ps)
    may lie behind it, before the next event of any."""

    run: int
    event: int
    now: int


class Lockstep:
    """The runs beside each other. By time all stand at one time; by packet each stands where a packet of its own is
    in one of PHASES, the same in all."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.align = BY_TIME
        self.place = Place(len(self.runs) - 1, 0, 0)
        self.key: Key | None = None  # the packet they are aligned by, and the phase it is in
        self.phase = 0
        self.go_time(0)

    # ---------------------------------------------------------------- how far
    @property
    def ended(self) -> bool:
        """Whether all there will ever be is recorded."""
        return all(run.sim.ended for run in self.runs)

    def edge(self) -> int | None:
        """Up to when (ps) all of them are recorded: later events may come at this very time. None: to their end."""
        edges = [edge for edge in (run.edge() for run in self.runs) if edge is not None]
        return min(edges) if edges else None

    def behind(self) -> Run | None:
        """The run that is recorded least far; None when all are at their end."""
        return min((run for run in self.runs if not run.sim.ended), key=lambda run: run.edge() or 0, default=None)

    def record(self, events: int) -> bool:
        """Record about so many more events of the run that is behind. False when all are at their end."""
        behind = self.behind()
        if behind is not None:
            behind.sim.record(events)
        return not self.ended

    def known(self, time: int) -> bool:
        """Whether all that happens up to a time (ps) is recorded."""
        edge = self.edge()
        return edge is None or time < edge

    # ---------------------------------------------------------------- by time
    def go(self, run: int, event: int, now: int | None = None) -> Place:
        """By time, to just after an event of a run; all others where they are then."""
        time = self.runs[run].time(event)
        now = time if now is None else max(now, time)
        for i, each in enumerate(self.runs):
            before = event if i == run else 0 if event == 0 else each.history.event_at(time if i < run else time - 1)
            each.stand(before, now)
        self.align = BY_TIME
        self.place = Place(run, event, now)
        return self.place

    def go_time(self, time: int) -> Place:
        """By time, to a time (ps): just after the last event of any at or before it."""
        events = [max(run.history.event_at(time), 0) for run in self.runs]
        return self.go(*self._latest(events), now=time)

    def _latest(self, events: Sequence[int]) -> tuple[int, int]:
        """Of one event of each run the one that comes last; the starts are before all others."""
        order = [(event > 0, self.runs[i].time(event), i, event) for i, event in enumerate(events)]
        _, _, run, event = max(order)
        return run, event

    def target(self, size: int, by: int) -> tuple[int, int] | None:
        """(run, event) of the next (by = 1) or previous event at which a step of a size stops, in any run; None when
        there is none, or none that is recorded. `size` counts the step sizes of the systems from 0."""
        found = []
        for i, run in enumerate(self.runs):
            kinds = tuple(run.picture.steps.values())
            event = run.history.next_of(kinds[min(size, len(kinds) - 1)], self._since(i, by), by, run.last)
            if event is not None and (by > 0 or event > 0):
                found.append((i, event))
        return self._nearest(found, by)

    def packet_target(self, key: Key, by: int) -> tuple[int, int] | None:
        """As `target`, of what befalls a packet."""
        found = []
        for i, run in enumerate(self.runs):
            packet = run.identity.packet(key)
            way = [event for event, _, _ in run.journey(packet)] if packet is not None else []
            ahead = [event for event in way if (event - self._since(i, by)) * by > 0]
            if ahead:
                found.append((i, ahead[0] if by > 0 else ahead[-1]))
        return self._nearest(found, by)

    def _since(self, run: int, by: int) -> int:
        """The event of a run from which on to look, not included. Back, only the present event itself is left out:
        where the other runs stand is before it."""
        at = self.runs[run].at
        return at + 1 if by < 0 and run != self.place.run else at

    def _order(self, run: int, event: int) -> tuple[bool, int, int, int]:
        return event > 0, self.runs[run].time(event), run, event

    def _nearest(self, found: Sequence[tuple[int, int]], by: int) -> tuple[int, int] | None:
        """The first (by = 1) or last of events; forward only if no run may still have an earlier one to record."""
        if not found:
            return None
        run, event = (min if by > 0 else max)(found, key=lambda each: self._order(*each))
        if by > 0:
            time, known = self.runs[run].time(event), {i for i, _ in found}
            for i, each in enumerate(self.runs):
                edge = each.edge()
                if i not in known and edge is not None and time >= edge:
                    return None
        return run, event

    # ---------------------------------------------------------------- by packet
    def go_packet(self, key: Key, phase: int) -> bool:
        """By packet: each run where this packet is in a phase, or where it was last if it gets no further. False, and
        no move, when no run knows of the packet, or one may still record it."""
        events = self.phase_events(key, phase)
        if events is None:
            return False
        times = [run.time(e) for run, e in zip(self.runs, events, strict=True) if e is not None]
        for run, event in zip(self.runs, events, strict=True):
            if event is None:  # it never comes there: the run stands where the others are
                run.stand(max(run.history.event_at(max(times)), 0), max(times))
            else:
                run.stand(event)
        self.align, self.key, self.phase = BY_PACKET, key, phase
        run_, event_ = self._latest([run.at for run in self.runs])
        self.place = Place(run_, event_, max(run.now for run in self.runs))
        return True

    def phase_events(self, key: Key, phase: int) -> list[int | None] | None:
        """The event of a phase of a packet in each run: if it has none, the last before it; None where it never comes.
        None for all when that cannot be known yet, or no run knows of the packet."""
        out: list[int | None] = []
        for run in self.runs:
            phases = run.phases(key)
            wanted = phases[phase]
            if wanted is None and not run.sim.ended and not self._over(run, key, phases):
                return None
            out.append(next((e for e in reversed(phases[: phase + 1]) if e is not None), None))
        return out if any(e is not None for e in out) else None

    @staticmethod
    def _over(run: Run, key: Key, phases: Sequence[int | None]) -> bool:
        """Whether nothing more befalls a packet: it was dropped, or it is out."""
        packet = run.identity.packet(key)
        if packet is None:
            return False
        return phases[-1] is not None or bool(run.moment_at(run.last).dropped(packet))

    def next_packet(self, by: int) -> Key | None:
        """The key of the packet that came after (by = 1) or before the present one, in the first run that knows it."""
        if self.key is None:
            return None
        for run in self.runs:
            packet = run.identity.packet(self.key)
            if packet is not None:
                return run.identity.key(packet + by)
        return None

    def packet_here(self) -> Key | None:
        """The packet that the present event is about, in the run that it is of, else in any."""
        order = [self.runs[self.place.run], *self.runs]
        for run in order:
            packet = run.picture.packet_here(run.moment)
            key = run.identity.key(packet) if packet else None
            if key is not None:
                return key
        return None

    def phase_here(self, key: Key) -> int:
        """The last phase that a packet has reached in the run of the present event; 0 before it has come."""
        run = self.runs[self.place.run]
        reached = [i for i, event in enumerate(run.phases(key)) if event is not None and event <= run.at]
        return max(reached, default=0)


__all__ = ["BY_PACKET", "BY_TIME", "PHASES", "Lockstep", "Place"]
