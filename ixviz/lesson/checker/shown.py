"""What a beat shows: its texts, its claims, what it marks; all evaluated where they are shown.

Invariant: whether a text has room is the screen's to say (check.Crowded): that depends on what is drawn beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ixviz.lesson import asking, figures, tasks
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.checker.scene import LISTED_BY, Scene
from ixviz.lesson.expr import Expr, ExprError, Kind, condition, evaluate, format_value
from ixviz.lesson.expr.parser import COMPARISONS
from ixviz.lesson.expr.tree import Binary
from ixviz.lesson.model import LessonError, Look, Task, place_of
from ixviz.measure.published import compared
from ixviz.scenario.messages import Problem, cut, did_you_mean

_SO_FAR = tuple(figures.CHARTS)
_WHOLE = (*_SO_FAR, *figures.NAMES)


def claims(scene: Scene) -> Iterator[Problem]:
    """Each claim of `expect` holds."""
    for claim in scene.beat.expect:
        try:
            if not scene.later.truth(claim):
                yield claim.place.problem(f"not true: {claim.text}{is_instead(claim.expr, scene.later)}")
        except LessonError as error:
            yield from scene.told(error)


def is_instead(expr: Expr, env: BeatEnv) -> str:
    """` (it is 6)`: what stands on the left of the comparison that fails; "" where that cannot be said."""
    while isinstance(expr, Binary) and expr.op == "and":
        expr = expr.right if condition(expr.left, env) else expr.left
    if not isinstance(expr, Binary) or expr.op not in COMPARISONS:
        return ""
    try:
        return f" (it is {format_value(evaluate(expr.left, env))})"
    except ExprError:
        return ""


def given(scene: Scene) -> Iterator[Problem]:
    """Each name of `given` exists."""
    for name in scene.beat.given:
        run, _, rest = name.partition(".")
        env = scene.later.run(run) if rest else None
        place = place_of(name, scene.beat.place)
        try:
            if (env.lookup(rest) if env is not None else scene.later.lookup(name)) is None:
                yield place.problem(f"given: there is no {cut(name)}")
        except ExprError as error:
            yield place.problem(f"given: {cut(name)}: {error.message}")


def asked(scene: Scene) -> Iterable[Problem]:
    """What is read before an answer: it can be evaluated at the stop."""
    beat, action, now = scene.beat, scene.beat.action, scene.now
    now.shown(beat.say)
    if action is None:
        now.shown(beat.why)
        return ()
    for text in (*action.hints, action.ask):
        now.shown(text)
    asking.choices(action, now, lambda: scene.later)
    asking.rules(action, now)
    return ()


def answered(scene: Scene) -> Iterable[Problem]:
    """What is read after the answer."""
    beat, action = scene.beat, scene.beat.action
    if action is None:
        return ()
    env: BeatEnv = scene.later
    if isinstance(action, Task):
        env = tasks.env_of(scene.stops, beat, action.solutions[0])
    env.shown(beat.why)
    return ()


def looks(scene: Scene) -> Iterator[Problem]:
    """What is marked and labelled exists where it is shown, and so does the chart."""
    yield from _look(scene, scene.beat.look, scene.now)
    if scene.beat.show is not None:
        yield from _look(scene, scene.beat.show, scene.later)


def _look(scene: Scene, look: Look, env: BeatEnv) -> Iterator[Problem]:
    beat = scene.beat
    for what, names in (("mark", look.mark), ("label", look.label)):
        for name in names:
            if name not in beat.pick and name not in scene.components() and name not in scene.views():
                near = did_you_mean(name, (*beat.pick, *sorted(scene.components())), LISTED_BY)
                yield place_of(name, beat.place).problem(f"{what}: there is no component or pick {cut(name)}{near}")
    for run in look.compare if look.view == "totals" else ():
        if str(env.stops.runs.scenario(run).workload.kind) == "none":
            yield place_of(run, beat.place).problem(f"compare: {run} has no packets, and no totals per packet")
    if look.view == "chart":
        yield from _chart(scene, look, env)
    elif look.view == "published" and compared(look.of, [env.stops.runs.metrics(run) for run in look.runs]) is None:
        yield place_of(look.of, beat.place).problem(f"of: nothing published is called {cut(look.of)} with these runs")


def _chart(scene: Scene, look: Look, env: BeatEnv) -> Iterator[Problem]:
    """Each chart that is accepted is drawn: of a run so far by its picture, of whole runs from what they measured."""
    whole = env.position.event is None
    known = _WHOLE if whole else [of for of in _SO_FAR if figures.CHARTS[of] in scene.charts()]
    if look.of not in known:
        near = did_you_mean(look.of, known)
        message = f"of: there is no chart {cut(look.of)}{near}" if look.of else "a chart needs of"
    elif whole:
        runs = look.runs or (env.position.run,)
        found = [figures.charted(env.stops.runs.metrics(run), look.of) for run in runs]
        reasons = [each.reason for each in found if each is not None and each.kind is Kind.NONE]
        if len(reasons) < len(runs):
            return
        message = f"of: nothing to draw: {reasons[0]}"
    else:
        return
    yield place_of(look.of, scene.beat.place).problem(message)
