"""What the control plane did, in words: decisions with their reasons, migrations with their counters.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.draw.numbers import duration
from ixviz.system.ix.control.migration import MIGRATION_KINDS
from ixviz.system.ix.control.steps import Step
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture import words
from ixviz.system.picture.words import plural

GLOSSARY = (
    ("fast queue", "the longest queue of any core: batch and backlog of each turn, an average that forgets in 20 ms"),
    ("slow queue", "the mean queue of all cores, an average that forgets in 80 ms"),
    ("idle", "how much of their time the cores had nothing to do, on the average; they poll all the same"),
    ("step", "how many hardware threads the dataplane has and with which clock; a policy has a table of them"),
    ("flow group", "all connections whose hash ends in the same seven bits; one entry of the RETA"),
    ("migration", "flow groups go from one core to another, while their packets come"),
    ("remote queue", "packets the old owner still had or polled; the new owner takes them first"),
    ("local queue", "packets the new owner polled before the groups were its own"),
    ("park", "a core is given back to Linux"),
    ("hyperthread", "one of the two threads of a core, drawn as a core: the second ones after all the first ones"),
    ("compressed", "times of the load, the loop, its holds and averages are divided; costs, wire, SLO, timer are not"),
)


def ghz(hz: int) -> str:
    """`1.2 GHz`."""
    return f"{hz / 1e9:.1f} GHz"


def step_words(steps: Sequence[Step], before: int, after: int, cores: int) -> str:
    """`core 4 joins, 5 cores at 1.2 GHz`, `the hyperthreads join, …`, `the clock rises to 1.3 GHz`.

    Thread i is core i's first hyperthread, thread `cores` + i its second.
    """
    one, other = steps[before], steps[after]
    if one.cpus == other.cpus:
        return f"the clock {'rises' if other.clock > one.clock else 'falls'} to {ghz(other.clock)}"
    had, has = ({c % cores for c in step.cpus} for step in (one, other))
    join, who = len(other.cpus) > len(one.cpus), sorted(had ^ has)
    if not who:
        name, verb = "the hyperthreads", "join" if join else "leave"
    elif len(who) == 1:
        name, verb = f"core {who[0]}", "joins" if join else "leaves"
    else:
        name, verb = f"{len(who)} cores", "join" if join else "leave"
    threads = f" with {len(other.cpus)} hyperthreads" if len(other.cpus) > len(has) else ""
    return f"{name} {verb}, {plural(len(has), 'core')}{threads} at {ghz(other.clock)}"


def decision(moment: Moment, number: int) -> str:
    """`UP  step 3 → 4: core 4 joins, 5 cores at 1.2 GHz`."""
    table = moment.decisions
    before, after = table.before[number], table.after[number]
    control = moment.sim.control
    what = step_words(control.policy.steps, before, after, control.cores)
    return f"{'UP' if after > before else 'DOWN'}  step {before} → {after}: {what}"


def moved(moment: Moment, number: int) -> list[str]:
    """What a decision did: how many groups moved from where, and what their packets met."""
    total, rows, table = moment.decisions.groups[number], moment.moved_for(number), moment.migrations
    if not total:
        return ["no flow group moves"]
    done = [r for r in rows if 0 <= table.last[r] <= moment.at]
    here = sum(table.groups[r] for r in done)
    if here < total:
        so_far = f"; {here:,} have their new core" if done else ""
        return [f"{plural(total, 'flow group')} of 128 move{so_far}"]
    parts = f", {' + '.join(str(table.groups[r]) for r in done)}" if len(done) > 1 else ""
    remote, local = (sum(column[r] for r in done) for column in (table.remote, table.local))
    return [f"{plural(total, 'flow group')} of 128 moved{parts}",
            f"{plural(remote, 'packet')} took a remote queue, {local:,} a local one, none was lost"]  # fmt: skip


def event_words(moment: Any, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    return words.sentence(moment, number, own)


def own(moment: Any, event: Any, kind: str, name: str) -> str:
    """Events of the control plane; of others their kind."""
    view = moment.sim.history.cursor(event.number).view
    if kind == "polled":
        return _polled(view["migration"], moment.sim.history.changes(event.number))
    if kind in MIGRATION_KINDS:
        return _migration(view["migration"], kind)
    control = view["control"]
    if kind == "signals":
        return f"the signals are taken: fast queue {control.fast / 1024:.0f}, slow {control.slow / 1024:.0f}"
    if kind == "step":
        way = "up" if control.wanted > control.step else "down"
        return f"a step {way} is decided: {control.step} → {control.wanted}"
    if kind == "clock":
        return f"the clock is set to {ghz(control.clock)}"
    if kind in ("park", "unpark"):
        turned = "given back to Linux" if kind == "park" else "taken from Linux and polls"
        return f"core {control.turned - 1} is {turned}"
    return kind


def _migration(at: Any, kind: str) -> str:
    source, target = at.source - 1, at.target - 1
    groups = plural(at.groups, "flow group")
    if kind == "command":
        return f"core {source} is told to give {groups} to core {target}"
    if kind == "migrate":
        return f"core {source} lets go of {groups} and {plural(at.listed, 'packet')}; timer, RETA"
    if kind == "timer":
        return f"the timer of 1 ms fires: no packet came to core {target}"
    if kind == "last poll":
        return f"core {source} polls its ring once more"
    return f"core {target} owns {groups}: {at.remote:,} remote and {at.local:,} local go to its list"


def _polled(at: Any, changes: Sequence[Any]) -> str:
    """A poll of the source or of the target, while groups are in transition."""
    met = {change.field: change.new - change.old for change in changes if change.component == "migration"}
    queue, who = ("remote", at.source - 1) if "remote" in met else ("local", at.target - 1)
    packets = plural(met.get(queue, 0), "packet")
    return f"core {who} polls {packets} of groups in transition, for the {queue} queue of core {at.target - 1}"


def took(ps: int | None) -> str:
    """A duration, or that it is not over."""
    return duration(ps) if ps is not None else "under way"
