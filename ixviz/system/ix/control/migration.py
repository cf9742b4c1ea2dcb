"""Moving flow groups from one thread to another, by the protocol of the released code (facts 1.8), step for step.
Invariant: no packet is lost or overtakes another of its flow; remote before local; one migration at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ixviz.history import Component, field
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Alarm
from ixviz.machine.reta import NAMES, Reta
from ixviz.system.ix.control.group import WHO, FlowGroup
from ixviz.system.ix.control.rebalance import Move
from ixviz.system.ix.control.tables import LIST, LOCAL, REMOTE
from ixviz.system.ix.control.telling import Telling

if TYPE_CHECKING:
    from ixviz.system.ix.control.elastic import Elastic

MIGRATION_KINDS = ("command", "migrate", "timer", "last poll", "migrated", "polled")
STATES = ("none", "commanded", "armed", "ending", "told")
NONE, COMMANDED, ARMED, ENDING, TOLD = range(5)
TIMER = 10**9  # ps: 1 ms [code]


class Migration(Telling, Component):
    """The command slots and the migration that is under way: `state`, who gives how many groups to whom.

    A step of the protocol is made by the thread it belongs to at its next quiescent point: `quiescent` is called there.
    """

    state: int = field(values=STATES, doc="how far the present migration is")
    number: int = field(doc="migrations commanded so far")
    source: int = field(values=WHO, doc="who gives the groups")
    target: int = field(values=WHO, doc="who gets them")
    groups: int = field(doc="flow groups that move")
    remote: int = field(doc="packets that went through the target's remote queue")
    local: int = field(doc="packets that the target polled meanwhile")
    listed: int = field(doc="of the remote ones: packets that waited in the source's software list")
    armed: int = field(unit="ps", doc="when the source's timer was armed")
    early: int = field(values=("no", "yes"), doc="whether a packet at the target ended it, not the timer")

    KINDS = MIGRATION_KINDS

    # wiring, set by build
    threads: Sequence[Elastic]
    flow_groups: Sequence[FlowGroup]
    reta: Reta
    table: Columns
    alarm: Alarm
    moving: tuple[int, ...]
    remote_ids: list[int]
    local_ids: list[int]
    handed: Columns  # recorded runs: each time a packet was put somewhere by a migration
    done: Callable[[int], None]  # called with now when a migration is over

    def prepare(self) -> None:
        """Nothing is under way."""
        self.moving, self.remote_ids, self.local_ids, self.last_event = (), [], [], -1
        self.handed = Columns(packet="i", event="i", where="b", thread="h")

    # ---------------------------------------------------------------- the protocol
    def command(self, move: Move, now: int, cause: int = -1) -> None:
        """(1) MIGRATE(groups, target) is written into the source's command slot. One at a time."""
        assert self.state == NONE, "one migration at a time"
        self.tell(now, "command", cause=cause)
        self.state = COMMANDED
        self.number += 1
        self.source, self.target, self.groups = move.source + 1, move.target + 1, len(move.groups)
        self.remote = self.local = self.listed = self.armed = self.early = 0
        self.moving = move.groups
        for name in self.table.names:
            getattr(self.table, name).append(-1)
        self._row(source=move.source, target=move.target, groups=len(move.groups), commanded=now,
                  event=self.last_event)  # fmt: skip
        self._nudge(self.source, now)

    def quiescent(self, thread: Elastic, now: int) -> None:
        """A thread is between two turns: it does what it has to do for the migration."""
        me = thread.number + 1
        if me == self.source:
            if self.state == COMMANDED:
                self._begin(thread, now)
            elif self.state == ENDING:
                self._last_poll(thread, now)
        elif me == self.target and self.state == TOLD:
            self._finish(thread, now)

    def _begin(self, thread: Elastic, now: int) -> None:
        """(2, 3, 4) The source hands over what its list holds of these groups, arms the timer, rewrites the RETA."""
        self.tell(now, "migrate")
        target = self.threads[self.target - 1]
        for number in self.moving:
            group = self.flow_groups[number]
            group.moving, group.owner = 1, 0
            group.previous, group.target = self.source, self.target
        gone = thread.hand_over(self.moving)
        self._put(target, REMOTE, gone)
        self.remote += len(gone)
        self.listed = len(gone)
        self.state, self.armed = ARMED, now
        self.alarm.arm(now + TIMER)
        queues, queue = self.feed.intake.reta, target.queues[0]
        for number in self.moving:
            queues[number] = queue
            setattr(self.reta, NAMES[number], queue)
        self._row(seen=now, armed=now, listed=len(gone))

    def sort(self, thread: Elastic, numbers: Sequence[int]) -> list[int]:
        """(5) Of packets that a thread has polled, those of groups in transition wait; the others are returned.

        The first one at the target ends the transition: the source gets an IPI.
        """
        me = thread.number + 1
        if self.state < ARMED or me not in (self.source, self.target):
            return list(numbers)
        moving, flow, group_of = self.moving, self.feed.packets.flow, self.feed.group_of
        stay: list[int] = []
        wait: list[int] = []
        for number in numbers:
            (wait if group_of(flow[number]) in moving else stay).append(number)
        if not wait:
            return stay
        now = thread.alarm.agenda._now
        if self.apart and (me == self.target or self.state == ARMED):  # in ENDING the source polls within "last poll"
            self.tell(now, "polled")
        if me == self.source:
            self._put(self.threads[self.target - 1], REMOTE, wait)
            self.remote += len(wait)
        else:
            self._put(thread, LOCAL, wait)
            if not self.local:
                self._row(polled=now)
            self.local += len(wait)
            if self.state == ARMED:
                self._end_soon(now, early=1)
        return stay

    def wake(self, now: int) -> None:
        """(6b) The timer fires."""
        if self.state == ARMED:
            self.tell(now, "timer")
            self._end_soon(now, early=0)

    def _end_soon(self, now: int, early: int) -> None:
        self.state, self.early = ENDING, early
        self.alarm.at = -1
        self._row(ending=now, early=early)
        self._nudge(self.source, now)

    def _last_poll(self, thread: Elastic, now: int) -> None:
        """(6a) The source polls its ring once more, whichever ended the transition (ours, see MODEL.md)."""
        self.tell(now, "last poll")
        thread.poll_ring(now)
        self.state = TOLD
        self._nudge(self.target, now)

    def _finish(self, thread: Elastic, now: int) -> None:
        """(7) The target owns the groups: the remote queue goes to its list, then the local one."""
        self.tell(now, "migrated")
        for number in self.moving:
            group = self.flow_groups[number]
            group.moving, group.owner = 0, self.target
            group.previous = group.target = 0
        waited = self._ordered()
        thread.take_over(waited)
        self._note(thread, LIST, waited)
        for queue in (thread.remote, thread.local):
            if queue.depth:
                queue.head = queue.tail
        self._row(ended=now, remote=self.remote, local=self.local, last=self.last_event)
        self.moving, self.remote_ids, self.local_ids = (), [], []
        self.state = NONE
        self.done(now)

    def _ordered(self) -> list[int]:
        """Remote before local: this keeps the order within a flow."""
        return self.remote_ids + self.local_ids

    # ---------------------------------------------------------------- helpers
    def _put(self, target: Elastic, where: int, numbers: Sequence[int]) -> None:
        if numbers:
            queue, ids = (target.remote, self.remote_ids) if where == REMOTE else (target.local, self.local_ids)
            queue.tail += len(numbers)
            ids.extend(numbers)
            self._note(target, where, numbers)

    def _note(self, target: Elastic, where: int, numbers: Sequence[int]) -> None:
        """Where packets are put, for the table of packets of a recorded run."""
        if target.journal is None:
            return
        log, event = self.handed, target.journal.count - 1
        for number in numbers:
            log.packet.append(number)
            log.event.append(event)
            log.where.append(where)
            log.thread.append(target.number)

    def note_all(self) -> None:
        """Note where packets are that a migration has put there: of a run that is recorded from now on."""
        for thread in self.threads:
            queue = thread.queues[0]
            listed = islice(self.feed.ids[queue], thread.lists[0].depth)
            self._note(thread, LIST, [number for number in listed if self.feed.packets.queue[number] != queue])
        if self.state >= ARMED:
            target = self.threads[self.target - 1]
            self._note(target, REMOTE, self.remote_ids)
            self._note(target, LOCAL, self.local_ids)

    def _nudge(self, who: int, now: int) -> None:
        """A thread that polls with nothing to do sees it at once; a busy one at its next quiescent point."""
        thread = self.threads[who - 1]
        if not thread.stage and not thread.stalled:
            thread.alarm.arm(now)

    def _row(self, **cells: int) -> None:
        for name, value in cells.items():
            getattr(self.table, name)[-1] = value

    # ---------------------------------------------------------------- checkpoints
    def kept(self) -> Any:
        """What a checkpoint keeps besides slots: packets in transition, when the timer fires, rows of the table."""
        running = {n: getattr(self.table, n)[-1] for n in self.table.names}
        sizes = len(self.table), len(self.handed)
        return self.moving, list(self.remote_ids), list(self.local_ids), self.alarm.at, self.last_event, sizes, running

    def restore(self, kept: Any, source: Migration) -> None:
        """Take over what `kept` gave; `source` is that of the run resumed from."""
        moving, remote, local, at, last_event, (rows, handed), running = kept
        self.told(last_event)
        self.moving, self.remote_ids, self.local_ids = moving, list(remote), list(local)
        self.table.__dict__.update(source.table.copy(rows).__dict__)
        self.handed.__dict__.update(source.handed.copy(handed).__dict__)
        self._row(**running)
        if at >= 0:
            self.alarm.arm(at)
        self.feed.intake.reta[:] = self.reta.queues()
