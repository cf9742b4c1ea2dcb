"""The process that replays a trace: one access after the other, each as long as its data take to come.
Invariant: the n-th access begins when the one before it is done, and is one event."""

from __future__ import annotations

from typing import Any

from ixviz.history import Component, Journal, field
from ixviz.history.columns import Columns
from ixviz.machine.agenda import Alarm
from ixviz.machine.caches import Caches
from ixviz.machine.line import HIT, MEMORY
from ixviz.machine.protocol import NAMES
from ixviz.system.trace.reader import Trace

# hit … memory are the outcomes of machine/line.py, in their order; "what if" is the last of every system
KINDS = ("start", "hit", "upgrade", "transfer", "l3", "memory", "end", "what if")
START, END = 0, 6
READ, WRITE = 1, 2  # the code paths of a trace


def access_columns() -> Columns:
    """The table of accesses; row 0 is a dummy, row n the n-th of the file. `begins` and `ends` in ps, `outcome` as in
    machine/line.py, `event` -1 unwatched."""
    table = Columns(begins="q", ends="q", outcome="b", event="i")
    for name in table.names:
        getattr(table, name).append(-1)
    return table


class Player(Component):
    """Where the replay of the trace stands."""

    position: int = field(doc="accesses done")
    due: int = field(unit="ps", doc="when the next one begins, -1 = there is none", hidden=True)
    protocol: int = field(values=NAMES, doc="the coherence protocol", constant=True)

    trace: Trace
    caches: Caches
    journal: Journal | None
    accesses: Columns
    subjects: list[int]  # index of each core's cache among the components
    subject: int
    alarm: Alarm

    def start(self, now: int) -> None:
        """Begin with the first access."""
        self.due = now
        self.alarm.arm(now)

    def restore(self) -> None:
        """Go on as the slots say."""
        if self.due >= 0:
            self.alarm.arm(self.due)

    def wake(self, now: int) -> None:
        """The next access, or the end of the last one."""
        done, trace, journal = self.position, self.trace, self.journal
        if done == len(trace):
            if journal is not None:
                journal.event(now, END, self.subject, journal.count - 1)
            self.due = -1
            return
        core, write, address = trace.cores[done], bool(trace.writes[done]), trace.addresses[done]
        line = self.caches.find(address // self.caches.line)
        outcome = MEMORY if line is None else line.outcome(core, write)
        event = -1
        if journal is not None:
            event = journal.event(now, 1 + outcome, self.subjects[core], journal.count - 1)
        cycles = self.caches.access(core, write, address, WRITE if write else READ)
        ends = now + self.caches.lines.ps(cycles)
        accesses: Any = self.accesses
        accesses.begins.append(now)
        accesses.ends.append(ends)
        accesses.outcome.append(outcome)
        accesses.event.append(event)
        self.position = done + 1
        self.due = ends
        self.alarm.arm(ends)


assert KINDS[1 + HIT] == "hit" and KINDS[1 + MEMORY] == "memory"
