"""Everything that is here because of Textual's ways and not because of ours; one place to look after an update.

Invariant: each function says which behaviour it works around; nothing else in tui/ reaches into Textual's privates.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import Any

# What undoes everything Textual switches on: mouse modes, bracketed paste, in-band resize, alternate screen, hidden
# cursor. Harmless when nothing was on; the kitty keys are not among it, as they are a stack that a parent may use too.
RESTORE = (
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[?1049l\x1b[?7h"
    "\x1b[?25h\x1b[0m"
)
POP_KEYS = "\x1b[<u"
_pushed = re.compile("\x1b\\[>[0-9]+u").findall
_keys = {"pushed": 0}  # on the terminal's stack of kitty key modes, by us: this process has one terminal


def writer_that_survives(on_broken: Any) -> None:
    """Textual's writer thread dies with a broken pipe, and then the queue it empties fills up and the app hangs.
    Ours goes on emptying the queue and says once that the terminal is gone."""
    from textual.drivers import _writer_thread

    def run(self: Any) -> None:
        broken = False
        while (text := self._queue.get()) is not None:
            if broken:
                continue
            try:
                self._file.write(text)
                _keys["pushed"] += len(_pushed(text)) - text.count(POP_KEYS)
                if self._queue.qsize() == 0:
                    self._file.flush()
            except (OSError, ValueError):
                broken = True
                on_broken()
        if not broken:
            try:
                self._file.flush()
            except (OSError, ValueError):
                on_broken()

    _writer_thread.WriterThread.run = run  # type: ignore[method-assign]


def on_signals(loop: Any, leave: Any) -> None:
    """Textual has no handlers for TERM, HUP and INT: the terminal would stay as it is. `leave(status)` ends the app."""
    for name, status in (("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130), ("SIGQUIT", 131)):
        number = getattr(signal, name, None)
        if number is not None:
            try:
                loop.add_signal_handler(number, leave, status)
            except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread (tests)
                return


def terminal_settings() -> Any:
    """The terminal's modes before the app, to be set again after it; None where there are none."""
    try:
        import termios

        return termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
    except (ImportError, OSError, ValueError, AttributeError, Exception):
        return None


def restore_terminal(settings: Any) -> None:
    """Leave the terminal as it was, whatever state the app died in; twice does no harm."""
    try:
        if settings is not None:
            import termios

            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSADRAIN, settings)  # type: ignore[union-attr]
        file = sys.__stderr__
        if file is not None and os.isatty(file.fileno()):
            os.write(file.fileno(), (POP_KEYS * max(_keys["pushed"], 0) + RESTORE).encode())
            _keys["pushed"] = 0
    except (OSError, ValueError, Exception):
        return


def silence_failure(app: Any, error: BaseException) -> None:
    """Textual prints a page of traceback with all locals after an exception: end without (we say a line)."""
    app._return_code = 1
    if app._exception is None:
        app._exception = error
        app._exception_event.set()
    app._close_messages_no_wait()


def palette() -> Any:
    """Textual's command palette; a page up or down before its list was laid out is a KeyError there."""
    from textual.command import CommandPalette

    class Palette(CommandPalette):
        def _action_command_list(self, action: str) -> None:
            try:
                super()._action_command_list(action)
            except KeyError:
                return

    return Palette(id="--command-palette")


def is_palette(screen: Any) -> bool:
    """Whether the palette is open."""
    from textual.command import CommandPalette

    return isinstance(screen, CommandPalette)


def palette_closed_early(error: BaseException) -> bool:
    """Textual's command palette, closed in the moment it opens, still fills its list in the background and fails."""
    from textual.css.query import NoMatches
    from textual.worker import WorkerFailed

    return isinstance(error, WorkerFailed) and isinstance(error.error, NoMatches) and "CommandPalette" in str(error)


def without_colour(app: Any) -> bool:
    """Textual turns colours into greys under NO_COLOR; we then send no colour at all (its flag says it was set)."""
    return bool(app.no_color)


def no_background(widget: Any) -> None:
    """Without colour the ground is the terminal's own; Textual paints one otherwise."""
    widget.styles.background = "ansi_default"
