"""A lesson that is saved while it is presented: the class and the notes go on where they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lesson.small import changed
from tui.lectures import ALL, Clock, at, follow, press, ready, shown

from ixviz.draw.cells import plain
from ixviz.lesson.load import load_lesson
from ixviz.scenario.simulate import picture_of
from ixviz.tui import notes as notes_screen
from ixviz.tui.app import IxvizApp
from ixviz.tui.lecture import lecture
from ixviz.tui.notes_state import Notes
from ixviz.tui.present_reload import quiet, take, take_notes
from ixviz.tui.present_screen import PresentScreen
from ixviz.tui.present_state import Present
from ixviz.tui.reload import POLL, Reload


def at_once(work: Callable[[], None], name: str) -> None:
    work()


class Lecture:
    """A lesson's file, its presenter and its notes, as their screens have them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text(ALL)
        self.present = Present(lecture(load_lesson(path)), picture_of, clock=Clock())
        self.notes = Notes(lecture(load_lesson(path)), picture_of)
        self.reloads = [Reload(each.state, path, at_once) for each in (self.present, self.notes.present)]
        quiet(self.present.state)
        quiet(self.notes.present.state)

    def save(self, text: str) -> None:
        self.path.write_text(text)
        for reload, put in zip(self.reloads, (lambda new: take(self.present, new),
                                              lambda new: take_notes(self.notes, new)), strict=True):  # fmt: skip
            for _ in range(4):
                new = reload.tick(POLL)
                if new is not None:
                    put(new)
        ready(self.present)

    def both(self) -> tuple[str, str]:
        follow(self.notes, self.present)
        return shown(self.present), plain(notes_screen.compose(self.notes, 120, 36).lines)


@pytest.fixture
def given(tmp_path: Path) -> Lecture:
    made = Lecture(tmp_path / "lesson.yaml")
    press(made.present, "pagedown")
    at(made.present, "size")
    return made


def test_the_question_stays_open_with_its_new_words_its_counts_and_the_time(given: Lecture) -> None:
    press(given.present, "3", "space", "4", "space", "5", "enter")
    given.present.clock.now += 65
    used = given.present.used()
    given.save(changed("Batch 2 has $(batch(2).size) packets.", "Batch 2 holds $(batch(2).size) packets.", ALL))
    here, there = given.both()
    assert given.present.session.beat.id == "size" and given.present.lesson.asking
    assert "Batch 2 holds 4 packets." in here and "Batch 2 holds 4 packets." in there
    assert given.present.counts() == (3, 4, 5) and given.present.used() == used
    assert "start both again" not in there, "both have the new edition"
    assert not given.present.lesson.watched


def test_what_was_revealed_stays_revealed(given: Lecture) -> None:
    press(given.present, "pagedown")
    assert given.present.answered
    given.save(changed("why: It took", "why: It has taken", ALL))
    here, there = given.both()
    assert given.present.answered and "It has taken" in here and "It has taken" in there
    press(given.present, "pageup")
    assert given.present.lesson.asking and "It has taken" not in given.both()[0]


def test_another_question_is_open_again(given: Lecture) -> None:
    press(given.present, "pagedown")
    given.save(changed("How many will batch 3 have?", "How many packets will batch 3 have?", ALL))
    assert given.present.session.beat.id == "size" and given.present.lesson.asking
    press(given.present, "pagedown")
    assert given.present.answered


def test_a_broken_file_is_told_and_changes_nothing(given: Lecture) -> None:
    before = given.both()[0].splitlines()[:-2]
    given.save(changed("    title: What came meanwhile", "    titel: What came meanwhile", ALL))
    after = given.both()[0]
    assert "the file is broken" in after and after.splitlines()[:-2] == before
    press(given.present, "pagedown")
    assert given.present.answered and "broken" not in shown(given.present)
    given.save(changed("Batch 2 has", "Batch 2 holds", ALL))
    press(given.present, "pageup")
    assert "Batch 2 holds" in given.both()[0]


async def test_the_screen_looks_at_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lesson.yaml"
    path.write_text(ALL)
    present = Present(lecture(load_lesson(path)), picture_of)
    app = IxvizApp(first=lambda: PresentScreen(present, tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("pagedown")
        edition = app.screen.edition
        path.write_text(changed("At most", "Never more than", ALL))
        for _ in range(600):
            if "Never more than" in app.screen.canvas.text():
                break
            await pilot.pause(0.01)
        assert "Never more than 64 packets" in app.screen.canvas.text() and app.screen.edition != edition
        await pilot.press("q")
    assert app.return_code == 0
