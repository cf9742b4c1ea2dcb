"""The work that a beat needs, in the background: its texts, whole runs, a run recorded to its end.

Invariant: the session is read and machines are recorded in turns with the screen; what went wrong is seen by `tick`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ixviz.lesson.model import LessonError

from .branch import Branch
from .prefetch import Closed, Prefetch, started, to_end, wholes
from .state import MOMENT, State
from .turns import Turns


class Work:
    """What LessonState knows about waiting."""

    session: Any
    branches: dict[str, Branch]
    judging: bool
    shows: tuple[int, str] | None

    def _begin(self, session: Any) -> None:
        self.turns = Turns()
        self.prefetch = Prefetch(session, self.turns)
        self.broken = ""  # an author's mistake that showed when this beat ran
        self.watched = False  # whether the file is looked at, so that the mistake can be mended
        self._thread: threading.Thread | None = None
        self._failed: BaseException | None = None
        self._then: Callable[[], None] | None = None  # what is still to be computed, once the beat has been drawn
        self._waiting: Callable[[], None] | None = None  # done when all is prepared
        self._placing: State | None = None  # what stands at the start until its run is recorded to its end
        self._texts: Any = None
        self._shown = True

    @property
    def preparing(self) -> bool:
        """Whether something is still computed, or will be."""
        return self._then is not None or self._running

    @property
    def _running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def unfinished(self, state: State) -> bool:
        """Whether the machine is still recorded to the end at which it shall stand."""
        return self._placing is not None and not state.branch.ended

    def _work(self, *, prepare: bool) -> None:
        """Compute the texts in the background, quick ones are there at once; then, once the beat has been drawn, the
        rest of what it needs."""
        self._texts = None
        at_end = self._placing is not None or self.session.action == "find"
        self._then = self._prepare if prepare else self._end_of_run if at_end else None
        held = self.turns.lend()
        self._background(lambda: self._tell(prepare))
        assert self._thread is not None
        end = time.monotonic() + 0.03
        while self._texts is None and self._thread.is_alive() and time.monotonic() < end:
            time.sleep(0.001)
        self.turns.back(held)
        self._shown = self._texts is not None

    def _tell(self, entered: bool) -> None:
        session = self.session
        if entered and self._late():
            wholes(session.runs, session.beat, self.prefetch.patience.rest)
        with self.turns.recording():
            self._texts = session.texts()

    def _late(self) -> bool:
        """Whether the beat's text tells of whole runs, which have to be simulated before it."""
        beat = self.session.beat
        return getattr(beat, "until", None) == "end" or bool(getattr(beat, "given", ()))

    def _prepare(self) -> None:
        session, rest = self.session, self.prefetch.patience.rest
        if hasattr(session, "runs"):
            wholes(session.runs, session.beat, rest)
        with self.turns.recording():
            session.prepare()
        self._end_of_run()

    def _end_of_run(self) -> None:
        """What is there only when all is recorded: where the machine shall stand, and where a fault showed."""
        if self._placing is not None:
            to_end(self.session.runs, self.session.position.run, self.turns, self.prefetch.patience.rest)
        if self.session.action == "find" and str(self.session.phase) == "answered":
            self._find_evidence(self.session.beat.run)

    def _find_evidence(self, run: str) -> None:
        from .evidence import first_difference

        branch = self.branches[run]
        found = first_difference(branch.sim, branch.scenario, self.turns, self.prefetch.patience.rest)
        if found is not None:
            with self.turns.recording():
                self.shows = (found, words(branch, found))

    def _background(self, work: Callable[[], Any]) -> None:
        """Do some work in a thread; `tick` sees its end, and what went wrong."""
        self._failed = None

        def run() -> None:
            try:
                work()
            except Closed:
                pass
            except BaseException as error:
                self._failed = error

        self._thread = started(run, "prepare")

    def tick(self) -> bool:
        """Called between frames: what waited for the preparation goes on when it is done."""
        if self._thread is None and self._waiting is None:
            return False
        if self._running:
            come, self._shown = not self._shown and self._texts is not None, self._texts is not None
            return come
        if not self.turns.take():
            return False
        try:
            self._done()
        finally:
            self.turns.give()
        return True

    def _done(self) -> None:
        """A piece of work is done."""
        self._thread = None
        then, self._then = self._then, None
        if then is not None and self._failed is None:
            self._background(then)
            return
        placing, self._placing = self._placing, None
        if self._failed is not None:
            self._broke(self._failed)
        elif placing is not None:
            placing.branch.seek(placing.branch.last())
            placing.moved()
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not self.broken:
            self._try(waiting)

    def _broke(self, error: BaseException) -> None:
        """The mistake of an author whose file is watched is shown until it is mended; else it ends the program."""
        if not isinstance(error, LessonError) or not self.watched:
            raise error
        self.broken, self.judging = str(error), False

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except LessonError as error:
            self._broke(error)

    def _when_ready(self, state: State, action: Callable[[], None], *, leaving: bool = False) -> None:
        """Do it now, or when the work is done. Who is `leaving` the beat needs no more than what has begun."""
        if self.broken:
            return
        if leaving:
            self._then = None
        if self.preparing or state.busy:
            self._waiting = action
            state.message = MOMENT
        else:
            self._try(action)


def words(branch: Branch, event: int) -> str:
    """An event in words, wherever the reader stands."""
    picture = branch.picture
    return str(picture.words(picture.moment(branch.sim.history.cursor(event)), event))
