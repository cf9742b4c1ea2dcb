"""A page to be printed, as data: what a handout says, before it is Markdown or HTML.

Invariant: texts are as their author wrote them; whoever renders one escapes it for its own language.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ixviz.draw.cells import Line, Span
from ixviz.draw.cells import width as cells
from ixviz.draw.prose import prose


@dataclass(frozen=True, slots=True)
class Say:
    """Prose; an empty line begins a paragraph, `**bold**` and `*emphasis*` are marked. `label` stands before it."""

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of ASCII in which each character has its place."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """Things with a key and words, to be ticked (`boxes`) or only listed."""

    rows: tuple[tuple[str, str], ...]
    boxes: bool = True
    label: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """A line to write on, behind `label`; `wanted` says what belongs there. `lines` more of them below."""

    label: str
    wanted: str = ""
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    rows: tuple[str, ...]


Block = Say | Picture | Choices | Blank | Items


@dataclass(frozen=True, slots=True)
class Section:
    """A step of a lesson; `aside` stands behind its title."""

    title: str
    aside: str = ""
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole handout. `dense`: it shall fit one page."""

    title: str
    head: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    foot: tuple[Block, ...] = field(default=())
    dense: bool = False


def paragraphs(text: str) -> list[Line]:
    """The paragraphs of a prose, each as one line of spans whose style is "", bold or emphasis."""
    found = []
    for block in text.replace("\r", "\n").split("\n\n"):
        words = " ".join(block.split())
        if words:
            [row] = prose(words, cells(words) + 1, hang=0)
            found.append(_trimmed(row))
    return found


def _trimmed(row: Line) -> Line:
    """Without the spaces at the end."""
    *rest, last = row
    return (*rest, Span(last.text.rstrip(), last.style)) if last.text.strip() else tuple(rest)
