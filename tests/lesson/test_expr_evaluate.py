"""The values of expressions, on a small machine of four batches (fake_env.bench)."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lesson.fake_env import US, DictEnv, DictTable, bench

from ixviz.lesson.expr import ExprError, Kind, NotYet, evaluate, number, parse, rate, text, time


@pytest.fixture(scope="module")
def env() -> DictEnv:
    return bench()


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("count(packets)", 16),
        ("count(packets where batch == 4)", 7),
        ("count(packets where batch != 4)", 9),
        ("count(packets where batch == none)", 2),
        ("count(packets where batch != none and leaves > 21 us)", 13),
        ("count(packets where not (batch == 4 or batch == 3))", 5),
        ("count(packets where packets.batch == 4)", 7),
        ("count(packets where batch == core0.batch)", 7),
        ("count(packets where waiting(nic.q0) == 3)", 0),
        ("count(packets where 1 < 2)", 16),
        ("count(packets where batch == 4 and one.packet(id).leaves < leaves)", 2),
        ("count(packets where batch == 4 and one.packet(id).leaves == leaves)", 0),
        ("count(packets where batch != none and abs(leaves - polled - 2 us) < 0.1 us)", 4),
        ("count(packets where queue == nic.q0)", 2),
        ("count(packets where nic.q0 == queue)", 2),
        ("count(packets where state == idle)", 2),
        ("count(packets where state != idle and batch < 3)", 3),
        ("count(batches where size == max(batches.size))", 1),
        ("mean(packets.leaves where batch == 4) - batch(4).begins", 2.75 * US),
        ("mean(one.packets.leaves where bench.packet(id).batch == 4) - batch(4).begins", 5 * US),
        ("max(packets.leaves - packets.arrives where batch != none)", 3.75 * US),
        ("mean(batches.size)", 3.5),
        ("min(batches.size where number > 2)", 4),
        ("p50(batches.size)", 2),
        ("p99(batches.size)", 7),
        ("mean(core0.batch)", 1.75),
        ("p50(core0.batch)", 1),
        ("p99(core0.batch)", 4),
        ("last(batches).size", 7),
        ("last(batches.size)", 7),
        ("first(packets where queue == nic.q0).id", 15),
        ("max(1, 5, 3)", 5),
        ("min(3 us, 1 us)", US),
        ("abs(1 - 3)", 2),
        ("one.waiting(rxlist) + waiting(rxlist)", 3),
        ("one.core0.batch", 11),
        ("packet(9).leaves == none", False),
        ("packet(15).leaves == none", True),
        ("none != packet(15).leaves", False),
        ("packet(99).leaves == none", True),
        ("first(packets where batch == 9) == none", True),
        ("first(packets) == packet(1)", True),
        ("core0.stage == idle", True),
        ("core0.stage == tcp", False),
        ("idle == core0.stage", True),
        ("first(packets).queue == core0.rxlist", True),
        ("true and not false", True),
        ("false and packet(15).leaves > 1 us", False),
        ("true or packet(15).leaves > 1 us", True),
        ("1.6 M/s * 1 ms", 1600),
        ("3 / 1.5 M/s", 2 * US),
        ("0.1 us + 333.333 ns", 433_333),
        ("64 B / 8 ns == 64 Gbps", True),
        ("50 %", 0.5),
        ("2 - 3 - 4", -5),
        ("-2 * -3", 6),
    ],
)
def test_value(env: DictEnv, expr: str, value: Any) -> None:
    assert evaluate(parse(expr), env).data == value


@pytest.mark.parametrize(
    ("expr", "kind", "data"),
    [
        ("6 / (0.98 us + 3.32 us)", Kind.RATE, pytest.approx(6 / 4.3e-6)),
        ("3 ms / 1 us", Kind.NUMBER, 3000),
        ("0.5 * 3 ms", Kind.TIME, 1.5e9),
        ("1.6 M/s", Kind.RATE, 1_600_000),
        ("64 B", Kind.SIZE, 64),
        ("abs(1 us - 3 us)", Kind.TIME, 2 * US),
        ("core0.stage", Kind.TEXT, "idle"),
    ],
)
def test_kind(env: DictEnv, expr: str, kind: Kind, data: Any) -> None:
    value = evaluate(parse(expr), env)
    assert (value.kind, value.data) == (kind, data)


@pytest.mark.parametrize(
    "expr",
    [
        "packet(15).leaves > 1 us",
        "packet(15).leaves",
        "packet(15).batch == 4",
        "packet(99).leaves",
        "last(packets where batch == 9).id",
        "mean(batches.size where size > 99)",
        "min(batches.size where size > 99)",
        "mean(packets.leaves)",
        "count(packets where leaves > 3 us)",
        "count(packets where one.packet(id).leaves > 3 us)",
        "abs(packet(15).leaves)",
        "none",
    ],
)
def test_what_has_not_happened_is_not_yet(env: DictEnv, expr: str) -> None:
    with pytest.raises(NotYet):
        evaluate(parse(expr), env)


@pytest.mark.parametrize(
    ("expr", "offset", "part"),
    [
        ("500 us > 3", 7, "write the unit"),
        ("1 us + 1", 5, "write the unit"),
        ("1 us * 1 us", 5, "multiplied"),
        ("1 us < 1 M/s", 5, "compared"),
        ("core0.batch / 0", 12, "divided by zero"),
        ("max(packets.id / nic.drops)", 15, "divided by zero"),
        ("core0.bacth", 0, "did you mean core0.batch"),
        ("packet(1).leavs", 0, "did you mean leaves"),
        ("count(packets where leves > 1 us)", 20, "there is no leves"),
        ("core0.stage == idel", 15, "did you mean idle"),
        ("count(packets where state == idel)", 29, "did you mean idle"),
        ("count(packets where state == idle and id == 1 us)", 41, "write the unit"),
        ("packets.leaves", 0, "is a column"),
        ("mean(packets)", 5, "takes a column"),
        ("mean(core0.stage)", 5, "takes many values"),
        ("mean(packets.queue)", 5, "takes numbers"),
        ("one.count(packets)", 0, "the run belongs inside"),
        ("sqrt(4)", 0, "no sqrt"),
        ("waitin(nic.q0)", 0, "no waitin"),
        ("packet(1.5)", 7, "whole number"),
        ("core0.batch.size", 0, "has no part size"),
        ("core0.batch and true", 0, "condition is needed"),
        ("count(packets where id)", 20, "condition is needed"),
        ("core0.stage < idle", 12, "cannot be compared with <"),
        ("packet(1).leaves < none", 17, "only be compared with =="),
        ("core0.stage == none", 0, "core0.stage is never none, it is in one of its states: idle, poll, tcp"),
        ("none != bench.core0.stage", 8, "bench.core0.stage is never none"),
        ("count(packets where count(packets))", 20, "condition is needed"),
        ("mean(packets.id + one.packets.id)", 16, "two tables"),
        ("9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 * 9e29 / 7", 75, "too large"),
    ],
)
def test_errors_say_what_and_where(env: DictEnv, expr: str, offset: int, part: str) -> None:
    with pytest.raises(ExprError) as caught:
        evaluate(parse(expr), env)
    assert not isinstance(caught.value, NotYet)
    assert part in caught.value.message
    assert caught.value.offset == offset


def test_none_is_also_the_state_that_is_called_so() -> None:
    words = ("none", "armed")
    table = DictTable("moves", [{"id": 1, "way": "none"}, {"id": 2, "way": "up"}, {"id": 3, "way": None}])
    for state, holds in (("none", True), ("armed", False)):
        env = DictEnv(values={"migration.state": text(state, words)}, tables={"moves": table})
        assert evaluate(parse("migration.state == none"), env).data is holds
        assert evaluate(parse("none != migration.state"), env).data is not holds
        assert evaluate(parse("count(moves where migration.state == none)"), env).data == 3 * holds
    for expr, count in (("way == none", 2), ("way != none", 1), ("way == up", 1), ("id > 1 and way == none", 1)):
        assert evaluate(parse(f"count(moves where {expr})"), env).data == count, expr
    assert [evaluate(parse(f"move({n}).way == none"), env).data for n in (1, 2, 3, 4)] == [True, False, True, True]


def test_percentiles_are_values_that_occurred() -> None:
    env = DictEnv(tables={"items": DictTable("items", [{"id": 101 - i} for i in range(1, 101)])})
    assert evaluate(parse("p99(items.id)"), env).data == 99
    assert evaluate(parse("p50(items.id)"), env).data == 50
    assert evaluate(parse("p99(items.id where id < 3)"), env).data == 2


def test_python_objects_cannot_be_reached() -> None:
    class Loud(str):
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"{name} was read")

    env = DictEnv(values={"x": text(Loud("x")), "n": number(3)})
    for expr in ("x.upper", "n.real", "n.bit_length(n)", "x.format(n)", "eval(n)", "print(n)", "x.data", "x.kind"):
        with pytest.raises(ExprError):
            evaluate(parse(expr), env)


def test_a_rows_field_hides_a_name_and_a_word_hides_a_field() -> None:
    table = DictTable("moves", [{"id": 1, "state": "armed", "armed": 5}, {"id": 2, "state": "done", "armed": None}])
    env = DictEnv(values={"id": number(9)}, tables={"moves": table})
    assert evaluate(parse("count(moves where id == 1)"), env).data == 1
    assert evaluate(parse("count(moves where state == armed)"), env).data == 1
    assert evaluate(parse("count(moves where armed == 5 ps)"), env).data == 1
    assert evaluate(parse("move(1).state == armed"), env).data is True


# ------------------------------------------------------------------------------------- against Python's arithmetic
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
Tree = int | tuple[str, "Tree", "Tree"]
trees: st.SearchStrategy[Any] = st.recursive(
    st.integers(0, 1000), lambda t: st.tuples(st.sampled_from("+-*/"), t, t), max_leaves=12
)


def written(tree: Any) -> str:
    return str(tree) if isinstance(tree, int) else f"({written(tree[1])} {tree[0]} {written(tree[2])})"


def computed(tree: Any) -> float:
    return tree if isinstance(tree, int) else OPS[tree[0]](computed(tree[1]), computed(tree[2]))


@given(trees)
def test_arithmetic_is_pythons(tree: Any) -> None:
    node, env = parse(written(tree)), DictEnv()
    for expr in (node, parse(str(node))):
        try:
            expected = computed(tree)
        except ZeroDivisionError:
            with pytest.raises(ExprError, match="divided by zero"):
                evaluate(expr, env)
        else:
            assert evaluate(expr, env).data == expected


@given(st.lists(st.sampled_from("+-*/"), max_size=6), st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_precedence_is_pythons(ops: list[str], numbers: list[int]) -> None:
    source = str(numbers[0]) + "".join(f" {op} {n}" for op, n in zip(ops, numbers[1:], strict=False))
    assert evaluate(parse(source), DictEnv()).data == eval(source)  # noqa: S307 — our own digits and operators


@given(trees, st.lists(st.integers(1, 50), min_size=1, max_size=5))
def test_columns_compute_as_single_values_do(tree: Any, data: list[int]) -> None:
    """The same arithmetic, once a column at a time and once row by row."""
    expr = written(("+", tree, 0)) + " * item(1).x"
    table = DictTable("items", [{"id": i + 1, "x": x} for i, x in enumerate(data)])
    env = DictEnv(tables={"items": table})
    for position in range(len(data)):
        single = expr.replace("item(1)", f"item({position + 1})")
        column = f"last(items.x * {written(tree)} where id == {position + 1})"
        try:
            expected = evaluate(parse(single), env).data
        except ExprError as error:
            with pytest.raises(ExprError, match=error.message):
                evaluate(parse(column), env)
        else:
            assert evaluate(parse(column), env).data == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 10**15), st.integers(1, 10**9))
def test_dimensions(ps: int, per_s: int) -> None:
    env = DictEnv(values={"t": time(ps), "r": rate(per_s)})
    assert evaluate(parse("t * r"), env).data == pytest.approx(float(Fraction(ps * per_s, 10**12)))
    assert evaluate(parse("1 / r"), env).data == pytest.approx(1e12 / per_s)
    assert evaluate(parse("1 / t"), env).data == pytest.approx(1e12 / ps)
    assert evaluate(parse("r / t == none or true"), DictEnv(values=env.values | {"r": number(1)})).data is True
