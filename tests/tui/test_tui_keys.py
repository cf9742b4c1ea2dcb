"""What keys do to the state and its frame, without a terminal."""

import random
import re

import pytest
from tui.bench_machine import bench, press, screen, typed

from ixviz.draw.cells import width
from ixviz.scenario.load import bundled, load
from ixviz.tui import pressing
from ixviz.tui.frame import compose
from ixviz.tui.keys import KEYS
from ixviz.tui.opening import state_of
from ixviz.tui.state import NOT_YET


def test_it_opens_on_the_first_packet_and_says_what_to_press() -> None:
    shown = screen(bench())
    assert "Packet 1 arrives in q0." in shown
    assert "Press →" in shown
    assert "1 of 512" in shown


def test_forward_and_back_show_the_identical_screen() -> None:
    state = bench()
    seen = []
    for _ in range(60):
        seen.append(screen(state))
        press(state, "right")
    for before in reversed(seen):
        press(state, "left")
        assert screen(state) == before


@pytest.mark.parametrize("size", range(4))
def test_each_step_size_goes_back_where_it_came_from(size: int) -> None:
    state = bench()
    press(state, *["plus"] * size, "right")
    at = state.branch.at
    press(state, "right", "right", "left", "left")
    assert state.step_name == ("event", "stage", "batch", "packet")[size]
    assert state.branch.at == at


def test_a_batch_step_stops_at_polls_only() -> None:
    state = bench()
    press(state, "plus", "plus")
    sizes = []
    for _ in range(4):
        press(state, "right")
        sizes.append(state.branch.cursor.view["core0"].size)
    assert sizes == [1, 4, 6, 7]


def test_the_ends_say_so() -> None:
    state = bench()
    press(state, "home", "left")
    assert "this is the start" in screen(state)
    press(state, "end", "right")
    assert "this is the end" in screen(state)
    assert state.branch.ended
    press(state, "left")
    assert "this is the end" not in screen(state)


def test_going_to_a_time_an_event_and_back() -> None:
    state = bench()
    press(state, "g")
    typed(state, "50 us")
    assert 49_000_000 < state.branch.now <= 50_000_000
    press(state, "g")
    typed(state, "#120")
    assert state.branch.at == 120
    press(state, "g")
    typed(state, "soon")
    assert state.prompt is not None and state.prompt.error
    press(state, "escape")
    assert state.prompt is None


def test_find_goes_to_what_matches_and_filters_the_log() -> None:
    state = bench()
    press(state, "/")
    typed(state, "doorbell")
    assert "rings the doorbell" in screen(state)
    first = state.branch.at
    press(state, "n")
    assert state.branch.at > first
    press(state, "N")
    assert state.branch.at == first
    log = screen(state).split("[Log]")[1]
    assert "arrives in" not in log


def test_a_break_runs_to_the_condition_and_back() -> None:
    state = bench()
    press(state, "b")
    typed(state, "nic.q0.depth >= 5")
    there = state.branch.at
    assert state.branch.cursor.view["nic.q0"].depth == 5
    press(state, "b", "enter")
    assert state.branch.at > there
    press(state, "B")
    assert state.branch.at == there
    press(state, "b")
    typed(state, "x")  # replaces what was typed the last time
    assert state.prompt is not None and state.prompt.text == "x" and state.prompt.error
    assert state.prompt.error in screen(state)


def test_with_a_bound_of_1_it_would_have_left_when_the_branch_says() -> None:
    """Why's line about B = 1 against the model itself, forked before the poll of each batch."""
    from ixviz.scenario.load import with_changes
    from ixviz.system.ix.picture.why import alone_at

    state = bench()
    press(state, "end")
    branch = state.branch
    moment, batches = branch.moment, branch.sim.batches
    changed = with_changes(branch.scenario, {"system.batch_bound": 1})
    for row in (2, 3, 4, 12):
        branch.seek(batches.event[row] - 2)  # the doorbell before has the same time as the poll
        forked = branch.forked(changed, state.picture_of, "one by one", "")
        while not forked.ended:
            forked.record(0.1)
        forked.seek(forked.last())
        for packet in moment.members(row):
            assert alone_at(moment, packet, row, branch.sim.threads[0], batches.ends[row]) == forked.moment.left(packet)
    branch.seek(batches.last[3])
    state.followed = 9
    press(state, "w")
    assert "With B = 1 from this batch on it would have left after 5.82 µs." in screen(state)


def test_why_adds_up_to_the_picosecond() -> None:
    state = bench()
    press(state, "end")
    branch = state.branch
    for packet in range(1, 250):
        why = branch.picture.why(branch.moment, packet)
        assert sum(part.ps or 0 for part in why.parts) == why.total, packet
        left = branch.moment.left(packet)
        if left is not None:
            assert why.total == left - branch.sim.feed.packets.arrives[packet]


def test_what_if_keeps_both_branches_and_their_common_past() -> None:
    state = bench()
    press(state, *["right"] * 29)
    fork_time = state.branch.now
    press(state, "x")
    typed(state, "system.batch_bound=1")
    first, second = state.branches
    assert second.fork is not None
    for event in random.Random(1).sample(range(second.fork + 1), 10):
        assert first.sim.history.cursor(event).state_hash() == second.sim.history.cursor(event).state_hash()
    press(state, "plus", "plus", "right", "right")
    assert second.cursor.view["core0"].size == 1
    shown = screen(state)
    assert "system.batch_bound=1" in shown and "branch 2" in shown
    press(state, "v")
    assert state.branch is first
    assert first.now >= fork_time
    press(state, "x")
    typed(state, "system.bound=1")
    assert state.prompt is not None and "batch_bound" in state.prompt.error


def test_a_what_if_of_a_what_if_has_its_past() -> None:
    """The knob that is turned to where it stands changes nothing: not before the first fork either."""
    state = bench()
    for at in ("20 us", "40 us"):
        press(state, "g")
        typed(state, at)
        press(state, "x")
        typed(state, "system.batch_bound=1")
        state.branch.record(10.0)
    _, second, third = state.branches
    assert third.parent is second and third.ended and len(third.sim.history) == len(second.sim.history)
    last = third.last()
    assert third.sim.history.cursor(last).state_hash() == second.sim.history.cursor(last).state_hash()


def test_nothing_after_a_limit_can_be_seen_or_reached() -> None:
    """Two runs that agree up to the stop and differ after it look the same, whatever is pressed."""
    shown = []
    for change in ("1 us", "333.333 ns"):
        from tui.bench_machine import BENCH

        from ixviz.scenario.load import load
        from ixviz.tui.opening import state_of

        text = BENCH.replace("count: 300}]", f"count: 12}}, {{from: 9 us, every: {change}, count: 40}}]")
        state = state_of(load(text, name="bench"))
        press(state, "end", "home")
        state.branch.limit = 40
        out = []
        lines = "end|tab|w|c|c c|c|p enter|space|/ p o l l enter|g 9 0 space u s enter|g # 4 0 0 enter"
        lines += "|b c o r e 0 . b a t c h = = 9 enter|8|7|] ]"
        for keys in (["right"] * 45, ["n"] * 9, *(line.split() for line in lines.split("|"))):
            press(state, *keys)
            state.tick(0.25)
            assert state.branch.at <= 40
            out.append(screen(state))
            out.append(screen(state, 140, 50))
        shown.append(out)
    assert shown[0] == shown[1]
    state.playing = False
    press(state, "g")
    typed(state, "90 us")
    assert state.message == NOT_YET


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60), (60, 20), (40, 12), (30, 8), (1, 1), (110, 30)])
def test_every_frame_has_its_size(size: tuple[int, int]) -> None:
    state = bench()
    press(state, *["right"] * 40)
    for _ in range(8):
        press(state, "tab")
        frame = compose(state, *size)
        assert len(frame.lines) == size[1]
        assert {width(row) for row in frame.lines} == {size[0]}


def test_help_lists_every_key() -> None:
    state = bench()
    press(state, "?")
    shown = screen(state, 100, 80)
    for key in KEYS:
        assert state.branch.named(key.help) in shown
    assert "{" not in shown and "larger steps: event, stage, batch, packet" in shown
    press(state, "q")
    assert not state.help and not state.leave


def test_brackets_and_escapes_in_a_title_are_shown_literally() -> None:
    state = bench()
    state.title = "[red]a[/] \x1b[31m b"
    assert "[red]a[/] \\x1b[31m b" in screen(state)


def test_at_the_start_the_time_of_the_first_packet_cannot_be_read() -> None:
    shown = []
    for first in ("2 us", "1.37 us"):
        from tui.bench_machine import BENCH

        from ixviz.scenario.load import load
        from ixviz.tui.opening import state_of

        state = state_of(load(BENCH.replace("at: 2 us", f"at: {first}"), name="bench"))
        state.branch.limit = 0
        state.go(0)
        out = []
        for _ in range(8):
            press(state, "right", "tab")
            out += [screen(state), screen(state, 140, 50)]
        shown.append(out)
    assert shown[0] == shown[1]


def test_a_line_of_the_machine_tells_who_touched_it_last() -> None:
    state = state_of(load(bundled("linux-echo")))
    while len(state.branch.sim.history) < 1_500:
        state.branch.record(0.05)
    state.go_to_event(1_400)
    state.tab, state.part = "Parts", "listen.lock"
    lines = screen(state).split("[Parts]")[1].splitlines()
    assert "who touched it last" in lines[2] and re.search(r"#1,\d{3}  core \d+, \w+", lines[3])
    press(state, "down", "enter")
    assert state.branch.at < 1_400 and state.branch.at == int(lines[3].split()[0][1:].replace(",", ""))
    before = screen(state)
    press(state, *["down"] * 8)
    assert state.scroll["Parts"] > 0 and screen(state) != before, "what is below them is scrolled"
    press(state, *["up"] * 12)
    assert state.scroll["Parts"] == 0 and state.selected["Parts"] == 0


@pytest.mark.parametrize("name", ["ix-one-core", "ix-echo", "linux-echo", "ix-capture"])
def test_the_parts_at_the_start_are_those_there_are_by_then(name: str) -> None:
    """Recording is ahead: connections that come to be later are no parts yet."""
    state = state_of(load(bundled(name)))
    while len(state.branch.sim.history) < 3_000 and state.branch.wants_more():
        state.branch.record(0.05)
    places = state.branch.sim.history.places
    for event in (0, 1, 50, 2_000):
        state.go_to_event(event)
        press(state, "7")
        values = state.branch.cursor.values()
        there = [p.name for i, p in enumerate(places) if i < len(state.branch.sim.checkpoints[0].places)
                 or values[p.base : p.base + len(p.cls.FIELDS)].any()]  # fmt: skip
        assert f"\n{len(there):,} parts: " in screen(state)


@pytest.mark.parametrize("name", ["ix-echo", "linux-echo", "ix-migrate-one"])
def test_no_key_and_no_click_does_harm(name: str) -> None:
    """Whatever is pressed, in any tab, while recording goes on."""
    state, dice = state_of(load(bundled(name))), random.Random(name)
    keys = [key for each in KEYS for key in each.keys if each.action not in ("up_level", "quit", "compare")]
    for _ in range(250):
        key = dice.choice([*keys, "tab", "enter", "7", "x", "3", "a"])
        press(state, key)
        state.tick(0.02)
        state.leave = ""
        size = dice.choice([(80, 24), (120, 36), (60, 20), (45, 13)])
        frame = compose(state, *size)
        assert [width(line) for line in frame.lines] == [size[0]] * size[1], key
        if frame.hits and dice.random() < 0.3:
            hit = dice.choice(frame.hits)
            pressing.click(state, hit, dice.randrange(hit.x0, max(hit.x1, hit.x0 + 1)), dragging=False)
