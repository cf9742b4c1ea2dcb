"""Markdown and HTML: whatever an author writes comes out as that text and as nothing else."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ixviz.draw.width import literal
from ixviz.export import html, markdown
from ixviz.export.sheet import Blank, Choices, Items, Picture, Say, Section, Sheet

NASTY = st.text(st.sampled_from("ab1 .)(#+-=>|<&*_`~![]\\$:/\"'{}\nµ\x1b\u202e"), max_size=60) | st.text(max_size=30)


class Read(HTMLParser):
    """The text of a page, and which elements it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def words(text: str) -> str:
    """What is to be seen of a text: its words, without stars that may mark some of them."""
    return "".join(literal(" ".join(text.split())).replace("*", "").split())


def through_markdown(sheet: Sheet) -> Read:
    return Read(MarkdownIt("commonmark").render(markdown.render(sheet)))


@given(NASTY)
def test_markdown_shows_a_text_and_makes_nothing_of_it(text: str) -> None:
    """Read back by another's reader: no link, image, heading, list, rule, code or HTML comes of any text."""
    read = through_markdown(Sheet("T", (Say(f"{text}"),)))
    assert set(read.tags) <= {"h1", "p", "strong", "em"}
    assert words(read.text.removeprefix("T")).replace("\\", "") == words(text).replace("\\", "")


@given(NASTY, NASTY)
def test_markdown_titles_and_choices(title: str, choice: str) -> None:
    sheet = Sheet(
        "T", sections=(Section(f"1. {title}", "2 min", (Choices((("a", f"x {choice}"),)), Items((f"y{choice}",)))),)
    )
    read = through_markdown(sheet)
    assert read.tags.count("li") == 2 and set(read.tags) <= {"h1", "h2", "ul", "li", "strong", "em", "p"}


@given(NASTY)
def test_html_shows_a_text_and_makes_nothing_of_it(text: str) -> None:
    page = html.render(Sheet("T", (Say(text), Choices(((text, text),)), Blank(text, text, 1), Items((text,))),
                             (Section(text, text, (Picture((text,)),)),), (Say(text),)))  # fmt: skip
    assert page.isascii()
    read = Read(page)
    page_tags = "html head meta title style body h1 h2 p ul li span div strong em section footer pre"
    assert set(read.tags) <= set(page_tags.split())
    assert read.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    plain = words(Read(page.partition("</head>")[2]).text)
    assert plain.count(words(text)) >= (9 if words(text) else 0)


def test_html_is_one_file_without_script_or_anything_from_elsewhere() -> None:
    page = html.render(Sheet("A & B", (Say("**bold** and *soft* <script>"),)))
    assert "<strong>bold</strong> and <em>soft</em> &lt;script&gt;" in page and "<title>A &amp; B</title>" in page
    assert "<script" not in page and "http:" not in page and "url(" not in page and "@media print" in page


def test_a_fence_is_longer_than_any_in_the_picture() -> None:
    read = through_markdown(Sheet("T", (Picture(("```", "<b>", "````")),)))
    assert read.tags == ["h1", "pre", "code"] and "```\n<b>\n````" in read.text


BEGINNINGS = ("# no", "- no", "+ no", "1. no", "12) no", "> no", "===", "---", "***", "___", "| a |", ":-: x",
              "    four", "```", "~~~", "<div>", "[a]: http://b", "![a](b)", "&amp;", "a\\")  # fmt: skip


@pytest.mark.parametrize("line", BEGINNINGS)
def test_what_begins_a_block_begins_none(line: str) -> None:
    for text in (line, f"{'word ' * 15}{line} {'word ' * 15}"):
        read = through_markdown(Sheet("T", (Say(text),)))
        assert set(read.tags) <= {"h1", "p"} and words(line) in words(read.text)


def test_lines_are_no_wider_than_80_columns() -> None:
    text = markdown.render(
        Sheet("T", (Say("word " * 60, "Why"), Items(("word " * 40,)), Choices((("a", "word " * 40),))))
    )
    assert max(map(len, text.splitlines())) <= 80


def test_rules_to_write_on_stay_lines() -> None:
    read = through_markdown(Sheet("T", (Blank("Because", lines=2), Blank("Answer", "1 to 64"))))
    assert read.tags == ["h1", "p", "p", "p", "p"] and read.text.count("_" * 50) == 4
