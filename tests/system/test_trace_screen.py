"""A trace on the screen: every tab at every size, keys, a what-if; through the tui as it is, which knows no system."""

from __future__ import annotations

from typing import Any

import pytest
from system.screens import SIZES, every_tab, shown, steps_there_and_back

from ixviz.scenario.load import bundled, load
from ixviz.tui.opening import state_of
from ixviz.tui.search import break_at, find, what_if


@pytest.fixture(scope="module")
def state() -> Any:
    return state_of(load(bundled("coherence-trace")))


def test_it_opens_on_its_first_access(state: Any) -> None:
    state.go(state.branch.picture.opening())
    text = shown(state)
    assert "trace, 4 cores, MESI" in text and "line 40" in text and "moves" in text
    assert "Core 0 reads 0x1000: no cache has it, line 40 comes from memory." in text
    assert "core 3" in text, "the lanes are there at 80 × 24"


@pytest.mark.parametrize("size", SIZES)
def test_every_tab_at_every_event(state: Any, size: tuple[int, int]) -> None:
    every_tab(state, (0, 1, 12, 35, 56), size)


def test_steps_of_every_size_go_there_and_back(state: Any) -> None:
    steps_there_and_back(state, "event", "bus", "transfer", "line")


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
