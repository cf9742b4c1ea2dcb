"""A sheet as Markdown (CommonMark, with GitHub's boxes to tick), wrapped so that it reads well as it is, too.

Invariant: a text comes out as that text: no sign of it becomes a heading, a link, markup or HTML.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from ixviz.draw.width import literal
from ixviz.export.sheet import Blank, Block, Choices, Items, Picture, Say, Sheet, paragraphs

WIDTH = 80
_SIGNS = re.compile(r"[\\`*\[\]<>~&$]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
_FIRST = re.compile(r"[#+=>:|-]|\d+(?=[.)](?:\s|$))")
_LATER = re.compile(r"[#+=>:|-]|1(?=[.)](?:\s|$))")  # within a paragraph no other number begins a list
_STARS = {"bold": "**", "emphasis": "*"}
_LINE = "_" * 50


def render(sheet: Sheet) -> str:
    """The whole text, with a newline at its end."""
    out = [f"# {escape(sheet.title)}", *_blocks(sheet.head)]
    for section in sheet.sections:
        aside = f" ({escape(section.aside)})" if section.aside else ""
        title = f"{escape(section.title)}{aside}"
        out += [f"**{title}**" if sheet.dense else f"## {title}", *_blocks(section.blocks)]
    out += [*(["---"] if sheet.foot else []), *_blocks(sheet.foot)]
    return "\n\n".join(out) + "\n"


def escape(text: str) -> str:
    """A text on one line, literally, for the middle of a line."""
    return _SIGNS.sub(lambda match: "\\" + match.group(), literal(" ".join(text.split())))


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Say):
            yield from _said(block)
        elif isinstance(block, Picture):
            yield _fenced(block.lines)
        elif isinstance(block, Choices):
            if block.label:
                yield f"{escape(block.label)}:"
            box = "[ ] " if block.boxes else ""
            yield "\n".join(_wrapped(f"{box}**{escape(key)}** {_one(text)}", "- ") for key, text in block.rows)
        elif isinstance(block, Blank):
            wanted = f" ({escape(block.wanted)})" if block.wanted else ""
            yield _wrapped(f"{escape(block.label)}: {_LINE}{wanted}")
            yield from ("\\" + _LINE for _ in range(block.lines))  # without the backslash it would be a rule
        else:
            assert isinstance(block, Items)
            yield "\n".join(_wrapped(_one(row), "- ") for row in block.rows)


def _said(block: Say) -> Iterator[str]:
    label = f"**{escape(block.label)}:** " if block.label else ""
    for i, row in enumerate(paragraphs(block.text)):
        yield _wrapped((label if i == 0 else "") + _marked(row))


def _marked(row: tuple[tuple[str, str], ...]) -> str:
    return "".join(f"{_STARS.get(style, '')}{escape_span(text)}{_STARS.get(style, '')}" for text, style in row)


def escape_span(text: str) -> str:
    """As `escape`, with its spaces kept."""
    return _SIGNS.sub(lambda match: "\\" + match.group(), text)


def _one(text: str) -> str:
    """A prose of one paragraph."""
    return " ".join(_marked(row) for row in paragraphs(text))


def _wrapped(text: str, first: str = "") -> str:
    lines = textwrap.wrap(text, WIDTH - len(first), break_long_words=False, break_on_hyphens=False)
    safe = [_begun(line, _LATER if i else _FIRST) for i, line in enumerate(lines)]
    return ("\n" + " " * len(first)).join([first + safe[0], *safe[1:]]) if safe else first.rstrip()


def _begun(line: str, signs: re.Pattern[str]) -> str:
    """A line whose first sign begins nothing."""
    match = signs.match(line)
    if match is None:
        return line
    at = match.end() if match.group().isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def _fenced(lines: tuple[str, ...]) -> str:
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *lines, fence])
