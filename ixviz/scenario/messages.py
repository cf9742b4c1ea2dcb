"""What is said about a mistake in a file: one line with its place, its key and what was expected.

Invariant: nothing from a file reaches a terminal raw; every control or invisible character is shown escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_SHOWN = 60
MOST_LISTED = 130  # characters of known words
MOST_TOLD = 100  # lines; a file of a megabyte can hold two hundred thousand mistakes


def escape(text: str) -> str:
    """`text` on one line, with every character that is not printable as an escape (`\\n`, `\\x1b`, `\\u202e`)."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def cut(text: str, limit: int = LONGEST_SHOWN) -> str:
    """`text` escaped and cut to `limit` characters, an ellipsis in place of the rest."""
    # Cut first: escaping a megabyte to show sixty characters of it would be slow.
    text = escape(text[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(value: object, spelling: str | None = None) -> str:
    """`value` with its kind in words: `text "2"`, `the number 2.5`, `a list`; `spelling` is how the file wrote it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return cut(spelling) if spelling else str(value).lower()
    if isinstance(value, int | float):
        # An int of thousands of digits cannot be printed (Python refuses), and need not be.
        if spelling is None:
            spelling = str(value) if isinstance(value, float) or value.bit_length() < 400 else "too long to show"
        return f"the number {cut(spelling)}"
    if isinstance(value, str):
        return f'text "{cut(value)}"'
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return f"a value of type {type(value).__name__}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word of `known` that was most likely meant by `word`, or None when none is near."""
    names = list(known)
    for name in names:
        if name.casefold() == word.casefold():
            return name
    from difflib import get_close_matches  # here, because most files have no mistake

    found = get_close_matches(word[:200], names, n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str], listed_by: str = "") -> str:
    """`, did you mean cores?`, or the words that are known when none is near, or nothing when nothing is known.

    Of more words than a line has room for the three nearest, how many there are, and what lists them, if given.
    """
    names = list(known)
    near = nearest(word, names)
    if near is not None:
        return f", did you mean {near}?"
    listed = ", ".join(names)
    if len(listed) <= MOST_LISTED:
        return f"; known: {listed}" if names else ""
    from difflib import get_close_matches

    some = get_close_matches(word[:200], names, n=3, cutoff=0)
    more = f" ({listed_by} lists them)" if listed_by else ""
    return f"; {len(names):,} are known{more}, the nearest are {', '.join(cut(name, 30) for name in some)}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `line` and `col` count from 1; line 0 means the file as a whole. `key` is dotted, may be empty."""

    file: str
    line: int
    col: int
    key: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.col}" if self.line else self.file
        key = f"{cut(self.key, 120)}: " if self.key else ""
        return escape(f"{place}: {key}{self.message}")


class Problems(Exception):
    """All mistakes of one input, sorted by place (files in the order they were first named). Never empty."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        given = list(problems)
        files = list(dict.fromkeys(p.file for p in given))
        self.problems: tuple[Problem, ...] = tuple(sorted(given, key=lambda p: (files.index(p.file), p.line, p.col)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:MOST_TOLD]]
        more = len(self.problems) - MOST_TOLD
        return "\n".join([*lines, f"… and {more:,} more"] if more > 0 else lines)


def dotted(path: Iterable[str | int]) -> str:
    """The path of a value as it is written in messages: `workload.packets[0].at`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
