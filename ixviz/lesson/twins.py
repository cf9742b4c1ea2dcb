"""Another future of a lesson's machines: runs that are equal up to a beat's stop, and differ after it.

Invariant: nothing that a twin says about what has happened up to the stop differs from its original; what it says of
later differs, which is verified, or there is no twin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ixviz.history import Journal
from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.expr.tree import Literal
from ixviz.lesson.model import Beat, Formula, Lesson, LessonError, Option, Predict
from ixviz.lesson.runs import Runs
from ixviz.lesson.session import Session
from ixviz.lesson.stops import Position, Stops
from ixviz.scenario.load import Scenario, with_changes
from ixviz.scenario.messages import Problems
from ixviz.scenario.simulate import faults, simulate

if TYPE_CHECKING:
    Simulation = Any  # of ixviz.system, which this room may not import

COMPARED = 2_000  # events after the stop that are compared: where a twin differs, it does so soon
_SHORTER = 20  # figures of a whole run are those of a run so much shorter: they differ, and cost less


class NoTwin(Exception):
    """This change made no other future, or showed before the stop."""


class Twins(Runs):
    """The runs of `base`, each equal up to where it stands when the beat has stopped at `main`. From there on the
    `fault` is in those of its system, and packets come at other times."""

    def __init__(self, lesson: Lesson, base: Stops, main: Position, fault: str | None) -> None:
        super().__init__(lesson)
        self.base, self.main, self.fault = base, main, fault
        self.all_ready = base.runs.all_ready

    def other(self, scenario: Scenario, now: int) -> Scenario:
        """A scenario with another future, from `now` (ps) on."""
        try:
            made = with_changes(scenario, moved(scenario, now))
        except Problems:  # a workload that cannot be changed so
            made = scenario
        fault = self.fault if self.fault in faults(scenario.system.kind) else None  # another system has its own
        return replace(made, name=scenario.name, fault=fault)

    def _new(self, name: str) -> Simulation:
        event = self.base.position_of(name, self.main).event
        assert event is not None
        if event or str(self.scenario(name).workload.kind) == "none":  # a trace
            return self._verified(name, self._parted(name, event), event)
        return self._verified(name, simulate(self.other(self.scenario(name), 0), Journal()), event)

    def _branch(self, name: str) -> Simulation:
        event = self.base.position_of(name, self.main).event
        assert event is not None
        self.base.runs.recorded(name)
        fork = self.base.runs.fork(name)
        assert fork is not None
        self._forks[name] = fork[1]
        return self._verified(name, self._parted(name, event), event)

    def _parted(self, name: str, event: int) -> Simulation:
        """The run once more to the end of the step that makes `event`, and from there with another future."""
        runs, origin = self.base.runs, name
        fork = runs.fork(name)
        while fork is not None and event < fork[1]:  # a branch that has not left its base yet
            origin = fork[0]
            fork = runs.fork(origin)
        sim = runs.recorded(origin, event + 1)
        # From time 0 a machine is built anew, unless it is a branch: that begins with a checkpoint.
        nearest = [p for p in sim.checkpoints if p.events <= event and (p.time > 0 or fork is not None)]
        if nearest:
            sim = sim.resume(nearest[-1], journal=sim.journal.fork(nearest[-1].events))
        else:
            sim = simulate(runs.scenario(origin), Journal())
        while sim.journal.count <= event and sim.record(1):
            pass
        scenario = self.other(self.scenario(name), sim.now)
        journal = sim.journal.fork(sim.journal.count)
        made: Simulation = sim.resume(sim.checkpoint(), journal, scenario=scenario, **_accesses(sim))
        made.checkpoints = [point for point in runs.recorded(name).checkpoints if point.events <= journal.count]
        return made

    def _verified(self, name: str, made: Simulation, event: int) -> Simulation:
        known = self.base.runs.recorded(name, event + 1 + COMPARED)
        made.record(max(1, event + 1 + COMPARED - made.journal.count))
        if not _agree(known.history, made.history, event):
            raise NoTwin("the fault shows before the stop")
        if name == self.main.run and _agree(known.history, made.history, event + COMPARED):
            raise NoTwin("nothing differs after the stop")
        return made

    # ------------------------------------------------------------------------------------------- whole runs
    def whole(self, name: str, progress: Any = None) -> Simulation:
        """Another run altogether: of a whole run nothing may be read before its end."""
        if self._at(name):
            return self.recorded_to_end(name)
        scenario = self.scenario(name)
        with self._locked(f"whole {hash(scenario)}"):
            if scenario not in self._whole:
                sim = simulate(_shorter(self.other(scenario, 0)))
                if others := _accesses(sim):
                    sim = sim.resume(sim.checkpoint(), **others)
                sim.run()
                for lane in sim.lanes:
                    lane.settle()
                self._whole[scenario] = sim
            return self._whole[scenario]

    def facts(self, name: str) -> Any:
        """What is known before a run."""
        return self.base.runs.facts(name)


def _accesses(sim: Simulation) -> dict[str, Any]:
    """What gives a trace another future: it has no packets to come at other times. Nothing for all other systems."""
    return sim.another_future() if hasattr(sim, "another_future") else {}


def _agree(one: Any, other: Any, last: int) -> bool:
    """Whether two histories are equal up to and at event `last`; up to their ends, if both end before."""
    ends = min(len(one), last + 1), min(len(other), last + 1)
    if ends[0] != ends[1]:
        return False
    columns = ("times", "kinds", "subjects")
    same = all(np.array_equal(_column(one, name, ends[0]), _column(other, name, ends[0])) for name in columns)
    return same and bool(one.cursor(ends[0] - 1).state_hash() == other.cursor(ends[0] - 1).state_hash())


def _column(history: Any, name: str, end: int) -> Any:
    chunks = [chunk for chunk in history.journal.chunks if chunk.first < end]
    return np.concatenate([getattr(chunk, name) for chunk in chunks])[:end]


def _shorter(scenario: Scenario) -> Scenario:
    run = scenario.run
    if run.until is None:
        return scenario
    update = {"until": max(1, run.until // _SHORTER), "warmup": run.warmup // _SHORTER}
    return replace(scenario, run=run.model_copy(update=update))


def moved(scenario: Scenario, now: int) -> dict[str, Any]:
    """Changes by which packets come at other times after `now` (ps), but about as many and as fast."""
    found: dict[str, Any] = {"run.seed": scenario.run.seed + 1}
    work: Any = scenario.workload
    if work.kind == "timed":
        count = sum(row.count or 1 for row in work.packets)
        ends = [row.at if row.at is not None else row.from_ + row.count * row.every for row in work.packets]
        every = max(1_000, (max(*ends, scenario.run.until or 0, now + 10_000_000) - now) // (2 * count))
        found["workload.packets"] = [{"from": f"{now + 137_000} ps", "every": f"{every} ps", "count": count}]
    elif work.kind == "closed":  # what its clients draw may be all drawn
        found["workload.round_trip"] = f"{work.round_trip + 137_000} ps"
    return found


class TwinStops(Stops):
    """Up to the beat's stop all stands where it does in the original. The reveal is some later event, or the end:
    where it is can be read nowhere before."""

    def __init__(self, twins: Twins, beat: Beat) -> None:
        super().__init__(twins)
        self.base, self.beat = twins.base, beat

    def stop(self, beat: Beat) -> Position:
        """Where the original stops."""
        return self.base.stop(beat)

    def reveal(self, beat: Beat) -> Position:
        """As many events on as in the original."""
        there = self.base.reveal(beat)
        if there.event is None:
            return there
        last = len(self.runs.recorded(there.run, there.event + 1).history) - 1
        return Position(there.run, min(there.event, last))

    def position_of(self, run: str, main: Position) -> Position:
        """At the stop as in the original."""
        if main == self.base.stop(self.beat):
            return self.base.position_of(run, main)
        return super().position_of(run, main)


class Asking(Session):
    """A session that stands at one beat, whose question is open. `original`: the beat's environment at the reveal of
    the runs this is a twin of; names in `given` are read there, because the author shows them on purpose."""

    def __init__(self, lesson: Lesson, stops: Stops, beat: Beat, original: BeatEnv | None = None) -> None:
        super().__init__(lesson, "alone", stops.runs)
        self._stops = stops
        self.index = [each.id for each in self.beats].index(beat.id)
        self.original = original

    def _now(self) -> BeatEnv:
        if self.original is None or not self.beat.given:
            return super()._now()
        return BeatEnv(self.stops, self.beat, self.stops.stop(self.beat), ahead=self.original)

    def prepare(self) -> None:
        """Simulates the future, too; that some texts of the reveal are not true in another future does not matter."""
        for part in (super().prepare, self._judge):
            try:
                part()
            except LessonError:
                continue

    def _judge(self) -> None:
        if isinstance(self.beat.action, Predict):  # not a beat before, where one may go
            self._judged("")


def fixed(beat: Beat, later: BeatEnv) -> Beat:
    """The beat with the values of its choices as they are at the reveal: the author shows those on purpose."""
    action = beat.action
    if not isinstance(action, Predict):
        return beat

    def option(each: Option) -> Option:
        if each.is_ is None:
            return each
        value = Literal(source=each.is_.text, value=later.value(each.is_))
        return replace(each, is_=Formula(each.is_.text, each.is_.written, value))

    return replace(beat, action=replace(action, options=tuple(option(each) for each in action.options)))


def twins(lesson: Lesson, stops: Stops, beat: Beat) -> Iterator[Stops]:
    """Other futures for a beat, the one that differs most first. Raises LessonError when its stop is never reached."""
    main = stops.stop(beat)
    scenario = stops.runs.scenario(beat.run)
    for fault in (*faults(scenario.system.kind), None):
        if fault is not None and fault == scenario.fault:
            continue
        made = Twins(lesson, stops, main, fault)
        try:
            made.recorded(beat.run, (main.event or 0) + 1)
            yield TwinStops(made, beat)
        except (NoTwin, KeyError, Problems):
            continue
