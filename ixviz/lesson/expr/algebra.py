"""Which kinds may meet in which operation, and what comes out; the same for single values and for columns.

Invariant: no result is infinite or NaN, and no dimension is lost: a time and a bare number never add up or compare.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ExprError
from .values import MEASURES, Kind, Value

# kind → (exponent of seconds, exponent of bits, numerator, denominator of one count in s and bit)
_DIMENSION = {
    Kind.NUMBER: (0, 0, 1, 1),
    Kind.TIME: (1, 0, 1, 10**12),
    Kind.RATE: (-1, 0, 1, 1),
    Kind.SIZE: (0, 1, 8, 1),
    Kind.BITRATE: (-1, 1, 1, 1),
}
_KIND = {(seconds, bits): kind for kind, (seconds, bits, _, _) in _DIMENSION.items()}
_WORD = {Kind.NUMBER: "a bare number", Kind.TIME: "a time", Kind.RATE: "a rate", Kind.SIZE: "a size"}
_VERB = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided"}


def described(kind: Kind) -> str:
    """`a time`, `a row`: a kind in a sentence."""
    return _WORD.get(kind, f"a {kind.value}")


def same_kind(a: Kind, b: Kind, verb: str, offset: int) -> None:
    """Raises ExprError unless both kinds are the same; says what a bare number would need."""
    if a is b:
        return
    hint = ""
    if Kind.NUMBER in (a, b):
        example = {Kind.TIME: "500 us", Kind.RATE: "1.6 M/s", Kind.SIZE: "64 B", Kind.BITRATE: "10 Gbps"}
        other = b if a is Kind.NUMBER else a
        hint = f": write the unit, as in {example[other]}" if other in example else ""
    raise ExprError(f"{described(a)} and {described(b)} cannot be {verb}{hint}", offset)


def outcome(op: str, a: Kind, b: Kind, offset: int) -> tuple[Kind, int, int]:
    """The kind of `a op b`, and the factor (numerator, denominator) that the counts' units bring in."""
    for kind in (a, b):
        if kind not in MEASURES:
            raise ExprError(f"{described(kind)} cannot be {_VERB[op]}", offset)
    if op in "+-":
        same_kind(a, b, _VERB[op], offset)
        return a, 1, 1
    sign = 1 if op == "*" else -1
    (s1, b1, n1, d1), (s2, b2, n2, d2) = _DIMENSION[a], _DIMENSION[b]
    kind_or_none = _KIND.get((s1 + sign * s2, b1 + sign * b2))
    if kind_or_none is None:
        raise ExprError(f"{described(a)} cannot be {_VERB[op]} {'with' if op == '*' else 'by'} {described(b)}", offset)
    if sign < 0:
        n2, d2 = d2, n2
    _, _, n3, d3 = _DIMENSION[kind_or_none]
    numerator, denominator = n1 * n2 * d3, d1 * d2 * n3
    common = math.gcd(numerator, denominator)
    return kind_or_none, numerator // common, denominator // common


def combine(op: str, a: Value, b: Value, offset: int) -> Value:
    """`a op b` for two values that have happened. Raises ExprError; division by zero is one."""
    kind, numerator, denominator = outcome(op, a.kind, b.kind, offset)
    x, y = a.data, b.data
    try:
        if op == "+":
            result = x + y
        elif op == "-":
            result = x - y
        elif op == "*":
            result = x * y
        else:
            result = x / y
        if numerator != 1:
            result = result * numerator
        if denominator != 1:
            result = result / denominator
    except ZeroDivisionError:
        raise ExprError("divided by zero", offset) from None
    except OverflowError:
        raise ExprError("the result is too large", offset) from None
    if isinstance(result, float) and not math.isfinite(result):
        raise ExprError("the result is too large", offset)
    return Value(kind, result)


def combine_columns(
    op: str, x: NDArray[Any], y: NDArray[Any], kinds: tuple[Kind, Kind], used: NDArray[np.bool_], offset: int
) -> tuple[NDArray[Any], Kind]:
    """The same for columns; rows outside `used` may hold anything and cause no error."""
    kind, numerator, denominator = outcome(op, *kinds, offset)
    if op == "/" and bool(np.any((y == 0) & used)):
        raise ExprError("divided by zero", offset)
    with np.errstate(all="ignore"):
        if op in "+-" and x.dtype.kind == y.dtype.kind == "i":
            result = x + y if op == "+" else x - y  # int64: sums of times stay exact
            return result, kind
        x, y = x.astype(np.float64), y.astype(np.float64)  # a product of int64 could wrap around in silence
        result = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[op](x, y)
        result = result * (numerator / denominator)
    if not bool(np.all(np.isfinite(result[used]))):
        raise ExprError("the result is too large", offset)
    return result, kind


def compare(op: str, x: Any, y: Any) -> Any:
    """`x op y`, elementwise for arrays."""
    if op == "==":
        return x == y
    if op == "!=":
        return x != y
    if op == "<":
        return x < y
    if op == "<=":
        return x <= y
    if op == ">":
        return x > y
    return x >= y


def comparable(op: str, a: Kind, b: Kind, offset: int) -> None:
    """Raises ExprError unless values of these kinds can be compared by this operator."""
    same_kind(a, b, "compared", offset)
    if a is Kind.TABLE or (op not in ("==", "!=") and a not in MEASURES):
        raise ExprError(f"{described(a)} cannot be compared with {op}", offset)
