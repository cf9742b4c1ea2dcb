"""Whole runs and long records, made in the background in small slices: of this beat, and of those to come.

Invariant: it moves nothing and shows nothing; it rests while keys are pressed, and between slices anybody may go on.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ixviz.lesson.model import Beat, Find, Prose

from .turns import Turns

QUIET = 0.15  # seconds without a key before work goes on
LONGEST = 3.0  # seconds that it rests between two slices, however many keys are pressed
SLICE = 2_000  # events recorded at once
SWITCH = 0.001  # seconds after which a computing thread lets the screen have its turn


class Closed(Exception):
    """The lesson was left: nobody needs this any more."""


class Patience:
    """Waits between two slices of work until no key was pressed for a moment."""

    def __init__(self) -> None:
        self.closed = False
        self._pressed = 0.0

    def pressed(self) -> None:
        """A key was pressed just now."""
        self._pressed = time.monotonic()

    def rest(self, _: float = 0.0) -> None:
        """Between two slices. Raises Closed."""
        end = time.monotonic() + LONGEST
        while not self.closed and time.monotonic() < min(self._pressed + QUIET, end):
            time.sleep(0.01)
        if self.closed:
            raise Closed
        time.sleep(0.0005)  # whoever waits for the machines gets them


class Prefetch:
    """Prepares the beats to come, one after the other, while the learner reads."""

    def __init__(self, session: Any, turns: Turns) -> None:
        self.session, self.turns, self.patience = session, turns, Patience()
        self._done: set[str] = set()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._thread is not None and self._thread.is_alive()

    def go(self) -> None:
        """Begin, if there is anything left to do."""
        if not self.running and not self.patience.closed and any(True for _ in self._left()):
            self._thread = started(self._work, "prefetch")

    def close(self) -> None:
        """No more work."""
        self.patience.closed = True

    def _left(self) -> Iterator[Beat]:
        session = self.session
        if not session.review and str(session.phase) != "over":
            yield from (beat for beat in session.beats[session.index + 1 :] if beat.id not in self._done)

    def _work(self) -> None:
        while (beat := next(self._left(), None)) is not None:
            self._done.add(beat.id)
            runs = self.session.runs
            try:
                wholes(runs, beat, self.patience.rest)
                if isinstance(beat.action, Find) and beat.run != self.session.beat.run:
                    to_end(runs, beat.run, self.turns, self.patience.rest)
            except Closed:
                return
            except Exception:  # an author's mistake is told when its beat comes
                continue


def started(work: Callable[[], None], name: str) -> threading.Thread:
    """A thread that is at work."""
    sys.setswitchinterval(SWITCH)  # for all threads; it stays so, it costs next to nothing
    thread = threading.Thread(target=work, daemon=True, name=name)
    thread.start()
    return thread


def wholes(runs: Any, beat: Beat, rest: Callable[[float], None]) -> None:
    """The figures of all whole runs that a beat will need."""
    for name in needed(beat, runs.specs):
        runs.whole(name, rest)
        runs.metrics(name)


def to_end(runs: Any, run: str, turns: Turns, rest: Callable[[float], None]) -> None:
    """A run recorded to its end."""
    while True:
        with turns.recording():
            sim = runs.recorded(run)
            if sim.ended:
                return
            runs.recorded(run, sim.journal.count + SLICE)
        rest(0.0)


def needed(beat: Beat, specs: Mapping[str, Any]) -> list[str]:
    """The runs of which a beat will need figures of the whole run. Branches are none: they are recorded."""
    found = dict.fromkeys(beat.figures_of)
    if "end" in (beat.until, beat.reveal):
        found[beat.run] = None
        names = "|".join(map(re.escape, specs))
        for text in _texts(beat):
            found.update(dict.fromkeys(re.findall(rf"\b({names})\.", text)))
    return [run for run in found if run in specs and specs[run].at is None]


def _texts(thing: Any) -> Iterator[str]:
    """All prose, formulas and words of a beat."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Prose):
        yield thing.text
    elif isinstance(thing, Mapping):
        for value in thing.values():
            yield from _texts(value)
    elif isinstance(thing, tuple | list):
        for value in thing:
            yield from _texts(value)
    elif is_dataclass(thing) and type(thing).__module__ == Beat.__module__:
        for each in fields(thing):
            yield from _texts(getattr(thing, each.name))
