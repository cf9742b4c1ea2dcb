"""The command `names`: what an expression may name, over a scenario, a capture or a run of a lesson.

Invariant: no line is wider than 80 columns, but for a single name that is.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ixviz.cli import Refused, _no_utf8, find, scenario_of

if TYPE_CHECKING:
    from ixviz.lesson.names import Group, Name, Names
    from ixviz.lesson.runs import Runs

_WIDTH, _NAME, _KIND = 80, 27, 5
_MOST = 12  # words that are listed behind a name


@click.command()
@click.argument("target", metavar="SCENARIO|LESSON")
@click.option("--run", "run", metavar="NAME", help="This run of the lesson; without it that of the first beat.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def names(target: str, run: str | None, as_json: bool) -> int:
    """List the names that an expression can use.

    Components as the inspector prints them, values of the scenario, figures of a whole run, tables, functions.
    """
    from ixviz.lesson.names import names_of

    runs, chosen = _runs(target, run)
    found = names_of(runs, chosen)
    if as_json:
        from ixviz.lesson.names import FUNCTIONS

        click.echo(json.dumps({"runs": list(runs.specs), **asdict(found), "functions": dict(FUNCTIONS)}))
        return 0
    text = "\n".join(_lines(found, [name for name in runs.specs if name != chosen]))
    if _no_utf8():
        from ixviz.draw.cells import ascii_twin, plain

        text = plain([ascii_twin(line) for line in text.split("\n")])
    click.echo(text)
    return 0


def _runs(target: str, run: str | None) -> tuple[Runs, str]:
    """The machines of what was named, and which of them is meant."""
    from pathlib import Path

    from ixviz.lesson.model import Lesson, Place, RunSpec
    from ixviz.lesson.runs import Runs
    from ixviz.scenario.messages import cut, did_you_mean

    kind, path = find(target)
    if kind == "lesson":
        from ixviz.lesson.load import load_lesson

        lesson = load_lesson(path)
        if run is not None and run not in lesson.runs:
            raise Refused(f"--run {cut(run)}: {lesson.id} has no such run{did_you_mean(run, lesson.runs)}")
        return Runs(lesson), run or lesson.beats[0].run
    if run is not None:
        raise Refused(f"--run belongs to a lesson, {target} is a {kind}")
    scenario = scenario_of(Path(path), kind, ())
    place = Place(str(path), 1, 1)
    spec = RunSpec(scenario.name, place, scenario)
    return Runs(Lesson(scenario.name, "", "", {}, place, place, (), (), {spec.name: spec}, ())), spec.name


# ----------------------------------------------------------------------------------------------- as text
def _lines(found: Names, others: Sequence[str]) -> Iterator[str]:
    from ixviz.lesson.names import FUNCTIONS
    from ixviz.scenario.messages import escape

    yield f"Names over {escape(found.run)}"
    if others:
        yield from _wrapped(f"Other runs: {', '.join(others)}. `--run NAME` lists their names. In an expression the "
                            f"name of a run stands before a name: {others[0]}.time.")  # fmt: skip
    yield from ("", "COMPONENTS  a field is written behind the name: nic.q0.depth")
    for group in found.components:
        yield from ("", *_wrapped(f"{_members(group)}   {group.doc}"))
        yield from _rows((f".{each.name}", each) for each in group.fields)
    yield from ("", "NOW")
    yield from _rows((each.name, each) for each in found.now)
    yield from ("", "SCENARIO")
    for each in found.scenario:
        yield from _row(each.name, "", each.value)
    yield from ("", "FIGURES OF THE WHOLE RUN  they can be read at its end only")
    yield from _rows((each.name, each) for each in found.figures)
    yield from ("", "TABLES  a row for each; columns are read in functions, or of one row")
    for group in found.tables:
        yield from ("", group.names[0])
        yield from _rows((f".{each.name}", each) for each in group.fields)
    yield from ("", "FUNCTIONS")
    for name, doc in FUNCTIONS.items():
        yield from _row(name, "", doc)
    if found.waiting:
        yield from _row("", "", f"waiting takes: {', '.join(_shortened(found.waiting))}")


def _members(group: Group) -> str:
    """`nic.q0 to nic.q5`, `pcb0, pcb1, …`."""
    from ixviz.scenario.messages import escape

    names = [escape(name) for name in group.names]
    if group.more:
        return ", ".join([*names[:2], "…"])
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _shortened(words: Sequence[str]) -> list[str]:
    return list(words) if len(words) <= 2 * _MOST else [*words[:_MOST], "…", *words[-_MOST:]]


def _rows(rows: Iterable[tuple[str, Name]]) -> Iterator[str]:
    for written, each in rows:
        words = f": {', '.join(each.words)}" if 0 < len(each.words) <= _MOST else ""
        yield from _row(written, "" if each.kind == "number" else each.kind, each.doc + words)


def _row(name: str, kind: str, doc: str) -> Iterator[str]:
    """`  .began                   time     when it last began or ended a turn`."""
    head = f"  {name:<{_NAME - 2}}"
    if len(head) > _NAME:  # a long name has its line
        yield head.rstrip()
        head = " " * _NAME
    head = f"{head} {kind:<{_KIND}} " if kind else f"{head} {'':<{_KIND}} "
    yield from _wrapped(doc, head, " " * len(head)) if doc else [head.rstrip()]


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
