"""Events of an IX run in words: `core 0 polls and takes 4 packets`, `packet 9 arrives in q0`.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from typing import Any

from ixviz.draw.numbers import count
from ixviz.system import words
from ixviz.system.pictures import Moment
from ixviz.system.words import core_name, plural


def short(name: str) -> str:
    """`nic.q0` → `q0`, `core0.rxlist` → `list`: components as a sentence names them."""
    return "list" if ".rxlist" in name else words.short(name)


def event_words(moment: Moment, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    return words.sentence(moment, number, _own)


def _own(moment: Moment, event: Any, kind: str, name: str) -> str:
    who = core_name(name)
    if kind == "quiescent":
        changes = moment.sim.history.changes(event.number)
        moved = any(c.component.startswith(f"{name}.") for c in changes)  # to its list, to stay there
        return f"{who} polls, {'takes' if moved else 'finds'} nothing, and goes on polling"
    row = moment.row_at(int(name[4:]), event.number) if name.startswith("core") else None
    size = moment.sim.batches.size[row] if row else 0
    return f"{who} {_doing(kind, size)}"


def _doing(kind: str, size: int) -> str:
    packets = plural(size, "packet")
    them = "it" if size == 1 else f"all {count(size)}"
    return {
        "poll": f"polls and takes {packets}",
        "tcp": f"takes {packets} through TCP",
        "cross_in": "crosses to the application (ring 0 → 3)",
        "app": f"runs the application on {packets}",
        "cross_out": "crosses back to the kernel (ring 3 → 0)",
        "calls": f"runs the batched system calls of {packets}",
        "timers": "looks at its timers",
        "tx": f"puts {plural(size, 'frame')} on the TX ring",
        "tx full": "waits, its TX ring is full",
        "doorbell": f"rings the doorbell: {them} {'leaves' if size == 1 else 'leave together'}",
    }.get(kind, kind)


STAGE_WORDS = {
    "idle": "polls, nothing to do",
    "poll": "takes what waits, at most B",
    "tcp": "IP and TCP, event conditions",
    "cross_in": "to the application (ring 0 → 3)",
    "app": "consumes all event conditions",
    "cross_out": "back to the kernel (ring 3 → 0)",
    "calls": "batched system calls",
    "timers": "RTO and delayed ACK",
    "tx": "TX ring, then one doorbell",
}
STAGE_SHORT = {"cross_in": "cross", "cross_out": "cross"}
