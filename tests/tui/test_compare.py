"""What keys do to a comparison and its frame, without a terminal."""

from __future__ import annotations

import random

import pytest
from compare.small import WORKLOADS, scenario

from ixviz.compare.align import aligned
from ixviz.compare.differences import event_of
from ixviz.draw.cells import ascii_twin, plain, width
from ixviz.tui import compare_keys
from ixviz.tui.compare_frame import compose
from ixviz.tui.compare_keys import ACTIONS, KEYS, MOUSE
from ixviz.tui.compare_state import CompareState, open_state

SIZES = [(160, 48), (120, 36), (80, 24), (60, 20)]


def opened(workload: str = "open", systems: tuple[str, ...] = ("ix", "linux"), at: int | None = None) -> CompareState:
    made = aligned([scenario(system, WORKLOADS[workload]) for system in systems])
    state = open_state(made, at=at)
    settle(state)
    return state


def settle(state: CompareState) -> None:
    """Let the work that a key began come to its end."""
    for _ in range(2_000):
        if state.job is None:
            return
        state.tick(0.03)
    raise AssertionError(f"never done: {state.job_text}")


def press(state: CompareState, *keys: str) -> None:
    for key in keys:
        compare_keys.press(state, key, key if len(key) == 1 else None)
        settle(state)


def screen(state: CompareState, cells: int = 120, height: int = 36) -> str:
    return plain(compose(state, cells, height).lines)


def stood(state: CompareState) -> list[tuple[int, int]]:
    return [(run.at, run.now) for run in state.lock.runs]


def test_it_opens_on_the_first_packet_with_both_beside_each_other() -> None:
    state = opened()
    rows = screen(state).splitlines()
    assert rows[0].startswith("small-ix beside small-linux") and "the packets of small-ix" in rows[0]
    assert "aligned by time" in rows[1] and "n looks for: news" in rows[1]
    assert rows[2].startswith("ix, 2 cores") and "│ linux, 2 cores" in rows[2]
    assert "packet 1" in rows[3].partition("│")[0] and "packet 1" in rows[3].partition("│")[2]


@pytest.mark.parametrize("systems", [("ix", "linux"), ("linux", "ix", "linux")])
@pytest.mark.parametrize("size", SIZES)
def test_every_size_has_exactly_its_lines(size: tuple[int, int], systems: tuple[str, ...]) -> None:
    state = opened(systems=systems)
    for keys in ((), ("n", "n"), ("p",), ("a",), ("g", "x"), ("escape", "question_mark")):
        press(state, *keys)
        lines = compose(state, *size).lines
        assert len(lines) == size[1] and {width(row) for row in lines} == {size[0]}
        assert all(width(ascii_twin(row)) == size[0] and plain([ascii_twin(row)]).isascii() for row in lines)
    assert "needs 60 × 20" in screen(state, 59, 20)


def test_forward_and_back_show_the_identical_screen() -> None:
    state = opened()
    seen = []
    for _ in range(40):
        seen.append((stood(state), screen(state)))
        press(state, "right")
    for before in reversed(seen):
        press(state, "left")
        assert (stood(state), screen(state)) == before


def test_all_stand_at_one_time_and_step_in_its_order() -> None:
    state = opened("paced")
    last = state.lock.place
    for _ in range(60):
        press(state, "right")
        place = state.lock.place
        assert (place.now, place.run, place.event) > (last.now, last.run, last.event) or place.now > last.now
        assert {run.now for run in state.lock.runs} == {place.now}
        last = place


def test_next_difference_goes_there_and_says_what_differs() -> None:
    state = opened()
    press(state, "d")
    assert state.wanted == "any"
    press(state, "n")
    first = state.lock.place
    [found, *_] = state.finder.at()
    assert event_of(state.lock.runs, found) == first.event
    assert "≠ " in screen(state).splitlines()[-4]
    press(state, "n", "N")
    assert state.lock.place == first


def test_d_looks_only_for_kinds_that_there_are() -> None:
    state = opened()
    press(state, "n", "n", "n")
    seen = set()
    for _ in range(12):
        press(state, "d")
        seen.add(state.wanted)
    assert {"news", "any", "later"} <= seen and "waits" not in seen and "sent" not in seen
    while state.wanted != "later":
        press(state, "d")
    press(state, "n")
    assert any(found.kind == "later" for found in state.finder.at())
    assert "≠ Packet" in screen(state) or "≠ packet" in screen(state).lower()


def test_a_packet_is_followed_in_both_columns() -> None:
    state = opened()
    press(state, "p")
    assert state.followed == (1,)
    text = screen(state)
    assert text.count("+0.0 µs  arrives in q") == 2
    press(state, "plus", "plus", "plus")
    assert state.size == "packet"
    before = state.lock.place
    for _ in range(4):
        press(state, "right")
    assert state.lock.place.now > before.now
    press(state, "p")
    assert state.followed is None and "arrives in q" in screen(state)


def test_by_packet_each_stands_at_its_own_time_in_the_same_phase() -> None:
    state = opened()
    press(state, "g", *"#7", "enter", "a")
    assert state.lock.align == "packet" and state.lock.key == (7,)
    assert "packet 7 arrives" in screen(state).splitlines()[1]
    press(state, "right", "right", "right")
    runs = state.lock.runs
    assert state.lock.phase == 3 and "packet 7 leaves" in screen(state).splitlines()[1]
    assert [run.moment.left(7) is not None for run in runs] == [True, True]
    assert runs[0].now < runs[1].now
    heads = screen(state).splitlines()[2]
    assert heads.count("t ") >= 2 and "µs" in heads
    press(state, "right")
    assert (state.lock.key, state.lock.phase) == ((8,), 0)
    press(state, "left")
    assert (state.lock.key, state.lock.phase) == ((7,), 3)
    press(state, "a")
    assert state.lock.align == "time" and len({run.now for run in runs}) == 1


def test_by_packet_n_goes_to_the_packets_that_fare_differently() -> None:
    state = opened()
    press(state, "a")
    while state.wanted != "later":
        press(state, "n", "d")
    press(state, "n")
    assert state.lock.align == "packet" and state.lock.phase == 3
    assert any(found.kind == "later" for found in state.finder.at())


def test_going_to_a_time_and_a_packet_and_what_is_wrong_with_a_line() -> None:
    state = opened()
    press(state, "g", *"50 us", "enter")
    assert state.lock.place.now == 50_000_000 and {run.now for run in state.lock.runs} == {50_000_000}
    press(state, "g", *"+10us", "enter")
    assert state.lock.place.now == 60_000_000
    press(state, "left")  # paused between two events: first to the one just done
    assert state.lock.place.now < 60_000_000
    press(state, "g", *"soon", "enter")
    assert state.prompt is not None and state.prompt.error
    press(state, "escape", "g", *"#99999", "enter")
    assert state.prompt is not None and "not recorded" in state.prompt.error
    press(state, "escape")
    assert state.prompt is None


def test_the_ends_say_so() -> None:
    state = opened()
    press(state, "home")
    assert [run.at for run in state.lock.runs] == [0, 0] and "this is the start" in screen(state)
    press(state, "left")
    assert [run.at for run in state.lock.runs] == [0, 0]
    press(state, "g", *"1 s", "enter")
    assert "the runs end before that" in screen(state)
    press(state, "right")
    assert "this is the end" in screen(state)


def test_playing_goes_on_with_time_and_stops_at_the_end() -> None:
    state = opened()
    press(state, "space", "full_stop", "full_stop")
    before = state.lock.place.now
    state.tick(0.05)
    assert state.lock.place.now - before == 5_000_000  # 0.1 ms each second
    for _ in range(200):
        state.tick(0.25)
    assert not state.playing and state.lock.ended and "this is the end" in screen(state)


def test_it_opens_at_the_time_one_was_at() -> None:
    assert opened(at=123_456_789).lock.place.now == 123_456_789


def click(state: CompareState, run: int, event: int) -> None:
    """On the line of an event of a run, as it is drawn at 120 × 36."""
    [hit] = [hit for hit in compose(state, 120, 36).hits if hit.data == (run, event)]
    compare_keys.click(state, hit)
    settle(state)


@pytest.mark.parametrize("size", SIZES[:3])  # the smallest has no room for them
def test_every_line_that_can_be_clicked_is_the_one_it_says(size: tuple[int, int]) -> None:
    state = opened()
    press(state, *["right"] * 30)
    for _ in range(2):  # the events, then a packet's way
        lines, hits = compose(state, *size)
        rows, runs = plain(lines).splitlines(), state.lock.runs
        assert {hit.data[0] for hit in hits} == {0, 1}
        for hit in hits:
            run, event = hit.data
            words = runs[run].picture.words(runs[run].moment_at(event), event)
            if state.followed is not None:
                words = next(step for at, _, step in runs[run].journey(1) if at == event)
            shown = rows[hit.y0][hit.x0 : hit.x1]
            assert shown.rstrip(" …").split("µs", 1)[1].strip()[:20] == words[:20]
        press(state, "g", *"#1", "enter")


def test_a_click_on_an_event_goes_there_in_all_and_ends_what_goes_on() -> None:
    state = opened()
    seen = {}
    for _ in range(20):
        press(state, "right")
        seen[state.lock.place.run, state.lock.place.event] = (stood(state), screen(state))
    for run, event in ((1, state.lock.runs[1].at - 2), (0, state.lock.runs[0].at - 1)):
        press(state, "space")
        click(state, run, event)
        assert (stood(state), screen(state)) == seen[run, event] and not state.playing
    press(state, "a")
    click(state, 0, state.lock.runs[0].at)
    assert state.lock.align == "time" and len({run.now for run in state.lock.runs}) == 1


def test_a_click_on_a_packets_way_goes_there_ahead_too_and_by_packet_to_the_phase() -> None:
    state = opened()
    press(state, "g", *"#7", "enter")
    ways = [[event for event, _, _ in run.journey(7)] for run in state.lock.runs]
    click(state, 1, ways[1][-1])
    assert state.lock.place[:2] == (1, ways[1][-1]) and state.lock.runs[1].moment.left(7) is not None
    click(state, 0, ways[0][1])
    assert state.lock.place[:2] == (0, ways[0][1]) and state.lock.runs[1].moment.left(7) is None
    press(state, "a")
    click(state, 0, ways[0][-1])
    assert (state.lock.align, state.lock.phase) == ("packet", 3)
    assert [run.at for run in state.lock.runs] == [way[-1] for way in ways]
    click(state, 0, ways[0][0])
    assert (state.lock.align, state.lock.phase) == ("packet", 0)


def test_a_click_on_what_one_has_recorded_first_brings_the_others_there() -> None:
    far, whole = opened(), opened()
    while whole.lock.record(5_000):
        pass
    far.lock.runs[1].sim.record(700)
    event = far.lock.runs[1].last
    assert not far.lock.known(far.lock.runs[1].time(event))
    for state in (far, whole):
        state.go_event(1, event)
        settle(state)
    assert stood(far) == stood(whole) and far.lock.place == whole.lock.place


def test_the_wheel_steps_and_scrolls_the_help() -> None:
    state = opened()
    before = stood(state), screen(state)
    compare_keys.wheel(state, 1)
    assert stood(state) != before[0]
    compare_keys.wheel(state, -1)
    assert (stood(state), screen(state)) == before
    press(state, "g", "5")
    compare_keys.wheel(state, 1)
    assert state.prompt is not None and stood(state) == before[0]
    press(state, "escape", "question_mark")
    compare_keys.wheel(state, 1)
    screen(state, 80, 24)
    assert state.scroll["help"] == 3 and stood(state) == before[0]


@pytest.mark.parametrize("systems", [("ix", "linux"), ("linux", "ix", "linux")])
def test_no_key_and_no_click_does_harm(systems: tuple[str, ...]) -> None:
    """Whatever is pressed while recording goes on; the runs never part."""
    state, dice = opened("paced", systems), random.Random(len(systems))
    keys = [key for each in KEYS for key in each.keys if each.action != "up_level"]
    for _ in range(250):
        key = dice.choice([*keys, "n", "a", "p", "1", "enter"])
        compare_keys.press(state, key, key if len(key) == 1 else None)
        state.tick(0.02)
        state.leave = ""
        size = dice.choice(SIZES)
        frame = compose(state, *size)
        assert [width(line) for line in frame.lines] == [size[0]] * size[1], key
        assert all(2 <= hit.y0 < hit.y1 <= size[1] - 4 and 0 <= hit.x0 < hit.x1 <= size[0] for hit in frame.hits)
        if frame.hits and dice.random() < 0.3:
            compare_keys.click(state, dice.choice(frame.hits))
        elif dice.random() < 0.3:
            compare_keys.wheel(state, dice.choice((1, -1)))
        if state.lock.align == "time":
            assert {run.now for run in state.lock.runs} == {state.lock.place.now}


def test_the_help_lists_every_key_and_what_was_made_the_same() -> None:
    state = opened()
    press(state, "question_mark")
    text = screen(state, 120, 60)
    assert all(key.help in text for key in KEYS) and all(words in text for _, words in MOUSE)
    assert "the packets of small-ix" in text and "different" in text
    press(state, "q")
    assert not state.help and state.leave == ""
    press(state, "q")
    assert state.leave == "up"


def test_every_action_has_a_key_and_every_key_an_action() -> None:
    assert {key.action for key in KEYS} == set(ACTIONS)
