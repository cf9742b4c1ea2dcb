"""Loads over time: what `workload.rate` may say in place of a number, one model a pattern.

Invariant: times are those of the pattern, before `run.compress` divides them; every rate is 0 or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ixviz.scenario.fields import SPAN, Quantity
from ixviz.scenario.units import US, S, UnitError, format_quantity, format_time, parse_per_s, parse_time

MOST_STEPS: Final = 10_000  # pieces of a pattern that a scenario may ask for
MOST_PERIODS: Final = 100
HIGHEST: Final = 10**10

At = Annotated[int, Quantity("time", 0, SPAN)]
Length = Annotated[int, Quantity("time", US, SPAN)]  # compressed a thousand times it is still some picoseconds
Level = Annotated[float, Quantity("per_s", 0, HIGHEST)]
StepHeight = Annotated[float, Quantity("per_s", 0.001, HIGHEST)]
Rules = Iterator[tuple[str, str]]


class AnyPattern(BaseModel):
    """A load over time. After its end it keeps its last rate; a run without `run.until` ends with it."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @property
    def span(self) -> int:
        """How long the pattern is, ps."""
        raise NotImplementedError


class Triangle(AnyPattern):
    """From `from` (0 if not given) straight to `to`, reached in the middle of `over`, and straight back."""

    pattern: Literal["triangle"]
    from_: Level = Field(default=0, alias="from")
    to: Level
    over: Length

    @property
    def span(self) -> int:
        return self.over

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        yield from _never_sends("to", _rate(given, "from", 0), _rate(given, "to"))


class QTriangle(AnyPattern):
    """A triangle in steps of `step`: its way from `from` is rounded down to whole steps."""

    pattern: Literal["qtriangle"]
    from_: Level = Field(default=0, alias="from")
    to: Level
    over: Length
    step: StepHeight

    @property
    def span(self) -> int:
        return self.over

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        start, to, step = _rate(given, "from", 0), _rate(given, "to"), _rate(given, "step")
        if start is None or to is None or not step:
            return  # told where it stands
        way = abs(to - start)
        ends = f"from {format_quantity(start, 'per_s')} to {format_quantity(to, 'per_s')}"
        if not way:
            yield "to", f"there are no steps {ends}"
        elif step > way:
            yield "step", f"a step ({format_quantity(step, 'per_s')}) is more than the whole way {ends}"
        elif way / step > MOST_STEPS:
            yield "step", f"{way / step:,.0f} steps {ends} are more than {MOST_STEPS:,}"


class Sine(AnyPattern):
    """A sine of this `mean`, `amplitude` and `period` that begins at its mean and rises, `over` a period if not given.

    `noise` is added to it: evenly drawn between − and + so much, anew `every` so often. What would be below 0 is 0.
    """

    pattern: Literal["sine"]
    mean: Level
    amplitude: Level
    period: Length
    over: Length | None = None
    noise: Level = 0
    every: Length = 5 * S

    @property
    def span(self) -> int:
        return self.over or self.period

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        noise, period = _rate(given, "noise", 0), _time(given, "period")
        yield from _never_sends("mean", _rate(given, "mean"), _rate(given, "amplitude"), noise)
        over, every = _time(given, "over", period), _time(given, "every", 5 * S)
        if not period or not over or not every or noise is None:
            return  # told where it stands
        if over > period * MOST_PERIODS:
            yield "over", f"{over / period:,.0f} periods of {format_time(period)} are more than {MOST_PERIODS}"
        if noise and over > every * MOST_STEPS:
            yield "every", f"{over / every:,.0f} draws in {format_time(over)} are more than {MOST_STEPS:,}"


class Step(AnyPattern):
    """`from` (0 if not given) until `at`, from then on `to`; the whole lasts `over`."""

    pattern: Literal["step"]
    from_: Level = Field(default=0, alias="from")
    to: Level
    at: At
    over: Length

    @property
    def span(self) -> int:
        return self.over

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        yield from _never_sends("to", _rate(given, "from", 0), _rate(given, "to"))
        at, over = _time(given, "at"), _time(given, "over")
        if at is not None and over is not None and at >= over > 0:
            yield "at", f"the step ({format_time(at)}) must come before the end, over ({format_time(over)})"


class Point(BaseModel):
    """The load is `rate` at `at`."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    at: At
    rate: Level


class Points(AnyPattern):
    """Straight from each point to the next, from time 0 at the first one's rate; it ends with the last.

    Two points with the same `at` are a jump.
    """

    pattern: Literal["points"]
    points: tuple[Point, ...]

    @property
    def span(self) -> int:
        return self.points[-1].at

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        rows = given.get("points")
        points = rows if isinstance(rows, list) else []
        at = [_time(row, "at") if isinstance(row, dict) else None for row in points]
        rates = [_rate(row, "rate") if isinstance(row, dict) else None for row in points]
        for index, (before, here) in enumerate(pairwise(at), 1):
            if before is not None and here is not None and here < before:
                yield f"points[{index}].at", f"{format_time(here)} is before the last point, {format_time(before)}"
        if rows == []:
            yield "points", "must not be empty"
        if len(points) > MOST_STEPS:
            yield "points", f"{len(points):,} points are more than {MOST_STEPS:,}"
        if at and at[-1] is not None and at[-1] < US:
            yield f"points[{len(at) - 1}].at", f"the last point must come at {format_time(US)} or later"
        if rates and all(rate == 0 for rate in rates):
            yield f"points[{len(rates) - 1}].rate", _NEVER


PATTERNS: Final[dict[str, type[AnyPattern]]] = {
    "triangle": Triangle, "qtriangle": QTriangle, "sine": Sine, "step": Step, "points": Points,
}  # fmt: skip
_NEVER: Final = "a load that is 0 all the time sends nothing"


@dataclass(frozen=True)
class OrPattern(Quantity):
    """A quantity, or a pattern that sections.py has checked."""

    def read(self, value: object) -> Any:
        if isinstance(value, AnyPattern):
            return value
        try:
            return Quantity.read(self, value)
        except UnitError as error:
            raise UnitError(str(error).replace(" wanted", " or a pattern wanted", 1)) from None

    def json(self) -> dict[str, Any]:
        number = Quantity.json(self)
        # `patterns` is for jsonschema.py, which knows how models are referred to.
        return {**number, "description": f"{number['description']}; or a load over time", "patterns": True}


EventRate = Annotated[float | AnyPattern, OrPattern("per_s", 0.001, HIGHEST)]
OfferedRate = Annotated[float | AnyPattern | None, OrPattern("per_s", 0.001, HIGHEST, unlimited=True)]


def _never_sends(key: str, *rates: float | None) -> Rules:
    if all(rate == 0 for rate in rates):
        yield key, _NEVER


def _rate(given: Mapping[str, object], key: str, default: float | None = None) -> float | None:
    """The rate under `key`; None for one that is missing or wrong, which is told where it stands."""
    try:
        return parse_per_s(given[key]) if key in given else default
    except UnitError:
        return None


def _time(given: Mapping[str, object], key: str, default: int | None = None) -> int | None:
    """The time under `key`; None as for `_rate`."""
    try:
        return parse_time(given[key]) if key in given else default
    except UnitError:
        return None
