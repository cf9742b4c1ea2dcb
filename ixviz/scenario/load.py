"""From a file, a text or plain values to a checked Scenario; `--set` and what-if changes; the bundled scenarios.

Invariant: a Scenario exists only without mistakes; all mistakes of an input are raised together, as one Problems.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ixviz.scenario.messages import Problem, Problems, cut, did_you_mean, shown
from ixviz.scenario.source import Node, from_plain, scan, scan_file

if TYPE_CHECKING:  # pydantic takes a tenth of a second to import: schema.py and what uses it are imported when used
    from ixviz.scenario.schema import Machine, Run
    from ixviz.scenario.workloads import Capture, Closed, Memcached, Poisson, Timed

SETS: Final = "--set"
_TOP: Final = Path(__file__).resolve().parents[2]
# In a wheel the content lies inside the package; in a checkout beside it.
_CONTENT: Final = (_TOP / "ixviz" / "_content" / "scenarios", _TOP / "scenarios")


class Option(str):
    """A change (`run.until=5ms`) that an option of its own gives, which messages then name in place of `--set`."""

    name: str

    def __new__(cls, change: str, name: str) -> Option:
        made = super().__new__(cls, change)
        made.name = name
        return made


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario, all values resolved (schema.py says the units). Equal when its sections are equal.

    `raw` is what was written as plain values, with all changes applied: treat it as read only. `tree` is the same with
    places. `path` is None when it did not come from a file. `fault` is the id of one that the system declares, put in
    by a lesson; no file says it, so that nothing which shows a scenario tells it.
    """

    title: str | None
    summary: str | None
    machine: Machine
    system: Any  # the Options of ixviz.system.<kind>.options
    workload: Poisson | Timed | Closed | Memcached | Capture
    run: Run
    name: str = field(compare=False)
    path: Path | None = field(compare=False)
    raw: dict[str, Any] = field(compare=False, repr=False)
    tree: Node = field(compare=False, repr=False)
    fault: str | None = field(default=None, repr=False)

    @property
    def folder(self) -> Path:
        """Where files that the scenario names are looked for: its own folder, or the current one."""
        return self.path.parent if self.path else Path()

    def resolve(self, file: str) -> Path:
        """The path of a `file` that the scenario names, such as `workload.file`."""
        return self.folder / file

    @property
    def endless(self) -> bool:
        """Whether nothing ends the run: no `run.until`, and clients that go on for ever (a connection that has closed
        opens again), packets without a number, or a control plane, whose loop does not end."""
        if self.run.until is not None:
            return False
        work: Any = self.workload
        if work.kind in ("memcached", "closed") or getattr(self.system, "control", None) is not None:
            return True
        return work.kind == "poisson" and work.packets is None


def load(source: str | bytes | os.PathLike[str], sets: Sequence[str] = (), name: str | None = None) -> Scenario:
    """The scenario of a file or a text, with `sets` (`system.batch_bound=1`) applied in their order.

    A path, or a str of one line that does not begin with `{`, is a file; other str and all bytes are the text itself,
    for which `name` stands in messages. Raises Problems.
    """
    is_text = isinstance(source, bytes) or (isinstance(source, str) and ("\n" in source or source[:1] in ("{", "")))
    if is_text:
        assert isinstance(source, str | bytes)
        path, label = None, name or "scenario"
        tree, problems = scan(source, label)
    else:
        assert not isinstance(source, bytes)
        path = Path(os.fspath(source))
        label = name or path.stem
        tree, problems = scan_file(source)
    if tree is None:
        raise Problems(problems)
    changes: list[tuple[str, Node]] = []
    for text in sets:
        key, equals, written = text.partition("=")
        key, given = key.strip(), text.name if isinstance(text, Option) else SETS
        if not equals or not key:
            problems.append(Problem(given, 1, 1, "", f"KEY=VALUE wanted, got {shown(text)}"))
            continue
        value, wrong = scan(written, given) if written.strip() else (_at_one_place(None, given), [])
        problems += [Problem(given, 1, 1, key, p.message) for p in wrong]
        if value is not None:
            changes.append((key, _flattened(value)))
    tree = _changed(tree, changes, problems)
    return _checked(tree, problems, label, path)


def from_raw(
    raw: Mapping[str, object] | Node, name: str = "scenario", prefix: str = "", path: Path | None = None
) -> Scenario:
    """The scenario of plain values, or of a node of another file (a lesson), whose places the messages then have.

    `prefix` is put before the keys in messages (`runs.bench.scenario`); `path` is the file it came from, if any.
    Raises Problems.
    """
    tree = raw if isinstance(raw, Node) else from_plain(dict(raw), name)
    return _checked(tree, [], name, path, prefix)


def with_changes(scenario: Scenario, changes: Mapping[str, object], name: str | None = None) -> Scenario:
    """`scenario` with values replaced by their dotted path: `{"system.batch_bound": 1, "workload.rate": "50 K/s"}`.

    A value is plain, as it would be written in the file, or a node, whose place the messages then have; plain values
    stand at `set:1:1`. Setting `workload.load` removes `workload.rate` and the reverse. `name` renames the result. A
    fault stays in. Raises Problems.
    """
    problems: list[Problem] = []
    nodes: list[tuple[str, Node]] = []
    for key, value in changes.items():
        try:
            nodes.append((key, value if isinstance(value, Node) else from_plain(value, "set")))
        except Problems as error:
            problems += [replace(p, key=key) for p in error.problems]
    tree = _changed(scenario.tree, nodes, problems)
    made = _checked(tree, problems, name or scenario.name, scenario.path)
    same_system: bool = made.system.kind == scenario.system.kind  # another system has faults of its own
    return replace(made, fault=scenario.fault if same_system else None)


def bundled(name: str) -> Path:
    """The file of the bundled scenario `name` (without `.yaml`). Raises Problems, with the nearest known name."""
    known = list_bundled()
    if name in known:
        for folder in _CONTENT:
            if (folder / f"{name}.yaml").is_file():
                return folder / f"{name}.yaml"
    raise Problems([Problem(name, 0, 0, "", f"no such scenario{did_you_mean(name, known)}")])


def list_bundled() -> list[str]:
    """The names of the bundled scenarios, sorted."""
    return sorted({path.stem for folder in _CONTENT for path in folder.glob("*.yaml")})


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario, for editors; quantities with units are text with a pattern."""
    from ixviz.scenario.jsonschema import json_schema

    return json_schema()


def _checked(tree: Node, problems: list[Problem], name: str, path: Path | None, prefix: str = "") -> Scenario:
    from ixviz.scenario.sections import sections

    checked, found = sections(tree, prefix)
    if checked is None or problems or found:
        raise Problems([*problems, *found])
    raw: Any = tree.plain()
    return Scenario(*checked, name=name, path=path, raw=raw, tree=tree)


def _at_one_place(value: Any, file: str) -> Node:
    return Node(value, file, 1, 1, 1, 1)


def _flattened(node: Node) -> Node:
    """`node` with all its places at 1:1: a column inside a value of the command line helps nobody."""
    value = node.value
    if isinstance(value, dict):
        value = {key: _flattened(inner) for key, inner in value.items()}
    elif isinstance(value, list):
        value = [_flattened(inner) for inner in value]
    return Node(value, node.file, 1, 1, 1, 1, node.spelling, node.bad)


def _changed(tree: Node, changes: Iterable[tuple[str, Node]], problems: list[Problem]) -> Node:
    """`tree` with `changes` put in; `tree` itself stays as it is. What cannot be put in is added to `problems`."""
    from ixviz.scenario.schema import ALTERNATIVES

    keys = set()
    for key, value in changes:
        keys.add(key)
        steps = key.replace("[", ".").replace("]", "").split(".")
        if all(steps) and len(steps) <= 16:
            tree = _put(tree, steps, value, key, problems)
        else:
            problems.append(Problem(value.file, value.line, value.col, key, "not the path of a value"))
    for section, pair, kind in ALTERNATIVES:
        for new, old in (pair, pair[::-1]):
            if f"{section}.{new}" in keys and f"{section}.{old}" not in keys:
                tree = _without(tree, section, old, kind)
    return tree


def _without(tree: Node, section: str, key: str, kind: str | None) -> Node:
    """`tree` without `section.key`, if the section is of that `kind` (None for a section that has no kinds)."""
    inner = tree.get(section)
    if inner is None or not isinstance(inner.value, dict) or not isinstance(tree.value, dict):
        return tree
    own = inner.value.get("kind")
    if (own.value if own else None) != kind:
        return tree
    kept = replace(inner, value={k: v for k, v in inner.value.items() if k != key})
    return replace(tree, value={**tree.value, section: kept})


def _put(tree: Node, steps: list[str], value: Node, key: str, problems: list[Problem]) -> Node:
    """A copy of `tree` with `value` at `steps`; only the mappings and lists on the way are copied."""
    step, rest = steps[0], steps[1:]
    if isinstance(tree.value, list):
        index = int(step) if step.isascii() and step.isdigit() and len(step) < 10 else -1
        if not 0 <= index < len(tree.value):
            message = f'no item "{cut(step)}" in a list of {len(tree.value)}'
            problems.append(Problem(value.file, value.line, value.col, key, message))
            return tree
        items = list(tree.value)
        items[index] = _put(items[index], rest, value, key, problems) if rest else value
        return replace(tree, value=items)
    if tree.value is None:
        tree = replace(tree, value={}, spelling=None)
    if not isinstance(tree.value, dict):
        message = f"there is no {cut(step)} inside {shown(tree.value, tree.spelling)}"
        problems.append(Problem(value.file, value.line, value.col, key, message))
        return tree
    if rest:
        empty = Node({}, value.file, value.line, value.col, value.key_line, value.key_col)
        value = _put(tree.value.get(step, empty), rest, value, key, problems)
    return replace(tree, value={**tree.value, step: value})
