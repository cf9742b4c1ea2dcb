"""Components and their fields: declared once, bound to a live machine or to a cursor.
Invariant: a field is one integer slot; while a journal is attached no field changes without a write in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, ClassVar, TypeVar

import numpy as np

from ixviz.history.journal import Journal

C = TypeVar("C", bound="Component")


@dataclass(frozen=True)
class Field:
    """One integer slot of a component.

    `values` names the integers of an enumeration (index = value); `unit` is "ps", "B", "cycles" or "" for a count;
    `doc` is one line for the inspector; `hidden` fields belong to the mechanism and are shown only when asked for;
    a `constant` is a knob of the scenario, such as a capacity: only a what-if changes it.
    """

    default: int = 0
    values: tuple[str, ...] = ()
    unit: str = ""
    doc: str = ""
    hidden: bool = False
    constant: bool = False


def field(default: int = 0, *, values: Sequence[str] = (), unit: str = "", doc: str = "", hidden: bool = False,
          constant: bool = False) -> Any:  # fmt: skip
    """Declare a field: `depth: int = field(doc="packets that wait")`. Typed Any so that the annotation counts."""
    return Field(default, tuple(values), unit, doc, hidden, constant)


def _write(name: str, offset: int) -> Any:
    """Data descriptor with `__set__` only: reads go straight to the instance's dict, writes go to the journal.

    A closure, because this is the hottest line of a recorded run: 0.1 µs less than attributes of the descriptor.
    """

    def __set__(self: Any, obj: Any, value: int) -> None:
        state = obj.__dict__
        old = state[name]
        if old != value:
            state[name] = value
            state["_log"]((state["base"] + offset, old, value))

    return type("Write", (), {"__slots__": (), "__set__": __set__})()


class _Read:
    """Field of a view: the cursor's value of the slot; writing through a view is an error."""

    __slots__ = ("offset",)

    def __init__(self, offset: int) -> None:
        self.offset = offset

    def __get__(self, obj: Any, owner: Any = None) -> Any:
        return self if obj is None else obj._source.value(obj.base + self.offset)

    def __set__(self, obj: Any, value: int) -> None:
        raise AttributeError("a view never writes a slot")


class Component:
    """Something a person can see: a ring, a core, a connection.

    A subclass declares its fields with `field()`. Methods may read and assign fields like plain attributes; the same
    class then works unrecorded (plain attributes), recorded (writes go to the journal) and as a view at a cursor.
    """

    FIELDS: ClassVar[Mapping[str, Field]] = {}
    name: str
    base: int

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = {name: f for name, f in vars(cls).items() if isinstance(f, Field)}
        for name in own:
            delattr(cls, name)
        if own:
            cls.FIELDS = {**cls.FIELDS, **own}

    @classmethod
    def offset(cls, name: str) -> int:
        """Position of a field within the component; KeyError if there is none of that name."""
        return _offsets(cls)[name]


_GETTERS: dict[Any, Any] = {}


def _getter(cls: Any) -> Any:
    """The values of a component's fields from its dict, in order; made once for each class."""
    made = _GETTERS.get(cls)
    if made is None:
        names = tuple(cls.FIELDS)
        if len(names) > 1:
            made = itemgetter(*names)
        else:  # itemgetter gives a bare value for one name, and cannot be made for none

            def made(state: dict[str, Any]) -> Sequence[int]:
                return [state[name] for name in names]

        _GETTERS[cls] = made
    return made


_OFFSETS: dict[Any, dict[str, int]] = {}
_BOUND: dict[Any, Any] = {}


def _offsets(cls: Any) -> dict[str, int]:
    made = _OFFSETS.get(cls)
    if made is None:
        made = _OFFSETS[cls] = {name: i for i, name in enumerate(cls.FIELDS)}
    return made


def _bound(cls: Any, descriptor: Any, named: bool) -> Any:
    """The subclass of a component class whose fields are descriptors; made once for each class and binding."""
    made = _BOUND.get((cls, descriptor))
    if made is None:
        members = {n: descriptor(n, i) if named else descriptor(i) for i, n in enumerate(cls.FIELDS)}
        made = _BOUND[cls, descriptor] = type(cls.__name__, (cls,), members)
    return made


@dataclass(frozen=True)
class Place:
    """Where a component lies: its name, its class and the first of its slots."""

    name: str
    cls: type[Component]
    base: int


class Slots:
    """The live machine: its components in order of creation, their fields numbered through.

    With a journal every assignment to a field is written there as (slot, old, new); without one fields are plain
    attributes and cost what attributes cost.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.journal = journal
        self.places: list[Place] = []
        self.components: list[Component] = []
        self.by_name: dict[str, Component] = {}
        self.size = 0

    def add(self, cls: type[C], name: str, **wiring: Any) -> C:
        """Create a component. `wiring` are its constants and links to others (not slots) and initial field values.

        Before creation its slots are 0; initial values that are not 0 are writes of the current event.
        Raises ValueError when the name is taken.
        """
        if name in self.by_name:
            raise ValueError(f"there is a component {name!r} already")
        made = _bound(cls, _write, True) if self.journal else cls
        obj: Any = object.__new__(made)
        state = obj.__dict__
        state["name"], state["base"] = name, self.size
        if self.journal:
            state["_log"] = self.journal.log
        for key in cls.FIELDS:
            state[key] = 0
        self.places.append(Place(name, cls, self.size))
        self.components.append(obj)
        self.by_name[name] = obj
        self.size += len(cls.FIELDS)
        if self.journal:
            self.journal.size = self.size
        for key, declared in cls.FIELDS.items():
            value = wiring.pop(key, declared.default)
            if value:
                setattr(obj, key, value)
        state.update(wiring)
        return obj  # type: ignore[no-any-return]

    def counter(self, component: Component, name: str, also: tuple[Component, str] | None = None) -> Callable[[], int]:
        """A function that adds 1 to a field, and to another one (`also`) with it, and returns the first's new value.

        `component.name += 1` at half its price: for what happens at every packet or stage.
        """
        state = component.__dict__
        slot, log = component.base + type(component).offset(name), state.get("_log")
        if also is not None:
            state2, name2 = also[0].__dict__, also[1]
            slot2 = also[0].base + type(also[0]).offset(name2)

            def count_both() -> int:
                old, old2 = state[name], state2[name2]
                state[name] = new = old + 1
                state2[name2] = old2 + 1
                if log is not None:
                    log((slot, old, new, slot2, old2, old2 + 1))
                return new  # type: ignore[no-any-return]

            return count_both

        def count() -> int:
            old = state[name]
            state[name] = new = old + 1
            if log is not None:
                log((slot, old, new))
            return new  # type: ignore[no-any-return]

        return count

    def values(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """All slots now, int64, shape (size,)."""
        got: list[int] = []
        for c in self.components:
            got += _getter(type(c))(c.__dict__)
        return np.array(got, dtype=np.int64)

    def load(self, values: Sequence[int]) -> list[tuple[Component, str, int]]:
        """Set all slots without a write (the state of a checkpoint). `values` may cover fewer, never more, slots.

        Returns the constants that were something else before: (component, field, what it was), the knobs of a what-if.
        """
        turned = []
        at = iter(values)
        for c in self.components:
            state, fields = c.__dict__, type(c).FIELDS
            for name, value in zip(fields, at, strict=False):
                if state[name] != value:
                    if fields[name].constant:
                        turned.append((c, name, state[name]))
                    state[name] = value
        return turned


class View:
    """The components at a cursor, by name: `view["core0"].stage`. Made on demand and kept."""

    def __init__(self, places: Sequence[Place], source: Any) -> None:
        self._places = places
        self._source = source
        self._index: dict[str, int] = {}
        self._made: dict[str, Component] = {}

    def _find(self, name: str) -> int | None:
        if len(self._index) < len(self._places):
            for i in range(len(self._index), len(self._places)):
                self._index[self._places[i].name] = i
        return self._index.get(name)

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def __getitem__(self, name: str) -> Any:
        made = self._made.get(name)
        if made is None:
            i = self._find(name)
            if i is None:
                raise KeyError(name)
            place = self._places[i]
            made = object.__new__(_bound(place.cls, _Read, False))
            made.__dict__.update(name=place.name, base=place.base, _source=self._source)
            self._made[name] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return (p.name for p in self._places)

    def place(self, name: str) -> Place:
        """Where a component lies; KeyError if there is none of that name."""
        i = self._find(name)
        if i is None:
            raise KeyError(name)
        return self._places[i]

    def slot(self, dotted: str) -> int:
        """The slot of `component.field`; KeyError when either is unknown."""
        name, _, key = dotted.rpartition(".")
        place = self.place(name)
        return place.base + place.cls.offset(key)

    def describe(self, slot: int) -> tuple[str, str, Field]:
        """Component name, field name and declaration of a slot."""
        lo, hi = 0, len(self._places) - 1
        while lo < hi:
            mid = (lo + hi + 1) // 2
            if self._places[mid].base <= slot:
                lo = mid
            else:
                hi = mid - 1
        place = self._places[lo]
        key = list(place.cls.FIELDS)[slot - place.base]
        return place.name, key, place.cls.FIELDS[key]
