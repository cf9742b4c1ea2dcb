"""Questions on the lesson screen: orders, parts pointed at, faults found; what they show, what their keys do."""

import os
import random
import re
from pathlib import Path

import pytest
from lesson.small import OTHER, SMALL, changed
from tui.bench_machine import press, screen, typed
from tui.small_lesson import answer, opened, ready

from ixviz.draw.cells import width
from ixviz.lesson import Session
from ixviz.lesson.load import load_lesson_text
from ixviz.tui import pressing
from ixviz.tui.conditions import Condition
from ixviz.tui.frame import Hit, compose
from ixviz.tui.opening import state_of
from ixviz.tui.state import State

GOLDEN = Path(__file__).parent / "golden"


def panel(state: State) -> str:
    """The Lesson tab at 80×24, as if its lines were longer."""
    text = screen(state).split("[Lesson]")[1].split("\n── ")[0]
    return re.sub(r"\n {10,}(?=\S)", " ", text)


def machine(state: State) -> str:
    """What is above the tabs at 80×24."""
    return screen(state).split("[Lesson]")[0]


def click(state: State, part: str, x: int = -1) -> None:
    """Click on a part of the machine."""
    frame = compose(state, 80, 24)
    hit = next(h for h in frame.hits if h.kind == "part" and h.data == part)
    pressing.click(state, hit, hit.x0 if x < 0 else x)


# ----------------------------------------------------------------------------------------------- orders
def test_an_order_grows_by_letters_and_shrinks_by_backspace() -> None:
    state = opened()
    assert "1 _   2 _   3 _" in panel(state)
    press(state, "c", "a")
    assert "1 c   2 a   3 _" in panel(state)
    assert "2 a   packet 7" in panel(state) and "1 c   packet 1" in panel(state)
    press(state, "c")
    assert "c is number 1 already" in screen(state) and "1 c   2 a   3 _" in panel(state)
    press(state, "backspace", "b")
    assert "1 c   2 b   3 _" in panel(state)


def test_an_order_is_answered_by_enter_when_all_are_there() -> None:
    state = opened()
    press(state, "enter")
    assert "type the letters a to c, first to last, then ↵" in panel(state)
    press(state, "c", "enter")
    assert "a and b are missing, then ↵" in panel(state) and state.asking
    press(state, "b", "enter")
    assert "a is missing, then ↵" in panel(state)
    answer(state, "a")
    assert not state.asking
    assert "RIGHT     cba  packet 1, packet 2, packet 7" in panel(state)


def test_a_wrong_order_is_told_and_w_leads_to_the_place() -> None:
    state = opened()
    answer(state, "a", "c", "b")
    text = panel(state)
    assert (
        "YOU SAID  acb  packet 7, packet 1, packet 2" in text and "IT WAS    cba" in text and "It came later." in text
    )
    reveal = state.branch.at
    assert f"w  shows event {reveal}: core 0 rings the doorbell" in text
    press(state, "left", "left")
    assert state.branch.at != reveal
    press(state, "w")
    assert state.branch.at == reveal and state.tab == "Why"


# ----------------------------------------------------------------------------------------------- parts
def test_the_parts_asked_about_have_their_letters_at_the_machine() -> None:
    state = opened("waiting")
    assert "a ring q0" in machine(state) and "b list" in machine(state) and "c core 0" in machine(state)
    press(state, "b")
    assert "b▸list" in machine(state) and "▸ b   core0.rxlist" in panel(state)
    assert "b▸list" in screen(state, 120, 36)


def test_a_click_chooses_a_part_and_enter_answers() -> None:
    state = opened("waiting")
    press(state, "tab")
    click(state, "nic.q0")
    assert state.tab == "Lesson" and state.asking and "a▸ring q0" in machine(state)
    press(state, "down", "down", "up")
    assert "b▸list" in machine(state)
    answer(state)
    assert "YOU SAID  b  core0.rxlist" in panel(state) and "IT WAS    c  core0" in panel(state)
    assert "b×list" in machine(state) and "c✓core 0" in machine(state)


def test_a_click_on_another_part_looks_into_it() -> None:
    state = opened("waiting")
    click(state, "nic")
    assert state.tab == "Parts" and state.part == "nic" and state.lesson.chosen is None


def test_a_part_that_is_marked_away_is_shown_when_it_is_asked_about() -> None:
    marks = "    until: core0.batch == 2\n    look: {view: machine, mark: [core0]}\n    pick: {r: last(packets)}\n"
    state = opened("waiting", changed("    until: core0.batch == 2\n    pick: {r: last(packets)}\n", marks, OTHER))
    assert "a ring q0" in machine(state) and "wire" not in machine(state)


def test_pointing_needs_a_choice() -> None:
    state = opened("waiting")
    press(state, "enter")
    assert "type a letter, a to c, or click on the part, then ↵" in panel(state) and state.asking


@pytest.mark.parametrize("beat", ["waiting", "ill"])
def test_marks_change_no_width(beat: str) -> None:
    state = opened(beat)
    press(state, "c")
    for columns in range(40, 160, 7):
        for rows in (12, 24, 36):
            assert {width(line) for line in compose(state, columns, rows).lines} == {columns}


# ----------------------------------------------------------------------------------------------- faults
def test_a_find_stands_at_the_end_and_can_be_walked() -> None:
    state = opened("ill")
    last = len(state.branch.sim.history) - 1
    assert state.branch.sim.ended and state.branch.at == last and state.branch.limit is None
    assert "nothing is shown till you answer" not in screen(state)
    press(state, "home")
    assert state.branch.at == 0 and state.asking
    press(state, "end", "right")
    assert state.branch.at == last and "this is the end" in screen(state)


def test_breaks_work_both_ways_while_b_is_an_answer() -> None:
    state = opened("ill")
    press(state, "u")
    typed(state, "core0.stage == idle and waiting(nic.q0) > 0")
    assert "becomes true nowhere after this (U looks back)" in screen(state)
    press(state, "U")
    found = state.branch.at
    assert "becomes true here (u next, U before)" in screen(state) and found < state.branch.last()
    assert Condition(state.branch, state.breakpoint).holds(state.branch.cursor)
    press(state, "home", "u", "enter")
    assert 0 < state.branch.at <= found
    assert state.lesson.chosen is None and state.asking
    press(state, "slash")
    typed(state, "drop")
    assert "found: drop" in screen(state) and state.tab == "Log"
    press(state, "b")
    assert state.lesson.chosen == 1 and state.tab == "Lesson"


def test_a_find_wants_a_part_and_a_rule() -> None:
    state = opened("ill")
    press(state, "enter")
    assert "type a letter, a to c, for the part and a number, 1 to 2, for the rule, then ↵" in panel(state)
    press(state, "7")
    assert "the rules are 1 to 2" in screen(state)
    press(state, "2", "enter")
    assert "type a letter, a to c, for the part, then ↵" in panel(state) and "▸ 2   It loses packets." in panel(state)
    click(state, "core0")
    assert state.lesson.chosen == 0 and "a▸core 0" in machine(state)


def test_a_stage_or_ring_inside_a_line_can_be_clicked() -> None:
    state = opened("ill")
    click(state, "core0.tx")
    assert state.lesson.chosen == 2 and "▸ c   core0.tx" in panel(state)


def test_a_wrong_try_leaves_the_find_open_with_its_reason() -> None:
    state = opened("ill")
    answer(state, "a", "1")
    assert state.asking and "ill" not in state.session.results
    assert "NOT SO    a1  core0: It waits although packets are there. It is busy all the" in panel(state)
    answer(state, "b", "1")
    assert "NOT SO    b1" in panel(state)
    press(state, "h")
    assert "HINT      Count the drops." in panel(state)
    answer(state, "2")
    assert not state.asking and state.session.results["ill"] == "right"
    text = panel(state)
    assert "RIGHT     b2  nic.q0: It loses packets." in text and "The ring holds four packets." in text


def test_after_a_find_w_shows_where_the_fault_shows() -> None:
    state = opened("ill")
    answer(state, "b", "2")
    first = next(line for line in panel(state).splitlines() if "w  shows event" in line)
    assert "finds q0 full and is dropped" in first
    history = state.branch.sim.history
    drops = [i for i in range(len(history)) if history.kinds[history.event(i).kind] == "drop"]
    press(state, "w")
    assert state.branch.at == drops[0]


def test_a_skipped_find_says_what_it_was() -> None:
    state = opened("ill")
    press(state, "s")
    ready(state)
    assert "SKIPPED" in panel(state) and "IT WAS    b2  nic.q0: It loses packets." in panel(state)
    assert "b✓ring q0" in machine(state)


def test_while_a_machine_is_recorded_it_is_not_read_and_the_question_keeps_its_keys() -> None:
    state = opened("waiting")
    before, at = machine(state), state.branch.at
    assert state.lesson.turns._lock.acquire(blocking=False)
    try:
        press(state, "left")
        assert "simulating, a moment" in screen(state) and state.branch.at == at
        press(state, "tab")
        assert "simulating …" in screen(state).split("[Why]")[1]
        press(state, "b")
        assert "▸ b   core0.rxlist" in panel(state)
        drawn = machine(state).splitlines()[2:]
        assert drawn == before.splitlines()[2:]  # as it was drawn last
        answer_was = dict(state.session.results)
        press(state, "enter")
        assert state.session.results == answer_was
    finally:
        state.lesson.turns._lock.release()
    ready(state)
    assert not state.asking


def test_hints_and_reasons_are_seen_where_room_is_short() -> None:
    long = "    say: $(nic.drops) packets were lost. " + "Many words follow here, and none of them matters. " * 6
    state = opened("ill", changed("    say: $(nic.drops) packets were lost.", long, OTHER))
    assert "Many words" in panel(state)
    press(state, "h")
    answer(state, "a", "1")
    text = panel(state)
    assert "FIND" in text and "HINT" in text and "NOT SO" in text and "more lines" not in text


# ----------------------------------------------------------------------------------------------- earlier visits, review
def test_a_beat_answered_in_an_earlier_visit_is_shown_as_answered() -> None:
    session = Session(load_lesson_text(OTHER))
    results = {"leaving": "wrong", "coming": "skipped", "waiting": "right", "ill": "right"}
    session.restore(results, {"leaving": "acb", "waiting": "c", "ill": "b2"}, at="ill")
    state = state_of(None, session)
    ready(state)
    assert not state.asking and state.branch.at == len(state.branch.sim.history) - 1
    assert "RIGHT     b2  nic.q0: It loses packets." in panel(state) and "w  shows event" in panel(state)
    press(state, "pageup")
    ready(state)
    assert "RIGHT     c  core0" in panel(state) and "c✓core 0" in machine(state)
    press(state, "pageup", "pageup")
    ready(state)
    assert "YOU SAID  acb" in panel(state) and "w  shows event" in panel(state)


def test_a_question_comes_back_on_another_machine() -> None:
    state = opened()
    answer(state, "a", "c", "b")
    first = state.branch
    while not state.session.review:
        press(state, "s" if state.asking else "enter")
        ready(state)
    assert "Once more · Who leaves first" in screen(state) and "B 3" in screen(state)
    assert state.branch is not first and state.branch.sim is not first.sim and state.branch.sim.bound == 3
    assert state.branch.limit == state.branch.at
    answer(state, "c", "b", "a")
    assert "RIGHT" in panel(state) and state.session.reviewed["leaving"] == "right"
    press(state, "enter")
    assert state.lesson.over
    for _ in range(4):
        press(state, "pageup")
        ready(state)
    assert state.session.beat.id == "leaving"
    assert state.branch.sim.bound == 4  # back at the lesson's own machine


# ----------------------------------------------------------------------------------------------- names
def test_the_parts_a_beat_names_stand_in_brackets() -> None:
    say = "    say: At most $(system.batch_bound) packets go together.\n"
    look = "    look: {view: machine, label: [nic.q0, rxlist, core0]}\n"
    state = opened(text=changed(say, look + say, SMALL))
    plain = machine(opened(text=SMALL))
    for size in ((80, 24), (120, 36)):
        shown = screen(state, *size)
        assert "[ring q0]" in shown and "[list]" in shown and "[core 0]" in shown and "[wire]" not in shown
    assert len(machine(state).splitlines()) == len(plain.splitlines())
    assert "[ring q0]" not in plain


# ----------------------------------------------------------------------------------------------- nothing passes but s
KEYS = ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "space", "tab", "shift+tab", "escape",
        "backspace", "enter", *"abcdefghijklmnopqrtuvwxyz0123456789BNTU+-/?.,<>[]{}")  # fmt: skip
BEATS = {"choose": "size", "number": "mean", "task": "knob", "order": "leaving", "point": "waiting", "find": "ill"}


@pytest.mark.parametrize("kind", BEATS)
def test_no_key_and_no_mouse_action_but_s_passes_an_open_question(kind: str) -> None:
    beat = BEATS[kind]
    state = opened(beat, SMALL if kind in ("choose", "number", "task") else OTHER)
    assert state.session.action == kind
    chance, index = random.Random(kind), state.session.index
    before = dict(state.session.results)
    for _ in range(400):
        if (state.prompt is not None or state.help) and chance.random() < 0.3:
            press(state, "escape")
        elif chance.random() < 0.2:
            hits: list[Hit] = compose(state, *chance.choice([(80, 24), (120, 36)])).hits
            for hit in chance.sample(hits, min(len(hits), 1)):  # the help has none
                pressing.click(state, hit, chance.randrange(hit.x0, hit.x1), dragging=chance.random() < 0.3)
        else:
            key = chance.choice(KEYS)
            here = state.session.index == index and state.asking and state.lesson.texts() is not None
            if key == "enter" and state.prompt is None and here and not state.lesson.missing():
                key = "backspace" if kind not in ("choose", "point", "find") else "left"  # ↵ would answer
            press(state, key)
        state.tick(0.02)
        if state.session.index != index:
            ready(state)
        assert state.session.index <= index and not state.session.review and not state.lesson.over
        assert state.session.results == before
    if state.prompt is not None:
        press(state, "escape")
    ready(state)
    while state.session.index != index:
        press(state, "pagedown")
        ready(state)
    press(state, *(["question_mark"] if state.help else []), "s")
    ready(state)
    assert state.session.results == {**before, beat: "skipped"}


# ----------------------------------------------------------------------------------------------- golden frames
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize(("beat", "keys"), [("leaving", "ca"), ("waiting", "b"), ("ill", "b1")])
def test_golden(beat: str, keys: str, size: tuple[int, int]) -> None:
    state = opened(beat)
    press(state, *keys)
    text = screen(state, *size) + "\n"
    file = GOLDEN / f"question_{beat}_{size[0]}x{size[1]}.txt"
    if os.environ.get("IXVIZ_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------------------- searching backwards
@pytest.mark.parametrize(
    "source",
    [
        "nic.q0.depth >= 3",
        "core0.stage == idle",
        "waiting(app) > 0",
        "time > 3 us",
        "waiting(rxlist) > 4 and core0.stage == tcp",
        "count(packets) == 9",
        "nic.drops > 5",
    ],
)
def test_a_search_backwards_finds_what_the_history_finds(source: str) -> None:
    state = opened("ill")
    condition = Condition(state.branch, source)
    history = state.branch.sim.history
    for start in (0, 1, 17, 50, len(history) - 1):
        found = [event for event in condition.search(start, -1) if event is not None]
        assert found == ([history.previous(start, condition.holds)] if history.previous(start, condition.holds) else [])
        ahead = [event for event in condition.search(start, 1) if event is not None]
        after = history.next(start, condition.holds)
        assert ahead == ([] if after is None else [after])


def test_what_is_kept_of_an_answered_question_is_not_shown_when_it_is_open_again() -> None:
    state = opened("waiting")
    answer(state, "b")
    while state.branch.at > 18:
        press(state, "left")
    assert state.branch.at == 18 and "c✓core 0" in machine(state)
    while not state.session.review:
        press(state, "s" if state.asking else "enter")
        ready(state)
    assert state.session.beat.id == "waiting" and state.branch.at == 18
    assert state.lesson.turns._lock.acquire(blocking=False)
    try:
        assert "✓" not in screen(state)
    finally:
        state.lesson.turns._lock.release()


def test_an_answer_that_is_revealed_at_the_end_leaves_the_machine_there() -> None:
    state = opened("mean", SMALL)
    assert state.asking and state.branch.at == 0
    answer(state, "9")
    assert not state.asking and state.branch.ended and state.branch.at == state.branch.last() > 0
    press(state, "left")
    assert 0 < state.branch.at < state.branch.last(), "and it can be stepped from there"
