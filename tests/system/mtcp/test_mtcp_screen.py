"""An mTCP machine on the screen: every tab at every size, steps, a condition, a what-if; the tui knows no system."""

from __future__ import annotations

from typing import Any

import pytest
from system.screens import SIZES, every_tab, shown, steps_there_and_back

from ixviz.scenario.load import bundled, load
from ixviz.tui.opening import state_of
from ixviz.tui.search import break_at, what_if

SETS = ["machine.cores=1", "machine.hyperthreads=false", "workload.connections=30", "workload.messages=unlimited",
        "run.warmup=0", "run.until=2 ms"]  # fmt: skip


@pytest.fixture(scope="module")
def state() -> Any:
    return state_of(load(bundled("mtcp-echo"), SETS))


def test_it_opens_on_its_first_packet_and_shows_both_threads(state: Any) -> None:
    state.go(state.branch.picture.opening())
    text = shown(state)
    assert "mtcp, 1 core, chunk 64" in text and "Packet 1 arrives in q0." in text
    for word in ("ring q0", "TCP", "events", "app", "jobs", "for the application", "for the TCP thread", "sleeps"):
        assert word in text


@pytest.mark.parametrize("size", SIZES)
def test_every_tab_at_every_size(state: Any, size: tuple[int, int]) -> None:
    every_tab(state, (0, 1, 60, 200), size)


def test_steps_of_every_size_go_there_and_back(state: Any) -> None:
    steps_there_and_back(state, "event", "stage", "round", "switch", "packet")


def test_the_condition_it_suggests_holds_somewhere(state: Any) -> None:
    state.go(1)
    assert break_at(state, state.branch.picture.condition, 1) is None
    while state.job is not None:
        state.work()
    assert state.branch.cursor.view["core0.events"].depth >= 5
    state.found, state.tab = "", "Now"


def test_its_knobs_can_be_turned_in_the_middle(state: Any) -> None:
    for knob in state.branch.picture.knobs[:3]:
        state.go(33)
        assert what_if(state, f"{knob.key}={knob.value}") is None
        shown(state)
    assert len(state.branches) == 4
