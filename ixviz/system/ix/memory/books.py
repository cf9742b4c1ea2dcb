"""The books of all lines after so many batches: what was read and written, hit and missed, by line and by core.
Invariant: in whatever pieces the batches are entered, the books are the same; a line that one core has to itself is
counted in bulk, by what the protocol does with it, every other goes through its table access by access."""

from __future__ import annotations

from typing import Any

import numpy as np

from ixviz.history import Slots
from ixviz.machine.line import Line
from ixviz.machine.lines import COUNTS, Lines
from ixviz.machine.profile import Latencies
from ixviz.machine.protocol import INVALID, STATES
from ixviz.system.ix.costs import APP, Costs
from ixviz.system.ix.memory import pool, touches
from ixviz.system.ix.memory.taken import Taken
from ixviz.system.ix.memory.touches import Own, Shape

Ints = np.ndarray[Any, np.dtype[Any]]
Split = dict[int, tuple[int, int, int]]  # flow: the row that took it to another core, whose it was, accesses before
Eras = list[tuple[int, dict[int, Costs]]]  # the costs of each thread's turns, from a row on

_SUMS = ("polls", "fetched", "put", "got", "packets", "calls", "frames", "reclaimed", "fresh", "pcbs", "level",
         "refills", "gives")  # fmt: skip


class Books:
    """Sums a queue and a hardware thread, the pools' levels, and the lines that several cores may touch."""

    def __init__(self, shape: Shape, latencies: Latencies, hz: int) -> None:
        self.shape = shape
        self.rows = 0  # batches entered
        n, q = shape.threads, shape.queues
        self.polls, self.fetched, self.put, self.got = (np.zeros(q, dtype=np.int64) for _ in range(4))
        self.packets, self.calls, self.frames, self.reclaimed, self.fresh = (
            np.zeros(n, dtype=np.int64) for _ in range(5)
        )
        self.pcbs = np.zeros(shape.cores, dtype=np.int64)  # accesses to connections that no other core touched
        self.cycles = self.user = 0  # what the turns cost by the tables of costs, and what of it the application
        self.level = [pool.START] * n
        self.refills, self.gives = [0] * n, [0] * n
        self.lines = Lines(Slots(), shape.cores, latencies, hz, paths=touches.PATHS, kinds=touches.KINDS,
                           threads=n)  # fmt: skip
        self.arp: Line = self.lines.add("arp", touches.RcuLine, what="ARP table, RCU")
        self.mempool: Line = self.lines.add("mempool", what="lock and chunks")
        self.split: dict[int, Line] = {}  # by flow: the connections that several cores have touched
        self.changed: dict[str, tuple[int, tuple[int, ...]]] = {}  # a line's last change: by which row, of whose copies

    def copy(self) -> Books:
        """The same books, to be written on by themselves."""
        made = Books(self.shape, self.lines.latencies, self.lines.hz)
        for name in _SUMS:
            getattr(made, name)[:] = getattr(self, name)
        made.rows, made.cycles, made.user, made.changed = self.rows, self.cycles, self.user, dict(self.changed)
        for flow, line in self.split.items():
            made.split[flow] = made.lines.add(line.name, what="PCB")
        made.lines.slots.load(self.lines.slots.values().tolist())
        made.lines.rebuild()
        return made

    # ---------------------------------------------------------------- entering
    def enter(self, taken: Taken, split: Split, eras: Eras) -> None:
        """The batches after those that are in. `split`: the connections that some batch took to another core."""
        n = self.shape.threads
        for mine, more in ((self.polls, taken.polls), (self.fetched, taken.fetched), (self.put, taken.put),
                           (self.got, taken.got)):  # fmt: skip
            mine += more
        for mine, column in ((self.packets, taken.size), (self.calls, taken.calls), (self.frames, taken.frames),
                             (self.reclaimed, taken.reclaimed), (self.fresh, taken.fresh)):  # fmt: skip
            mine += np.bincount(taken.thread, column, n).astype(np.int64)
        self._connections(taken, split)
        self._senders(taken)
        self._pools(taken)
        self._spend(taken, eras)
        self.rows += len(taken.thread)

    def _connections(self, taken: Taken, split: Split) -> None:
        cores = self.shape.cores
        flow, row, calls = taken.members
        moving = np.zeros(len(flow), dtype=bool)  # members whose connection has been to another core
        if split:
            of = np.isin(flow, list(split))
            since = np.array([split.get(f, (0,))[0] for f in flow[of].tolist()], dtype=np.int64)
            moving[of] = row[of] + self.rows + 1 >= since
        calm = (flow >= 0) & ~moving
        cache = taken.thread[row] % cores
        self.pcbs += np.bincount(cache[calm], 2 + 2 * calls[calm], cores).astype(np.int64)
        by = np.flatnonzero(moving)
        by = by[np.argsort(flow[by], kind="stable")]
        begins = np.flatnonzero((np.diff(flow[by], prepend=-1) != 0) | (np.diff(cache[by], prepend=-1) != 0))
        accesses = np.add.reduceat(2 + 2 * calls[by], begins) if len(by) else begins
        for i, count in zip(by[begins].tolist(), accesses.tolist(), strict=True):  # packets of one flow on one core
            line = self._line_of(int(flow[i]), split)
            before = self._states(line)
            line.bulk(int(taken.thread[row[i]]), 1, 1, touches.TCP_PATH)
            self._hit(line, int(cache[i]), count - 2)  # once it is there nobody else has it
            self._note(line, before, self.rows + 1 + int(row[i]))

    def _line_of(self, flow: int, split: Split) -> Line:
        """The line of a connection that several cores touch: up to now its owner had it to itself."""
        line = self.split.get(flow)
        if line is None:
            _, owner, before = split[flow]
            line = self.split[flow] = self.lines.add(f"pcb of flow {flow}", home=owner, what="PCB", held=owner)
            self.pcbs[owner] -= before
            self._hit(line, owner, before)
        return line

    def _hit(self, line: Line, core: int, times: int) -> None:
        """Accesses of a core that has the line to itself."""
        for counts in (line, self.lines.caches[core]):
            counts.accesses += times
            counts.hits += times

    def _senders(self, taken: Taken) -> None:
        """The ARP table is read for each frame sent. Nobody writes it, so that only who is first matters."""
        sent = np.flatnonzero(taken.frames)
        threads, first = np.unique(taken.thread[sent], return_index=True)
        frames = np.bincount(taken.thread, taken.frames, self.shape.threads).astype(np.int64)
        for i in np.argsort(first).tolist():
            self.read_arp(int(threads[i]), int(frames[threads[i]]), self.rows + 1 + int(sent[first[i]]))

    def read_arp(self, thread: int, frames: int, row: int = 0) -> None:
        """A thread sends so many frames, the first of them in batch `row`."""
        before = self._states(self.arp)
        self.arp.bulk(thread, frames, 0, touches.SEND_PATH)
        self._note(self.arp, before, row)

    def _pools(self, taken: Taken) -> None:
        """Each thread's mbufs at hand, in order; then what it fetched and gave back, in the order of the batches."""
        moved: list[tuple[int, int, int]] = []
        for thread in np.unique(taken.thread).tolist():
            mine = np.flatnonzero(taken.thread == thread)
            ops = np.stack([taken.reclaimed[mine], -taken.fresh[mine], taken.size[mine] - taken.frames[mine]], 1)
            self.level[thread], chunks = pool.through(self.level[thread], ops.ravel())
            moved += [(int(mine[i // 3]), thread, count) for i, count in chunks]
        for i, thread, count in sorted(moved, key=lambda m: m[0]):
            self.move_chunks(thread, count, self.rows + 1 + i)

    def move_chunks(self, thread: int, count: int, row: int = 0) -> None:
        """In batch `row` a thread fetches so many chunks from the shared pool, or gives them back (negative)."""
        path, before = touches.REFILL if count > 0 else touches.GIVE_BACK, self._states(self.mempool)
        for _ in range(abs(count)):
            self.mempool.access(thread, True, path)  # the lock is taken,
            self.mempool.bulk(thread, 1, 2, path)  # the head of the list of chunks moves, the lock is let go
        self._note(self.mempool, before, row)
        if count > 0:
            self.refills[thread] += count
        else:
            self.gives[thread] -= count

    def _states(self, line: Line) -> list[int]:
        return [line.state(core) for core in range(self.shape.cores)]

    def _note(self, line: Line, before: list[int], row: int) -> None:
        changed = tuple(i for i, (a, b) in enumerate(zip(before, self._states(line), strict=True)) if a != b)
        if changed:
            self.changed[line.name] = row, changed

    def _spend(self, taken: Taken, eras: Eras) -> None:
        for i, (since, costs_of) in enumerate(eras):
            until = eras[i + 1][0] if i + 1 < len(eras) else self.rows + len(taken.thread) + 1
            mine = slice(max(since - self.rows - 1, 0), max(until - self.rows - 1, 0))
            thread, size, bare = taken.thread[mine], taken.size[mine], taken.bare[mine]
            for t, costs in costs_of.items():
                of = thread == t
                control = int(bare[of].sum())
                self.spend(costs, int(np.count_nonzero(of)), int(size[of].sum()) - control, control)

    def spend(self, costs: Costs, turns: int, data: int, control: int) -> None:
        """So many turns of so many packets. Drawn factors of costs are left out: they change both sums alike."""
        self.cycles += costs.batch[-1] * turns + costs.packet[-1] * data + costs.control[-1] * control
        batch, packet = costs.batch[APP] - costs.batch[APP - 1], costs.packet[APP] - costs.packet[APP - 1]
        self.user += batch * turns + packet * data + (costs.control[APP] - costs.control[APP - 1]) * control

    # ---------------------------------------------------------------- reading
    def own(self) -> list[tuple[Own, int, int]]:
        """The lines that one core has to itself, each with its accesses and misses so far. A miss is a ring's: the NIC
        has written it since, and the L3 has it."""
        return [(line, int(self._accesses(line)), int(self.fetched[line.number]) if line.what == "ring" else 0)
                for line in self.shape.own]  # fmt: skip

    def _accesses(self, line: Own) -> Any:
        n = line.number
        match line.what:
            case "ring":
                return self.polls[n] + self.fetched[n] + 2 * self.put[n]
            case "list":
                return self.put[n] + self.got[n]
            case "events and calls":
                return 2 * self.packets[n] + 3 * self.calls[n]
            case "local pool":
                return self.fresh[n] + self.packets[n] + self.frames[n] + self.reclaimed[n]
            case "TX ring":
                return self.frames[n] + self.reclaimed[n]
        return self.pcbs[n]

    def count(self, name: str, key: str) -> int:
        """One of COUNTS for a line or a cache (`cache0`) by its name; 0 for a line that is not there yet."""
        of: Any = self.lines.by_name.get(name)
        core = int(name[5:]) if name.startswith("cache") else -1
        total = getattr(of or self.lines.caches[core], key) if of is not None or core >= 0 else 0
        if key in ("accesses", "hits", "misses"):
            for own, accesses, misses in self.own():
                if own.name == name or own.core == core:
                    total += {"accesses": accesses, "misses": misses}.get(key, accesses - misses)
        return int(total)

    @property
    def transfers(self) -> int:
        """Lines that another core's cache supplied, so far."""
        return sum(cache.transfers for cache in self.lines.caches)

    def figures(self) -> dict[str, Any]:
        """The object `coherence` of `ixviz run --json`: see Lines.figures. `coreN.pcbs` are all connections of a core
        that no other core has touched."""
        replayed = self.lines.figures()
        per_core, lines = replayed["per_core"], []
        none = dict.fromkeys(COUNTS, 0)
        for (name, _, core, _), accesses, misses in self.own():
            if not accesses:
                continue
            counts = {**none, "accesses": accesses, "hits": accesses - misses, "misses": misses}
            states = "".join("M" if c == core else STATES[INVALID] for c in range(self.shape.cores))
            lines.append({"name": name, **counts, "states": states})
            for key in ("accesses", "hits", "misses"):
                per_core[core][key] += counts[key]
        totals = {key: sum(core[key] for core in per_core) for key in COUNTS}
        return {**totals, "per_core": per_core, "lines": [*lines, *replayed["lines"]]}
