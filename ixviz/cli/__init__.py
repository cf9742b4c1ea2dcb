"""The way in: one word opens a lesson, a scenario or a capture; everything else goes to the commands.

Invariant: stdout is data, stderr is narration; 0 fine, 1 a check failed, 2 input or usage is wrong, 130 interrupted.
`ixviz TARGET`, the commonest line, imports neither click nor anything else it does not need: it has to open at once.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ixviz.lesson.session import Session
    from ixviz.scenario.load import Scenario

COMMANDS = ("run", "compare", "sweep", "frontier", "schema", "check", "progress", "handout", "names", "new", "open")


class Refused(Exception):
    """Input or usage is wrong; the text goes to stderr, the status is 2."""


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if args is None else args)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # we multiply no matrices; numpy is imported in half the time
    if not given:
        return guarded(lambda: open_target(None))
    if len(given) == 1 and not given[0].startswith("-") and given[0] not in COMMANDS:
        return guarded(lambda: open_target(given[0]))
    from ixviz.cli.commands import run_words

    return guarded(lambda: run_words(given))


def guarded(work: Callable[[], int]) -> int:
    """What `work` returns; its errors as one clear message each and the status that belongs to them."""
    try:
        status = work()
        if sys.stdout is not None:  # closed by whoever started us
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python's last flush says nothing
        return 1
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO) and error.filename is None:
            print(f"ixviz: the output cannot be written: {error.strerror}", file=sys.stderr)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        if not _told(error):
            raise
        return 2


def _told(error: Exception) -> bool:
    """Say what is wrong with the input, if that is what the error means."""
    from ixviz.lesson.model import LessonError
    from ixviz.scenario.messages import Problems
    from ixviz.workload.pcapfile import CaptureError

    if isinstance(error, Problems | LessonError | CaptureError | Refused):
        prefix = "" if isinstance(error, Problems | LessonError) else "ixviz: "
        print(f"{prefix}{error}", file=sys.stderr)
        return True
    return False


def open_target(target: str | None, sets: Sequence[str] = (), plain: bool = False, ascii_: bool = False,
                light: bool = False, *, beat: str | None = None, present: bool = False, notes: bool = False,
                votes: str | None = None, variant: str | None = None) -> int:  # fmt: skip
    """Open a lesson, a scenario or a capture; without one, the menu.

    A lesson on the screen goes on where it was left, and is kept in the state folder. `plain` reads and writes no
    progress: pipes, graders and readers of a text get the same lesson each time. `beat` (its id) begins there;
    `present` and `notes` are the two screens of a lecture. `variant` is the name of a student: the lesson has the
    numbers that it draws for this name, and progress of its own.
    """
    if not plain:
        _terminal()
    elif sys.stdin is None or sys.stdout is None:
        raise Refused("--plain reads stdin and writes stdout, and one of them is closed")
    if target is None:
        if plain:
            raise Refused("--plain needs a lesson or a scenario, such as: ixviz lessons/02-batching --plain")
        return _learn(None, ascii_, light)
    kind, path = find(target)
    if kind == "lesson":
        if sets:
            raise Refused("--set belongs to scenarios; a lesson brings its own machines")
        if present or notes:
            from ixviz.cli.present import open_lecture

            return open_lecture(path, notes=notes, beat=beat, votes=votes, ascii_=ascii_, light=light)
        from ixviz.lesson.load import load_lesson
        from ixviz.lesson.session import Session

        lesson = load_lesson(path)
        if variant is not None:
            from ixviz.cli.handout import student

            lesson = student(lesson, variant)
        session = Session(lesson)
        if beat is not None:
            from ixviz.cli.present import go_to_beat

            go_to_beat(session, beat)
        if plain:
            gc.enable()
            from ixviz.lesson.plain import run_plain

            return run_plain(session, sys.stdin, _writer())
        return _learn(session, ascii_, light, beat)
    if present or notes or beat is not None:
        from ixviz.scenario.messages import escape

        raise Refused(f"{escape(target)} is no lesson: --present, --notes and --beat need one")
    if variant is not None:
        raise Refused("--variant belongs to lessons; a scenario takes --set")
    scenario = scenario_of(path, kind, sets)
    if plain:
        from ixviz.history import Journal
        from ixviz.lesson.plain import scenario_plain
        from ixviz.scenario.simulate import simulate

        return scenario_plain(simulate(scenario, Journal()), sys.stdin, _writer())
    from ixviz.tui.app import run_app

    return run_app(scenario, ascii=ascii_ or _no_utf8(), light=light)


def _learn(session: Session | None, ascii_: bool, light: bool, beat: str | None = None) -> int:
    """A lesson or the menu on the screen, with the learner's progress; what was not told there goes to stderr."""
    from ixviz.progress import Store, state_folder
    from ixviz.scenario.messages import escape
    from ixviz.tui.app import run_app

    store = Store(state_folder())
    if session is not None:
        store.attach(session, moves=beat is not None)
        if beat is not None:
            session.pass_to([each.id for each in session.beats].index(beat))  # checked; the last visit was elsewhere
    try:
        return run_app(session=session, ascii=ascii_ or _no_utf8(), light=light, progress=store)
    finally:
        news = store.take()
        if news:
            print(f"ixviz: {escape(news)}", file=sys.stderr)


def _terminal() -> None:
    """Refuse to draw where nobody can see it."""
    if os.environ.get("TERM", "") == "dumb":
        raise Refused("this terminal (TERM=dumb) cannot show a screen; add --plain to read it as text")
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise Refused("the screen needs a terminal; add --plain for text on stdin and stdout, or use `ixviz run`")


class _Twin:
    """Standard output that can take ASCII only: every sign beyond it is written as its twin."""

    def write(self, text: str) -> int:
        return sys.stdout.write(readable(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdout, name)


def _writer() -> Any:
    return _Twin() if _no_utf8() else sys.stdout


def readable(text: str) -> str:
    """A text as standard output can take it."""
    if not _no_utf8():
        return text
    from ixviz.draw.cells import ascii_twin, plain

    return plain([ascii_twin(line) for line in text.split("\n")])


def _no_utf8() -> bool:
    """Whether the terminal cannot be told more than ASCII. Under LC_ALL=C Python itself writes UTF-8 all the same, so
    what the locale is called counts, too; a locale that is not set at all is taken as Python takes it."""
    if sys.stdout is not None and not _utf8(sys.stdout.encoding or ""):
        return True
    said = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    name, _, charset = said.partition("@")[0].partition(".")
    return not _utf8(charset) if charset else name in ("C", "POSIX")


def _utf8(charset: str) -> bool:
    return charset.lower().replace("-", "") == "utf8"


def find(target: str) -> tuple[str, Path]:
    """What a word means: ("lesson" | "scenario" | "capture", path). Files first, then bundled names."""
    from ixviz.scenario.load import bundled, list_bundled
    from ixviz.workload.pcapfile import looks_like_capture

    path = Path(target)
    if _is_file(path):
        if looks_like_capture(path):
            return "capture", path
        if path.suffix in (".yaml", ".yml"):
            return ("lesson" if _is_lesson(path) else "scenario"), path
        return "capture", path  # whatever it is, the reader of captures says why it is none
    if target in list_bundled():
        return "scenario", bundled(target)
    name = path.name.removesuffix(".yaml")
    if path.parent.name == "scenarios" and name in list_bundled():
        return "scenario", bundled(name)
    from ixviz.lesson.load import find_lesson, list_lessons

    lesson = find_lesson(target)
    if lesson is not None:
        return "lesson", lesson
    import difflib

    from ixviz.scenario.messages import escape

    known = [*COMMANDS, *list_bundled(), *(f"lessons/{n}" for n in list_lessons())]
    near = [k for k in difflib.get_close_matches(target, [k for k in known if k != "open"], 2) if k != target]
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Refused(f"{escape(target)}: {_what(path)}{hint}")


def _what(path: Path) -> str:
    """Why a path that is no file opens nothing."""
    try:
        if path.is_dir():
            return "a folder without a lesson.yaml; a lesson, a scenario or a capture is wanted"
        if path.exists():
            return "not an ordinary file; a lesson, a scenario or a capture is wanted"
    except (OSError, ValueError):
        pass
    return "no such file, lesson or scenario"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        return False


def _is_lesson(path: Path) -> bool:
    """Whether a YAML file is a lesson: it has `beats`. A broken file is told as what its name says."""
    try:
        text = path.read_bytes()[:1_000_000].decode("utf-8", "replace")
    except OSError:
        return False
    return any(line.startswith("beats:") for line in text.splitlines())


def scenario_of(path: Path, kind: str, sets: Sequence[str]) -> Scenario:
    """The scenario of a file or of a capture, with `--set` applied."""
    from ixviz.scenario.load import load
    from ixviz.scenario.simulate import capture_scenario

    return capture_scenario(path, sets) if kind == "capture" else load(path, sets)
