"""The reader: YAML 1.2 scalars, places, every class of hostile file, and that nothing else than Problems is raised."""

import codecs
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.scenario.messages import Problems
from ixviz.scenario.source import Node, read, read_text, scan


def plain(text: str | bytes) -> object:
    return read_text(text, "f").plain()


def wrong(text: str | bytes) -> str:
    with pytest.raises(Problems) as caught:
        read_text(text, "f")
    return str(caught.value)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1e6", 1e6), ("1.5", 1.5), ("12", 12), ("-3", -3), ("0", 0), ("0x10", 16), ("0o17", 15), ("+5", 5),
        (".inf", float("inf")), ("true", True), ("FALSE", False), ("~", None), ("", None), ("null", None),
        ("on", "on"), ("off", "off"), ("yes", "yes"), ("NO", "NO"), ("y", "y"), ("12:30", "12:30"), ("22:22", "22:22"),
        ("0b11", "0b11"), ("2026-01-01", "2026-01-01"), ("1.6 M/s", "1.6 M/s"), ("10 Gbps", "10 Gbps"), ("_1", "_1"),
        ("'2'", "2"), ("!!str 2", "2"), ("! 2", "2"), ("!!int 2", 2), ("|\n  2\n", "2\n"), ("1.2.3.4", "1.2.3.4"),
    ],
)  # fmt: skip
def test_scalars(word: str, value: object) -> None:
    got = plain(f"k: {word}\n")
    assert got == {"k": value}
    assert isinstance(got, dict) and type(got["k"]) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cores: 010\n", 'f:1:8: cores: the leading zero of 010 is ambiguous: write 10, or "010" for text'),
        ("cores: -007\n", 'f:1:8: cores: the leading zero of -007 is ambiguous: write -7, or "-007" for text'),
        ("cores: 1_6\n", 'f:1:8: cores: a number has no underscore: write 16, or "1_6" for text'),
        ("cores: 9" + "0" * 5000, "f:1:8: cores: a number of 5001 characters is too long, at most 100 are allowed"),
        ("cores: *nope\n", "f:1:8: cores: alias *nope is not defined"),
        ("m: &m\n  <<: *m\n  a: 2\n", "f:2:7: m: alias *m is used inside its own value"),
        ("cores: 2\0\n", "f:1:9: the character NUL (U+0000) is not allowed in a file"),
        ("a: 1\nb: \x1b[2J\n", "f:2:4: the character \\x1b (U+001B) is not allowed in a file"),
        ("a: \ud800\n", "f:1:4: the character \\ud800 (U+D800) is not allowed in a file"),
        ("# caf\xe9\n".encode("latin-1"), "f:1:6: not UTF-8: byte 0xe9 at offset 5; save the file as UTF-8"),
        ("a: 1\nb: \xe9\n".encode("latin-1"), "f:2:4: not UTF-8: byte 0xe9 at offset 8; save the file as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "f:1:1: not UTF-16: byte 0x61 at offset 2; save the file as UTF-8"),
        ("a: 1\n".encode("utf-32"), "f:1:1: UTF-32 is not read, save the file as UTF-8"),
        ("machine:\n\tcores: 2\n", "f:2:1: a tab cannot be used here, YAML is indented with spaces"),
        ("", "f:1:1: the file is empty"),
        ("# nothing\n", "f:1:1: the file is empty"),
        ("---\n...\n", "f:1:1: the file is empty"),
        ("%YAML 2.0\n---\na: 2\n", "f:1:1: unsupported YAML version, 1.2 is read"),
        ("a: 1\n---\nb: 2\n", "f:2:1: one document a file is wanted, a second begins here"),
        ("a: 2\nb: 2\na: 8\n", "f:3:1: a: key a is given twice (lines 1 and 3)"),
        ("m: {a: 2, a: 2}\n", "f:1:11: m.a: key a is given twice (both in line 1)"),
        ("? \n: 1\na: 2\n", "f:1:2: keys must be text, got nothing"),
        ("m:\n  8: 1\n", "f:2:3: m: keys must be text, got the number 8"),
        ("? [a]\n: 1\n", "f:1:3: keys must be text, got a list"),
        ("a: !!python/name:os.system\n", "f:1:4: a: unknown tag !!python/name:os.system"),
        ("a: !core 2\n", "f:1:4: a: unknown tag !core"),
        ('a: !!binary "@@@"\n', "f:1:4: a: unknown tag !!binary"),
        ("a: !!set {x, y}\n", "f:1:4: a: unknown tag !!set"),
        ('a: "x\\0"\n', "f:1:4: a: the character U+0000 is not allowed in a text"),
        ("a: !!int x\n", "f:1:4: a: the value does not fit its tag !!int"),
        ("a: !!int true\n", "f:1:4: a: the value does not fit its tag !!int"),
        ("a: 1\n<<: 3\n", "f:2:5: the merge key << wants a mapping or a list of mappings"),
        ("[" * 100, "f:1:65: " + "[0]" * 39 + "[0…: nested deeper than 64"),
        ("a: b: c\n", "f:1:5: a text with `: ` in it needs quotes"),
    ],
)
def test_refused(text: str | bytes, message: str) -> None:
    assert wrong(text).startswith(message)


def test_all_mistakes_at_once() -> None:
    assert [p.line for p in scan("a: 010\nb: 1_0\na: 2\n1: 2\n", "f")[1]] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + b"cores: 2\n",
        codecs.BOM_UTF16_LE + "cores: 2\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "cores: 2\n".encode("utf-16-be"),
        b"cores: 2\r\n",
        b"cores: 2",
        b"cores:\t2\n",
        b"base: &b 2\ncores: *b\n",
    ],
)
def test_accepted(data: bytes) -> None:
    got = plain(data)
    assert isinstance(got, dict) and got["cores"] == 2


def test_merge_keys() -> None:
    text = "b: &b {x: 1, y: 2}\nc: &c {y: 3, z: 4}\nm: {<<: [*b, *c], x: 9}\nn:\n  y: 5\n  <<: *b\n"
    got = plain(text)
    assert isinstance(got, dict)
    assert got["m"] == {"x": 9, "y": 2, "z": 4} and got["n"] == {"x": 1, "y": 5}
    assert plain('"<<": 3\n') == {"<<": 3}
    assert "key << is given twice (lines 2 and 3)" in wrong("b: &b {x: 1}\n<<: *b\n<<: *b\n")


def test_places() -> None:
    tree = read_text("a:\n  bb: 12\n  c: [x, {d: &q 'y'}]\ne: *q\nf:\n", "f")

    def at(node: Node | None) -> tuple[int, int, int, int]:
        assert node is not None
        return node.key_line, node.key_col, node.line, node.col

    a = tree.get("a")
    assert a is not None and at(a) == (1, 1, 2, 3)
    assert at(a.get("bb")) == (2, 3, 2, 7)
    listed = a.get("c")
    assert listed is not None and at(listed.get(0)) == (3, 7, 3, 7)
    inner = listed.get(1)
    assert inner is not None and at(inner.get("d")) == (3, 11, 3, 14)
    assert at(tree.get("e")) == (4, 1, 4, 4)  # where the alias is used
    assert tree.get("f") is not None and tree.get("zzz") is None and listed.get(2) is None


def test_billion_laughs_is_refused_fast_and_small() -> None:
    names = "abcdefghi"
    lines = ["a: &a [lol" + ",lol" * 8 + "]"]
    lines += [f"{n}: &{n} [{','.join(['*' + p] * 9)}]" for p, n in pairwise(names)]
    began = time.perf_counter()
    message = wrong("\n".join(lines))
    assert "too many alias expansions" in message and len(message) < 200
    assert time.perf_counter() - began < 2


def test_limits() -> None:
    deep = "".join(f"{' ' * n}a:\n" for n in range(520))
    assert "nested deeper than 64" in wrong(deep)
    chain = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{x: *a{n - 1}}}\n" for n in range(1, 100))
    assert "nested deeper than 64" in wrong(chain)
    assert wrong("a: " + "x" * 1_000_000) == "f: the file is larger than 1,000,000 bytes"
    assert plain("[" * 64 + "]" * 64)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "ok.yaml"
    file.write_bytes(b"a: 1\n")
    assert read(file).plain() == {"a": 1}
    cases = [(tmp_path / "no.yaml", "no such file"), (tmp_path, "is a folder"), ("a\0b", "is not the name of a file")]
    for path, message in cases:
        with pytest.raises(Problems, match=message):
            read(path)


YAMLISH = st.text(st.sampled_from("ab1:-?,[]{}&*!|>'\"%@#<~ \n\t0_.e\0\x1b\ufeffé\u2028"), max_size=60)


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=80), st.text(max_size=80), YAMLISH))
def test_anything_gives_a_tree_or_problems(text: str | bytes) -> None:
    node, problems = scan(text, "f")
    assert node is not None or problems
    if node is not None:
        node.plain()
    assert all(str(p).isprintable() for p in problems)
