"""What every screen of ours is: one widget of lines, drawn anew when its size or its state changes.

Invariant: it decides nothing; a subclass says what is drawn, what a tick does and what a key means.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from textual import events
from textual.screen import Screen

from ixviz.draw.cells import Lines

from .hits import Hit, hit_at
from .lines import Lines_

FRAME = 1 / 30  # seconds between two ticks
_LONGEST = 0.25  # seconds that a tick may stand for: after a pause time does not jump
Result = TypeVar("Result")


class CanvasScreen(Screen[Result], Generic[Result]):
    """A screen of lines. `draw(width, height)` gives the frame's, `tick(seconds)` lets time pass and says whether to
    draw again; `ticks`: whether it passes at all. `hits` are the places of the frame that the mouse knows."""

    ticks = True
    draw: Callable[[int, int], Lines]
    tick: Callable[[float], bool]

    def __init__(self, ascii: bool) -> None:
        super().__init__()
        self.canvas = Lines_()
        self.canvas.ascii = ascii
        self.hits: list[Hit] = []
        self._last = 0.0

    def compose(self) -> Any:
        yield self.canvas

    def on_mount(self) -> None:
        self.app.dress(self)
        self.show()  # before the first paint, which would else be an empty one
        if self.ticks:
            self.call_after_refresh(self.begin)

    def begin(self) -> None:
        """The first frame is there: let time pass."""
        self._last = time.monotonic()
        self.set_interval(FRAME, self._tick)

    def on_resize(self, event: events.Resize) -> None:
        self.show(event.size.width, event.size.height)

    def show(self, width: int = 0, height: int = 0) -> None:
        """Draw the present state."""
        size = self.app.size
        width, height = width or size.width, height or size.height
        self.canvas.put(self.draw(width, height), width)

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        if self.app.screen is self and self.tick(min(seconds, _LONGEST)):
            self.show()

    # ---------------------------------------------------------------- the mouse
    def clicked(self, hit: Hit, x: int, dragging: bool) -> None:
        """The mouse, pressed or dragged at column `x` of one of `hits`."""

    def wheel(self, by: int) -> None:
        """The wheel by a notch: 1 down, -1 up."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._point(event.screen_x, event.screen_y, dragging=False)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button == 1:
            self._point(event.screen_x, event.screen_y, dragging=True)

    def _point(self, x: int, y: int, *, dragging: bool) -> None:
        hit = hit_at(self.hits, x, y)
        if hit is not None:
            self.clicked(hit, x, dragging)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.wheel(-1)
