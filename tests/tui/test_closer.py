"""Looking close (z) at a run of which only decisions are recorded, and its views (V): keys, screen and terminal."""

import re
from bisect import bisect_right

import pytest
from system.control.test_control import decisions
from system.control.test_control_picture import UP
from tui.bench_machine import bench, press, screen, typed

from ixviz.tui.app import IxvizApp
from ixviz.tui.opening import state_of
from ixviz.tui.state import State

MS = 10**9


def climbing(at: str = "") -> State:
    """Cores that join one after the other, at a time of the run."""
    state = state_of(UP)
    while not state.branch.ended:
        state.branch.record(1.0)
    if at:
        press(state, "g")
        typed(state, at)
    return state


def test_z_makes_a_branch_of_a_millisecond_around_now_and_the_run_stays_as_it_is() -> None:
    state = climbing("20.3 ms")
    run = state.branch
    before, events = screen(state), len(run.sim.history)
    press(state, "z")
    close = state.branch
    assert [branch.name for branch in state.branches] == [run.name, "close-up 1"] and close is not run
    assert close.sim.recorded and close.ended and close.now == run.now == 20_300_000_000
    times = [close.sim.history.event(number).time for number in (0, len(close.sim.history) - 1)]
    assert times[0] == run.now - MS // 2 and run.now + MS // 2 - times[1] < MS // 10
    assert state.message.startswith("close-up 1: every event of 1 ms, made in ")
    text = screen(state)
    assert "ix, 4 cores, 8 hyperthreads, B 4" in screen(state, 120, 36)
    assert ["parked" in line for line in text.splitlines()[4:12]] == [False] * 4 + [True] * 4, "core 3 has just joined"
    press(state, "v")
    state.message = ""
    assert state.branch is run and screen(state).splitlines()[2:] == before.splitlines()[2:]
    assert len(run.sim.history) == events


def test_what_is_close_cannot_be_looked_at_closer() -> None:
    state = climbing("20.3 ms")
    press(state, "z", "z")
    assert len(state.branches) == 2 and "all of this is recorded already" in screen(state)
    press(state, "v", "g")
    typed(state, "4.1 ms")
    press(state, "z")
    assert [branch.name for branch in state.branches][1:] == ["close-up 1", "close-up 2"]
    assert state.branch.now == 4_100_000_000


@pytest.mark.parametrize("key", ["home", "end"])
def test_at_the_ends_of_the_run(key: str) -> None:
    state = climbing()
    press(state, key, "z")
    assert state.branch.name == "close-up 1" and state.branch.ended
    assert state.branch.now == state.branches[0].now
    assert state.branch.sim.now <= state.branches[0].sim.now


def test_close_to_a_what_if_and_to_what_was_before_it() -> None:
    """What is seen is what happened in that branch: the knob is turned where it was, not at some checkpoint before."""
    state = climbing("10.1 ms")
    press(state, "x")
    typed(state, "system.batch_bound=1")
    branch = state.branch
    branch.record(10.0)
    assert branch.ended and decisions(branch.sim) != decisions(state.branches[0].sim)
    for at, shown, first in (("20.6 ms", branch, 20_100_000_000), ("10.2 ms", branch, 10_000_000_000),
                             ("9 ms", state.branches[0], 8_500_000_000)):  # fmt: skip
        state.current = 1
        press(state, "g")
        typed(state, at)
        press(state, "z")
        close = state.branch.sim
        assert close.history.event(0).time == first, "the branch's own time begins at its fork"
        known = len(close.control.migration.table) - 1
        assert close.control.migration.table.commanded[:known] == shown.sim.control.migration.table.commanded[:known]
        arrived = bisect_right(shown.sim.feed.packets.arrives, close.now) - 1
        assert close.slots.by_name["nic"].arrived == arrived
        assert close.bound == (1 if shown is branch else 4)


def test_a_machine_that_is_recorded_in_full_says_so() -> None:
    state = bench()
    press(state, "z")
    assert len(state.branches) == 1 and "all of this is recorded already: [ shows less time in a cell" in screen(state)


# ------------------------------------------------------------------------------------------------ views
def test_the_control_plane_has_its_flow_groups_as_a_view() -> None:
    state = climbing("22 ms")
    first = screen(state)
    assert "clock 1.2 GHz, step 3 of 17" in first and "4 cores, 8 hyperthreads" in screen(state, 120, 36)
    press(state, "V")
    grid = screen(state)
    assert state.message == "view: flow groups" and "every group has one owner" in grid
    assert "step 3 of 17" not in grid
    press(state, "V")
    state.message = ""
    assert screen(state) == first


def test_close_up_a_migration_has_a_panel() -> None:
    state = climbing("20.1 ms")
    press(state, "z")
    seen = {}
    for _ in state.branch.picture.views:
        press(state, "V")
        seen[state.message] = screen(state)
    assert list(seen) == ["view: cache lines", "view: flow groups", "view: control", "view: migration", "view: machine"]
    assert "Migration 4: 11 flow groups, core 0 → core 3" in seen["view: migration"]
    assert "step 2 → 3: core 3 joins, 4 cores at 1.2 GHz" in seen["view: control"]
    assert "Flow groups: the core of each entry of the RETA" in seen["view: flow groups"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_the_words_of_the_control_plane_are_explained_in_full(size: tuple[int, int]) -> None:
    state = climbing()
    press(state, "question_mark")
    pages = [screen(state, *size)]
    for _ in range(100):
        press(state, "down")
        pages.append(screen(state, *size))
    seen = dict.fromkeys(line.strip() for page in pages for line in page.splitlines()[1:-1])
    told = re.sub(r"\s+", " ", " ".join(seen))
    for word, meaning in state.branch.picture.glossary:
        assert f"{word} {meaning}" in told


# ------------------------------------------------------------------------------------------------ through Textual
async def test_in_a_terminal() -> None:
    app = IxvizApp(climbing("20.1 ms"))
    async with app.run_test(size=(80, 24)) as pilot:
        canvas, state = app.screen.canvas, app.screen.state
        assert "UP  step 2 → 3: core 3 joins, 4 cores at 1.2 GHz" in canvas.text()
        await pilot.press("z")
        while state.job is not None:
            await pilot.pause(0.02)
        await pilot.pause()
        assert "close-up 1" in canvas.text() and "parked" in canvas.text()
        await pilot.press("V", "V", "V", "V")
        assert "Migration 4: 11 flow groups" in canvas.text()
        await pilot.resize_terminal(120, 36)
        assert "ix, 4 cores, 8 hyperthreads, B 4" in canvas.text()
        await pilot.press("v", "q")
    assert app.return_code == 0
