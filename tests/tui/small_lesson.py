"""The small lessons of tests/lesson on a screen, and what a test needs to wait for what they compute behind it."""

import time

from lesson.small import OTHER
from tui.bench_machine import press

from ixviz.lesson import Session
from ixviz.lesson.load import load_lesson_text
from ixviz.tui.opening import state_of
from ixviz.tui.state import State


def ready(state: State) -> None:
    """Let what runs in the background finish."""
    end = time.monotonic() + 120
    while (state.lesson._thread is not None or state.lesson._waiting is not None) and time.monotonic() < end:
        state.tick(0.0)
        time.sleep(0.001)
    assert state.lesson._thread is None


def opened(beat: str = "", text: str = OTHER) -> State:
    """A lesson at a beat; all questions before it are skipped."""
    state = state_of(None, Session(load_lesson_text(text)))
    ready(state)
    while beat and state.session.beat.id != beat:
        press(state, "s" if state.asking else "enter")
        ready(state)
    return state


def answer(state: State, *keys: str) -> None:
    """Press keys and ↵, and wait for what comes of it."""
    press(state, *keys, "enter")
    ready(state)
