"""The menu with what was reached: marks, where to go on, the start again; and what is told when nothing can be kept."""

import errno
import os

import pytest
from lesson.small import SMALL
from tui.bench_machine import press, screen

from ixviz.draw.cells import plain
from ixviz.lesson import Session
from ixviz.lesson import load as lesson_load
from ixviz.lesson.load import load_lesson_text
from ixviz.progress import Answer, Head, Record, Store
from ixviz.tui.app import IxvizApp
from ixviz.tui.entries import questions, signs, words
from ixviz.tui.menu import MenuScreen
from ixviz.tui.opening import state_of

HEADS = (Head("one", "First", "f"), Head("text", "Only text"), Head("two", "Second", "f"), Head("three", "Third", "f"))
YES, NO, SKIP = Answer("right", "a", "f"), Answer("wrong", "a", "f"), Answer("skipped", "", "f")


@pytest.fixture
def bundled(tmp_path, monkeypatch):
    """The small lesson as the only one that is bundled."""
    folder = tmp_path / "lessons" / "07-small"
    folder.mkdir(parents=True)
    (folder / "lesson.yaml").write_text(SMALL)
    monkeypatch.setattr(lesson_load, "_CONTENT", (folder.parent,))


@pytest.fixture
def store(tmp_path, bundled):
    """One answer right, one wrong."""
    store = Store(tmp_path / "state")
    session = Session(load_lesson_text(SMALL))
    store.attach(session)
    session.go_on()
    session.answer("b")
    session.go_on()
    session.answer("a")
    session.go_on()
    return store


def row(app, name: str) -> str:
    return next(line for line in app.screen.canvas.text().splitlines() if name in line)


@pytest.mark.parametrize(
    ("answers", "at", "done", "marks", "said"),
    [
        ({}, "one", False, "···", "next: 1, First"),
        ({"one": YES}, "one", False, "✓··", "next: 2, Only text"),
        ({"one": YES, "two": NO}, "two", False, "✓×·", "next: 4, Third"),
        ({"one": SKIP}, "text", False, "···", "next: 2, Only text"),
        ({"one": YES, "two": NO, "three": YES}, None, True, "✓×✓", "2 right, 1 to review"),
        ({"one": YES, "two": Answer("wrong", "a", "f", "right"), "three": SKIP}, None, True, "✓×·",
         "1 right, 1 reviewed, 1 skipped"),
        ({"one": YES, "two": YES, "three": YES}, "one", True, "✓✓✓", "3 right"),
        ({"one": YES, "three": YES}, None, True, "✓·✓", "2 right, 1 new"),
        ({"one": Answer("right", "a", "another question")}, "one", False, "···", "next: 1, First"),
    ],
)  # fmt: skip
def test_marks_and_words(answers, at, done, marks, said):
    record = Record("T", HEADS, answers, at, done)
    assert (signs(record), words(record)) == (marks, said)


def test_questions_are_counted_without_loading():
    assert questions(SMALL) == 4
    assert questions(SMALL.replace("\n  - id:", "\n  -   id:").replace("\n    ", "\n      ")) == 4
    assert (
        questions("id: x\nbeats:\n- id: a\n  say: |\n    predict: no\n  task:\n    ask: y\n- find:\n    ask: z\n") == 2
    )
    assert questions("id: x") == questions("beats: [{predict: 1}]") == questions("x: 1\nbeats:\n") == 0


@pytest.mark.parametrize("width", [80, 120])
async def test_the_row_of_a_lesson(store, width):
    app = IxvizApp(menu=store)
    async with app.run_test(size=(width, 24)):
        assert row(app, "A small lesson").endswith("5 min   ✓×··  next: 4, The average")
        assert row(app, "✓ right") == "✓ right   × wrong at first   · no answer yet"


async def test_nobody_has_begun_a_lesson_yet(tmp_path, bundled):
    app = IxvizApp(menu=Store(tmp_path / "state"))
    async with app.run_test(size=(80, 24)) as pilot:
        assert row(app, "A small lesson").endswith("5 min   ····")
        assert "✓" not in app.screen.canvas.text() and "from the start" not in app.screen.canvas.text()
        await pilot.press("r")
        assert "Machines to play with" in app.screen.canvas.text()
    assert not (tmp_path / "state").exists()


async def test_it_goes_on_and_r_starts_again_and_the_first_answers_stay(store):
    app = IxvizApp(menu=store)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "r from the start" in row(app, "choose")
        await pilot.press("enter")
        text = app.screen.canvas.text()
        assert "4/5" in text and "continued at beat 4; r in the menu starts again" in text
        await pilot.press("q", "r")
        text = app.screen.canvas.text()
        assert "1/5" in text and "from the start; your first answers stay" in text and "right so far" not in text
        await pilot.press("q")
        assert "✓×··" in row(app, "A small lesson")
        await pilot.press("end")
        assert "r from the start" not in row(app, "choose")  # it does nothing on a machine
        await pilot.press("q")
    kept = store.read("small").answers
    assert {beat: answer.result for beat, answer in kept.items()} == {"size": "right", "settle": "wrong"}


async def test_ascii(store):
    app = IxvizApp(menu=store, ascii=True)
    async with app.run_test(size=(80, 24)):
        assert row(app, "A small lesson").endswith("+x..  next: 4, The average")
        assert app.screen.canvas.text().isascii()


def test_what_cannot_be_kept_is_told_on_the_screen_once(tmp_path):
    (tmp_path / "file").write_text("")
    session = Session(load_lesson_text(SMALL))
    store = Store(tmp_path / "file")
    store.attach(session)
    state = state_of(None, session)
    assert "progress is not kept: " in screen(state)
    press(state, "enter")
    assert "progress is not kept" not in screen(state) and session.beat.id == "size" and store.take() == ""


def test_a_disk_that_is_full_later_is_told_with_the_next_beat(tmp_path, monkeypatch):
    session = Session(load_lesson_text(SMALL))
    Store(tmp_path).attach(session)
    state = state_of(None, session)
    while state.lesson._thread is not None:
        state.tick(0.03)
    press(state, "enter")

    def full(fd, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    for keys in (("b", "enter"), ("enter",)):
        while state.lesson._thread is not None:
            state.tick(0.03)
        press(state, *keys)
    while state.lesson._thread is not None:
        state.tick(0.03)
    assert session.beat.id == "settle"
    assert f"progress is not kept: {os.strerror(errno.ENOSPC)}" in screen(state)


def test_what_is_below_the_last_row_is_counted():
    menu = MenuScreen()
    lines = plain(menu.draw(80, 24)).splitlines()
    below = int(next(line for line in lines if "more below" in line).split()[-4])
    rows = sum(line.startswith(("▸ ", "  ")) for line in lines[:18])
    assert below > 0 and rows + below == len(menu.entries) + 1  # and the row for a file
    menu.chosen = len(menu.entries)
    assert "more below" not in plain(menu.draw(80, 24))
