"""The keys of the lesson language: what each mapping may hold, in which form; the loader and the JSON Schema read this.

Invariant: a key that is not here is refused, with the nearest known one.
"""

from __future__ import annotations

from typing import Any, Final

Table = dict[str, tuple[str, str]]  # key: (form, what it means); a form that ends in ! is required

LESSON: Final[Table] = {
    "language": ("1!", "version of the lesson language"),
    "id": ("id!", "progress is kept under this, never under a path or a number"),
    "title": ("text!", "what the menu shows"),
    "summary": ("text", "one sentence for the menu"),
    "minutes": ("minutes!", "sum of the beats' minutes, for each route"),
    "needs": ("texts", "ids of lessons to be taken before"),
    "goals": ("texts", "what one can do afterwards"),
    "runs": ("runs!", "the machines of the lesson, by name"),
    "beats": ("beats!", "the steps of the lesson, in order"),
}
RUN: Final[Table] = {
    "scenario": ("scenario", "a whole scenario, or the name of a bundled one"),
    "from": ("text", "the run that this one is made of"),
    "set": ("set", "values that differ, by their dotted path"),
    "at": ("expr", "with from: a branch; what is set holds from the event on that makes this true"),
    "fault": ("text", "a fault that the system declares, put in by its name"),
    "vary": ("varied", "other values by their dotted path; --variant NAME draws one of each"),
}
BEAT: Final[Table] = {
    "id": ("id!", "progress is kept under this"),
    "title": ("text!", "the headline"),
    "route": ("route", "lecture: shown to a class too; without it only to people alone"),
    "minutes": ("number!", "how long it takes"),
    "run": ("text!", "the machine that is shown"),
    "until": ("stop!", "where it stops: start, end, or just after the event that makes this condition true"),
    "reveal": ("stop", "where a prediction is answered: a later stop"),
    "look": ("look", "what is shown and marked"),
    "show": ("look", "what is shown after the reveal"),
    "given": ("texts", "names that may be read before they have happened"),
    "let": ("lets", "short names for expressions"),
    "pick": ("lets", "names for rows found at the stop, such as a packet; their fields are read later"),
    "say": ("prose", "what to say"),
    "predict": ("predict", "a prediction"),
    "task": ("task", "knobs to be turned until something holds"),
    "find": ("find", "a fault to be found"),
    "why": ("prose", "said after the answer"),
    "expect": ("exprs", "claims that hold at the reveal (without one: at the stop)"),
    "leaves_out": ("text", "what the model lacks, for the learner"),
    "notes": ("text", "for the lecturer"),
    "sources": ("texts", "where the facts are from"),
}
LOOK: Final[Table] = {
    "view": ("view", "machine, chart, published, or totals: what each of `compare` has spent per packet"),
    "mark": ("texts", "components to point at"),
    "label": ("texts", "components to name"),
    "of": ("text", "what a chart shows: latency, batches.size or, of whole runs, any of the figures"),
    "runs": ("texts", "runs of a chart"),
    "compare": ("texts", "runs side by side"),
    "align": ("align", "how compared runs are thought of: by packet or by time; their lanes are drawn by time"),
    "line": ("quantity", "a limit to draw in a chart"),
}
PREDICT: Final[Table] = {
    "ask": ("prose!", "the question"),
    "answer": ("expr", "with choices that have `is`: what the right one equals"),
    "choose": ("options", "2 to 6 choices; exactly one is right"),
    "number": ("number-answer", "a number to be guessed"),
    "order": ("order-answer", "things to be put in order"),
    "point": ("point-answer", "a component to be pointed at"),
    "because": ("remarks", "with number and order: what is said to a wrong one"),
    "hints": ("proses", "one at a time"),
    "again": ("again", "other numbers for asking once more after a wrong answer"),
}
ORDER: Final[Table] = {
    "by": ("text", "the field whose rising value is the order; items then are things that have it"),
    "items": ("items!", "2 to 6 things: a name (of pick, or packet(3)), or a mapping; not in the right order"),
}
ITEM: Final[Table] = {
    "name": ("text", "what remarks call it: said(name) is the place it was given, from 1"),
    "say": ("prose!", "the thing in words"),
    "value": ("expr!", "what is compared at the reveal"),
}
POINT: Final[Table] = {
    "among": ("texts!", "2 to 6 components"),
    "answer": ("expr!", "the name of the right one, read at the reveal"),
    "because": ("places!", "what is said to each wrong one"),
}
PLACE: Final[Table] = {"at": ("text!", "a component of among"), "say": ("prose!", "why it is wrong")}
AGAIN: Final[Table] = {"set": ("set!", "values of the beat's run that differ, by their dotted path")}
FIND: Final[Table] = {
    "ask": ("prose!", "the question"),
    "among": ("texts!", "2 to 6 components, the one with the fault among them"),
    "rules": ("rules!", "2 to 6 faults, the one that was put in among them"),
    "hints": ("proses", "one at a time"),
}
RULE: Final[Table] = {
    "fault": ("text!", "the id of a fault that the system declares"),
    "say": ("prose!", "the broken rule in words"),
    "because": ("prose", "why it is not this one; each has it but the fault that was put in"),
}
OPTION: Final[Table] = {
    "say": ("prose", "the choice in words"),
    "when": ("expr", "true at the reveal if this choice is right"),
    "is": ("expr", "the choice as a value; the right one equals the answer"),
    "because": ("prose", "why it is wrong; every wrong choice has it"),
}
NUMBER: Final[Table] = {
    "answer": ("expr!", "the number, read at the reveal"),
    "unit": ("text!", "a unit, or the noun that is counted"),
    "from": ("quantity!", "the smallest that can be meant"),
    "to": ("quantity!", "the largest that can be meant"),
    "within": ("quantity!", "how near is right: a share of the answer (50 %) or a difference"),
}
REMARK: Final[Table] = {
    "when": ("expr!", "said of the first that is true; `said` is the learner's number"),
    "say": ("prose!", "what is said"),
}
TASK: Final[Table] = {
    "ask": ("prose!", "what to reach"),
    "knobs": ("knobs!", "what may be turned, to which values"),
    "holds": ("expr!", "true of the run when the task is done"),
    "smallest": ("text", "the knob whose value shall be the smallest that holds"),
    "largest": ("text", "the knob whose value shall be the largest that holds"),
    "solutions": ("sets!", "values that solve it"),
    "wrong": ("wrongs", "values that do not, and what is said to them"),
    "hints": ("proses", "one at a time"),
}
WRONG: Final[Table] = {"set": ("set!", "the values"), "because": ("prose!", "what is said to them")}

_WITH_EXPRESSIONS = (RUN, BEAT, PREDICT, ITEM, POINT, OPTION, NUMBER, REMARK, TASK)
EXPRESSIONS: Final = sorted(
    {key for table in _WITH_EXPRESSIONS for key, (form, _) in table.items() if form.rstrip("!") in ("expr", "stop")}
)

WORDS: Final = {
    "route": ("lecture",),
    "view": ("machine", "chart", "published", "totals"),
    "align": ("packet", "time"),
}

_TEXTS: Final[dict[str, Any]] = {"type": "array", "items": {"type": "string"}}
_EXPR: Final[dict[str, Any]] = {"type": ["string", "number", "boolean"], "description": "an expression"}
_SET: Final[dict[str, Any]] = {"type": "object"}


def _forms() -> dict[str, Any]:
    def many(of: dict[str, Any], least: int = 1) -> dict[str, Any]:
        return {"type": "array", "minItems": least, "items": of}

    forms: dict[str, Any] = {
        "1": {"const": 1},
        "id": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
        "text": {"type": "string"},
        "prose": {"type": "string"},
        "number": {"type": "number", "exclusiveMinimum": 0},
        "quantity": {"type": ["string", "number"]},
        "texts": _TEXTS,
        "proses": _TEXTS,
        "expr": _EXPR,
        "exprs": many(_EXPR),
        "stop": {"anyOf": [{"enum": ["start", "end"]}, _EXPR]},
        "minutes": _closed({"lecture": ("number", ""), "alone": ("number!", "")}),
        "scenario": {"type": ["string", "object"]},
        "set": _SET,
        "sets": many(_SET),
        "lets": {"type": "object", "additionalProperties": _EXPR},
        "runs": {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/run"}},
        "beats": many({"$ref": "#/$defs/beat"}),
        "look": {"$ref": "#/$defs/look"},
        "predict": {"$ref": "#/$defs/predict"},
        "task": {"$ref": "#/$defs/task"},
        "find": {"$ref": "#/$defs/find"},
        "number-answer": {"$ref": "#/$defs/number"},
        "order-answer": {"$ref": "#/$defs/order"},
        "point-answer": {"$ref": "#/$defs/point"},
        "again": {"$ref": "#/$defs/again"},
        "items": {"type": "array", "minItems": 2, "maxItems": 6,
                  "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/item"}]}},
        "places": many({"$ref": "#/$defs/place"}),
        "rules": {**many({"$ref": "#/$defs/rule"}, 2), "maxItems": 6},
        "options": {**many({"$ref": "#/$defs/option"}, 2), "maxItems": 6},
        "remarks": many({"$ref": "#/$defs/remark"}),
        "varied": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "array", "minItems": 2}},
        "wrongs": many({"$ref": "#/$defs/wrong"}),
        "knobs": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "array", "minItems": 2}},
    }
    return {**forms, **{form: {"enum": list(words)} for form, words in WORDS.items()}}


def _closed(table: Table, forms: dict[str, Any] | None = None) -> dict[str, Any]:
    forms = forms or {"number": {"type": "number", "exclusiveMinimum": 0}}
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {k: {**forms[f.rstrip("!")], **({"description": doc} if doc else {})}
                       for k, (f, doc) in table.items()},
        "required": [key for key, (form, _) in table.items() if form.endswith("!")],
    }  # fmt: skip


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a lesson, for editors; what expressions mean only the loader checks."""
    forms = _forms()
    tables = {"run": RUN, "beat": BEAT, "look": LOOK, "predict": PREDICT, "option": OPTION, "number": NUMBER,
              "remark": REMARK, "order": ORDER, "item": ITEM, "point": POINT, "place": PLACE, "again": AGAIN,
              "task": TASK, "wrong": WRONG, "find": FIND, "rule": RULE}  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ixviz lesson",
        **_closed(LESSON, forms),
        "$defs": {name: _closed(table, forms) for name, table in tables.items()},
    }
