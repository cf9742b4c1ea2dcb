"""IXCP's thresholds: when a step is taken, that no hold time is ever broken, how long a full ramp takes at least."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.machine.profile import PROFILES
from ixviz.system.ix.control.policy import Signals, Thresholds, beyond, make
from ixviz.system.ix.control.steps import eff

STEPS = eff(PROFILES["e5-2665"], 8)
NEVER = math.inf


def asked(fast: float = 0, slow: float = 20, idle: float = 0, step: int = 3, up: float = NEVER,
          down: float = NEVER) -> int | None:  # fmt: skip
    wish = Thresholds(STEPS).decide(Signals(9.0, fast, 2, slow, idle, step, STEPS, up, down))
    return None if wish is None else wish.step


def test_up() -> None:
    assert asked(fast=33) == 4 and asked(fast=32) is None and asked(fast=99, step=21) is None
    assert asked(fast=33, up=0.2) == 4 and asked(fast=33, up=0.1) is None
    assert asked(fast=33, down=2.0) == 4 and asked(fast=33, down=1.9) is None


def test_down() -> None:
    """Step 3 added the fourth core: its threshold is 1.2 / 4."""
    assert asked(slow=7, idle=0.31) == 2 and asked(slow=8, idle=0.31) is None and asked(slow=7, idle=0.29) is None
    assert asked(slow=0, idle=1, step=0) is None
    assert asked(slow=7, idle=0.31, up=4.0, down=9) == 2 and asked(slow=7, idle=0.31, up=3.9, down=9) is None
    assert asked(slow=7, idle=0.31, up=9, down=3.9) is None


def test_a_reason_names_signal_threshold_and_hold() -> None:
    wish = Thresholds(STEPS).decide(Signals(41.2, 41.3, 2, 12, 0.1, 3, STEPS, 0.4, 9.0))
    assert wish is not None and wish.because == "fast queue 41 > 32, on core 2"
    assert wish.allowed == "last up 0.4 s ago (≥ 0.2 s), last down 9.0 s ago (≥ 2 s)"


def test_a_reason_never_says_that_32_is_more_than_32() -> None:
    assert [beyond(v, 32.0) for v in (41.2, 32.4, 32.04)] == ["41", "32.4", "32.04"]


def ramp(signals: list[tuple[float, float, float]], start: int = 0) -> list[tuple[int, int, int]]:
    """Ticks (tenths of a second), step before and after, of all steps that these signals (fast, slow, idle) cause."""
    policy, step, up, down, out = make("eff", PROFILES["e5-2665"], 8), start, None, None, []
    for tick, (fast, slow, idle) in enumerate(signals):
        since = [NEVER if t is None else (tick - t) * 0.1 for t in (up, down)]
        wish = policy.decide(Signals(tick * 0.1, fast, 0, slow, idle, step, policy.steps, since[0], since[1]))
        if wish is not None:
            out.append((tick, step, wish.step))
            up, down = (tick, down) if wish.step > step else (up, tick)
            step = wish.step
    return out


def test_a_full_ramp_up_takes_4_2_s_and_down_84_s() -> None:
    rises = ramp([(99, 99, 0)] * 100)
    assert len(rises) == 21 and rises[-1][0] + 2 == 42, "21 steps, 0.2 s each"
    falls = ramp([(0, 0, 1)] * 1000, start=21)
    assert len(falls) == 21 and falls[-1][0] + 40 == 840, "21 steps, 4 s each"


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 40), st.floats(0, 1)), max_size=300), st.integers(0, 21))
def test_no_hold_time_is_ever_broken(signals: list[tuple[float, float, float]], start: int) -> None:
    ups: list[int] = []
    downs: list[int] = []
    for tick, before, after in ramp(signals, start):
        assert 0 <= after < len(STEPS) and abs(after - before) == 1
        if after > before:
            assert all(tick - t >= 2 for t in ups) and all(tick - t >= 20 for t in downs)
            ups.append(tick)
        else:
            assert all(tick - t >= 40 for t in ups + downs)
            downs.append(tick)


def test_an_unknown_policy() -> None:
    with pytest.raises(KeyError):
        make("efff", PROFILES["e5-2665"], 8)
