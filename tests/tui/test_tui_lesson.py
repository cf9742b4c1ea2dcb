"""Lesson 02 on the screen: figures of whole runs, two machines side by side, what comes back, the published values."""

import time

import pytest
from tui.bench_machine import press, screen

from ixviz.lesson import Session, load_lesson
from ixviz.tui.opening import state_of
from ixviz.tui.state import State


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(load_lesson("lessons/02-batching"))


def ready(state: State) -> None:
    """Let what runs in the background finish."""
    end = time.monotonic() + 60
    while state.lesson._thread is not None and time.monotonic() < end:
        state.tick(0.03)
        time.sleep(0.001)


def at(state: State, beat: str) -> None:
    """To a beat, skipping all questions on the way."""
    for _ in range(40):
        ready(state)
        if state.session.beat.id == beat:
            return
        press(state, "s" if state.asking else "enter")
    raise AssertionError(beat)


def test_the_lesson_from_end_to_end(session: Session) -> None:
    state = state_of(None, session)
    assert "1 cell = 1 packet" in screen(state) and "h hint" not in screen(state)
    press(state, "h")
    assert "there is no hint here" in screen(state)

    at(state, "low")
    press(state, "b", "enter")
    ready(state)
    shown = screen(state)
    assert "% of requests done" in shown and "one lies on the other" in shown and "← → step" not in shown
    press(state, "right")
    assert "m shows the machine" in screen(state)
    press(state, "C")
    assert "no moment to look at" in screen(state) and "nothing to draw" not in screen(state)
    press(state, "m", "right")
    assert "the whole run" not in screen(state) and state.branch.at > 0
    press(state, "m")
    assert "arrivals" not in screen(state, 120, 36)  # no lanes of one moment below figures of whole runs

    at(state, "price")
    assert "h hint" in screen(state)
    press(state, "s")
    ready(state)
    now = state.branch.now
    both = screen(state).split("[Lesson]")[0]
    assert "4: 7" in both and both.count("▲ now") == 2
    press(state, "left")
    assert state.branch.now < now
    assert screen(state).split("[Lesson]")[0] != both

    at(state, "smallest")
    press(state, "2", "enter")
    assert "simulating" in screen(state)
    ready(state)
    assert "batch_bound = 2: latency.p99 is" in screen(state)

    at(state, "differs")
    shown = screen(state)
    assert "the paper" in shown and "1.80 M/s   fitted" in shown and "predicted" in shown

    press(state, "enter")
    ready(state)
    assert session.review and "Once more · Does a large B cost latency?" in screen(state)
    press(state, "s", "enter")
    ready(state)
    shown = screen(state)
    assert state.lesson.over and "To look at again:" in shown and "ring" not in shown
