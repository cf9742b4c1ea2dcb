"""The parts of lessons/README.md that are made from the code: the map, the tables of keys, names and functions.

Invariant: `python tests/lesson/guide.py` writes what test_guide.py wants to find. All else in the page is by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ixviz.lesson import keys, load_lesson
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.load import bundled_lessons
from ixviz.lesson.names import COLUMNS, FIGURES, FUNCTIONS
from ixviz.scenario.simulate import faults

PAGE = Path(__file__).resolve().parents[2] / "lessons" / "README.md"
TABLES = {
    "lesson": keys.LESSON, "run": keys.RUN, "beat": keys.BEAT, "look": keys.LOOK, "predict": keys.PREDICT,
    "choice": keys.OPTION, "number": keys.NUMBER, "remark": keys.REMARK, "order": keys.ORDER, "item": keys.ITEM,
    "point": keys.POINT, "place": keys.PLACE, "again": keys.AGAIN, "task": keys.TASK, "wrong": keys.WRONG,
    "find": keys.FIND, "rule": keys.RULE,
}  # fmt: skip
HOLDS = {
    "1": "`1`", "id": "id", "text": "text", "texts": "list of texts", "prose": "text with `$(…)`",
    "proses": "list of such texts", "number": "number", "quantity": "number with unit", "expr": "expression",
    "exprs": "list of expressions", "stop": "`start`, `end` or condition", "minutes": "`lecture:`, `alone:`",
    "runs": "runs by name", "beats": "list of beats", "scenario": "scenario or name", "set": "values by path",
    "sets": "list of `set`s", "varied": "lists of values by path", "lets": "expressions by name",
    "look": "*look*", "predict": "*predict*", "task": "*task*", "find": "*find*", "options": "list of *choices*",
    "number-answer": "*number*", "order-answer": "*order*", "point-answer": "*point*", "remarks": "list of *remarks*",
    "again": "*again*", "items": "list of *items*", "places": "list of *places*", "rules": "list of *rules*",
    "wrongs": "list of *wrong* ones", "knobs": "lists of values by path",
}  # fmt: skip
PART = re.compile(r"(<!-- made: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def made() -> dict[str, str]:
    """Each part by its name."""
    parts = {name: _table(table) for name, table in TABLES.items()}
    parts["map"] = "\n".join(_map())
    parts["columns"] = "\n".join(f"- `{table}`: {_words(columns)}" for table, columns in COLUMNS.items())
    parts["figures"] = _words(FIGURES)
    parts["functions"] = "\n".join(["| function | what it is |", "|---|---|",
                                    *(f"| `{name}` | {doc} |" for name, doc in FUNCTIONS.items())])  # fmt: skip
    parts["faults"] = "\n".join(f"- `{each.id}`: {each.doc}" for each in faults("ix").values())
    parts["findings"] = "\n".join(["```text", *_findings(), "```"])
    parts["units"] = "\n".join(_units())
    return parts


def _table(table: keys.Table) -> str:
    rows = ["| key | holds | meaning |", "|---|---|---|"]
    for key, (form, doc) in table.items():
        name = f"**`{key}`**" if form.endswith("!") else f"`{key}`"
        holds = HOLDS.get(form.rstrip("!")) or " or ".join(f"`{word}`" for word in keys.WORDS[form.rstrip("!")])
        rows.append(f"| {name} | {holds} | {doc} |")
    return "\n".join(rows)


def _map() -> Iterator[str]:
    lessons = [(path.parent.name, load_lesson(path)) for path in bundled_lessons()]
    titles = {lesson.id: folder for folder, lesson in lessons}
    yield "| folder | lesson | alone | lecture | needs |"
    yield "|---|---|--:|--:|---|"
    for folder, lesson in lessons:
        minutes = (
            f"{lesson.minutes[route]:g} min" if route in lesson.minutes else "" for route in ("alone", "lecture")
        )
        needs = ", ".join(f"`{titles.get(each, each)}`" for each in lesson.needs) or "nothing"
        yield f"| `{folder}` | {lesson.title} | {' | '.join(minutes)} | {needs} |"
    for folder, lesson in lessons:
        yield ""
        yield f"**`{folder}`**. {lesson.summary} Afterwards one can"
        yield ""
        yield from (f"- {goal[:1].lower()}{goal[1:]}" for goal in lesson.goals)


def _words(named: object) -> str:
    return ", ".join(f"`{name}`" for name in named)  # type: ignore[attr-defined]


def _findings() -> Iterator[str]:
    """What the checker says when the rate of calm64 in lesson 02 is another: where its claims stand."""
    [path] = (path for path in bundled_lessons() if path.parent.name == "02-batching")
    beat = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        beat = line.partition("- id: ")[2] or beat
        claim = line.partition("- ")[2]
        if claim.startswith("workload.rate == 50 K/s"):
            yield f"lessons/02-batching/lesson.yaml:{number}:9: beat {beat}: not true: {claim}"


def _units() -> Iterator[str]:
    kinds: dict[str, list[str]] = {}
    for name, unit in UNITS.items():
        kinds.setdefault(unit.kind.name.lower(), []).append(name)
    for kind, names in kinds.items():
        yield f"- {kind}: {_words(names)}"


def page() -> str:
    """The page with its parts made anew."""
    parts = made()
    return PART.sub(lambda found: f"{found[1]}{parts[found[2]]}\n{found[3]}", PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
