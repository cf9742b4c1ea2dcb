"""The main screen: hands keys, mouse and time to the State, and shows its frame.

Invariant: it decides nothing; what a key means is in actions.py, what is seen is in frame.py.
"""

from __future__ import annotations

from typing import Any

from textual import events

from ixviz.draw.cells import Lines

from . import actions, pressing
from .canvas import CanvasScreen
from .frame import compose
from .hits import Hit
from .state import State


class MainScreen(CanvasScreen[str]):
    """One scenario or lesson. Dismissed with "up" (q), or the app ends."""

    def __init__(self, state: State) -> None:
        super().__init__(state.ascii)
        self.state = state
        self.reload: Any = None

    def begin(self) -> None:
        from .reload import watched  # not needed for the first frame

        self.reload = watched(self.state)
        super().begin()

    def draw(self, width: int, height: int) -> Lines:
        frame = compose(self.state, width, height)
        self.hits = frame.hits
        return frame.lines

    def tick(self, seconds: float) -> bool:
        changed = self.state.tick(seconds)
        if self.state.lesson is not None and not self.state.lesson.preparing:
            self.state.lesson.prefetch.go()
        new = self.reload.tick(seconds) if self.reload is not None else None
        if new is not None and new is not self.state:
            if self.app.state is self.state:
                self.app.state = new
            self.state = new
        return changed or new is not None

    # ---------------------------------------------------------------- keys and mouse
    def on_key(self, event: events.Key) -> None:
        self._rest()
        if pressing.press(self.state, event.key, event.character):
            event.stop()
            event.prevent_default()
            self.after()

    def _rest(self) -> None:
        """Let what goes on in the background rest for a moment."""
        for patient in (self.reload, self.state.lesson and self.state.lesson.prefetch):
            if patient is not None:
                patient.patience.pressed()

    def on_unmount(self) -> None:
        self._close()

    def _close(self) -> None:
        if self.reload is not None:
            self.reload.close()
        if self.state.lesson is not None:
            self.state.lesson.prefetch.close()

    def on_paste(self, event: events.Paste) -> None:
        if self.state.prompt is not None:
            for character in event.text.splitlines()[0] if event.text else "":
                pressing.press(self.state, character, character)
            self.show()

    def act(self, action: str) -> None:
        """An action of the table by name (the palette)."""
        pressing.run(self.state, action)
        self.after()

    def after(self) -> None:
        """What a state asks its screen for, then the next frame."""
        leave, self.state.leave = self.state.leave, ""
        if leave == "up":
            self.state.playing = False
            self._close()
            self.app.go_up()
            return
        if leave == "quit":
            self.app.exit(return_code=0)
        elif leave == "theme":
            self.app.other_theme()
        elif leave == "palette":
            self.app.action_command_palette()
        elif leave == "compare":
            self._compare()
        self.show()

    def _compare(self) -> None:
        from .compare_choose import ChooseScreen  # loads every bundled scenario

        self.state.playing = False
        branch = self.state.branch
        self.app.push_screen(ChooseScreen(branch.scenario, self.state.ascii, branch.now))

    def clicked(self, hit: Hit, x: int, dragging: bool) -> None:
        if not self.state.help:
            pressing.click(self.state, hit, x, dragging=dragging)
            self.after()

    def wheel(self, by: int) -> None:
        by *= 3
        if self.state.help:
            self.state.scroll_help(by)
        else:
            actions.scroll(self.state, -by if self.state.tab == "Log" else by)
        self.show()
