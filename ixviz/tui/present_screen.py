"""The two screens of a lecture: the presenter's, and the notes that follow it.

Invariant: they decide nothing; what a key means is in present_keys.py, what is seen in present.py and notes.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual import events

from . import follow, notes, present, present_keys
from .canvas import CanvasScreen
from .lecture import edition
from .notes_state import Notes, told
from .present_reload import quiet, take, take_notes
from .present_state import Present
from .reload import watched


class _Watched(CanvasScreen[None]):
    """A screen of lines that is drawn when something has changed, with the lesson as it was saved last.

    `passed(seconds)` lets time pass and says whether to draw; `reloaded(state)`: the file was saved, go on with this.
    """

    passed: Callable[[float], bool]
    reloaded: Callable[[Any], None]

    def __init__(self, state: Any) -> None:
        super().__init__(state.ascii)
        self.reload = watched(state)
        quiet(state)

    def tick(self, seconds: float) -> bool:
        changed = self.passed(seconds)
        new = self.reload.tick(seconds) if self.reload is not None else None
        if new is not None:
            self.reloaded(new)
        return changed or new is not None

    def on_unmount(self) -> None:
        if self.reload is not None:
            self.reload.close()


class PresentScreen(_Watched):
    """A lecture. `folder`: where its address is left for the notes; None when there is no place for it."""

    def __init__(self, lecture: Present, folder: Path | None) -> None:
        super().__init__(lecture.state)
        self.lecture = lecture
        self.speaker = follow.Speaker(folder, lecture.session.lesson.id)
        self.edition = edition(lecture.session.lesson)

    async def on_mount(self) -> None:  # type: ignore[override]  # Textual calls that of the class above too
        try:
            await self.speaker.open()
        except OSError as error:
            self.lecture.message = f"the notes view cannot follow: {error.strerror or error}"

    async def on_unmount(self) -> None:  # type: ignore[override]  # as on_mount
        self.lecture.close()
        await self.speaker.close()

    def draw(self, width: int, height: int) -> Any:
        frame = present.compose(self.lecture, width, height)
        self.lecture.size = (width, height)
        self.speaker.say(told(self.lecture, width, height, self.edition))
        return frame.lines

    def passed(self, seconds: float) -> bool:
        return self.lecture.tick(seconds)

    def reloaded(self, state: Any) -> None:
        take(self.lecture, state)
        self.edition = edition(self.lecture.session.lesson)

    def on_paste(self, event: events.Paste) -> None:
        for character in event.text.splitlines()[0] if event.text else "":
            if character in "0123456789 ,":  # counts
                present_keys.press(self.lecture, character, character)
        self.show()

    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+p":
            return
        event.stop()
        event.prevent_default()
        wanted = present_keys.press(self.lecture, event.key, event.character)
        if wanted == "leave":
            self.app.go_up()
            return
        if wanted == "theme":
            self.app.other_theme()
        self.show()


class NotesScreen(_Watched):
    """The lecturer's notes. `folder`: where a presenter leaves its address."""

    def __init__(self, own: Notes, folder: Path) -> None:
        super().__init__(own.present.state)
        self.notes = own
        self.path = follow.address_file(folder, own.present.session.lesson.id)

    def on_mount(self) -> None:
        self.run_worker(follow.listen(self.path, self._heard, self._gone))

    def on_unmount(self) -> None:
        self.notes.present.close()

    def _heard(self, message: Any) -> None:
        self.notes.heard(message)
        self.show()

    def _gone(self, why: str) -> None:
        if why != self.notes.why:
            self.notes.gone(why)
            self.show()

    def draw(self, width: int, height: int) -> Any:
        return notes.compose(self.notes, width, height).lines

    def passed(self, seconds: float) -> bool:
        return self.notes.tick()

    def reloaded(self, state: Any) -> None:
        take_notes(self.notes, state)

    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+p":
            return
        event.stop()
        event.prevent_default()
        if event.key in ("q", "escape"):
            self.app.go_up()
            return
        if event.key == "tab":
            self.notes.picture_only = not self.notes.picture_only
        elif event.key in ("down", "up"):
            self.notes.scroll = max(self.notes.scroll + (1 if event.key == "down" else -1), 0)
        elif event.character == "T":
            self.app.other_theme()
        self.show()


def lecture_screen(path: Path, folder: Path | None, *, notes: bool, ascii: bool) -> CanvasScreen[None]:
    """The presenter's screen of a lesson, or with `notes` the one that follows it. Raises Problems, and ValueError for
    notes without a state folder."""
    from ixviz.lesson.load import load_lesson
    from ixviz.scenario.simulate import picture_of

    from .lecture import lecture

    session = lecture(load_lesson(path))
    if not notes:
        return PresentScreen(Present(session, picture_of, ascii=ascii), folder)
    if folder is None:
        raise ValueError("notes follow a presenter through the state folder, and there is none: set IXVIZ_STATE")
    return NotesScreen(Notes(session, picture_of, ascii=ascii), folder)
