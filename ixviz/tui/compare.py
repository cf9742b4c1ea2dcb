"""The compare screen: hands keys and time to a CompareState, and shows its frame.

Invariant: it decides nothing; what a key means is in compare_keys.py, what is seen in compare_frame.py.
"""

from __future__ import annotations

import time
from typing import Any

from textual import events
from textual.screen import Screen

from . import compare_keys
from .compare_frame import compose
from .compare_state import CompareState
from .lines import Lines_

_FRAME = 1 / 30


class CompareScreen(Screen[None]):
    """Two or three systems on the same packets. q goes back to the screen below, or leaves when there is none."""

    def __init__(self, state: CompareState) -> None:
        super().__init__()
        self.state = state
        self.canvas = Lines_()
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
        self.canvas.put(compose(self.state, width, height or size.height), width)

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        if self.app.screen is self and self.state.tick(min(seconds, 0.25)):
            self.show()

    def on_key(self, event: events.Key) -> None:
        if not compare_keys.press(self.state, event.key, event.character):
            return
        event.stop()
        event.prevent_default()
        leave, self.state.leave = self.state.leave, ""
        if leave == "up":
            if len(self.app.screen_stack) > 1:
                self.app.pop_screen()
            else:
                self.app.exit(return_code=0)
            return
        if leave == "theme":
            self.app.other_theme()
        self.show()

    def on_paste(self, event: events.Paste) -> None:
        if self.state.prompt is not None:
            for character in event.text.splitlines()[0] if event.text else "":
                compare_keys.press(self.state, character, character)
            self.show()
