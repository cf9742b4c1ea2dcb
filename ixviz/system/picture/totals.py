"""What a run with packets had done up to a moment, over all its cores: the totals that systems are compared by.
Invariant: counters and times of the moment only; a stage that runs counts as far as it has come."""

from __future__ import annotations

from ixviz.machine.wire import PS
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Totals


def totals(moment: Moment) -> Totals:
    """The sums over a machine with cache lines; cycles are those of the nominal clock."""
    view, sim = moment.view, moment.sim
    cores = [view[t.name] for t in sim.threads]
    busy = sum((c.busy + (moment.now - c.began if c.stage else 0)) * c.nominal for c in cores)
    return Totals(
        packets=sum(c.done for c in cores),
        cycles=busy // PS,
        crossings=sum(c.crossings for c in cores),
        copies=sum(c.copies for c in cores),
        interrupts=sum(c.interrupts for c in cores),
        transfers=sum(view[cache.name].transfers for cache in sim.memory.caches),
        dropped=sum(view[ring.name].drops for ring in sim.feed.intake.rings),
    )
