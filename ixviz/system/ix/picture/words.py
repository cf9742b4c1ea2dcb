"""Events of an IX run in words: `core 0 polls and takes 4 packets`, `packet 9 arrives in q0`.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from typing import Any

from ixviz.draw.numbers import count
from ixviz.system.ix.costs import STAGES
from ixviz.system.picture import packet_picture, words
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Knob
from ixviz.system.picture.words import core_name, plural

KNOBS = (Knob("system.batch_bound", "1", "B, the most packets in a batch"), *packet_picture.KNOBS)
GLOSSARY = (
    packet_picture.GLOSSARY[0],
    ("list", "behind the ring: what a core polled and has in no batch yet"),
    ("poll", "a core looks into its ring and takes what waits"),
    ("batch", "what one poll takes, at most B packets; they stay together"),
    ("B", "the bound of a batch, system.batch_bound"),
    ("turn", "one way round the loop, from poll to poll: one batch"),
    ("cross", "to the application and back: →ring3, →ring0 (the processor's rings)"),
    ("doorbell", "tells the NIC that replies are there: then the whole batch leaves"),
    *packet_picture.GLOSSARY[1:],
)


def short(name: str) -> str:
    """`nic.q0` → `q0`, `core0.rxlist` → `list`: components as a sentence names them."""
    return "list" if ".rxlist" in name else words.short(name)


def event_words(moment: Moment, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    return words.sentence(moment, number, _own)


def _own(moment: Moment, event: Any, kind: str, name: str) -> str:
    if name in ("control", "migration", "script") or kind in ("park", "unpark"):
        from ixviz.system.ix.picture.control import words as control  # few machines have a control plane

        return control.own(moment, event, kind, name)
    who = core_name(name)
    if kind == "quiescent":
        changes = moment.sim.history.changes(event.number)
        moved = any(c.component.startswith(f"{name}.") for c in changes)  # to its list, to stay there
        return f"{who} polls, {'takes' if moved else 'finds'} nothing, and goes on polling"
    row = moment.row_at(int(name[4:]), event.number) if name.startswith("core") else None
    if kind == "poll" and (row is None or moment.sim.batches.event[row] != event.number):
        return f"{who} polls; what it finds is of a flow group in transition and waits for its end"
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
        "watchdog": "was 10 ms in ring 3: the watchdog stops it and tells IXCP",
        "page fault": "writes into a read-only mbuf in ring 3: a page fault stops it",
    }.get(kind, kind)


def parked(core: Any) -> bool:
    """Whether Linux has a thread, which then polls no more: never on a machine without a control plane."""
    return bool(getattr(core, "parked", 0))


def doing(core: Any) -> str:
    """What a thread does now: `tcp, batch of 2`, `app in ring 3, batch of 6`, `idle: polls`, `parked: Linux has it`."""
    stage = STAGE_NAMES[core.stage]
    if stage in ("idle", "stopped"):
        return "parked: Linux has it" if parked(core) else "idle: polls" if stage == "idle" else stage
    where = {"cross_in": "to ring 3", "app": "app in ring 3", "cross_out": "to ring 0"}.get(stage, stage)
    return f"{where}, batch of {count(core.size)}" if core.size else f"{where}, all left"


STAGE_WORDS = {
    "idle": "polls, nothing to do",
    "poll": "takes what waits, at most B",
    "tcp": "IP and TCP, event conditions",
    "cross_in": "to the application (ring 0 → 3)",
    "app": "ring 3: consumes all event conditions",
    "cross_out": "back to the kernel (ring 3 → 0)",
    "calls": "batched system calls",
    "timers": "RTO and delayed ACK",
    "tx": "TX ring, then one doorbell",
}
STAGE_NAMES = (*STAGES, "stopped")
STAGE_SHORT = {"cross_in": "cross", "cross_out": "cross"}
