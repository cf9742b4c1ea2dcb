"""The expression language of lessons, breakpoints and prose.

Invariant: text in, values out of an Env; never Python's eval, and no failure but ExprError (NotYet is one).
"""

from .errors import ExprError, NotYet
from .evaluator import condition, evaluate
from .parser import parse
from .prose import Inset, expressions_in, format_value, interpolate
from .tree import Expr, names_used
from .units import parse_number_answer
from .values import Column, Env, Kind, Row, Table, Value, none, number, rate, text, time, truth

__all__ = [
    "Column",
    "Env",
    "Expr",
    "ExprError",
    "Inset",
    "Kind",
    "NotYet",
    "Row",
    "Table",
    "Value",
    "condition",
    "evaluate",
    "expressions_in",
    "format_value",
    "interpolate",
    "names_used",
    "none",
    "number",
    "parse",
    "parse_number_answer",
    "rate",
    "text",
    "time",
    "truth",
]
