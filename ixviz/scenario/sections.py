"""The whole tree of a scenario against the schema: which model checks which section, and what is missing.

Invariant: every section is checked even when another is wrong, so that all mistakes are told at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from ixviz.scenario.check import Checker, M, Path, fields_of
from ixviz.scenario.messages import Problem, cut, did_you_mean, shown
from ixviz.scenario.patterns import PATTERNS, AnyPattern
from ixviz.scenario.schema import LEFT_OUT, SYSTEMS, Head, Machine, Run
from ixviz.scenario.source import Node
from ixviz.scenario.units import format_time
from ixviz.scenario.workloads import WORKLOADS, NoWorkload

TOP = ("title", "summary", "machine", "system", "workload", "run")
Checked = tuple[str | None, str | None, Any, Any, Any, Any]


def sections(tree: Node, prefix: str = "") -> tuple[Checked | None, list[Problem]]:
    """Title, summary and the four checked sections (None when anything is wrong), and all problems."""
    check = Checker(tree, prefix)
    given = tree.value
    if not isinstance(given, dict):
        check.add((), f"the top level must be a mapping, got {_kind_of(tree)}")
        return None, list(check.found.values())
    system = _by_kind(check, tree, ("system",), SYSTEMS)
    left_out: Mapping[str, str] = getattr(system, "LEFT_OUT", LEFT_OUT)
    _refuse(check, tree, left_out if system is not None else {})
    if "workload" in left_out:
        given = {key: node for key, node in given.items() if key != "workload"}
    models = {
        "machine": Machine,
        "system": system,
        "workload": NoWorkload if "workload" in left_out else _by_kind(check, tree, ("workload",), WORKLOADS),
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
            if "rate" in model.model_fields:
                node = _with_pattern(check, tree, node, (name, "rate"))
            checked[name] = check.section(model, node, (name,))
    if len(checked) == len(models) and None not in checked.values():
        between = getattr(checked["system"], "between", None)
        for path, message in between(checked["machine"], checked["run"]) if between is not None else ():
            check.add(path, message)
    if check.found or checked_head is None or any(each is None for each in checked.values()):
        return None, list(check.found.values())
    checked["run"] = _with_its_end(check, checked["run"], checked["workload"])
    if check.found:
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


def _by_kind(
    check: Checker, tree: Node, path: tuple[str, ...], models: Mapping[str, type[M]], key: str = "kind"
) -> type[M] | None:
    """The model for the `kind` (or what else `key` is) that the section at `path` gives, or None with why noted."""
    node: Node | None = tree
    for step in path:
        node = node.get(step) if node else None
    inside: Path = (*path, key)
    if node is None:
        check.add(path, "required key is missing")
    elif node.value is None:
        check.add(path, "the value is missing")
    elif not isinstance(node.value, dict):
        check.add(path, f"a mapping wanted, got {shown(node.value, node.spelling)}")
    elif (kind := node.get(key)) is None:
        check.add(inside, f"required key is missing ({' or '.join(models)})")
    elif kind.value is None:
        check.add(inside, "the value is missing")
    elif not isinstance(kind.value, str) or kind.value not in models:
        hint = did_you_mean(kind.value, models) if isinstance(kind.value, str) else ""
        hint = hint if hint.endswith("?") else ""
        check.add(inside, f"{' or '.join(models)} wanted, got {shown(kind.value, kind.spelling)}{hint}")
    else:
        return models[kind.value]
    return None


def _with_pattern(check: Checker, tree: Node, work: Node, path: tuple[str, str]) -> Node:
    """The workload with its load over time, if it has one, checked; a wrong one, of which that is told, as an empty."""
    rate = work.get(path[1])
    if rate is None or not isinstance(rate.value, dict) or not isinstance(work.value, dict):
        return work
    model = _by_kind(check, tree, path, PATTERNS, "pattern")
    pattern = check.section(model, rate, path) if model is not None else None
    value: Any = AnyPattern() if pattern is None else pattern
    return replace(work, value={**work.value, path[1]: replace(rate, value=value)})


def _with_its_end(check: Checker, run: Run, workload: Any) -> Run:
    """A run whose load is a pattern ends with it, unless it says when."""
    pattern = getattr(workload, "rate", None)
    if run.until is not None or not isinstance(pattern, AnyPattern):
        return run
    until = pattern.span // run.compress
    if run.warmup >= until:
        check.add(("run", "warmup"), f"the warm-up ({format_time(run.warmup)}) must end before the pattern does "
                                     f"({format_time(until)})")  # fmt: skip
    return run.model_copy(update={"until": until})


def _meant(key: str, models: dict[str, type[BaseModel] | None]) -> str:
    """What an unknown key of the top level may have meant, also one that belongs into a section."""
    hint = did_you_mean(key, TOP)
    inside = [f"{name}.{key}" for name, model in models.items() if model is not None and key in fields_of(model)]
    return f", did you mean {inside[0]}?" if inside and not hint.endswith("?") else hint
