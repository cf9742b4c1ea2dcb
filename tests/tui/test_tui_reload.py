"""Files that are saved while they are open: how a save is noticed, what of the screen stays, what a broken one does."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lesson.small import OTHER, SMALL, changed
from tui.bench_machine import BENCH, press, screen, typed
from tui.small_lesson import answer, ready

from ixviz.lesson import Session, load_lesson
from ixviz.lesson.student import lesson_for
from ixviz.scenario.load import load
from ixviz.tui.app import IxvizApp
from ixviz.tui.opening import state_of
from ixviz.tui.reload import POLL, Reload, watched
from ixviz.tui.state import State
from ixviz.tui.watch import FRESH, Watch


# ----------------------------------------------------------------------------------------------- ways of saving
def by_rename(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def in_place(path: Path, text: str) -> None:
    with open(path, "r+") as file:
        file.write(text)
        file.truncate()


def cut_and_written(path: Path, text: str) -> None:
    path.write_text(text)


WAYS = [by_rename, in_place, cut_and_written]
Way = Callable[[Path, str], None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.yaml"
    path.write_text("one")
    return path


@pytest.mark.parametrize("save", WAYS)
def test_a_save_is_told_once_when_two_looks_agree(file: Path, save: Way) -> None:
    watch = Watch([file])
    assert not watch.changed()
    save(file, "other")
    assert [watch.changed() for _ in range(5)] == [False, True, False, False, False]


def test_what_is_still_written_is_not_told(file: Path) -> None:
    watch = Watch([file])
    for text in ("", "t", "two", "two thr"):
        file.write_text(text)
        assert not watch.changed()
    file.write_text("two three")
    assert [watch.changed() for _ in range(3)] == [False, True, False]


@pytest.mark.parametrize("save", WAYS)
def test_an_equal_save_is_none(file: Path, save: Way) -> None:
    watch = Watch([file])
    save(file, "one")
    assert not any(watch.changed() for _ in range(4))


def test_a_file_that_is_gone_and_comes_back_equal_was_not_changed(file: Path) -> None:
    watch = Watch([file])
    file.unlink()
    assert not watch.changed()
    file.write_text("one")
    assert not any(watch.changed() for _ in range(4))
    file.unlink()
    assert [watch.changed() for _ in range(3)] == [False, True, False]


def test_a_second_save_within_one_tick_of_the_clock_is_seen(file: Path) -> None:
    watch = Watch([file])
    seen = os.stat(file)
    in_place(file, "two")
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))  # as on file systems that count whole seconds
    assert (os.stat(file).st_mtime_ns, os.stat(file).st_size) == (seen.st_mtime_ns, seen.st_size)
    assert [watch.changed() for _ in range(3)] == [False, True, False]
    assert not any(watch.changed() for _ in range(2 * FRESH))


def test_a_file_that_rests_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch([file])
    for _ in range(FRESH):
        watch.changed()
    monkeypatch.setattr("ixviz.tui.watch._content", lambda path: pytest.fail("read"))
    assert not watch.changed()


def test_of_two_files_both_have_to_rest(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "scenario.yaml"
    other.write_text("a")
    watch = Watch([file, other])
    file.write_text("two")
    assert not watch.changed()
    other.write_text("b")
    assert not watch.changed()
    assert [watch.changed() for _ in range(3)] == [True, False, False]


# ----------------------------------------------------------------------------------------------- lessons
def at_once(work: Callable[[], None], name: str) -> None:
    work()


class Open:
    """A file on the screen, as MainScreen has it."""

    def __init__(self, path: Path, text: str, state: State | None = None) -> None:
        self.path = path
        path.write_text(text)
        self.state = state or state_of(None, Session(load_lesson(path)))
        ready(self.state) if self.state.lesson is not None else None
        self.reload = Reload(self.state, path, start=at_once)

    def look(self) -> None:
        """Enough looks for what was saved."""
        for _ in range(4):
            self.state = self.reload.tick(POLL) or self.state
        if self.state.lesson is not None:
            ready(self.state)

    def save(self, text: str, way: Way = cut_and_written) -> None:
        """Save and wait for what comes of it."""
        way(self.path, text)
        self.look()

    def skip_to(self, beat: str) -> None:
        while self.state.session.beat.id != beat:
            press(self.state, "s" if self.state.asking else "enter")
            ready(self.state)


@pytest.fixture
def other(tmp_path: Path) -> Open:
    return Open(tmp_path / "lesson.yaml", OTHER)


@pytest.mark.parametrize("save", WAYS)
def test_a_saved_lesson_is_shown_at_the_same_beat(other: Open, save: Way) -> None:
    other.skip_to("waiting")
    press(other.state, "b")
    old = other.state
    other.save(changed("Where is it in the middle", "Where will it be in the middle", OTHER), save)
    assert other.state is not old and other.state.session.beat.id == "waiting" and other.state.asking
    assert "Where will it be" in screen(other.state) and "reloaded" in screen(other.state)
    assert other.state.lesson.chosen is None  # it is another question now


def test_what_was_chosen_stays_when_the_question_is_the_same(other: Open) -> None:
    press(other.state, "c", "a", "h")
    ready(other.state)
    other.save(changed("packets have come", "packets are there", OTHER))
    shown = screen(other.state)
    assert "packets are there" in shown and "1 c   2 a   3 _" in shown and "HINT      A batch leaves together." in shown


def test_a_beat_keeps_its_place_by_its_id(other: Open) -> None:
    other.skip_to("waiting")
    parts = OTHER.split("  - id: coming\n")
    beat, rest = parts[1].split("  - id: waiting\n")
    swapped = f"{parts[0]}  - id: waiting\n" + rest.replace("  - id: ill\n", f"  - id: coming\n{beat}  - id: ill\n")
    other.save(swapped)
    assert other.state.session.beat.id == "waiting" and other.state.session.index == 1


def test_when_its_beat_is_gone_the_nearest_before_it_is_shown(other: Open) -> None:
    other.skip_to("waiting")
    head, rest = OTHER.split("  - id: waiting\n")
    other.save(changed("alone: 4", "alone: 3", head) + "  - id: ill\n" + rest.split("  - id: ill\n")[1])
    assert other.state.session.beat.id == "coming" and "that beat is gone" in screen(other.state)


def test_answers_stay_where_the_question_is_the_same(other: Open) -> None:
    answer(other.state, "c", "b", "a")
    press(other.state, "enter")
    answer(other.state, "b", "a")
    assert other.state.session.results == {"leaving": "right", "coming": "right"}
    press(other.state, "enter")
    ready(other.state)
    other.save(changed("What comes first?", "What happens first?", OTHER))
    session = other.state.session
    assert session.beat.id == "waiting" and session.results == {"leaving": "right", "coming": "skipped"}
    assert session.said == {"leaving": "cba"} and session.score == "right so far: 1 of 1"
    press(other.state, "pageup", "pageup")
    ready(other.state)
    assert "RIGHT     cba" in screen(other.state)


def test_a_new_number_in_the_machine_keeps_answers_and_computes_them_anew(other: Open) -> None:
    answer(other.state, "c", "b", "a")
    other.save(changed("batch_bound: 4", "batch_bound: 5", OTHER))
    assert other.state.branch.sim.bound == 5 and not other.state.asking
    assert "RIGHT" in screen(other.state)


def test_a_broken_save_shows_its_messages_and_leaves_the_lesson_usable(other: Open) -> None:
    old = other.state
    other.save(changed("title: Who leaves first", "titel: Who leaves first", OTHER))
    assert other.state is old
    shown = screen(old)
    assert "the file is broken; this is as it was before" in shown
    assert "\nlesson.yaml:28:5: beat leaving: unknown key titel, did you mean title?" in shown
    assert "In which order do these leave?" in shown
    at = old.branch.at
    press(old, "c", "left")
    assert "1 c" in screen(old) and old.branch.at < at
    other.save(OTHER + "# mended\n")
    assert other.state is not old and "broken" not in screen(other.state) and "1 c" in screen(other.state)


def test_messages_are_shown_as_they_are_and_leave_half_of_the_panel() -> None:
    from tui.small_lesson import opened

    state = opened()
    state.broken = tuple(f"lesson.yaml:{i}:1: beat **a**: $(x) is [red] no number" for i in range(1, 40))
    shown = screen(state)
    assert "lesson.yaml:1:1: beat **a**: $(x) is [red] no number" in shown
    assert "and 37 more" in shown and "In which order do these leave?" in shown


def test_a_mistake_that_shows_only_when_it_runs_is_told_like_the_others(other: Open) -> None:
    old = other.state
    other.save(changed("reveal: q.leaves != none", "reveal: q.leavs != none", OTHER))
    assert other.state is old
    assert "no leavs" in screen(old) or "leavs" in screen(old)
    other.save(OTHER + "\n")
    assert not other.state.broken


def test_a_beat_that_breaks_when_it_is_reached_does_not_end_the_program(other: Open) -> None:
    other.save(OTHER.replace("reveal: core0.batch == 3\n", "reveal: core0.batch == 300\n"))
    press(other.state, "s")
    ready(other.state)
    press(other.state, "enter")
    ready(other.state)
    assert other.state.session.beat.id == "coming"
    assert "this beat is broken" in screen(other.state) and "never reached" in screen(other.state)
    other.save(OTHER)
    assert "broken" not in screen(other.state) and other.state.session.beat.id == "coming"
    answer(other.state, "b", "a")
    assert other.state.session.results["coming"] == "right"


def test_a_beat_whose_stop_is_never_reached_is_passed_by_and_told(other: Open) -> None:
    other.save(changed("    until: core0.batch == 1\n", "    until: core0.batch == 100\n", OTHER))
    press(other.state, "s")
    ready(other.state)
    press(other.state, "enter")
    ready(other.state)
    told = " ".join(screen(other.state).split())
    assert other.state.session.beat.id == "waiting" and "beat 2 is broken and was passed by" in told
    assert "never reached" in told


def test_the_end_and_what_comes_back_stay(other: Open) -> None:
    answer(other.state, "a", "b", "c")
    while not other.state.session.review:
        press(other.state, "s" if other.state.asking else "enter")
        ready(other.state)
    other.save(OTHER + "# a word\n")
    assert other.state.session.review and other.state.session.beat.id == "leaving"
    answer(other.state, "c", "b", "a")
    press(other.state, "enter")
    assert other.state.lesson.over
    other.save(OTHER + "# another\n")
    assert other.state.lesson.over


def test_a_change_of_a_scenario_file_of_a_lesson_is_seen(tmp_path: Path) -> None:
    scenario = tmp_path / "machine.yaml"
    scenario.write_text(BENCH)
    begin, end = SMALL.index("    scenario:\n"), SMALL.index("  one: {from")
    lesson = Open(tmp_path / "lesson.yaml", SMALL[:begin] + "    scenario: machine.yaml\n" + SMALL[end:])
    assert lesson.state.branch.sim.bound == 64
    scenario.write_text(changed("batch_bound: 64", "batch_bound: 32", BENCH))
    lesson.look()
    assert lesson.state.branch.sim.bound == 32
    scenario.write_text(changed("batch_bound: 64", "batch_bound: none", BENCH))
    lesson.look()
    assert "machine.yaml:6:16" in screen(lesson.state, 120, 36)
    scenario.write_text(BENCH)
    lesson.look()
    assert lesson.state.branch.sim.bound == 64 and not lesson.state.broken


def test_while_a_line_is_typed_nothing_moves(other: Open) -> None:
    old = other.state
    press(old, "g", "5")
    other.save(OTHER + "# a word\n")
    assert other.state is old and old.prompt is not None
    press(old, "escape")
    other.look()
    assert other.state is not old


def test_a_students_numbers_and_progress_stay(tmp_path: Path) -> None:
    path = tmp_path / "lesson.yaml"
    path.write_text(OTHER)
    session = Session(lesson_for(load_lesson(path), "Dora"))
    lesson = Open(path, OTHER, state_of(None, session))

    def numbers(state: State) -> list[Any]:
        return [spec.scenario for spec in state.session.lesson.runs.values()]

    before, plain = numbers(lesson.state), [spec.scenario for spec in load_lesson(path).runs.values()]
    assert before != plain  # her numbers are not those of the file
    lesson.save(OTHER + "# a word\n")
    assert lesson.state.session is not session and numbers(lesson.state) == before
    assert lesson.state.session.lesson.id == "other--dora" and "dora" in screen(lesson.state)
    start = OTHER.index("    vary:")
    lesson.save(OTHER[:start] + OTHER[OTHER.index("\n", OTHER.index("\n", start) + 1) + 1 :])
    assert "nothing to vary" in screen(lesson.state) and numbers(lesson.state) == before


def test_the_progress_of_a_lesson_is_kept_after_a_reload(tmp_path: Path) -> None:
    progress = pytest.importorskip("ixviz.progress")
    store = progress.Store(tmp_path / "state")
    path = tmp_path / "lesson.yaml"
    path.write_text(OTHER)
    session = Session(load_lesson(path))
    store.attach(session)
    lesson = Open(path, OTHER, state_of(None, session))
    ready(lesson.state)
    answer(lesson.state, "c", "b", "a")
    press(lesson.state, "enter")
    ready(lesson.state)
    lesson.save(OTHER + "# a word\n")
    assert lesson.state.session.beat.id == "coming"
    answer(lesson.state, "b", "a")
    kept = store.read("other")
    assert {beat: a.result for beat, a in kept.answers.items()} == {"leaving": "right", "coming": "right"}
    assert kept.at == "coming"


# ----------------------------------------------------------------------------------------------- scenarios
def test_a_scenario_keeps_time_step_and_tab(tmp_path: Path) -> None:
    path = tmp_path / "bench.yaml"
    path.write_text(BENCH)
    state = state_of(load(path, ["system.batch_bound=8"]))
    scenario = Open(path, BENCH, state)
    press(state, "g")
    typed(state, "30 us")
    press(state, "plus", "plus", "4")
    assert (state.branch.now, state.step_name, state.tab) == (30_000_000, "batch", "Log")
    scenario.save(changed("packet: 240", "packet: 480", BENCH))
    new = scenario.state
    assert new is not state and (new.branch.now, new.step_name, new.tab) == (30_000_000, "batch", "Log")
    assert new.branch.scenario.system.batch_bound == 8  # --set stays
    assert new.branch.scenario.raw["system"]["costs"]["tcp"] == {"packet": 480}
    scenario.save(changed("ring: 512", "ring: 0", BENCH))
    assert scenario.state is new and "machine.nic.ring" in screen(new, 120, 36)
    at = new.branch.at
    press(new, "right")
    assert new.branch.at > at
    scenario.save(changed("until: 100 us", "until: 10 us", BENCH))
    assert scenario.state.branch.now <= 10_000_000 and not scenario.state.broken


def test_a_comment_in_a_scenario_leaves_the_event(tmp_path: Path) -> None:
    state = state_of(load((tmp_path / "bench.yaml").write_text(BENCH) and tmp_path / "bench.yaml"))
    scenario = Open(tmp_path / "bench.yaml", BENCH, state)
    press(state, *["right"] * 11)
    at = state.branch.at
    scenario.save(BENCH + "# a word\n")
    assert scenario.state is not state and scenario.state.branch.at == at


def test_what_came_from_no_file_is_not_looked_at() -> None:
    assert watched(state_of(load(BENCH, name="bench"))) is None


async def test_the_screen_shows_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "bench.yaml"
    path.write_text(BENCH)
    app = IxvizApp(state_of(load(path)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        main = app.screen
        main.reload._start = at_once
        by_rename(path, changed("title: One core, one queue, round numbers", "title: Another title", BENCH))
        for _ in range(4):
            main.reload._waited = POLL
            main._tick()
        assert main.canvas.text().startswith("Another title") and app.state is main.state
        await pilot.press("right")
        assert "Core 0 polls" in main.canvas.text()
