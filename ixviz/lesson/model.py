"""A lesson as data: beats over named machines; every expression is parsed and knows where it was written.

Invariant: nothing here has been computed; a Lesson says what to ask and how to find the answer, never the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ixviz.lesson.expr import Expr, ExprError, Value
from ixviz.scenario.load import Scenario
from ixviz.scenario.messages import Problem
from ixviz.scenario.source import Node

ROUTES = ("lecture", "alone")
LETTERS = "abcdef"


class LessonError(Exception):
    """An author's mistake that shows only when the lesson runs; `problem` has its place. Read as one line.

    `early` is the Position at which something was read that had not happened, None for any other mistake.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.early: Any = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written: file, line and column from 1, and what it belongs to (`beat next`)."""

    file: str
    line: int
    col: int
    key: str = ""

    def problem(self, message: str) -> Problem:
        """A mistake here."""
        return Problem(self.file, self.line, self.col, self.key, message)


class Text(str):
    """A word or a line of the lesson that knows where it was written."""

    __slots__ = ("place",)
    place: Place

    def __new__(cls, text: str, place: Place) -> Text:
        """The text, as it is, with its place."""
        made = super().__new__(cls, text)
        made.place = place
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Text, (str(self), self.place)


def place_of(text: str, other: Place) -> Place:
    """Where a text was written; `other` for one that does not know."""
    return text.place if isinstance(text, Text) else other


@dataclass(frozen=True, slots=True)
class Written:
    """How a text stands in its file: where it begins, and where each of its lines does (one line: only the first)."""

    start: Place
    lines: tuple[tuple[int, int, int], ...] = ()  # offset in the text, line, column

    def place(self, offset: int) -> Place:
        """The place of the character at `offset`."""
        for begins, line, col in reversed(self.lines):
            if offset >= begins:
                return Place(self.start.file, line, col + offset - begins, self.start.key)
        return self.start


@dataclass(frozen=True, slots=True)
class Prose:
    """Text with `$(…)` and `**bold**` in it, as it was written."""

    text: str
    written: Written = field(compare=False)

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.written.start

    def error(self, error: ExprError) -> LessonError:
        """What went wrong when this was evaluated, with its place."""
        return LessonError(self.written.place(error.offset).problem(error.message))


@dataclass(frozen=True, slots=True)
class Formula(Prose):
    """An expression; `text` is what was written."""

    expr: Expr = field(compare=False)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A machine with a name: a whole scenario, or `base` with `changes`, from its start or from the moment `at`.

    `fault` is put into the scenario already. `vary` lists other values by their path: one of each for a variant.
    """

    name: str
    place: Place
    scenario: Scenario | None = None
    base: str | None = None
    changes: Mapping[str, Node] = field(default_factory=dict)
    at: Formula | None = None
    fault: str | None = None
    vary: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """What the screen shows and marks. `runs` are those of a chart, `compare` those side by side (lanes, totals)."""

    view: str = "machine"
    mark: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    of: str = ""
    runs: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    align: str = ""
    line: Value | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A choice. `when` is true at the reveal if it is the right one; or its value `is_` equals the answer."""

    place: Place
    say: Prose | None = None
    when: Formula | None = None
    is_: Formula | None = None
    because: Prose | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said to a wrong answer when `when` is the first that is true; it may read `said`."""

    when: Formula
    say: Prose


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """A number to be guessed: right within `within` of the answer (a Fraction of it, or a quantity of its kind)."""

    answer: Formula
    unit: str
    low: Value
    high: Value
    within: Value
    relative: bool  # `within` was written in per cent
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One of the things to be put in order; `name` is what remarks call it: `said(name)` is its place, from 1."""

    place: Place
    name: str
    value: Formula
    say: Prose | None = None


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """Things to be put in the order of their rising values at the reveal."""

    items: tuple[Item, ...]
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class PointAnswer:
    """A component to be pointed at, one of `among`; `because` has what is said to each wrong one."""

    among: tuple[str, ...]
    answer: Formula
    because: Mapping[str, Prose]


@dataclass(frozen=True, slots=True)
class Predict:
    """A prediction: `options`, `number`, `order` or `point`. `again` changes its run to ask anew."""

    place: Place
    ask: Prose
    options: tuple[Option, ...] = ()
    answer: Formula | None = None
    number: NumberAnswer | None = None
    order: OrderAnswer | None = None
    point: PointAnswer | None = None
    hints: tuple[Prose, ...] = ()
    again: Mapping[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wrong:
    """Knob values that an author expects to be tried, and what is said to them."""

    place: Place
    values: Mapping[str, Node]
    because: Prose


@dataclass(frozen=True, slots=True)
class Task:
    """Knobs to be turned until `holds` is true of the run they make; `extreme` is the knob that shall be smallest."""

    place: Place
    ask: Prose
    knobs: Mapping[str, tuple[Node, ...]]
    holds: Formula
    smallest: str | None = None
    largest: str | None = None
    solutions: tuple[Mapping[str, Node], ...] = ()
    wrong: tuple[Wrong, ...] = ()
    hints: tuple[Prose, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that may be broken: a fault's id, and what is said to whoever names it wrongly."""

    place: Place
    fault: str
    say: Prose
    because: Prose | None = None


@dataclass(frozen=True, slots=True)
class Find:
    """A fault to be found: which component (`among`) breaks which of `rules`."""

    place: Place
    ask: Prose
    among: tuple[str, ...]
    rules: tuple[Rule, ...]
    hints: tuple[Prose, ...] = ()


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a lesson. `until` and `reveal` are a condition, or the word `start` or `end`."""

    id: str
    place: Place
    title: str
    minutes: float
    run: str
    until: Formula | str
    say: Prose | None = None
    route: str | None = None
    reveal: Formula | str | None = None
    look: Look = Look()
    show: Look | None = None
    given: tuple[str, ...] = ()
    let: Mapping[str, Formula] = field(default_factory=dict)
    pick: Mapping[str, Formula] = field(default_factory=dict)
    expect: tuple[Formula, ...] = ()
    why: Prose | None = None
    leaves_out: str = ""
    notes: str = ""
    sources: tuple[str, ...] = ()
    action: Predict | Task | Find | None = None

    @property
    def figures_of(self) -> tuple[str, ...]:
        """The runs of which it shows figures of the whole run."""
        found: list[str] = []
        for look, stop in ((self.look, self.until), (self.show or self.look, self.reveal)):
            found += [*look.runs, *(look.compare if look.view == "totals" and stop == "end" else ())]
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A whole lesson, read and checked in its form; check.py checks that it is true."""

    id: str
    title: str
    summary: str
    minutes: Mapping[str, float]
    place: Place
    minutes_place: Place
    needs: tuple[str, ...]
    goals: tuple[str, ...]
    runs: Mapping[str, RunSpec]
    beats: tuple[Beat, ...]
    path: Path | None = None

    def route(self, name: str) -> tuple[Beat, ...]:
        """The beats of a route: `lecture`, or `alone` for all of them."""
        return tuple(b for b in self.beats if name != "lecture" or b.route == "lecture")
