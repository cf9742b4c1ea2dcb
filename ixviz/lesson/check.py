"""Whether a lesson is true: runs everything headless and says what a learner would stumble on.

Invariant: nothing is believed: every stop is reached, every claim evaluated, every choice and every knob value tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from ixviz.lesson import asking, finds, places, tasks
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.expr import Value, names_used
from ixviz.lesson.expr.algebra import compare
from ixviz.lesson.judge import Outcome, choice_text, remark, right_options, wanted_number
from ixviz.lesson.model import (
    LETTERS,
    Beat,
    Find,
    Lesson,
    LessonError,
    NumberAnswer,
    OrderAnswer,
    PointAnswer,
    Predict,
    Task,
)
from ixviz.lesson.runs import Runs
from ixviz.lesson.stops import Stops
from ixviz.lesson.wrap import wrapped
from ixviz.scenario.messages import Problem

ROWS, COLUMNS = 12, 80


def check(lesson: Lesson) -> list[Problem]:
    """All that is wrong with a lesson that loaded, in the order of the file; empty for a good one. Takes seconds."""
    runs = Runs(lesson)
    checker = _Checker(Stops(runs))
    found = list(_minutes(lesson))
    for beat in lesson.beats:
        try:
            found += checker.beat(beat)
        except LessonError as error:
            found.append(error.problem)
    found += _letters(checker, lesson)
    return sorted(dict.fromkeys(found), key=lambda p: (p.line, p.col))


def _minutes(lesson: Lesson) -> Iterator[Problem]:
    for route, minutes in lesson.minutes.items():
        total = sum(beat.minutes for beat in lesson.route(route))
        if abs(total - minutes) > 1e-9:
            yield lesson.minutes_place.problem(f"{route} is {minutes:g} minutes, its beats add up to {total:g}")
    if "alone" not in lesson.minutes:
        yield lesson.minutes_place.problem("minutes needs alone")
    if lesson.route("lecture") and "lecture" not in lesson.minutes:
        yield lesson.minutes_place.problem("there are beats of the route lecture, and no minutes for it")


def _letters(checker: _Checker, lesson: Lesson) -> Iterator[Problem]:
    right = checker.letters
    for letter in set(right):
        if len(right) > 3 and right.count(letter) * 2 > len(right):
            share = f"{right.count(letter)} of {len(right)}"
            yield lesson.place.problem(f"{letter} is the right letter of {share} choices, more than half")


class _Checker:
    def __init__(self, stops: Stops) -> None:
        self.stops = stops
        self.letters: list[str] = []

    def beat(self, beat: Beat) -> Iterator[Problem]:
        """One beat. Raises LessonError for what stops the checking of this beat."""
        stop, reveal = self.stops.stop(beat), self.stops.reveal(beat)
        later = BeatEnv(self.stops, beat, reveal)
        now = BeatEnv(self.stops, beat, stop, ahead=later if beat.given else None)
        yield from self._given(beat, later)
        for claim in beat.expect:
            try:
                if not later.truth(claim):
                    yield claim.place.problem(f"not true: {claim.text}")
            except LessonError as error:
                yield error.problem
        action = beat.action
        shown = [now.shown(beat.say), beat.leaves_out]
        if action is None:
            yield from self._fits(beat, [*shown, now.shown(beat.why)])
            return
        for hint in action.hints:
            now.shown(hint)
        asked = [*shown[:1], now.shown(action.ask)]
        if isinstance(action, Task):
            yield from self._task(beat, action)
            return
        asked += [choice.text for choice in (*asking.choices(action, now, lambda: later), *asking.rules(action, now))]
        if isinstance(action, Find):
            yield from self._find(beat, action, later)
        elif action.number is not None:
            asked.append(wanted_number(action.number))
            yield from self._number(beat, action.number, later)
        elif action.order is not None:
            asked.append(asking.wanted(action))
            yield from self._order(action.order, later)
        elif action.point is not None:
            yield from self._point(action.point, later)
        else:
            yield from self._choose(beat, action, now, later)
        yield from self._fits(beat, asked)
        yield from self._fits(beat, [later.shown(beat.why), beat.leaves_out])

    def _given(self, beat: Beat, later: BeatEnv) -> Iterator[Problem]:
        for name in beat.given:
            run, _, rest = name.partition(".")
            env = later.run(run) if rest else None
            if (env.lookup(rest) if env is not None else later.lookup(name)) is None:
                yield beat.place.problem(f"given: there is no {name}")

    def _fits(self, beat: Beat, texts: list[str]) -> Iterator[Problem]:
        rows = sum(len(wrapped(text, COLUMNS)) for text in texts if text)
        if rows > ROWS:
            yield beat.place.problem(f"the text takes {rows} rows of {COLUMNS} columns, {ROWS} are there")

    # ------------------------------------------------------------------------------------------- predictions
    def _choose(self, beat: Beat, predict: Predict, now: BeatEnv, later: BeatEnv) -> Iterator[Problem]:
        right = right_options(predict, later)
        if len(right) != 1:
            named = " and ".join(LETTERS[i] for i in right) or "none"
            yield predict.place.problem(f"exactly one choice must be right at the reveal, {named} is")
        else:
            self.letters.append(LETTERS[right[0]])
        if predict.answer is not None and not names_used(predict.answer.expr):
            yield predict.answer.place.problem("the answer is typed: it must be read from the run")
        for option in predict.options:
            if option.when is not None and not names_used(option.when.expr):
                yield option.when.place.problem("this is typed: a choice is right because of what the run did")
        seen: list[tuple[str, Value | None]] = []
        for i, option in enumerate(predict.options):
            words = choice_text(option, now, later)
            value = later.value(option.is_) if option.is_ is not None else None
            for j, (other, worth) in enumerate(seen):
                same = value is not None and worth is not None and bool(compare("==", value.data, worth.data))
                if same or other == words:
                    yield option.place.problem(f"choices {LETTERS[j]} and {LETTERS[i]} are equal")
            seen.append((words, value))
            if i in right:
                continue
            if option.because is None:
                yield option.place.problem(f"choice {LETTERS[i]} is wrong and does not say because")
            else:
                later.shown(option.because)

    def _number(self, beat: Beat, number: NumberAnswer, later: BeatEnv) -> Iterator[Problem]:
        if not names_used(number.answer.expr):
            yield number.answer.place.problem("the answer is typed: it must be read from the run")
        answer = later.value(number.answer)
        if not number.low.data <= answer.data <= number.high.data:
            yield number.answer.place.problem(f"the answer, {answer.data:g}, is not between from and to")
            return
        reach = number.within.data * (abs(answer.data) if number.relative else 1)
        steps = 200
        for i in range(steps + 1):
            said = number.low.data + (number.high.data - number.low.data) * i / steps
            if abs(said - answer.data) > reach and not remark(number, Value(number.low.kind, said), later):
                yield number.answer.place.problem(f"nothing is said to {said:g}, which is wrong")
                return

    def _order(self, order: OrderAnswer, later: BeatEnv) -> Iterator[Problem]:
        for item in order.items:
            if not names_used(item.value.expr):
                yield item.value.place.problem("this is typed: the order must be read from the run")
        right = places.right_order(order, later)
        if right == sorted(right):
            yield order.items[0].place.problem("the items stand in the right order already")
        for said in permutations(range(len(right))):
            if list(said) != right and not places.order_remark(order, list(said), later):
                letters = "".join(LETTERS[i] for i in said)
                yield order.items[0].place.problem(f"nothing is said to the order {letters}, which is wrong")
                return

    def _point(self, point: PointAnswer, later: BeatEnv) -> Iterator[Problem]:
        if not names_used(point.answer.expr) or point.answer.text in point.among:
            yield point.answer.place.problem("the answer is typed: it must be read from the run")
        right = places.right_place(point, later)
        self.letters.append(LETTERS[point.among.index(right)])
        for name in point.among:
            if later.main.component(later.main.alias(name)) is None:
                yield point.answer.place.problem(f"there is no component {name}")
            if name == right:
                continue
            if name not in point.because:
                yield point.answer.place.problem(f"{name} is wrong and nothing is said to it")
            else:
                later.shown(point.because[name])

    # ------------------------------------------------------------------------------------------- finds
    def _find(self, beat: Beat, find: Find, later: BeatEnv) -> Iterator[Problem]:
        fault = finds.fault_of(self.stops.runs, beat)
        having = finds.holders(self.stops.runs, beat, find)
        if not having:
            names = ", ".join(fault.holders(self.stops.runs.recorded(beat.run)))
            yield find.place.problem(f"no component of among has the fault, {names} has")
        if len(having) == len(find.among):
            yield find.place.problem("every component of among has the fault")
        for name in find.among:
            if later.main.component(later.main.alias(name)) is None:
                yield find.place.problem(f"there is no component {name}")
        for rule in find.rules:
            if rule.fault != fault.id:
                if rule.because is None:
                    yield rule.place.problem(f"{rule.fault} is not the fault and does not say because")
                else:
                    later.shown(rule.because)

    # ------------------------------------------------------------------------------------------- tasks
    def _task(self, beat: Beat, task: Task) -> Iterator[Problem]:
        if BeatEnv(self.stops, beat, self.stops.stop(beat)).truth(task.holds):
            yield task.place.problem("the task is done before it begins: what shall hold holds of the starting run")

        def outcome(values: dict[str, object]) -> Outcome:
            nodes = {k: next(v for v in task.knobs[k] if v.plain() == plain) for k, plain in values.items()}
            return tasks.judge(self.stops, beat, task, nodes)

        for solution in task.solutions:
            if outcome({k: v.plain() for k, v in solution.items()}).kind != "right":
                yield task.place.problem(f"the solution {_spelled(solution)} does not hold")
        for wrong in task.wrong:
            plain = {k: v.plain() for k, v in wrong.values.items()}
            if outcome(plain).kind == "right":
                yield wrong.place.problem(f"{_spelled(wrong.values)} is told wrong, and is right")
        knob = task.smallest or task.largest
        if knob is not None:
            yield from self._extreme(beat, task, knob)
        env = tasks.env_of(self.stops, beat, task.solutions[0])
        asked = BeatEnv(self.stops, beat, self.stops.stop(beat))
        yield from self._fits(beat, [asked.shown(beat.say), asked.shown(task.ask), tasks.wanted(task)])
        yield from self._fits(beat, [env.shown(beat.why), beat.leaves_out])

    def _extreme(self, beat: Beat, task: Task, knob: str) -> Iterator[Problem]:
        """The smallest (largest) value that holds must be that of every solution: all values are run."""
        holding = []
        for values in product(*task.knobs.values()):
            nodes = dict(zip(task.knobs, values, strict=True))
            if tasks.env_of(self.stops, beat, nodes).truth(task.holds):
                holding.append(nodes[knob].plain())
        best = (min if task.smallest else max)(holding, default=None)  # type: ignore[type-var]
        for solution in task.solutions:
            if knob in solution and solution[knob].plain() != best:
                word = "smallest" if task.smallest else "largest"
                yield task.place.problem(f"{_spelled(solution)} is not the {word} that holds, {best} is")


def _spelled(values: object) -> str:
    assert isinstance(values, dict)
    return ", ".join(f"{knob} = {tasks.spelled(node)}" for knob, node in values.items())


__all__ = ["check"]
