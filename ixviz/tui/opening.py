"""From a scenario or a lesson's session to the State the screen opens on.

Invariant: little is recorded before the first frame; the recorder does the rest behind it.
"""

from __future__ import annotations

from typing import Any

from .branch import Branch
from .state import State

_FIRST = 300  # events before the first frame


def state_of(scenario: Any = None, session: Any = None, *, ascii: bool = False) -> State:
    """A scenario stands on its first packet's arrival, a lesson on its first beat."""
    from ixviz.scenario.simulate import picture_of, simulate

    if session is not None:
        from .lesson_state import open_lesson

        state = open_lesson(session, picture_of, ascii=ascii)
        _told(state, getattr(session, "listener", None))
        return state
    from ixviz.history import Journal

    sim = simulate(scenario, Journal())
    sim.record(_FIRST)
    branch = Branch(sim, picture_of(sim), scenario, scenario.name)
    state = State([branch], picture_of, title=scenario.title or scenario.name, ascii=ascii)
    state.go(branch.picture.opening())
    return state


def _told(state: State, keeper: Any) -> None:
    """What a keeper of progress has to say comes on the screen: that it goes on, later that it cannot write."""
    if not hasattr(keeper, "tell"):
        return

    def tell(text: str) -> None:
        state.message = text

    keeper.tell = tell
    if keeper.opening:
        tell(keeper.opening)
