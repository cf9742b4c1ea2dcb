"""Why a packet left when it did: its latency taken apart, in words, with the events that each part refers to.
Invariant: the parts are integers of ps and their sum is the latency exactly, whatever rounding does to the words."""

from __future__ import annotations

from typing import Any

from ixviz.draw.numbers import count, duration
from ixviz.system.ix.costs import STAGES
from ixviz.system.ix.picture.words import STAGE_SHORT
from ixviz.system.ix.turn import STOPPED
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Part, Why
from ixviz.system.picture.words import core_name, plural, short

PS = 10**12


def why(moment: Moment, packet: int) -> Why:
    """Why `packet` (it has arrived) left when it did, or what it has waited for so far."""
    sim = moment.sim
    table = sim.feed.packets
    arrived = table.arrives[packet]
    name = f"packet {count(packet)}"
    row = moment.batch_of(packet)
    if row is None and moment.dropped(packet):
        full = Part(None, f"its ring q{table.queue[packet]} was full", table.event[packet])
        return Why(f"Why was {name} dropped?", [full], 0, [])
    core = _core_of(moment, packet)
    if row is None:
        parts = [_waited(moment, packet, core, moment.now, None)]
        return Why(f"What does {name} wait for?", parts, moment.now - arrived, [])
    polled = sim.batches.begins[row]
    parts = [_waited(moment, packet, core, polled, row)]
    end = moment.ended(row)
    if end is None:
        at = moment.view[core.name]
        now = "which was stopped with its thread" if at.stage == STOPPED else f"now in {STAGES[at.stage]}"
        text = f"in batch {count(moment.number(row))} ({plural(at.size, 'packet')}), {now}"
        parts.append(Part(moment.now - polled, text, sim.batches.event[row]))
        return Why(f"Where has {name} been since it arrived?", parts, moment.now - arrived, [])
    parts.extend(_turn(moment, packet, row, core, end))
    total = end - arrived
    notes = ["Not modelled: PCIe transfers (their cost is in poll and tx), cache sizes."]
    alone = alone_at(moment, packet, row, core, end)
    if alone is not None:
        notes.insert(0, f"With B = 1 from this batch on it would have left after {duration(alone - arrived)}.")
    parts = [p for p in parts if p.ps != 0]
    return Why(f"Why did {name} leave {duration(total)} after it arrived?", parts, total, notes)


def alone_at(moment: Moment, packet: int, row: int, core: Any, end: int) -> int | None:
    """When (ps) a packet of a batch that ended at `end` would have left with B = 1 from the batch's poll on.

    Exact where a core has one ring and fixed costs: those before it in the batch go first, and nothing that comes later
    gets in between. None for a batch of one, and where the batch took another time than its costs say.
    """
    sim = moment.sim
    members, kinds = moment.members(row), sim.feed.packets.kind
    if len(members) < 2 or len(core.queues) > 1 or core.factors is not None or core.sibling is not None:
        return None

    clock: int = core.clock

    def turn(numbers: list[int]) -> int:
        control = sum(1 for n in numbers if 0 < kinds[n] < 5)
        return -(-int(core.costs.turn(len(numbers) - control, control)) * PS // clock)

    begins: int = sim.batches.begins[row]
    if end - begins != turn(members):
        return None
    return begins + sum(turn([n]) for n in members[: members.index(packet) + 1])


def _core_of(moment: Moment, packet: int) -> Any:
    queue = moment.sim.feed.packets.queue[packet]
    return next(t for t in moment.sim.threads if queue in t.queues)


def _waited(moment: Moment, packet: int, core: Any, until: int, row: int | None) -> Part:
    """The wait in ring and list, and the batches the core was busy with meanwhile."""
    sim = moment.sim
    arrived, batches = sim.feed.packets.arrives[packet], sim.batches
    queue = short(f"nic.q{sim.feed.packets.queue[packet]}")
    before = [r for r in moment.rows_between(core.number, arrived, until)
              if r != row and (moment.ended(r) is None or (moment.ended(r) or 0) > arrived)]  # fmt: skip
    who = core_name(core.name)
    waits, was = ("waits", "is") if row is None else ("waited", "was")
    if not before:
        text = f"{waits} in {queue}: {who} {'has' if row is None else 'had'} nothing else to do"
        return Part(until - arrived, text, batches.event[row] if row else -1)
    if len(before) == 1:
        b = before[0]
        ended = moment.ended(b)
        stopped = ended is None and moment.view[core.name].stage == STOPPED
        took = f", {duration(ended - batches.begins[b])}" if ended is not None else ", still running"
        if stopped:
            return Part(until - arrived, f"{waits} in {queue}: {who} was stopped in batch {count(moment.number(b))}",
                        batches.event[b])  # fmt: skip
        what = f"batch {count(moment.number(b))} ({plural(batches.size[b], 'packet')}{took})"
        return Part(until - arrived, f"{waits} in {queue}: {who} {was} busy with {what}", batches.event[b])
    a, b = moment.number(before[0]), moment.number(before[-1])
    taken = plural(sum(batches.size[r] for r in before), "packet")
    what = f"batches {count(a)} {'and' if b == a + 1 else 'to'} {count(b)} ({taken})"
    return Part(until - arrived, f"{waits} in {queue} and list: {who} {was} busy with {what}", batches.event[before[0]])


def _turn(moment: Moment, packet: int, row: int, core: Any, end: int) -> list[Part]:
    """The turn: what it costs once, the packet's own work, that of the others, a wait for the TX ring."""
    sim = moment.sim
    size, first, last = sim.batches.size[row], sim.batches.event[row], sim.batches.last[row]
    members = moment.members(row)
    kinds = sim.feed.packets.kind
    control = sum(1 for p in members if 0 < kinds[p] < 5)
    mine_control = 0 < kinds[packet] < 5
    costs = core.costs
    shared: dict[str, int] = {}
    own: dict[str, int] = {}
    others = rest = 0
    for stage, ps in _stage_times(moment, core, first, last, sim.batches.begins[row], end).items():
        s = STAGES.index(stage)
        once = costs.batch[s] - costs.batch[s - 1]
        each = costs.packet[s] - costs.packet[s - 1]
        bare = costs.control[s] - costs.control[s - 1]
        cycles = once + each * (size - control) + bare * control
        fixed = -(-cycles * PS // core.clock)
        if core.factors is None and core.sibling is None and ps > fixed + 1:
            rest += ps - fixed  # it waited for the TX ring
            ps = fixed
        name = STAGE_SHORT.get(stage, stage)
        if core.factors is None:
            once_ps = ps * once // cycles if cycles else 0
            own_ps = ps * (bare if mine_control else each) // cycles if cycles else 0
        else:
            once_ps = min(ps, once * PS // core.clock)
            own_ps = (ps - once_ps) // size
        if size == 1:
            once_ps = ps - own_ps
        shared[name] = shared.get(name, 0) + once_ps
        own[name] = own.get(name, 0) + own_ps
        others += ps - once_ps - own_ps
    by = f", shared by {count(size)}" if size > 1 else ""
    parts = [
        Part(sum(shared.values()), f"what each turn costs{by}: {_listed(shared)}", first),
        Part(sum(own.values()), f"its own work{' (average of its batch)' if core.factors else ''}: {_listed(own)}"),
    ]
    if size > 1:
        mates = "the other one" if size == 2 else f"the other {count(size - 1)}"
        both = "both leave together" if size == 2 else f"all {count(size)} leave together"
        parts.append(Part(others, f"the same for {mates} of its batch: {both}", last))
    if rest:
        parts.append(Part(rest, "waited for room on the TX ring", last))
    return parts


def _listed(parts: dict[str, int]) -> str:
    shown = [f"{name} {duration(ps, unit='µs')[:-3]}" for name, ps in parts.items() if ps]
    return ", ".join(shown)


def _stage_times(moment: Moment, core: Any, first: int, last: int, begins: int, end: int) -> dict[str, int]:
    """How long each stage of a turn took, ps; from the events of the core between poll and doorbell."""
    history = moment.sim.history
    out: dict[str, int] = {}
    at, link = end, last
    # The doorbell's chain of causes goes back through the stages to the poll.
    while link > first and link >= 0:
        event = history.event(history.event(link).cause)
        kind = history.kinds[event.kind]
        stage = "tx" if kind == "tx full" else kind
        out[stage] = out.get(stage, 0) + at - event.time
        at, link = event.time, event.number
    return dict(reversed(out.items()))
