"""History files: what was saved is loaded as it was, or refused in one line."""

import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ixviz.history import Component, History, Journal, Slots, field
from ixviz.history import file as history_file
from ixviz.history.file import HistoryFileError, load, save


class Gauge(Component):
    """A component of this test."""

    level: int = field(default=3, doc="how full", unit="B")
    state: int = field(values=("off", "on"))


def made(events: int = 40) -> History:
    """A history with wide and negative values, sealed in several chunks, a component born late."""
    journal = Journal()
    journal.event(0, 0, 0, -1)
    slots = Slots(journal)
    gauges = [slots.add(Gauge, "a"), slots.add(Gauge, "b")]
    for i in range(1, events):
        journal.event(i * 10**10, i % 3, i % 2, i - 1)
        gauges[i % 2].level = (-1) ** i * i * 10**9
        gauges[0].state = i % 2
        if i == events // 2:
            gauges.append(slots.add(Gauge, "late"))
            journal.seal()
    return History(journal, slots, ["start", "up", "down"])


def test_what_is_loaded_answers_as_what_was_saved(tmp_path):
    history = made()
    save(history, tmp_path / "h", {"scenario": "x [red]"})
    again, about = load(tmp_path / "h")
    assert about == {"scenario": "x [red]"} and len(again) == len(history) and again.kinds == history.kinds
    one, other = history.cursor(), again.cursor()
    for event in (0, 7, 39, 20, 3):
        one.seek(event)
        other.seek(event)
        assert one.values().tolist() == other.values().tolist() and one.state_hash() == other.state_hash()
        assert history.event(event) == again.event(event)
        assert history.changes(event) == again.changes(event)
    assert other.view["late"].level == one.view["late"].level
    assert type(again.places[0].cls) is type(Gauge) and again.places[0].cls is Gauge


def test_without_the_class_fields_keep_their_names_and_docs(tmp_path, monkeypatch):
    save(made(), tmp_path / "h")
    monkeypatch.setattr(history_file, "_known", lambda: iter(()))
    again, _ = load(tmp_path / "h")
    place = again.places[1]
    assert place.name == "b" and list(place.cls.FIELDS) == ["level", "state"]
    assert place.cls.FIELDS["level"].doc == "how full" and place.cls.FIELDS["state"].values == ("off", "on")
    cursor = again.cursor(11)
    assert cursor.view["b"].level == -11 * 10**9


def rewritten(source, target, change):
    """A copy of a history file with its head changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "head.json":
                head = json.loads(data)
                change(head)
                data = json.dumps(head).encode()
            new.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda h: h.update(version=2), "version 2, this reads 1"),
        (lambda h: h.update(version="[x]"), "version '[x]'"),
        (lambda h: h.update(format="other"), "not a history file"),
        (lambda h: h.update(events=41), "cut short"),
        (lambda h: h.update(slots=5), "cut short"),
        (lambda h: h.pop("kinds"), "cut short"),
        (lambda h: h["components"].pop(), "cut short"),
        (lambda h: h.update(components=3), "cut short"),
    ],
)
def test_another_version_and_a_wrong_head_are_refused_in_one_line(tmp_path, change, words):
    save(made(), tmp_path / "h")
    rewritten(tmp_path / "h", tmp_path / "bad", change)
    with pytest.raises(HistoryFileError) as told:
        load(tmp_path / "bad")
    assert words in str(told.value) and "\n" not in str(told.value)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.floats(0, 1), st.integers(0, 255), st.booleans())
def test_a_file_cut_or_damaged_anywhere_is_refused_or_whole(tmp_path, where, byte, cut):
    path = tmp_path / "h"
    save(made(), path)
    data = bytearray(path.read_bytes())
    at = int(where * (len(data) - 1))
    if cut:
        data = data[:at]
    else:
        data[at] = byte
    (tmp_path / "bad").write_bytes(data)
    try:
        again, _ = load(tmp_path / "bad")
    except HistoryFileError as told:
        assert "\n" not in str(told)
    else:
        assert not cut and again.cursor(39).values().tolist() == made().cursor(39).values().tolist()


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(HistoryFileError):
            load(path)


def test_saving_leaves_the_old_file_when_it_fails(tmp_path):
    path = tmp_path / "h"
    save(made(), path)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        save(made(), path, {"about": object()})
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["h"]
