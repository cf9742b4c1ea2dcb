"""A lesson on the screen: which beat, which question, what is typed, which machine stands where.

Invariant: every branch shown stands at or before what the session lets be read, in every phase.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ixviz.draw.cells import Lines, Span, fit
from ixviz.lesson.model import LessonError

from .branch import Branch
from .lesson_work import Work, words
from .question import Question
from .state import State


class LessonState(Question, Work):
    """Stands between a State and lesson.Session."""

    def __init__(self, session: Any, picture_of: Callable[[Any], Any]) -> None:
        self.session, self.picture_of = session, picture_of
        self._forget()
        self.judging = False
        self.branches: dict[str, Branch] = {}
        self._begin(session)

    def _forget(self) -> None:
        """Nothing is chosen or said yet."""
        self.chosen, self.rule, self.typed = None, None, ""
        self.said = self.label = ""
        self.shows = None

    # ---------------------------------------------------------------- reading
    @property
    def asking(self) -> bool:
        return str(self.session.phase) == "asking"

    @property
    def over(self) -> bool:
        return str(self.session.phase) == "over"

    def texts(self) -> Any:
        """The beat's texts; None while they still have to be computed (a text may give a figure of a whole run)."""
        return self._texts

    def title(self) -> str:
        session = self.session
        if self.over:
            return f"{session.lesson.title} · the end"
        if session.review:
            return f"Once more · {session.beat.title}"
        return f"{session.lesson.title} {session.index + 1}/{len(session.beats)} · {session.beat.title}"

    def score(self) -> str:
        return str(self.session.score)

    def marked(self) -> frozenset[str]:
        """The components the beat wants seen, with those its question is about; all when it names none."""
        look = self.session.look
        marked = frozenset(look.mark or ()) if look is not None and look.view == "machine" else frozenset()
        return marked | frozenset(self.asked()) if marked else marked

    def labelled(self) -> tuple[str, ...]:
        """The components the beat wants named."""
        look = self.session.look
        return tuple(getattr(look, "label", ())) if look is not None and look.view == "machine" else ()

    def compare(self) -> tuple[str, ...] | None:
        look = self.session.look
        return tuple(look.compare) if look is not None and look.compare else None

    # ---------------------------------------------------------------- beats
    def enter(self, state: State) -> None:
        """The machine of the present beat, where the session says; the work it needs begins in the background."""
        self._forget()
        self.broken = ""
        state.tab, state.playing, state.prompt = "Lesson", False, None
        state.selected.clear()
        state.scroll.clear()
        state.everything = False
        self._placing = state if self.session.action == "find" or self._at_end() else None
        self.place(state)
        self._work(prepare=True)

    def _at_end(self) -> bool:
        """Whether the machine itself is shown, as it stands at the end of its run."""
        look = self.session.look
        machine = look is None or (look.view == "machine" and not look.compare)
        return machine and self.session.position.event is None

    def place(self, state: State) -> None:
        """Put the branch of the session's position on the screen, where it stands."""
        position = self.session.position
        branch = self.branch_of(position.run)
        branch.limit = self.session.view_event
        state.branches, state.current = [branch], 0
        if position.event is not None:
            branch.seek(position.event)
        elif (self._placing is not None and branch.ended) or branch.at > branch.last():
            branch.seek(branch.last())
            self._placing = None
        if str(self.session.phase) == "answered" and position.event is not None and branch.at == position.event:
            self.shows = (branch.at, words(branch, branch.at))
        state.moved()

    def branch_of(self, run: str) -> Branch:
        """The run's branch, recorded as far as the session has it."""
        runs = self.session.runs
        sim = self.session.simulation(run)
        known = self.branches.get(run)
        if known is None or known.sim is not sim:

            def record(events: int) -> bool:
                runs.recorded(run, len(sim.history) + events)
                return not sim.ended

            known = Branch(sim, self.picture_of(sim), runs.scenario(run), run, record=record)
            self.branches[run] = known
        return known

    def figures(self, state: State) -> bool:
        """Whether figures of whole runs stand where the machine would: then there is no moment to step from."""
        look = self.session.look
        if self.over or state.everything or look is None or (look.view != "totals" and look.compare):
            return False
        if look.view == "machine":
            return False
        return self.session.position.event is None and self.session.action != "find"

    def stage(self, state: State, width: int, height: int) -> Lines | None:
        """What stands where the machine would: a chart or a comparison; None for the machine."""
        if self.over:
            return []
        if state.everything:
            return None
        if self.compare() is not None:
            return self.compare_lines(state, width, height)
        from .lesson_charts import shown

        return shown(state, width, min(height, 22)) or None

    def compare_lines(self, state: State, width: int, height: int) -> Lines:
        """The lanes of the runs that are compared at the present time, one below the other, each as far as may be read.

        They show at least what has happened since the beat's stop.
        """
        if self.session.look.view == "totals":
            return self._totals_lines(state, width)[:height]
        from ixviz.export.frame import since_stop  # few lessons compare

        out: Lines = []
        now = state.branch.now
        stop = self.session.stops.stop(self.session.beat).event or 0
        since = min(state.branch.sim.history.event(stop).time, now)
        note = "after ▲ nothing is shown till you answer" if self.asking else ""
        found = self._beside(state)
        shown = [(branch.picture, branch.moment) for _, branch in found]
        drawn = since_stop(shown, width, since, note=note, asking=self.asking, zoom=state.zoom)
        for (run, branch), lanes in zip(found, drawn, strict=True):
            out += [fit((Span(f"{run}: {branch.picture.heading}", "title"),), width), *lanes.lines]
        return out[:height]

    def _beside(self, state: State) -> list[tuple[str, Branch]]:
        """The runs that are compared, each at the present time as far as it may be read."""
        found = []
        for run in self.compare() or ():
            branch = self.branch_of(run)
            branch.limit = self.session.position_of(run).event
            if branch is not state.branch:
                branch.seek_time(state.branch.now)
            found.append((run, branch))
        return found

    def _totals_lines(self, state: State, width: int) -> Lines:
        """What each run has spent per packet, up to the present time; at the end of the runs, of whole ones."""
        from ixviz.compare.totals import so_far
        from ixviz.export.frame import totals_table
        from ixviz.lesson.beside import totals

        if self.session.position.event is not None:
            branches = [branch for _, branch in self._beside(state)]
            found = so_far([branch.picture for branch in branches], [branch.moment for branch in branches])
        elif all(self.session.runs.is_ready(run) for run in self.compare() or ()):
            found = totals(self.session)
        else:
            return [fit((Span("simulating …", "dim"),), width)]
        return totals_table(self.session, found, width)

    def go_on(self, state: State) -> None:
        """The next beat; not while a question is open."""
        if self.asking:
            state.message = "first answer, or s skips"
        elif self.over:
            state.message = "this is the end of the lesson, q leaves"
        else:
            self.broken = ""
            self._when_ready(state, lambda: self._next(state), leaving=True)

    def _next(self, state: State) -> None:
        state.message = ""
        session, before = self.session, self.session.index
        session.go_on()
        told = ""
        while not self.over:
            try:
                self.enter(state)
                break
            except LessonError as error:  # its stop is never reached: go on behind it, and say so
                self._broke(error)
                told = told or f"beat {session.index + 1} is broken and was passed by. {self.broken}"
                if session.index + 1 == len(session.beats) or session.review:
                    self._to(state, before)
                    break
                session.pass_to(session.index + 1)
        self.broken = told

    def go_back(self, state: State) -> None:
        """The beat before."""
        if not self.over and self.session.index == 0:
            state.message = "this is the first beat"
            return
        self.broken = ""
        goal = len(self.session.beats) if self.over else self.session.index
        self._when_ready(state, lambda: self._to(state, goal - 1), leaving=True)

    def _to(self, state: State, index: int) -> None:
        state.message = ""
        self.session.go_to(index)
        self.enter(state)


def open_lesson(session: Any, picture_of: Callable[[Any], Any], *, ascii: bool = False) -> State:
    """The State a lesson opens on: its first beat."""
    lesson = LessonState(session, picture_of)
    first = lesson.branch_of(session.position.run)
    state = State(
        [first], picture_of, session=session, lesson=lesson, title=session.lesson.title, ascii=ascii, tab="Lesson"
    )
    state.step = len(first.sizes) - 2  # the largest that follows nothing
    lesson.enter(state)
    return state
