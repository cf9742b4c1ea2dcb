"""From the nodes of a beat to a Beat.

Invariant: what is wrong with one beat hides nothing that is wrong with another.
"""

from __future__ import annotations

from collections.abc import Mapping

from ixviz.lesson import keys
from ixviz.lesson.model import Beat, Formula, Look, Text
from ixviz.lesson.questions import QuestionReader
from ixviz.lesson.reader import Reader, is_name, is_word
from ixviz.scenario.messages import cut, did_you_mean
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
        predict = got.get("predict")
        asked = [got[name] for name in ("predict", "task", "find") if name in got]
        if len(asked) > 1:
            read.wrong(asked[1], key, "a beat has at most one of predict, task and find", at_key=True)
        until, reveal = self._stop(got.get("until"), key), self._stop(got.get("reveal"), key)
        if predict is not None and "reveal" not in got:
            read.wrong(predict, key, "a prediction needs reveal", at_key=True)
        if predict is None and "reveal" in got:
            read.wrong(got["reveal"], key, "reveal belongs to predict, there is none", at_key=True)
        if predict is not None and until == "end":
            read.wrong(got["until"], key, "at the end nothing is left to be predicted")
        if reveal == "start":
            read.wrong(got["reveal"], key, "a reveal comes after the stop")
        picks = self._lets(got.get("pick"), key, "pick")
        question = QuestionReader(read, picks)
        action = question.action(got, key)
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
            let=self._lets(got.get("let"), key, "let", picks),
            pick=picks,
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

    def _lets(self, node: Node | None, key: str, what: str, taken: Mapping[str, object] | None = None
              ) -> dict[str, Formula]:  # fmt: skip
        if node is None:
            return {}
        found = {}
        for name, inner in self.reader.mapping(node, key, what).items():
            if name in _RESERVED or name in self.runs or name in (taken or ()) or not is_name(name):
                why = "is a word of expressions" if is_word(name) else "is none" if not is_name(name) else "is taken"
                self.reader.wrong(inner, key, f"{cut(name)} cannot be a name in {what}: it {why}", at_key=True)
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
        view = read.word(got.get("view"), key, "view") or "machine"
        if view == "totals" and "compare" not in got:
            read.wrong(got["view"], key, "totals are of the runs that compare names, and it names none")
        return Look(
            view=view,
            mark=read.texts(got.get("mark"), key, "mark"),
            label=read.texts(got.get("label"), key, "label"),
            of=self._of(got.get("of"), key),
            runs=read.texts(got.get("runs"), key, "runs"),
            compare=read.texts(got.get("compare"), key, "compare"),
            align=read.word(got.get("align"), key, "align"),
            line=read.quantity(got.get("line"), key, "line"),
        )

    def _of(self, node: Node | None, key: str) -> str:
        return "" if node is None else Text(self.reader.text(node, key, "of"), self.reader.place(node, key))
