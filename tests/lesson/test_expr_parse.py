"""Reading expressions: every text gives a tree or an ExprError, and a tree prints as it reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lesson.lesson_expressions import CONDITIONS, PROSE, VALUES

from ixviz.lesson.expr import Expr, ExprError, expressions_in, names_used, parse

PIECES = ["count(", "packets", " where ", "(", ")", ".", ",", "1", "500 us", "1.6 M/s", "==", "<", "-", "*", "/",
          " and ", " or ", "not ", "none", "x", "core0", " in ", "%", "e9", "__class__", "\n", "µs"]  # fmt: skip


def parsed(text: str) -> Expr | None:
    try:
        return parse(text)
    except ExprError as error:
        assert 0 <= error.offset <= len(text)
        assert error.message
        return None


@pytest.mark.parametrize("text", CONDITIONS + VALUES)
def test_the_lessons_expressions_are_read_and_print_as_they_are(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", PROSE)
def test_the_lessons_insets_are_found(text: str) -> None:
    found = expressions_in(text)
    assert len(found) == text.count("$(")
    assert all(text[i.start : i.start + 2] == "$(" and text[i.end - 1] == ")" for i in found)


@given(st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_a_tree_or_an_expr_error(text: str) -> None:
    tree = parsed(text)
    if tree is not None:
        assert parse(str(tree)) == tree
        names_used(tree)
    try:
        expressions_in(f"$({text}) $(")
    except ExprError:
        pass
    else:
        pytest.fail("an open $( was accepted")


@pytest.mark.parametrize(
    "text",
    ["(" * 1000, "(" * 1000 + "1" + ")" * 1000, "-" * 900 + "1", "not " * 400 + "x", "1" + "+1" * 900, "a" + ".a" * 900,
     "abs(" * 400 + "1" + ")" * 400, "x" * 5000, "1e999", "9" * 1000, "1e99", "(" * 23 + "1" + "+1)+1+1" * 23,
     ("(" * 20 + "1" + ("+1" * 39 + ")") * 20)],
)  # fmt: skip
def test_limits_are_errors(text: str) -> None:
    with pytest.raises(ExprError):
        parse(text)


def test_limits_leave_room() -> None:
    parse("(" * 20 + "1" + ")" * 20)
    parse("1" + "+1" * 30)
    assert str(parse("1e6 us")) == "1e6 us"


@pytest.mark.parametrize(
    ("text", "offset", "part"),
    [
        ("", 0, "value is missing"),
        ("1 +", 3, "value is missing"),
        ("a == b == c", 7, "two at a time"),
        ("a = 1", 2, "== compares"),
        ("3 uss", 2, "did you mean us"),
        ("(1", 2, ") is missing"),
        ("1 2", 2, "operator is missing"),
        ("f(x where y)", 4, "where belongs"),
        ("count(x, y where z)", 11, "where belongs"),
        ("x.3", 2, "name is missing"),
        ("a b", 2, "operator is missing"),
        ("x[0]", 1, "no meaning"),
        ("__class__", 0, "no meaning"),
        ("x.__class__", 2, "no meaning"),
        ("'text'", 0, "no meaning"),
        ("f()", 2, "value is missing"),
    ],
)
def test_errors_say_what_and_where(text: str, offset: int, part: str) -> None:
    with pytest.raises(ExprError) as caught:
        parse(text)
    assert caught.value.offset == offset
    assert part in caught.value.message


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("core0.stage == idle and waiting(rxlist) > 0", ["core0.stage", "idle", "rxlist", "waiting"]),
        ("last(batches).size == 12", ["batches", "batches.size"]),
        ("count(packets where batch == 4 and one.packet(id).leaves < leaves)",
         ["packets", "batch", "id", "one.packet.leaves", "leaves"]),
        ("1 us < 2 us", []),
    ],
)  # fmt: skip
def test_names_used(text: str, names: list[str]) -> None:
    assert names_used(parse(text)) == names


def test_trees_are_immutable() -> None:
    tree = parse("a + 1")
    with pytest.raises(AttributeError):
        tree.op = "-"  # type: ignore[attr-defined]
