"""Where the reader of a comparison stands: the runs in lockstep, step size, speed, what n looks for, whom he follows.

Invariant: no Textual here; a CompareState and a size are all that `compare_frame.compose` needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ixviz.compare.align import Aligned
from ixviz.compare.differences import event_of
from ixviz.compare.find import NEWS, WANTED, Finder
from ixviz.compare.identity import Key
from ixviz.compare.lockstep import BY_PACKET, BY_TIME, PHASES, Lockstep
from ixviz.compare.run import Run

from .branch import AHEAD, BEHIND
from .compare_work import Slices
from .work import BUDGET, SPEED_WORDS, SPEEDS, Prompt

_ARRIVES, _LEAVES = 0, len(PHASES) - 1


@dataclass
class CompareState(Slices):
    """Two or three systems on the screen."""

    given: Aligned
    lock: Lockstep
    ascii: bool = False
    step: int = 0  # index of `sizes`
    speed: int = 2
    playing: bool = False
    wanted: str = NEWS  # what n looks for, one of find.WANTED
    followed: Key | None = None
    help: bool = False
    message: str = ""
    prompt: Prompt | None = None
    job: Iterator[str] | None = None
    job_text: str = ""
    leave: str = ""  # "up", "quit", "theme" or "palette": the screen obeys
    scroll: dict[str, int] = field(default_factory=dict)
    _slow: float = 0.0

    def __post_init__(self) -> None:
        self.finder = Finder(self.lock)

    # ---------------------------------------------------------------- reading
    @property
    def sizes(self) -> tuple[str, ...]:
        """The step sizes, from small to large; the systems may call them otherwise, so these are the first one's."""
        if self.lock.align == BY_PACKET:
            return ("phase", "packet")
        picture = self.lock.runs[0].picture
        return (*picture.steps, "packet")

    @property
    def size(self) -> str:
        """The present step size in words."""
        return self.sizes[min(self.step, len(self.sizes) - 1)]

    @property
    def key(self) -> Key | None:
        """The packet looked at: the one the runs are aligned by, else the one followed, else that of the event."""
        if self.lock.align == BY_PACKET:
            return self.lock.key
        return self.followed if self.followed is not None else self.lock.packet_here()

    def status(self) -> str:
        """What goes on, in a few words."""
        if self.job is not None:
            return self.job_text
        if self.playing:
            return f"playing, {SPEED_WORDS[self.speed]}"
        if not any(run.at for run in self.lock.runs):
            return "this is the start"
        return "paused"

    # ---------------------------------------------------------------- moving
    def step_by(self, by: int) -> None:
        """One step of the present size, forward or back."""
        if self.lock.align == BY_PACKET:
            self._phase_by(by)
            return
        lock, place = self.lock, self.lock.place
        if by < 0 and place.now > lock.runs[place.run].time(place.event):
            lock.go(place.run, place.event)  # paused between two events: first back to the one just done
            return
        if self.size == "packet" and self.followed is None:
            self.followed = lock.packet_here()
        self._go_when(lambda: self._target(by), by)

    def _target(self, by: int) -> tuple[int, int] | None:
        if self.size != "packet":
            return self.lock.target(self.step, by)
        return self.lock.packet_target(self.followed, by) if self.followed is not None else None

    def _go_when(self, target: Callable[[], tuple[int, int] | None], by: int) -> None:
        """Go there, recording on until it is known; at the ends say so."""

        def seek() -> Iterator[str]:
            while (found := target()) is None and by > 0 and not self.lock.ended:
                self.record(BUDGET)
                yield "looking ahead, esc stops"
            if found is not None:
                self.lock.go(*found)
            elif self.size == "packet":
                self.message = "no more is known of this packet (- + other step sizes)"
            elif by < 0:
                self.lock.go(len(self.lock.runs) - 1, 0)
            else:
                self.message = "this is the end"

        self.start(seek())

    def _phase_by(self, by: int) -> None:
        lock = self.lock
        assert lock.key is not None
        key: Key | None = lock.key
        phase = lock.phase
        if self.size == "packet" or not 0 <= phase + by < len(PHASES):
            key = lock.next_packet(by)
            phase = phase if self.size == "packet" else _ARRIVES if by > 0 else _LEAVES
        else:
            phase += by
        if key is None:
            self.message = "no packet came before this" if by < 0 else "no further packet is recorded yet"
            return
        self.go_packet(key, phase)

    def go_packet(self, key: Key, phase: int) -> None:
        """Align by a packet, in a phase; record on until it is known where that is."""
        self.start(self._to_packet(key, phase))

    def _to_packet(self, key: Key, phase: int) -> Iterator[str]:
        while not (done := self.lock.go_packet(key, phase)) and not self.lock.ended:
            self.record(BUDGET)
            yield "recording until all have it, esc stops"
        if not done:
            self.message = "no system has this packet"
        elif self.followed is not None:
            self.followed = key

    def go_time(self, ps: int) -> None:
        """By time, to a time (ps)."""

        def seek() -> Iterator[str]:
            while not self.lock.known(ps):
                self.record(BUDGET)
                yield f"recording, {100 * (self.lock.edge() or 0) // max(ps, 1)} %, esc stops"
            last = max(run.time(run.last) for run in self.lock.runs)
            self.lock.go_time(min(ps, last) if self.lock.ended else ps)
            if ps > last and self.lock.ended:
                self.message = "the runs end before that"

        self.start(seek())

    def go_event(self, number: int, event: int) -> None:
        """To an event of run `number` in all runs; by packet, to the phase in which its packet then is."""
        lock, run = self.lock, self.lock.runs[number]
        if lock.align == BY_PACKET and self.followed is not None and lock.key is not None:
            reached = [i for i, first in enumerate(run.phases(lock.key)) if first is not None and first <= event]
            self.go_packet(lock.key, max(reached, default=_ARRIVES))
            return
        if lock.align == BY_PACKET:
            self.step, self.message = 0, "aligned by time: all at the time of this event"

        def seek() -> Iterator[str]:
            while not lock.known(run.time(event)):
                self.record(BUDGET)
                yield "recording until all are there, esc stops"
            lock.go(number, event)

        self.start(seek())

    def go_difference(self, by: int) -> None:
        """To the next or previous difference of the kind that is looked for."""

        def seek() -> Iterator[str]:
            while (found := self.finder.target(by, self.wanted)) is None and by > 0 and not self.lock.ended:
                end = self.lock.edge() or 0
                while not self.lock.ended and (self.lock.edge() or 0) < end + end // 2 + 1:
                    self.record(BUDGET)
                    yield f"looking for {self.wanted}, esc stops"
            if found is None:
                self.message = f"no {self.wanted} {'after' if by > 0 else 'before'} this; d looks for another kind"
            elif self.lock.align == BY_PACKET:
                yield from self._to_packet(found.key, _LEAVES if found.kind in ("later", "order") else _ARRIVES)
            else:
                self.lock.go(found.run, event_of(self.lock.runs, found))
                if self.followed is not None and found.key:
                    self.followed = found.key

        self.start(seek())

    def other_alignment(self) -> None:
        """By packet instead of by time, or the reverse."""
        lock = self.lock
        if lock.align == BY_PACKET:
            lock.go(lock.place.run, lock.place.event)
            self.step, self.message = 0, "aligned by time: all at the time of the last of them"
            return
        key = self.key
        if key is None:
            self.message = "no packet has come yet"
            return
        self.step = 0
        self.go_packet(key, lock.phase_here(key))
        self.message = "aligned by packet: each where its packet is in the same phase, at its own time"

    # ---------------------------------------------------------------- time
    def tick(self, seconds: float) -> bool:
        """Time has passed: work, play, record ahead. Returns whether the screen may have changed."""
        if self.job is not None:
            self.work()
            return True
        if self._wants_more():
            self.record(BUDGET)
        if self.playing:
            self._play(seconds)
            return True
        return False

    def _wants_more(self) -> bool:
        """Whether too little lies ahead of the reader in the run that is recorded least far."""
        run = self.lock.behind()
        return run is not None and run.last - run.at < max(BEHIND, AHEAD - run.at)

    def _play(self, seconds: float) -> None:
        speed, lock = SPEEDS[self.speed], self.lock
        if speed == 0 or lock.align == BY_PACKET:
            self._slow += seconds
            if self._slow >= 1.0:
                self._slow = 0.0
                self.step_by(1)
                self.playing = not self.message
            return
        edge = lock.edge()
        last = max(run.time(run.last) for run in lock.runs) if edge is None else edge - 1
        goal = lock.place.now + round(speed * seconds) if speed > 0 else last
        lock.go_time(max(min(goal, last), lock.place.now))
        if lock.ended and lock.place.now >= last:
            self.playing, self.message = False, "this is the end"


def open_state(given: Aligned, *, ascii: bool = False, at: int | None = None) -> CompareState:
    """The state a comparison opens on: at a time (ps), else at the first packet's arrival."""
    lock = Lockstep([Run(s, label) for s, label in zip(given.scenarios, given.labels, strict=True)])
    state = CompareState(given, lock, ascii)
    opening = max(lock.runs[0].picture.opening(), 0)
    if at is None:
        state.go_time(lock.runs[0].time(opening))
    else:
        state.go_time(at)
    return state


__all__ = ["BY_PACKET", "BY_TIME", "WANTED", "CompareState", "open_state"]
