"""What a screen has to keep, whatever the system: every tab at every size, steps that lead there and back.
Invariant: a state that was shared by tests is left as it was found."""

from __future__ import annotations

from typing import Any

from ixviz.draw.cells import plain, width
from ixviz.tui.frame import compose

SIZES = [(40, 12), (60, 20), (80, 24), (120, 36), (200, 60)]


def shown(state: Any, cells: int = 80, height: int = 24) -> str:
    """The screen as text, every line of it full."""
    frame = compose(state, cells, height)
    assert len(frame.lines) == height and {width(row) for row in frame.lines} == {cells}
    return plain(frame.lines)


def every_tab(state: Any, events: tuple[int, ...], size: tuple[int, int]) -> None:
    """Each tab at these events and at the last one."""
    for event in (*events, len(state.branch.sim.history) - 1):
        state.go(event)
        for tab in state.tabs:
            state.tab = tab
            shown(state, *size)
    state.tab = "Now"


def steps_there_and_back(state: Any, *sizes: str) -> None:
    """Steps of each of these sizes go forward, and back over the same events."""
    assert state.branch.sizes == sizes
    for step in range(len(sizes)):
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
