"""What an IX run had done up to a moment, over all its cores: the totals that systems are compared by.
Invariant: counters and times of the moment only; a turn that runs counts as far as it has come."""

from __future__ import annotations

from ixviz.machine.wire import PS
from ixviz.system.ix.costs import APP, STAGES
from ixviz.system.ix.memory.books import Books
from ixviz.system.ix.turn import STOPPED, WATCHDOG
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Totals

_OUT = STAGES.index("cross_out")


def books(moment: Moment) -> Books:
    """The books of all lines, with the batches that had begun."""
    made: Books = moment.sim.memory.at(moment.batches)
    return made


def totals(moment: Moment) -> Totals:
    """The sums; cycles are those of the nominal clock."""
    view, sim = moment.view, moment.sim
    cores = [view[t.name] for t in sim.threads]
    busy = sum((c.busy + (moment.now - c.began if 0 < c.stage < STOPPED else 0)) * c.nominal for c in cores)
    # A turn crosses as its stage `cross_in` ends, and again as `cross_out` does, or as its thread is stopped.
    crossed = sum(2 * (c.batch - (c.stage > 0)) + (c.stage >= APP) + (c.stage > _OUT) for c in cores)
    lists = [x for t in sim.threads for x in t.lists]
    return Totals(
        packets=sum(c.done for c in cores),
        cycles=busy // PS,
        crossings=crossed,
        copies=0,  # the application reads what the NIC wrote, and the NIC what the application wrote
        interrupts=sum(c.stage == STOPPED and t.ends_by == WATCHDOG for c, t in zip(cores, sim.threads, strict=True)),
        transfers=books(moment).transfers,
        dropped=sum(view[each.name].drops for each in (*sim.feed.intake.rings, *lists)),
    )
