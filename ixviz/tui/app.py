"""The Textual app, and `run_app`, which leaves the terminal as it found it whatever happens.

Invariant: after `run_app` returns or raises, the alternate screen is left, the cursor shown, the mouse off.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from textual.app import App, SystemCommand
from textual.binding import Binding

from . import textual_quirks as quirks
from .style import GROUNDS

REPORT = "please report it with what you did; IXVIZ_DEBUG=1 tells more"


class IxvizApp(App[int]):
    """Opens on a state (a scenario or a lesson), or on the menu when there is none."""

    CSS = "Screen { overflow: hidden; }"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = [Binding("ctrl+c", "interrupt", priority=True, show=False)]
    TITLE = "ixviz"

    def __init__(
        self, state: Any = None, *, menu: Any = None, ascii: bool = False, light: bool = False, first: Any = None
    ) -> None:
        super().__init__()
        self.first = first  # makes another screen to open on: a presenter's, or the notes
        self.state, self.menu, self.ascii_only = state, menu, ascii
        self.colours = "plain" if quirks.without_colour(self) else "light" if light else "dark"
        self.failure: BaseException | None = None
        if self.colours == "plain":
            self.ansi_color = True
        elif light:
            self.theme = "textual-light"

    def on_load(self) -> None:
        quirks.on_signals(asyncio.get_running_loop(), lambda status: self.exit(return_code=status))
        quirks.writer_that_survives(self._gone)

    def on_ready(self) -> None:
        gc.freeze()  # what is there stays; a full collection that walks it takes 80 ms, amid a key
        gc.enable()

    def _gone(self) -> None:
        """The terminal is gone (called from the writer's thread)."""
        self.failure = self.failure or BrokenPipeError()
        self.call_from_thread(self.exit, return_code=1) if self._loop else None

    def get_default_screen(self) -> Any:
        if self.first is not None:
            return self.first()
        if self.state is not None:
            from .screen import MainScreen

            return MainScreen(self.state)
        from .menu import MenuScreen

        return MenuScreen(self.menu, self.ascii_only)

    # ---------------------------------------------------------------- looks
    def dress(self, screen: Any) -> None:
        """A screen in the present colours."""
        screen.canvas.colours = self.colours
        if self.colours == "plain":
            quirks.no_background(screen)
        else:
            screen.styles.background = GROUNDS[self.colours]
        screen.canvas.again()

    def other_theme(self) -> None:
        """Dark or light."""
        if self.colours == "plain":
            return
        self.colours = "light" if self.colours == "dark" else "dark"
        self.theme = f"textual-{self.colours}"
        for screen in self.screen_stack:
            if hasattr(screen, "canvas"):
                self.dress(screen)

    # ---------------------------------------------------------------- moving between screens
    def go_up(self) -> None:
        """From a scenario or lesson to the menu it was opened from; opened directly, a lesson to the menu, else out."""
        if self.state is not None and self.state.session is not None:
            from .menu import MenuScreen

            self.state = None
            self.push_screen(MenuScreen(self.menu, self.ascii_only))
        elif self.state is not None or len(self.screen_stack) <= 1:
            self.exit(return_code=0)
        else:
            self.pop_screen()

    def open_state(self, state: Any) -> None:
        """A scenario or lesson above the menu."""
        from .screen import MainScreen

        self.push_screen(MainScreen(state))

    def action_interrupt(self) -> None:
        self.exit(return_code=130)

    def get_system_commands(self, screen: Any) -> Iterable[SystemCommand]:
        from .keys import KEYS
        from .screen import MainScreen

        if isinstance(screen, MainScreen):
            for key in KEYS:
                if key.action != "palette":
                    name = key.action.replace("_", " ")
                    said = screen.state.branch.named(key.help)
                    yield SystemCommand(f"{name}  ({key.shown})", said, lambda a=key.action: screen.act(a))
        else:
            yield SystemCommand("quit", "leave", lambda: self.exit(return_code=0))
            yield SystemCommand("dark or light", "other colours", self.other_theme)

    # ---------------------------------------------------------------- failures
    def action_command_palette(self) -> None:
        if self.use_command_palette and not quirks.is_palette(self.screen):
            self.push_screen(quirks.palette())

    def _handle_exception(self, error: Exception) -> None:
        if quirks.palette_closed_early(error):
            return
        self.failure = self.failure or error
        quirks.silence_failure(self, error)


def run_app(
    scenario: Any = None, session: Any = None, *, ascii: bool = False, light: bool = False, progress: Any = None,
    first: Callable[[], Any] | None = None,
) -> int:  # fmt: skip
    """Show a scenario, a lesson's session, or the menu (neither). Returns the exit status.

    0 left by the reader, 1 something broke (said in a line on stderr), 130 ctrl+c or INT, 143 TERM, 129 HUP.
    `progress` is the store of what learners have answered: the menu reads it and ties it to a lesson it opens.
    """
    # NumPy's BLAS, which nothing here uses, starts a pool of threads when it is imported: a third of the import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # a tenth of the time to the first frame is the collector's; the app switches it on again
    settings = quirks.terminal_settings()
    app: IxvizApp | None = None
    try:
        from .opening import state_of

        state = state_of(scenario, session, ascii=ascii) if scenario is not None or session is not None else None
        app = IxvizApp(state, menu=progress, ascii=ascii, light=light, first=first)
        app.run()
        failure = app.failure
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        failure = error
    finally:
        gc.enable()
        quirks.restore_terminal(settings)
    if failure is None:
        return int(app.return_code or 0) if app is not None else 1
    from ixviz.lesson.model import LessonError
    from ixviz.scenario.messages import Problems
    from ixviz.scenario.simulate import CaptureError

    if isinstance(failure, Problems | CaptureError | LessonError):
        raise failure  # what is wrong with a file is told by the command line, as everywhere else
    if isinstance(failure, BrokenPipeError):
        return 1
    return _report(failure)


def _report(error: BaseException) -> int:
    """One line on stderr; the whole story when IXVIZ_DEBUG is set."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f" ({os.path.basename(last.tb_frame.f_code.co_filename)}:{last.tb_lineno})" if last is not None else ""
    try:
        if os.environ.get("IXVIZ_DEBUG"):
            import traceback

            traceback.print_exception(error)
        sys.stderr.write(f"ixviz: this should not have happened: {type(error).__name__}: {error}{place}; {REPORT}\n")
    except (OSError, ValueError):
        pass
    return 1
