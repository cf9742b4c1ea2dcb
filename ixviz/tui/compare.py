"""The compare screen: hands keys, mouse and time to a CompareState, and shows its frame.

Invariant: it decides nothing; what a key means is in compare_keys.py, what is seen in compare_frame.py.
"""

from __future__ import annotations

from typing import Any

from textual import events

from . import compare_keys
from .canvas import CanvasScreen
from .compare_frame import compose
from .compare_state import CompareState
from .hits import Hit


class CompareScreen(CanvasScreen[None]):
    """Two or three systems on the same packets. q goes back to the screen below, or leaves when there is none."""

    def __init__(self, state: CompareState) -> None:
        super().__init__(state.ascii)
        self.state = state

    def draw(self, width: int, height: int) -> Any:
        frame = compose(self.state, width, height)
        self.hits = frame.hits
        return frame.lines

    def tick(self, seconds: float) -> bool:
        return self.state.tick(seconds)

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

    def clicked(self, hit: Hit, x: int, dragging: bool) -> None:
        if not dragging:  # the lines move with every place
            compare_keys.click(self.state, hit)
            self.show()

    def wheel(self, by: int) -> None:
        compare_keys.wheel(self.state, by)
        self.show()

    def on_paste(self, event: events.Paste) -> None:
        if self.state.prompt is not None:
            for character in event.text.splitlines()[0] if event.text else "":
                compare_keys.press(self.state, character, character)
            self.show()
