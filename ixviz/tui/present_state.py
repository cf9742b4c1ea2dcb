"""A lecture as it stands: which page, what is revealed, which counts are shown, what time was used.

Invariant: no Textual here; nothing is judged, a reveal is a skip, and nothing after a stop is read before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from . import pressing
from .lecture import choices_of
from .lesson_state import LessonState, open_lesson
from .pace import Pace, advice, began, pace
from .state import MOMENT, NOT_YET, State
from .votes import Counts, Votes, VotesFile, read_counts

POLL = 0.5  # seconds between two looks at the file of votes


class Present:
    """What a presenter's screen shows. `page`: size (the frame to size the font by), beat, or over behind the last."""

    def __init__(
        self,
        session: Any,
        picture_of: Callable[[Any], Any],
        *,
        ascii: bool = False,
        beat: str | None = None,
        votes: VotesFile | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        index = next((i for i, each in enumerate(session.beats) if each.id == beat), 0)
        session.pass_to(index)
        session.reopen()
        self.state: State = open_lesson(session, picture_of, ascii=ascii)
        self.clock = clock
        self.started: float | None = None  # when the clock was at 0
        self.given: int | None = None  # the time used, told by the presenter whom a notes view follows
        self.first = index
        self.sizing = True  # the first page
        self.blank = self.help = self.shown = False
        self.typed: str | None = None  # counts being typed
        self.message = ""
        self.scroll = 0
        self.size = (80, 24)
        self.votes = Votes()
        self.file = votes
        self.revealed: set[str] = set()
        self._pending: Callable[[], None] | None = None
        self._waited = 0.0
        self._second = -1
        if votes is not None:
            self._put(votes.first())

    # ---------------------------------------------------------------- reading
    @property
    def session(self) -> Any:
        return self.state.session

    @property
    def lesson(self) -> LessonState:
        lesson: LessonState = self.state.lesson
        return lesson

    @property
    def page(self) -> str:
        return "size" if self.sizing else "over" if self.lesson.over else "beat"

    @property
    def answered(self) -> bool:
        """Whether the answer of the present beat is shown."""
        return str(self.session.phase) == "answered"

    @property
    def busy(self) -> bool:
        """Whether something is still computed that a key would need."""
        return self.lesson.preparing or self.lesson.texts() is None or self.state.busy

    def choices(self) -> int:
        """How many choices the class can vote for; 0 when there is no such question."""
        return choices_of(self.session.beat) if self.page == "beat" else 0

    def counts(self) -> Counts:
        """The counts of the present vote."""
        votes = self.votes.of(self.session.beat.id)
        return votes[-1] if votes else ()

    def used(self) -> int:
        """Whole seconds since the lecture began, as if it had begun with the first beat."""
        if self.given is not None:
            return self.given
        since = self.clock() - self.started if self.started is not None else 0
        return began(self.session.beats, self.first) + int(since)

    def number(self) -> int:
        """The beat for the clock: behind the last, their number."""
        return len(self.session.beats) if self.lesson.over else int(self.session.index)

    def pace(self) -> Pace:
        return pace(self.session.beats, self.number(), self.used())

    def advice(self) -> str:
        """What to skip, in words; "" on time."""
        return advice(self.session.beats, self.number(), self.used())

    # ---------------------------------------------------------------- ways
    def begin(self) -> None:
        """From the first page to the first beat; the clock starts."""
        self.sizing, self.message = False, ""
        if self.started is None:
            self.started = self.clock()

    def when_ready(self, action: Callable[[], None]) -> None:
        """Do it now, or when what the beat needs is computed."""
        if self.busy:
            self._pending, self.message = action, MOMENT
        else:
            self._pending, self.message = None, ""
            action()

    def next(self) -> None:
        """The reveal of an open question; else the next beat."""
        if self.lesson.over:
            self.message = "this is the end, q leaves"
        else:
            self.when_ready(self.reveal if self.lesson.asking else lambda: self.arrive(self.session.index + 1))

    def reveal(self) -> None:
        """Show the answer. It counts for nobody."""
        self.revealed.add(self.session.beat.id)
        self.scroll = 0
        self.lesson.press(self.state, "s", "s")

    def skip(self) -> None:
        """The next beat, whatever is open."""
        if self.lesson.over:
            self.message = "this is the end, q leaves"
        else:
            self.when_ready(lambda: self.arrive(self.session.index + 1))

    def back(self) -> None:
        """What was shown before: of an answer its question, of a question the beat before."""
        if self.lesson.over:
            self.arrive(len(self.session.beats) - 1)
        elif self.answered:
            self.when_ready(self.hide)
        elif self.session.index:
            self.when_ready(lambda: self.arrive(self.session.index - 1))
        else:
            self.message = "this is the first beat"

    def hide(self) -> None:
        """The question once more, open."""
        self.revealed.discard(self.session.beat.id)
        self.session.reopen()
        self._enter()

    def arrive(self, index: int) -> None:
        """Any beat as the class has seen it: open, unless its answer was revealed; behind the last one: the end."""
        session = self.session
        if index >= len(session.beats):
            session.pass_to(index)
            return
        session.pass_to(index)
        if session.beat.id not in self.revealed:
            session.reopen()
        self._enter()

    def _enter(self) -> None:
        self.shown, self.typed, self.scroll = False, None, 0
        self.lesson.enter(self.state)

    def move(self, action: str) -> None:
        """Step, play, step size: within the beat."""
        if self.page != "beat":
            return
        pressing.run(self.state, action)
        self.message, self.state.message = self.state.message or self.state.place, ""
        if self.message == NOT_YET:
            self.message = "nothing after this is shown till the reveal"

    # ---------------------------------------------------------------- votes
    def put_counts(self) -> None:
        """Take the counts that were typed; what is wrong with them is said, and they can be corrected."""
        try:
            counts = read_counts(self.typed or "", self.choices())
        except ValueError as error:
            self.message = str(error)
            return
        self.votes.put(self.session.beat.id, counts)
        self.typed = None
        self.message = "" if self.shown else "counted, t shows them"

    def show_counts(self) -> None:
        if not self.counts():
            self.message = "no counts yet: type them, such as 3 12 20 10 17" if self.choices() else "nothing to vote on"
        else:
            self.shown = not self.shown

    def vote_again(self) -> None:
        if self.answered:
            self.message = "the answer is shown already; PgUp goes back to the question"
        elif self.votes.again(self.session.beat.id):
            self.shown, self.message = False, "second vote: type its counts"
        elif self.counts():
            self.message = "this is the second vote; counts typed now correct it"
        else:
            self.message = "type the counts of the first vote before" if self.choices() else "nothing to vote on"

    def _put(self, votes: dict[str, list[Counts]]) -> None:
        for beat, counts in votes.items():
            self.votes.set(beat, counts)
        if self.file is not None and self.file.problem is not None:
            self.message = str(self.file.problem)

    # ---------------------------------------------------------------- time
    def tick(self, seconds: float) -> bool:
        """Time has passed: compute, play, read votes. Returns whether the screen may have changed."""
        state = self.state
        changed = state.tick(seconds)
        if state.message:
            self.message, state.message = state.message, ""
        with state.reading():
            pending = self._pending
            if pending is not None and not self.busy:
                self._pending, self.message, changed = None, "", True
                pending()
        self._waited += seconds
        if self.file is not None and self._waited >= POLL:
            self._waited = 0.0
            votes = self.file.changed()
            if votes is not None:
                self.message, changed = "", True
                self._put(votes)
        self.look_ahead()
        second = self.used()
        changed, self._second = changed or second != self._second, second
        return changed

    def look_ahead(self) -> None:
        """Let what later beats need be simulated, when nothing else is."""
        if not self.busy:
            self.lesson.prefetch.go()

    def close(self) -> None:
        """No more work in the background."""
        self.lesson.prefetch.close()
