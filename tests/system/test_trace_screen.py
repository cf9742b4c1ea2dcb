"""A trace on the screen: every tab at every size, keys, a what-if; through the tui as it is, which knows no system."""

from __future__ import annotations

from typing import Any

import pytest

from ixviz.draw.cells import plain, width
from ixviz.scenario.load import bundled, load
from ixviz.tui.frame import compose
from ixviz.tui.opening import state_of
from ixviz.tui.search import break_at, find, what_if


@pytest.fixture(scope="module")
def state() -> Any:
    return state_of(load(bundled("coherence-trace")))


def shown(state: Any, cells: int = 80, height: int = 24) -> str:
    frame = compose(state, cells, height)
    assert len(frame.lines) == height and {width(row) for row in frame.lines} == {cells}
    return plain(frame.lines)


def test_it_opens_on_its_first_access(state: Any) -> None:
    state.go(state.branch.picture.opening())
    text = shown(state)
    assert "trace, 4 cores, MESI" in text and "line 40" in text and "moves" in text
    assert "Core 0 reads 0x1000: no cache has it, line 40 comes from memory." in text
    assert "core 3" in text, "the lanes are there at 80 × 24"


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 36), (200, 60)])
def test_every_tab_at_every_event(state: Any, size: tuple[int, int]) -> None:
    for event in (0, 1, 12, 35, 56, len(state.branch.sim.history) - 1):
        state.go(event)
        for tab in state.tabs:
            state.tab = tab
            shown(state, *size)
    state.tab = "Now"


def test_steps_of_every_size_go_there_and_back(state: Any) -> None:
    assert state.branch.sizes == ("event", "bus", "transfer", "line")
    for step in range(4):
        state.step, state.followed = step, None
        state.go(9)
        seen = []
        for _ in range(4):
            state.step_by(1)
            seen.append(state.branch.at)
        assert seen == sorted(set(seen)) and seen[0] > 9
        for expected in seen[-2::-1]:
            state.step_by(-1)
            assert state.branch.at == expected
    state.step = 0


def test_a_transfer_is_found_and_a_condition_breaks(state: Any) -> None:
    state.go(1)
    assert find(state, "transfer core1") is None or find(state, "transfer cache1") is None
    assert state.branch.sim.history.kinds[state.branch.sim.history.event(state.branch.at).kind] == "transfer"
    state.go(1)
    assert break_at(state, "line80.core3 == M and cache3.transfers >= 2", 1) is None
    while state.job is not None:
        state.work()
    assert state.branch.cursor.view["line80"].core3 == 3 and state.branch.cursor.view["cache3"].transfers == 2
    state.found, state.tab = "", "Now"


def test_the_protocol_can_be_turned_in_the_middle(state: Any) -> None:
    state.go(33)  # core 0 has a copy in state E
    assert what_if(state, "system.protocol=moesi") is None
    assert "MOESI" in shown(state) and len(state.branches) == 2
    shown(state, 120, 36)
    assert "only system.protocol" in str(what_if(state, "machine.cache.ways=4"))
    assert "msi does not have" in str(what_if(state, "system.protocol=msi"))
    state.branches.pop()
    state.current = 0
