"""Text → tree: tokens by one regular expression, then recursive descent.

Invariant: whatever the text, the result is a tree or an ExprError; length and nesting are limited before they hurt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .errors import ExprError
from .tree import AGGREGATES, Binary, Expr, Literal, Part, Path, Unary, children
from .units import UNITS, quantity, unit_named
from .values import Value, none, truth

LONGEST = 2000  # characters
DEEPEST = 24  # parentheses and calls within each other
TALLEST = 60  # operators and calls above each other in the tree, which evaluating descends
CHAIN = 40  # operands in a row

KEYWORDS = ("and", "or", "not", "where", "in", "as", "none", "true", "false")
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")

_UNIT = "|".join(sorted((re.escape(u) for u in UNITS if u != "%"), key=len, reverse=True))
_TOKEN = re.compile(
    rf"""(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
           (?:[ ]*(?P<unit>(?:{_UNIT})(?![A-Za-z0-9_/(])|%)|[ ]*(?P<word>[A-Za-zµμ][A-Za-z0-9_µμ]*))?
      | (?P<name>[A-Za-z][A-Za-z0-9_]*)
      | (?P<op>==|!=|<=|>=|[<>+\-*/().,])""",
    re.VERBOSE,
)
_Operand = Callable[[], Expr]
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # number, name, op, end
    text: str
    offset: int
    value: Value | None = None


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST:
        raise ExprError(f"an expression has at most {LONGEST:,} characters", LONGEST)
    found: list[_Token] = []
    at = 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches the empty text too
        if at == len(text):
            return [*found, _Token("end", "", at)]
        match = _TOKEN.match(text, at)
        if match is None:
            hint = {"=": ": == compares", "&": ": write and", "|": ": write or", "!": ": write not or !="}
            raise ExprError(f"{text[at]!r} has no meaning here{hint.get(text[at], '')}", at)
        end = match.end()
        if match["number"] is not None:
            unit = match["unit"]
            if match["word"] in KEYWORDS:
                end = match.end("number")
            elif match["word"] is not None:
                unit_named(match["word"], match.start("word"))
                raise ExprError(f"{match['word']} does not end a number", match.start("word"))
            source = f"{match['number']} {unit}" if unit else match["number"]
            found.append(_Token("number", source, at, quantity(match["number"], unit, at)))
        else:
            found.append(_Token("name" if match["name"] else "op", match[0], at))
        at = end


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0

    def next_is(self, *texts: str) -> bool:
        token = self.tokens[self.at]
        return token.kind != "number" and token.text in texts

    def take(self) -> _Token:
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def expect(self, text: str) -> None:
        token = self.take()
        if token.kind == "number" or token.text != text:
            raise ExprError(f"{text} is missing before {token.text or 'the end'}", token.offset)

    def whole(self) -> Expr:
        node = self.either()
        token = self.tokens[self.at]
        if token.kind != "end":
            raise ExprError(f"an operator is missing before {token.text}", token.offset)
        return node

    def either(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExprError(f"nested more than {DEEPEST} deep", self.tokens[self.at].offset)
        node = self.chain(("or",), lambda: self.chain(("and",), self.negation))
        self.depth -= 1
        return node

    def chain(self, ops: tuple[str, ...], operand: _Operand) -> Expr:
        """Operators of one precedence, from left to right; limited, because each makes the tree one deeper."""
        node, count = operand(), 0
        while self.next_is(*ops):
            count += 1
            if count > CHAIN:
                raise ExprError(f"more than {CHAIN} in a row", self.tokens[self.at].offset)
            op = self.take()
            node = Binary(op.text, node, operand(), offset=op.offset)
        return node

    def negation(self) -> Expr:
        if not self.next_is("not"):
            return self.comparison()
        return self.prefixed(self.negation)

    def prefixed(self, operand: _Operand) -> Expr:
        op = self.take()
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExprError(f"nested more than {DEEPEST} deep", op.offset)
        node = Unary(op.text, operand(), offset=op.offset)
        self.depth -= 1
        return node

    def comparison(self) -> Expr:
        left = self.sum()
        if not self.next_is(*COMPARISONS):
            return left
        op = self.take()
        node = Binary(op.text, left, self.sum(), offset=op.offset)
        if self.next_is(*COMPARISONS):
            raise ExprError("compare two at a time: a < b and b < c", self.tokens[self.at].offset)
        return node

    def sum(self) -> Expr:
        return self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.signed))

    def signed(self) -> Expr:
        return self.prefixed(self.signed) if self.next_is("-") else self.primary()

    def primary(self) -> Expr:
        token = self.take()
        if token.value is not None:
            return Literal(token.text, token.value, offset=token.offset)
        if token.text == "(":
            node = self.either()
            self.expect(")")
            return node
        if token.text in ("true", "false"):
            return Literal(token.text, truth(token.text == "true"), offset=token.offset)
        if token.text == "none":
            return Literal(token.text, none("this is none"), offset=token.offset)
        if token.kind != "name" or token.text in KEYWORDS:
            raise ExprError(f"a value is missing before {token.text or 'the end'}", token.offset)
        parts = [self.part(token)]
        while self.next_is("."):
            self.take()
            name = self.take()
            if name.kind != "name":
                raise ExprError("a name is missing after the point", name.offset)
            parts.append(self.part(name))
            if len(parts) > DEEPEST:
                raise ExprError(f"a name has at most {DEEPEST} parts", name.offset)
        return Path(tuple(parts), offset=token.offset)

    def part(self, name: _Token) -> Part:
        if not self.next_is("("):
            return Part(name.text)
        self.take()
        args = [self.either()]
        while self.next_is(","):
            self.take()
            args.append(self.either())
        where = None
        if self.next_is("where"):
            token = self.take()
            if name.text not in AGGREGATES or len(args) != 1:
                raise ExprError(f"where belongs into {', '.join(AGGREGATES)}, after one table or column", token.offset)
            where = self.either()
        self.expect(")")
        return Part(name.text, tuple(args), where)


def parse(text: str) -> Expr:
    """The tree of an expression. Raises ExprError, for any text, with the place that could not be understood."""
    tree = _Parser(text).whole()
    level, height = [tree], 0
    while level:
        height += 1
        if height > TALLEST:
            raise ExprError(f"operators are stacked more than {TALLEST} high", level[0].offset)
        level = [child for node in level for child in children(node)]
    return tree
