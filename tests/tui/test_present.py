"""A lecture: pages, reveals, what is shown and what is not, the clicker, the clock."""

import re

import pytest
from lesson.small import OTHER, SMALL, changed
from tui.lectures import ALL, at, opened, press, ready, shown, typed

from ixviz.draw.cells import ascii_twin, width
from ixviz.lesson.load import bundled_lessons, load_lesson, load_lesson_text
from ixviz.lesson.phase import Phase
from ixviz.scenario.simulate import picture_of
from ixviz.tui.lecture import lecture
from ixviz.tui.notes_state import told
from ixviz.tui.present import compose
from ixviz.tui.present_blocks import headline
from ixviz.tui.present_keys import KEYS
from ixviz.tui.present_state import Present


def first_page() -> Present:
    return Present(lecture(load_lesson_text(ALL)), picture_of)


# ------------------------------------------------------------------------------------------- the first page
def test_the_first_page_is_a_frame_of_80_by_24() -> None:
    present = first_page()
    for size in ((80, 24), (120, 36)):
        rows = shown(present, *size).split("\n")
        assert len(rows) == size[1]
        assert len(rows[0]) == len(rows[23]) == 80
        assert rows[0][0] + rows[0][-1] + rows[23][0] + rows[23][-1] == "┌┐└┘"
        assert not any(rows[24:])
    assert "It fits" in shown(present) and "Here are 120 × 36 cells" in shown(present, 120, 36)
    small = shown(present, 60, 18)
    assert "here are only 60 × 18 cells" in small and "└" not in small


def test_the_clock_starts_with_the_first_beat() -> None:
    present = opened()
    present.clock.now += 30
    assert "Hello" in shown(present) and "1 of 5    0:30 of 5:00    on time" in shown(present)
    present.clock.now += 60
    assert "1:30 of 5:00    behind 0:30" in shown(present)
    press(present, "c")
    assert "── to be on time skip: The average (1 min) ──" in shown(present)
    press(present, "s", "s", "s")
    assert "4 of 5    1:30 of 5:00    ahead 1:30" in shown(present)
    press(present, "c")
    assert "ahead 1:30, nothing to skip" in shown(present)


def test_a_beat_to_begin_with_is_on_time() -> None:
    present = opened(beat="settle")
    assert present.session.beat.id == "settle" and "2:00 of 5:00    on time" in shown(present)


def test_a_lesson_with_a_lecture_route_shows_that_one_only() -> None:
    present = opened(SMALL)
    assert [beat.id for beat in present.session.beats] == ["intro"]
    press(present, "pagedown")
    assert present.page == "over" and "That was the lesson." in shown(present)


# ------------------------------------------------------------------------------------------- ways
def test_a_clickers_way_there_and_back() -> None:
    present = opened()
    pages = []
    for _ in range(12):
        pages.append((present.session.beat.id, str(present.session.phase)))
        if present.page == "over":
            break
        press(present, "pagedown")
    asked = [(beat, phase) for beat in ("size", "settle", "mean", "knob") for phase in ("asking", "answered")]
    assert pages == [("intro", "reading"), *asked, ("knob", "over")]
    assert set(present.session.results.values()) == {"skipped"} and present.session.score == ""
    back = []
    for _ in range(9):
        press(present, "pageup")
        back.append((present.session.beat.id, str(present.session.phase)))
    assert back == pages[-2::-1]
    press(present, "pageup")
    assert "this is the first beat" in shown(present)


def test_a_question_that_is_shown_again_is_open_again() -> None:
    present = at(opened(), "size")
    before = shown(present)
    press(present, "pagedown")
    assert "✓ b  6" in shown(present) and "It took 2 µs." in shown(present)
    press(present, "pageup")
    assert shown(present) == before
    assert present.session.view_event == present.state.branch.limit


def test_a_skipped_beat_was_not_shown() -> None:
    present = at(opened(), "settle")
    press(present, "pageup")
    assert present.session.beat.id == "size" and present.lesson.asking
    press(present, "s", "s")
    assert present.session.beat.id == "mean" and present.lesson.asking


def test_steps_stay_before_the_stop_of_an_open_question() -> None:
    present = at(opened(), "size")
    stop = present.session.view_event
    press(present, "right")
    assert present.state.branch.at == stop and "nothing after this is shown till the reveal" in shown(present)
    press(present, "left")
    assert present.state.branch.at < stop
    press(present, "space")
    assert present.state.playing
    for _ in range(200):
        present.tick(0.05)
        assert present.state.branch.at <= stop
    assert not present.state.playing


def test_a_reveal_waits_for_what_it_needs() -> None:
    present = at(opened(), "size")
    present.lesson._texts = None
    present.next()
    assert not present.answered and "simulating, a moment" in shown(present)
    present.lesson._texts = present.session.texts()
    ready(present)
    assert present.answered and "simulating" not in shown(present)


def test_a_blank_screen_until_the_next_key() -> None:
    present = at(opened(), "size")
    before = shown(present)
    press(present, "full_stop")
    assert not shown(present).strip() and len(compose(present, 80, 24).lines) == 24
    assert press(present, "q") == ""
    assert shown(present) == before
    assert press(present, "q") == "leave"


# ------------------------------------------------------------------------------------------- what is shown
def test_only_what_the_beat_marks_is_shown() -> None:
    whole = shown(at(opened(), "size"))
    assert "ring q0" in whole and "wire" in whole and "core 0    ▸poll" in whole
    text = changed("    say: Batch 2 has", "    look: {view: machine, mark: [nic.q0]}\n    say: Batch 2 has", ALL)
    marked = shown(at(opened(text), "size"))
    assert "ring q0" in marked and "wire" not in marked and "▸poll" not in marked and "list" not in marked
    assert "right so far" not in whole  # no scores


def test_a_view_of_the_control_plane_has_the_room_of_the_lanes() -> None:
    lesson = load_lesson(next(path for path in bundled_lessons() if "07-" in str(path)))
    present = Present(lecture(lesson), picture_of)
    press(present, "pagedown", "pagedown")
    assert re.search(r"power .* W", shown(present)) and "core 0  " not in shown(present)


def test_a_chart_beat_shows_its_chart() -> None:
    look = "    look: {view: chart, of: batches.size}\n"
    text = changed("    say: $(count(packets)) packets", f"{look}    say: $(count(packets)) packets", ALL)
    present = at(opened(text), "settle")
    assert "packets in each batch" in shown(present) and "ring" not in shown(present)
    press(present, "pagedown")
    assert "✓ c  In between." in shown(present) and "packets in each batch, now 12" in shown(present)


def test_wrong_choices_go_before_what_is_marked() -> None:
    present = at(opened(), "settle")
    press(present, "pagedown")
    assert "✓ c  In between." in shown(present) and "It stays" in shown(present)
    text = changed("why: It is $(last(batches).size).", "why: It is $(last(batches).size). " + "And so on. " * 30, ALL)
    present = at(opened(text), "settle")
    press(present, "pagedown")
    assert "IT WAS    c  In between." in shown(present) and "It stays" not in shown(present)
    assert "core 0    ▸poll" in shown(present) and "▲ now" in shown(present)
    press(present, "pageup")
    typed(present, "1 2 3")
    press(present, "t", "pagedown")
    assert "It stays" in shown(present)  # votes have bars for all of them


def test_every_kind_of_question_has_its_answer_shown() -> None:
    present = opened(OTHER)
    found = []
    for _ in range(4):
        assert "IT WAS" not in shown(present) and "✓" not in shown(present)
        press(present, "pagedown")
        found.append(next(row for row in shown(present).split("\n") if row.startswith(("IT WAS", "✓"))))
        press(present, "pagedown")
    assert found == ["IT WAS    cba  packet 1, packet 2, packet 7", "IT WAS    ba  The third comes, The first leaves",
                     "✓ c  core0", "IT WAS    b2  nic.q0: It loses packets."]  # fmt: skip


def test_nothing_after_the_stop_is_in_a_frame_or_told() -> None:
    """Two histories that agree up to the stop and differ after it."""
    rest = "          - {from: 2.1 us, every: 333.333 ns, count: 300}"
    frames = []
    for every, count in (("280 ns", 350), ("320 ns", 300)):
        later = f"          - {{from: 12.2 us, every: {every}, count: {count}}}"
        text = changed(rest, f"          - {{from: 2.1 us, every: 333.333 ns, count: 30}}\n{later}", ALL)
        text = changed("reveal: core0.batch == 25", "reveal: core0.batch == 8", text)
        present = at(opened(text), "settle")
        seen = [shown(present), shown(present, 120, 36), told(present, 80, 24, "")]
        for key in ("right", "left", "left", "space", "t", "c", "question_mark", "x", "v", "1", "escape"):
            press(present, key)
            present.tick(0.03)
            seen += [shown(present), told(present, 80, 24, "")]
        press(present, "pagedown")
        frames.append((seen, shown(present)))
    assert frames[0][0] == frames[1][0]
    assert frames[0][1] != frames[1][1]  # after the reveal they do differ


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (40, 12), (60, 50), (200, 14), (10, 3)])
def test_every_frame_has_exactly_its_size(size: tuple[int, int]) -> None:
    present = first_page()
    for step in range(13):
        if step == 4:
            typed(present, "3 12 20")
            press(present, "t")
        lines = compose(present, *size).lines
        assert len(lines) == size[1]
        for row in lines:
            assert width(row) == size[0]
            assert "".join(s.text for s in ascii_twin(row)).isascii()
        press(present, "pagedown")
    assert present.page == "over"
    press(present, "question_mark")
    assert {width(row) for row in compose(present, *size).lines} == {size[0]}


def test_a_text_longer_than_the_screen_can_be_scrolled() -> None:
    text = changed("It is $(last(batches).size).", "It is $(last(batches).size). " + "Words. " * 300 + "The end.", ALL)
    present = at(opened(text), "settle")
    press(present, "pagedown")
    assert "The end." not in shown(present)
    press(present, *["down"] * 60)
    assert "The end." in shown(present)
    press(present, *["up"] * 60)
    assert "WHERE DOES" in shown(present)


def test_headlines_keep_units_and_names() -> None:
    assert headline("How many **go** in 5 us?", 80) == "HOW MANY GO IN 5 us?"
    assert headline("Is the p99 of nic.q0 below 500 µs?", 80) == "IS THE p99 OF nic.q0 BELOW 500 µs?"
    assert headline("Is it long?", 5) == "Is it long?"


def test_the_help_has_every_key() -> None:
    present = opened()
    press(present, "question_mark")
    for key in KEYS:
        assert present.state.branch.named(key.help) in shown(present)
    press(present, "a")
    assert "Hello" in shown(present)


def test_a_session_goes_to_any_beat_with_nothing_counted() -> None:
    session = lecture(load_lesson_text(ALL))
    session.pass_to(3)
    assert session.beat.id == "mean" and session.score == ""
    assert session.results == {} and not session.said and session.passed == {"size", "settle"}
    session.pass_to(1)
    assert session.phase is Phase.ASKING  # what was passed by stays open
