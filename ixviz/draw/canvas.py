"""A canvas of braille dots, two by four in a cell, on which charts draw their lines.

Invariant: whatever is drawn, only dots inside the canvas are set, in time proportional to its size and the points.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], dtype=np.uint8)  # a braille cell's dots


class Canvas:
    """`width` × `height` cells; the origin of the dots is the lower left, `x` up to 2 width, `y` up to 4 height."""

    __slots__ = ("cells", "dots_x", "dots_y", "height", "owner", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.dots_x, self.dots_y = 2 * width, 4 * height
        self.cells = np.zeros((height, width), np.uint8)
        self.owner = np.zeros((height, width), np.int64)  # the number of the series drawn last in a cell

    def path(self, xs: Ints, ys: Ints, owner: int, step: bool) -> None:
        """Lines from dot to dot, `xs` ascending; with `step` level until the next x, then up or down.

        A column's dots are a run without holes, so the lowest and the highest of each column say all.
        """
        if not len(xs):
            return
        columns = np.arange(max(xs[0], 0), min(xs[-1], self.dots_x - 1) + 1)
        if not len(columns):
            return
        after = np.searchsorted(xs, columns)
        start = np.maximum(after - 1, 0)
        here = before = ys[start]
        if not step:
            rise, run = ys[after] - ys[start], np.maximum(xs[after] - xs[start], 1)
            here = ys[start] + rise * (columns - xs[start]) // run
            before = ys[start] + rise * (columns - 1 - xs[start]) // run
            # A steep line fills its column from where the last one ended, but does not draw that dot twice.
            before = before + np.sign(here - before)
            before = np.where(columns == columns[0], here, before)
        low, high = np.minimum(here, before), np.maximum(here, before)
        shown = (xs >= columns[0]) & (xs <= columns[-1])
        np.minimum.at(low, xs[shown] - columns[0], ys[shown])
        np.maximum.at(high, xs[shown] - columns[0], ys[shown])
        self._fill(int(columns[0]), low, high, owner)

    def _fill(self, first: int, low: Ints, high: Ints, owner: int) -> None:
        """Set the dots of the columns from `first` on, each from its lowest to its highest."""
        rows = np.arange(self.dots_y)[::-1, None]
        dots = np.zeros((self.dots_y, self.dots_x), np.uint8)
        dots[:, first : first + len(low)] = (rows >= low) & (rows <= high)
        cells = np.einsum("yixj,ij->yx", dots.reshape(self.height, 4, self.width, 2), _BITS)
        self.cells |= cells
        self.owner[cells > 0] = owner
