"""A section's nodes against its pydantic model: the checked section, and every mistake in words with its place.

Invariant: at most one problem a place, the first that was told, and none where the reader had one (a bad node).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ixviz.scenario.messages import Problem, cut, did_you_mean, dotted, shown
from ixviz.scenario.schema import NULLABLE
from ixviz.scenario.source import Node

Path = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of `model` by every name under which a scenario may give them."""
    fields: dict[str, FieldInfo] = {}
    for name, info in model.model_fields.items():
        other = info.validation_alias
        names = other.choices if isinstance(other, AliasChoices) else [info.alias or name]
        fields.update({str(each): info for each in names})
    return fields


def _parts(annotation: Any) -> Iterable[Any]:
    """`annotation` and what it is made of: of `tuple[X, ...]`, `X | None` and `Annotated[X, …]` also X."""
    yield annotation
    if get_origin(annotation) is not Literal:
        for part in get_args(annotation):
            yield from _parts(part)


def model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The model of the mapping at `path` below `model`, or None where there is none."""
    current: type[BaseModel] | None = model
    for step in path:
        if isinstance(step, int):
            continue  # a list's items have the model found in the list's own annotation
        info = fields_of(current).get(step) if current else None
        parts = _parts(info.annotation) if info else ()
        current = next((p for p in parts if isinstance(p, type) and issubclass(p, BaseModel)), None)
    return current


class Checker:
    """Collects the problems of one scenario. `file` and `prefix` (a dotted path) stand before what it checks."""

    def __init__(self, tree: Node, prefix: str = "") -> None:
        self.tree, self.prefix = tree, prefix
        self.found: dict[Path, Problem] = {}

    def add(self, path: Path, message: str, at_key: bool = False) -> None:
        """Notes `message` about the value at `path` (the nearest that exists), at its key with `at_key`."""
        if path in self.found:
            return
        node = self.tree
        for step in path:
            inner = node.get(step)
            if inner is None:
                at_key = True  # about a key that is missing: the key of the mapping that lacks it
                break
            node = inner
            if node.bad:
                return
        line, col = (node.key_line, node.key_col) if at_key else (node.line, node.col)
        key = ".".join(part for part in (self.prefix, dotted(path)) if part)
        self.found[path] = Problem(node.file, line, col, key, message)

    def section(self, model: type[M], node: Node, path: Path) -> M | None:
        """`node`, which stands at `path`, as a `model`; None when anything is wrong with it."""
        before = len(self.found)
        self._keys(model, node, path)
        try:
            checked = model.model_validate(node.plain())
        except ValidationError as error:
            for each in error.errors(include_url=False):
                self._told(model, node, path, each)
            return None
        return checked if len(self.found) == before else None

    def _keys(self, model: type[BaseModel], node: Node, path: Path) -> None:
        """Unknown keys, missing values and rules, which pydantic would tell in part, later, or not at all."""
        if not isinstance(node.value, dict):
            if node.value is None and dotted(path) not in NULLABLE:
                self.add(path, "the value is missing")
            for index, item in node.children():
                self._keys(model, item, (*path, index))
            return
        known = fields_of(model)
        for key, value in node.value.items():
            inner = model_at(model, (key,))
            if key not in known:
                self.add((*path, key), f"unknown key {cut(key)}{did_you_mean(key, known)}", True)
            elif inner is not None:
                self._keys(inner, value, (*path, key))
            elif value.value is None and dotted((*path, key)) not in NULLABLE:
                self.add((*path, key), "the value is missing")
            elif isinstance(value.value, list):
                for index, item in value.children():
                    if item.value is None:
                        self.add((*path, key, index), "the value is missing")
        rules = getattr(model, "rules", None)
        if rules is not None:
            given = node.plain()
            assert isinstance(given, dict)
            for key, message in rules({k: v for k, v in given.items() if v is not None}):
                self.add((*path, *_steps(key)), message)

    def _told(self, model: type[BaseModel], top: Node, path: Path, error: Mapping[str, Any]) -> None:
        loc: Path = tuple(error["loc"])
        kind, context = error["type"], error.get("ctx", {})
        node: Node | None = top
        for step in loc:
            node = node.get(step) if node else None
        got = shown(node.value, node.spelling) if node else "nothing"
        names = [step for step in loc if isinstance(step, str)]
        owner = model_at(model, tuple(names[:-1])) if names else None
        info = fields_of(owner).get(names[-1]) if owner else None
        if kind == "missing":
            message = "required key is missing"
        elif kind == "value_error":
            message = str(context["error"])
            if node and node.spelling and isinstance(node.value, int | float):
                message = message.replace(shown(node.value), got)  # 1.10 as written, not 1.1
        elif kind == "int_type":
            message = f"integer wanted, got {got}{_range(info)}"
        elif kind in ("greater_than_equal", "less_than_equal", "greater_than", "less_than"):
            message = f"{got.removeprefix('the number ')} is out of range, {_range(info)[2:-1]}"
        elif kind == "string_type":
            message = f"text wanted, got {got}{_quote(node)}"
        elif kind in ("bool_type", "bool_parsing"):
            message = f"true or false wanted, got {got}"
        elif kind == "literal_error" and info is not None:
            words = [str(w) for p in _parts(info.annotation) if get_origin(p) is Literal for w in get_args(p)]
            hint = did_you_mean(node.value, words) if node and isinstance(node.value, str) and len(words) > 1 else ""
            message = f"{' or '.join(words)} wanted, got {got}{hint if '?' in hint else ''}"
        elif kind in ("model_type", "model_attributes_type", "dict_type"):
            message = f"a mapping wanted, got {got}"
        elif kind in ("tuple_type", "list_type"):
            message = f"a list wanted, got {got}"
        elif kind in ("too_short", "string_too_short"):
            message = "must not be empty"
        else:
            message = f"{error['msg']}, got {got}"
        self.add((*path, *loc), message)


def _steps(key: str) -> Path:
    """`packets[0].flow` as a path."""
    words = key.replace("[", ".").replace("]", "").split(".") if key else []
    return tuple(int(word) if word.isdigit() else word for word in words)


def _range(info: FieldInfo | None) -> str:
    """` (1 to 256 is allowed)`, from the field's own limits, or nothing when it has none."""
    low = high = None
    limits = [m for part in _parts(info.annotation) for m in getattr(part, "__metadata__", ())] if info else []
    flat = [inner for limit in limits for inner in getattr(limit, "metadata", [limit])]
    for limit in [*(info.metadata if info else ()), *flat]:
        low = limit.ge if isinstance(limit, Ge) else limit.gt + 1 if isinstance(limit, Gt) else low  # type: ignore[operator]
        high = limit.le if isinstance(limit, Le) else limit.lt - 1 if isinstance(limit, Lt) else high  # type: ignore[operator]
    return f" ({low:,} to {high:,} is allowed)" if low is not None and high is not None else ""


def _quote(node: Node | None) -> str:
    """How a number or a true would be written as text."""
    if node is None or isinstance(node.value, dict | list):
        return ""
    written = node.spelling if node.spelling else str(node.value)
    return f': put it in quotes, "{written}"' if len(written) <= 60 else ": put it in quotes"
