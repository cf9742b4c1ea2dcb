"""From the nodes of a question to a Predict, a Task or a Find.

Invariant: a question that could not be read has left a message; one that could be read knows where each part stands.
"""

from __future__ import annotations

from collections.abc import Mapping

from ixviz.lesson import keys
from ixviz.lesson.expr import Kind
from ixviz.lesson.expr.units import UNITS
from ixviz.lesson.model import (
    Find,
    Formula,
    Item,
    NumberAnswer,
    Option,
    OrderAnswer,
    PointAnswer,
    Predict,
    Prose,
    Remark,
    Rule,
    Task,
    Text,
    Wrong,
)
from ixviz.lesson.reader import Reader, is_name
from ixviz.scenario.messages import cut, did_you_mean, shown
from ixviz.scenario.source import Node

KINDS = ("choose", "number", "order", "point")


class QuestionReader:
    """Reads what a beat asks; `picks` are the names that the beat binds."""

    def __init__(self, reader: Reader, picks: Mapping[str, Formula]) -> None:
        self.reader = reader
        self.picks = picks

    def action(self, got: Mapping[str, Node], key: str) -> Predict | Task | Find | None:
        """What a beat with these keys asks, if anything."""
        if "predict" in got:
            return self._predict(got["predict"], key)
        if "task" in got:
            return self._task(got["task"], key)
        return self._find(got["find"], key) if "find" in got else None

    # ------------------------------------------------------------------------------------------- predict
    def _predict(self, node: Node, key: str) -> Predict | None:
        read = self.reader
        got = read.keys(node, keys.PREDICT, key, "predict")
        choose = got.get("choose")
        kinds = [name for name in KINDS if name in got]
        if isinstance(node.value, dict) and len(kinds) != 1:
            read.wrong(node, key, f"a prediction is exactly one of {', '.join(KINDS)}", at_key=True)
        if "because" in got and kinds[:1] not in (["number"], ["order"]):
            where = "to each choice" if choose is not None else "inside point"
            read.wrong(got["because"], key, f"because belongs {where}", at_key=True)
        if "answer" in got and choose is None:
            read.wrong(got["answer"], key, "answer belongs inside number or point", at_key=True)
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
            number=self._number(got["number"], got.get("because"), key) if "number" in got else None,
            order=self._order(got["order"], got.get("because"), key) if "order" in got else None,
            point=self._point(got["point"], key) if "point" in got else None,
            hints=read.proses(got.get("hints"), key, "hints"),
            again=self._again(got.get("again"), key),
        )

    def _again(self, node: Node | None, key: str) -> dict[str, Node]:
        if node is None:
            return {}
        got = self.reader.keys(node, keys.AGAIN, key, "again")
        return self.reader.mapping(got["set"], key, "set") if "set" in got else {}

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
        remarks = self._remarks(because, key)
        if answer is None or low is None or high is None or within is None:
            return None
        relative = str(got["within"].value).rstrip().endswith("%")
        if not relative and within.kind is not kind:
            read.wrong(got["within"], key, f"within is a share, as in 50 %, or in {unit}")
        return NumberAnswer(answer, unit, low, high, within, relative, remarks)

    def _remarks(self, node: Node | None, key: str) -> tuple[Remark, ...]:
        read, found = self.reader, []
        for item in read.items(node, key, "because"):
            part = read.keys(item, keys.REMARK, key, "a remark")
            when, say = read.formula(part.get("when"), key), read.prose(part.get("say"), key, "say")
            if when is not None and say is not None:
                found.append(Remark(when, say))
        return tuple(found)

    def _order(self, node: Node, because: Node | None, key: str) -> OrderAnswer | None:
        read = self.reader
        got = read.keys(node, keys.ORDER, key, "order")
        by = read.text(got.get("by"), key, "by")
        items: list[Item] = []
        for each in read.items(got.get("items"), key, "items", 2, 6):
            item = self._item(each, by, key)
            if item is None:
                continue
            if item.name and item.name in [other.name for other in items]:
                read.wrong(each, key, f"{cut(item.name)} is there already")
            items.append(item)
        return OrderAnswer(tuple(items), self._remarks(because, key)) if len(items) > 1 else None

    def _item(self, node: Node, by: str, key: str) -> Item | None:
        read = self.reader
        if not isinstance(node.value, dict):
            text = read.text(node, key, "an item")
            if text and not by:
                read.wrong(node, key, f"{cut(text)}: without `by` an item is a mapping with say and value")
            value = read.formula(node, key, f"{text}.{by}") if text and by else None
            return None if value is None else Item(read.place(node, key), text, value)
        got = read.keys(node, keys.ITEM, key, "an item")
        name = read.text(got.get("name"), key, "name")
        if name and not is_name(name):
            read.wrong(got["name"], key, f"{cut(name)} is no name: letters, digits and _, a letter first")
        value, say = read.formula(got.get("value"), key), read.prose(got.get("say"), key, "say")
        return None if value is None or say is None else Item(read.place(node, key), name, value, say)

    def _point(self, node: Node, key: str) -> PointAnswer | None:
        read = self.reader
        got = read.keys(node, keys.POINT, key, "point")
        among = self._among(got.get("among"), key)
        because: dict[str, Prose] = {}
        for item in read.items(got.get("because"), key, "because"):
            part = read.keys(item, keys.PLACE, key, "a place")
            at, say = read.text(part.get("at"), key, "at"), read.prose(part.get("say"), key, "say")
            if at and at not in among:
                read.wrong(part["at"], key, f"{cut(at)} is not in among{did_you_mean(at, among)}")
            if say is not None:
                because[at] = say
        answer = read.formula(got.get("answer"), key)
        return None if answer is None or len(among) < 2 else PointAnswer(among, answer, because)

    def _among(self, node: Node | None, key: str) -> tuple[str, ...]:
        found = tuple(Text(self.reader.text(each, key, "each of among"), self.reader.place(each, key))
                      for each in self.reader.items(node, key, "among", 2, 6))  # fmt: skip
        for i, name in enumerate(found):
            if name and name in found[:i] and node is not None:
                self.reader.wrong(node, key, f"{cut(name)} is there twice", at_key=True)
        return found

    # ------------------------------------------------------------------------------------------- find
    def _find(self, node: Node, key: str) -> Find | None:
        read = self.reader
        got = read.keys(node, keys.FIND, key, "find")
        rules: list[Rule] = []
        for item in read.items(got.get("rules"), key, "rules", 2, 6):
            part = read.keys(item, keys.RULE, key, "a rule")
            fault, say = read.text(part.get("fault"), key, "fault"), read.prose(part.get("say"), key, "say")
            if fault and fault in [rule.fault for rule in rules]:
                read.wrong(part["fault"], key, f"{cut(fault)} is there already")
            if fault and say is not None:
                because = read.prose(part.get("because"), key, "because")
                rules.append(Rule(read.place(item, key), fault, say, because))
        ask, among = read.prose(got.get("ask"), key, "ask"), self._among(got.get("among"), key)
        if ask is None or len(among) < 2 or len(rules) < 2:
            return None
        return Find(read.place(node, key), ask, among, tuple(rules), read.proses(got.get("hints"), key, "hints"))

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
