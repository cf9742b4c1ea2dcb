"""Fields, components and views: one declaration, three bindings; nothing changes without a write."""

import numpy as np
import pytest
from history.naive import Lamp, Naive, Twin

from ixviz.history import Component, Field, Journal, Slots, View, field


class Nothing(Component):
    """No fields at all."""


def test_a_declaration_is_kept_and_is_no_attribute_of_the_class() -> None:
    assert list(Lamp.FIELDS) == ["lit", "level", "since"]
    assert Lamp.FIELDS["level"] == Field(7, (), "B", "how bright", False)
    assert Lamp.FIELDS["lit"].values == ("off", "on", "broken") and Lamp.FIELDS["since"].hidden
    assert not hasattr(Lamp, "level")
    assert list(Twin.FIELDS) == ["lit", "level", "since", "pair"] and list(Lamp.FIELDS) == ["lit", "level", "since"]
    assert [Twin.offset(n) for n in Twin.FIELDS] == [0, 1, 2, 3]
    with pytest.raises(KeyError):
        Lamp.offset("glow")


@pytest.mark.parametrize("journal", [None, Journal()])
def test_live_fields_are_plain_numbers_with_or_without_a_journal(journal: Journal | None) -> None:
    slots = Slots(journal)
    if journal:
        journal.event(0, 0, 0, -1)
    slots.add(Nothing, "n")
    lamp = slots.add(Lamp, "lamp", lit=2, friend="somebody")
    lamp.level += 3
    assert (lamp.lit, lamp.level, lamp.since, lamp.glow) == (2, 10, 0, 20)
    assert lamp.friend == "somebody" and lamp.name == "lamp"  # type: ignore[attr-defined]
    assert isinstance(lamp, Lamp)
    assert slots.values().tolist() == [2, 10, 0] and slots.size == 3
    assert slots.by_name["lamp"] is lamp


def test_a_name_is_given_once() -> None:
    slots = Slots()
    slots.add(Lamp, "lamp")
    with pytest.raises(ValueError, match="'lamp' already"):
        slots.add(Twin, "lamp")
    assert len(slots.components) == 1 and slots.size == 3


def test_creation_writes_what_is_not_zero_and_assignment_writes_what_changes() -> None:
    n = Naive()
    n.event(kind=0)
    n.add(Lamp)
    lamp = n.add(Twin, lit=1, level=0)
    n.event(5)
    lamp.level = 0  # type: ignore[attr-defined]
    lamp.lit = 1  # type: ignore[attr-defined]
    lamp.lit = 0  # type: ignore[attr-defined]
    lamp.since = -(2**40)  # type: ignore[attr-defined]
    got = [(c.component, c.field, c.old, c.new, c.slot) for c in n.history.changes(0)]
    assert got == [("c0", "level", 0, 7, 1), ("c1", "lit", 0, 1, 3), ("c1", "pair", 0, -1, 6)]
    got = [(c.component, c.field, c.old, c.new, c.slot) for c in n.history.changes(1)]
    assert got == [("c1", "lit", 1, 0, 3), ("c1", "since", 0, -(2**40), 5)]


def test_a_view_reads_the_cursor_and_never_writes() -> None:
    n = Naive()
    n.event(kind=0)
    lamp = n.add(Lamp, lit=2)
    n.event(1)
    n.set(lamp, "level", 9)
    cursor = n.history.cursor(0)
    view = cursor.view["c0"]
    assert (view.lit, view.level, view.glow) == (2, 7, 14) and isinstance(view, Lamp) and view.name == "c0"
    cursor.seek(1)
    assert (view.level, view.glow) == (9, 18) and cursor["c0"] is view
    with pytest.raises(AttributeError, match="never writes"):
        view.level = 1
    assert view.level == 9 and lamp.level == 9  # type: ignore[attr-defined]


def test_a_view_finds_components_that_come_later_and_refuses_what_is_not_there() -> None:
    n = Naive()
    n.event(kind=0)
    n.add(Lamp)
    cursor = n.history.cursor(0)
    assert "c1" not in cursor.view and list(cursor.view) == ["c0"]
    with pytest.raises(KeyError):
        cursor.view["c1"]
    n.event(1)
    n.add(Twin, lit=1)
    assert "c1" in cursor.view and list(cursor.view) == ["c0", "c1"]
    assert cursor.view["c1"].pair == 0  # before it existed its slots hold 0
    cursor.seek(1)
    assert cursor.view["c1"].pair == -1 and cursor.view.place("c1").cls is Twin
    assert cursor.view.slot("c1.pair") == 6
    for unknown in ("c1.glow", "c9.lit", "lit", ""):
        with pytest.raises(KeyError):
            cursor.view.slot(unknown)
    with pytest.raises(KeyError):
        cursor.view.place("c9")


def test_a_component_may_have_dots_in_its_name() -> None:
    slots = Slots()
    slots.add(Lamp, "room.lamp")
    assert View(slots.places, None).slot("room.lamp.level") == 1


def test_every_slot_knows_its_component_and_field() -> None:
    slots = Slots()
    for i in range(9):
        slots.add(Twin if i % 3 else Lamp, f"x{i}")
    view = View(slots.places, None)
    seen = [view.describe(slot) for slot in range(slots.size)]
    assert [f"{c}.{f}" for c, f, _ in seen] == [f"{p.name}.{f}" for p in slots.places for f in p.cls.FIELDS]
    assert all(view.slot(f"{c}.{f}") == slot for slot, (c, f, _) in enumerate(seen))
    assert all(d is view.place(c).cls.FIELDS[f] for c, f, d in seen)


def test_values_loaded_are_not_written_and_may_be_fewer() -> None:
    journal = Journal()
    slots = Slots(journal)
    journal.event(0, 0, 0, -1)
    one, other = slots.add(Lamp, "one"), slots.add(Lamp, "other")
    journal.seal()
    before = journal.count
    slots.load([2, 3, 4, 1])
    assert (one.lit, one.level, one.since, other.lit, other.level) == (2, 3, 4, 1, 7)
    journal.event(1, 1, 0, -1)
    journal.seal()
    assert journal.count == before + 1 and len(journal.chunks[-1].slots) == 0
    other.level = 8
    assert np.array_equal(slots.values(), [2, 3, 4, 1, 8, 0])


def test_field_makes_a_field() -> None:
    assert field(3, values=["a", "b"], unit="ps", doc="d", hidden=True) == Field(3, ("a", "b"), "ps", "d", True)
