"""Loads over time: the rate at each moment, how many requests are due up to it, and when so many are due.
Invariant: a rate is linear between knots and never below 0, so that all three have a closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ixviz.machine.streams import generator
from ixviz.machine.wire import PS

Numbers = np.ndarray[Any, np.dtype[Any]]
Piece = tuple[int, int, float, float]  # from, to (ps), rate at from, rate at to (per second)

LATEST = 9_160_000_000_000_000_000  # ps, a little more than the longest run (106 days); later times do not fit 64 bits
PER_PERIOD = 256  # pieces of a period of a sine: none is off by more than 0.01 % of the amplitude
_LEAST = 1e-300  # more than no request, so that none is due at a time that is no number


class Pattern:
    """A rate that changes with time, in requests per second. After the last piece the last rate stays.

    `pieces` follow each other from 0 on; where one would be below 0 it is 0, and `clipped` says that there was such.
    `span` (ps) is where the last ends, `highest` the highest rate. Patterns are equal when their rates are.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.clipped = any(min(first, last) < 0 for _, _, first, last in pieces)
        self._pieces = tuple(part for piece in pieces for part in _above_zero(piece) if part[0] < part[1])
        begins, ends, firsts, lasts = zip(*self._pieces, strict=True)
        self.span: int = ends[-1]
        self.highest = float(max(*firsts, *lasts))
        # One entry a piece, and a last one for what comes after them all.
        self._begin = np.array([*begins, self.span], dtype=np.int64)
        self._length = np.array([*ends, LATEST], dtype=np.int64) - self._begin
        self._rate = np.array([*firsts, lasts[-1]], dtype=np.float64)
        self._slope = (np.array([*lasts, lasts[-1]], dtype=np.float64) - self._rate) / self._length
        due = (self._rate + self._slope * self._length / 2) * self._length / PS
        self._before = np.concatenate([[0.0], np.cumsum(due[:-1])])  # requests due up to the beginning of each

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self._pieces == other._pieces

    def __hash__(self) -> int:
        return hash(self._pieces)

    def rate(self, time: int) -> float:
        """The rate at `time` (ps), per second; where it jumps, the one after the jump."""
        i = self._piece_at(time)
        return float(self._rate[i] + self._slope[i] * (time - self._begin[i]))

    def total(self, times: Any) -> Any:
        """How many requests are due up to `times` (ps; one or an array): the integral of the rate."""
        i = self._piece_at(times)
        since = times - self._begin[i]
        return self._before[i] + (self._rate[i] + self._slope[i] * since / 2) * since / PS

    def when(self, totals: Numbers) -> Numbers:
        """When so many requests are due: the inverse of `total`, int64 ps, LATEST for what never is."""
        i = np.maximum(np.searchsorted(self._before, totals, side="left") - 1, 0)
        more = np.maximum((totals - self._before[i]) * PS, _LEAST)
        rate = self._rate[i]
        # The root of rate × t + slope × t² / 2 = more in the form that loses no digits where either is 0.
        root = np.sqrt(np.maximum(rate * rate + 2 * self._slope[i] * more, 0))
        with np.errstate(divide="ignore"):
            since = np.minimum(2 * more / (rate + root), self._length[i])
        due: Numbers = np.minimum(np.rint(since).astype(np.int64) + self._begin[i], LATEST)
        return due

    def mean(self, begin: int, end: int) -> float:
        """The mean rate between two times (ps), per second."""
        return float(self.total(end) - self.total(begin)) * PS / (end - begin)

    def _piece_at(self, times: Any) -> Any:
        return np.searchsorted(self._begin, times, side="right") - 1


def _above_zero(piece: Piece) -> Iterator[Piece]:
    """The piece with 0 in place of what is below it."""
    begin, end, first, last = piece
    if first * last >= 0:
        yield begin, end, max(first, 0.0), max(last, 0.0)
        return
    at = begin + round((end - begin) * first / (first - last))  # where it crosses 0
    yield begin, at, max(first, 0.0), 0.0
    yield at, end, 0.0, max(last, 0.0)


def made(section: Any, seed: int, compress: int = 1) -> Pattern:
    """The pattern that a scenario's `workload.rate` describes, its times divided by `compress`."""
    pieces = _SHAPES[section.pattern](section, seed)
    return Pattern([(begin // compress, end // compress, first, last) for begin, end, first, last in pieces])


# ---------------------------------------------------------------- shapes: from a section and a seed to pieces
def _triangle(section: Any, seed: int) -> list[Piece]:
    top = section.over // 2
    return [(0, top, section.from_, section.to), (top, section.over, section.to, section.from_)]


def _qtriangle(section: Any, seed: int) -> list[Piece]:
    """A triangle whose way from `from` is rounded down to whole steps [code of ix-bench's load generator]."""
    way, over = section.to - section.from_, section.over
    steps = Fraction(abs(way)) / Fraction(section.step)
    at = [int(over * k / (2 * steps)) for k in range(int(steps) + 1)]  # when the k-th step is reached
    rate = [section.from_ + math.copysign(section.step * k, way) for k in range(len(at))]
    up = [(a, b, r, r) for (a, b), r in zip(pairwise(at), rate, strict=False)]
    down = [(over - b, over - a, r, r) for a, b, r, _ in reversed(up)]
    return [*up, (at[-1], over - at[-1], rate[-1], rate[-1]), *down]


def _sine(section: Any, seed: int) -> list[Piece]:
    """Begins at the mean and rises. Noise is even between ± `noise`, and stays for `every` [code, as above]."""
    period, span = section.period, section.span
    every = section.every if section.noise else span
    draws = generator(seed, "pattern").random(-(-span // every)) * 2 - 1
    knots = {period * k // PER_PERIOD for k in range(-(-span * PER_PERIOD // period))}
    knots.update(range(0, span, every))

    def rate(time: int, noise: float) -> float:
        sine = math.sin(2 * math.pi * (time % period) / period)
        # Sines differ in the last digit between machines; requests per second to three digits do not.
        return round(float(section.mean + section.amplitude * sine + section.noise * noise), 3)

    drawn: list[float] = draws.tolist()
    times = [*sorted(time for time in knots if time < span), span]
    return [(a, b, rate(a, drawn[a // every]), rate(b, drawn[a // every])) for a, b in pairwise(times)]


def _step(section: Any, seed: int) -> list[Piece]:
    before, after = section.from_, section.to
    return [(0, section.at, before, before), (section.at, section.over, after, after)]


def _points(section: Any, seed: int) -> list[Piece]:
    points = [(point.at, point.rate) for point in section.points]
    begin = (0, points[0][1])
    return [(a, b, first, last) for (a, first), (b, last) in pairwise([begin, *points])]


_SHAPES: dict[str, Callable[[Any, int], list[Piece]]] = {
    "triangle": _triangle, "qtriangle": _qtriangle, "sine": _sine, "step": _step, "points": _points,
}  # fmt: skip
