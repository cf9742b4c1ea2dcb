"""The main screen: hands keys, mouse and time to the State, and shows its frame.

Invariant: it decides nothing; what a key means is in actions.py, what is seen is in frame.py.
"""

from __future__ import annotations

import time
from typing import Any

from textual import events
from textual.screen import Screen

from . import actions, pressing
from .frame import Hit, compose
from .lines import Lines_
from .state import State

_FRAME = 1 / 30


class MainScreen(Screen[str]):
    """One scenario or lesson. Dismissed with "up" (q), or the app ends."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state
        self.canvas = Lines_()
        self.hits: list[Hit] = []
        self._last = 0.0

    def compose(self) -> Any:
        yield self.canvas

    def on_mount(self) -> None:
        self.canvas.ascii = self.state.ascii
        self.app.dress(self)
        self.show()  # before the first paint, which would else be an empty one
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._last = time.monotonic()
        self.set_interval(_FRAME, self._tick)

    def on_resize(self, event: events.Resize) -> None:
        self.show(event.size.width, event.size.height)

    def show(self, width: int = 0, height: int = 0) -> None:
        """Draw the present state."""
        size = self.app.size
        width = width or size.width
        frame = compose(self.state, width, height or size.height)
        self.hits = frame.hits
        self.canvas.put(frame.lines, width)

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        if self.app.screen is self and self.state.tick(min(seconds, 0.25)):
            self.show()

    # ---------------------------------------------------------------- keys and mouse
    def on_key(self, event: events.Key) -> None:
        if pressing.press(self.state, event.key, event.character):
            event.stop()
            event.prevent_default()
            self.after()

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
            self.app.go_up()
            return
        if leave == "quit":
            self.app.exit(return_code=0)
        elif leave == "theme":
            self.app.other_theme()
        elif leave == "palette":
            self.app.action_command_palette()
        self.show()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._point(event.screen_x, event.screen_y, dragging=False)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button == 1:
            self._point(event.screen_x, event.screen_y, dragging=True)

    def _point(self, x: int, y: int, *, dragging: bool) -> None:
        if self.state.help:
            return
        for hit in self.hits:
            if hit.y0 <= y < hit.y1 and hit.x0 <= x < hit.x1:
                self._hit(hit, x, y, dragging)
                self.after()
                return

    def _hit(self, hit: Hit, x: int, y: int, dragging: bool) -> None:
        state = self.state
        if hit.kind == "time":
            state.playing = False
            state.message = ""
            start, cell = hit.data
            state.go_to_time(start + (x - hit.x0) * cell + cell // 2)
        elif dragging:
            return
        elif hit.kind == "tab":
            state.tab = hit.data
        elif hit.kind == "part":
            state.tab, state.part = "Parts", hit.data
            name = str(hit.data)
            if name.startswith("core") and name[4:].isdigit():
                state.core = int(name[4:])

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(-3)

    def _wheel(self, by: int) -> None:
        if self.state.help:
            self.state.scroll["help"] = max(self.state.scroll.get("help", 0) + by, 0)
        else:
            actions.scroll(self.state, -by if self.state.tab == "Log" else by)
        self.show()
