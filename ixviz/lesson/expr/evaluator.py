"""The value of an expression in an environment; what is about many rows is in aggregates.py and rows.py.

Invariant: names reach the environment and nothing else: there is no attribute access and no call of a Python object.
"""

from __future__ import annotations

from . import algebra
from .aggregates import aggregate
from .errors import ExprError, NotYet, suggestion, unknown
from .tree import AGGREGATES, FUNCTIONS, Binary, Expr, Literal, Part, Path, Unary, bare
from .values import MEASURES, NONE, Env, Kind, Value, none, text, truth


def evaluate(expr: Expr, env: Env) -> Value:
    """The value of `expr` now. Never of kind NONE.

    Raises NotYet if it reads what has not happened (only `== none` and `!= none` may), ExprError for unknown names,
    kinds that do not fit, and division by zero.
    """
    return needed(Evaluator(env).value(expr), expr.offset)


def condition(expr: Expr, env: Env) -> bool:
    """The truth of a condition. Raises as evaluate does, and ExprError if it is no condition."""
    value = evaluate(expr, env)
    if value.kind is not Kind.BOOL:
        raise ExprError(f"a condition is needed, this is {algebra.described(value.kind)}", expr.offset)
    return bool(value.data)


def needed(value: Value, offset: int) -> Value:
    """The value, if it has happened."""
    if value.kind is Kind.NONE:
        raise NotYet(value.reason or "this has not happened yet", offset)
    return value


class Evaluator:
    """Evaluates nodes to single values; NONE travels upwards until an operation needs it."""

    def __init__(self, env: Env) -> None:
        self.env = env

    def value(self, node: Expr) -> Value:
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, Path):
            return self.path(node)
        if isinstance(node, Unary):
            return self.unary(node)
        assert isinstance(node, Binary)
        if node.op in ("and", "or"):
            left = self.truth(node.left)
            return truth(self.truth(node.right)) if left is (node.op == "and") else truth(left)
        if node.op in "+-*/":
            left_value = needed(self.value(node.left), node.left.offset)
            return algebra.combine(node.op, left_value, needed(self.value(node.right), node.right.offset), node.offset)
        return self.comparison(node)

    def truth(self, node: Expr) -> bool:
        value = needed(self.value(node), node.offset)
        if value.kind is not Kind.BOOL:
            raise ExprError(f"a condition is needed, this is {algebra.described(value.kind)}", node.offset)
        return bool(value.data)

    def unary(self, node: Unary) -> Value:
        if node.op == "not":
            return truth(not self.truth(node.operand))
        return negated(needed(self.value(node.operand), node.operand.offset), node.offset)

    def comparison(self, node: Binary) -> Value:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, Literal) and side.value.kind is Kind.NONE:
                if node.op not in ("==", "!="):
                    raise ExprError("none can only be compared with == and !=", node.offset)
                return truth(self.is_none(other) is (node.op == "=="))
        left, right = self.sides(node)
        algebra.comparable(node.op, left.kind, right.kind, node.offset)
        if left.kind is Kind.ROW:
            same = (left.data.table, left.data.number) == (right.data.table, right.data.number)
            return truth(same is (node.op == "=="))
        return truth(bool(algebra.compare(node.op, left.data, right.data)))

    def is_none(self, node: Expr) -> bool:
        """Whether it has not happened, or is in the state that is called `none`."""
        value = self.value(node)
        if value.kind is not Kind.TEXT or value.words is None:
            return value.kind is Kind.NONE
        if NONE not in value.words and isinstance(node, Path) and node.plain:
            env, parts = self.within_run(node)
            if len(parts) > 1 and env.lookup(".".join(part.name for part in parts)) is not None:
                states = ", ".join([*value.words[:6], *(["…"] if len(value.words) > 6 else [])])
                raise ExprError(f"{node} is never none, it is in one of its states: {states}", node.offset)
        return bool(value.data == NONE)

    def sides(self, node: Binary) -> tuple[Value, Value]:
        """Both operands; a bare word beside a TEXT is a word before it is a name."""
        left_word, right_word = bare(node.left), bare(node.right)
        if right_word is not None and (left_word is None or self.env.lookup(left_word) is not None):
            left = needed(self.value(node.left), node.left.offset)
            return left, needed(self.word(left, right_word, node.right), node.right.offset)
        right = needed(self.value(node.right), node.right.offset)
        if left_word is None:
            return needed(self.value(node.left), node.left.offset), right
        return needed(self.word(right, left_word, node.left), node.left.offset), right

    def word(self, beside: Value, word: str, node: Expr) -> Value:
        """What a bare word means beside this value: one of its words, a name, or a word we cannot check."""
        if beside.kind is Kind.TEXT:
            if beside.words is not None and word in beside.words:
                return text(word, beside.words)
            if self.env.lookup(word) is None:
                if beside.words is not None:
                    raise ExprError(f"{word} is none of its states{suggestion(word, beside.words)}", node.offset)
                return text(word)
        return self.value(node)

    # ------------------------------------------------------------------------------------------------ paths
    def path(self, node: Path) -> Value:
        env, parts = self.within_run(node)
        head = parts[0]
        if head.args is not None and head.name in FUNCTIONS:
            if env is not self.env:
                raise ExprError(f"the run belongs inside: {head.name}({node.parts[0].name}. …)", node.offset)
            value, rest = self.function(head, node.offset), parts[1:]
        elif head.args is not None:
            value, rest = self.called(env, head, node.offset), parts[1:]
        else:
            value, rest = self.named(env, parts, node.offset)
        for part in rest:
            value = field(value, part, node.offset)
        return value

    def within_run(self, node: Path) -> tuple[Env, tuple[Part, ...]]:
        """The run a path begins with, if it does, and the parts behind it."""
        if len(node.parts) > 1 and node.parts[0].args is None:
            env = self.env.run(node.parts[0].name)
            if env is not None:
                return env, node.parts[1:]
        return self.env, node.parts

    @staticmethod
    def table_called(env: Env, name: str) -> str | None:
        """The table whose rows are called `name`: packet → packets, batch → batches, query → queries."""
        candidates = (name + "s", name + "es", name[:-1] + "ies")
        return next((plural for plural in candidates if env.table(plural) is not None), None)

    def called(self, env: Env, head: Part, offset: int) -> Value:
        """`packet(9)`: a row by its number; `waiting(nic.q0)`: a function of a name."""
        args = head.args or ()
        table = self.table_called(env, head.name)
        if len(args) != 1:
            raise ExprError(f"{head.name}(…) takes one argument", offset)
        if table is not None:
            number = needed(self.value(args[0]), args[0].offset)
            if number.kind is not Kind.NUMBER or number.data != int(number.data):
                raise ExprError(f"{head.name}(…) takes a whole number", args[0].offset)
            row = env.row(table, min(int(number.data), 2**62))
            return none(f"there is no {head.name} {number.data:,} yet") if row is None else Value(Kind.ROW, row)
        if not isinstance(args[0], Path) or not args[0].plain:
            raise ExprError(f"no {head.name}(…) of a value{suggestion(head.name, FUNCTIONS)}", offset)
        try:
            found = env.call(head.name, str(args[0]))
        except ExprError as error:  # the environment does not know where in the text it was asked
            raise type(error)(error.message, args[0].offset) from None
        if found is None:
            raise ExprError(f"no {head.name}(…) here{suggestion(head.name, FUNCTIONS)}", offset)
        return found

    def named(self, env: Env, parts: tuple[Part, ...], offset: int) -> tuple[Value, tuple[Part, ...]]:
        """The longest beginning of the path that the environment knows, and what is left of it."""
        names = [part.name for part in parts]
        called = next((i for i, part in enumerate(parts) if part.args is not None), len(parts))
        for length in range(called, 0, -1):
            value = env.lookup(".".join(names[:length]))
            if value is not None:
                return value, parts[length:]
        if env.table(names[0]) is not None:
            if len(parts) > 1:
                raise ExprError(f"{'.'.join(names)} is a column: put it into mean, p99, min, …", offset)
            return Value(Kind.TABLE, env.table(names[0])), ()
        raise unknown(".".join(names[:called]), env.names(), offset)

    # -------------------------------------------------------------------------------------------- functions
    def function(self, head: Part, offset: int) -> Value:
        args = head.args or ()
        if head.name == "abs":
            if len(args) != 1:
                raise ExprError("abs(…) takes one value", offset)
            value = needed(self.value(args[0]), args[0].offset)
            return value if value.kind in MEASURES and value.data >= 0 else negated(value, offset)
        assert head.name in AGGREGATES
        if len(args) == 1:
            return aggregate(self, head.name, args[0], head.where, offset)
        if head.name not in ("min", "max"):
            raise ExprError(f"{head.name}(…) takes one table or column", offset)
        best = needed(self.value(args[0]), args[0].offset)
        for arg in args[1:]:
            value = needed(self.value(arg), arg.offset)
            algebra.comparable("<", best.kind, value.kind, arg.offset)
            if (value.data < best.data) is (head.name == "min"):
                best = value
        return best


def negated(value: Value, offset: int) -> Value:
    if value.kind not in MEASURES:
        raise ExprError(f"{algebra.described(value.kind)} has no sign", offset)
    return Value(value.kind, -value.data)


def field(value: Value, part: Part, offset: int) -> Value:
    """A field of a row; of a row that does not exist yet it has not happened either."""
    if part.args is not None:
        raise ExprError(f"{part.name}(…) cannot stand after a point here", offset)
    if value.kind is Kind.NONE:
        return value
    if value.kind is not Kind.ROW:
        raise ExprError(f"{algebra.described(value.kind)} has no part {part.name}", offset)
    found: Value | None = value.data.get(part.name)
    if found is None:
        raise unknown(part.name, value.data.fields(), offset)
    return found
