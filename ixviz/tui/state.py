"""What the reader has chosen: branch, step size, speed, tab, whom to follow; and the work done in small slices.

Invariant: no Textual here; a State and a size are all that `frame.compose` needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .branch import Branch
from .work import BUDGET, SPEED_WORDS, SPEEDS, Prompt, Working

NOT_YET = "nothing after this is shown till you answer"
MOMENT = "simulating, a moment"


@dataclass
class State(Working):
    """One scenario or lesson on the screen. `session` is the lesson's, None for a scenario."""

    branches: list[Branch]
    picture_of: Callable[[Any], Any]
    session: Any = None
    lesson: Any = None  # tui.lesson_state.LessonState
    title: str = ""
    ascii: bool = False
    current: int = 0
    step: int = 0  # the step size, an index of the branch's `sizes`
    speed: int = 2
    playing: bool = False
    tab: str = "Now"
    followed: int | None = None
    core: int | None = None  # the core looked at, None = that of the present event
    zoom: int = 0
    chart: int = 0
    everything: bool = False
    view: str = "machine"  # of the views of the picture; one that it does not have is its first
    help: bool = False
    message: str = ""  # said once, until the next key
    place: str = ""  # "this is the start" while it is
    prompt: Prompt | None = None
    job: Iterator[str] | None = None
    job_text: str = ""
    found: str = ""  # what / looked for
    breakpoint: str = ""
    part: str = ""  # component in the inspector
    selected: dict[str, int] = field(default_factory=dict)  # per tab: chosen row
    scroll: dict[str, int] = field(default_factory=dict)
    links: list[Any] = field(default_factory=list)  # what ↵ does on each chosen row of the present tab
    scrolls: bool = False  # whether that has more lines than room, and shows a window of them
    rows: int = 10  # lines of the panel when it was drawn last
    wide: bool = False  # whether machine and panel stood side by side
    leave: str = ""  # "up" or "quit": the screen obeys
    broken: tuple[str, ...] = ()  # what is wrong with the file as it was saved last; this is the last good one
    busy: bool = False  # whether the machine cannot be read now: a thread records it
    drawn: Any = None  # where it stood when it was drawn last
    kept: dict[Any, Any] = field(default_factory=dict)  # what was drawn of it last, for that time
    _slow: float = 0.0

    # ---------------------------------------------------------------- reading
    @property
    def branch(self) -> Branch:
        return self.branches[self.current]

    @property
    def tabs(self) -> tuple[str, ...]:
        first = "Lesson" if self.session is not None else "Now"
        return (first, "Why", "Changed", "Log", "Chart", "Packet", "Parts", "What if")

    @property
    def follows(self) -> bool:
        """Whether steps go along with what is followed."""
        return self.step >= len(self.branch.sizes) - 1

    @property
    def step_name(self) -> str:
        """What the system on the screen calls the step size."""
        sizes = self.branch.sizes
        return sizes[min(self.step, len(sizes) - 1)]

    @property
    def asking(self) -> bool:
        """Whether a question is open: then its keys are its own, and nothing after the stop is shown."""
        return self.lesson is not None and self.lesson.asking

    @property
    def view_name(self) -> str:
        """The view of the machine that is chosen, its first where there is none of that name."""
        views = self.branch.picture.views
        return self.view if self.view in views else next(iter(views))

    def view_mark(self) -> str:
        """The mark that asks the picture for it, "" for all parts."""
        mark: str = self.branch.picture.views[self.view_name]
        return mark

    def packet(self) -> int | None:
        """The packet (the picture's `noun`) looked at: the one chosen, if it has come, else that of the present event.
        """
        moment = self.branch.moment
        if self.followed is not None and self.followed <= moment.packets:
            return self.followed
        return self.branch.picture.packet_here(moment)

    def core_shown(self) -> int:
        """The core whose stages are shown, as an index."""
        picture = self.branch.picture
        return min(self.core, picture.cores - 1) if self.core is not None else picture.core_here(self.branch.moment)

    def status(self) -> str:
        """What the run does now, in a few words."""
        if self.busy:
            return "simulating"
        if self.job is not None:
            return self.job_text
        if self.playing:
            return f"playing, {SPEED_WORDS[self.speed]}"
        return self.place or "paused"

    @contextmanager
    def reading(self, wait: float = 0.0) -> Iterator[bool]:
        """Whether the machine may be read and moved inside, after waiting for at most so many seconds; else `busy`."""
        if self.lesson is None:
            yield True
            return
        taken = self.lesson.turns.take(wait)
        self.busy = not taken or self.lesson.unfinished(self)
        try:
            yield not self.busy
        finally:
            if taken:
                self.lesson.turns.give()

    # ---------------------------------------------------------------- moving
    def moved(self) -> None:
        """After a move: old messages go, the start and the end are named."""
        branch = self.branch
        self.place = ""
        if branch.at == 0:
            self.place = "this is the start"
        elif branch.ended and branch.limit is None and branch.at == len(branch.sim.history) - 1:
            self.place = "this is the end"
        for tab in ("Log", "Changed", "Why", "Now"):
            self.selected.pop(tab, None)
            self.scroll.pop(tab, None)

    def go(self, event: int) -> None:
        self.branch.seek(event)
        self.moved()

    def step_by(self, by: int) -> None:
        """One step of the present size, forward or back; says so when there is none."""
        branch = self.branch
        if self.follows and self.followed is None:
            self.followed = branch.picture.packet_here(branch.moment)
        target = branch.step_target(self.step, by, self.followed)
        if target is None and by > 0 and branch.limit is None and not branch.ended:
            branch.record(BUDGET)
            target = branch.step_target(self.step, by, self.followed)
            if target is None and not branch.ended:
                self.start(self._record_until(lambda: branch.step_target(self.step, by, self.followed)))
                return
        if target is not None:
            self.go(target)
            return
        if by < 0 and not self.follows:
            self.go(0)  # before the first of its kind there is only the start
            return
        if self.follows:
            noun = branch.picture.noun
            name = f"{noun} {self.followed:,}" if self.followed else f"no {noun}"
            self.message = (
                f"{name}: this is the {'last' if by > 0 else 'first'} that is known of it (- + other step sizes)"
            )
        elif branch.limit is not None:
            self.message = NOT_YET if self.asking else "this beat ends here, ↵ goes on"
        else:
            self.go(branch.last())
            self.place = "this is the end"

    def _record_until(self, target: Callable[[], int | None]) -> Iterator[str]:
        branch = self.branch
        while (found := target()) is None and not branch.ended:
            branch.record(BUDGET)
            yield f"looking ahead, {len(branch.sim.history):,} events"
        if found is None:
            found = branch.last()
            self.message = "nothing of the kind before the end"
        self.go(found)

    def go_to_time(self, ps: int) -> None:
        """To the last event at or before a time, recording on as far as that needs."""
        self.start(self._to_time(ps))

    def _to_time(self, ps: int) -> Iterator[str]:
        branch = self.branch
        history = branch.sim.history
        while branch.limit is None and not branch.ended and history.event(len(history) - 1).time <= ps:
            branch.record(BUDGET)
            done = history.event(len(history) - 1).time
            yield f"recording, {100 * done // max(ps, 1)} %"
        branch.seek_time(ps)
        self.moved()
        if history.event(branch.last()).time < ps:
            self.message = NOT_YET if branch.limit is not None else "the run ends before that"

    def go_to_event(self, number: int) -> None:
        self.start(self._to_event(number))

    def _to_event(self, number: int) -> Iterator[str]:
        branch = self.branch
        history = branch.sim.history
        while branch.limit is None and not branch.ended and len(history) <= number:
            branch.record(BUDGET)
            yield f"recording, {100 * len(history) // max(number, 1)} %"
        self.go(number)
        if branch.last() < number:
            self.message = NOT_YET if branch.limit is not None else f"the run ends with event {branch.last():,}"

    # ---------------------------------------------------------------- work in slices
    def tick(self, seconds: float) -> bool:
        """Time has passed: work, record ahead, play. Returns whether the screen may have changed."""
        changed = self.lesson.tick() if self.lesson is not None else False
        with self.reading() as free:
            return self._tick(seconds) or changed if free else changed

    def _tick(self, seconds: float) -> bool:
        changed = False
        if self.job is not None:
            self.work()
            return True
        branch = self.branch
        if self.playing:
            self._play(seconds)
            changed = True
        elif branch.wants_more() and not (self.lesson is not None and self.lesson.preparing):
            branch.record(BUDGET)
        return changed

    def _play(self, seconds: float) -> None:
        branch, speed = self.branch, SPEEDS[self.speed]
        if branch.wants_more():
            branch.record(BUDGET)
        if speed == 0:
            self._slow += seconds
            if self._slow >= 1.0:
                self._slow = 0.0
                before = branch.at
                self.step_by(1)
                self.playing = self.branch.at != before or self.job is not None
            return
        goal = branch.now + round(speed * seconds) if speed > 0 else branch.sim.history.event(branch.last()).time
        going = branch.play_to(goal)
        self.place = ""
        if not going:
            self.playing = False
            self.moved()
            if branch.limit is not None:
                self.message = NOT_YET if self.asking else "this beat ends here, ↵ goes on"
