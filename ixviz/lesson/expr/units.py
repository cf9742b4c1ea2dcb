"""The units of the language: what they mean, how a quantity is read and shown (scenario/units.py has the table).

Invariant: reading is exact (decimal arithmetic, an integer where the result is one); only showing rounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from ixviz.scenario import units as scenario_units

from .errors import ExprError, suggestion
from .values import Kind, Value


@dataclass(frozen=True, slots=True)
class Unit:
    """`scale` is the size of the unit in what its kind is counted in (ps, 1/s, bytes, bit/s)."""

    kind: Kind
    scale: Fraction
    shown: str


_KINDS = {
    "time": Kind.TIME,
    "per_s": Kind.RATE,
    "hz": Kind.RATE,
    "size": Kind.SIZE,
    "rate": Kind.BITRATE,
    "percent": Kind.NUMBER,
}
UNITS = {
    name: Unit(_KINDS[kind], Fraction(1, 100) if kind == "percent" else Fraction(factor), shown)
    for name, (kind, factor, shown) in scenario_units.UNITS.items()
}
LARGEST = Fraction(10) ** 30  # no quantity of the machine comes near; keeps floats finite
# What a value picks by itself: the last whose limit it reaches.
_PICKS: dict[Kind, list[tuple[Fraction, str]]] = {
    Kind.TIME: [(Fraction(10**e), u) for e, u in ((0, "ps"), (3, "ns"), (6, "us"), (9, "ms"), (12, "s"))],
    Kind.RATE: [(Fraction(0), "/s"), (Fraction(10**4), "K/s"), (Fraction(10**6), "M/s"), (Fraction(10**9), "G/s")],
    Kind.SIZE: [(Fraction(0), "B"), (Fraction(2**14), "KB"), (Fraction(2**20), "MB"), (Fraction(2**30), "GB")],
    Kind.BITRATE: [(Fraction(10**e), u) for e, u in ((0, "bps"), (3, "Kbps"), (6, "Mbps"), (9, "Gbps"))],
}
_ANSWER = re.compile(r"([+-]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?) *(.*)", re.S)


def unit_named(name: str, offset: int = 0) -> Unit:
    """The unit of this name. Raises ExprError, with the nearest known name."""
    if name not in UNITS:
        raise ExprError(f"no unit {name}{suggestion(name, UNITS)}", offset)
    return UNITS[name]


def quantity(digits: str, unit: str | None, offset: int = 0) -> Value:
    """`"333.333"`, `"ns"` → 333,333 ps. Raises ExprError for an unknown unit and for numbers beyond 10**30."""
    if len(digits) > 60 or abs(int(digits.lower().partition("e")[2] or 0)) > 60:
        raise ExprError("this number is too long", offset)
    found = UNITS[unit] if unit in UNITS else unit_named(unit, offset) if unit else None
    exact = Fraction(digits) * (found.scale if found else 1)
    if exact > LARGEST:
        raise ExprError("this number is too large", offset)
    return Value(found.kind if found else Kind.NUMBER, int(exact) if exact.denominator == 1 else float(exact))


def parse_number_answer(answer: str, unit: str) -> Value:
    """What a learner typed, in the kind of `unit`: `3.2` and `3.2 us` and `0.0032 ms` are the same for unit `us`.

    A unit that the language does not know is a noun (`requests`): the answer is a number, with or without the noun.
    Thousands may have commas. Raises ExprError with a sentence that can be shown.
    """
    match = _ANSWER.fullmatch(answer.strip())
    if not match:
        hint = "write a point, not a comma" if re.fullmatch(r"[0-9]+,[0-9]+.*", answer.strip(), re.S) else "e.g. 12"
        raise ExprError(f"a number is needed here, {hint}")
    sign, digits, given = match.groups()
    name = given or (unit if unit in UNITS else "")
    if given and given not in UNITS and unit not in UNITS:
        if given.rstrip("s") != unit.rstrip("s"):
            raise ExprError(f"the answer is in {unit}")
        name = ""
    value = quantity(digits.replace(",", ""), name or None)
    wanted = UNITS[unit].kind if unit in UNITS else Kind.NUMBER
    if value.kind is not wanted:
        raise ExprError(f"the answer is in {unit}")
    return Value(value.kind, -value.data if sign == "-" else value.data)


def format_quantity(value: Value, unit: str | None = None, step: str | None = None, offset: int = 0) -> str:
    """A measure as the house writes it: `3.25 µs`, `1,476`, `0.8`.

    Without `unit` a value with a dimension picks one. Without `step` a value that two decimals hold is shown exactly,
    any other with three significant digits and all digits before the point; with `step` it is rounded to a multiple.
    """
    exact = Fraction(value.data)
    if unit is None and value.kind in _PICKS:
        if step is not None:
            raise ExprError("say in which unit to round: in us as 0.1", offset)
        picks = _PICKS[value.kind]
        unit = ([u for limit, u in picks if abs(exact) >= limit] or [picks[0][1]])[-1]
        unit = "us" if exact == 0 and value.kind is Kind.TIME else unit
    shown = ""
    if unit is not None:
        found = unit_named(unit, offset)
        if found.kind is not value.kind:
            raise ExprError(f"a {value.kind.value} cannot be shown in {unit}", offset)
        exact, shown = exact / found.scale, f" {found.shown}"
    return _digits(exact, step, offset) + shown


def _digits(exact: Fraction, step: str | None, offset: int) -> str:
    if step is not None:
        unit_step = Fraction(step) if len(step) <= 20 else Fraction(0)
        if unit_step <= 0:
            raise ExprError("the step to round to must be above 0", offset)
        places = len(step.partition(".")[2])
        rounded = _half_up(exact / unit_step) * unit_step
    else:
        places = 2
        if exact * 100 != int(exact * 100):
            ratio = Decimal(abs(exact.numerator)) / Decimal(exact.denominator)
            places = max(0, 2 - Context(prec=3, rounding=ROUND_HALF_UP).plus(ratio).adjusted())
        rounded = Fraction(_half_up(exact * 10**places), 10**places)
    whole = _half_up(rounded * 10**places)
    head, tail = divmod(abs(whole), 10**places)
    decimals = str(tail).zfill(places).rstrip("0") if places else ""
    return f"{'-' if whole < 0 else ''}{head:,}" + (f".{decimals}" if decimals else "")


def _half_up(exact: Fraction) -> int:
    """The nearest integer, halves away from zero."""
    sign = -1 if exact < 0 else 1
    return sign * ((2 * abs(exact.numerator) + exact.denominator) // (2 * exact.denominator))
