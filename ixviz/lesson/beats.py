"""From the nodes of a beat to a Beat.

Invariant: what is wrong with one beat hides nothing that is wrong with another.
"""

from __future__ import annotations

from collections.abc import Mapping

from ixviz.lesson import keys
from ixviz.lesson.expr import Kind
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.model import (
    Beat,
    Formula,
    Look,
    NumberAnswer,
    Option,
    Predict,
    Remark,
    Task,
    Wrong,
)
from ixviz.lesson.reader import Reader
from ixviz.scenario.messages import did_you_mean, shown
from ixviz.scenario.source import Node

_RESERVED = {"answer", "said", "mine"}


class BeatReader:
    """Reads beats; `runs` are the names of the lesson's machines."""

    def __init__(self, reader: Reader, runs: Mapping[str, object]) -> None:
        self.reader = reader
        self.runs = runs

    def beat(self, node: Node, number: int) -> Beat:
        """The beat of a node; of a broken one as much as could be read."""
        read = self.reader
        given = node.get("id")
        key = f"beat {given.value}" if given is not None and isinstance(given.value, str) else f"beats[{number}]"
        got = read.keys(node, keys.BEAT, key, "a beat")
        predict, task = got.get("predict"), got.get("task")
        if predict is not None and task is not None:
            read.wrong(task, key, "a beat has at most one of predict and task", at_key=True)
        until, reveal = self._stop(got.get("until"), key), self._stop(got.get("reveal"), key)
        if predict is not None and "reveal" not in got:
            read.wrong(predict, key, "a prediction needs reveal", at_key=True)
        if predict is None and "reveal" in got:
            read.wrong(got["reveal"], key, "reveal belongs to predict, there is none", at_key=True)
        if predict is not None and until == "end":
            read.wrong(got["until"], key, "at the end nothing is left to be predicted")
        if reveal == "start":
            read.wrong(got["reveal"], key, "a reveal comes after the stop")
        action = self._predict(predict, key) if predict is not None else self._task(task, key) if task else None
        expect = [read.formula(item, key) for item in read.items(got.get("expect"), key, "expect")]
        return Beat(
            id=read.id(got.get("id"), key),
            place=read.place(node, key),
            title=read.text(got.get("title"), key, "title"),
            minutes=read.number(got.get("minutes"), key, "minutes"),
            run=self._run(got.get("run"), key),
            until=until or "start",
            reveal=reveal,
            say=read.prose(got.get("say"), key, "say"),
            route=read.word(got.get("route"), key, "route") or None,
            look=self._look(got.get("look"), key) or Look(),
            show=self._look(got.get("show"), key),
            given=read.texts(got.get("given"), key, "given"),
            let=self._lets(got.get("let"), key),
            expect=tuple(each for each in expect if each is not None),
            why=read.prose(got.get("why"), key, "why"),
            leaves_out=read.text(got.get("leaves_out"), key, "leaves_out"),
            notes=read.text(got.get("notes"), key, "notes"),
            sources=read.texts(got.get("sources"), key, "sources"),
            action=action,
        )

    def _run(self, node: Node | None, key: str) -> str:
        name = self.reader.text(node, key, "run")
        if name and node is not None and name not in self.runs:
            self.reader.wrong(node, key, f"there is no run {name}{did_you_mean(name, self.runs)}")
        return name

    def _stop(self, node: Node | None, key: str) -> Formula | str | None:
        if node is not None and node.value in ("start", "end"):
            return str(node.value)
        return self.reader.formula(node, key)

    def _lets(self, node: Node | None, key: str) -> dict[str, Formula]:
        if node is None:
            return {}
        found = {}
        for name, inner in self.reader.mapping(node, key, "let").items():
            if name in _RESERVED or name in self.runs or not name.isidentifier():
                self.reader.wrong(inner, key, f"{name} cannot be the name of an abbreviation", at_key=True)
            formula = self.reader.formula(inner, key)
            if formula is not None:
                found[name] = formula
        return found

    def _look(self, node: Node | None, key: str) -> Look | None:
        if node is None:
            return None
        read = self.reader
        got = read.keys(node, keys.LOOK, key, "look")
        for part in ("runs", "compare"):
            for item in read.items(got.get(part), key, part):
                self._run(item, key)
        return Look(
            view=read.word(got.get("view"), key, "view") or "machine",
            mark=read.texts(got.get("mark"), key, "mark"),
            label=read.texts(got.get("label"), key, "label"),
            of=read.text(got.get("of"), key, "of"),
            runs=read.texts(got.get("runs"), key, "runs"),
            compare=read.texts(got.get("compare"), key, "compare"),
            align=read.word(got.get("align"), key, "align"),
            line=read.quantity(got.get("line"), key, "line"),
        )

    # ------------------------------------------------------------------------------------------- predict
    def _predict(self, node: Node, key: str) -> Predict | None:
        read = self.reader
        got = read.keys(node, keys.PREDICT, key, "predict")
        choose, number = got.get("choose"), got.get("number")
        later = isinstance(node.value, dict) and ("order" in node.value or "point" in node.value)
        if isinstance(node.value, dict) and (choose is None) is (number is None) and not later:
            read.wrong(node, key, "a prediction is exactly one of choose and number", at_key=True)
        if "because" in got and number is None:
            read.wrong(got["because"], key, "because belongs to each choice", at_key=True)
        if "answer" in got and choose is None:
            read.wrong(got["answer"], key, "answer belongs inside number", at_key=True)
        answer = read.formula(got.get("answer"), key)
        options = [self._option(item, key, "answer" in got) for item in read.items(choose, key, "choose", 2, 6)]
        ask = read.prose(got.get("ask"), key, "ask")
        if ask is None:
            return None
        return Predict(
            place=read.place(node, key),
            ask=ask,
            options=tuple(options),
            answer=answer,
            number=self._number(number, got.get("because"), key) if number is not None else None,
            hints=read.proses(got.get("hints"), key, "hints"),
        )

    def _option(self, node: Node, key: str, by_value: bool) -> Option:
        read = self.reader
        got = read.keys(node, keys.OPTION, key, "a choice")
        needed = ("is",) if by_value else ("say", "when")
        for name in needed:
            if name not in got and isinstance(node.value, dict):
                why = "because there is an answer" if by_value else "because there is no answer to equal"
                read.wrong(node, key, f"this choice needs {name}, {why}")
        for name in ("when",) if by_value else ("is",):
            if name in got:
                read.wrong(got[name], key, f"{name} {'with' if by_value else 'without'} an answer", at_key=True)
        return Option(
            place=read.place(node, key),
            say=read.prose(got.get("say"), key, "say"),
            when=read.formula(got.get("when"), key),
            is_=read.formula(got.get("is"), key),
            because=read.prose(got.get("because"), key, "because"),
        )

    def _number(self, node: Node, because: Node | None, key: str) -> NumberAnswer | None:
        read = self.reader
        got = read.keys(node, keys.NUMBER, key, "number")
        answer, unit = read.formula(got.get("answer"), key), read.text(got.get("unit"), key, "unit")
        low, high = (read.quantity(got.get(name), key, name) for name in ("from", "to"))
        within = read.quantity(got.get("within"), key, "within")
        kind = UNITS[unit].kind if unit in UNITS else Kind.NUMBER
        for name, value in (("from", low), ("to", high)):
            if value is not None and value.kind is not kind:
                read.wrong(got[name], key, f"{name} is not in {unit}")
        if low is not None and high is not None and low.kind is high.kind and low.data >= high.data:
            read.wrong(got["to"], key, "to is not above from")
        remarks = []
        for item in read.items(because, key, "because"):
            part = read.keys(item, keys.REMARK, key, "a remark")
            when, say = read.formula(part.get("when"), key), read.prose(part.get("say"), key, "say")
            if when is not None and say is not None:
                remarks.append(Remark(when, say))
        if answer is None or low is None or high is None or within is None:
            return None
        relative = str(got["within"].value).rstrip().endswith("%")
        if not relative and within.kind is not kind:
            read.wrong(got["within"], key, f"within is a share, as in 50 %, or in {unit}")
        return NumberAnswer(answer, unit, low, high, within, relative, tuple(remarks))

    # ------------------------------------------------------------------------------------------- task
    def _task(self, node: Node, key: str) -> Task | None:
        read = self.reader
        got = read.keys(node, keys.TASK, key, "task")
        knobs: dict[str, tuple[Node, ...]] = {}
        if "knobs" in got:
            for name, inner in read.mapping(got["knobs"], key, "knobs").items():
                knobs[name] = tuple(read.items(inner, key, "a knob", 2))
        extreme: dict[str, str | None] = {}
        for name in ("smallest", "largest"):
            extreme[name] = read.text(got.get(name), key, name) or None
            if extreme[name] is not None and extreme[name] not in knobs:
                read.wrong(got[name], key, f"{name} names a knob{did_you_mean(str(extreme[name]), knobs)}")
        solutions = [self._values(item, knobs, key) for item in read.items(got.get("solutions"), key, "solutions")]
        wrong = []
        for item in read.items(got.get("wrong"), key, "wrong"):
            part = read.keys(item, keys.WRONG, key, "a wrong one")
            because = read.prose(part.get("because"), key, "because")
            if "set" in part and because is not None:
                wrong.append(Wrong(read.place(item, key), self._values(part["set"], knobs, key), because))
        ask, holds = read.prose(got.get("ask"), key, "ask"), read.formula(got.get("holds"), key)
        if ask is None or holds is None:
            return None
        return Task(
            place=read.place(node, key), ask=ask, knobs=knobs, holds=holds, solutions=tuple(solutions),
            wrong=tuple(wrong), hints=read.proses(got.get("hints"), key, "hints"), **extreme,
        )  # fmt: skip

    def _values(self, node: Node, knobs: Mapping[str, tuple[Node, ...]], key: str) -> dict[str, Node]:
        found = self.reader.mapping(node, key, "set")
        for name, value in found.items():
            if name not in knobs:
                self.reader.wrong(value, key, f"no knob {name}{did_you_mean(name, knobs)}", at_key=True)
            elif value.plain() not in [each.plain() for each in knobs[name]]:
                self.reader.wrong(value, key, f"{shown(value.value, value.spelling)} is no value of this knob")
        return found
