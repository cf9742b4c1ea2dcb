"""Where a beat stops: events found by conditions, and where every other run stands then.

Invariant: `until` is looked for from the run's start and `reveal` from the stop, so a beat's stops do not depend on the
way by which it was reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ixviz.history import Cursor
from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import ExprError, Kind, NotYet, Value, condition, evaluate, names_used, none
from ixviz.lesson.expr.prose import row_name
from ixviz.lesson.model import Beat, Formula, RunSpec
from ixviz.lesson.reads import Reads
from ixviz.lesson.runs import FIRST, MOST, Runs


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a run: just after `event`, or (None) its end."""

    run: str
    event: int | None


class Pick(NamedTuple):
    """A row that a beat has bound, of its own run."""

    table: str
    number: int


def picked(env: RunEnv, pick: Pick) -> Value:
    """The row as it is in this environment; of kind NONE while there is no such row."""
    row = env.row(pick.table, pick.number)
    return Value(Kind.ROW, row) if row is not None else none(f"there is no {row_name(*pick)} yet")


class Stops:
    """Finds the stops of a lesson's beats, each once."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self._picks: dict[str, dict[str, Pick]] = {}
        self._found: dict[tuple[str, str], Position] = {}
        runs.find_fork = self.fork_event

    def fork_event(self, spec: RunSpec) -> int:
        """The event of the base that makes the branch's `at` true."""
        assert spec.at is not None and spec.base is not None
        return self._search(spec.base, spec.at, 0)

    def stop(self, beat: Beat) -> Position:
        """Where the beat stops. Raises LessonError when that is never reached."""
        return self._once(beat, "until", beat.until, 0)

    def reveal(self, beat: Beat) -> Position:
        """Where its prediction is answered; the stop for a beat that has none."""
        stop = self.stop(beat)
        if beat.reveal is None or stop.event is None:
            return stop
        return self._once(beat, "reveal", beat.reveal, stop.event)

    def picks(self, beat: Beat) -> Mapping[str, Pick]:
        """The rows that a beat binds, as found at its stop; each may use those before it. Raises LessonError."""
        if beat.id not in self._picks:
            found: dict[str, Pick] = {}
            for name, formula in beat.pick.items():
                env = _Bound(RunEnv(self.runs, beat.run, self.stop(beat).event), found)
                try:
                    value = evaluate(formula.expr, env)
                except ExprError as error:
                    raise formula.error(error) from None
                if value.kind is not Kind.ROW:
                    message = f"{name} is no row: pick one packet, batch or request, as first(…) does"
                    raise formula.error(ExprError(message))
                found[name] = Pick(value.data.table, value.data.number)
            self._picks[beat.id] = found
        return self._picks[beat.id]

    def _once(self, beat: Beat, what: str, until: Formula | str, start: int) -> Position:
        key = (beat.id, what)
        if key not in self._found:
            if until == "start":
                event: int | None = 0
            elif isinstance(until, str):
                event = None
            else:
                event = self._event(beat.run, until, start, self.picks(beat) if what == "reveal" else {})
            self._found[key] = Position(beat.run, event)
        return self._found[key]

    def _event(self, run: str, until: Formula, start: int, picks: Mapping[str, Pick]) -> int:
        """The event of `run` where `until` comes true; the condition may be about another run (`one.core0.batch`)."""
        first = {name.partition(".")[0] for name in names_used(until.expr)} & set(self.runs.specs)
        if not first or first == {run}:
            return self._search(run, until, start, picks)
        if len(first) > 1:
            raise until.error(ExprError("a stop is about one run"))
        [other] = first
        began = self.position_of(other, Position(run, start)).event
        found = self._search(other, until, began or 0)
        time = self.runs.recorded(other).history.event(found).time
        event: int = self.runs.recorded(run, time=time).history.event_at(time)
        if event <= start:
            raise until.error(ExprError(f"this comes true before {run} has gone on from its stop"))
        return event

    def _search(self, run: str, until: Formula, start: int, picks: Mapping[str, Pick] | None = None) -> int:
        """The first event of `run` after `start` that makes the condition true. Raises LessonError."""
        goal = max(FIRST, start + 1)
        while True:
            history = self.runs.recorded(run, min(goal, MOST)).history
            last = len(history) - 1
            holds = self._condition(run, until, history.cursor(last), picks or {})
            found: int | None = history.next(start, holds.true, holds.slots, last)
            if found is not None:
                return found
            if self.runs.recorded(run).ended or last + 1 >= MOST:
                raise until.error(ExprError(f"never reached: nothing makes this true in {run} after event {start:,}"))
            start, goal = last, 2 * goal

    def _condition(self, run: str, until: Formula, cursor: Cursor, picks: Mapping[str, Pick]) -> _Condition:
        whole = _Bound(RunEnv(self.runs, run, cursor.at, cursor), picks)
        holds = _Condition(self.runs, until, picks, whole)
        holds.true_in(whole)  # a name that is none is told with all the names there are
        return holds

    # ------------------------------------------------------------------------------------------- other runs
    def position_of(self, run: str, main: Position) -> Position:
        """Where `run` stands when the main run stands at `main`: at the same time, never further than a branch allows.

        Before a branch leaves its base both are at the same event; at the end of one all are at their end.
        """
        if run == main.run or main.event is None:
            return Position(run, main.event)
        if main.event == 0:
            return Position(run, 0)
        time = self.runs.recorded(main.run, main.event + 1).history.event(main.event).time
        event: int = max(0, self.runs.recorded(run, time=time).history.event_at(time))
        for branch, base in ((run, main.run), (main.run, run)):
            fork = self.runs.fork(branch)
            if fork is not None and fork[0] == base and main.event <= fork[1]:
                event = min(event, main.event)
        return Position(run, event)


class _Bound(RunEnv):
    """A run that also answers to its own name (`one.core0.batch == 11`) and to what a beat has picked."""

    def __init__(self, env: RunEnv, picks: Mapping[str, Pick]) -> None:
        super().__init__(env.runs, env.name, env.event, env._cursor)
        self._picks = picks

    def lookup(self, name: str) -> Value | None:
        """See Env.lookup."""
        return picked(self, self._picks[name]) if name in self._picks else super().lookup(name)

    def run(self, name: str) -> RunEnv | None:
        """Itself under its name."""
        return self if name == self.name else None


class _Condition:
    """A stop's condition over a run, evaluated at one cursor after another; `slots` are those it reads (reads.py)."""

    def __init__(self, runs: Runs, until: Formula, picks: Mapping[str, Pick], env: RunEnv) -> None:
        self.runs, self.run, self.until, self.picks = runs, env.name, until, picks
        reads = Reads(until.expr, env, picks)
        self.parts, self.slots = reads.parts, reads.slots

    def true(self, cursor: Cursor) -> bool:
        """Whether it holds where the cursor stands."""
        env = _Bound(RunEnv(self.runs, self.run, cursor.at, cursor), self.picks)
        env.parts = self.parts
        return self.true_in(env)

    def true_in(self, env: RunEnv) -> bool:
        """Whether it holds; what has not happened makes it false. Raises LessonError."""
        try:
            return condition(self.until.expr, env)
        except NotYet:
            return False
        except ExprError as error:
            raise self.until.error(error) from None
