"""What breaks the YAML of a file is told in plain words at its place, the same by both of PyYAML's parsers."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ixviz.lesson import load_lesson_text
from ixviz.scenario import build
from ixviz.scenario.messages import Problems
from ixviz.scenario.source import scan

QUOTES = "needs quotes"
MISTAKES = [
    ("a: 1\nsay: a text: more\n", 2, 12, f"a text with `: ` in it {QUOTES}"),
    ("say: text\n  more: text\n", 2, 7, "line 1 has its value already"),
    ("title Foo\nb: 1\n", 1, 1, "this line is no `key: value`: a colon and a space"),
    ("a:b\nc: 1\n", 1, 1, "this line is no `key: value`: a colon and a space"),
    ("a: 1\ntitle Foo\nb: 1\n", 2, 1, "this line is no `key: value`, and not indented as part of a text"),
    ("say: *bold* text\nb: 1\n", 1, 6, "* begins the name of an alias in YAML: a text that begins with *"),
    ("say: *bold text\n", 1, 6, "* begins the name of an alias in YAML: a text that begins with *"),
    ("say: *bold\n", 1, 6, f"alias *bold is not defined; a text that begins with * {QUOTES}"),
    ("say: &nbsp; x\n", 1, 6, "& begins the name of an anchor in YAML: a text that begins with &"),
    ("say: @x\n", 1, 6, "@ cannot begin a text: put the text in quotes"),
    ("say: `x`\n", 1, 6, "` cannot begin a text"),
    ("say: %x\n", 1, 6, "% cannot begin a text"),
    ("say: , x\n", 1, 6, ", cannot begin a text"),
    ("say: ] x\n", 1, 6, "] cannot begin a text"),
    ("say: ? x\n", 1, 6, f"a text that begins with ? {QUOTES}"),
    ("say: - x\n", 1, 6, "a list begins on the line below its key"),
    ("say: [a, b\nother: 1\n", 1, 6, f"[ begins a list, which is not closed; a text that begins with [ {QUOTES}"),
    ("say: {a: b\nc: d\n", 1, 6, "{ begins a mapping, which is not closed"),
    ("say: [x] text\nb: 2\n", 1, 6, "[ begins a list here, and more follows its end"),
    ("a: [\n", 2, 1, "[ or { above is not closed"),
    ("a: {b: c: d}\n", 1, 9, "a comma or } is wanted here"),
    ('say: "abc\nother: 1\n', 1, 6, 'the text that begins with " here has no closing "'),
    ("say: 'it's fine'\n", 1, 10, "the quoted text was over: write '' for a ' in it"),
    ('say: "a" b\n', 1, 10, 'the quoted text was over: write \\" for a " in it'),
    ("say: | text\n", 1, 6, "behind | nothing follows"),
    ("when: > 5\n", 1, 7, "behind > nothing follows"),
    ("a:\n\tb: 1\n", 2, 1, "a tab cannot be used here"),
    ("a: |\n\ttext\n", 2, 1, "a tab cannot be used here"),
    ("a:\n  - b: 1\n\t  c: 2\n", 3, 1, "a tab cannot be used here"),
    ("a:\n  b: 1\n c: 2\n", 3, 2, "this line's indentation fits no line above it"),
    ("a: 1\n- b\n", 2, 1, "a - stands among keys"),
    ("- a\nb: 1\n", 2, 1, "the list of line 1 goes on here"),
    ("say: !important x\n", 1, 6, f"unknown tag !important; a text that begins with ! {QUOTES}"),
    ("say: !! x\n", 1, 6, "! begins a tag in YAML"),
    ("%foo\na: 1\n", 1, 1, "a line that begins with % is an order to YAML"),
    ("a: 1\n...\nb: 2\n", 3, 1, "the file was over"),
]
JARGON = re.compile(r"token|scanning|parsing|node content|block (mapping|end)|expected|context|stream")


@pytest.fixture(params=sorted({yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)}, key=str))
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_LOADER", request.param)


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("text", "line", "col", "message"), MISTAKES, ids=[text for text, *_ in MISTAKES])
def test_a_mistake_is_told_once_in_plain_words(text: str, line: int, col: int, message: str) -> None:
    [problem] = scan(text, "f")[1]
    assert (problem.line, problem.col) == (line, col) and problem.message.startswith(message)
    assert not JARGON.search(problem.message)


@pytest.mark.usefixtures("parser")
def test_an_escape_that_is_none() -> None:
    [problem] = scan('say: "a\\q"\n', "f")[1]
    assert problem.message.startswith('\\ begins an escape in "…"')


@pytest.mark.parametrize("row", ["when: [1, 2", "when: {a: b", "- is: [last"])
def test_behind_an_expression_brackets_are_told_as_what_they_are(row: str) -> None:
    with pytest.raises(Problems) as raised:
        load_lesson_text(f"language: 1\nbeats:\n  {row}\n  say: x\n")
    [problem] = raised.value.problems
    assert problem.message == "in YAML [ begins a list and { a mapping; expressions have only ( )"
    assert (problem.line, problem.col) == (3, 3 + row.index(":") + 2)


@given(st.text(st.sampled_from("a: -[]{}*&!|>'\"%@`,?#\n\t\\x0 "), max_size=30))
def test_whatever_is_written_is_told_at_a_place(text: str) -> None:
    for problem in scan(text, "f")[1]:
        assert problem.message and problem.line >= 1 and problem.col >= 1
