"""Functions over many values: `mean(packets.leaves where batch == 4)`, `p99(batches.size)`, `mean(nic.q0.length)`.

Invariant: a value that has not happened never takes part; a function that needs a row and has none is NONE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import algebra
from .errors import ExprError, NotYet
from .rows import Mask, RowScope
from .tree import Expr, Path, children
from .values import MEASURES, Column, Kind, Table, Value, none

if TYPE_CHECKING:
    from .evaluator import Evaluator


def aggregate(outer: Evaluator, function: str, arg: Expr, where: Expr | None, offset: int) -> Value:
    """One value from the rows that `where` lets through. NONE where a function needs a row and there is none."""
    sources = dict(found for node in _paths(arg) if (found := _source(outer, node)) is not None)
    if len(sources) > 1:
        raise ExprError(f"{function}(…) over two tables at once", arg.offset)
    if not sources:
        return _over_time(outer, function, arg, where)
    [(prefix, table)] = sources.items()
    scope = RowScope(outer, table, prefix)
    chosen = np.ones(len(table), dtype=np.bool_)
    if where is not None:
        chosen = scope.truth(where, chosen)
    whole_rows = isinstance(arg, Path) and len(arg.parts) == len(prefix)
    if function == "count":
        if not whole_rows:
            raise ExprError("count(…) takes a table", arg.offset)
        return Value(Kind.NUMBER, int(chosen.sum()))
    if not whole_rows and function not in ("first", "last"):
        return _statistic(function, scope.column(arg, chosen), chosen, str(arg), arg.offset)
    if function not in ("first", "last"):
        raise ExprError(f"{function}(…) takes a column, as in {prefix[-1]}.size", arg.offset)
    which = np.flatnonzero(chosen)
    if which.size == 0:
        return none(f"no row of {'.'.join(prefix)} is like that yet" if where else f"{'.'.join(prefix)} is empty yet")
    position = int(which[0] if function == "first" else which[-1])
    if whole_rows:
        return Value(Kind.ROW, table.row(position))
    only = np.zeros_like(chosen)
    only[position] = True
    return _item(scope.column(arg, only), position, str(arg))


def _over_time(outer: Evaluator, function: str, arg: Expr, where: Expr | None) -> Value:
    """`mean(nic.q0.length)`: a field weighted with the time each value was held."""
    if not isinstance(arg, Path) or not arg.plain or where is not None or function in ("count", "first", "last"):
        raise ExprError(f"{function}(…) takes a table or a column of one, as in packets", arg.offset)
    env, parts = outer.within_run(arg)
    series = env.series(".".join(part.name for part in parts))
    if series is None:
        outer.value(arg)  # names the unknown name, if it is one
        raise ExprError(f"{function}(…) takes many values, {arg} is one", arg.offset)
    return _statistic(function, series, np.ones(len(series.values), dtype=np.bool_), str(arg), arg.offset)


def _statistic(function: str, column: Column, chosen: Mask, name: str, offset: int) -> Value:
    if column.kind not in MEASURES:
        raise ExprError(f"{function}(…) takes numbers, {name} is {algebra.described(column.kind)}", offset)
    if not chosen.any():
        return none(f"{function}({name}) has no rows yet")
    if column.known is not None and not column.known[chosen].all():
        raise NotYet(f"{name} has not happened yet for some of the rows", offset)
    values = column.values[chosen]
    weights = None if column.weights is None else column.weights[chosen].astype(np.float64)
    if function in ("min", "max"):
        return Value(column.kind, (values.min() if function == "min" else values.max()).item())
    if weights is not None and weights.sum() <= 0:
        return none(f"{name} has held no value for any time yet")
    if function == "mean":
        return Value(column.kind, float(np.average(values, weights=weights)))
    # The smallest value with at least this share of all at or below it: always one that occurred.
    order = np.argsort(values, kind="stable")
    share = np.cumsum(weights[order] if weights is not None else np.ones(len(values)))
    rank = np.searchsorted(share, share[-1] * (0.5 if function == "p50" else 0.99) * (1 - 1e-12))
    return Value(column.kind, values[order[rank]].item())


def _item(column: Column, position: int, name: str) -> Value:
    if column.known is not None and not column.known[position]:
        return none(f"{name} has not happened yet")
    value = column.values[position]
    data = value.item() if isinstance(value, np.generic) else value
    if column.kind is Kind.TEXT and column.words is not None:
        return Value(Kind.TEXT, column.words[data], tuple(column.words))
    return Value(column.kind, data)


def _paths(node: Expr) -> list[Path]:
    return [*([node] if isinstance(node, Path) else []), *(p for child in children(node) for p in _paths(child))]


def _source(outer: Evaluator, node: Path) -> tuple[tuple[str, ...], Table] | None:
    """The table a path is about, and its full name: `("one", "packets")`."""
    if not node.plain:
        return None
    env, parts = outer.within_run(node)
    table = env.table(parts[0].name)
    if table is None or env.lookup(".".join(part.name for part in parts)) is not None:
        return None
    if len(parts) > 2:
        raise ExprError(f"{node} goes deeper than a column", node.offset)
    return tuple(part.name for part in node.parts[: len(node.parts) - len(parts) + 1]), table
