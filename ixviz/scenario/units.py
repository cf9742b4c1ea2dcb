"""Text with units to numbers and back: times, rates, sizes, clocks, percent.

Invariant: arithmetic is exact (integers only); what is not a whole number of the smallest unit is refused, not rounded.

| kind    | one is                | result                                    |
|---------|-----------------------|-------------------------------------------|
| time    | picosecond            | int                                       |
| rate    | bit per second        | int                                       |
| per_s   | event per second      | int when whole, else the nearest float    |
| size    | byte, KB = 1024 B     | int                                       |
| hz      | cycle per second      | int                                       |
| percent | one (50 % is 0.5)     | int when whole, else the nearest float    |
| number  | one                   | int when whole, else the nearest float    |

A quantity always carries its unit; only 0 may stand without one.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from ixviz.scenario.messages import cut, did_you_mean, shown

Kind = Literal["time", "rate", "per_s", "size", "hz", "percent", "number"]

PS: Final = 1
NS: Final = 1_000
US: Final = 1_000_000
MS: Final = 1_000_000_000
S: Final = 1_000_000_000_000
UNLIMITED: Final = "unlimited"

# The first spelling of each unit is the one shown. Percent's one is a hundredth: see _amount.
_LADDER: Final[dict[Kind, tuple[tuple[int, tuple[str, ...]], ...]]] = {
    "time": ((PS, ("ps",)), (NS, ("ns",)), (US, ("µs", "us", "μs")), (MS, ("ms",)), (S, ("s",))),
    "rate": (
        (1, ("bps", "bit/s")),
        (10**3, ("Kbps", "kbps", "kbit/s", "Kbit/s")),
        (10**6, ("Mbps", "Mbit/s")),
        (10**9, ("Gbps", "Gbit/s")),
        (10**12, ("Tbps", "Tbit/s")),
    ),
    "per_s": ((1, ("/s",)), (10**3, ("K/s", "k/s")), (10**6, ("M/s",)), (10**9, ("G/s",))),
    "size": ((1, ("B",)), (2**10, ("KB", "KiB", "kB")), (2**20, ("MB", "MiB")), (2**30, ("GB", "GiB"))),
    "hz": ((1, ("Hz",)), (10**3, ("kHz", "KHz")), (10**6, ("MHz",)), (10**9, ("GHz",))),
    "percent": ((1, ("%",)),),
}
UNITS: Final[dict[str, tuple[Kind, int, str]]] = {
    spelling: (kind, factor, spellings[0])
    for kind, ladder in _LADDER.items()
    for factor, spellings in ladder
    for spelling in spellings
}
_WANTED: Final[dict[Kind, str]] = {
    "time": "a time with its unit wanted (such as 300 us)",
    "rate": "a rate in bits with its unit wanted (such as 10 Gbps)",
    "per_s": "a rate with its unit wanted (such as 1.6 M/s)",
    "size": "a size with its unit wanted (such as 64 B)",
    "hz": "a clock with its unit wanted (such as 2.4 GHz)",
    "percent": "a percentage wanted (such as 50 %)",
    "number": "a number wanted",
}
_NAME: Final[dict[Kind, str]] = {"time": "time", "rate": "rate in bits", "per_s": "rate", "size": "size", "hz": "clock",
                                 "percent": "percentage", "number": "number"}  # fmt: skip
_WHOLE: Final[dict[Kind, str]] = {"time": "picoseconds", "rate": "bits per second", "size": "bytes", "hz": "hertz"}
_TEXT: Final = re.compile(
    r"([-+]?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]{1,2}))?(?: ?([^\s0-9.,_+-].*))?", re.ASCII
)
_LONGEST: Final = 64  # characters; no quantity needs more, and a limit keeps arithmetic small


class UnitError(ValueError):
    """A text is not the quantity that was wanted; the message says what is expected and what was there."""


def _split(text: str) -> tuple[int, int, str] | None:
    """`text` as numerator, denominator and unit (empty for none), or None when it is no number with a unit."""
    match = _TEXT.fullmatch(text.strip(" ")) if len(text) <= _LONGEST else None
    if match is None:
        return None
    sign, whole, part, exponent, unit = match.groups()
    part = part or ""
    shift = int(exponent or 0) - len(part)
    top = int(whole + part) * (-1 if sign == "-" else 1)
    return (top * 10**shift, 1, unit or "") if shift >= 0 else (top, 10**-shift, unit or "")


def _ratio(top: int, bottom: int) -> int | float:
    return top // bottom if top % bottom == 0 else top / bottom


def _amount(top: int, bottom: int, kind: Kind, factor: int, text: str) -> int | float:
    if kind == "percent":
        return _ratio(top, bottom * 100)
    value = _ratio(top * factor, bottom)
    if kind in _WHOLE and isinstance(value, float):
        raise UnitError(f"{cut(text)} is not a whole number of {_WHOLE[kind]}")
    return value


def parse_quantity(text: str, wanted: Kind | None = None) -> tuple[int | float, Kind]:
    """The value of `text` and its kind, as in the table above: `"500 us"` is `(500_000_000, "time")`.

    Raises UnitError for a text that is no number, or has a unit that is not known; it names units of the kind
    `wanted`, if one is.
    """
    if not isinstance(text, str):
        raise UnitError(f"a quantity wanted (such as 300 us), got {shown(text)}")
    parts = _split(text)
    if parts is None:
        hint = "; write it without a comma" if re.match(r"[0-9]+,[0-9]", text) else ""
        raise UnitError(f"a quantity wanted (such as 300 us), got {shown(text)}{hint}")
    top, bottom, unit = parts
    if not unit:
        return _ratio(top, bottom), "number"
    if unit not in UNITS:
        known = [u for u, (kind, _, _) in UNITS.items() if u.isascii() and wanted in (None, kind)]
        raise UnitError(f'unknown unit "{cut(unit)}"{did_you_mean(unit, known)}')
    kind, factor, _ = UNITS[unit]
    return _amount(top, bottom, kind, factor, text), kind


def _parse(text: object, kind: Kind) -> int | float:
    if not isinstance(text, bool) and isinstance(text, int | float) and text == 0:
        return 0
    if isinstance(text, float) and (text != text or text in (float("inf"), float("-inf"))):
        raise UnitError(f"{_WANTED[kind]}, {shown(text)} is not finite")
    if not isinstance(text, str):
        raise UnitError(f"{_WANTED[kind]}, got {shown(text)}")
    try:
        value, found = parse_quantity(text, kind)
    except UnitError as error:
        message = str(error)
        if message.startswith("a quantity wanted"):
            message = message[message.index(", got") + 2 :]
        raise UnitError(f"{_WANTED[kind]}, {message}") from None
    if found == kind or (found == "number" and value == 0):
        return value
    raise UnitError(f"{_WANTED[kind]}, got the {_NAME[found]} {cut(text.strip())}")


def parse_time(text: object) -> int:
    """A time in picoseconds: `300us`, `2.1 µs`, `1 ms`. Raises UnitError, also below a picosecond."""
    return int(_parse(text, "time"))


def parse_bits_per_s(text: object) -> int | None:
    """A rate in bit/s: `10 Gbps`; None for `unlimited`. Raises UnitError."""
    return None if text == UNLIMITED else int(_parse(text, "rate"))


def parse_per_s(text: object) -> int | float | None:
    """Events per second: `1.6 M/s`, `50 K/s`, `200 /s`; None for `unlimited`. Raises UnitError."""
    return None if text == UNLIMITED else _parse(text, "per_s")


def parse_size(text: object) -> int:
    """A size in bytes: `64 B`; 1 KB is 1024 B. Raises UnitError."""
    return int(_parse(text, "size"))


def parse_hz(text: object) -> int:
    """A clock in Hz: `2.4 GHz`. Raises UnitError."""
    return int(_parse(text, "hz"))


def _decimal(top: int, bottom: int, digits: int | None) -> str:
    """`top / bottom` in decimal, thousands with a comma; `digits` after the point, None for as many as are needed."""
    trim = digits is None
    if digits is None:
        digits = next((d for d in range(13) if top * 10**d % bottom == 0), 3)
    # By magnitude, half to even, so that -0.5 and 0.5 look alike.
    quotient, rest = divmod(abs(top) * 10**digits, bottom)
    if 2 * rest > bottom or (2 * rest == bottom and quotient % 2):
        quotient += 1
    sign = "-" if top < 0 and quotient else ""
    whole, part = divmod(quotient, 10**digits)
    fraction = f"{part:0{digits}d}" if digits else ""
    if trim:
        fraction = fraction.rstrip("0")
    return f"{sign}{whole:,}{'.' + fraction if fraction else ''}"


def _fits(top: int, bottom: int, kind: Kind, factor: int) -> bool:
    # 9000 B is better than 8.7890625 KB: a size takes a larger unit only when it is a whole number of it.
    return top % (factor * bottom) == 0 if kind == "size" else abs(top) >= factor * bottom


def format_quantity(value: int | float, kind: Kind, unit: str | None = None, digits: int | None = None) -> str:
    """`value` (of `kind`, in the units of the table above) as shown on a screen: `1,204 µs`, `0.8 M/s`, `50 %`.

    Without `unit` the largest that leaves a digit before the point; without `digits` as many as are needed (rounded to
    three when the decimal does not end). Raises UnitError for a unit of another kind and for what is not finite.
    """
    if value != value or value in (float("inf"), float("-inf")):
        raise UnitError(f"{shown(value)} is not finite")
    top, bottom = value.as_integer_ratio()
    if kind == "number":
        if unit is not None:
            raise UnitError(f'a number has no unit, got "{cut(unit)}"')
        return _decimal(top, bottom, digits)
    if kind == "percent":
        top *= 100
    if unit is None:
        ladder = _LADDER[kind]
        usual = US if kind == "time" else 1
        factor, spellings = next((s for s in reversed(ladder) if _fits(top, bottom, kind, s[0])), ladder[0])
        if top == 0:
            factor, spellings = next(s for s in ladder if s[0] == usual)
        name = spellings[0]
    else:
        if unit not in UNITS or UNITS[unit][0] != kind:
            known = [u for u, (k, _, _) in UNITS.items() if k == kind and u.isascii()]
            raise UnitError(f'"{cut(unit)}" is not a unit of a {_NAME[kind]}; known: {", ".join(known)}')
        _, factor, name = UNITS[unit]
    return f"{_decimal(top, bottom * factor, digits)} {name}"


def format_time(ps: int | float, unit: str | None = None, digits: int | None = None) -> str:
    """A time of `ps` picoseconds: `format_time(3_250_000, "us", 3)` is `3.250 µs`. Raises UnitError."""
    return format_quantity(ps, "time", unit, digits)
