"""Expressions inside prose: `$(latency.p99 in us)`, `$(x as 0.1)`.

Invariant: text outside `$(…)` comes out as it went in, and what cannot be read is an error, never shown as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import ExprError
from .evaluator import evaluate
from .parser import parse
from .tree import Expr
from .units import format_quantity, unit_named
from .values import MEASURES, Env, Kind, Value

_SHOWN = re.compile(r"(?P<expr>.*?)(?:\s+in\s+(?P<unit>\S+))?(?:\s+as\s+(?P<step>[0-9]+(?:\.[0-9]+)?))?\s*", re.S)


@dataclass(frozen=True, slots=True)
class Inset:
    """One `$(…)`: the expression, how it is shown, and where it stands in the prose (from `$`, past `)`)."""

    expr: Expr
    unit: str | None
    step: str | None
    start: int
    end: int


def expressions_in(prose: str) -> list[Inset]:
    """All insets of a prose, in order. Raises ExprError with the offset in the prose."""
    return list(_insets(prose))


def _insets(prose: str) -> Iterator[Inset]:
    start = prose.find("$(")
    while start >= 0:
        depth, end = 1, start + 2
        while depth and end < len(prose):
            depth += {"(": 1, ")": -1}.get(prose[end], 0)
            end += 1
        if depth:
            raise ExprError("$( is not closed", start)
        match = _SHOWN.fullmatch(prose, start + 2, end - 1)
        assert match is not None
        try:
            expr = parse(match["expr"])
            if match["unit"]:
                unit_named(match["unit"], match.start("unit") - start - 2)
        except ExprError as error:
            raise type(error)(error.message, error.offset + start + 2) from None
        yield Inset(expr, match["unit"], match["step"], start, end)
        start = prose.find("$(", end)


def interpolate(prose: str, env: Env) -> str:
    """The prose with every `$(…)` replaced by its value. Raises NotYet and ExprError, offset in the prose."""
    shown, done = [], 0
    for inset in _insets(prose):
        try:
            value = evaluate(inset.expr, env)
            shown += [prose[done : inset.start], format_value(value, inset.unit, inset.step)]
        except ExprError as error:
            raise type(error)(error.message, error.offset + inset.start + 2) from None
        done = inset.end
    return "".join([*shown, prose[done:]])


def row_name(table: str, number: int) -> str:
    """`packet 12` of table `packets`."""
    for plural, singular in (("ies", "y"), ("ches", "ch"), ("sses", "ss"), ("s", "")):
        if table.endswith(plural):
            return f"{table.removesuffix(plural)}{singular} {number:,}"
    return f"{table} {number:,}"


def format_value(value: Value, unit: str | None = None, step: str | None = None) -> str:
    """A value as it is shown to people; see format_quantity for measures. Raises ExprError for what cannot be shown."""
    if value.kind in MEASURES:
        return format_quantity(value, unit, step)
    if unit is not None or step is not None:
        raise ExprError(f"a {value.kind.value} has no unit and is not rounded")
    if value.kind is Kind.BOOL:
        return "yes" if value.data else "no"
    if value.kind is Kind.TEXT:
        return str(value.data)
    if value.kind is Kind.ROW:
        return row_name(value.data.table, value.data.number)
    raise ExprError(f"a {value.kind.value} cannot be shown: count it, or take a column's mean")
