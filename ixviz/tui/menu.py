"""The opening menu: lessons, with what was reached in each, and machines to play with; only what exists.

Invariant: it reads the heads of files (title, summary, minutes) and loads one only when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual import events

from ixviz import __version__
from ixviz.draw import prose, rule
from ixviz.draw.cells import Lines, Span, fit, line, sides, vjoin
from ixviz.draw.signs import HERE

from .canvas import CanvasScreen
from .entries import LEGEND, RIGHT, WRONG, Entry, entries
from .hits import Hit

_STYLES = {RIGHT: "good", WRONG: "bad"}


class MenuScreen(CanvasScreen[None]):
    """Choose with ↑ ↓ or the mouse, open with ↵, a lesson from its start with r.

    `progress` (progress.Store, or None: nothing is kept) is read for each lesson, and tied to the one that is opened.
    """

    ticks = False

    def __init__(self, progress: Any = None, ascii: bool = False) -> None:
        super().__init__(ascii)
        self.progress = progress
        self.ascii = ascii
        self.entries = entries(progress)
        self.chosen = 0
        self.message = ""
        self.typed: str | None = None  # the path of a capture or file being typed

    def on_screen_resume(self) -> None:
        self.entries = entries(self.progress)
        self.show()

    def draw(self, width: int, height: int) -> Lines:
        """The menu, `height` lines (sketch G)."""
        self.hits = []
        if width < 40 or height < 12:
            return [fit(f"ixviz needs 40 × 12 cells, these are {width} × {height}", width)] + [fit("", width)] * (
                height - 1
            )
        out: Lines = [sides(line(Span(f"ixviz {__version__}", "title")), "q quit", width)]
        names = max((len(e.name) for e in self.entries), default=10)
        about = 4 if height >= 18 else 2
        body: list[tuple[Any, int | None]] = []
        for kind, title in (("lesson", "Lessons"), ("scenario", "Machines to play with")):
            mine = [(i, e) for i, e in enumerate(self.entries) if e.kind == kind]
            if mine:
                body.append((rule.rule(width, title), None))
                body += [(self._row(i, e, names, width), i) for i, e in mine]
        last = len(self.entries)
        body.append(
            (
                self._row(
                    last,
                    Entry("file", Path(), "a file …", "a scenario.yaml, .pcap or .pcapng of yours", ""),
                    names,
                    width,
                ),
                last,
            )
        )
        room = height - len(out) - about - 3
        at = next((y for y, (_, i) in enumerate(body) if i == self.chosen), 0)
        first = min(max(at - room + 2, 0), max(len(body) - room, 0))
        for row, i in body[first : first + room]:
            if i is not None:
                self.hits.append(Hit(len(out), len(out) + 1, 0, width, "choice", i))
            out.append(row)
        below = len(body) - first - room
        foot: Lines = [rule.rule(width, "", f"{below} more below" if below > 0 else "")]
        if self.typed is not None:
            foot.append(fit((Span("file: ", "key"), Span(self.typed, "bold"), Span("█", "now")), width))
        elif self.message:
            foot += prose.prose(self.message, width, style="warn")
        elif self.chosen < last:
            foot += prose.prose(self.entries[self.chosen].about, width)
        foot = [*foot, *[fit("", width)] * about][: about + 1]
        if about == 4 and any(entry.reached for entry in self.entries):
            foot[-1] = fit(LEGEND, width)
        foot += [
            rule.rule(width),
            rule.footer(
                [
                    rule.Key("up down" if self.ascii else "↑ ↓", "choose", 5),
                    rule.Key("enter" if self.ascii else "↵", "open", 6),
                    *([rule.Key("r", "from the start", 4)] if self._reached() else []),
                    *([rule.Key("P", "present", 3), rule.Key("n", "notes", 2)] if self._is("lesson") else []),
                    *([rule.Key("c", "compare", 3)] if self._is("scenario") else []),
                    rule.Key("T", "dark or light", 1),
                    rule.Key("q", "quit", 6),
                ],
                width,
            ),
        ]
        return vjoin(out, width=width, height=height - len(foot)) + foot

    def _row(self, i: int, entry: Entry, names: int, width: int) -> Any:
        chosen = i == self.chosen
        style = "choice" if chosen else ""
        gap = " " * (names - len(entry.name) + 3)
        row = [Span(f"{HERE} " if chosen else "  ", "choice"), Span(entry.name, style or "bold")]
        if not entry.marks:
            return fit((*row, Span(gap + entry.text, style)), width)
        row.append(Span(f"{gap}{entry.text:<8}", style))
        row += [Span(mark, style or _STYLES.get(mark, "dim")) for mark in entry.marks]
        most = max(len(each.marks) for each in self.entries)
        return fit((*row, Span(" " * (most - len(entry.marks) + 2) + entry.reached, style)), width)

    def _reached(self) -> bool:
        """Whether something is kept of the lesson that is chosen."""
        return self.chosen < len(self.entries) and bool(self.entries[self.chosen].reached)

    def _is(self, kind: str) -> bool:
        return self.chosen < len(self.entries) and self.entries[self.chosen].kind == kind

    # ---------------------------------------------------------------- keys and mouse
    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+p":
            return
        event.stop()
        event.prevent_default()
        if self.typed is not None:
            self._type(event.key, event.character)
        elif event.key in ("down", "j", "up", "k", "home", "end", "pagedown", "pageup"):
            goal = {"down": 1, "j": 1, "up": -1, "k": -1, "home": -999, "end": 999, "pagedown": 5, "pageup": -5}[
                event.key
            ]
            self._move(goal)
        elif event.key in ("enter", "right"):
            self.open()
        elif event.key == "r" and self._reached():
            self.open(start=True)
        elif event.character in ("P", "n") and self._is("lesson"):
            self._lecture(notes=event.character == "n")
        elif event.key == "c" and self._is("scenario"):
            self._compare()
        elif event.key in ("q", "escape"):
            self.app.exit(return_code=0)
        elif event.character == "T":
            self.app.other_theme()
        self.show()

    def _type(self, key: str, character: str | None) -> None:
        assert self.typed is not None
        if key == "escape":
            self.typed = None
        elif key == "enter":
            path, self.typed = self.typed.strip(), None
            if path:
                self._open_file(Path(path).expanduser())
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif character and character.isprintable():
            self.typed += character

    def on_paste(self, event: events.Paste) -> None:
        if self.typed is not None and event.text:
            self.typed += event.text.splitlines()[0]
            self.show()

    def clicked(self, hit: Hit, x: int, dragging: bool) -> None:
        if dragging:
            return
        if hit.data == self.chosen:
            self.open()
        self.chosen = hit.data
        self.show()

    def wheel(self, by: int) -> None:
        self._move(by)
        self.show()

    def _move(self, by: int) -> None:
        self.chosen, self.message = min(max(self.chosen + by, 0), len(self.entries)), ""

    # ---------------------------------------------------------------- opening
    def open(self, start: bool = False) -> None:
        """What is chosen, or the line for a file's name; `start`: a lesson from its start, whatever was reached."""
        self.message = ""
        if self.chosen >= len(self.entries):
            self.typed = ""
            return
        entry = self.entries[self.chosen]
        self._open(lambda: self._state(entry.kind, entry.path, start))

    def _open_file(self, path: Path) -> None:
        lesson = path.is_dir() or path.name == "lesson.yaml"
        kind = "lesson" if lesson else "scenario" if path.suffix in (".yaml", ".yml") else "capture"
        self._open(lambda: self._state(kind, path))

    def _state(self, kind: str, path: Path, start: bool = False) -> Any:
        from .opening import state_of

        if kind == "lesson":
            from ixviz.lesson import Session, load_lesson

            session = Session(load_lesson(path))
            if self.progress is not None:
                self.progress.attach(session, start)
            return state_of(None, session, ascii=self.ascii)
        from ixviz.scenario.load import load
        from ixviz.scenario.simulate import capture_scenario

        return state_of(load(path) if kind == "scenario" else capture_scenario(path), ascii=self.ascii)

    def _lecture(self, notes: bool) -> None:
        """The chosen lesson as a lecturer gives it, or the notes that follow one in another terminal."""
        from .present_screen import lecture_screen

        path, folder = self.entries[self.chosen].path, self.progress.folder if self.progress is not None else None
        state = folder.parent if folder is not None else None
        self._open(lambda: lecture_screen(path, state, notes=notes, ascii=self.ascii), self.app.push_screen)

    def _compare(self) -> None:
        """What the chosen machine is to be compared with."""
        from ixviz.scenario.load import load

        from .compare_choose import ChooseScreen

        path = self.entries[self.chosen].path
        self._open(lambda: ChooseScreen(load(path), self.ascii), self.app.push_screen)

    def _open(self, make: Callable[[], Any], show: Callable[[Any], Any] | None = None) -> None:
        from ixviz.lesson.model import LessonError
        from ixviz.scenario.messages import Problems
        from ixviz.scenario.simulate import CaptureError

        try:
            state = make()
        except (Problems, CaptureError, LessonError, OSError, ValueError) as error:
            self.message = str(error)
            return
        (show or self.app.open_state)(state)
