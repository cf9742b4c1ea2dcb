"""The options of a lecture on the command line: what is refused, where a lesson begins, what is kept of it."""

import io
from pathlib import Path
from typing import Any

import pytest
from lesson.small import SMALL

from ixviz.cli import main
from ixviz.cli.present import go_to_beat, index_of, refuse
from ixviz.lesson import Session, load_lesson_text
from ixviz.lesson.load import load_lesson
from ixviz.tui.present_screen import NotesScreen, PresentScreen

IDS = ("intro", "size", "settle", "mean", "knob")


@pytest.fixture
def lesson(tmp_path: Path) -> str:
    (tmp_path / "lesson.yaml").write_text(SMALL)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--present", "--notes"], "--present and --notes are two screens: open --notes in a second terminal"),
        (["--present", "--plain"], "--present is a screen; without --plain"),
        (["--notes", "--plain"], "--notes is a screen; without --plain"),
        (["--notes", "--beat", "size"], "--notes follows the presenter; give --beat to ixviz LESSON --present"),
        (["--votes", "x"], "--votes belongs to --present"),
        (["--present", "--set", "a=1"], "--set belongs to scenarios; a lesson brings its own machines"),
        (["--plain", "--beat", "sise"], "--beat sise: small has no such beat, did you mean size?"),
        (["--plain", "--beat", "\x1b[31m"], f"--beat \\x1b[31m: small has no such beat; known: {', '.join(IDS)}"),
    ],
)
def test_what_is_refused(lesson: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([lesson, *words]) == 2
    assert capsys.readouterr() == ("", f"ixviz: {told}\n")


def test_a_lecture_needs_a_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--present"]) == 2
    assert main(["ix-one-core", "--plain", "--beat", "x"]) == 2
    assert "need a lesson" in (told := capsys.readouterr().err) and "ix-one-core is no lesson" in told


def test_a_beat_that_no_class_is_shown() -> None:
    lesson = load_lesson_text(SMALL)
    with pytest.raises(Exception, match="size: it is not on the lecture route; on it: intro"):
        index_of(lesson, lesson.route("lecture"), "size")


def test_a_lesson_begins_at_a_beat_in_plain(
    lesson: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main([lesson, "--plain", "--beat", "knob"]) == 0
    out = capsys.readouterr().out
    assert "Beat 5 of 5. Your turn." in out and "Beat 4" not in out and "Beat 1" not in out


class Screens:
    """Stands for run_app: what would be opened, and what is done there."""

    def __init__(self, act: Any = None) -> None:
        self.act, self.session, self.first, self.options = act, None, None, {}

    def __call__(self, scenario: Any = None, session: Any = None, *, first: Any = None, **options: Any) -> int:
        self.session, self.first, self.options = session, first, options
        if self.act is not None:
            self.act(session)
        return 0


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ixviz.cli._terminal", lambda: None)
    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "state"))


def test_what_a_beat_passes_by_is_kept_nowhere(lesson: str, terminal: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from ixviz.progress import Store, state_folder

    def act(session: Session) -> None:
        assert session.beat.id == "settle" and session.results == {} and session.passed == {"size"}
        session.answer("c")
        session.go_on()

    monkeypatch.setattr("ixviz.tui.app.run_app", Screens(act))
    assert main([lesson, "--beat", "settle"]) == 0
    store = Store(state_folder())
    kept = store.read("small")
    assert {beat: answer.result for beat, answer in kept.counted.items()} == {"settle": "right"}
    session = Session(load_lesson(lesson))
    store.attach(session)
    assert session.beat.id == "size" and session.results == {"settle": "right"}  # it is still to be answered


def test_a_lecture_leaves_no_progress_and_is_light(
    lesson: str, terminal: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    screens = Screens()
    monkeypatch.setattr("ixviz.tui.app.run_app", screens)
    (tmp_path / "votes").write_text("size: 1 2 3\n")
    assert main([lesson, "--present", "--beat", "intro", "--votes", str(tmp_path / "votes")]) == 0
    made = screens.first()
    assert isinstance(made, PresentScreen) and screens.options["light"] is True
    assert made.lecture.votes.of("size") == [(1, 2, 3)] and made.speaker.path.parent == tmp_path / "state"
    assert main([lesson, "--notes"]) == 0
    assert isinstance(screens.first(), NotesScreen) and screens.first().path == made.speaker.path
    assert not (tmp_path / "state").exists()


def test_votes_are_checked_before_a_screen_is_opened(
    lesson: str, terminal: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screens = Screens()
    monkeypatch.setattr("ixviz.tui.app.run_app", screens)
    path = tmp_path / "votes"
    assert main([lesson, "--present", "--votes", str(path)]) == 2
    assert "votes: No such file or directory; it may be empty, but must be there" in capsys.readouterr().err
    path.write_text("size: 1 2\n")
    assert main([lesson, "--present", "--votes", str(path)]) == 2
    assert capsys.readouterr().err == f"{path}:1:1: size: 3 counts are wanted, for a to c; these are 2\n"
    assert screens.first is None


def test_options_that_go_together() -> None:
    refuse("lesson", (), False, True, False, "size", "votes")
    refuse("lesson", (), True, False, False, "size", None)
    refuse("lesson", (), False, False, True, None, None)
    refuse(None, (), False, False, False, None, None)


def test_a_session_begins_at_a_beat_and_goes_back() -> None:
    session = Session(load_lesson_text(SMALL))
    go_to_beat(session, "mean")
    assert session.beat.id == "mean" and session.score == "" and session.go_to(1)
