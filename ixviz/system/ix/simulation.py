"""An IX machine with its workload: a Simulation whose cache lines and crossings are found out from its tables.
Invariant: nothing of it costs a run anything; watched, unwatched, in bulk and resumed it has the same figures."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as attr
from typing import Any

from ixviz.history import Journal
from ixviz.machine.wire import PS
from ixviz.system.ix.costs import Costs
from ixviz.system.ix.memory.memory import Memory
from ixviz.system.ix.turn import LIMIT, STOPPED, WATCHDOG
from ixviz.system.simulation import Checkpoint, Simulation


@dataclass
class IxSimulation(Simulation):
    """What `build` returns; `memory` are its cache lines."""

    memory: Memory = attr(init=False)  # made of the rest, when all of it is there

    def resume(self, at: Checkpoint, journal: Journal | None = None, **changes: Any) -> IxSimulation:
        """See Simulation.resume. Turns that have begun cost what they did before a what-if."""
        made = super().resume(at, journal, **changes)
        assert isinstance(made, IxSimulation)
        before, now = self.memory.eras, made.memory.eras
        first = at.batches if not made.lanes else len(made.batch_table()["core"]) + 1
        kept = [era for era in before if era[0] <= first]
        made.memory.eras = kept if _same(kept[-1][1], now[0][1]) else [*kept, (first, now[0][1])]
        return made

    def protection(self) -> dict[str, Any]:
        """Crossings between ring 3 and ring 0, copies and interrupts so far, the kernel's share of what turns cost.

        A turn that is over has crossed twice. Messages are read where the NIC put them; a thread is interrupted by the
        watchdog only, when its application did not return.
        """
        books = self.memory.books()
        stuck = [t for t in self.threads if t.stage == STOPPED and t.ends_by == WATCHDOG]
        in_vain = sum(LIMIT * t.clock // PS for t in stuck)
        cycles = books.cycles + in_vain
        return {
            "crossings": sum(2 * (t.batch - t.works()) for t in self.threads),
            "copies": 0,
            "interrupts": len(stuck),
            "wakes": None,
            "kernel_share": 1 - (books.user + in_vain) / cycles if cycles else None,
            "softirq_share": None,
            "spin_share": None,
        }


def _same(one: dict[int, Costs], other: dict[int, Costs]) -> bool:
    def plain(costs: dict[int, Costs]) -> Any:
        return {t: (c.batch, c.packet, c.control) for t, c in costs.items()}

    return bool(plain(one) == plain(other))
