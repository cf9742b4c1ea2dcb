"""What names mean in the texts and conditions of a beat: its run, the other runs, `let`, `pick`, `said`, `mine`.

Invariant: while a prediction is open only names in `given` are read beyond the stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import Column, ExprError, NotYet, Row, Value, condition, evaluate, interpolate
from ixviz.lesson.expr.errors import suggestion
from ixviz.lesson.model import Beat, Formula, LessonError, Predict, Prose
from ixviz.lesson.stops import Position, Stops, picked
from ixviz.lesson.tables import RunTable

_DEEPEST = 20  # abbreviations within each other; more is a circle


def lets_of(beat: Beat) -> Mapping[str, Formula]:
    """The abbreviations of a beat, `answer` for the answer of its choices among them."""
    action = beat.action
    if isinstance(action, Predict) and action.answer is not None:
        return {**beat.let, "answer": action.answer}
    return beat.let


class BeatEnv:
    """Env of a beat at a position. `values` is what is bound besides (`said`, of an order `said(name)` for each name).

    `ahead` is the environment from which the names in `given` are read.
    """

    def __init__(
        self,
        stops: Stops,
        beat: Beat,
        position: Position,
        values: Mapping[str, Value] | None = None,
        ahead: BeatEnv | None = None,
    ) -> None:
        self.stops, self.beat, self.position = stops, beat, position
        self.lets, self.values = lets_of(beat), dict(values or {})
        self.given, self.ahead = frozenset(beat.given if ahead is not None else ()), ahead
        self.picks = stops.picks(beat)
        self._envs: dict[str, RunEnv] = {}
        self._depth = 0

    def _env(self, run: str) -> RunEnv:
        if run not in self._envs:
            made = RunEnv(self.stops.runs, run, self.stops.position_of(run, self.position).event)
            if self.ahead is not None and self.given:
                own = self.given if run == self.position.run else frozenset()
                mine = frozenset(g.removeprefix(f"{run}.") for g in self.given if g.startswith(f"{run}."))
                made.ahead = (own | mine, self.ahead._env(run))
            self._envs[run] = made
        return self._envs[run]

    @property
    def main(self) -> RunEnv:
        """The run of the beat."""
        return self._env(self.position.run)

    # ------------------------------------------------------------------------------------------- Env
    def lookup(self, name: str) -> Value | None:
        """See Env.lookup."""
        if name in self.values:
            return self.values[name]
        if name in self.picks:
            return picked(self._env(self.beat.run), self.picks[name])
        if name in self.lets:
            if self.ahead is not None and name in self.given:
                return self.ahead.lookup(name)
            self._depth += 1
            try:
                if self._depth > _DEEPEST:
                    raise ExprError(f"{name} is made of itself")
                return evaluate(self.lets[name].expr, self)
            finally:
                self._depth -= 1
        return self.main.lookup(name)

    def table(self, name: str) -> RunTable | None:
        """See Env.table."""
        return self.main.table(name)

    def row(self, table: str, number: int) -> Row | None:
        """See Env.row."""
        return self.main.row(table, number)

    def series(self, name: str) -> Column | None:
        """See Env.series."""
        return self.main.series(name)

    def call(self, function: str, name: str) -> Value | None:
        """See Env.call."""
        if function == "said":
            known = [each[5:-1] for each in self.values if each.startswith("said(")]
            if known and name not in known:
                raise ExprError(f"{name} is not one of the items{suggestion(name, known)}")
            return self.values.get(f"said({name})")
        return self.main.call(function, name)

    def run(self, name: str) -> RunEnv | None:
        """See Env.run."""
        return self._env(name) if name in self.stops.runs else None

    def names(self) -> Iterable[str]:
        """See Env.names."""
        runs = list(self.stops.runs.specs)
        figures = [f"{run}.{name}" for run in runs for name in self.main.names()]
        return [*self.values, *self.lets, *self.picks, *runs, *self.main.names(), *figures]

    def with_values(self, values: Mapping[str, Value]) -> BeatEnv:
        """The same with more bound."""
        return BeatEnv(self.stops, self.beat, self.position, {**self.values, **values}, self.ahead)

    # ------------------------------------------------------------------------------------------- reading
    def value(self, formula: Formula) -> Value:
        """The value of an expression. Raises LessonError with its place."""
        try:
            return evaluate(formula.expr, self)
        except ExprError as error:
            raise self._mistake(formula, error) from None

    def truth(self, formula: Formula) -> bool:
        """Whether a condition holds. Raises LessonError with its place."""
        try:
            return condition(formula.expr, self)
        except ExprError as error:
            raise self._mistake(formula, error) from None

    def shown(self, prose: Prose | None) -> str:
        """A prose with its values put in; "" for none. Raises LessonError with its place."""
        if prose is None:
            return ""
        try:
            return interpolate(prose.text, self)
        except ExprError as error:
            raise self._mistake(prose, error) from None

    def _mistake(self, written: Prose, error: ExprError) -> LessonError:
        made = written.error(error)
        made.early = self.position if isinstance(error, NotYet) else None
        return made
