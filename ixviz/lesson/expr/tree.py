"""The tree of an expression.

Invariant: trees are immutable, and parse(str(tree)) == tree (offsets do not take part in equality).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .values import Value

AGGREGATES = ("count", "mean", "min", "max", "p50", "p99", "first", "last")
FUNCTIONS = (*AGGREGATES, "abs")
# How tightly each operator binds; a comparison has no comparison as an operand.
PRECEDENCE = {"or": 1, "and": 2, "not": 3, "compare": 4, "+": 5, "-": 5, "*": 6, "/": 6, "negate": 7}


@dataclass(frozen=True, slots=True)
class Expr:
    """Any node; `offset` is where it begins in the text."""

    offset: int = field(compare=False, kw_only=True, default=0)


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """A number with or without unit, `true`, `false` or `none`, as it was written."""

    source: str
    value: Value = field(compare=False)

    def __str__(self) -> str:
        return self.source


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a path: a name, and what it is called with (None: it is not called)."""

    name: str
    args: tuple[Expr, ...] | None = None
    where: Expr | None = None

    def __str__(self) -> str:
        if self.args is None:
            return self.name
        condition = f" where {self.where}" if self.where is not None else ""
        return f"{self.name}({', '.join(map(str, self.args))}{condition})"


@dataclass(frozen=True, slots=True)
class Path(Expr):
    """`core0.batch`, `one.packet(9).leaves`, `count(packets where batch == 4)`."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return ".".join(map(str, self.parts))

    @property
    def plain(self) -> bool:
        """Whether no part is called."""
        return all(part.args is None for part in self.parts)


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """`not x` or `-x`."""

    op: str
    operand: Expr

    def __str__(self) -> str:
        level = PRECEDENCE["not" if self.op == "not" else "negate"]
        return ("not " if self.op == "not" else "-") + _within(self.operand, level)


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """Arithmetic, `and`, `or`, or a comparison."""

    op: str
    left: Expr
    right: Expr

    def __str__(self) -> str:
        level = _level(self)
        left = level + 1 if level == PRECEDENCE["compare"] else level
        return f"{_within(self.left, left)} {self.op} {_within(self.right, level + 1)}"


def _level(node: Expr) -> int:
    if isinstance(node, Binary):
        return PRECEDENCE.get(node.op, PRECEDENCE["compare"])
    if isinstance(node, Unary):
        return PRECEDENCE["not" if node.op == "not" else "negate"]
    return 9


def _within(node: Expr, level: int) -> str:
    return f"({node})" if _level(node) < level else str(node)


def bare(node: Expr) -> str | None:
    """The word, if the node is a single name."""
    return node.parts[0].name if isinstance(node, Path) and node.plain and len(node.parts) == 1 else None


def children(node: Expr) -> Iterator[Expr]:
    """The nodes directly below, `where` conditions included."""
    if isinstance(node, Unary):
        yield node.operand
    elif isinstance(node, Binary):
        yield node.left
        yield node.right
    elif isinstance(node, Path):
        for part in node.parts:
            yield from part.args or ()
            if part.where is not None:
                yield part.where


def names_used(node: Expr) -> list[str]:
    """The dotted names an expression reads, each once, in order, without looking anything up.

    `waiting(rxlist) > 0` gives `waiting`, `rxlist`; `packet(9).leaves` gives `packet.leaves`; `last(batches).size`
    gives `batches`, `batches.size`. Names inside `where` are given as written, enum words among them.
    """
    found: dict[str, None] = {}

    def visit(node: Expr) -> None:
        for child in children(node):
            visit(child)
        if not isinstance(node, Path):
            return
        head, rest = node.parts[0], [part.name for part in node.parts[1:]]
        if head.args is None or head.name not in FUNCTIONS:
            found[".".join([head.name, *rest])] = None
        elif rest and isinstance(head.args[0], Path) and head.args[0].plain:
            found[".".join([str(head.args[0]), *rest])] = None

    visit(node)
    return list(found)
