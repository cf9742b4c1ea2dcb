"""A lesson or scenario that is saved while it is open is shown as it is now, where the reader was.

Invariant: what is on the screen is always the last good one; a file that cannot be read changes its messages only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ixviz.lesson.model import LessonError
from ixviz.scenario.load import SETS, load, with_changes
from ixviz.scenario.messages import Problem, Problems
from ixviz.scenario.simulate import CaptureError
from ixviz.scenario.source import Node

from .carried import asked, restore
from .prefetch import Closed, Patience, started, wholes
from .state import State
from .watch import Watch

POLL = 0.5  # seconds between two looks at the files
_SCENARIO = re.compile(r"\bscenario:\s*[\"']?([^\s\"',}]+\.ya?ml)\b")
_KEPT = ("step", "speed", "zoom", "chart", "core", "followed", "everything", "help", "found", "breakpoint", "part",
         "tab")  # fmt: skip


class Reload:
    """Looks at the files of a State now and then. `start` runs the work of a reload (tests: at once)."""

    def __init__(self, state: State, path: Path, start: Callable[[Callable[[], None], str], Any] = started) -> None:
        self.state, self.path, self._start = state, path, start
        self.patience = Patience()
        self._watch = Watch([path])
        self._watch.follow(self._paths())
        self._waited = 0.0
        self._thread: Any = None
        self._made: Callable[[], State] | None = None  # puts the new state at the place of the old one
        self._wrong: tuple[str, ...] = ()
        if state.lesson is not None:
            state.lesson.watched = True

    def tick(self, seconds: float) -> State | None:
        """Time has passed. The State to show when something has changed: a new one, or the same with messages."""
        if self._thread is not None and self._thread.is_alive():
            return None
        if self._made is not None or self._wrong:
            return self._show()
        self._waited += seconds
        if self._waited >= POLL:
            self._waited = 0.0
            if self._watch.changed():
                self._thread = self._start(self._work, "reload")
        return None

    def close(self) -> None:
        """No more looks, and no more work."""
        self.patience.closed = True

    # ---------------------------------------------------------------- in the background
    def _work(self) -> None:
        try:
            if not self.path.is_file():
                raise Problems([Problem(str(self.path), 0, 0, "", "no such file")])
            self._made = self._scenario() if self.state.session is None else self._lesson()
        except Problems as error:
            self._wrong = tuple(self._short(str(problem)) for problem in error.problems)
        except (CaptureError, LessonError, OSError) as error:
            self._wrong = (self._short(str(error)),)
        except Closed:
            return
        except Exception as error:  # ours, not the author's: what is open stays usable
            self._wrong = (f"this should not have happened: {type(error).__name__}: {error}",)
        self._watch.follow(self._paths())

    def _short(self, message: str) -> str:
        """A message without the folder of the file, which its reader knows."""
        return message.replace(f"{self.path.parent}{os.sep}", "")

    def _paths(self) -> list[Path]:
        """The file, and those of its scenarios, also while it or they are broken."""
        found = [self.path]
        if self.state.session is not None:
            specs = self.state.session.lesson.runs.values()
            found += [spec.scenario.path for spec in specs if spec.scenario is not None and spec.scenario.path]
            try:
                text = self.path.read_bytes()[:1_000_000].decode("utf-8", "replace")
            except OSError:
                text = ""
            found += [self.path.parent / name for name in _SCENARIO.findall(text)]
        return found

    def _scenario(self) -> Callable[[], State]:
        from .opening import state_of

        old = self.state
        scenario = load(self.path)
        changes = given_sets(old.branches[0].scenario.tree)
        new = state_of(with_changes(scenario, changes) if changes else scenario, ascii=old.ascii)

        def go() -> None:
            """To where the old one stands: the same event if it is at the same time, else the same time."""
            event, now = old.branch.at, old.branch.now
            history = new.branch.sim.history
            if event < len(history) and history.event(event).time == old.branch.cursor.time:
                new.go(event)
                new.branch.now = max(now, new.branch.now)
            else:
                new.go_to_time(now)

        new.go_to_time(old.branch.now)
        while new.job is not None:
            new.work()
            self.patience.rest()

        def put() -> State:
            _keep(old, new, _KEPT)
            go()
            new.message = "reloaded" + ("; the branches of what if are gone" if len(old.branches) > 1 else "")
            return new

        return put

    def _lesson(self) -> Callable[[], State]:
        from ixviz.lesson import Session

        from .opening import state_of

        old = self.state
        session = Session(self._loaded(old.session.lesson), old.session.route)
        restore(session, old.session)
        wholes(session.runs, session.beat, self.patience.rest)
        session.simulation()
        session.texts()
        session.prepare()

        def put() -> State:
            before = old.session
            restore(session, before)
            attach = getattr(getattr(before.listener, "store", None), "attach", None)
            if attach is not None:
                attach(session, True)  # from now on this one is kept; what was answered is restored already
            hints = len(old.lesson.texts().hints) if old.lesson.asking and old.lesson.texts() is not None else 0
            same = session.beat.id == before.beat.id and asked(session.beat.action) == asked(before.beat.action)
            for _ in range(hints if same else 0):
                session.hint()
            new = state_of(None, session, ascii=old.ascii)
            _keep(old, new, _KEPT if same else ("step", "speed", "help"))
            if same and new.lesson.asking:
                _keep(old.lesson, new.lesson, ("chosen", "rule", "typed"))
            new.message = "reloaded" if session.beat.id == before.beat.id else "reloaded; that beat is gone"
            return new

        return put

    def _loaded(self, before: Any) -> Any:
        """The lesson as it is saved now, with the numbers of the same student. Raises Problems."""
        from ixviz.lesson import load_lesson
        from ixviz.lesson.student import lesson_for, student_of

        lesson, student = load_lesson(self.path), student_of(before)
        if not student:
            return lesson
        try:
            return lesson_for(lesson, student)
        except ValueError as error:
            raise Problems([Problem(str(self.path), 0, 0, "", str(error))]) from None

    # ---------------------------------------------------------------- on the screen
    def _show(self) -> State | None:
        old = self.state
        if self._wrong:
            old.broken, self._wrong, old.message = self._wrong, (), ""
            return old
        if old.prompt is not None or (old.lesson is not None and old.lesson.judging):
            return None  # not while somebody types a line, or waits for a machine of a task
        assert self._made is not None
        put, self._made = self._made, None
        try:
            new = put()
        except LessonError as error:
            old.broken = (str(error),)
            return old
        if old.lesson is not None:
            old.lesson.prefetch.close()
            new.lesson.watched = True
        self.state = new
        return new


def watched(state: State) -> Reload | None:
    """What looks at the file of a State; None for one that came from no file."""
    of = state.session.lesson if state.session is not None else state.branches[0].scenario
    path = getattr(of, "path", None)
    return Reload(state, path) if path is not None else None


def _keep(old: Any, new: Any, names: tuple[str, ...]) -> None:
    for name in names:
        setattr(new, name, getattr(old, name))


def given_sets(tree: Node) -> dict[str, Node]:
    """What `--set` had put into a scenario, by its path: it stays when the file is read anew."""
    found: dict[str, Node] = {}

    def below(node: Node, path: str) -> None:
        for key, each in node.children():
            inner = f"{path}.{key}" if path else str(key)
            if isinstance(each.value, dict):
                below(each, inner)
            elif each.file == SETS:
                found[inner] = each
            elif isinstance(each.value, list):
                below(each, inner)

    below(tree, "")
    return found


__all__ = ["Reload", "given_sets", "watched"]
