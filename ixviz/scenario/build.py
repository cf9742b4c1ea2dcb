"""Builds the tree of source.py from PyYAML's events: anchors, aliases, merge keys, tags and keys are handled here.

Invariant: one loop, no recursion, and work in proportion to the file; limits hold before anything is expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from ixviz.scenario.messages import Problem, cut, dotted, shown
from ixviz.scenario.scalars import CORE, ScalarError, resolve, tagged, unknown
from ixviz.scenario.source import MOST_EXPANDED, MOST_NESTING, Node
from ixviz.scenario.syntax import said

# libyaml is ten times as fast; its events and their places are the same.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TAG_OF = {yaml.MappingStartEvent: CORE + "map", yaml.SequenceStartEvent: CORE + "seq"}
_SKIP = object()  # the key of a value that is read but not kept


class _Stop(Exception):
    """Reading cannot go on; the problem has been noted."""


@dataclass(slots=True)
class _Part:
    """A value with how many values it stands for and how deep they nest."""

    node: Node
    size: int = 1
    height: int = 1


@dataclass(slots=True)
class _Frame(_Part):
    """A mapping or list that is still open."""

    anchor: str | None = None
    key: object = None  # the key whose value comes next; None when a key comes next
    key_at: tuple[int, int] = (0, 0)
    merges: list[Node] = field(default_factory=list)
    merge_seen: int = 0


def build(text: str, name: str) -> tuple[Node | None, list[Problem]]:
    """The tree of `text` as far as it could be read and all problems; never raises."""
    builder = _Builder(text, name)
    try:
        builder.run()
    except _Stop:
        return None, builder.problems
    root = builder.root
    if root is None or (root.value is None and root.spelling == ""):  # nothing, or `---` and nothing
        return None, builder.problems or [Problem(name, 1, 1, "", "the file is empty")]
    return root, builder.problems


class _Builder:
    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.problems: list[Problem] = []
        self.root: Node | None = None
        self.stack: list[_Frame] = []
        self.anchors: dict[str, _Part] = {}
        self.expanded = 0

    def problem(self, line: int, col: int, message: str, *last: str) -> None:
        path = [f.key if isinstance(f.key, str) else len(f.node.value) if isinstance(f.node.value, list) else None
                for f in self.stack]  # fmt: skip
        steps = [step for step in path if step is not None]
        self.problems.append(Problem(self.name, line, col, dotted([*steps, *last]), message))

    def run(self) -> None:
        documents = 0
        try:
            for event in yaml.parse(self.text, Loader=_LOADER):
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        at: Any = event.start_mark
                        self.problem(at.line + 1, at.column + 1, "one document a file is wanted, a second begins here")
                        return
                    self.anchors.clear()
                elif isinstance(event, yaml.NodeEvent):
                    self.take(event)
                elif isinstance(event, yaml.CollectionEndEvent):
                    self.close()
        except yaml.MarkedYAMLError as error:
            self.syntax(error)
        except _Stop:
            raise
        except Exception as error:
            # PyYAML lets ValueError, IndexError, RecursionError and others escape on hostile input.
            self.problem(1, 1, f"not YAML: {type(error).__name__}")
            raise _Stop from None

    def syntax(self, error: yaml.MarkedYAMLError) -> None:
        line, col, message = said(self.text, error)
        # What was told of the same place is another word for this: `*bold text` is no alias, and no end of a mapping.
        self.problems = [each for each in self.problems if (each.line, each.col) != (line, col)]
        self.problems.append(Problem(self.name, line, col, "", message))
        raise _Stop

    def take(self, event: Any) -> None:
        line, col = event.start_mark.line + 1, event.start_mark.column + 1
        node = Node(None, self.name, line, col, line, col)
        if isinstance(event, yaml.AliasEvent):
            self.attach(self.alias(str(event.anchor), line, col))
            return
        if isinstance(event, yaml.ScalarEvent):
            self.scalar(node, event)
            if event.anchor:
                self.anchors[event.anchor] = _Part(node)
            self.attach(_Part(node), merge=node.spelling == "<<")
            return
        if len(self.stack) >= MOST_NESTING:
            self.problem(line, col, f"nested deeper than {MOST_NESTING}")
            raise _Stop
        is_map = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in (None, "!", _TAG_OF[type(event)]):
            self.problem(line, col, unknown(event.tag))
            node.bad = True
        node.value = {} if is_map else []
        self.stack.append(_Frame(node, anchor=event.anchor))

    def scalar(self, node: Node, event: yaml.ScalarEvent) -> None:
        word = event.value
        try:
            if event.tag is not None:
                node.value = tagged(word, event.tag)
            elif event.implicit[0]:  # not quoted
                node.spelling = word
                node.value = resolve(word)
            else:
                node.value = word
            # Only an escape in quotes can say these; the first ends names of files, the others cannot be printed.
            odd = next((c for c in word if c == "\0" or "\ud800" <= c <= "\udfff"), None)
            if odd is not None:
                raise ScalarError(f"the character U+{ord(odd):04X} is not allowed in a text")
        except ScalarError as error:
            node.value, node.bad = word, True
            self.problem(node.line, node.col, str(error))

    def alias(self, anchor: str, line: int, col: int) -> _Part:
        part = self.anchors.get(anchor)
        if part is None or any(frame.anchor == anchor for frame in self.stack):
            inside = any(frame.anchor == anchor for frame in self.stack)
            why = "is used inside its own value" if inside else "is not defined; a text that begins with * needs quotes"
            self.problem(line, col, f"alias *{cut(anchor)} {why}")
            return _Part(Node(None, self.name, line, col, line, col, bad=True))
        self.expanded += part.size
        if self.expanded > MOST_EXPANDED:
            self.problem(line, col, f"too many alias expansions, at most {MOST_EXPANDED:,} values are allowed")
            raise _Stop
        if len(self.stack) + part.height > MOST_NESTING:
            self.problem(line, col, f"nested deeper than {MOST_NESTING}")
            raise _Stop
        if isinstance(part.node.value, dict | list):
            return part
        # A scalar's mistake is told where it is used; a mapping's keys keep the places where they stand.
        node = Node(part.node.value, self.name, line, col, line, col, part.node.spelling, part.node.bad)
        return _Part(node)

    def close(self) -> None:
        frame = self.stack.pop()
        if isinstance(frame.node.value, dict):
            for merged in frame.merges:  # the first of several wins, and what is written out wins over all
                assert isinstance(merged.value, dict)
                for key, node in merged.value.items():
                    frame.node.value.setdefault(key, node)
        if frame.anchor:
            self.anchors[frame.anchor] = frame
        self.attach(frame)

    def attach(self, part: _Part, merge: bool = False) -> None:
        if not self.stack:
            self.root = part.node
            return
        frame = self.stack[-1]
        frame.size += part.size
        frame.height = max(frame.height, part.height + 1)
        if isinstance(frame.node.value, list):
            frame.node.value.append(part.node)
        elif frame.key is None:
            self.key(frame, part.node, merge)
        else:
            self.value(frame, part.node)

    def key(self, frame: _Frame, node: Node, merge: bool) -> None:
        assert isinstance(frame.node.value, dict)
        frame.key_at = (node.line, node.col)
        key = node.value
        if node.bad:
            frame.key = _SKIP
        elif not isinstance(key, str):
            self.problem(node.line, node.col, f"keys must be text, got {shown(key, node.spelling)}")
            frame.key = _SKIP
        elif merge and not frame.merge_seen:
            frame.key, frame.merge_seen = frame.merges, node.line
        elif merge or key in frame.node.value:
            first = frame.merge_seen if merge else frame.node.value[key].key_line
            lines = f"lines {first} and {node.line}" if first != node.line else f"both in line {first}"
            self.problem(node.line, node.col, f"key {cut(key)} is given twice ({lines})", key)
            frame.key = _SKIP
        else:
            frame.key = key

    def value(self, frame: _Frame, node: Node) -> None:
        assert isinstance(frame.node.value, dict)
        if frame.key is frame.merges:
            many = node.value if isinstance(node.value, list) else [node]
            if all(isinstance(each.value, dict) for each in many):
                frame.merges.extend(many)
            elif not node.bad:
                self.problem(node.line, node.col, "the merge key << wants a mapping or a list of mappings")
        elif isinstance(frame.key, str):
            frame.node.value[frame.key] = node.keyed(*frame.key_at)
        frame.key = None
