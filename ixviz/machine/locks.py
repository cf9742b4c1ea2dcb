"""Locks: a line with a queue. Ticket locks, MCS locks and mutexes, for models whose cores are alarms.
Invariant: at most one thread has a lock, threads get it in the order of asking, and no waiter is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ixviz.history import field
from ixviz.machine.line import Line
from ixviz.machine.lines import Lines
from ixviz.machine.wire import PS

WAITS = -1  # what `request` returns when the lock is held
# Arrakis, Table 1 (OSDI 2014): the scheduler's share of a Linux UDP echo, .17 µs with the application running, 2.40 µs
# when its cpu was idle [paper]. Taken for going to sleep and for being woken.
SLEEP_PS, WAKE_PS = 170_000, 2_400_000


class Lock(Line):
    """A lock: who has it, since when, who waits in which order, what waiting cost.

    `granted(thread, at)` is called when a waiter gets it, to arm that thread for `at` (ps); a machine's build sets it.
    """

    PER_THREAD: ClassVar[Any] = (
        ("ticket", field(doc="its place in the queue, 0 = does not wait", hidden=True)),
        ("asked", field(unit="ps", doc="since when it waits", hidden=True)),
    )
    holder: int = field(doc="the thread that has it, counted from 1; 0 = free")
    since: int = field(unit="ps", doc="when that thread got it; later than now while it is handed over")
    waiters: int = field(doc="threads that wait for it")
    most_waiters: int = field(doc="most at one time")
    tickets: int = field(doc="requests that had to wait, so far", hidden=True)
    holds: int = field(doc="times it was taken")
    handoffs: int = field(doc="times it went straight to a waiter")
    held: int = field(unit="ps", doc="time it was held")
    spin: int = field(unit="cycles", doc="cycles that threads spun for it")
    slept: int = field(unit="cycles", doc="cycles that threads slept for it")

    granted: Callable[[int, int], None]

    # ---------------------------------------------------------------- the interface
    def request(self, thread: int, now: int, path: int = 0) -> int:
        """A thread wants the lock at `now` (ps). Returns when it has it (ps), or WAITS: `granted` will be called."""
        if self.holder == thread + 1 or getattr(self, f"ticket{thread}"):
            raise ValueError(f"thread {thread} has {self.name} or waits for it already")
        at = now + self._ask(thread, now, path)
        if not self.holder:
            self._give(thread, at)
            return at
        self.tickets += 1
        setattr(self, f"ticket{thread}", self.tickets)
        setattr(self, f"asked{thread}", at)
        self.waiters += 1
        if self.waiters > self.most_waiters:
            self.most_waiters = self.waiters
        return WAITS

    def release(self, thread: int, now: int, path: int = 0) -> int:
        """The holder lets go at `now` (ps). Returns when it goes on (ps). The first of the waiters, if there is one,
        gets the lock: at which time is what `granted` is told."""
        if self.holder != thread + 1:
            raise ValueError(f"{self.name} is not held by thread {thread}")
        heir = self.first()
        done = now + self._let_go(thread, heir, now, path)
        self.held += done - self.since
        if heir < 0:
            self.holder = 0
            return done
        asked: int = getattr(self, f"asked{heir}")
        at = max(done, asked) + self._hand_over(heir, done, path)
        cycles = (at - asked) * self.lines.hz // PS
        if self.SPINS:
            self.spin += cycles
        else:
            self.slept += cycles
        setattr(self, f"ticket{heir}", 0)
        setattr(self, f"asked{heir}", 0)
        self.waiters -= 1
        self.handoffs += 1
        self._give(heir, at)
        self.granted(heir, at)
        return done

    def queue(self) -> list[int]:
        """The threads that wait, in the order in which they will get the lock."""
        waiting = [(getattr(self, f"ticket{thread}"), thread) for thread in range(self.threads)]
        return [thread for ticket, thread in sorted(waiting) if ticket]

    def first(self) -> int:
        """The thread that gets the lock next, -1 if none waits."""
        return self.queue()[0] if self.waiters else -1

    def has(self, thread: int, now: int) -> bool:
        """Whether a thread has the lock at `now` (ps), not merely been promised it."""
        return self.holder == thread + 1 and self.since <= now

    # ---------------------------------------------------------------- what kinds of locks differ in
    SPINS: ClassVar[bool] = True
    threads: int

    def _ask(self, thread: int, now: int, path: int) -> int:
        """A thread takes the lock or enters the queue; ps. Here: one atomic instruction on the lock's line."""
        return self.lines.ps(self.access(thread, True, path, now))

    def _let_go(self, thread: int, heir: int, now: int, path: int) -> int:
        """What the holder does to let go; ps. Here: one write to the lock's line."""
        return self.lines.ps(self.access(thread, True, path, now))

    def _hand_over(self, heir: int, now: int, path: int) -> int:
        """How long the heir takes to see that it has the lock; ps."""
        raise NotImplementedError

    def _give(self, thread: int, at: int) -> None:
        self.holder = thread + 1
        self.since = at
        self.holds += 1


class TicketLock(Lock):
    """A ticket lock: every waiter spins on the one line, so at each hand-off every waiter fetches it anew.

    The fetches are served one after the other, and the heir's is anywhere among them: on average in the middle.
    """

    def _hand_over(self, heir: int, now: int, path: int) -> int:
        waiting = self.queue()
        total = sum(self.access(thread, False, path) for thread in waiting)
        n = len(waiting)
        return self.lines.ps(-(-total * (n + 1) // (2 * n)))


class Mutex(Lock):
    """A mutex: who has to wait sleeps, and is woken by the one that lets go."""

    SPINS = False

    def request(self, thread: int, now: int, path: int = 0) -> int:
        """See Lock.request; who waits is asleep a little later."""
        at = super().request(thread, now, path)
        if at == WAITS:
            setattr(self, f"asked{thread}", getattr(self, f"asked{thread}") + SLEEP_PS)
        return at

    def _hand_over(self, heir: int, now: int, path: int) -> int:
        return WAKE_PS + self.lines.ps(self.access(heir, True, path))


class McsLock(Lock):
    """An MCS lock: the waiters form a list, and each spins on a line of its own (`NAME.node0`, …)."""

    nodes: list[Line]

    def _ask(self, thread: int, now: int, path: int) -> int:
        cycles = self.nodes[thread].access(thread, True, path)  # its node: no successor, waiting
        cycles += self.access(thread, True, path, now)  # swaps the tail
        if self.holder:
            before = self.queue()[-1] if self.waiters else self.holder - 1
            cycles += self.nodes[before].access(thread, True, path)  # links itself behind the last
        return self.lines.ps(cycles)

    def _let_go(self, thread: int, heir: int, now: int, path: int) -> int:
        cycles = self.nodes[thread].access(thread, False, path)  # is there a successor?
        if heir < 0:
            cycles += self.access(thread, True, path, now)  # no: the tail is empty again
        else:
            cycles += self.nodes[heir].access(thread, True, path)
        return self.lines.ps(cycles)

    def _hand_over(self, heir: int, now: int, path: int) -> int:
        return self.lines.ps(self.nodes[heir].access(heir, False, path))


LOCKS = {"ticket": TicketLock, "mutex": Mutex, "mcs": McsLock}


def make_lock(lines: Lines, name: str, kind: str = "ticket", granted: Callable[[int, int], None] | None = None,
              home: int = -1, what: str = "") -> Lock:  # fmt: skip
    """A lock on a line of that name. `granted` may be set later. KeyError for a kind that is none of LOCKS."""
    cls = LOCKS[kind]
    wiring: dict[str, Any] = {"threads": lines.threads, "granted": granted}
    if cls is McsLock:
        wiring["nodes"] = [lines.add(f"{name}.node{i}", home=lines.cache_of[i], what=what)
                           for i in range(lines.threads)]  # fmt: skip
    made: Lock = lines.add(name, cls, home=home, what=what, **wiring)
    return made
