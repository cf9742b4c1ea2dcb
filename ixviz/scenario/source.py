"""Reads YAML into a tree whose every key and value knows its line and column; scenarios and lessons share it.

Invariant: whatever the input, the answer is a tree or a list of problems, never another exception, in bounded memory.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from typing import Final

from ixviz.scenario.messages import Problem, Problems, escape
from ixviz.scenario.scalars import Scalar

MOST_BYTES: Final = 1_000_000
MOST_NESTING: Final = 64
MOST_EXPANDED: Final = 10_000  # values that aliases may stand for, all together

_BYTE_ORDER_MARKS: Final = (
    (b"\xff\xfe\x00\x00", ""),  # UTF-32, before the mark of UTF-16 that begins it; refused
    (b"\x00\x00\xfe\xff", ""),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


@dataclass(slots=True)
class Node:
    """A value of a file: a mapping (dict), a list, or a scalar, with its place. Shared by all its aliases: read only.

    `line`, `col` are the value's and `key_line`, `key_col` its key's (its own where there is no key), from 1.
    `spelling` is a scalar as it stands in the file (None if quoted); `bad` says that a problem was reported here.
    """

    value: Scalar | dict[str, Node] | list[Node]
    file: str
    line: int
    col: int
    key_line: int
    key_col: int
    spelling: str | None = None
    bad: bool = False

    def plain(self) -> object:
        """The value without places: dicts, lists and scalars, a new copy."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def children(self) -> list[tuple[str | int, Node]]:
        """The values directly inside with their key or index; none for a scalar."""
        if isinstance(self.value, dict):
            return list(self.value.items())
        return list(enumerate(self.value)) if isinstance(self.value, list) else []

    def get(self, key: str | int) -> Node | None:
        """The value under `key` (an index for a list), or None."""
        if isinstance(self.value, dict):
            return self.value.get(key) if isinstance(key, str) else None
        if isinstance(self.value, list) and isinstance(key, int) and 0 <= key < len(self.value):
            return self.value[key]
        return None

    def keyed(self, line: int, col: int) -> Node:
        """This value under a key that stands at `line`, `col`."""
        return replace(self, key_line=line, key_col=col)


def from_plain(value: object, file: str, line: int = 1, col: int = 1) -> Node:
    """A tree of plain Python values as nodes that all stand at one place. Raises Problems for what YAML cannot say."""
    problems: list[Problem] = []

    def build(value: object, depth: int) -> Node:
        node = Node(None, file, line, col, line, col)
        if isinstance(value, Node):
            return value
        if depth > MOST_NESTING:
            problems.append(Problem(file, line, col, "", f"nested deeper than {MOST_NESTING}"))
        elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
            node.value = {key: build(item, depth + 1) for key, item in value.items()}
        elif isinstance(value, list | tuple):
            node.value = [build(item, depth + 1) for item in value]
        elif value is None or isinstance(value, bool | int | float | str):
            node.value = value
        elif isinstance(value, dict):
            problems.append(Problem(file, line, col, "", "keys must be text"))
        else:
            problems.append(Problem(file, line, col, "", f"not a value of a scenario: {type(value).__name__}"))
        return node

    tree = build(value, 1)
    if problems:
        raise Problems(problems)
    return tree


def read(path: str | os.PathLike[str]) -> Node:
    """The tree of the file at `path`. Raises Problems."""
    return _or_raise(scan(_bytes_of(path), os.fspath(path)))


def read_text(text: str | bytes, name: str) -> Node:
    """The tree of `text`; `name` stands for the file in messages. Raises Problems."""
    return _or_raise(scan(text, name))


def scan_file(path: str | os.PathLike[str]) -> tuple[Node | None, list[Problem]]:
    """As `scan`, for the file at `path`."""
    try:
        return scan(_bytes_of(path), os.fspath(path))
    except Problems as error:
        return None, list(error.problems)


def scan(text: str | bytes, name: str) -> tuple[Node | None, list[Problem]]:
    """The tree as far as it could be read (None where nothing could) and all that is wrong with it.

    For readers that have more to check: where a problem was found the tree has a node that is `bad`.
    """
    from ixviz.scenario.build import build  # here, because yaml is slow to import

    try:
        clean = _checked(text, name)
    except Problems as error:
        return None, list(error.problems)
    return build(clean, name)


def _or_raise(result: tuple[Node | None, list[Problem]]) -> Node:
    node, problems = result
    if problems:
        raise Problems(problems)
    assert node is not None  # build gives a tree or a problem
    return node


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    name = os.fspath(path)
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe or a device may have no end
            raise Problems([Problem(name, 0, 0, "", "not an ordinary file; a file is wanted")])
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)  # one more, so that the size check sees it; never a whole huge file
    except FileNotFoundError:
        why = "no such file"
    except IsADirectoryError:
        why = "is a folder, a file is wanted"
    except PermissionError:
        why = "may not be read (permission denied)"
    except OSError as error:
        why = f"cannot be read: {error.strerror or type(error).__name__}"
    except ValueError:  # a NUL in the name
        why = "is not the name of a file"
    raise Problems([Problem(name, 0, 0, "", why)])


def _checked(text: str | bytes, name: str) -> str:
    """`text` decoded, without its byte order mark, every character one that YAML allows. Raises Problems."""
    if len(text) > MOST_BYTES:
        raise Problems([Problem(name, 0, 0, "", f"the file is larger than {MOST_BYTES:,} bytes")])
    if isinstance(text, bytes):
        text = _decoded(text, name)
    text = text.removeprefix("\ufeff")
    wrong = next((i for i, c in enumerate(text) if not c.isprintable() and not _allowed(c)), None)
    if wrong is not None:
        char = text[wrong]
        what = "the character NUL" if char == "\0" else f"the character {escape(char)}"
        line, col = _place(text[:wrong])
        message = f"{what} (U+{ord(char):04X}) is not allowed in a file"
        raise Problems([Problem(name, line, col, "", message)])
    return text


def _allowed(char: str) -> bool:
    """Whether YAML allows `char`, which is not printable in Python's sense (that includes spaces and joiners)."""
    code = ord(char)
    if code < 0xA0:
        return char in "\t\n\r\x85"
    return not 0xD800 <= code <= 0xDFFF and code not in (0xFEFF, 0xFFFE, 0xFFFF)


def _decoded(data: bytes, name: str) -> str:
    mark, encoding = next((m for m in _BYTE_ORDER_MARKS if data.startswith(m[0])), (b"", "utf-8"))
    if not encoding:
        raise Problems([Problem(name, 1, 1, "", "UTF-32 is not read, save the file as UTF-8")])
    body = data[len(mark) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        line, col = _place(body[: error.start].decode(encoding, "replace"))
        offset = error.start + len(mark)
        label = encoding[:6].rstrip("-").upper()
        message = f"not {label}: byte 0x{data[offset]:02x} at offset {offset}; save the file as UTF-8"
        raise Problems([Problem(name, line, col, "", message)]) from None


def _place(before: str) -> tuple[int, int]:
    """Line and column of what follows the text `before`."""
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines), len(lines[-1]) + 1
