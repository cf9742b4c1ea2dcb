"""A sheet as one HTML file: no script, nothing from elsewhere, a style for paper.

Invariant: every text is escaped, and the file is ASCII, so that no encoding can spoil it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as _escape

from ixviz.draw.width import literal
from ixviz.export.sheet import Blank, Block, Choices, Items, Picture, Say, Sheet, paragraphs

_TAGS = {"bold": "strong", "emphasis": "em"}
_STYLE = """
body { font: 11pt/1.4 Georgia, 'Times New Roman', serif; max-width: 46em; margin: 2em auto; padding: 0 1em;
  color: #000; background: #fff; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin: 1.6em 0 .4em; }
.aside { font-weight: normal; color: #444; font-size: .85em; margin-left: .6em; }
pre { font: 9.5pt/1.25 'DejaVu Sans Mono', Menlo, Consolas, monospace; border: 1px solid #999; padding: .5em .7em;
  overflow-x: auto; }
p { margin: .5em 0; } ul { margin: .5em 0; padding-left: 1.4em; }
ul.choices { list-style: none; padding-left: .4em; }
ul.choices li { margin: .25em 0 .25em 3.2em; text-indent: -3.2em; }
ul.choices.plain li { margin-left: 1.6em; text-indent: -1.6em; }
.box { display: inline-block; width: .8em; height: .8em; border: 1px solid #000; margin-right: .7em; text-indent: 0; }
.key { display: inline-block; min-width: 1.3em; font-weight: bold; text-indent: 0; }
.blank { display: flex; align-items: baseline; gap: .6em; } .blank .line { flex: 1; border-bottom: 1px solid #000;
  min-height: 1.5em; } .wanted { color: #444; font-size: .85em; }
footer { margin-top: 2em; border-top: 1px solid #999; font-size: .85em; }
.dense { font-size: 9.5pt; line-height: 1.25; } .dense h2 { font-size: 1em; margin: .7em 0 .1em; }
.dense p, .dense ul { margin: .15em 0; } .dense ul.choices li { display: inline; margin: 0 .8em 0 0; }
@media print { body { margin: 0; max-width: none; padding: 0; } h2 { break-after: avoid; }
  pre, .ask, .blank, li { break-inside: avoid; } section { break-inside: avoid-page; } @page { margin: 16mm; } }
"""


def render(sheet: Sheet) -> str:
    """The whole file."""
    body = [f"<h1>{_text(sheet.title)}</h1>", *_blocks(sheet.head)]
    for section in sheet.sections:
        aside = f'<span class="aside">{_text(section.aside)}</span>' if section.aside else ""
        body += ["<section>", f"<h2>{_text(section.title)}{aside}</h2>", *_blocks(section.blocks), "</section>"]
    if sheet.foot:
        body += ["<footer>", *_blocks(sheet.foot), "</footer>"]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    page = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(sheet.title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        '<body class="dense">' if sheet.dense else "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return ("\n".join(page) + "\n").encode("ascii", "xmlcharrefreplace").decode("ascii")


def _text(text: str) -> str:
    return _escape(literal(" ".join(text.split())))


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Say):
            label = f"<strong>{_text(block.label)}:</strong> " if block.label else ""
            for i, row in enumerate(paragraphs(block.text)):
                yield f"<p>{label if i == 0 else ''}{_marked(row)}</p>"
        elif isinstance(block, Picture):
            yield "<pre>" + "\n".join(_escape(literal(line)) for line in block.lines) + "</pre>"
        elif isinstance(block, Choices):
            if block.label:
                yield f"<p>{_text(block.label)}:</p>"
            box = '<span class="box"></span>' if block.boxes else ""
            yield f'<ul class="choices{"" if block.boxes else " plain"}">'
            for key, text in block.rows:
                yield f'<li>{box}<span class="key">{_text(key)}</span> {_one(text)}</li>'
            yield "</ul>"
        elif isinstance(block, Blank):
            wanted = f'<span class="wanted">({_text(block.wanted)})</span>' if block.wanted else ""
            yield f'<div class="blank">{_text(block.label)}: <span class="line"></span>{wanted}</div>'
            for _ in range(block.lines):
                yield '<div class="blank"><span class="line"></span></div>'
        else:
            assert isinstance(block, Items)
            yield "<ul>" + "".join(f"<li>{_one(row)}</li>" for row in block.rows) + "</ul>"


def _one(text: str) -> str:
    return " ".join(_marked(row) for row in paragraphs(text))


def _marked(row: tuple[tuple[str, str], ...]) -> str:
    return "".join(f"<{tag}>{_escape(text)}</{tag}>" if (tag := _TAGS.get(style)) else _escape(text)
                   for text, style in row)  # fmt: skip
