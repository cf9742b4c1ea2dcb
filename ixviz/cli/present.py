"""A lecture from the command line: `--present` with `--beat` and `--votes`, and `--notes` beside it.

Invariant: all that was given is checked, votes too, before a screen is opened.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ixviz.cli import Refused, _no_utf8

if TYPE_CHECKING:
    from ixviz.lesson.model import Lesson
    from ixviz.tui.votes import VotesFile


def refuse(target: str | None, sets: Sequence[str], plain: bool, present: bool, notes: bool, beat: str | None,
           votes: str | None) -> None:  # fmt: skip
    """Options that do not go together, in one line. Raises Refused."""
    if target is None and (present or notes or beat is not None or votes is not None):
        raise Refused(
            "--present, --notes, --beat and --votes need a lesson, such as: ixviz lessons/02-batching --present"
        )
    if present and notes:
        raise Refused("--present and --notes are two screens: open --notes in a second terminal")
    if plain and (present or notes):
        raise Refused(f"{'--present' if present else '--notes'} is a screen; without --plain")
    if notes and beat is not None:
        raise Refused("--notes follows the presenter; give --beat to ixviz LESSON --present")
    if votes is not None and not present:
        raise Refused("--votes belongs to --present")
    if sets and (present or notes or beat is not None):
        raise Refused("--set belongs to scenarios; a lesson brings its own machines")


def index_of(lesson: Lesson, beats: Sequence[Any], beat: str) -> int:
    """Which of `beats` has this id. Raises Refused, with what was probably meant."""
    from ixviz.scenario.messages import cut, did_you_mean

    ids = [each.id for each in beats]
    if beat in ids:
        return ids.index(beat)
    if any(each.id == beat for each in lesson.beats):
        raise Refused(f"--beat {beat}: it is not on the lecture route; on it: {', '.join(ids)}")
    raise Refused(f"--beat {cut(beat)}: {lesson.id} has no such beat{did_you_mean(beat, ids)}")


def go_to_beat(session: Any, beat: str) -> None:
    """Begin a session at a beat; what is open before it is passed by. Raises Refused."""
    session.pass_to(index_of(session.lesson, session.beats, beat))


def open_lecture(path: Path, *, notes: bool, beat: str | None, votes: str | None, ascii_: bool,
                 light: bool) -> int:  # fmt: skip
    """The presenter's screen of a lesson, light on a projector, or the notes that follow it, until it is left."""
    from ixviz.lesson.load import load_lesson
    from ixviz.progress import state_folder
    from ixviz.scenario.simulate import picture_of
    from ixviz.tui.app import run_app
    from ixviz.tui.lecture import lecture
    from ixviz.tui.present_state import Present

    lesson = load_lesson(path)
    session = lecture(lesson)
    folder, ascii_ = state_folder(), ascii_ or _no_utf8()
    if notes and folder is None:
        raise Refused("--notes: there is no folder for states of programs; IXVIZ_STATE can name one")
    if beat is not None:
        index_of(lesson, session.beats, beat)
    file = _votes(lesson, votes) if votes is not None else None
    gc.enable()

    def presenter() -> Any:
        from ixviz.tui.present_screen import PresentScreen

        made.append(PresentScreen(present, folder))
        return made[-1]

    def follower() -> Any:
        from ixviz.tui.present_screen import NotesScreen

        assert folder is not None
        return NotesScreen(Notes(session, picture_of, ascii=ascii_), folder)

    if notes:
        from ixviz.tui.notes_state import Notes

        return run_app(first=follower, ascii=ascii_, light=light)
    present = Present(session, picture_of, ascii=ascii_, beat=beat, votes=file)
    made: list[Any] = []
    try:
        return run_app(first=presenter, ascii=ascii_, light=True)
    finally:
        for screen in made:
            screen.speaker.forget()  # a screen that broke had no time for it


def _votes(lesson: Lesson, name: str) -> VotesFile:
    """The file of votes, read once. Raises Refused for one that cannot be read, Problems for a mistake in it."""
    from ixviz.scenario.messages import Problems, escape
    from ixviz.tui.lecture import choices_of
    from ixviz.tui.votes import VotesFile

    file = VotesFile(name, {each.id: choices_of(each) for each in lesson.beats if choices_of(each)})
    try:
        file.first()
    except OSError as error:
        raise Refused(
            f"--votes {escape(name)}: {error.strerror or error}; it may be empty, but must be there"
        ) from None
    if file.problem is not None:
        raise Problems([file.problem])
    return file
