"""A canvas of braille dots, two by four in a cell, on which charts draw their lines.

Invariant: whatever is drawn, only dots inside the canvas are set, in time proportional to its size per segment.
"""

_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of a braille cell
# [column][lowest][highest]: the dots of a column of a cell between two heights, the bottom one is 0
_RUNS = tuple(
    tuple(tuple(sum(_BITS[3 - y][x] for y in range(low, high + 1)) for high in range(4)) for low in range(4))
    for x in range(2)
)


class Canvas:
    """`width` × `height` cells; the origin of the dots is the lower left, `x` up to 2 width, `y` up to 4 height."""

    __slots__ = ("cells", "dots_x", "dots_y", "height", "owner", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.dots_x, self.dots_y = 2 * width, 4 * height
        self.cells = [[0] * width for _ in range(height)]
        self.owner = [[0] * width for _ in range(height)]  # the number of the series drawn last in a cell

    def column(self, x: int, low: int, high: int, owner: int) -> None:
        """Set the dots of column `x` from `low` to `high`."""
        if low > high:
            low, high = high, low
        low, high = max(low, 0), min(high, self.dots_y - 1)
        if not 0 <= x < self.dots_x or low > high:
            return
        runs, cell = _RUNS[x & 1], x >> 1
        for up in range(low >> 2, (high >> 2) + 1):
            row, y = self.height - 1 - up, 4 * up
            self.cells[row][cell] |= runs[max(low - y, 0)][min(high - y, 3)]
            self.owner[row][cell] = owner

    def segment(self, x0: int, y0: int, x1: int, y1: int, owner: int, step: bool) -> None:
        """A line from one dot to another (x0 ≤ x1); with `step` level at y0, then up or down at x1."""
        if step or x0 == x1:
            if 0 <= y0 < self.dots_y:
                row, bits = self.height - 1 - (y0 >> 2), _BITS[3 - (y0 & 3)]
                for x in range(max(x0, 0), min(x1, self.dots_x)):
                    self.cells[row][x >> 1] |= bits[x & 1]
                    self.owner[row][x >> 1] = owner
            self.column(x1, y0, y1, owner)
            return
        last = y0 + (y1 - y0) * (max(x0, 0) - x0) // (x1 - x0)
        for x in range(max(x0, 0), min(x1, self.dots_x - 1) + 1):
            y = y0 + (y1 - y0) * (x - x0) // (x1 - x0)
            # A steep line fills its column from where the last one ended, but does not draw that dot twice.
            self.column(x, last + (y > last) - (y < last), y, owner)
            last = y
