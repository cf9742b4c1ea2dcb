"""The state folder: what was reached in each lesson, read for menus and commands, and tied to a running session.

Invariant: no trouble with files gets out of here as an exception (but from `reset`); it is told once, by `take`.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ixviz.progress import files
from ixviz.progress.fingerprint import fingerprint
from ixviz.progress.keeper import Keeper
from ixviz.progress.record import Head, Record, merge

NO_HOME = "there is no home folder, set IXVIZ_STATE to a folder"


def state_folder() -> Path | None:
    """Where ixviz keeps what it remembers: the folder IXVIZ_STATE names, or the system's for states of programs.

    None when there is no home.
    """
    named = os.environ.get("IXVIZ_STATE")
    if named:
        with suppress(RuntimeError):
            return Path(named).expanduser()
        return Path(named)
    import platformdirs

    try:
        folder = Path(platformdirs.user_state_dir("ixviz", appauthor=False))
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None  # older ones give `~/…` back


class Store:
    """The progress of all lessons, in `progress/` of a folder; nothing is written before a session is attached."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder / "progress" if folder is not None else None
        self._news: list[str] = []
        self._told: set[str] = set()
        self._swept = False
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------------------------- reading
    def read(self, lesson: str) -> Record | None:
        """What is kept of a lesson, by its id; None when there is nothing, or nothing that can be read."""
        with suppress(ValueError, files.Broken, files.Newer, OSError):
            return self._read(lesson)
        return None

    def _read(self, lesson: str) -> Record | None:
        return None if self.folder is None else files.read(files.path_of(self.folder, lesson))

    def lessons(self) -> dict[str, Record]:
        """What is kept of every lesson, by id, in the order of the ids."""
        found = ((lesson, self.read(lesson)) for lesson in self.ids())
        return {lesson: record for lesson, record in found if record is not None}

    def ids(self) -> list[str]:
        """The lessons that have a file here, whether or not it can be read."""
        try:
            names = sorted(os.listdir(self.folder)) if self.folder is not None else []
        except OSError:
            return []
        words = (name.removesuffix(".json") for name in names if name.endswith(".json"))
        return [word for word in words if files.is_id(word)]

    def troubles(self) -> list[str]:
        """Why what is there cannot be read, a line each."""
        lines = []
        try:
            if self.folder is not None:
                os.listdir(self.folder)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            lines.append(f"progress cannot be read: {_reason(error)} ({self.folder})")
        for lesson in self.ids():
            try:
                self._read(lesson)
            except files.Broken:
                lines.append(f"the progress of {lesson} cannot be read: {lesson}.json is broken ({self.folder})")
            except files.Newer:
                lines.append(f"the progress of {lesson} cannot be read: a newer ixviz wrote it")
            except OSError as error:
                lines.append(f"the progress of {lesson} cannot be read: {_reason(error)} ({self.folder})")
        return lines

    def take(self) -> str:
        """What has to be told since the last time, on one line; each trouble once. "" for nothing."""
        news, self._news = self._news, []
        return "; ".join(news)

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._news.append(text)

    # ------------------------------------------------------------------------------------------- writing
    def update(self, lesson: str, new: Record) -> bool:
        """Merges what is new into the lesson's file. False when that could not be done (told)."""
        with self._lock:
            try:
                if self.folder is None:
                    raise OSError(0, NO_HOME)
                path = files.path_of(self.folder, lesson)
                with files.locked(self.folder):
                    self._update(path, new)
                return True
            except ValueError:
                self._tell(f"progress is not kept: {lesson} cannot be the id of a lesson")
            except files.Newer:
                self._tell(_newer(lesson))
            except OSError as error:
                where = f" ({self.folder})" if self.folder is not None else ""
                self._tell(f"progress is not kept: {_reason(error)}{where}")
            return False

    def _update(self, path: Path, new: Record) -> None:
        if not self._swept:
            files.sweep(path.parent)
            self._swept = True
        try:
            old = files.read(path)
        except files.Broken:
            aside = files.put_aside(path)
            self._tell(f"progress was broken and begins anew; the old file is now {aside.name}")
            old = None
        merged = merge(old, new)
        if merged != old:
            files.write(path, merged)

    def reset(self, lesson: str | None = None) -> list[str]:
        """Removes what is kept of a lesson, of all without one; the ids of those removed.

        Raises OSError when a file cannot be removed, or was written by a later ixviz (those are left alone).
        """
        gone: list[str] = []
        known = self.ids()
        if self.folder is None or not known:
            return gone
        newer = None
        with self._lock, files.locked(self.folder):
            for each in known if lesson is None else [lesson] if lesson in known else []:
                path = files.path_of(self.folder, each)
                try:
                    files.read(path)
                except files.Newer:
                    newer = each
                    continue
                except (files.Broken, OSError):
                    pass
                if files.remove(path):
                    gone.append(each)
        if newer is not None:
            raise OSError(0, f"the progress of {newer} was written by a newer ixviz, it was not removed")
        return gone

    # ------------------------------------------------------------------------------------------- sessions
    def attach(self, session: Any, start: bool = False, moves: bool = False) -> str | None:
        """Ties a lesson.Session to its file: goes on where the last visit was, and keeps what happens from now on.

        `start` begins at the first beat, with nothing answered in this session; first answers stay in the file. So does
        a lesson that was done with nothing left to review. `moves`: the caller goes to another beat, so where it went
        on is not told. Returns what to tell the learner, on one line, or None.
        """
        lesson = session.lesson
        order = heads(lesson)
        left = self.read(lesson.id)  # why it cannot be read is told by the write that follows
        said = ""
        if left is not None:
            left = replace(left, title=lesson.title, order=order)
            said = self._restore(session, left, start)
            said = "" if moves else said
        keeper = Keeper(self, lesson, order, session)
        session.listener = keeper
        keeper(session)
        keeper.opening = "; ".join(part for part in (self.take(), said) if part)
        return keeper.opening or None

    @staticmethod
    def _restore(session: Any, left: Record, start: bool) -> str:
        counted = left.counted
        if start:
            return "from the start; your first answers stay" if counted else ""
        if left.finished and not left.to_review and not left.open:
            return f"done before, {left.count('right')} right; a new round, your first answers stay"
        session.restore(
            {beat: a.result for beat, a in counted.items()},
            {beat: a.said for beat, a in counted.items() if a.said},
            {beat: a.reviewed for beat, a in counted.items() if a.reviewed},
            left.order[left.next].id if left.order else None,
            left.finished,
        )
        if session.review:
            return f"{left.to_review} to review; r in the menu starts again"
        return f"continued at beat {session.index + 1}; r in the menu starts again" if session.index else ""


def heads(lesson: Any) -> tuple[Head, ...]:
    """The beats of a lesson.Lesson."""
    return tuple(Head(beat.id, beat.title, fingerprint(beat.action)) for beat in lesson.beats)


def _newer(lesson: str) -> str:
    return f"the progress of {lesson} was written by a newer ixviz; it is left alone, and nothing is kept now"


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


__all__ = ["Store", "heads", "state_folder"]
