"""From a scenario to its control plane: groups, migrations, the loop, its policy, and what a checkpoint keeps of them.
Invariant: RETA, owners of the groups and threads of the present step agree whenever no step is under way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as attr
from itertools import repeat
from typing import Any

import numpy as np

from ixviz.history import History, Journal, Slots
from ixviz.history.component import Component
from ixviz.machine.profile import Profile
from ixviz.machine.reta import NAMES
from ixviz.system.files import FileError, Mistake
from ixviz.system.front import Front
from ixviz.system.ix.control import tables
from ixviz.system.ix.control.columns import migration_columns
from ixviz.system.ix.control.elastic import Elastic, ElasticList
from ixviz.system.ix.control.figures import Config, configurations, figures
from ixviz.system.ix.control.group import FlowGroup, Waiting
from ixviz.system.ix.control.loop import CONTROL_KINDS, Control
from ixviz.system.ix.control.meter import watts_of
from ixviz.system.ix.control.migration import MIGRATION_KINDS, Migration
from ixviz.system.ix.control.policy import make
from ixviz.system.ix.control.script import Script
from ixviz.system.ix.simulation import IxSimulation
from ixviz.system.ix.zoom import steps
from ixviz.system.simulation import Checkpoint
from ixviz.system.tables import TableAt


def kinds_with(own: Sequence[str]) -> tuple[str, ...]:
    """The kinds of event of a machine with a control plane: `own`, of which the last stays the last."""
    return (*own[:-1], *MIGRATION_KINDS, *CONTROL_KINDS, own[-1])


def put_control(simulation: ElasticSimulation, scenario: Any, before: Front, own: Sequence[str],
                journal: Journal | None) -> None:  # fmt: skip
    """Give a machine of elastic threads, one queue each, its control plane: at time 0, before anything has arrived.

    A `journal` that is not the machine's own records the control plane alone, whose slots are then apart.
    """
    slots, feed, options, cores = before.slots, before.made.feed, scenario.system.control, scenario.machine.cores
    kind0, agenda, threads = len(own) - 1, before.agenda, simulation.threads
    feed.intake.changes = True
    for thread in threads:  # before the slots that may be apart: the order of all is the same in every mode
        thread.remote = slots.add(Waiting, f"core{thread.number}.remote")
        thread.local = slots.add(Waiting, f"core{thread.number}.local")
    order = 1  # of a component's alarm, from its number: in every mode after those of the threads
    if journal is not None and simulation.journal is None:
        order += len(slots.components)
        slots = Slots(journal)
        if journal.count == 0:
            journal.event(0, 0, 0, -1)  # "start"
    simulation.control_slots = slots
    groups = [slots.add(FlowGroup, f"group{i}") for i in range(len(NAMES))]
    migration = slots.add(
        Migration, "migration", journal=journal, kind0=kind0, threads=threads, flow_groups=groups, feed=feed,
        reta=before.slots.by_name["nic.reta"], table=migration_columns(), apart=slots is not before.slots,
    )  # fmt: skip
    migration.subject = len(slots.components) - 1
    migration.alarm = agenda.alarm(migration, migration.subject + order)
    for thread in threads:
        thread.migration = migration
    try:
        policy = make(options.policy, before.profile, cores)
    except ValueError as error:
        wrong = [Mistake(0, 0, str(error))]
        raise FileError("system.control.policy", f"policy {options.policy}", wrong) from None
    control = slots.add(
        Control, "control", journal=journal, kind0=kind0 + len(MIGRATION_KINDS), threads=threads, flow_groups=groups,
        migration=migration, policy=policy, compress=scenario.run.compress,
        cores=cores, shared=before.profile.shared_speed, watts=watts_of(before.profile, cores), feed=feed,
        apart=slots is not before.slots,
    )  # fmt: skip
    control.subject = len(slots.components) - 1
    control.alarm = agenda.alarm(control, control.subject + order)
    migration.done = control.next_move
    if scenario.run.migrate:
        script = slots.add(Script, "script", migration=migration, entries=scenario.run.migrate)
        script.alarm = agenda.alarm(script, len(slots.components) - 1 + order)
        simulation.script = script
        migration.done = _each(control.next_move, script.wake)
    migration.prepare()
    control.prepare()
    if scenario.fault is not None:
        from ixviz.system.ix.faults import FAULTS  # few machines have one

        FAULTS[scenario.fault].move(migration)
    cpus = control.present().cpus
    for i, group in enumerate(groups):
        owner = cpus[i % len(cpus)]
        group.owner = owner + 1
        feed.intake.reta[i] = threads[owner].queues[0]
        setattr(migration.reta, NAMES[i], threads[owner].queues[0])
    simulation.control, simulation.profile = control, before.profile
    if not simulation.recorded:
        simulation.shown_by = "picture.control"
    simulation.facts["policy"] = options.policy
    if slots is not before.slots:
        assert journal is not None
        simulation.journal = journal
        simulation.history = History(journal, slots, simulation.kinds)


def _each(*calls: Callable[[int], None]) -> Callable[[int], None]:
    def all_of_them(now: int) -> None:
        for call in calls:
            call(now)

    return all_of_them


BETWEEN = 25_000  # packets between two checkpoints of a run whose packets are not recorded
_ALARMS, _PER_PIECE = 400, 100  # alarms in a piece of such a run, and the events asked for that it stands for


@dataclass
class ElasticSimulation(IxSimulation):
    """A simulation with a control plane. `control.decisions`, `control.signals` and `control.migration.table` are its
    tables beside those that every IX machine has."""

    control: Control = attr(init=False)
    profile: Profile = attr(init=False)
    control_slots: Slots = attr(init=False)
    script: Script | None = None

    @property
    def recorded(self) -> bool:
        """See Simulation."""
        return self.slots.journal is not None

    def start(self) -> None:
        """See Simulation."""
        super().start()
        self.control.start(self.now)
        if self.script is not None:
            self.script.start(self.now)

    def _pieces(self, events: int) -> Iterator[int]:
        """Of a run whose decisions alone are recorded a piece is so many alarms: its events are too far apart."""
        return super()._pieces(events) if self.recorded else repeat(_ALARMS, max(1, events // _PER_PIECE))

    def _keep(self, every: int) -> int:
        """Such a run is kept each so many packets, which is what a resume has to make again."""
        if self.recorded:
            return super()._keep(every)
        rows = len(self.feed.packets.batch)
        if not self.checkpoints or rows - self.checkpoints[-1].feed["rows"] > BETWEEN:
            self.checkpoints.append(self.checkpoint())
        return _ALARMS

    def _go_on(self, events: int, end: int | None) -> None:
        if self.recorded:
            super()._go_on(events, end)
        else:
            self._steps(_ALARMS, end)

    def _settled(self) -> Any:
        values = super()._settled()
        return values if self.control_slots is self.slots else np.concatenate([values, self.control_slots.values()])

    def _load(self, values: Sequence[int]) -> list[tuple[Component, str, int]]:
        if self.control_slots is self.slots:
            return super()._load(values)
        size = self.slots.size
        return [*super()._load(values[:size]), *self.control_slots.load(values[size:])]

    def closer(self, at: int) -> Iterator[Any] | None:
        """See Recording: every packet of a run of which only decisions were recorded."""
        return None if self.recorded else steps(self, at)

    def table(self, name: str, event: int | None = None) -> TableAt:
        """See Simulation.table; `decisions` and `migrations` too. ValueError where only decisions were recorded."""
        if name in tables.NAMES:
            return tables.table(self, name, event)
        if event is not None and not self.recorded:
            raise ValueError("only decisions are recorded of this run: zoom in to see its packets")
        made = super().table(name, event)
        if name == "packets" and self.recorded:
            made.later["place"] = lambda: tables.place(self, event, made)
        return made

    def control_figures(self) -> dict[str, Any]:
        """What was decided, moved and spent so far, see figures.figures."""
        return figures(self.control, self.facts["policy"], self.profile.turbo, self.now)

    def configurations(self) -> list[Config]:
        """The static configurations of this machine."""
        cores, both = self.control.cores, (100 + self.profile.hyperthread_gain) / 100
        per_hz = self.capacity / (cores * self.facts["clock"] * both)
        return configurations(self.control.watts, self.profile, cores, per_hz)

    def checkpoint(self) -> Checkpoint:
        """This moment, copied."""
        made = super().checkpoint()
        return replace(made, extra=(*made.extra, (self.control.kept(), self.control.migration.kept())))

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> ElasticSimulation:
        """See Simulation."""
        made = super().resume(at, journal, **changes)
        assert isinstance(made, ElasticSimulation)
        control, migration = at.extra[-1]
        made.control.migration.restore(migration, self.control.migration)
        made.control.restore(control, self.control)
        if made.script is not None:
            made.script.start(made.now)
        return made


__all__ = ["Elastic", "ElasticList", "ElasticSimulation", "kinds_with", "put_control"]
