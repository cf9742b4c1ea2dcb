"""What each system does where the runs stand: the packet looked at, the cores, the last events, the packet's way.
Invariant: nothing that happens after the moments is told, but for the way of a packet, which says what is to come."""

from __future__ import annotations

from typing import Any, NamedTuple

from ixviz.compare.identity import Key, named
from ixviz.compare.lockstep import Lockstep
from ixviz.compare.run import PHASES, Run
from ixviz.compare.words import span

# Stages in which a core does what another system avoids: a mark if no core of another system does it now.
_TELLING = frozenset(("spin", "interrupt", "copy_in", "copy_out"))
NONE, WAITS, TAKEN, LEFT, DROPPED = range(5)


class Doing(NamedTuple):
    """A core (its name), what it does in words, whether the present event is about it, it is idle, only here so."""

    name: str
    words: str
    here: bool
    idle: bool
    differs: bool


class Step(NamedTuple):
    """Something that befell a packet, or an event: when (ps; of a packet after its arrival), in words, its event."""

    time: int
    words: str
    event: int


def packet(run: Run, key: Key | None) -> tuple[int, str]:
    """Where a packet is: NONE … DROPPED, and in words."""
    if key is None:
        return NONE, "no packet has come yet"
    moment, name = run.moment, named(key)
    number = run.identity.packet(key)
    if number is None or number > moment.packets:
        return NONE, f"{name}: has not come yet"
    table = run.sim.feed.packets
    arrived = int(table.arrives[number])
    if moment.dropped(number) or 0 <= -3 - table.batch[number] <= moment.at:
        return DROPPED, f"{name}: dropped, there was no room"
    left = moment.left(number)
    if left is not None:
        return LEFT, f"{name}: left after {span(left - arrived)}"
    since = span(moment.now - arrived)
    if moment.batch_of(number) is None:
        return WAITS, f"{name}: waits in q{table.queue[number]}, {since} so far"
    return TAKEN, f"{name}: was taken, {since} so far"


def packets(lock: Lockstep, key: Key | None) -> list[tuple[str, bool]]:
    """Where a packet is in each run, in words, and whether it is elsewhere in another."""
    found = [packet(run, key) for run in lock.runs]
    codes = {code for code, _ in found}
    return [(words, len(codes) > 1) for _, words in found]


def cores(lock: Lockstep) -> list[list[Doing]]:
    """What the cores of each run do now."""
    stages = [[_stage(run, thread) for thread in run.sim.threads] for run in lock.runs]
    out = []
    for i, run in enumerate(lock.runs):
        others = {stage for j, mine in enumerate(stages) if j != i for stage in mine}
        at = run.picture.core_here(run.moment)
        out.append([Doing(_name(thread.name), run.picture.doing(run.moment, n) or stage, n == at and run.at > 0,
                          stage == "idle", stage in _TELLING and stage not in others)
                    for n, (thread, stage) in enumerate(zip(run.sim.threads, stages[i], strict=True))])  # fmt: skip
    return out


def _stage(run: Run, thread: Any) -> str:
    view = run.moment.view
    return str(view.place(thread.name).cls.FIELDS["stage"].values[view[thread.name].stage])


def _name(name: str) -> str:
    return f"core {name[4:]}" if name.startswith("core") else name


def events(run: Run, most: int) -> list[Step]:
    """The last events of a run, the present one last."""
    moment = run.moment
    first = max(run.at - most + 1, 0)
    return [Step(run.time(e), run.picture.words(moment, e), e) for e in range(first, run.at + 1)]


def way(run: Run, key: Key) -> list[Step]:
    """All that befalls a packet as far as recorded, with times since it arrived."""
    number = run.identity.packet(key)
    found = run.journey(number) if number is not None else []
    return [Step(time - found[0][1], words, event) for event, time, words in found]


def phase(lock: Lockstep) -> str:
    """What the packet that the runs are aligned by has come to."""
    return f"{named(lock.key)} {PHASES[lock.phase]}" if lock.key is not None else ""
