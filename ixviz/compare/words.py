"""Differences in words: one sentence each, with the names of the systems and the numbers that differ.
Invariant: a sentence uses what had happened by the time of its difference, never more."""

from __future__ import annotations

from collections.abc import Sequence

from ixviz.compare.differences import Difference
from ixviz.compare.identity import named
from ixviz.compare.run import Run
from ixviz.scenario.units import format_time

TITLES = {
    "dropped": "a packet dropped by one only",
    "later": "a packet that takes over 10 µs longer in one",
    "order": "two packets that leave in another order",
    "sent": "a request sent at another time",
    "waits": "a core that waits for a lock",
    "interrupts": "the first interrupt, where the other has none",
    "copies": "the first copy, where the other has none",
    "transfers": "the first cache line moved, where the other has none",
}
_NOUNS = {"interrupts": "interrupt", "copies": "copy of a payload",
          "transfers": "transfer of a cache line from core to core"}  # fmt: skip


def span(ps: int) -> str:
    """A time as sentences have it: `12.3 µs`, `0.5 µs`, `3.11 ms`."""
    return format_time(ps, "µs", digits=1) if abs(ps) < 999_950_000 else format_time(ps, digits=2)


def _gap(long: int, brief: int) -> str:
    """The difference of two times as `span` rounds them, so that it can be checked by eye."""
    step = 10**5 if long < 10**9 else 10**7
    return span((long + step // 2) // step * step - (brief + step // 2) // step * step)


def sentence(runs: Sequence[Run], found: Difference) -> str:
    """A difference in words, with a full stop."""
    here, there = runs[found.run], runs[found.other]
    name = named(found.key) if found.key else ""
    name = name[:1].upper() + name[1:]
    made = {"dropped": _dropped, "later": _later, "order": _order, "sent": _sent, "waits": _waits}.get(found.kind)
    if made is not None:
        return made(runs, found, name, here, there)
    words = here.picture.words(here.moment_at(found.event), found.event)
    return f"{here.label} has its first {_NOUNS[found.kind]} here ({words}); {there.label} has had none."


def _sides(found: Difference, data: Sequence[int]) -> tuple[int, int]:
    """Two values that stand in the order of the runs, as (here, there)."""
    return (data[0], data[1]) if found.run < found.other else (data[1], data[0])


def _dropped(runs: Sequence[Run], found: Difference, name: str, here: Run, there: Run) -> str:
    first, second = sorted((found.run, found.other))
    lost = (first, second)[found.data[0]]
    kept = runs[second if lost == first else first]
    packet = found.packets[0 if lost == found.run else 1]
    queue = runs[lost].sim.feed.packets.queue[packet]
    return f"{name} is dropped by {runs[lost].label}, where q{queue} was full; {kept.label} has room for it."


def _later(runs: Sequence[Run], found: Difference, name: str, here: Run, there: Run) -> str:
    mine, others = _sides(found, found.data)
    (slow, long), (fast, brief) = sorted(((here, mine), (there, others)), key=lambda each: -each[1])
    return (f"{name} leaves {slow.label} {span(long)} after it arrived, {fast.label} after {span(brief)}: "
            f"{_gap(long, brief)} longer.")  # fmt: skip


def _order(runs: Sequence[Run], found: Difference, name: str, here: Run, there: Run) -> str:
    one, second, turned = found.data
    first, other = (runs[i] for i in sorted((found.run, found.other)))
    number = found.packets[0] if found.run < found.other else found.packets[1]
    earlier, later = first.identity.key(one), first.identity.key(number)
    if not second:
        earlier, later = later, earlier
    early, late = (named(key) if key else "a packet" for key in (earlier, later))
    swaps, keeps = (first, other) if turned else (other, first)
    return (f"{late[:1].upper()}{late[1:]} leaves {swaps.label} before {early}, which came before it; "
            f"{keeps.label} keeps their order.")  # fmt: skip


def _sent(runs: Sequence[Run], found: Difference, name: str, here: Run, there: Run) -> str:
    sent, due = _sides(found, found.data[:2]), _sides(found, found.data[2:])
    if due[0] != due[1]:  # as fast as answers permit: no schedule
        return (f"{name} is sent at {span(sent[0])} to {here.label} and at {span(sent[1])} to {there.label}: "
                "each when its answers permitted it.")  # fmt: skip
    (slow, long), (fast, brief) = sorted(((here, sent[0]), (there, sent[1])), key=lambda each: -each[1])
    waited = f", when an answer permitted it; to {fast.label} at {span(brief)}"
    return f"{name} was due at {span(due[0])} and is sent to {slow.label} at {span(long)}{waited}."


def _waits(runs: Sequence[Run], found: Difference, name: str, here: Run, there: Run) -> str:
    words = here.picture.words(here.moment_at(found.event), found.event)
    n, had = found.data
    none = "has had none" if not had else f"has had {had:,}"
    return f"{here.label}: {words}. It is wait {n:,} for a lock; {there.label} {none}."
