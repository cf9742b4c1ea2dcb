"""Migrations that a scenario asks for at set times, beside those of the policy.
Invariant: each is commanded at its time, or as soon as the one before it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.history import Component, field
from ixviz.machine.agenda import Alarm
from ixviz.system.ix.control.migration import NONE, Migration
from ixviz.system.ix.control.rebalance import Move


class Script(Component):
    """`run.migrate`, in order of time. `entries` have `at` (ps), `groups` and `to`, a thread's number."""

    next: int = field(doc="the entry that comes next", hidden=True)

    # wiring, set by build
    migration: Migration
    entries: Sequence[Any]
    alarm: Alarm

    def start(self, now: int) -> None:
        """Wake for the next entry."""
        if self.next < len(self.entries):
            self.alarm.arm(max(now, self.entries[self.next].at))

    def wake(self, now: int) -> None:
        """Command what is due; groups that several threads own go one thread after the other."""
        groups = self.migration.flow_groups
        while self.next < len(self.entries) and self.entries[self.next].at <= now:
            if self.migration.state != NONE:
                return  # it is called again when that is over
            entry = self.entries[self.next]
            owners = {groups[g].owner - 1 for g in entry.groups} - {entry.to}
            if owners:
                source = min(owners)
                mine = tuple(g for g in entry.groups if groups[g].owner - 1 == source)
                self.migration.command(Move(source, entry.to, mine), now)
            if len(owners) <= 1:
                self.next += 1
        self.start(now)
