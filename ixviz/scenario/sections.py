"""The whole tree of a scenario against the schema: which model checks which section, and what is missing.

Invariant: every section is checked even when another is wrong, so that all mistakes are told at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from ixviz.scenario.check import Checker, Path, fields_of
from ixviz.scenario.messages import Problem, cut, did_you_mean, shown
from ixviz.scenario.schema import LEFT_OUT, SYSTEMS, WORKLOADS, Head, Machine, NoWorkload, Run
from ixviz.scenario.source import Node

TOP = ("title", "summary", "machine", "system", "workload", "run")
Checked = tuple[str | None, str | None, Any, Any, Any, Any]


def sections(tree: Node, prefix: str = "") -> tuple[Checked | None, list[Problem]]:
    """Title, summary and the four checked sections (None when anything is wrong), and all problems."""
    check = Checker(tree, prefix)
    given = tree.value
    if not isinstance(given, dict):
        check.add((), f"the top level must be a mapping, got {_kind_of(tree)}")
        return None, list(check.found.values())
    system = _by_kind(check, tree, "system", SYSTEMS)
    left_out: Mapping[str, str] = getattr(system, "LEFT_OUT", LEFT_OUT)
    _refuse(check, tree, left_out if system is not None else {})
    if "workload" in left_out:
        given = {key: node for key, node in given.items() if key != "workload"}
    models = {
        "machine": Machine,
        "system": system,
        "workload": NoWorkload if "workload" in left_out else _by_kind(check, tree, "workload", WORKLOADS),
        "run": Run,
    }
    for key in given:
        if key not in TOP:
            check.add((key,), f"unknown key {cut(key)}{_meant(key, models)}", at_key=True)
    head = _over(tree, {key: node for key, node in given.items() if key in ("title", "summary")})
    checked_head = check.section(Head, head, ())
    checked: dict[str, Any] = {}
    for name, model in models.items():
        if model is not None:
            node = given.get(name) or _over(tree, {})
            checked[name] = check.section(model, node, (name,))
    if check.found or checked_head is None or any(each is None for each in checked.values()):
        return None, list(check.found.values())
    values = (checked[name] for name in TOP[2:])
    return (checked_head.title, checked_head.summary, *values), []


def _over(tree: Node, value: dict[str, Node]) -> Node:
    return Node(value, tree.file, tree.line, tree.col, tree.key_line, tree.key_col)


def _refuse(check: Checker, tree: Node, left_out: Mapping[str, str]) -> None:
    """Note what the scenario gives that its system has no use for."""
    for dotted, why in left_out.items():
        path, node = tuple(dotted.split(".")), tree
        for step in path:
            inner = node.get(step)
            if inner is None:
                break
            node = inner
        else:
            check.add(path, why, at_key=True)


def _kind_of(node: Node) -> str:
    return "text" if isinstance(node.value, str) else shown(node.value, node.spelling)


def _by_kind(check: Checker, tree: Node, name: str, models: dict[str, type[BaseModel]]) -> type[BaseModel] | None:
    """The model for the `kind` that the section gives, or None with the reason noted."""
    node = tree.get(name)
    path: Path = (name, "kind")
    if node is None:
        check.add((name,), "required key is missing")
    elif node.value is None:
        check.add((name,), "the value is missing")
    elif not isinstance(node.value, dict):
        check.add((name,), f"a mapping wanted, got {shown(node.value, node.spelling)}")
    elif (kind := node.get("kind")) is None:
        check.add(path, f"required key is missing ({' or '.join(models)})")
    elif kind.value is None:
        check.add(path, "the value is missing")
    elif not isinstance(kind.value, str) or kind.value not in models:
        hint = did_you_mean(kind.value, models) if isinstance(kind.value, str) else ""
        hint = hint if hint.endswith("?") else ""
        check.add(path, f"{' or '.join(models)} wanted, got {shown(kind.value, kind.spelling)}{hint}")
    else:
        return models[kind.value]
    return None


def _meant(key: str, models: dict[str, type[BaseModel] | None]) -> str:
    """What an unknown key of the top level may have meant, also one that belongs into a section."""
    hint = did_you_mean(key, TOP)
    inside = [f"{name}.{key}" for name, model in models.items() if model is not None and key in fields_of(model)]
    return f", did you mean {inside[0]}?" if inside and not hint.endswith("?") else hint
