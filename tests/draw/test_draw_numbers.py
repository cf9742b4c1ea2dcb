"""The house wording of numbers and the widths of known texts, one example a line."""

import pytest

from ixviz.draw.numbers import clock, count, duration, percent, si
from ixviz.draw.width import literal, width


@pytest.mark.parametrize(
    ("ps", "shown"),
    [
        (0, "0.000 µs"),
        (250, "0.000,250 µs"),
        (900_000, "0.900 µs"),
        (3_250_000, "3.250 µs"),
        (3_250_500, "3.250,500 µs"),
        (61_208_332_000, "61.208,332 ms"),
        (41_200_000_000_000, "41.200,000,000 s"),
        (-3_250_000, "-3.250 µs"),
    ],
)
def test_clock(ps: int, shown: str) -> None:
    assert clock(ps) == shown


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        (count(1204), "1,204"),
        (count(0.8, 1), "0.8"),
        (duration(820_000), "0.82 µs"),
        (duration(2_000_000), "2.00 µs"),
        (duration(99_990), "99.99 ns"),
        (duration(250), "250 ps"),
        (duration(999_996_000), "1.00 ms"),
        (duration(33_000_000, 0), "33 µs"),
        (duration(200_000, unit="µs"), "0.20 µs"),
        (si(3e6, "/s"), "3.0 M/s"),
        (si(1_600_000, "/s", 2), "1.60 M/s"),
        (si(2.4e9, "Hz"), "2.4 GHz"),
        (si(10**10, "bps", 0), "10 Gbps"),
        (si(999_960, "/s"), "1.0 M/s"),
        (si(0, "W"), "0.0 W"),
        (si(0.0025, "s"), "2.5 ms"),
        (si(float("nan"), "W"), "not known"),
        (percent(0.97), "97 %"),
        (percent(0.005, 1), "0.5 %"),
    ],
)
def test_wording(drawn: str, shown: str) -> None:
    assert drawn == shown


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("µs", 2),
        ("▸»▲▾■█·│", 8),
        ("漢字", 4),
        ("e\u0301", 1),
        ("👩\u200d🚀", 2),
        ("👍🏽", 2),
        ("❤\ufe0f", 2),
        ("🇩🇪", 2),
        ("한", 2),
        ("ᄒ\u1161\u11ab", 2),
        ("ﾊ", 1),
        ("\x1b[31m", 8),
    ],
)
def test_width(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;x\x07", "\\x1b]0;x\\x07"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202eevil", "\\u202eevil"),
        ("\u0301", "\\u0301"),
        ("\udc80", "\\udc80"),
        ("[/] \\", "[/] \\"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_literal(text: str, shown: str) -> None:
    assert literal(text) == shown
