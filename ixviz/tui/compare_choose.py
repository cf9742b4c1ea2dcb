"""The chooser: what the present machine is compared with. Other systems stand first.

Invariant: only scenarios with packets are listed, and one that cannot be compared says why in a line.
"""

from __future__ import annotations

from typing import NamedTuple

from textual import events

from ixviz.compare.align import MOST, aligned
from ixviz.draw import prose, rule
from ixviz.draw.cells import Lines, Span, fit, vjoin
from ixviz.draw.signs import HERE
from ixviz.scenario.load import Scenario, bundled, list_bundled, load
from ixviz.scenario.messages import Problems
from ixviz.scenario.simulate import CaptureError

from .canvas import CanvasScreen
from .hits import Hit


class Choice(NamedTuple):
    """A scenario that can stand beside the present one."""

    scenario: Scenario
    other: bool  # whether it is of another system


def choices(scenario: Scenario) -> list[Choice]:
    """The bundled scenarios with packets, those of other systems first; the present one is none of them."""
    found = []
    for name in list_bundled():
        made = load(bundled(name))
        if made.workload.kind != "none" and name != scenario.name:
            found.append(Choice(made, made.system.kind != scenario.system.kind))
    return sorted(found, key=lambda each: not each.other)


class ChooseScreen(CanvasScreen[None]):
    """↑ ↓ or the mouse choose, space adds one of two, ↵ or a second click compares, q goes back."""

    ticks = False

    def __init__(self, scenario: Scenario, ascii: bool = False, at: int | None = None) -> None:
        super().__init__(ascii)
        self.scenario, self.ascii, self.at = scenario, ascii, at
        self.choices = choices(scenario)
        self.chosen = 0
        self.added: list[int] = []
        self.message = ""

    def draw(self, width: int, height: int) -> Lines:
        """The list, `height` lines."""
        up, enter = ("up down", "enter") if self.ascii else ("↑ ↓", "↵")
        names = max((len(each.scenario.name) for each in self.choices), default=10)
        rows: Lines = []
        lines: dict[int, int] = {}  # of each choice its row
        for i, each in enumerate(self.choices):
            if i == 0 or each.other != self.choices[i - 1].other:
                rows.append(rule.rule(width, "Other systems" if each.other else "The same system"))
            lines[i] = len(rows)
            sign = HERE if i == self.chosen else " "
            mark = "+" if i in self.added else " "
            style = "choice" if i == self.chosen else ""
            text = f"{each.scenario.name:<{names}}   {each.scenario.summary or each.scenario.title or ''}"
            rows.append(fit((Span(f"{sign}{mark} ", "choice"), Span(text, style)), width))
        head = fit((Span(f"Compare {self.scenario.name} with", "title"),), width)
        text = self.message or ("It is sent the packets of the present machine, and keeps its system and its cores. "
                                "Both are then stepped through together from the same time.")  # fmt: skip
        about = prose.prose(text, width, style="warn" if self.message else "")[:3]
        keys = [rule.Key(up, "choose", 5), rule.Key(enter, "compare", 6), rule.Key("space", "add a third", 3),
                rule.Key("q", "back", 6)]  # fmt: skip
        foot = [rule.rule(width), *about, *[fit("", width)] * (3 - len(about)), rule.footer(keys, width)]
        room = height - 1 - len(foot)
        at = lines.get(self.chosen, 0)
        first = min(max(at - room + 2, 0), max(len(rows) - room, 0))
        self.hits = [Hit(1 + y - first, 2 + y - first, 0, width, "choice", i)
                     for i, y in lines.items() if first <= y < first + room]  # fmt: skip
        return vjoin([head], rows[first : first + room], width=width, height=height - len(foot)) + foot

    # ---------------------------------------------------------------- keys and mouse
    def on_key(self, event: events.Key) -> None:
        if event.key == "ctrl+p":
            return
        event.stop()
        event.prevent_default()
        self.message = ""
        if event.key in ("down", "j", "up", "k"):
            self._move(1 if event.key in ("down", "j") else -1)
        elif event.key == "space":
            self._add()
        elif event.key == "enter":
            self._open()
            return
        elif event.key in ("q", "escape"):
            self.app.pop_screen()
            return
        elif event.character == "T":
            self.app.other_theme()
        self.show()

    def clicked(self, hit: Hit, x: int, dragging: bool) -> None:
        if dragging:
            return
        if hit.data == self.chosen:
            self._open()
            return
        self.chosen, self.message = hit.data, ""
        self.show()

    def wheel(self, by: int) -> None:
        self._move(by)
        self.show()

    def _move(self, by: int) -> None:
        self.chosen, self.message = min(max(self.chosen + by, 0), len(self.choices) - 1), ""

    def _add(self) -> None:
        if self.chosen in self.added:
            self.added.remove(self.chosen)
        elif len(self.added) < MOST - 1:
            self.added.append(self.chosen)
        else:
            self.message = f"at most {MOST} stand beside each other"

    def _open(self) -> None:
        from .compare import CompareScreen
        from .compare_state import open_state

        wanted = sorted({*self.added, self.chosen} if len(self.added) < MOST - 1 else self.added)
        others = [self.choices[i].scenario for i in wanted]
        try:
            state = open_state(aligned([self.scenario, *others]), ascii=self.ascii, at=self.at)
        except (Problems, CaptureError) as error:
            self.message = str(error)
            self.show()
            return
        self.app.switch_screen(CompareScreen(state))
