"""Power of a package: what the profile was made for comes out, more never takes less, energy loses nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.machine.power import POWER, energy, watts
from ixviz.machine.profile import PROFILES

PROFILE = PROFILES["e5-2665"]
MODEL = POWER[PROFILE.name]
LOWEST, TURBO = PROFILE.clocks[0], PROFILE.turbo
CLOCKS = st.one_of(st.sampled_from([*PROFILE.clocks, TURBO]), st.integers(10**6, 10**10))


@st.composite
def loads(draw: st.DrawFn) -> tuple[int, int]:
    """Cores in use, and how many of them with both hyperthreads."""
    using = draw(st.integers(0, 8))
    return using, draw(st.integers(0, using))


def test_the_two_figures_it_was_made_for() -> None:
    most = watts(MODEL, 8, 8, 8, TURBO)
    assert most == 91_000
    assert watts(MODEL, 1, 0, 8, LOWEST) == pytest.approx(most / 3, rel=0.02)


def test_what_follows_from_them() -> None:
    """Shapes, not figures: uncore is paid once, so that the second core is far cheaper than the first; the clock costs
    more than it gives, so that cores come first (SoCC'15)."""
    first, second = (watts(MODEL, n, 0, 8, LOWEST) for n in (1, 2))
    assert 0 < second - first < first / 8
    cores_first, clock_first = watts(MODEL, 8, 0, 8, LOWEST), watts(MODEL, 4, 0, 8, 2 * LOWEST)
    assert cores_first < clock_first + 4 * MODEL.static  # as many cycles a second; what a core takes by being on apart
    dynamic = [MODEL.core(clock, False) - MODEL.static for clock in (LOWEST, 2 * LOWEST)]
    assert dynamic[1] > 2.5 * dynamic[0], "twice the clock takes more than twice the power: the voltage rises too"
    second_thread = watts(MODEL, 8, 8, 8, TURBO) - watts(MODEL, 8, 0, 8, TURBO)
    assert 0 < second_thread < 0.1 * 91_000


def test_voltage_is_that_of_the_ends_outside() -> None:
    assert MODEL.microvolts(10**6) == MODEL.microvolts(LOWEST) == 800_000
    assert MODEL.microvolts(2_000_000_000) == 925_000
    assert MODEL.microvolts(10**11) == MODEL.microvolts(TURBO) == 1_050_000
    # at one voltage the dynamic part is in proportion to the clock
    half, full = (MODEL.core(clock, False) - MODEL.static for clock in (LOWEST // 2, LOWEST))
    assert abs(2 * half - full) <= 1


@given(loads(), CLOCKS, CLOCKS, st.integers(8, 16))
def test_more_never_takes_less(load: tuple[int, int], one: int, other: int, cores: int) -> None:
    using, both = load
    slow, fast = sorted((one, other))
    here = watts(MODEL, using, both, cores, slow)
    assert isinstance(here, int) and here >= MODEL.uncore
    assert watts(MODEL, using, both, cores, fast) >= here
    if using < cores:
        assert watts(MODEL, using + 1, both, cores, slow) > here
    if both < using:
        assert watts(MODEL, using, both + 1, cores, slow) >= here
    assert watts(MODEL, using, both, cores + 1, slow) == here + MODEL.idle


@pytest.mark.parametrize("wrong", [(9, 0), (4, 5), (-1, 0), (2, -1)])
def test_more_cores_than_there_are(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="each is at most the next"):
        watts(MODEL, *wrong, 8, LOWEST)


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 10**14)), max_size=20))
def test_energy_in_pieces_is_energy_at_once(spans: list[tuple[int, int]]) -> None:
    total = rest = 0
    for mw, ps in spans:
        uj, rest = energy(mw, ps, rest)
        total += uj
    assert 0 <= rest < 10**9
    assert total * 10**9 + rest == sum(mw * ps for mw, ps in spans)


def test_units_of_energy() -> None:
    assert energy(91_000, 240 * 10**12) == (91 * 240 * 10**6, 0)  # 91 W for 240 s are 21.84 kJ
