"""What is computed behind a lesson: whole runs of this beat and of later ones, and how that makes way for keys."""

import threading

import pytest
from lesson.small import OTHER, SMALL, changed
from tui.bench_machine import press, screen
from tui.small_lesson import opened, ready

from ixviz.lesson.load import load_lesson_text
from ixviz.tui import prefetch
from ixviz.tui.evidence import first_difference
from ixviz.tui.prefetch import LONGEST, QUIET, Closed, Patience, needed
from ixviz.tui.turns import Turns


def test_the_whole_runs_a_beat_needs_are_those_it_names() -> None:
    lesson = load_lesson_text(SMALL)
    found = {beat.id: needed(beat, lesson.runs) for beat in lesson.beats}
    assert found == {"intro": [], "size": [], "settle": [], "mean": ["bench"], "knob": ["short"]}
    why = changed("why: It is $(batch.mean as 0.1).", "why: It is $(batch.mean as 0.1), or $(short.batch.mean).", SMALL)
    lesson = load_lesson_text(why)
    assert needed(lesson.beats[3], lesson.runs) == ["bench", "short"]


def test_later_beats_are_made_ready_while_this_one_is_read() -> None:
    state = opened(text=SMALL)
    runs = state.session.runs
    assert not runs.is_ready("short")
    state.lesson.prefetch.go()
    state.lesson.prefetch._thread.join(60)
    assert runs.is_ready("short") and state.session.index == 0
    state.lesson.prefetch.go()
    assert not state.lesson.prefetch.running  # there is nothing left


def test_the_run_of_a_find_is_recorded_to_its_end_before_its_beat() -> None:
    state = opened()
    sim = state.session.runs.recorded("ill")
    state.lesson.prefetch.go()
    state.lesson.prefetch._thread.join(60)
    assert sim.ended
    while state.session.beat.id != "ill":
        press(state, "s" if state.asking else "enter")
        ready(state)
    assert state.branch.sim is sim


def test_a_lesson_that_was_left_computes_nothing() -> None:
    state = opened(text=SMALL)
    state.lesson.prefetch.close()
    state.lesson.prefetch.go()
    assert not state.lesson.prefetch.running and not state.session.runs.is_ready("short")


class Clock:
    """Time that passes only in sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.keys: list[float] = []  # when keys are pressed
        self.patience: Patience | None = None

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        while self.keys and self.keys[0] <= self.now:
            self.keys.pop(0)
            assert self.patience is not None
            self.patience.pressed()


def test_it_rests_while_keys_are_pressed_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(prefetch, "time", clock)
    patience = clock.patience = Patience()
    clock.now = 10.0
    patience.rest()
    assert clock.now < 10.0 + QUIET
    clock.keys = [10.1 * 1, 10.2, 10.3]
    clock.sleep(0.1)
    patience.rest()
    assert 10.3 + QUIET <= clock.now < 10.3 + QUIET + 0.1
    begin = clock.now
    clock.keys = [begin + 0.1 * i for i in range(1, 1000)]
    clock.sleep(0.1)
    patience.rest()
    assert begin + LONGEST <= clock.now < begin + LONGEST + 0.3
    patience.closed = True
    with pytest.raises(Closed):
        patience.rest()


def test_turns_are_taken_again_lent_and_given_back() -> None:
    turns = Turns()
    assert turns.take() and turns.take()
    turns.give()
    seen: list[str] = []

    def record() -> None:
        with turns.recording():
            seen.append("recorded")

    thread = threading.Thread(target=record)
    thread.start()
    thread.join(0.05)
    assert not seen
    held = turns.lend()
    thread.join(10)
    assert seen == ["recorded"]
    turns.back(held)
    assert not turns._lock.acquire(blocking=False)
    turns.give()
    assert turns._lock.acquire(blocking=False)
    assert not turns.take()
    turns.give()  # it is not ours: nothing happens
    assert turns._lock.locked()


def test_a_machine_whose_fault_shows_in_no_event_has_no_evidence() -> None:
    state = opened("ill")
    scenario, sim = state.branch.scenario, state.branch.sim
    assert first_difference(sim, scenario, Turns(), lambda _: None) is not None
    healthy = state.session.runs.recorded_to_end("bench")
    assert first_difference(healthy, state.session.runs.scenario("bench"), Turns(), lambda _: None) is None


def test_figures_of_a_find_are_no_reason_to_hide_the_machine() -> None:
    chart = "    until: end\n    look: {view: chart, of: batches.size}\n    say: $(nic.drops)"
    state = opened("ill", changed("    until: end\n    say: $(nic.drops)", chart, OTHER))
    assert not state.lesson.figures(state)
    press(state, "left")
    assert state.branch.at < state.branch.last() and "the whole run" not in screen(state)
