"""Prose as lines of a given width, for a terminal without a screen.

Invariant: nothing from a file reaches the terminal raw: what is not printable is shown escaped.
"""

from __future__ import annotations

import textwrap

from ixviz.scenario.messages import escape


def paragraphs(prose: str) -> list[str]:
    """The paragraphs of a prose, each on one line, `**bold**` and `*emphasis*` as `*word*`. An empty line divides."""
    blocks: list[list[str]] = [[]]
    for line in prose.split("\n"):
        if line.strip():
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    return [escape(" ".join(block)).replace("**", "*") for block in blocks if block]


def wrapped(prose: str, width: int = 80, first: str = "", rest: str = "") -> list[str]:
    """The prose wrapped, the first line after `first`, all others after `rest`. Never wider, never cut."""
    found: list[str] = []
    for paragraph in paragraphs(prose):
        head = first if not found else rest
        lines = textwrap.wrap(paragraph, width, initial_indent=head, subsequent_indent=rest, break_on_hyphens=False)
        found += lines
    return found or [first.rstrip()]
