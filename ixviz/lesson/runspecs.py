"""Reads `runs`: machines with names, each made of a scenario or of another run.

Invariant: each gets its checked scenario, so that a mistake in one is told at its line of the lesson.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ixviz.lesson import keys
from ixviz.lesson.model import RunSpec
from ixviz.lesson.reader import Reader, is_name
from ixviz.scenario.load import Scenario, bundled, from_raw, load, with_changes
from ixviz.scenario.messages import Problems, cut, did_you_mean
from ixviz.scenario.simulate import faults
from ixviz.scenario.source import Node


class RunReader:
    """Reads `runs`: each gets its checked scenario, so that a mistake in one is told at its line of the lesson."""

    def __init__(self, read: Reader, path: Path | None) -> None:
        self.read_, self.path = read, path
        self.made: dict[str, RunSpec] = {}

    def read(self, node: Node) -> dict[str, RunSpec]:
        nodes = self.read_.mapping(node, "runs", "runs")
        for name, each in nodes.items():
            if name in ("mine", "answer", "said") or not is_name(name):
                self.read_.wrong(each, f"runs.{name}", "this cannot be the name of a run", at_key=True)
        left = dict(nodes)
        while left:  # in the order of `from`
            ready = [name for name, each in left.items() if self._base(each) not in left]
            for name in ready or list(left):
                each = left.pop(name)
                if not ready:
                    message = "these runs are made from each other in a circle"
                    self.read_.wrong(each, f"runs.{name}", message, at_key=True)
                self.made[name] = self._run(name, each)
        return {name: self.made[name] for name in nodes}

    @staticmethod
    def _base(node: Node) -> object:
        base = node.get("from")
        return base.value if base is not None and isinstance(base.value, str) else None

    def _run(self, name: str, node: Node) -> RunSpec:
        read, key = self.read_, f"runs.{name}"
        got = read.keys(node, keys.RUN, key, "a run")
        spec = RunSpec(name, read.place(node, key))
        if ("scenario" in got) is ("from" in got):
            if isinstance(node.value, dict):
                read.wrong(node, key, "a run has exactly one of scenario and from", at_key=True)
            return spec
        if "at" in got and "from" not in got:
            read.wrong(got["at"], key, "at belongs to from", at_key=True)
        changes = read.mapping(got["set"], key, "set") if "set" in got else {}
        base: Scenario | None = None
        if "from" in got:
            parent = read.text(got["from"], key, "from")
            if parent and parent not in self.made:
                read.wrong(got["from"], key, f"there is no run {parent}{did_you_mean(parent, self.made)}")
            base = self.made[parent].scenario if parent in self.made else None
            spec = replace(spec, base=parent)
        else:
            base = self._scenario(name, got["scenario"])
        if "at" in got:
            for path, value in changes.items():
                if not path.startswith("system."):
                    read.wrong(value, key, f"a branch changes system.… only, {path} is not of it", at_key=True)
        if base is not None:
            base = self._changed(base, changes, key)
        fault = read.text(got.get("fault"), key, "fault") or None
        if fault is not None and base is not None:
            known = faults(base.system.kind)
            if fault not in known:
                message = f"no fault {cut(fault)} in {base.system.kind}{did_you_mean(fault, known)}"
                read.wrong(got["fault"], key, message)
            else:
                base = replace(base, fault=fault)
        vary = self._varied(got.get("vary"), base, key)
        if vary and "at" in got:
            read.wrong(got["vary"], key, "a branch does not vary by itself, its base may", at_key=True)
        at = read.formula(got.get("at"), key)
        return replace(spec, scenario=base, changes=changes, at=at, fault=fault, vary=vary)

    def _varied(self, node: Node | None, base: Scenario | None, key: str) -> dict[str, tuple[Node, ...]]:
        if node is None:
            return {}
        found = {path: tuple(self.read_.items(values, key, "vary", 2))
                 for path, values in self.read_.mapping(node, key, "vary").items()}  # fmt: skip
        for path, values in found.items():
            for value in values:
                if base is not None:
                    self._changed(base, {path: value}, f"{key}.vary")
        return found

    def _scenario(self, name: str, node: Node) -> Scenario | None:
        key = f"runs.{name}.scenario"
        try:
            if isinstance(node.value, str):
                beside = self.path.parent / node.value if self.path else Path(node.value)
                return load(beside if node.value.endswith((".yaml", ".yml")) else bundled(node.value))
            return from_raw(node, name, key, self.path)
        except Problems as error:
            if isinstance(node.value, str):
                for each in error.problems:
                    self.read_.wrong(node, key, each.message if not each.line else str(each))
            else:
                self.read_.problems += error.problems
            return None

    def _changed(self, base: Scenario, changes: dict[str, Node], key: str) -> Scenario | None:
        try:
            return with_changes(base, changes)
        except Problems as error:
            self.read_.problems += [replace(each, key=f"{key}.set.{each.key}".rstrip(".")) for each in error.problems]
            return None
