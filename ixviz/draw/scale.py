"""Scales of chart axes: ranges that can be drawn, round ticks, and where a value lies.

Invariant: nothing here overflows or divides by zero, however large, small or equal the ends of a range are.
"""

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .numbers import as_float, count


def round_top(values: Sequence[float]) -> float:
    """A round number at or above all of `values`, for the top of an axis; 1.0 when there is none above 0."""
    top = max((v for v in values if math.isfinite(v)), default=1.0)
    step = _step(0.0, top, 4) if top > 0 else 1.0
    rounded = math.ceil(top / step) * step if step else top
    return rounded if math.isfinite(rounded) and rounded > 0 else 1.0


def proper(low: float, high: float) -> tuple[float, float]:
    """A range that is finite and not empty."""
    low, high = (v if math.isfinite(v) else 0.0 for v in (as_float(low), as_float(high)))
    if high > low:
        return low, high
    return low, low + max(1.0, abs(low) / 1000)


Value = TypeVar("Value", float, NDArray[np.float64])


def share(v: Value, low: float, high: float) -> Value:
    """Where `v`, a number or several, lies from `low` (0) to `high` (1)."""
    # Halved first: the difference of two large floats of different sign is infinite.
    return (v / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)


def _step(low: float, high: float, most: int) -> float:
    """The smallest 1, 2 or 5 times a power of ten that divides the range into `most` parts or fewer."""
    raw = (high / 2 - low / 2) / max(most, 1) * 2
    if not raw > 0 or not math.isfinite(raw):
        return 0.0
    ten = 10.0 ** math.floor(math.log10(raw)) if raw > 1e-300 else raw
    return next((m * ten for m in (1, 2, 5, 10) if m * ten >= raw * 0.999_999), raw)


def ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """About `most` round values from `low` to `high`, each with its label."""
    step = _step(low, high, most)
    if not step or not math.isfinite(step) or not math.isfinite(low / step):
        return []
    decimals = min(max(-math.floor(math.log10(step) + 1e-9), 0), 6)
    first = math.ceil(low / step - 1e-9)
    values = [(first + k) * step for k in range(most + 2)]
    return [(v, count(v + 0.0, decimals)) for v in values if math.isfinite(v) and v <= high + step * 1e-6]
