"""What is kept of a lesson: the answers that count, where the learner is, and the beats as they were last seen.

Invariant: `merge` loses no answer: the first one to a question stays, and a skip is none: it gives way to an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

VERSION = 1
KINDS = ("right", "wrong", "skipped")
_WORTH = {"": 0, "skipped": 1, "wrong": 2, "right": 3}


@dataclass(frozen=True, slots=True)
class Answer:
    """The first answer to a question, or that it was skipped.

    `result` and `reviewed` (what came of it when it was asked once more, "" if it was not) are right, wrong or skipped.
    `said` is the answer as Session.answer takes it, "" for a skip. `fingerprint` is that of the question.
    """

    result: str
    said: str = ""
    fingerprint: str = ""
    reviewed: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """A beat of the lesson as it was last seen; `fingerprint` is that of its question, "" where nothing is asked."""

    id: str
    title: str
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The progress of a lesson. `at` is the beat where the learner is, None behind the end.

    `done`: the end was reached once. `answers` also holds those to questions that are gone or were changed.
    """

    title: str = ""
    order: tuple[Head, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict)
    at: str | None = None
    done: bool = False

    @property
    def questions(self) -> tuple[Head, ...]:
        """The beats that ask something."""
        return tuple(head for head in self.order if head.fingerprint)

    @property
    def counted(self) -> dict[str, Answer]:
        """The answers whose question is still the one that was answered, by beat, in the lesson's order."""
        kept = ((head, self.answers.get(head.id)) for head in self.questions)
        return {head.id: a for head, a in kept if a is not None and a.fingerprint == head.fingerprint}

    def count(self, result: str) -> int:
        """How many answers that count are right, wrong or skipped."""
        return sum(answer.result == result for answer in self.counted.values())

    @property
    def to_review(self) -> int:
        """How many wrong ones were not yet right when they were asked once more."""
        return sum(a.result == "wrong" and a.reviewed != "right" for a in self.counted.values())

    @property
    def open(self) -> int:
        """How many questions were neither answered nor skipped."""
        return len(self.questions) - len(self.counted)

    @property
    def finished(self) -> bool:
        """Whether the learner was behind the end when the lesson was left."""
        return self.done and self.at is None

    @property
    def next(self) -> int:
        """The index of the beat to go on with: where the learner was, but no question that is answered already."""
        ids, counted = [head.id for head in self.order], self.counted
        if self.at in ids:
            here = ids.index(self.at)
        else:
            here = next((i for i, head in enumerate(self.order) if head.fingerprint and head.id not in counted), 0)
        while here + 1 < len(ids) and ids[here] in counted:
            here += 1
        return here


def merge(old: Record | None, new: Record) -> Record:
    """`old`, and what came since: `new` says where the learner is and what the lesson looks like."""
    if old is None:
        return new
    answers = dict(old.answers)
    for beat, answer in new.answers.items():
        answers[beat] = merged(answers.get(beat), answer)
    return replace(new, answers=answers, done=old.done or new.done)


def merged(old: Answer | None, new: Answer) -> Answer:
    """Which of two answers to a beat stays; that a wrong one was right later shows as `reviewed`."""
    if old is None or old.fingerprint != new.fingerprint:
        return new
    if old.result == "skipped" and new.result != "skipped":
        old, new = new, old
    if old.result != "wrong":
        return old
    later = (old.reviewed, new.reviewed, "right" if new.result == "right" else "")
    return replace(old, reviewed=max(later, key=_WORTH.__getitem__))


def to_json(lesson: str, record: Record) -> dict[str, Any]:
    """The record as the file holds it."""
    beats = {}
    for beat, a in record.answers.items():
        beats[beat] = {"result": a.result, "said": a.said, "fingerprint": a.fingerprint}
        if a.reviewed:
            beats[beat]["reviewed"] = a.reviewed
    order = [{"id": h.id, "title": h.title, "fingerprint": h.fingerprint} for h in record.order]
    return {"version": VERSION, "lesson": lesson, "title": record.title, "at": record.at, "done": record.done,
            "order": order, "beats": beats}  # fmt: skip


def from_json(data: Any) -> Record:
    """The record of what a file of this version holds. ValueError for anything else."""
    try:
        order = tuple(Head(_str(h["id"]), _str(h["title"]), _str(h["fingerprint"])) for h in _list(data["order"]))
        answers = {_str(beat): _answer(a) for beat, a in data["beats"].items()}
        at, done = data["at"], data["done"]
        if not (at is None or isinstance(at, str)) or not isinstance(done, bool):
            raise ValueError("at or done")
        return Record(_str(data["title"]), order, answers, at, done)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the progress of a lesson: {error!r}") from None


def _answer(data: Any) -> Answer:
    answer = Answer(data["result"], _str(data["said"]), _str(data["fingerprint"]), data.get("reviewed", ""))
    if answer.result not in KINDS or answer.reviewed not in ("", *KINDS):
        raise ValueError("result")
    return answer


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("text is wanted")
    return value


def _list(value: Any) -> Iterable[Any]:
    if not isinstance(value, list):
        raise ValueError("a list is wanted")
    return value


__all__ = ["KINDS", "VERSION", "Answer", "Head", "Record", "from_json", "merge", "merged", "to_json"]
