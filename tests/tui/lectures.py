"""A lecture on the small lesson, a clock of its own, and what a test needs to press its keys and see its screen."""

import time
from collections.abc import Callable
from typing import Any

from lesson.small import SMALL

from ixviz.draw.cells import plain
from ixviz.lesson.load import load_lesson_text
from ixviz.scenario.simulate import picture_of
from ixviz.tui import present_keys
from ixviz.tui.lecture import lecture
from ixviz.tui.notes_state import Notes, told
from ixviz.tui.present import compose
from ixviz.tui.present_state import Present

ALL = SMALL.replace("    route: lecture\n", "")  # no lecture route: a class is shown all beats


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def until(done: Callable[[], bool], step: Callable[[], Any]) -> None:
    """Let work in the background end."""
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        step()
        time.sleep(0.001)


def ready(present: Present) -> None:
    until(lambda: not present.busy and not present.lesson.preparing and present._pending is None,
          lambda: present.tick(0.03))  # fmt: skip


def opened(text: str = ALL, **options: Any) -> Present:
    """A lecture on its first beat, the clock at 0."""
    present = Present(lecture(load_lesson_text(text)), picture_of, clock=Clock(), **options)
    press(present, "pagedown")
    return present


def press(present: Present, *keys: str) -> str:
    """Press keys, and wait for what they need; what the last one asks of the screen."""
    asked = ""
    for key in keys:
        asked = present_keys.press(present, key, " " if key == "space" else key if len(key) == 1 else None)
        ready(present)
    return asked


def typed(present: Present, counts: str) -> None:
    press(present, *["space" if c == " " else c for c in counts], "enter")


def shown(present: Present, width: int = 80, height: int = 24) -> str:
    return plain(compose(present, width, height).lines)


def at(present: Present, beat: str) -> Present:
    """To a beat by skipping those before."""
    while present.session.beat.id != beat:
        press(present, "s")
    return present


def follow(notes: Notes, present: Present, width: int = 80, height: int = 24) -> None:
    """Tell a notes view what the presenter shows, and wait until it shows it too."""
    compose(present, width, height)
    notes.heard(told(present, width, height, notes.edition))
    until(notes.same, notes.tick)
