"""A recorded run as the reader moves through it: where he stands, how far it is recorded, where it forked.

Invariant: the cursor never passes `last()`, the last event that is recorded and may be read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

AHEAD = 50_000  # events recorded at once
BEHIND = 25_000  # fewer than these ahead of the reader: record on
SLICE = 400  # events between two looks at the clock


class Branch:
    """One run of the tree. `record` records about n more events and says whether there is more (default: the sim's)."""

    def __init__(
        self,
        sim: Any,
        picture: Any,
        scenario: Any,
        name: str,
        *,
        parent: Branch | None = None,
        fork: int | None = None,
        change: str = "",
        record: Callable[[int], bool] | None = None,
    ) -> None:
        self.sim, self.picture, self.scenario, self.name = sim, picture, scenario, name
        self.parent, self.fork, self.change = parent, fork, change
        self._record = record or sim.record
        self.limit: int | None = None  # the last event that may be read, None = all that is recorded
        if not len(sim.history):
            self._record(SLICE)
        self.cursor = sim.history.cursor(0)
        self.now = 0
        self._moment: Any = None

    # ---------------------------------------------------------------- reading
    @property
    def at(self) -> int:
        return self.cursor.at

    @property
    def ended(self) -> bool:
        """Whether all there will ever be is recorded."""
        return self.sim.ended

    @property
    def moment(self) -> Any:
        """Where the reader stands, for the picture; made once for each place and each growth of the run."""
        key = (self.at, self.now, len(self.sim.history))
        if self._moment is None or self._moment[0] != key:
            self._moment = (key, self.picture.moment(self.cursor, self.now))
        return self._moment[1]

    def last(self) -> int:
        """The last event that may be shown or gone to."""
        recorded = len(self.sim.history) - 1
        return recorded if self.limit is None else min(self.limit, recorded)

    def named(self, text: str) -> str:
        """A text with this system's words in place of {noun}, {late}, {steps}, {condition} and {knob}."""
        picture = self.picture
        knob = next((f"{knob.key}={knob.value}" for knob in self.knobs()), "key=value") if "{knob}" in text else ""
        words = {"views": ", ".join(picture.views), "noun": picture.noun, "late": picture.late,
                 "steps": ", ".join(self.sizes), "condition": picture.condition, "knob": knob}  # fmt: skip
        for name, word in words.items():
            text = text.replace(f"{{{name}}}", word)
        return text

    # ---------------------------------------------------------------- recording
    def wants_more(self) -> bool:
        """Whether the recorder should go on: too little lies ahead of the reader."""
        return self.limit is None and not self.ended and len(self.sim.history) - self.at < max(BEHIND, AHEAD - self.at)

    def record(self, budget: float) -> None:
        """Record for at most about `budget` seconds."""
        end = time.perf_counter() + budget
        while not self.ended and self._record(SLICE) and time.perf_counter() < end:
            pass

    # ---------------------------------------------------------------- moving
    def seek(self, event: int) -> None:
        self.cursor.seek(min(max(event, 0), self.last()))
        self.now = self.cursor.time

    def seek_time(self, ps: int) -> None:
        """Go to `ps`, after the last event at or before it; to the last that may be read when that is earlier."""
        event = max(self.sim.history.event_at(ps), 0)
        self.seek(event)
        if event < self.last():
            self.now = max(ps, self.cursor.time)

    def play_to(self, ps: int) -> bool:
        """Let time run on to `ps`, between events too; False when nothing more may be shown."""
        event = self.sim.history.event_at(ps)
        last = self.last()
        if event >= last:
            self.cursor.seek(last)
            self.now = self.cursor.time
            return not (self.ended or self.limit is not None)
        self.cursor.seek(max(event, 0))
        self.now = ps
        return True

    @property
    def sizes(self) -> tuple[str, ...]:
        """The step sizes of this system from small to large; the last goes along with what is followed."""
        return (*self.picture.steps, self.picture.following)

    def step_target(self, size: int, by: int, followed: int | None) -> int | None:
        """Where a step of a size (an index of `sizes`) goes, None when nothing of the kind is recorded or may be
        read."""
        if size >= len(self.sizes) - 1:
            events = [e for e, _, _ in self.picture.journey(self.moment, followed or 0, ahead=True) if e <= self.last()]
            ahead = [e for e in events if (e > self.at if by > 0 else e < self.at)]
            return (ahead[0] if by > 0 else ahead[-1]) if ahead else None
        return self.sim.history.next_of(self.picture.steps[self.sizes[size]], self.at, by, self.last())

    # ---------------------------------------------------------------- what if
    def knobs(self) -> list[Any]:
        """What a what-if may turn here: the picture's knobs whose values this scenario has."""
        from ixviz.lesson.figures import scenario_value

        return [knob for knob in self.picture.knobs if scenario_value(self.scenario, knob.key) is not None]

    def forked(self, scenario: Any, picture_of: Callable[[Any], Any], name: str, change: str) -> Branch:
        """The run that goes on from the present time with another scenario; this one stays as it is."""
        if self.parent is not None and self.fork is not None and self.at < self.fork:
            self.parent.seek(self.at)
            return self.parent.forked(scenario, picture_of, name, change)
        sim = self.sim
        start = max((c for c in sim.checkpoints if c.events <= self.at + 1), key=lambda c: c.events)
        same = sim.resume(start, journal=sim.journal.fork(start.events))
        same.record(2 * AHEAD, until=self.cursor.time)
        count = len(same.history)
        made = same.resume(same.checkpoint(), journal=same.journal.fork(count), scenario=scenario)
        # The last one is where it forks: from an earlier one the branch would have the other scenario too soon.
        made.checkpoints = [*(c for c in sim.checkpoints if c.events <= count), made.checkpoint()]
        branch = Branch(made, picture_of(made), scenario, name, parent=self, fork=count - 1, change=change)
        branch.record(0.01)
        branch.seek(count - 1)
        return branch
