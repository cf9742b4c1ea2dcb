"""A beat as the checks see it: what can be read at its stop, and what at its reveal.

Invariant: `now` reads beyond the stop what `given` names, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ixviz.lesson.beatenv import BeatEnv, lets_of
from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import names_used
from ixviz.lesson.expr.prose import expressions_in
from ixviz.lesson.model import Beat, Formula, LessonError, Prose
from ixviz.lesson.stops import Stops
from ixviz.scenario.messages import Problem
from ixviz.scenario.simulate import picture_of

LISTED_BY = "ixviz names"  # what lists the components of a machine
_BUILT = ("machine", "system", "workload", "run")  # what the scenario says, before anything has run


class Scene:
    """`letter` is that of the right choice, once a check has found it. Raises LessonError for a stop never reached."""

    def __init__(self, stops: Stops, beat: Beat) -> None:
        self.stops, self.beat = stops, beat
        self.stop, self.reveal = stops.stop(beat), stops.reveal(beat)
        self.later = BeatEnv(stops, beat, self.reveal)
        self.now = BeatEnv(stops, beat, self.stop, ahead=self.later if beat.given else None)
        self.letter = ""
        self._early: list[Problem] = []  # what is read at the reveal and has not happened by then
        self._machine = RunEnv(stops.runs, beat.run, 0)  # for what is there from the start: needs no whole run

    def told(self, error: LessonError) -> Iterator[Problem]:
        """What is said of a check that could not go on; nothing yet where the reveal is to blame (see too_early)."""
        if isinstance(self.beat.reveal, Formula) and error.early == self.reveal:
            self._early.append(error.problem)
        else:
            yield error.problem

    def too_early(self) -> Iterator[Problem]:
        """One finding for all that the reveal comes too early for; where that is one line, it may be to blame."""
        lines = sorted({problem.line for problem in self._early})
        if len(lines) < 2 or not isinstance(self.beat.reveal, Formula):
            yield from self._early
            return
        first = min(self._early, key=lambda problem: (problem.line, problem.col))
        *others, last = map(str, lines)
        where = f"lines {', '.join(others)} and {last}"
        yield self.beat.reveal.place.problem(f"the reveal comes too early for {where}: {first.message}")

    def components(self) -> set[str]:
        """The components of the beat's machine by name, `rxlist` for the list among them where there is one."""
        found = set(self._machine.components())
        if self.stop.event is not None:
            found |= set(self.now.main.components())  # some come to be while it runs
        return found | ({"rxlist"} if self._machine.alias("rxlist") != "rxlist" else set())

    def views(self) -> set[str]:
        """What asks for another view of the machine when it is marked, such as `cache lines`."""
        return set(picture_of(self._machine.sim()).views.values()) - {""}

    def charts(self) -> tuple[str, ...]:
        """What the picture of the beat's machine can draw of it so far."""
        return tuple(picture_of(self._machine.sim()).charts)

    def names(self, formula: Formula) -> set[str]:
        """The names an expression reads, with those that `let` abbreviates in their place."""
        lets, found, open_ = lets_of(self.beat), set(), list(names_used(formula.expr))
        seen: set[str] = set()
        while open_:
            name = open_.pop()
            if name not in lets:
                found.add(name)
            elif name not in seen:
                seen.add(name)
                open_ += names_used(lets[name].expr)
        return found

    def reads_history(self, formula: Formula) -> bool:
        """Whether the value depends on what a run did: not on literals, names of components and the scenario alone."""
        return any(not self._known_before(name) for name in self.names(formula))

    def _known_before(self, name: str) -> bool:
        run, _, rest = name.partition(".")
        plain = rest if run in self.stops.runs.specs else name
        return plain.partition(".")[0] in _BUILT or plain in self.components()


def guarded(check: Callable[[Scene], Iterable[Problem]], scene: Scene) -> Iterator[Problem]:
    """What a check finds; a LessonError ends it, and is one of its findings."""
    try:
        yield from check(scene)
    except LessonError as error:
        yield from scene.told(error)


def names_in(prose: Prose | None) -> Iterator[str]:
    """The names that a text reads."""
    for inset in expressions_in(prose.text) if prose is not None else ():
        yield from names_used(inset.expr)
