"""Values in prose and numbers from learners."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lesson.fake_env import bench

from ixviz.lesson.expr import ExprError, Kind, NotYet, format_value, interpolate, number, parse_number_answer, time


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("At most $(system.batch_bound) packets.", "At most 64 packets."),
        ("came at $(packet(1).arrives in us), of $(batch(4).size)", "came at 9 µs, of 7"),
        ("$(mean(packets.leaves where batch == 4) - batch(4).begins in us)", "2.75 µs"),
        ("$(6 / (0.98 us + 3.32 us))", "1.4 M/s"),
        ("$(1.567 M/s in M/s)", "1.57 M/s"),
        ("$(50 K/s)", "50 K/s"),
        ("$(1500 /s)", "1,500 /s"),
        ("$(1234567)", "1,234,567"),
        ("$(1.5 ms in us)", "1,500 µs"),
        ("$(13.35 us)", "13.35 µs"),
        ("$(32.1834 us)", "32.2 µs"),
        ("$(999.9996 us in us)", "1,000 µs"),
        ("$(0.5 ns)", "500 ps"),
        ("$(0 us)", "0 µs"),
        ("$(1 us - 3 us)", "-2 µs"),
        ("$(100 * 2 / 3 as 1) %", "67 %"),
        ("$(7 / 3 as 0.1)", "2.3"),
        ("$(2.04 as 0.1)", "2"),
        ("$(17 as 5)", "15"),
        ("$(0.5 as 1)", "1"),
        ("$(1 / 3 in %)", "33.3 %"),
        ("$(3.26 us in us as 0.1)", "3.3 µs"),
        ("$(core0.stage), $(core0.batch == 4)", "idle, yes"),
        ("no $ and (no) inset, 5 $", "no $ and (no) inset, 5 $"),
    ],
)
def test_interpolate(prose: str, shown: str) -> None:
    assert interpolate(prose, bench()) == shown


@pytest.mark.parametrize(
    ("prose", "offset", "part"),
    [
        ("ab $(1", 3, "not closed"),
        ("ab $(core0.bacth)", 5, "did you mean"),
        ("ab $(1 us in uss)", 13, "no unit uss"),
        ("ab $(1 us in M/s)", 5, "cannot be shown in"),
        ("ab $(packets)", 5, "cannot be shown"),
        ("ab $(1 us as 1)", 5, "in which unit"),
        ("ab $(1 as 0)", 5, "above 0"),
        ("ab $(core0.stage in us)", 5, "has no unit"),
        ("ab $()", 5, "missing"),
    ],
)
def test_errors_stand_in_the_prose(prose: str, offset: int, part: str) -> None:
    with pytest.raises(ExprError) as caught:
        interpolate(prose, bench())
    assert part in caught.value.message
    assert caught.value.offset == offset


def test_the_future_is_not_printed() -> None:
    with pytest.raises(NotYet):
        interpolate("left at $(packet(15).leaves in us)", bench())


@given(st.fractions(min_value=-(10**12), max_value=10**12))
def test_shown_numbers_are_near_and_well_formed(exact: Fraction) -> None:
    shown = format_value(number(float(exact)))
    assert re.fullmatch(r"-?\d{1,3}(,\d{3})*(\.\d*[1-9])?", shown)
    assert abs(float(shown.replace(",", "")) - float(exact)) <= max(abs(float(exact)) * 0.0051, 1e-30)


@given(st.integers(0, 10**14))
def test_a_time_shown_is_read_back(ps: int) -> None:
    shown = format_value(time(ps))
    assert parse_number_answer(shown, "us").data == pytest.approx(ps, rel=0.0051)


@pytest.mark.parametrize(
    ("answer", "unit", "kind", "data"),
    [
        ("3.25", "us", Kind.TIME, 3_250_000),
        (" 3.25 us ", "us", Kind.TIME, 3_250_000),
        ("3.25 µs", "us", Kind.TIME, 3_250_000),
        ("0.003 ms", "us", Kind.TIME, 3_000_000),
        ("1,204", "requests", Kind.NUMBER, 1204),
        ("4 requests", "requests", Kind.NUMBER, 4),
        ("1 request", "requests", Kind.NUMBER, 1),
        ("1.6", "M/s", Kind.RATE, 1_600_000),
        ("-2", "packets", Kind.NUMBER, -2),
        ("93", "%", Kind.NUMBER, 0.93),
    ],
)
def test_answers(answer: str, unit: str, kind: Kind, data: float) -> None:
    value = parse_number_answer(answer, unit)
    assert (value.kind, value.data) == (kind, data)


@pytest.mark.parametrize(
    ("answer", "unit"),
    [("", "us"), ("many", "us"), ("3,25", "us"), ("3 ms", "M/s"), ("1e99", "us"), ("4 apples", "requests"),
     ("nan", "us"), ("3 us", "requests")],
)  # fmt: skip
def test_unusable_answers(answer: str, unit: str) -> None:
    with pytest.raises(ExprError):
        parse_number_answer(answer, unit)


@given(st.text(max_size=40), st.sampled_from(["us", "requests", "M/s", "%"]))
def test_any_answer_is_a_number_or_an_error(answer: str, unit: str) -> None:
    with suppress(ExprError):
        parse_number_answer(answer, unit)
