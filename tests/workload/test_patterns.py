"""Loads over time: rate, integral and inverse agree with each other and with closed forms; shapes are what is said."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.scenario.load import load
from ixviz.workload.patterns import LATEST, Pattern, Piece, made

MS, S = 10**9, 10**12
RATES = st.one_of(st.just(0.0), st.floats(0.001, 2e6), st.floats(-1e5, -0.001))


def pattern(text: str, seed: int = 1, compress: int = 1) -> Pattern:
    """The pattern of a scenario's `workload.rate`."""
    rate: Any = load(f"system: {{kind: ix}}\nworkload: {{kind: memcached, rate: {{{text}}}}}\n").workload.rate  # type: ignore[union-attr]
    return made(rate, seed, compress)


@st.composite
def pieces(draw: st.DrawFn) -> list[Piece]:
    at, out = 0, []
    for _ in range(draw(st.integers(1, 6))):
        end = at + draw(st.integers(0, 20 * MS))
        out.append((at, end, draw(RATES), draw(RATES)))
        at = end
    return [*out, (at, at + 1000, draw(RATES), draw(RATES))]


@settings(deadline=None, max_examples=100)
@given(pieces(), st.data())
def test_integral_and_inverse_are_those_of_the_rate(parts: list[Piece], data: st.DataObject) -> None:
    load = Pattern(parts)
    assert load.clipped == any(min(first, last) < 0 for *_, first, last in parts)
    ends = sorted({0, *(t for part in parts for t in part[:2])})
    totals = load.total(np.array(ends))
    for (a, b), (x, y) in zip(pairwise(ends), pairwise(totals.tolist()), strict=True):
        rates = [load.rate(a + (2 * k + 1) * (b - a) // 100) for k in range(50)]  # midpoints: exact where not clipped
        clipped = any(start <= a < end and min(first, last) < 0 for start, end, first, last in parts)
        off = (b - a) / 100 * clipped + 2
        assert y - x == pytest.approx(sum(rates) / 50 * (b - a) / S, rel=1e-9, abs=load.highest * off / S)
        assert min(rates) >= 0
    top = float(totals[-1])
    wanted = np.array(sorted(data.draw(st.lists(st.floats(0, 1), min_size=1, max_size=20)))) * top
    due = load.when(wanted)
    assert (np.diff(due) >= -1).all()
    for time, total in zip(due.tolist(), wanted.tolist(), strict=True):
        if total > 0:
            assert 0 <= time <= load.span
            around = load.total(np.array([max(time - 1, 0), time + 1]))  # to the picosecond, as exact as floats are
            assert around[0] - 1e-12 * top <= total <= around[1] + 1e-12 * top


def test_after_the_end_the_last_rate_stays() -> None:
    load = Pattern([(0, S, 100.0, 200.0)])
    assert (load.rate(0), load.rate(S // 2), load.rate(S), load.rate(9 * S)) == (100, 150, 200, 200)
    assert load.total(3 * S) == 550 and load.when(np.array([550.0])).tolist() == [3 * S]
    ends = Pattern([(0, S, 100.0, 0.0)])
    assert ends.total(90 * S) == 50 and ends.when(np.array([50.0, 50.001])).tolist() == [S, LATEST]


def test_a_triangle_in_closed_form() -> None:
    load = pattern("pattern: triangle, from: 0.2 M/s, to: 1.8 M/s, over: 4 s")
    assert (load.span, load.highest, load.clipped) == (4 * S, 1_800_000, False)
    assert [load.rate(t * S // 2) for t in range(9)] == [2e5, 6e5, 1e6, 1.4e6, 1.8e6, 1.4e6, 1e6, 6e5, 2e5]
    assert load.mean(0, 4 * S) == 1e6 and load.total(S) == 0.2e6 + 0.4e6
    rising = pattern("pattern: triangle, to: 1.8 M/s, over: 4 s")
    n = np.arange(1, 900_000, 97)
    exact = np.sqrt(2 * n / 0.9e6) * S  # 0.45 M/s² × t² = n
    assert np.abs(rising.when(n) - exact).max() <= 0.51
    down = pattern("pattern: triangle, from: 1.8 M/s, to: 0, over: 4 s")
    assert down.mean(0, 4 * S) == 0.9e6 and down.rate(2 * S) == 0


def test_a_triangle_in_steps_is_rounded_down() -> None:
    """The load of TOCS'16's figure: 0.7 to 6.3 M/s by 0.5 M/s, so that 6.2 M/s is the most [code of ix-bench]."""
    load = pattern("pattern: qtriangle, from: 0.7 M/s, to: 6.3 M/s, over: 240 s, step: 0.5 M/s")
    smooth = pattern("pattern: triangle, from: 0.7 M/s, to: 6.3 M/s, over: 240 s")
    assert load.highest == 6_200_000 and load.span == 240 * S
    for t in range(1, 240 * 7, 2):
        at = t * S // 7 + 1
        whole = math.floor((smooth.rate(at) - 0.7e6) / 0.5e6)
        assert load.rate(at) == 0.7e6 + whole * 0.5e6
    assert len({load.rate(t * S // 7) for t in range(240 * 7)}) == 12
    down = pattern("pattern: qtriangle, from: 2 M/s, to: 0.9 M/s, over: 2200 ms, step: 0.5 M/s")
    assert [down.rate(t * 100 * MS) for t in (0, 4, 5, 9, 10, 11, 12, 16, 17)] == [2e6, 2e6, 1.5e6, 1.5e6, 1e6, 1e6,
                                                                                 1.5e6, 1.5e6, 2e6]  # fmt: skip


def test_a_sine_begins_at_its_mean_and_rises() -> None:
    load = pattern("pattern: sine, mean: 1 M/s, amplitude: 0.8 M/s, period: 2 s, over: 5 s")
    for t in range(0, 5 * S, S // 37):
        assert load.rate(t) == pytest.approx(1e6 + 0.8e6 * math.sin(math.pi * t / S), abs=0.0001 * 0.8e6)
    assert load.mean(0, 2 * S) == pytest.approx(1e6, rel=1e-9)
    assert load.total(S) == pytest.approx(1e6 + 1.6e6 / math.pi, rel=1e-4)
    assert load.highest == 1_800_000 and load.span == 5 * S


def test_noise_is_drawn_anew_every_so_often() -> None:
    quiet = "pattern: sine, mean: 3 M/s, amplitude: 2 M/s, period: 1000 s"
    base, noisy = pattern(quiet), pattern(quiet + ", noise: 250 K/s, every: 5 s")
    off = [noisy.rate(5 * S * k + S) - base.rate(5 * S * k + S) for k in range(200)]
    assert all(abs(x) <= 250_160 for x in off)  # 160: the sine itself between its knots
    assert sum(off) / 200 == pytest.approx(0, abs=4 * 250_000 / math.sqrt(3 * 200))
    assert math.sqrt(sum(x * x for x in off) / 200) == pytest.approx(250_000 / math.sqrt(3), rel=0.15)
    for k, x in enumerate(off):
        assert noisy.rate(5 * S * (k + 1) - 1) - base.rate(5 * S * (k + 1) - 1) == pytest.approx(x, abs=320)
    assert pattern(quiet + ", noise: 250 K/s") == noisy, "5 s if nothing is said"
    assert pattern(quiet + ", noise: 250 K/s", seed=2) != noisy
    assert pattern(quiet, seed=2) == base


def test_below_zero_is_zero_and_said() -> None:
    load = pattern("pattern: sine, mean: 1 K/s, amplitude: 2 K/s, period: 12 s")
    assert load.clipped and not pattern("pattern: sine, mean: 2 K/s, amplitude: 2 K/s, period: 12 s").clipped
    assert load.rate(8 * S) == load.rate(10 * S) == 0 and load.rate(3 * S) == 3000
    assert load.rate(7 * S - MS) > 0 == load.rate(7 * S + MS)  # sin = -1/2 at seven and at eleven twelfths
    assert load.total(11 * S - MS) == load.total(7 * S + MS)
    after = load.when(np.array([float(load.total(9 * S)) + 1]))
    assert after[0] > 11 * S


def test_a_step_and_points() -> None:
    step = pattern("pattern: step, from: 0.5 M/s, to: 1.5 M/s, at: 2 s, over: 6 s")
    assert [step.rate(t) for t in (0, 2 * S - 1, 2 * S, 7 * S)] == [5e5, 5e5, 1.5e6, 1.5e6]
    assert step.total(6 * S) == 7e6 and step.span == 6 * S
    rows = "{at: 1 s, rate: 10 /s}, {at: 3 s, rate: 30 /s}, {at: 3 s, rate: 5 /s}, {at: 4 s, rate: 0}"
    points = pattern(f"pattern: points, points: [{rows}]")
    assert [points.rate(t) for t in (0, S, 2 * S, 3 * S - 1, 3 * S, 4 * S)] == [10, 10, 20, pytest.approx(30), 5, 0]
    assert points.total(4 * S) == 10 + 40 + 2.5


@pytest.mark.parametrize("text", [
    "pattern: triangle, from: 0.1 M/s, to: 1.8 M/s, over: 10 s",
    "pattern: qtriangle, from: 0.1 M/s, to: 1.8 M/s, over: 10 s, step: 0.4 M/s",
    "pattern: sine, mean: 1 M/s, amplitude: 0.9 M/s, period: 10 s, noise: 90 K/s, every: 0.7 s",
    "pattern: step, from: 1 K/s, to: 2 K/s, at: 3 s, over: 10 s",
    "pattern: points, points: [{at: 1 s, rate: 10 K/s}, {at: 10 s, rate: 30 /s}]",
])  # fmt: skip
def test_compressed_the_same_rates_come_sooner(text: str) -> None:
    whole, short = pattern(text), pattern(text, compress=25)
    assert short.span == whole.span // 25 and short.highest == whole.highest
    assert short.total(short.span) == pytest.approx(whole.total(whole.span) / 25, rel=1e-9)
    for t in range(1, 10 * S, S // 3):
        assert short.rate(t // 25) == pytest.approx(whole.rate(t), rel=1e-6)
