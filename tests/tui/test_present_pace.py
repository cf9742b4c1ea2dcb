"""The lecturer's clock: on time, ahead, behind, and what to skip."""

from types import SimpleNamespace

import pytest

from ixviz.tui.pace import GRACE, advice, pace, to_skip


def beats(*minutes: float) -> list[SimpleNamespace]:
    return [SimpleNamespace(title=f"beat {i}", minutes=m) for i, m in enumerate(minutes)]


@pytest.mark.parametrize(
    ("index", "used", "state"),
    [
        (0, 0, "on time"),
        (0, 90, "on time"),
        (0, 110, "on time"),  # within the grace
        (0, 111, "behind 0:21"),
        (1, 90, "on time"),
        (1, 69, "ahead 0:21"),
        (2, 75, "ahead 0:45"),
        (3, 240, "on time"),  # the end
        (3, 200, "ahead 0:40"),
        (3, 3_700, "behind 57:40"),
    ],
)
def test_how_it_stands(index: int, used: float, state: str) -> None:
    assert pace(beats(1.5, 0.5, 2), index, used).state == state


def test_the_words_of_the_clock() -> None:
    assert str(pace(beats(1.5, 0.5, 8), 2, 250.9)) == "4:10 of 10:00"


def test_skipping_is_for_those_who_are_late() -> None:
    some = beats(1, 2, 3, 1)
    assert to_skip(some, 0, 60 + GRACE) == ()
    assert to_skip(some, 0, 60 + GRACE + 1) != ()
    assert advice(some, 0, 0) == ""


def test_what_is_skipped_is_enough_and_no_more() -> None:
    some = beats(1, 2, 3, 1, 4, 1)
    for late in range(GRACE + 1, 600, 7):
        chosen = to_skip(some, 0, 60 + late)
        gain = 60 * sum(beat.minutes for beat in chosen)
        assert gain >= late - GRACE
        assert some[-1] not in chosen  # the last one says what to take away
        rest = [beat for beat in some[1:-1] if beat not in chosen]
        assert not any(60 * beat.minutes >= late - GRACE and 60 * beat.minutes < gain for beat in rest)


def test_later_beats_go_first_and_the_advice_names_them() -> None:
    some = beats(1, 2, 2, 2, 1)
    assert advice(some, 0, 160) == "to be on time skip: beat 3 (2 min)"
    assert advice(some, 0, 280) == "to be on time skip: beat 2 (2 min) and beat 3 (2 min)"
    assert advice(some, 0, 600) == "too late to be on time; skip: beat 1 (2 min), beat 2 (2 min) and beat 3 (2 min)"
    assert advice(some, 3, 9_000) == ""  # only the last one is left


def test_more_than_three_beats_are_found_too() -> None:
    some = beats(1, *[0.5] * 10, 1)
    chosen = to_skip(some, 0, 60 + 150)
    assert len(chosen) == 5
