"""The one widget: shows a frame, and asks the terminal for its changed lines only.

Invariant: `render_line` does no work, it returns strips made when the frame changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ixviz.draw.cells import Line, Lines, Span, ascii_twin, merged
from ixviz.draw.cells import width as cells

from .style import palette

_segment: Callable[..., Segment] = partial(tuple.__new__, Segment)  # of (text, style, None): 5 % of a frame's time


class Lines_(Widget):
    """A full-screen widget of lines; `put` gives it the next frame."""

    DEFAULT_CSS = "Lines_ { width: 1fr; height: 1fr; }"
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.colours = "dark"
        self.ascii = False
        self._lines: Lines = []
        self._strips: list[Strip] = []
        self._width = 0

    def put(self, lines: Lines, width: int = 0) -> None:
        """Show these lines, `width` cells wide; only those that differ from the last frame are drawn again."""
        width = width or self._width or self.size.width
        old = self._lines if width == self._width else []
        self._width = width
        changed = [y for y, line in enumerate(lines) if y >= len(old) or (line is not old[y] and line != old[y])]
        changed += range(len(lines), len(old))
        self._lines = lines
        strips = self._strips[: len(lines)] + [Strip.blank(0)] * max(len(lines) - len(self._strips), 0)
        for y in changed:
            if y < len(lines):
                strips[y] = self._strip(lines[y])
        self._strips = strips
        if len(changed) > len(lines) // 2:
            self.refresh()
        elif changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def again(self) -> None:
        """Make all strips anew: other colours, other signs."""
        lines, self._lines, self._strips = self._lines, [], []
        self.put(lines)

    def text(self) -> str:
        """What is on the screen, for tests."""
        return "\n".join(strip.text.rstrip() for strip in self._strips)

    def render_line(self, y: int) -> Strip:
        return self._strips[y] if y < len(self._strips) else _blank(self.size.width, self.colours)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of `crop` as they are: true colours on their ground, which no rule of CSS and no filter changes.

        Textual would copy each line twice, half of its part of a frame; what has no colours still goes that way.
        """
        if self.colours == "plain":
            return super().render_lines(crop)
        width = self.size.width
        strips = [self.render_line(y).adjust_cell_length(width) for y in crop.line_range]
        return strips if crop.width == width else [strip.crop(*crop.column_span) for strip in strips]

    def _strip(self, line: Line) -> Strip:
        """A line with neighbours of one style joined: Textual looks at each segment several times."""
        styles = palette(self.colours)
        spans = ascii_twin(line) if self.ascii else line
        used, width = cells(spans), self._width or self.size.width
        if used < width:
            spans = (*spans, Span(" " * (width - used)))
        return Strip([_segment((text, styles[style], None)) for text, style in merged(spans)], max(used, width))


@lru_cache(64)
def _blank(width: int, colours: str) -> Strip:
    return Strip.blank(width, palette(colours)[""])
