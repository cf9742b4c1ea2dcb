"""What there is to see of cache lines at a cursor: letters, moves and who made them; as plain values, for any system.
Invariant: everything is read from the slots at the cursor's event or from earlier events, nothing from later ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ixviz.machine.protocol import INVALID, STATES
from ixviz.system.picture.shown import Totals

_LOOK_BACK = 50_000  # events in which the last accesses of a line are looked for


class SeenLine(NamedTuple):
    """A line as draw.coherence.LineRow wants it."""

    name: str
    what: str
    states: tuple[str, ...]
    moves: int
    why: str
    moved: tuple[int, ...]
    here: bool


class Access(NamedTuple):
    """One access of a line, by the history: its event, core and code path, and whose cache it took the line from."""

    event: int
    core: int
    path: str
    taken_from: int  # -1: nobody's


def seen(view: Any, names: Iterable[str], cores: int, changed: dict[tuple[str, str], tuple[int, int]] | None = None, *,
         what: Callable[[str], str] | None = None, label: Callable[[str], str] | None = None,
         here: str = "") -> list[SeenLine]:  # fmt: skip
    """The lines `names` at a cursor's view. `changed` are the writes of the present event (see `net`), `here` the line
    it is about; `what` and `label` give other words than the slots' own."""
    out = []
    for name in names:
        line = view[name]
        values = [line.state(core) for core in range(cores)]
        moved = tuple(core for core in range(cores) if values[core] and (name, f"core{core}") in (changed or {}))
        words = what(name) if what else holds(view, name)
        out.append(SeenLine(label(name) if label else name, words, letters(line, cores), line.transfers,
                            moved_words(view, name), moved, name == here))  # fmt: skip
    return out


def letters(line: Any, cores: int) -> tuple[str, ...]:
    """The state of each core's copy; empty where the core never had the line."""
    values = (line.state(core) for core in range(cores))
    return tuple(STATES[v] if v != INVALID or line.touched(core) else "" for core, v in enumerate(values))


def net(changes: Iterable[Any]) -> dict[tuple[str, str], tuple[int, int]]:
    """Writes of an event (history.Change) by component and field: the first old value and the last new one."""
    out: dict[tuple[str, str], tuple[int, int]] = {}
    for change in changes:
        old, _ = out.get((change.component, change.field), (change.old, 0))
        out[change.component, change.field] = (old, change.new)
    return {key: (old, new) for key, (old, new) in out.items() if old != new}


def holds(view: Any, name: str) -> str:
    """What a line holds: `ring`, `lock, 2 waiters`."""
    line, fields = view[name], view.place(name).cls.FIELDS
    word = str(fields["what"].values[line.what])
    if "waiters" not in fields:
        return word
    n = line.waiters
    return f"{word}, {n:,} waiter{'' if n == 1 else 's'}" if n else word


def moved_words(view: Any, name: str) -> str:
    """The last transfer of a line: `c3→c1 accept()`; empty when there was none."""
    return move(view[name], view.place(name).cls.FIELDS["moved_by"].values)


def move(line: Any, paths: Sequence[str]) -> str:
    """The same of a line at hand; `paths` are the words of its `moved_by`."""
    if not line.moved_to:
        return ""
    path = paths[line.moved_by] if line.moved_by else ""
    return f"c{line.moved_from - 1}→c{line.moved_to - 1} {path}".rstrip()


def each_words(done: Totals) -> tuple[str, str]:
    """A label and what a packet cost: `a packet`, `11.3 transfers, 4.1 crossings, 2 copies, 0.7 interrupts`; nothing of
    what a system does not count."""
    if not done.packets:
        moves = done.transfers or 0
        return "so far", f"{moves:,} transfer{'' if moves == 1 else 's'}, no packet is done"
    counts = {name: getattr(done, name) for name in ("transfers", "crossings", "copies", "interrupts")}
    words = [f"{_each(n / done.packets)} {name}" for name, n in counts.items() if n is not None]
    return "a packet", ", ".join(words)


def _each(value: float) -> str:
    """`11.3`, `2`, `0.004`, `0`."""
    return f"{value:.1g}" if value < 0.1 else f"{value:.1f}".removesuffix(".0")


def sharing(view: Any, names: Sequence[str], cores: int) -> str:
    """`no line was shared`, or how many lines went from core to core and how often."""
    moved = [n for n in names if view[n].transfers]
    shared = sum(sum(view[n].touched(core) for core in range(cores)) > 1 for n in names)
    return sharing_words(len(names), shared, len(moved), sum(view[n].transfers for n in moved))


def sharing_words(lines: int, shared: int, moved: int, transfers: int) -> str:
    """The same from counts: lines there are, those that several cores had, those that moved, transfers of all."""
    if moved:
        times = "once" if transfers == 1 else f"{transfers:,} times"
        return f"{moved:,} of {lines:,} line{'' if lines == 1 else 's'} moved between cores, {times}"
    if shared:
        return f"no line moved between cores; {shared:,} {'was' if shared == 1 else 'were'} had by several"
    return "no line was shared"


def last_accesses(history: Any, name: str, event: int, most: int = 8) -> list[Access]:
    """Who made a line bounce: its last accesses up to an event, the newest first, by core and code path; of an event
    that accesses it several times the last."""
    cursor = history.cursor(event)
    place = cursor.view.place(name)
    slot = place.base + place.cls.offset("accesses")
    events, _, _ = history.series(slot, max(event - _LOOK_BACK, 0), event)
    out = []
    for number in list(dict.fromkeys(events[::-1].tolist()))[:most]:
        cursor.seek(number)
        line = cursor.view[name]
        transfers = slot + place.cls.offset("transfers") - place.cls.offset("accesses")
        moved = any(change.slot == transfers for change in history.changes(number))
        paths = place.cls.FIELDS["path"].values
        out.append(Access(number, line.last - 1, paths[line.path] if line.path else "",
                          line.moved_from - 1 if moved else -1))  # fmt: skip
    return out
