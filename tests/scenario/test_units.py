"""Units: exact values, refused spellings, and round trips between text and value."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.scenario.units import (
    UnitError,
    format_quantity,
    format_time,
    parse_bits_per_s,
    parse_hz,
    parse_per_s,
    parse_quantity,
    parse_size,
    parse_time,
)

TIMES = {"ps": 1, "ns": 10**3, "us": 10**6, "µs": 10**6, "μs": 10**6, "ms": 10**9, "s": 10**12}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("300us", 300_000_000, "time"),
        ("2.1 us", 2_100_000, "time"),
        ("2.1 µs", 2_100_000, "time"),
        ("333.333 ns", 333_333, "time"),
        ("1 ms", 10**9, "time"),
        ("1e-3 s", 10**9, "time"),
        ("10 Gbps", 10**10, "rate"),
        ("10Gbps", 10**10, "rate"),
        ("1.6M/s", 1_600_000, "per_s"),
        ("1.6 M/s", 1_600_000, "per_s"),
        ("50 K/s", 50_000, "per_s"),
        ("0.5 /s", 0.5, "per_s"),
        ("64 B", 64, "size"),
        ("1 KB", 1024, "size"),
        ("0.5 KB", 512, "size"),
        ("2.4 GHz", 2_400_000_000, "hz"),
        ("50 %", 0.5, "percent"),
        ("200 %", 2, "percent"),
        ("16", 16, "number"),
        ("2.5", 2.5, "number"),
        ("-3", -3, "number"),
    ],
)
def test_quantity(text: str, value: float, kind: str) -> None:
    assert parse_quantity(text) == (value, kind)
    assert type(parse_quantity(text)[0]) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (300, "a time with its unit wanted (such as 300 us), got the number 300"),
        ("300", "a time with its unit wanted (such as 300 us), got the number 300"),
        (True, "a time with its unit wanted (such as 300 us), got true"),
        (None, "a time with its unit wanted (such as 300 us), got nothing"),
        ("10 Gbps", "a time with its unit wanted (such as 300 us), got the rate in bits 10 Gbps"),
        ("soon", 'a time with its unit wanted (such as 300 us), got text "soon"'),
        ("1 Us", 'a time with its unit wanted (such as 300 us), unknown unit "Us", did you mean us?'),
        ("1,500 us", 'a time with its unit wanted (such as 300 us), got text "1,500 us"; write it without a comma'),
        ("0.0001 ns", "a time with its unit wanted (such as 300 us), 0.0001 ns is not a whole number of picoseconds"),
        (float("inf"), "a time with its unit wanted (such as 300 us), the number inf is not finite"),
    ],
)
def test_what_is_no_time(text: object, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_time(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text", ["", " ", ".5 us", "5. us", "1_0 us", "010 us", "1  us", "1 us us", "1e999 s", "٣ us", "1\nus"]
)
def test_refused_spellings(text: str) -> None:
    with pytest.raises(UnitError):
        parse_time(text)


def test_one_function_a_quantity() -> None:
    assert (parse_bits_per_s("unlimited"), parse_per_s("unlimited")) == (None, None)
    assert (parse_bits_per_s("40 Gbit/s"), parse_size("64B"), parse_hz("1MHz")) == (40 * 10**9, 64, 10**6)
    assert parse_time(0) == parse_time("0") == parse_size(0) == 0
    with pytest.raises(UnitError):
        parse_time("unlimited")


@given(st.integers(0, 10**19), st.sampled_from(sorted(TIMES)), st.integers(0, 12), st.booleans())
def test_time_is_exact(digits: int, unit: str, places: int, space: bool) -> None:
    whole, part = divmod(digits, 10**places)
    text = f"{whole}{f'.{part:0{places}d}' if places else ''}{' ' if space else ''}{unit}"
    exact = Fraction(digits, 10**places) * TIMES[unit]
    if exact.denominator == 1:
        assert parse_time(text) == exact
    else:
        with pytest.raises(UnitError):
            parse_time(text)


@given(st.integers(-(10**19), 10**19), st.sampled_from([None, "ps", "ns", "us", "ms", "s"]))
def test_format_time_and_back(ps: int, unit: str | None) -> None:
    text = format_time(ps, unit)
    assert parse_time(text.replace(",", "")) == ps
    number, shown_unit = text.split(" ")
    assert number.lstrip("-")[0].isdigit() and shown_unit != "us"


@given(st.integers(0, 2**50), st.sampled_from(["rate", "per_s", "size", "hz"]))
def test_format_quantity_and_back(value: int, kind: str) -> None:
    assert parse_quantity(format_quantity(value, kind).replace(",", "")) == (value, kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (format_time(3_250_000, "us", 3), "3.250 µs"),
        (format_time(1_204_000_000, "us"), "1,204 µs"),
        (format_time(800_000, "us"), "0.8 µs"),
        (format_time(2_000_000, "us", 2), "2.00 µs"),
        (format_time(0), "0 µs"),
        (format_time(999), "999 ps"),
        (format_time(500_000, "us", 0), "0 µs"),
        (format_time(1_500_000, "us", 0), "2 µs"),
        (format_time(-400_000, "us", 0), "0 µs"),
        (format_time(10 / 3, "ps"), "3.333 ps"),
        (format_quantity(1_600_000, "per_s"), "1.6 M/s"),
        (format_quantity(1_600_000, "per_s", "K/s"), "1,600 K/s"),
        (format_quantity(9000, "size"), "9,000 B"),
        (format_quantity(2048, "size"), "2 KB"),
        (format_quantity(0.5, "percent"), "50 %"),
        (format_quantity(12.0, "number"), "12"),
    ],
)
def test_wording(text: str, expected: str) -> None:
    assert text == expected


def test_format_refuses() -> None:
    for call in (lambda: format_time(1, "Gbps"), lambda: format_time(float("nan")), lambda: format_time(1, "parsec")):
        with pytest.raises(UnitError):
            call()


@given(st.text(max_size=80))
def test_any_text_gives_a_value_or_a_unit_error(text: str) -> None:
    try:
        parse_quantity(text)
    except UnitError as error:
        assert str(error).isprintable()
