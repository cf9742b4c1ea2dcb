"""What is wrong with the YAML of a file, in plain words: what the author has written, and what to write in its place.

Invariant: both of PyYAML's parsers, whose own words differ, are told alike; a mistake not known here keeps their words.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import yaml

TAB: Final = "a tab cannot be used here, YAML is indented with spaces"
VERSION: Final = "unsupported YAML version, 1.2 is read"
_KEY = r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[\]{}#:,][^\"'\[\]{}#:]*?)\s*:"
_BEFORE = re.compile(rf"\s*(?:- +)*(?:{_KEY}\s+)?")  # what stands on a line before its value
_HAS_KEY = re.compile(rf"\s*(?:- +)*{_KEY}(?:\s|$)")
_CLOSED: Final = {"[": "]", "{": "}"}
_NAMED: Final = {"[": "a list", "{": "a mapping", "*": "an alias", "&": "an anchor"}


class Said(NamedTuple):
    """A mistake: line and column from 1, and what it is."""

    line: int
    col: int
    message: str


def said(text: str, error: yaml.MarkedYAMLError) -> Said:
    """The mistake that stopped the parser."""
    return _Mistake(text, error).said()


class _Mistake:
    def __init__(self, text: str, error: yaml.MarkedYAMLError) -> None:
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        at, since = error.problem_mark or error.context_mark, error.context_mark or error.problem_mark
        self.line, self.col = (at.line + 1, at.column + 1) if at else (1, 1)  # where the parser noticed it
        self.first, self.first_col = (since.line + 1, since.column + 1) if since else (1, 1)  # of what it was inside
        self.words = " ".join(part for part in (error.problem, error.context) if part)

    def said(self) -> Said:
        words, here = self.words, self._char(self.line, self.col)
        if "incompatible YAML document" in words:
            return self._at(VERSION)
        if "tab character" in words or ("cannot start any token" in words and here == "\t"):
            return self._at(TAB)
        if "directive" in words or ("document start" in words and self.lines[0].startswith("%")):
            line = self.first if "directive" in words else 1
            return Said(line, 1, "a line that begins with % is an order to YAML, and this is none of those it knows")
        if "document start" in words:
            return self._at("the file was over: the line ... before this ends it")
        if "cannot start any token" in words:
            return self._at(f"{here} cannot begin a text: put the text in quotes")
        if "mapping values are not allowed" in words:
            return self._colon()
        if "could not find expected ':'" in words:
            return self._first("this line is no `key: value`, and not indented as part of a text above it")
        if "scanning an alias" in words or "scanning an anchor" in words:
            return self._sign(self.first, self.first_col)
        if re.search(r"(?:scanning|parsing) a tag", words):
            return self._first("! begins a tag in YAML: a text that begins with ! needs quotes")
        if "quoted scalar" in words:
            return self._quoted()
        if "scanning a block scalar" in words:
            sign = self._char(self.first, self.first_col)
            return self._first(f"behind {sign} nothing follows, the text stands on the lines below it, indented; "
                               f"a text that begins with {sign} needs quotes")  # fmt: skip
        if "sequence entries are not allowed" in words:
            return self._at("a list begins on the line below its key; a text that begins with - needs quotes")
        if "mapping keys are not allowed" in words:
            return self._at("a text that begins with ? needs quotes")
        if "scanning a plain scalar" in words:
            return self._at(f"{here} cannot stand here inside brackets: put the text in quotes")
        if "flow sequence" in words or "flow mapping" in words or "flow node" in words:
            return self._flow(here)
        if "node content" in words:
            return self._at(f"{here} cannot begin a text: put the text in quotes")
        if "block mapping" in words or "block collection" in words:
            return self._block(here)
        return self._at(words or "not YAML")

    # ------------------------------------------------------------------------------------------- the kinds
    def _colon(self) -> Said:
        """A colon and a space where no key can be: in a text, or behind a line that is none."""
        row = self._row(self.line)
        begins = self._value(self.line)
        if begins < self.col - 1:
            return self._at("a text with `: ` in it needs quotes, or | behind its key and the text on the lines below")
        before = next((n for n in range(self.line - 1, 0, -1) if self._row(n).strip()), 0)
        if not before:
            return self._at("a text with `: ` in it needs quotes")
        if _indent(row) > _indent(self._row(before)) and _HAS_KEY.match(self._row(before)):
            return self._at(f"line {before} has its value already: a key of the same mapping is indented like it, a "
                            "text with `: ` in it needs quotes")  # fmt: skip
        col = _indent(self._row(before)) + 1
        return Said(before, col, "this line is no `key: value`: a colon and a space stand between the two")

    def _quoted(self) -> Said:
        sign = self._char(self.first, self.first_col)
        if "end of stream" in self.words or "document separator" in self.words:
            return self._first(f"the text that begins with {sign} here has no closing {sign}")
        return self._at('\\ begins an escape in "…": write \\\\ for the sign itself, or put the text in \'…\'')

    def _flow(self, here: str) -> Said:
        """Something else in a list or mapping in brackets than what belongs there, or no end."""
        line, col = self.first, self.first_col
        sign = self._char(line, col)
        if sign not in _CLOSED:  # it was noticed behind the bracket, which may be anywhere above
            if here and here not in "\n ":
                return self._at(f"{here} cannot stand here inside brackets: put the text in quotes")
            return self._at("[ or { above is not closed; a text that begins with one of them needs quotes")
        if line != self.line:
            return self._first(f"{sign} begins {_NAMED[sign]}, which is not closed; a text that begins with {sign} "
                               "needs quotes")  # fmt: skip
        end = _CLOSED[sign]
        what = "a text with `: `" if here == ":" else f"a text with quotes, {sign} or {end}"
        return self._at(f"a comma or {end} is wanted here; {what} in it needs quotes")

    def _block(self, here: str) -> Said:
        """Something stands behind a value that was over, or a line's indentation fits nothing above it."""
        begins = self._value(self.line)
        sign = self._char(self.line, begins + 1)
        if begins + 1 < self.col:
            if sign in "*&":
                return self._sign(self.line, begins + 1)
            if sign in _CLOSED:
                return Said(self.line, begins + 1, f"{sign} begins {_NAMED[sign]} here, and more follows its end; a "
                            f"text that begins with {sign} needs quotes")  # fmt: skip
            if sign in "\"'":
                how = "''" if sign == "'" else '\\"'
                return self._at(f"the quoted text was over: write {how} for a {sign} in it, or put all of it in quotes")
        if here == "-" and self.col == self.first_col:
            return self._at("a - stands among keys: a list stands below a key of its own")
        if "collection" in self.words or "'-'" in self.words:
            return self._at(f"the list of line {self.first} goes on here: each of its items begins with -")
        return self._at("this line's indentation fits no line above it: the keys of a mapping, and the - of a list, "
                        "stand in one column")  # fmt: skip

    def _sign(self, line: int, col: int) -> Said:
        sign = self._char(line, col)
        return Said(line, col, f"{sign} begins the name of {_NAMED.get(sign, 'an alias')} in YAML: a text that begins "
                    f"with {sign} needs quotes")  # fmt: skip

    # ------------------------------------------------------------------------------------------- the text
    def _at(self, message: str) -> Said:
        return Said(self.line, self.col, message)

    def _first(self, message: str) -> Said:
        return Said(self.first, self.first_col, message)

    def _row(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def _char(self, line: int, col: int) -> str:
        return self._row(line)[col - 1 : col]

    def _value(self, line: int) -> int:
        """Where the value of a line begins, from 0; its first sign where it has no key."""
        found = _BEFORE.match(self._row(line))
        return found.end() if found else 0


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
