"""House wording of numbers: 1,204 with a comma, a digit before the point, a space before the unit.

Invariant: integers are formatted exactly; a rounding never shows 1,000 of a unit that has a next one.
"""

import math

PS_PER = {"ns": 10**3, "µs": 10**6, "ms": 10**9, "s": 10**12}
_PREFIXES = ((1e-9, "n"), (1e-6, "µ"), (1e-3, "m"), (1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"))


def count(value: int | float, decimals: int = 0) -> str:
    """1204 → `1,204`; a float is rounded to `decimals`."""
    if isinstance(value, int) and not decimals:
        return _digits(value)
    number = as_float(value)
    if not math.isfinite(number):
        return "not known" if math.isnan(number) else "unlimited"
    return f"{number:,.{decimals}f}" if abs(number) < 1e15 else f"{number:.2e}"


def _digits(value: int) -> str:
    # Python refuses to print integers of more than 4,300 digits; nobody reads more than thirty.
    return f"{value:,}" if abs(value) < 10**30 else f"about 2^{abs(value).bit_length() - 1}"


def as_float(value: int | float) -> float:
    """`value` as a float; integers beyond its range are infinite instead of an error."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def clock(ps: int) -> str:
    """A moment, exact, at least to the ns: `3.250 µs`, `61.208,332 ms`, `2.000,000,000 s`.

    The unit is µs, ms or s; after the point the digits stand in groups of three. Picoseconds are a further group,
    shown only when they are not 000: `0.000,250 µs`.
    """
    sign, ps = ("-", -ps) if ps < 0 else ("", ps)
    unit = "s" if ps >= PS_PER["s"] else "ms" if ps >= PS_PER["ms"] else "µs"
    whole, rest = divmod(ps, PS_PER[unit])
    digits = f"{rest:0{len(str(PS_PER[unit])) - 1}d}"
    groups = [digits[i : i + 3] for i in range(0, len(digits), 3)]
    if groups[-1] == "000":
        groups.pop()
    return f"{sign}{_digits(whole)}.{','.join(groups)} {unit}"


def duration(ps: int, decimals: int = 2, unit: str = "") -> str:
    """A span of time, rounded half up: `0.82 µs`, `1.00 µs`, `33.00 ms`. ps below a ns are whole, ns below 100 ns.

    `unit` ("ns", "µs", "ms", "s") fixes the unit, so that a column of times has one.
    """
    sign, ps = ("-", -ps) if ps < 0 else ("", ps)
    if not unit and ps < PS_PER["ns"]:
        return f"{sign}{ps} ps"
    units = [unit] if unit else ["ns", "µs", "ms", "s"]
    for name in units:
        scale = PS_PER[name]
        rounded = (ps * 10**decimals + scale // 2) // scale
        limit = 100 if name == "ns" else 1000
        if name == units[-1] or rounded < limit * 10**decimals:
            break
    whole, rest = divmod(rounded, 10**decimals)
    return f"{sign}{_digits(whole)}{f'.{rest:0{decimals}d}' if decimals else ''} {name}"


def si(value: int | float, unit: str, decimals: int = 1) -> str:
    """A value with a prefix from n to T: si(3e6, "/s") → `3.0 M/s`, si(2.4e9, "Hz") → `2.4 GHz`."""
    number = as_float(value)
    if not math.isfinite(number):
        return count(number)
    chosen = (1.0, "")
    if number:
        for scale, prefix in _PREFIXES:
            chosen = (scale, prefix)
            if round(abs(number) / scale, decimals) < 1000:
                break
        if round(abs(number) / chosen[0], decimals) == 0:
            chosen = (1.0, "")  # below any prefix: 0.0 of the plain unit
    return f"{count(number / chosen[0], decimals)} {chosen[1]}{unit}".rstrip()


def percent(fraction: float, decimals: int = 0) -> str:
    """0.97 → `97 %`."""
    return f"{count(as_float(fraction) * 100, decimals)} %"
