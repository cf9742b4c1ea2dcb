"""What a condition reads of a machine: its components and their slots, so that the rest need not be looked at.

Invariant: what is left out cannot change the condition; where that is not sure, nothing is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ixviz.lesson.env import TABLES, RunEnv
from ixviz.lesson.expr import Expr, names_used
from ixviz.lesson.expr.tree import Path, children


class Reads:
    """Of a condition over the run of `env`. `bound` are names that mean something else there, such as picked rows.

    `parts`: the components it may read (a server has thousands), by name. `slots`: those it reads, None when it reads
    more than fields: the time, a table, a bound name.
    """

    def __init__(self, expr: Expr, env: RunEnv, bound: Collection[str] = ()) -> None:
        self._env, self._bound, self._expr = env, bound, expr
        self._names = [name.removeprefix(f"{env.name}.") for name in names_used(expr)]
        named = {part for name in self._names for part in (name, name.rpartition(".")[0])}
        self.parts: Mapping[str, Any] = {
            name: cls for name, cls in env.components().items()
            if name in named or _waits(cls) or "drops" in cls.FIELDS
        }  # fmt: skip
        self.slots = self._slots()

    def _slots(self) -> list[int] | None:
        env, view, out = self._env, self._env.cursor().view, []
        counted = _counted(self._expr)
        for name in counted:
            plain = env.alias(name)
            within = [part for part in self.parts if part == plain or (plain == "rxlist" and ".rxlist" in part)]
            within = within or [part for part, cls in self.parts.items() if "stage" in _waits(cls)]
            out += [view.slot(f"{part}.{key}") for part in within for key in _waits(self.parts[part])]
        for name in self._names:
            component, _, key = env.alias(name).rpartition(".")
            if name == "waiting" or name in counted:
                continue
            if component in view:
                keys = ("head", "tail") if key == "depth" else (key,)
                try:
                    out += [view.slot(f"{component}.{k}") for k in keys]
                except KeyError:
                    return None
            elif name in ("time", *TABLES, *self._bound) or "." in name or env.lookup(name) is not None:
                return None  # any other bare name is a word, such as idle
        return out or None


def _counted(expr: Expr) -> set[str]:
    """What is inside `waiting(…)`."""
    found = {name for child in children(expr) for name in _counted(child)}
    if isinstance(expr, Path) and expr.parts[0].name == "waiting":
        found |= {str(arg) for arg in expr.parts[0].args or ()}
    return found


def _waits(cls: Any) -> tuple[str, ...]:
    """What `waiting` reads of a component of this class."""
    fields = cls.FIELDS
    return ("head", "tail") if {"head", "tail"} <= set(fields) else ("stage", "size") if "stage" in fields else ()
