"""Reads the nodes of a lesson file: keys, texts, numbers, expressions, each mistake noted with its place.

Invariant: a method answers None only after it noted why, or where the reader of YAML had noted it before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ixviz.lesson.expr import ExprError, Kind, Value, expressions_in, parse
from ixviz.lesson.expr.parser import KEYWORDS
from ixviz.lesson.expr.tree import FUNCTIONS, Literal
from ixviz.lesson.keys import WORDS, Table
from ixviz.lesson.model import Formula, Place, Prose, Text, Written
from ixviz.scenario.messages import Problem, cut, did_you_mean, shown
from ixviz.scenario.source import Node

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MEANS: dict[type, str] = {list: ", which is what [ ] and a - before it mean in YAML; expressions have only ( )",
          dict: ", which is what { } and a colon mean in YAML; expressions have neither"}  # fmt: skip
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def is_name(text: str) -> bool:
    """Whether an expression can use this as a name of its own."""
    return bool(_NAME.fullmatch(text)) and not is_word(text)


def is_word(text: str) -> bool:
    """Whether this has a meaning of its own in expressions."""
    return text in (*KEYWORDS, *FUNCTIONS, "time")


class Reader:
    """Collects the problems of one lesson. `lines` are the file's, for the places inside its texts."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []

    def wrong(self, node: Node, key: str, message: str, at_key: bool = False) -> None:
        """Notes a mistake at a value, or at its key."""
        if not node.bad:
            line, col = (node.key_line, node.key_col) if at_key else (node.line, node.col)
            self.problems.append(Problem(node.file, line, col, key, message))

    def place(self, node: Node, key: str) -> Place:
        """Where a value stands."""
        return Place(node.file, node.line, node.col, key)

    # ------------------------------------------------------------------------------------------- mappings, lists
    def keys(self, node: Node, table: Table, key: str, what: str) -> dict[str, Node]:
        """The known keys of a mapping; unknown and missing ones are noted."""
        if not isinstance(node.value, dict):
            self.wrong(node, key, f"{what} is a mapping, got {shown(node.value, node.spelling)}")
            return {}
        found: dict[str, Node] = {}
        for name, inner in node.value.items():
            if name in table:
                if inner.value is None:
                    self.wrong(inner, key, f"{name} has no value", at_key=True)
                else:
                    found[name] = inner
            else:
                self.wrong(inner, key, f"unknown key {cut(name)}{did_you_mean(name, table)}", at_key=True)
        for name, (form, _) in table.items():
            if form.endswith("!") and name not in node.value:
                self.wrong(node, key, f"{what} needs {name}", at_key=True)
        return found

    def mapping(self, node: Node, key: str, what: str) -> dict[str, Node]:
        """A mapping whose keys are the author's."""
        if isinstance(node.value, dict):
            return node.value
        self.wrong(node, key, f"{what} is a mapping, got {shown(node.value, node.spelling)}")
        return {}

    def items(self, node: Node | None, key: str, what: str, least: int = 1, most: int = 1000) -> Iterator[Node]:
        """The items of a list; nothing for None."""
        if node is None:
            return
        if not isinstance(node.value, list):
            self.wrong(node, key, f"{what} is a list, got {shown(node.value, node.spelling)}")
            return
        if not least <= len(node.value) <= most:
            self.wrong(node, key, f"{what} has {least} to {most} items, here are {len(node.value)}")
        yield from node.value

    # ------------------------------------------------------------------------------------------- scalars
    def text(self, node: Node | None, key: str, what: str) -> str:
        """A text; "" where there is none."""
        if node is None:
            return ""
        if isinstance(node.value, str) and node.value.strip():
            return node.value.strip()
        self.wrong(node, key, f"{what} is a text, got {shown(node.value, node.spelling)}")
        return ""

    def texts(self, node: Node | None, key: str, what: str) -> tuple[str, ...]:
        """A list of texts, each with its place."""
        return tuple(Text(self.text(item, key, f"each of {what}"), self.place(item, key))
                     for item in self.items(node, key, what, 0))  # fmt: skip

    def word(self, node: Node | None, key: str, form: str) -> str:
        """One of the words of keys.WORDS."""
        found = self.text(node, key, form)
        if found and found not in WORDS[form] and node is not None:
            self.wrong(node, key, f"{form} is {' or '.join(WORDS[form])}{did_you_mean(found, WORDS[form])}")
        return found

    def id(self, node: Node | None, key: str) -> str:
        """An id: small letters, digits and hyphens."""
        found = self.text(node, key, "id")
        if found and node is not None and not _ID.fullmatch(found):
            self.wrong(node, key, f'an id has small letters, digits and single hyphens, got "{cut(found)}"')
        return found

    def number(self, node: Node | None, key: str, what: str) -> float:
        """A number above 0; 0 where there is none."""
        if node is None:
            return 0
        value = node.value
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e6:
            return value
        self.wrong(node, key, f"{what} is a number above 0, got {shown(value, node.spelling)}")
        return 0

    # ------------------------------------------------------------------------------------------- expressions
    def formula(self, node: Node | None, key: str, made: str = "") -> Formula | None:
        """An expression; `made` is the text that was made of what is written."""
        if node is None:
            return None
        if isinstance(node.value, dict | list) or node.value is None:
            hint = _MEANS.get(type(node.value), "")
            self.wrong(node, key, f"an expression is wanted, got {shown(node.value)}{hint}")
            return None
        text = made or (node.value if isinstance(node.value, str) else node.spelling or str(node.value))
        written = self.written(node, text, key)
        try:
            return Formula(text, written, parse(text))
        except ExprError as error:
            self._expression(node, written, error)
            return None

    def prose(self, node: Node | None, key: str, what: str) -> Prose | None:
        """A text with expressions in it; they are parsed here and again when it is shown."""
        if node is None:
            return None
        if not self.text(node, key, what):
            return None
        text = str(node.value).rstrip("\n")
        made = Prose(text, self.written(node, text, key))
        try:
            expressions_in(text)
        except ExprError as error:
            self._expression(node, made.written, error)
        return made

    def proses(self, node: Node | None, key: str, what: str) -> tuple[Prose, ...]:
        """A list of texts with expressions in them."""
        found = (self.prose(item, key, f"each of {what}") for item in self.items(node, key, what))
        return tuple(prose for prose in found if prose is not None)

    def quantity(self, node: Node | None, key: str, what: str) -> Value | None:
        """A number, with or without unit."""
        formula = self.formula(node, key)
        if formula is None:
            return None
        if isinstance(formula.expr, Literal) and formula.expr.value.kind not in (Kind.BOOL, Kind.NONE):
            return formula.expr.value
        assert node is not None
        self.wrong(node, key, f"{what} is a number with or without unit, got {shown(node.value, node.spelling)}")
        return None

    def _expression(self, node: Node, written: Written, error: ExprError) -> None:
        if not node.bad:
            self.problems.append(written.place(error.offset).problem(error.message))

    def written(self, node: Node, text: str, key: str) -> Written:
        """Where the characters of a scalar stand; without lines where YAML folded or escaped them."""
        start = Place(node.file, node.line, node.col, key)
        source = self.lines[node.line - 1][node.col - 1 :] if 0 < node.line <= len(self.lines) else ""
        if "\n" not in text and source.startswith(text):
            return Written(start, ((0, node.line, node.col),))
        if "\n" not in text and source[:1] in ("'", '"') and source[1:].startswith(text):
            return Written(start, ((0, node.line, node.col + 1),))
        if not source.startswith("|"):
            return Written(start)
        found, offset, indent = [], 0, None
        for number, line in enumerate(text.split("\n"), start=node.line):
            there = self.lines[number] if number < len(self.lines) else ""
            if indent is None and there.strip():
                indent = len(there) - len(there.lstrip(" "))
            if there[indent or 0 :].rstrip() != line.rstrip():
                return Written(start)
            found.append((offset, number + 1, (indent or 0) + 1))
            offset += len(line) + 1
        return Written(start, tuple(found))
