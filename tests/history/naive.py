"""A history kept naively: all slots after every event, all writes in a list. Small machines to write with."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as attr

from ixviz.history import Component, History, Journal, Slots, field

KINDS = ("start", "a", "b", "c")
M = 2**64


class Lamp(Component):
    """Three fields, one with a default."""

    lit: int = field(values=("off", "on", "broken"))
    level: int = field(7, unit="B", doc="how bright")
    since: int = field(unit="ps", hidden=True)

    @property
    def glow(self) -> int:
        """Read from two fields."""
        return self.lit * self.level


class Twin(Lamp):
    """Inherits three, adds one."""

    pair: int = field(-1)


def hash_of(slots: dict[int, int]) -> int:
    """The state hash, from its definition: a sum over the slots that hold something."""
    total = 0
    for slot, value in slots.items():
        if value:
            x = ((slot + 1) * 0x9E3779B97F4A7C15 % M) ^ (value % M * 0xBF58476D1CE4E5B9 % M)
            x = (x ^ (x >> 30)) * 0x94D049BB133111EB % M
            total += x ^ (x >> 31)
    return total % M


@dataclass
class Naive:
    """A machine that records, and beside it what a careful clerk would write down."""

    journal: Journal = attr(default_factory=Journal)
    time: int = 0
    states: list[dict[int, int]] = attr(default_factory=list)  # after each event
    events: list[tuple[int, int, int, int]] = attr(default_factory=list)  # time, kind, subject, cause
    writes: list[list[tuple[int, int, int]]] = attr(default_factory=list)  # of each event: slot, old, new

    def __post_init__(self) -> None:
        self.slots = Slots(self.journal)
        self.history = History(self.journal, self.slots, KINDS)

    def event(self, later: int = 0, kind: int = 1, subject: int = 0, cause: int = -1) -> int:
        """Open the next event, `later` ps after the last."""
        self.time += later
        self.journal.seal_if_full()
        number = self.journal.event(self.time, kind, subject, cause)
        self.states.append(dict(self.states[-1]) if self.states else {})
        self.events.append((self.time, kind, subject, cause))
        self.writes.append([])
        return number

    def add(self, cls: type[Component], **values: int) -> Component:
        """Create a component within the present event."""
        made = self.slots.add(cls, f"c{len(self.slots.components)}", **values)
        for i, (name, declared) in enumerate(cls.FIELDS.items()):
            self._note(made.base + i, values.get(name, declared.default))
        return made

    def set(self, component: Component, name: str, value: int) -> None:
        """Assign a field within the present event."""
        setattr(component, name, value)
        self._note(component.base + list(type(component).FIELDS).index(name), value)

    def _note(self, slot: int, value: int) -> None:
        state = self.states[-1]
        old = state.get(slot, 0)
        state[slot] = value
        if old != value:
            self.writes[-1].append((slot, old, value))

    # ------------------------------------------------------------------ questions, answered by looking at everything
    def series(self, slot: int, first: int, last: int) -> list[tuple[int, int, int]]:
        """(event, time, new) of every write to a slot."""
        return [
            (e, self.events[e][0], new)
            for e in range(first, last + 1) for s, _, new in self.writes[e] if s == slot
        ]  # fmt: skip

    def at_time(self, time: int) -> int:
        """Last event at or before a time, -1 if none."""
        return max((e for e, (t, *_) in enumerate(self.events) if t <= time), default=-1)

    def held(self, slot: int, event: int) -> int:
        """A slot after an event."""
        return self.states[event].get(slot, 0)


def script(naive: Naive, ops: list[tuple[int, ...]]) -> Naive:
    """Events from a list of numbers: (later, kind, cause, then triples which, field, value); may add components."""
    naive.event(0, 0)
    naive.add(Lamp)
    for later, kind, back, *rest in ops:
        count = len(naive.events)
        naive.event(later, kind, 0, count - back if 0 < back <= count else -1)
        for which, name, value in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            if name == 9:
                naive.add(Twin, pair=value)
                continue
            part = naive.slots.components[which % len(naive.slots.components)]
            fields = list(type(part).FIELDS)
            naive.set(part, fields[name % len(fields)], value)
    return naive
