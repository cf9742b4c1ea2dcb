"""The compare screen in the app: opened with c from a machine or the menu, left with q; its keys through Textual."""

from compare.small import OPEN, scenario
from textual import events

from ixviz.compare.align import aligned
from ixviz.tui.app import IxvizApp
from ixviz.tui.compare import CompareScreen
from ixviz.tui.compare_choose import ChooseScreen, choices
from ixviz.tui.compare_state import open_state
from ixviz.tui.opening import state_of


async def test_keys_reach_the_comparison_and_q_leaves() -> None:
    state = open_state(aligned([scenario("ix", OPEN), scenario("linux", OPEN)]))
    app = IxvizApp(first=lambda: CompareScreen(state))
    async with app.run_test(size=(120, 36)) as pilot:
        canvas = app.screen.canvas
        before = canvas.text()
        assert "small-ix beside small-linux" in before
        await pilot.press("right")
        assert canvas.text() != before
        await pilot.press("left")
        assert canvas.text() == before
        await pilot.press("g", "5", "0", "u", "s", "enter")
        assert "t 50.000 µs" in canvas.text()
        await pilot.resize_terminal(60, 20)
        assert len(canvas.text().splitlines()) == 20 and "── linux, 2 cores" in canvas.text()
        await pilot.press("q")
    assert app.return_code == 0


def wheel(app: IxvizApp, kind: type[events.MouseEvent]) -> None:
    app.post_message(kind(None, 5, 5, 0, 1, 0, False, False, False))


async def test_the_mouse_goes_to_events_and_steps() -> None:
    state = open_state(aligned([scenario("ix", OPEN), scenario("linux", OPEN)]))
    app = IxvizApp(first=lambda: CompareScreen(state))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["right"] * 9)
        place = state.lock.place
        wheel(app, events.MouseScrollUp)
        await pilot.pause()
        assert state.lock.place != place
        wheel(app, events.MouseScrollDown)
        await pilot.pause()
        assert state.lock.place == place
        other = next(hit for hit in app.screen.hits if hit.data[0] != place.run)
        await pilot.click(offset=(10, other.y0))
        assert state.lock.place[:2] == other.data


async def test_the_mouse_chooses_what_a_machine_is_compared_with() -> None:
    app = IxvizApp(state_of(scenario("ix", OPEN)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        chooser = app.screen
        wheel(app, events.MouseScrollDown)
        await pilot.pause()
        assert chooser.chosen == 1
        names = [each.scenario.name for each in chooser.choices]
        y = next(y for y, row in enumerate(chooser.canvas.text().splitlines()) if f" {names[3]} " in row)
        await pilot.click(offset=(10, y))
        assert chooser.chosen == 3 and app.screen is chooser
        await pilot.click(offset=(10, y))
        assert isinstance(app.screen, CompareScreen)
        assert app.screen.state.given.scenarios[1].name == names[3]


async def test_c_chooses_what_a_machine_is_compared_with_and_q_comes_back() -> None:
    app = IxvizApp(state_of(scenario("ix", OPEN)))
    async with app.run_test(size=(80, 24)) as pilot:
        main = app.screen
        await pilot.press("right", "right", "c")
        assert isinstance(app.screen, ChooseScreen)
        text = app.screen.canvas.text()
        assert "Compare small-ix with" in text and text.index("Other systems") < text.index("The same system")
        assert app.screen.choices[app.screen.chosen].scenario.system.kind != "ix"
        await pilot.press("down", "up", "enter")
        assert isinstance(app.screen, CompareScreen)
        compared = app.screen.state
        assert compared.given.scenarios[0].name == "small-ix"
        while compared.job is not None:
            await pilot.pause(0.02)
        assert compared.lock.place.now == main.state.branch.now > 0
        await pilot.press("q")
        assert app.screen is main
        await pilot.press("c", "q")
        assert app.screen is main


async def test_a_third_can_stand_beside_the_two() -> None:
    app = IxvizApp(state_of(scenario("ix", OPEN)))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("c", "space", "down", "enter")
        assert isinstance(app.screen, CompareScreen) and len(app.screen.state.lock.runs) == 3


async def test_c_in_the_menu_takes_the_chosen_machine() -> None:
    app = IxvizApp()
    async with app.run_test(size=(80, 24)) as pilot:
        menu = app.screen
        while menu.entries[menu.chosen].name != "ix-echo":
            await pilot.press("down")
        await pilot.press("c")
        assert "Compare ix-echo with" in app.screen.canvas.text()
        await pilot.press("q", "home", "c")
        assert app.screen is menu


def test_only_machines_with_packets_are_offered() -> None:
    offered = choices(scenario("linux", OPEN))
    assert all(each.scenario.workload.kind != "none" for each in offered)
    assert [each.other for each in offered] == sorted((each.other for each in offered), reverse=True)
    assert "linux-echo" in [each.scenario.name for each in offered if not each.other]
