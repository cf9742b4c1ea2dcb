"""A lecturer's clock: how a class stands against the minutes of the beats, and what to leave out to be on time again.

Invariant: pure; it is told how much time was used and never looks at a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

GRACE = 20  # seconds: so much early or late is still on time
_MOST = 3  # beats that are looked for together; more than that only when three do not do


class Pace(NamedTuple):
    """Seconds used, seconds planned in all, and how late the class is (seconds; negative: ahead)."""

    used: int
    total: int
    late: int

    @property
    def state(self) -> str:
        """`on time`, `ahead 0:40`, `behind 1:20`."""
        if abs(self.late) <= GRACE:
            return "on time"
        return f"behind {spent(self.late)}" if self.late > 0 else f"ahead {spent(-self.late)}"

    def __str__(self) -> str:
        return f"{spent(self.used)} of {spent(self.total)}"


def spent(seconds: int) -> str:
    """`4:10`, `75:00`: minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def minutes(value: float) -> str:
    """`3 min`, `1.5 min`."""
    return f"{value:g} min"


def began(beats: Sequence[Any], index: int) -> int:
    """When a beat should begin (seconds)."""
    return round(60 * sum(beat.minutes for beat in beats[:index]))


def pace(beats: Sequence[Any], index: int, used: float) -> Pace:
    """How it stands while beat `index` is shown; behind the last one: `index` is their number.

    A class is on time as long as it is in a beat during that beat's minutes.
    """
    total, first = began(beats, len(beats)), began(beats, index)
    last = began(beats, index + 1)
    late = used - last if used > last else min(used - first, 0)
    return Pace(int(used), total, round(late))


def to_skip(beats: Sequence[Any], index: int, used: float) -> tuple[Any, ...]:
    """The beats behind `index` to leave out to end on time: the fewest minutes that do, the fewest beats, later ones.

    None when the class is on time. The last beat is kept: it says what to take away. When all others together are not
    enough, they are all of them.
    """
    late = pace(beats, index, used).late
    rest = beats[index + 1 : -1]
    if late <= GRACE or not rest:
        return ()
    enough = [
        (sum(rest[i].minutes for i in chosen), size, [-i for i in reversed(chosen)], chosen)
        for size in range(1, min(_MOST, len(rest)) + 1)
        for chosen in combinations(range(len(rest)), size)
        if 60 * sum(rest[i].minutes for i in chosen) >= late - GRACE
    ]
    if enough:
        return tuple(rest[i] for i in min(enough)[3])
    longest = sorted(range(len(rest)), key=lambda i: -rest[i].minutes)
    kept: list[int] = []
    for i in longest:
        if 60 * sum(rest[j].minutes for j in kept) >= late - GRACE:
            break
        kept.append(i)
    return tuple(rest[i] for i in sorted(kept))


def advice(beats: Sequence[Any], index: int, used: float) -> str:
    """`to be on time skip: Who pays (3 min)`; "" when there is nothing to skip."""
    skip = to_skip(beats, index, used)
    if not skip:
        return ""
    late = pace(beats, index, used).late
    named = [f"{beat.title} ({minutes(beat.minutes)})" for beat in skip]
    words = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    gain = 60 * sum(beat.minutes for beat in skip)
    return f"to be on time skip: {words}" if gain >= late - GRACE else f"too late to be on time; skip: {words}"
