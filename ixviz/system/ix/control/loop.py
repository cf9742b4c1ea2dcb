"""The control loop: signals of each thread every 10 ms, a decision every 0.1 s, and what a decision sets in motion.
Invariant: a step begins only when the one before it is complete; no hold time of the policy is broken by us."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from ixviz.history import field
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Alarm
from ixviz.machine.wire import PS
from ixviz.system.ix.control.columns import decision_columns, signal_columns
from ixviz.system.ix.control.elastic import Elastic
from ixviz.system.ix.control.group import WHO, FlowGroup
from ixviz.system.ix.control.meter import Meter
from ixviz.system.ix.control.migration import Migration
from ixviz.system.ix.control.policy import Policy, Signals, Wish, ask
from ixviz.system.ix.control.rebalance import Move, moves
from ixviz.system.ix.control.steps import Step, per_core
from ixviz.system.ix.control.telling import Telling

CONTROL_KINDS = ("signals", "step", "unpark", "park", "clock")
SAMPLE, TICKS = 10 * 10**9, 10  # ps between two signals, signals from one decision to the next [code, facts 1.7]
PACKET, WHOLE = 1024, 65_536  # units of the queue and of idleness in slots


class Control(Telling, Meter):
    """IXCP. `step` is what is carried out, `wanted` what was decided last; the two differ while a step is under way."""

    step: int = field(doc="the present step of the table")
    wanted: int = field(doc="the step that is being taken")
    to_move: int = field(doc="migrations that the step still needs")
    cpus: int = field(doc="hardware threads that run the dataplane")
    turned: int = field(values=WHO, doc="the thread that was woken or parked last", hidden=True)
    clock: int = field(unit="Hz", doc="their clock")
    fast: int = field(doc="the highest queue, in 1/1024 packet")
    busiest: int = field(values=WHO, doc="whose queue that is")
    middle: int = field(doc="the mean queue with α = .25, in 1/1024 packet: for policies of one's own", hidden=True)
    slow: int = field(doc="the mean queue, in 1/1024 packet")
    idle: int = field(doc="the mean idleness, in 1/65536")
    samples: int = field(doc="times the signals were taken", hidden=True)
    last_up: int = field(unit="ps", doc="when a step up was decided, 0 = never", hidden=True)
    last_down: int = field(unit="ps", doc="when a step down was decided, 0 = never", hidden=True)
    failed: int = field(doc="wishes of the policy that could not be carried out")

    KINDS = CONTROL_KINDS

    # wiring, set by build
    threads: Sequence[Elastic]
    flow_groups: Sequence[FlowGroup]
    migration: Migration
    policy: Policy
    compress: int
    shared: int  # percent of the clock that each of two busy hyperthreads gets
    alarm: Alarm
    todo: list[Move]
    decisions: Columns
    signals: Columns
    because: list[tuple[str, str]]  # of each decision: why, what allowed it
    reports: list[tuple[int, str]]  # ps, and what the policy did wrong

    def prepare(self) -> None:
        """At time 0: the threads of step 0 have all groups, the others are parked, and nothing is under way."""
        self.todo, self.because, self.reports, self.last_event = [], [("", "")], [], -1
        self.decisions, self.signals = decision_columns(), signal_columns()
        first = self.policy.steps[0]
        self.clock = first.clock
        for thread in self.threads:
            thread.parking = self.parking
            if thread.number not in first.cpus:
                thread.parked = 1
        self._clocks(first.clock)
        self._account(0)

    def _clocks(self, hz: int) -> None:
        for thread in self.threads:
            thread.clock, thread.shared = hz, hz * self.shared // 100
            if not thread.anchor:
                thread.speed = hz

    def present(self) -> Step:
        """The step that is carried out."""
        return self.policy.steps[self.step]

    # ---------------------------------------------------------------- signals
    def start(self, now: int) -> None:
        """The first signals come after 10 ms."""
        self.alarm.arm(now + SAMPLE // self.compress)

    def wake(self, now: int) -> None:
        """Take the signals; every tenth time decide."""
        self.tell(now, "signals")
        self.samples += 1
        running = [t for t in self.threads if not t.parked]
        for thread in running:
            self._measure(thread, now)
        busiest = max(running, key=lambda t: (t.fast, -t.number))
        self.fast, self.busiest = busiest.fast, busiest.number + 1
        self.middle = sum(t.middle for t in running) // len(running)
        self.slow = sum(t.slow for t in running) // len(running)
        self.idle = sum(t.slack for t in running) // len(running)
        self._account(now)
        if self.samples % TICKS == 0:
            self._tick(now)
        self.alarm.arm(now + SAMPLE // self.compress)

    def _measure(self, thread: Elastic, now: int) -> None:
        """The mean queue of the turns of the last 10 ms, the share of them spent idle, and their EMAs."""
        queue = thread.queued * PACKET // thread.turns if thread.turns else 0
        idle = thread.idle_until(now)
        slack = min((idle - thread.rested) * WHOLE * self.compress // SAMPLE, WHOLE)
        thread.rested, thread.queued, thread.turns = idle, 0, 0
        thread.fast += (queue - thread.fast) // 2
        thread.middle += (queue - thread.middle) // 4
        thread.slow += (queue - thread.slow) // 8
        thread.slack += (slack - thread.slack) // 2

    def seen(self, now: int) -> Signals:
        """What a policy is told: plain values, seconds as if the run were not compressed."""
        up, down = ((now - t) * self.compress / PS if t else float("inf") for t in (self.last_up, self.last_down))
        return Signals(now * self.compress / PS, self.fast / PACKET, self.busiest - 1, self.slow / PACKET,
                       self.idle / WHOLE, self.step, tuple(self.policy.steps), up, down,
                       self.middle / PACKET)  # fmt: skip

    # ---------------------------------------------------------------- decisions
    def _tick(self, now: int) -> None:
        row = self.signals
        for name, value in (
            ("time", now), ("step", self.step), ("cpus", self.cpus), ("cores", self._cores()), ("clock", self.clock),
            ("fast", self.fast), ("slow", self.slow), ("idle", self.idle), ("power", self.power),
            ("sent", len(self.feed.packets.batch) - 1), ("energy", self.energy), ("background", self.background),
        ):  # fmt: skip
            getattr(row, name).append(value)
        if self.step != self.wanted:
            return
        wish = self._asked(now)
        if wish is not None and wish.step != self.step:
            self._begin(wish, now)

    def _asked(self, now: int) -> Wish | None:
        """The policy's wish, if it is one; what it did wrong is reported, and all stays as it is."""
        wish, wrong = ask(self.policy, self.seen(now))
        if not wrong:
            return wish
        self.failed += 1
        self.reports.append((now, wrong))
        return None

    def _begin(self, wish: Wish, now: int) -> None:
        """A step: threads that are new wake, the clock is set, groups move one migration after the other."""
        step = self.policy.steps[wish.step]
        up = wish.step > self.step
        self.tell(now, "step")
        for name in self.decisions.names:
            getattr(self.decisions, name).append(-1)
        self.because.append((wish.because, wish.allowed))
        if up:
            self.last_up = now
        else:
            self.last_down = now
        self.wanted = wish.step
        self.todo = moves([g.owner - 1 for g in self.flow_groups], step.cpus)
        self.to_move = len(self.todo)
        self._decided(time=now, before=self.step, after=wish.step, fast=self.fast, slow=self.slow, idle=self.idle,
                      busiest=self.busiest - 1, groups=sum(len(m.groups) for m in self.todo),
                      event=self.last_event)  # fmt: skip
        for cpu in step.cpus:
            thread = self.threads[cpu]
            if thread.parked:
                self._turn(thread, "unpark", now)
                thread.unpark(now)
        if step.clock != self.clock:
            self.tell(now, "clock")
            self.clock = step.clock
            for thread in self.threads:
                thread.clocked(step.clock, step.clock * self.shared // 100, now)
        self._account(now)
        self.next_move(now)

    def next_move(self, now: int) -> None:
        """The next migration of the step, or its end; nothing where no step is under way."""
        if self.step == self.wanted:
            return
        if self.todo:
            self.migration.command(self.todo.pop(0), now, self.last_event)
            self.to_move = len(self.todo)
            return
        self.step = self.wanted
        self._decided(ended=now, last=max(self.last_event, self.migration.last_event))  # both -1 unwatched
        for thread in self.threads:
            if not thread.stage and not thread.parked and thread.number not in self.present().cpus:
                thread.alarm.arm(now)

    def parking(self, thread: Elastic, now: int) -> None:
        """A thread has nothing to do: it is parked if the present step has no place for it."""
        if self.step == self.wanted and thread.number not in self.present().cpus and not thread.parked:
            self._turn(thread, "park", now)
            thread.park(now)
            self._account(now)

    # ---------------------------------------------------------------- helpers
    def _account(self, now: int) -> None:
        """Read the meter: threads were parked or woken, or the clock is another, or it is time to."""
        using = [t.number for t in self.threads if not t.parked]
        self.cpus = len(using)
        self.read(using, self.clock, now)

    def _turn(self, thread: Elastic, kind: str, now: int) -> None:
        """The event of a thread that is woken or parked."""
        self.tell(now, kind, subject=self.subject if self.apart else thread.subject)
        self.turned = thread.number + 1

    def _cores(self) -> int:
        return self.cores - per_core([t.number for t in self.threads if not t.parked], self.cores).count(0)

    def _decided(self, **cells: int) -> None:
        for name, value in cells.items():
            getattr(self.decisions, name)[-1] = value

    # ---------------------------------------------------------------- checkpoints
    def kept(self) -> Any:
        """What a checkpoint keeps besides slots: moves to come, the policy's own state, the tables' lengths."""
        rows = {n: getattr(self.decisions, n)[-1] for n in self.decisions.names}
        return (list(self.todo), copy.deepcopy(self.policy), len(self.decisions), rows, len(self.signals),
                len(self.reports), self.last_event, self.alarm.at)  # fmt: skip

    def restore(self, kept: Any, source: Control) -> None:
        """Take over what `kept` gave."""
        todo, policy, decisions, rows, signals, reports, last_event, at = kept
        self.told(last_event)
        self.todo, self.policy = list(todo), copy.deepcopy(policy)
        self.decisions, self.signals = source.decisions.copy(decisions), source.signals.copy(signals)
        self.because, self.reports = source.because[:decisions], source.reports[:reports]
        self._decided(**rows)
        for thread in self.threads:
            thread.clock, thread.shared = self.clock, self.clock * self.shared // 100
        if at >= 0:
            self.alarm.arm(at)
