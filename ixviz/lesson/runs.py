"""The machines of a lesson by name: made when asked for, recorded as far as asked, each simulated once.

Invariant: a branch shares every event before the one that makes its `at` true; a whole run has its record's figures.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from ixviz.history import Journal
from ixviz.lesson.model import Lesson, LessonError, RunSpec
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import Scenario
from ixviz.scenario.simulate import simulate

if TYPE_CHECKING:
    Simulation = Any  # of ixviz.system, which this room may not import; scenario.simulate makes it

FIRST = 2_000  # events recorded at least: what a screen shows before somebody steps
MOST = 3_000_000  # events; a lesson that needs more than a few hundred MB is refused
_SLICES = 50
_SHARED: WeakValueDictionary[Scenario, Any] = WeakValueDictionary()  # whole runs that some Runs of this process keeps


class Runs:
    """Threads may share it: one lock a machine. While a call records a machine, nobody should read its history."""

    def __init__(self, lesson: Lesson) -> None:
        self.specs: dict[str, RunSpec] = dict(lesson.runs)
        self._scenarios: dict[str, Scenario] = {}
        self._recorded: dict[str, Simulation] = {}
        self._whole: dict[Scenario, Simulation] = {}
        self._metrics: dict[Scenario | str, dict[str, Any]] = {}
        self._forks: dict[str, int] = {}
        self._locks: dict[str, threading.RLock] = {}
        self._lock = threading.Lock()
        self.all_ready = False  # whether every run counts as simulated, and is when it is asked for
        self.find_fork: Callable[[RunSpec], int] | None = None  # stops.py: which event of the base makes `at` true

    def _locked(self, name: str) -> threading.RLock:
        with self._lock:
            return self._locks.setdefault(name, threading.RLock())

    def __contains__(self, name: str) -> bool:
        return name in self.specs or name in self._scenarios

    def define(self, name: str, scenario: Scenario) -> None:
        """Give a name (`mine`) to a machine that is not in the lesson; a new one replaces the old."""
        with self._locked(name):
            if self._scenarios.get(name) != scenario:
                self._scenarios[name] = scenario
                self._recorded.pop(name, None)

    def forget(self, name: str) -> None:
        """As if `name` had never been defined."""
        with self._locked(name):
            if self._scenarios.pop(name, None) is not None:
                self._recorded.pop(name, None)

    def scenario(self, name: str) -> Scenario:
        """The scenario of a run. KeyError for a name that is none."""
        made = self._scenarios.get(name) or self.specs[name].scenario
        assert made is not None  # a lesson that loaded has them all
        return made

    # ------------------------------------------------------------------------------------------- recorded
    def recorded(self, name: str, events: int = 0, time: int | None = None) -> Simulation:
        """The run with its journal, recorded to at least this many events and past `time` (ps), or to its end."""
        with self._locked(name):
            sim = self._recorded.get(name)
            if sim is None:
                sim = self._recorded[name] = self._branch(name) if self._at(name) else self._new(name)
                events = max(events, FIRST)
            journal = sim.journal
            while not sim.ended and (journal.count < events or (time is not None and sim.now <= time)):
                if journal.count >= MOST:
                    place = self.specs[name].place if name in self.specs else next(iter(self.specs.values())).place
                    raise LessonError(place.problem(f"run {name} would have to be recorded beyond {MOST:,} events"))
                sim.record(max(FIRST, events - journal.count) if time is None else FIRST)
            journal.seal()  # what was promised stays readable when another thread goes on recording
            return sim

    def recorded_to_end(self, name: str) -> Simulation:
        """The run recorded to its end: slow, for what only a record has (packets, series)."""
        return self.recorded(name, MOST + 1)

    def fork(self, name: str) -> tuple[str, int] | None:
        """For a branch: its base, and the event (of both) that is the first to differ. None for any other run."""
        spec = self.specs.get(name)
        if spec is None or spec.at is None or spec.base is None:
            return None
        self.recorded(name)
        return spec.base, self._forks[name]

    def _at(self, name: str) -> bool:
        return name in self.specs and self.specs[name].at is not None and name not in self._scenarios

    def _new(self, name: str) -> Simulation:
        return simulate(self.scenario(name), Journal())

    def _branch(self, name: str) -> Simulation:
        """Resumes the base just before the step that makes `at` true, with the branch's own scenario from there on."""
        spec = self.specs[name]
        assert spec.base is not None and self.find_fork is not None
        event = self._forks[name] = self.find_fork(spec)
        base = self.recorded(spec.base, event + 1)
        # From time 0 a machine is built anew: that is as quick as resuming there.
        nearest = [point for point in base.checkpoints if point.events <= event and point.time > 0]

        def again(until: int | None) -> tuple[Simulation, int]:
            """The base once more, to `until` events, or to the step that makes `event`; events before that step."""
            if nearest:
                sim = base.resume(nearest[-1], journal=base.journal.fork(nearest[-1].events))
            else:
                sim = simulate(self.scenario(spec.base), Journal())  # type: ignore[arg-type]
            before: int = sim.journal.count
            while sim.journal.count <= event and sim.journal.count != until:
                before = sim.journal.count
                sim.record(1)
            return sim, before

        _, before = again(None)
        sim, _ = again(before)
        branch: Simulation = sim.resume(sim.checkpoint(), sim.journal.fork(before), scenario=self.scenario(name))
        return branch

    # ------------------------------------------------------------------------------------------- whole runs
    def whole(self, name: str, progress: Callable[[float], None] | None = None) -> Simulation:
        """The run at its end, without a record: figures and the table of batches, many times faster than recording.

        `progress` is called with 0 … 1 now and then and may raise to give up. Blocks while another thread does it.
        """
        if self._at(name):
            return self.recorded_to_end(name)
        scenario = self.scenario(name)
        with self._locked(f"whole {hash(scenario)}"):
            made = self._whole.get(scenario) or _SHARED.get(scenario)
            if made is None:
                sim = simulate(scenario)
                for part in range(1, _SLICES if sim.until is not None and progress is not None else 1):
                    sim.run(sim.until * part // _SLICES)  # type: ignore[operator]
                    progress(part / _SLICES)  # type: ignore[misc]
                sim.run()
                for lane in sim.lanes:
                    lane.settle()
                made = sim
            self._whole[scenario] = _SHARED[scenario] = made
        if progress is not None:
            progress(1.0)
        return made

    def metrics(self, name: str) -> Mapping[str, Any]:
        """The object of `ixviz run --json` for the whole run."""
        key: Scenario | str = name if self._at(name) else self.scenario(name)
        if key not in self._metrics:
            scenario = self.scenario(name)
            self._metrics[key] = metrics(self.whole(name), scenario.name, scenario.run.seed)
        return self._metrics[key]

    def know(self, found: Mapping[Scenario, Mapping[str, Any]]) -> None:
        """Takes over figures of whole runs that were made elsewhere, in another process: see measure.sweep."""
        self._metrics.update({scenario: dict(figures) for scenario, figures in found.items()})

    def is_ready(self, name: str) -> bool:
        """Whether `whole` would answer at once."""
        if self.all_ready:
            return True
        sim = self._recorded.get(name)
        return self.scenario(name) in self._whole or bool(sim is not None and sim.ended)

    def built(self, name: str) -> Simulation:
        """The machine however far it has come, for what is true of it from the start."""
        return self._recorded.get(name) or self._whole.get(self.scenario(name)) or self.recorded(name)

    def facts(self, name: str) -> Mapping[str, Any]:
        """What the machine says about itself without having run: costs, clock."""
        found: Mapping[str, Any] = self.built(name).facts
        return found
