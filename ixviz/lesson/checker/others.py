"""The lesson with other numbers, as its beats are checked once more: `again`, and each value of `vary`.

Invariant: one thing is changed at a time, and a beat is checked anew only where its runs depend on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ixviz.lesson import tasks, variants
from ixviz.lesson.beatenv import lets_of
from ixviz.lesson.checker.scene import names_in
from ixviz.lesson.expr import names_used
from ixviz.lesson.model import Beat, Find, Formula, Lesson, Predict, Prose, Task


class Other(NamedTuple):
    """`label` is what is said behind a message: `bench.system.batch_bound = 3`."""

    label: str
    lesson: Lesson


def others(lesson: Lesson, beat: Beat) -> Iterator[Other]:
    """All that a beat is checked with besides the lesson as it is. Raises Problems for a value that is refused."""
    if isinstance(beat.action, Predict) and beat.action.again:
        yield Other("asked again", variants.again(lesson, beat))
    needed = runs_of(lesson, beat)
    for name, spec in lesson.runs.items():
        for path, values in spec.vary.items() if name in needed else ():
            for value in values:
                made = variants.changed(lesson, {name: {path: value}})
                if made.runs[name].scenario != spec.scenario:
                    yield Other(f"{name}.{path} = {tasks.spelled(value)}", made)


def runs_of(lesson: Lesson, beat: Beat) -> set[str]:
    """The runs that a beat is about, and those they are made from."""
    found = {beat.run, *beat.look.runs, *beat.look.compare, *(beat.show.runs + beat.show.compare if beat.show else ())}
    found |= {name.partition(".")[0] for name in names_of(beat)} & set(lesson.runs)
    open_ = list(found)
    while open_:
        spec = lesson.runs[open_.pop()]
        first = {name.partition(".")[0] for name in names_used(spec.at.expr)} & set(lesson.runs) if spec.at else set()
        for name in ({spec.base} if spec.base is not None else set()) | first:
            if name not in found:
                found.add(name)
                open_.append(name)
    return found


def names_of(beat: Beat) -> set[str]:
    """All names that the expressions and texts of a beat read."""
    found = set(beat.given)
    for part in _parts(beat):
        if isinstance(part, Formula):
            found.update(names_used(part.expr))
        elif isinstance(part, Prose):
            found.update(names_in(part))
    return found


def _parts(beat: Beat) -> Iterator[Formula | Prose | str | None]:
    yield from (beat.until, beat.reveal, beat.say, beat.why, *beat.expect, *beat.pick.values(), *lets_of(beat).values())
    action = beat.action
    if action is None:
        return
    yield from (action.ask, *action.hints)
    if isinstance(action, Task):
        yield from (action.holds, *(wrong.because for wrong in action.wrong))
    elif isinstance(action, Find):
        for rule in action.rules:
            yield from (rule.say, rule.because)
    else:
        yield from _predicted(action)


def _predicted(action: Predict) -> Iterator[Formula | Prose | None]:
    for option in action.options:
        yield from (option.say, option.when, option.is_, option.because)
    remarks = action.number.remarks if action.number else action.order.remarks if action.order else ()
    for remark in remarks:
        yield from (remark.when, remark.say)
    if action.number is not None:
        yield action.number.answer
    if action.order is not None:
        for item in action.order.items:
            yield from (item.say, item.value)
    if action.point is not None:
        yield from (action.point.answer, *action.point.because.values())


__all__ = ["Other", "names_of", "others", "runs_of"]
