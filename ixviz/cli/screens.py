"""What the screen and the exports show of a beat: as text, for the leak test, and whether its texts have room there.

Invariant: every tab, every place one can click, and the frame after every action but those that answer or leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ixviz.draw.cells import plain
from ixviz.lesson.leak import READERS, Reader
from ixviz.lesson.session import Session
from ixviz.scenario.simulate import picture_of
from ixviz.tui import pressing
from ixviz.tui.actions import ACTIONS
from ixviz.tui.frame import compose
from ixviz.tui.lesson_panel import text
from ixviz.tui.lesson_state import LessonState
from ixviz.tui.state import State

SMALL, LARGE = (80, 24), (120, 36)
_LEAVE = {"up_level", "quit", "theme", "palette", "previous_beat"}  # the beat before may stop later than this one
_TYPED = {"goto": "9 s", "find": "core0", "break_at": "core0.batch >= 100000", "break_back": "core0.batch >= 1",
          "packet": "99999", "what_if": "system.batch_bound=1"}  # fmt: skip
# These change how things are shown: the frame after the next action shows it.
_PLAIN = {"larger_step", "smaller_step", "faster", "slower", "zoom_in", "core_up", "next_tab", "previous_tab", "help",
          "cancel"}  # fmt: skip
_WIDE = {"Lesson", "Log", "Chart", "Packet"}  # tabs that show more where there is more room
_BACK = 2  # steps back from the stop, and more than so many forward
_SLICES = 20  # of work that an action began


class _Ready(LessonState):
    """Has what a beat needs when it is entered: no thread, so that two sessions show the same at the same time."""

    def _work(self, *, prepare: bool) -> None:
        self._texts, self._shown = self.session.texts(), True


def frames(session: Session) -> Iterator[tuple[str, str]]:
    """Every tab, every place one can click, every action by its name, as keys and the palette begin it."""
    state = opened(session)
    for tab in state.tabs:
        state.tab = tab
        for size in (SMALL, LARGE) if tab in _WIDE else (SMALL,):
            yield from _frame(state, size, f"the tab {tab}")
    for step, times in (("back", _BACK), ("forward", _BACK + 2)):
        for _ in range(times):
            yield from _done(state, step)
    for chart in range(len(state.branch.picture.charts)):
        state.tab, state.chart, state.everything = "Chart", chart, True
        yield from _frame(state, SMALL, "the tab Chart")
    state.tab, state.everything = "Lesson", False
    for hit in compose(state, *SMALL).hits:
        pressing.click(state, hit, hit.x1 - 1)
        yield from _worked(state, SMALL, f"a click on {hit.data if hit.kind == 'part' else hit.kind}")
    for action in ACTIONS:
        if action not in _LEAVE:
            yield from _done(state, action)


def opened(session: Session) -> State:
    """The state of the screen at the session's beat."""
    lesson = _Ready(session, picture_of)
    branch = lesson.branch_of(session.position.run)
    state = State([branch], picture_of, session=session, lesson=lesson, title=session.lesson.title, tab="Lesson")
    state.step = len(branch.sizes) - 2
    lesson.enter(state)
    return state


def _done(state: State, action: str) -> Iterator[tuple[str, str]]:
    """An action, with a line typed where it asks for one."""
    pressing.run(state, action)
    if state.prompt is not None:
        yield from _frame(state, SMALL, f"the line of {action}")
        for sign in _TYPED.get(action, ""):
            pressing.press(state, sign, sign)
        pressing.press(state, "enter", None)
    yield from _worked(state, LARGE if state.tab == "Packet" else SMALL, action)
    state.help, state.prompt = False, None


def _worked(state: State, size: tuple[int, int], what: str) -> Iterator[tuple[str, str]]:
    """The frame when time has gone on for a second."""
    for _ in range(_SLICES):
        if state.job is None and not state.playing:
            break
        state.tick(0.05)
    state.job, state.playing = None, False
    if what not in _PLAIN:
        yield from _frame(state, size, f"the screen after {what}")


def _frame(state: State, size: tuple[int, int], what: str) -> Iterator[tuple[str, str]]:
    frame = compose(state, *size)
    name = f"{what} at {size[0]} × {size[1]}"
    yield name, plain(frame.lines)
    yield f"a colour of {name}", repr([[span.style for span in line] for line in frame.lines])
    yield f"where one can click in {name}", repr(frame.hits)


def crowded(make: Callable[[], Session]) -> Iterator[str]:
    """What of a beat's texts is longer than its panel at 80 × 24: the question, its hints, each answer. `make` gives a
    session of this beat, with its question open."""
    session = make()
    yield from _crowded(session, "at the stop")
    while session.hint() is not None:
        pass
    yield from _crowded(session, "with all hints")
    letters = [choice.letter for choice in session.texts().choices] if session.action in ("choose", "point") else []
    for letter in ["", *letters]:
        session = make()
        if str(session.phase) == "asking":
            _ = session.answer(letter) if letter else session.skip()
            yield from _crowded(session, "after the answer")


def _crowded(session: Session, when: str) -> Iterator[str]:
    state = opened(session)
    compose(state, *SMALL)
    room = state.rows
    lines = len(text(state, SMALL[0], room))
    if lines > room:
        yield f"the text takes {lines} lines {when}, the panel at {SMALL[0]} × {SMALL[1]} has {room}"


def exported(session: Session) -> Iterator[tuple[str, str]]:
    """The frame that a handout has."""
    from ixviz.export.frame import Frames

    yield "the handout", "\n".join(Frames().text(session))


ALL: tuple[Reader, ...] = (*READERS, frames, exported)

__all__ = ["ALL", "crowded", "exported", "frames", "opened"]
