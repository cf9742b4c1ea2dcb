"""Accesses in words: `core 1 writes 0x1004: line 40 is M in core 0, which supplies it and loses it`.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from typing import Any

from ixviz.machine.caches import line_name, number_of
from ixviz.machine.line import L3, MEMORY, TRANSFER, UPGRADE
from ixviz.machine.protocol import INVALID, OWNED, SHARED, STATES
from ixviz.system.picture.coherence_view import net
from ixviz.system.picture.shown import Knob
from ixviz.system.trace.picture.moment import Access, Moment

KNOBS = (Knob("system.protocol", "moesi", "msi, mesi or moesi"),)
GLOSSARY = (
    ("access", "a read or a write of an address by a core"),
    ("line", "the bytes that go from cache to cache as one"),
    ("hit", "the core's own cache has the line, and may do this to it"),
    ("miss", "the line comes from another cache, the L3 or memory"),
    ("transfer", "the cache of another core supplies the line"),
    ("M", "modified: this copy is the only one, memory has an old one"),
    ("O", "owned: there are other copies, memory has an old one"),
    ("E", "exclusive: this copy is the only one, as memory has it"),
    ("S", "shared: there may be other copies"),
    ("I", "invalid: no copy"),
)

def listed(words: list[str]) -> str:
    """`core 0`, `core 0 and core 2`, `core 0, core 1 and core 2`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def line_words(name: str) -> str:
    """`line40` → `line 40`."""
    return f"line {number_of(name):x}"


def does(access: Access) -> str:
    """`core 1 writes 0x1004`."""
    return f"core {access.core} {'writes' if access.write else 'reads'} {access.address:#x}"


def did(access: Access) -> str:
    """`core 1 wrote 0x1004`."""
    return f"core {access.core} {'wrote' if access.write else 'read'} {access.address:#x}"


def event_words(moment: Moment, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    access = moment.access_of(number)
    if access is None:
        kind: str = moment.sim.history.kinds[moment.sim.history.event(number).kind]
        return {
            "start": "the machine starts, its caches are empty",
            "end": "the last access is done",
            "what if": "a knob is turned: what if",
        }.get(kind, kind)
    changed = net(moment.sim.history.changes(number))
    return f"{does(access)}: {_found(moment, access, changed)}{_room(access, changed)}"


def _found(moment: Moment, access: Access, changed: dict[tuple[str, str], tuple[int, int]]) -> str:
    name = line_name(access.line)
    line = line_words(name)
    copies = {int(key[4:]): values for (component, key), values in changed.items()
              if component == name and key.startswith("core")}  # fmt: skip
    own = copies.pop(access.core, None)
    losers = [f"core {c}" for c, (_, new) in copies.items() if new == INVALID]
    if access.outcome == UPGRADE:
        return f"a hit, but {line} is shared: {_lose(losers)} first" if losers else (
            f"a hit, but {line} may be shared: it has to ask, and no one else has it")  # fmt: skip
    if access.outcome == TRANSFER:
        return _supplied(moment, access, copies, line)
    if access.outcome in (L3, MEMORY):
        source = "the L3" if access.outcome == L3 else "memory"
        if losers:
            return f"{line} comes from {source}, and {_lose(losers)}"
        if own is not None and own[1] != SHARED:
            return f"no cache has it, {line} comes from {source}"
        shared = "E" in moment.sim.memory.protocol.letters  # else S says nothing of others
        return f"others share {line}, {source} supplies it" if shared else f"{line} comes from {source}"
    if own is not None:
        return f"a hit, {line} goes from {STATES[own[0]]} to {STATES[own[1]]} and nobody has to be told"
    return f"a hit in {line}"


def _supplied(moment: Moment, access: Access, copies: dict[int, tuple[int, int]], line: str) -> str:
    """Who supplied the line, what state it was in there, and what becomes of it."""
    held = {c: old for c, (old, _) in copies.items() if old not in (INVALID, SHARED)}
    if held:
        giver, state = next(iter(held.items()))
        after = copies[giver][1]
    else:  # an owner that stays one
        giver = moment.sim.history.cursor(access.event).view[line_name(access.line)].moved_from - 1
        state = after = OWNED
    others = [f"core {c}" for c, (_, new) in copies.items() if new == INVALID and c != giver]
    text = f"{line} is {STATES[state]} in core {giver}, which supplies it and "
    if after == INVALID:
        text += "loses it"
    elif after == OWNED:
        text += "stays its owner (O)" if state == OWNED else "becomes its owner (O)"
    else:
        text += "updates memory, both share it now" if STATES[state] == "M" else "shares it now"
    return f"{text}; {_lose(others)}" if others else text


def _lose(cores: list[str]) -> str:
    """`core 0 loses its copy`, `core 0 and core 2 lose their copies`."""
    return f"{listed(cores)} {'loses its copy' if len(cores) == 1 else 'lose their copies'}"


def _room(access: Access, changed: dict[tuple[str, str], tuple[int, int]]) -> str:
    """`; line 80 makes room and is written back`."""
    mine = f"core{access.core}"
    for (component, key), (old, new) in changed.items():
        if key == mine and component != line_name(access.line) and component.startswith("line") and new == INVALID:
            back = " and is written back" if STATES[old] in "MO" else ""
            return f"; {line_words(component)} makes room{back}"
    return ""


def short(access: Any, names: tuple[str, ...]) -> str:
    """`core 1 writes 0x1004 (transfer)`: for lists of many."""
    return f"{does(access)} ({names[access.outcome]})"
