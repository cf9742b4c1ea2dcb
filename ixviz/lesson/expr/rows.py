"""Conditions and columns over the rows of one table, all rows at a time.

Invariant: a row that a condition left of `and` has excluded is not read any more. Inside `where`, what has not happened
equals nothing (`batch == 4` is false for a packet in no batch); any other reading of it is NotYet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import algebra
from .errors import ExprError, NotYet, unknown
from .tree import FUNCTIONS, Binary, Expr, Literal, Path, Unary, bare, children
from .values import MEASURES, NONE, Column, Kind, Table, Value

if TYPE_CHECKING:
    from .evaluator import Evaluator

Mask = NDArray[np.bool_]


class RowScope:
    """Names as they are inside a row function: the row's fields first, then what the environment knows."""

    def __init__(self, outer: Evaluator, table: Table, prefix: tuple[str, ...]) -> None:
        self.outer = outer
        self.table = table
        self.prefix = prefix

    def field(self, node: Expr) -> str | None:
        """The field of the row that a node names: `batch`, or `packets.batch` in full."""
        if not isinstance(node, Path) or not node.plain:
            return None
        names = tuple(part.name for part in node.parts)
        if names[:-1] == self.prefix:
            if self.table.column(names[-1]) is None:
                raise unknown(names[-1], self.table.fields(), node.offset)
            return names[-1]
        return names[0] if len(names) == 1 and names[0] in self.table.fields() else None

    def varies(self, node: Expr) -> bool:
        """Whether the node has another value for another row."""
        if isinstance(node, Path) and node.parts[0].args is not None and node.parts[0].name in FUNCTIONS:
            return node.parts[0].name == "abs" and any(map(self.varies, children(node)))
        return self.field(node) is not None or any(map(self.varies, children(node)))

    # ----------------------------------------------------------------------------------------- conditions
    def truth(self, node: Expr, rows: Mask) -> Mask:
        """Those of `rows` for which the condition holds."""
        if not rows.any():
            return rows
        if not self.varies(node):
            return rows if self.outer.truth(node) else np.zeros_like(rows)
        if isinstance(node, Binary) and node.op in ("and", "or"):
            left = self.truth(node.left, rows)
            return self.truth(node.right, left) if node.op == "and" else left | self.truth(node.right, rows & ~left)
        if isinstance(node, Unary) and node.op == "not":
            return rows & ~self.truth(node.operand, rows)
        if isinstance(node, Binary) and node.op not in "+-*/":
            return self.comparison(node, rows)
        column = self.column(node, rows)
        if column.kind is not Kind.BOOL:
            raise ExprError(f"a condition is needed, this is {algebra.described(column.kind)}", node.offset)
        if column.known is not None and not column.known[rows].all():
            raise NotYet(f"{node} has not happened yet for some of the rows", node.offset)
        return rows & column.values.astype(np.bool_)

    def comparison(self, node: Binary, rows: Mask) -> Mask:
        equality = node.op in ("==", "!=")
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, Literal) and side.value.kind is Kind.NONE:
                if not equality:
                    raise ExprError("none can only be compared with == and !=", node.offset)
                column = self.column(other, rows)
                happened = np.ones_like(rows) if column.known is None else column.known
                if column.kind is Kind.TEXT and column.words is not None and NONE in column.words:
                    happened = happened & (column.values != list(column.words).index(NONE))
                return rows & (~happened if node.op == "==" else happened)
        left, right = self.sides(node, rows)
        known = _both(left.known, right.known)
        if Kind.NONE not in (left.kind, right.kind):
            algebra.comparable(node.op, left.kind, right.kind, node.offset)
        if not equality and known is not None and not known[rows].all():
            raise NotYet(f"{node} reads what has not happened yet for some of the rows", node.offset)
        x, y = _alike(left, right)
        result = np.asarray(algebra.compare(node.op, x, y), dtype=np.bool_)
        if known is not None:
            result = np.where(known, result, node.op == "!=")
        return rows & result

    def sides(self, node: Binary, rows: Mask) -> tuple[Column, Column]:
        """Both operands; a bare word beside a TEXT column is a word before it is a name."""
        columns: list[Column] = []
        for side, other in ((node.left, node.right), (node.right, node.left)):
            word = bare(side)
            if word is not None and self.varies(other) and self.field(other) != word:
                beside = self.column(other, rows)
                words = None if beside.words is None else tuple(beside.words)
                if beside.kind is Kind.TEXT and (self.field(side) is None or word in (words or ())):
                    columns.append(self.lifted(self.outer.word(Value(Kind.TEXT, None, words), word, side), side.offset))
                    continue
            columns.append(self.column(side, rows))
        return columns[0], columns[1]

    # -------------------------------------------------------------------------------------------- columns
    def column(self, node: Expr, rows: Mask) -> Column:
        """The node's value for each row; only `rows` have to be right."""
        name = self.field(node)
        if name is not None:
            found = self.table.column(name)
            assert found is not None
            return found
        if not self.varies(node):
            return self.lifted(self.outer.value(node), node.offset)
        if isinstance(node, Path):
            return self.called(node, rows)
        if isinstance(node, Unary) and node.op == "-":
            operand = self.column(node.operand, rows)
            _measured(operand, node.offset)
            return replace(operand, values=-operand.values)
        if isinstance(node, Binary) and node.op in "+-*/":
            left, right = self.column(node.left, rows), self.column(node.right, rows)
            known = _both(left.known, right.known)
            used = rows if known is None else rows & known
            values, kind = algebra.combine_columns(
                node.op, left.values, right.values, (left.kind, right.kind), used, node.offset
            )
            return Column(values, kind, known)
        return Column(self.truth(node, rows), Kind.BOOL)

    def called(self, node: Path, rows: Mask) -> Column:
        """`abs(x)` for each row, or a field of another table's row: `one.packet(id).leaves`."""
        env, parts = self.outer.within_run(node)
        head, args = parts[0], parts[0].args or ()
        if head.name == "abs" and len(args) == len(parts) == 1:
            operand = self.column(args[0], rows)
            _measured(operand, node.offset)
            return replace(operand, values=np.abs(operand.values))
        plural = self.outer.table_called(env, head.name)
        table = None if plural is None else env.table(plural)
        if table is None or len(args) != 1 or len(parts) != 2 or parts[1].args is not None:
            raise ExprError(f"{node} cannot be computed for each row", node.offset)
        numbers, found = self.column(args[0], rows), table.column(parts[1].name)
        if numbers.kind is not Kind.NUMBER:
            raise ExprError(f"{head.name}(…) takes a whole number", args[0].offset)
        if found is None:
            raise unknown(parts[1].name, table.fields(), node.offset)
        asked = rows if numbers.known is None else rows & numbers.known
        at = np.full(len(rows), -1, dtype=np.intp)
        at[asked] = table.positions(numbers.values[asked])
        known = at >= 0
        if not known.any():
            return replace(found, values=np.zeros(len(rows), found.values.dtype), known=known)
        at[~known] = 0
        return replace(found, values=found.values[at], known=known if found.known is None else known & found.known[at])

    def lifted(self, value: Value, offset: int) -> Column:
        """The same value for every row."""
        size = len(self.table)
        if value.kind is Kind.NONE:
            return Column(np.zeros(size), Kind.NONE, np.zeros(size, dtype=np.bool_))
        if value.kind in (Kind.ROW, Kind.TABLE):
            raise ExprError(f"{algebra.described(value.kind)} cannot be used inside where", offset)
        whole = value.kind is Kind.TEXT or (isinstance(value.data, int) and abs(value.data) >= 2**63)
        return Column(np.broadcast_to(np.array(value.data, dtype=object if whole else None), size), value.kind)


def _measured(column: Column, offset: int) -> None:
    if column.kind not in MEASURES:
        raise ExprError(f"{algebra.described(column.kind)} has no sign", offset)


def _both(a: Mask | None, b: Mask | None) -> Mask | None:
    return b if a is None else a if b is None else a & b


def _alike(a: Column, b: Column) -> tuple[NDArray[Any], NDArray[Any]]:
    """Values that can be compared: codes with codes of the same words, else words with words."""
    if a.words == b.words:
        return a.values, b.values
    if a.words is not None and b.words is None and b.values.strides == (0,):  # one word for all rows: look it up once
        code = a.words.index(b.values[0]) if b.values[0] in a.words else -2
        return a.values, np.broadcast_to(np.array(code), a.values.shape)
    if b.words is not None and a.words is None and a.values.strides == (0,):
        return _alike(b, a)[::-1]
    return _spelled(a), _spelled(b)


def _spelled(column: Column) -> NDArray[Any]:
    """TEXT as words instead of codes."""
    if column.words is None:
        return column.values
    spelled = np.array([*column.words, ""], dtype=object)[np.clip(column.values, -1, len(column.words) - 1)]
    return np.asarray(spelled)
