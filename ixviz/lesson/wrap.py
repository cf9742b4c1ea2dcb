"""Prose as lines of a given width, for a terminal without a screen.

Invariant: nothing from a file reaches the terminal raw: what is not printable is shown escaped.
"""

from __future__ import annotations

import re
import textwrap

from ixviz.scenario.messages import escape

# A number keeps its unit beside it, and a ring its number.
_JOINED = re.compile(r"(?<=\d) (?=(?:[pnµm]?s|%|[kMGT]?(?:/s|Hz|bps|B|W))(?!\w))|(?<=\bring) (?=[0-9])")
_NO_BREAK = "\u00a0"


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
        joined = _JOINED.sub(_NO_BREAK, paragraph)
        lines = textwrap.wrap(joined, width, initial_indent=head, subsequent_indent=rest, break_on_hyphens=False)
        found += [line.replace(_NO_BREAK, " ") for line in lines]
    return found or [first.rstrip()]
