"""Running text: wrapping, `**bold**`, `*emphasis*`, hanging indents, the choices of a question.

Invariant: nothing is markup but stars close around words; all other signs are shown as they are written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from .cells import Line, Lines, Span, fit, merged
from .signs import HERE
from .width import clusters, literal
from .width import width as text_width

_MARKED = re.compile(
    r"\*\*(?=\S)(.+?)(?<=\S)\*\*"  # **bold**
    r"|(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])"  # *emphasis*; a * b and 2*3*4 are none
)
# A key or a figure, two spaces or more, and text: `a   So a controller probes`, `WHY       Batch 2 took`.
_HANGING = re.compile(r" *[^ ]{1,12}(?: [^ ]{1,8})? {2,}(?=[^ ])")
_TOKENS = re.compile(r" +|[^ ]+")
# A number keeps its unit beside it, and a ring its number.
_UNIT = re.compile(r"(?<=\d) (?=(?:[pnµm]?s|%|[kMGT]?(?:/s|Hz|bps|B|W))(?!\w))|(?<=\bring) (?=\d)")
_NO_BREAK = "\u00a0"


def prose(text: str, width: int, *, hang: int | None = None, style: str = "") -> Lines:
    """`text` wrapped to `width`; a newline ends a line, an empty line stays one.

    A line that begins with a key and two or more spaces hangs its continuation below the text; any other continues at
    its own indent. `hang` sets the indent of continuations instead. Words longer than a line are cut.
    """
    return list(_prose(text, width, hang, style)) if width > 0 else []


@lru_cache(256)  # most of what a screen says is what it said before the last key
def _prose(text: str, width: int, hang: int | None, style: str) -> tuple[Line, ...]:
    rows: Lines = []
    for raw in text.split("\n"):
        shown = _UNIT.sub(_NO_BREAK, literal(raw))
        wrapped = _wrap(_styled(shown, style), width, _indent(raw) if hang is None else hang)
        rows.extend(fit(_spaced(row), width) for row in wrapped)
    return tuple(rows)


def _spaced(row: Line) -> Line:
    return tuple(Span(text.replace(_NO_BREAK, " "), style) for text, style in merged(row))


def _indent(raw: str) -> int:
    match = _HANGING.match(raw)
    return text_width(_MARKED.sub(r"\1\2", match.group())) if match else len(raw) - len(raw.lstrip(" "))


def _styled(text: str, style: str) -> Iterator[Span]:
    at = 0
    for match in _MARKED.finditer(text):
        if match.start() > at:
            yield Span(text[at : match.start()], style)
        yield Span(match.group(1), "bold") if match.group(1) else Span(match.group(2), "emphasis")
        at = match.end()
    if at < len(text):
        yield Span(text[at:], style)


def _wrap(spans: Iterator[Span], width: int, hang: int) -> Lines:
    hang = hang if hang <= width // 2 else 0
    rows: Lines = []
    row: list[Span] = []
    used = 0
    for word in _words(spans):
        cells = sum(text_width(s.text) for s in word)
        if word[0].text.startswith(" "):
            # Spaces at a break vanish; inside a line and at the start of a paragraph they are kept.
            if row or not rows:
                row.extend(word)
                used += cells
            continue
        if used + cells > width and used > (hang if rows else 0):
            rows.append(_trimmed(row))
            row, used = ([Span(" " * hang)] if hang else []), hang
        for text, style in word:
            for piece, n in clusters(text) if used + cells > width else [(text, text_width(text))]:
                if used + n > width and used > (hang if rows else 0):
                    rows.append(tuple(row))
                    row, used = ([Span(" " * hang)] if hang else []), hang
                row.append(Span(piece, style))
                used += n
            cells -= text_width(text)
    if row or not rows:
        rows.append(_trimmed(row))
    return rows


def _words(spans: Iterator[Span]) -> Iterator[list[Span]]:
    """Runs of spaces, and words; a part of a word may be bold."""
    word: list[Span] = []
    for text, style in spans:
        for token in _TOKENS.findall(text):
            if word and (token[0] == " ") != (word[-1].text[0] == " "):
                yield word
                word = []
            word.append(Span(token, style))
    if word:
        yield word


def _trimmed(row: list[Span]) -> Line:
    while row and not row[-1].text.strip(" "):
        row.pop()
    return tuple(row)


def choices(
    options: Sequence[tuple[str, str]],
    selected: int | None,
    width: int,
    *,
    indent: int = 2,
    key_width: int = 4,
    signs: Mapping[int, str] | None = None,
) -> Lines:
    """`    a   1` and `  ▸ b   4`: options of (key, text), wrapped below their text; the selected one has `▸`.

    `signs` maps options to a sign of one cell before them, such as their place in an order.
    """
    rows: Lines = []
    for i, (key, text) in enumerate(options):
        chosen = i == selected
        style = "choice" if chosen else ""
        sign = HERE if chosen else (signs or {}).get(i, " ")
        before = Span(f"{sign} ", "choice" if sign.strip() else "")
        head = (Span(" " * indent), before, *fit((Span(key, "key"),), key_width))
        cells = indent + 2 + key_width
        body = prose(text, max(width - cells, 1), style=style) or [()]
        rows.extend(fit((*head, *r) if not j else (Span(" " * cells), *r), width) for j, r in enumerate(body))
    return rows
