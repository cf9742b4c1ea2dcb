"""The app itself: keys through Textual, resizes during play, the mouse, a question's keys."""

from types import SimpleNamespace

import pytest
from textual.geometry import Region
from textual.widget import Widget
from tui.bench_machine import bench

from ixviz.tui.app import IxvizApp


async def test_keys_reach_the_state_and_the_screen_follows() -> None:
    app = IxvizApp(bench())
    async with app.run_test(size=(80, 24)) as pilot:
        canvas = app.screen.canvas
        before = canvas.text()
        assert "Packet 1 arrives in q0." in before
        await pilot.press("right")
        assert "Core 0 polls and takes 1 packet." in canvas.text()
        await pilot.press("left")
        assert canvas.text() == before
        await pilot.press("tab")
        assert "[Why]" in canvas.text()
        await pilot.press("q")
    assert app.return_code == 0


async def test_two_hundred_resizes_during_play_do_no_harm() -> None:
    app = IxvizApp(bench())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        for i in range(200):
            await pilot.resize_terminal(30 + (i * 37) % 120, 8 + (i * 13) % 40)
        assert app.screen.state.playing
        await pilot.resize_terminal(80, 24)
        await pilot.press("space", "home")
        text = app.screen.canvas.text()
        assert "this is the start" in text
        assert len(text.splitlines()) == 24


@pytest.mark.parametrize("look", [{}, {"light": True}, {"ascii": True}])
async def test_our_strips_are_what_textual_would_have_made_of_them(look) -> None:
    """`Lines_.render_lines` leaves out Textual's own way: not one sign or colour may differ."""
    app = IxvizApp(bench(), **look)
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.press("right", "right", "tab")
        canvas = app.screen.canvas
        for crop in (Region(0, 0, 90, 30), Region(0, 7, 90, 1), Region(11, 3, 40, 9), Region(0, 27, 90, 3)):
            ours, theirs = canvas.render_lines(crop), Widget.render_lines(canvas, crop)
            assert [strip.cell_length for strip in ours] == [crop.width] * crop.height
            assert [_cells(strip) for strip in ours] == [_cells(strip) for strip in theirs]


def _cells(strip):
    """A sign and its colours for each cell."""
    return [(sign, style and (style.color, style.bgcolor, style.bold, style.italic))
            for text, style, _ in strip for sign in text]  # fmt: skip


async def test_the_mouse_scrubs_and_chooses_tabs() -> None:
    app = IxvizApp(bench())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["right"] * 29)
        state = app.screen.state
        row = next(y for y, line in enumerate(app.screen.canvas.text().splitlines()) if line.startswith("core 0     ▕"))
        await pilot.click(offset=(11 + 10, row))
        assert 2_900_000 <= state.branch.now <= 3_100_000
        tabs = next(y for y, line in enumerate(app.screen.canvas.text().splitlines()) if "[Now]" in line)
        x = app.screen.canvas.text().splitlines()[tabs].index("Log")
        await pilot.click(offset=(x, tabs))
        assert state.tab == "Log"


class Session:
    """As much of lesson.Session as a question needs."""

    def __init__(self) -> None:
        self.phase, self.action, self.index, self.score, self.review = "asking", "choose", 0, "", False
        self.beat = SimpleNamespace(title="A beat")
        self.beats, self.wrong = (self.beat,), ()
        self.lesson = SimpleNamespace(title="A lesson")
        self.look = None
        self.answers: list[str] = []
        self.position = SimpleNamespace(run="bench", event=16)
        self.view_event = 16

    def texts(self):
        choices = tuple(SimpleNamespace(letter=c, text=f"choice {c}") for c in "abcde")
        return SimpleNamespace(title="", say="Say.", ask="Ask?", choices=choices, wanted="a-e", hints=(), outcome=None,
                               why="", leaves_out="", back="")  # fmt: skip

    def answer(self, text: str):
        self.answers.append(text)
        return SimpleNamespace(kind="unusable", message="no")


async def test_a_question_owns_its_keys_and_enter_answers() -> None:
    from ixviz.tui.lesson_state import LessonState

    state = bench()
    session = Session()
    state.session, state.lesson, state.tab = session, LessonState(session, None), "Lesson"
    state.lesson._texts = session.texts()
    state.branch.limit = 16
    state.go(16)
    app = IxvizApp(state)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b", "5", "d")
        assert state.prompt is None  # b is an answer, not a break
        assert state.tab == "Lesson"  # 5 is no tab
        assert state.lesson.chosen == 3
        assert session.answers == []
        await pilot.press("right")
        assert state.branch.at == 16
        await pilot.press("left", "pagedown")
        assert state.branch.at < 16
        assert session.answers == []
        await pilot.press("enter")
        assert session.answers == ["d"]
        await pilot.press("q")
        assert "Machines to play with" in app.screen.canvas.text()
        assert app.return_code is None
        await pilot.press("q")
    assert app.return_code == 0


async def test_the_menu_opens_a_scenario_and_comes_back() -> None:
    app = IxvizApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("home")
        wanted = next(i for i, entry in enumerate(app.screen.entries) if entry.name == "ix-one-core")
        await pilot.press(*["down"] * wanted)
        assert "▸ ix-one-core" in " ".join(app.screen.canvas.text().split())
        await pilot.press("enter")
        assert "arrives in q0" in app.screen.canvas.text()
        await pilot.press("q")
        assert "Machines to play with" in app.screen.canvas.text()
