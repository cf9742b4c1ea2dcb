"""The leak test: while a question is open, two machines that differ only after its stop must look the same.

Invariant: whatever a reader makes of a session may depend on what happened up to the stop, on what `given` names and on
the values of choices; a question for which no other future could be made counts as untested, not as passed.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.model import Beat, Lesson, LessonError, Predict
from ixviz.lesson.phase import Phase
from ixviz.lesson.plain import Plain
from ixviz.lesson.session import Session
from ixviz.lesson.stops import Stops
from ixviz.lesson.twins import Asking, NoTwin, fixed, twins
from ixviz.scenario.messages import Problem, cut

# What can be read of a session whose question is open: pairs of what it is and its text.
Reader = Callable[[Session], Iterable[tuple[str, str]]]


def texts(session: Session) -> Iterator[tuple[str, str]]:
    """All that a session says, with every hint, to an answer that is none, and when it shall go on."""
    yield "the text", repr(session.texts())
    while hint := session.hint():
        yield "a hint", hint
    yield "the text", repr(session.texts())
    yield "what is said to an unusable answer", repr((session.answer("?"), session.answer("")))
    yield "where it goes on", repr((session.go_on(), session.go_to(session.index), session.wanted, session.score))


class _Enough(Exception):
    """Nothing more is typed."""


class _Typed(io.StringIO):
    """A standard input whose end is no end, at which a lesson would go on by itself."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """See io.StringIO."""
        line = super().readline(size)
        if not line:
            raise _Enough
        return line


def plain(session: Session) -> Iterator[tuple[str, str]]:
    """The lesson as text, up to the answer."""
    out = io.StringIO()
    hints = session.beat.action.hints if session.beat.action is not None else ()
    with suppress(_Enough):
        Plain(session, _Typed("?\n" + "h\n" * (len(hints) + 1) + "99 zz\n"), out).beat()
    yield "--plain", out.getvalue()


READERS: tuple[Reader, ...] = (texts, plain)


def leaks(lesson: Lesson, stops: Stops, beat: Beat, readers: Sequence[Reader] = READERS) -> list[Problem]:
    """What is shown of the future while this beat's question is open, at most one finding a reader."""
    if not isinstance(beat.action, Predict) or not readers:
        return []
    try:
        later = BeatEnv(stops, beat, stops.reveal(beat))
        held = fixed(beat, later)
        other = replace(lesson, beats=tuple(held if each.id == beat.id else each for each in lesson.beats))
        for there in twins(lesson, stops, beat):
            try:
                return _leaks((lesson, stops, beat), (other, there, held, later), readers)
            except NoTwin:
                continue
    except LessonError:
        return []  # told by the check that evaluates it
    return [beat.place.problem("the leak test found no other future for this beat: it is untested")]


def _leaks(one: tuple[Any, ...], other: tuple[Any, ...], readers: Sequence[Reader]) -> list[Problem]:
    found = []
    for reader in readers:
        pair = Asking(*one), Asking(*other)
        for session in pair:
            session.prepare()
        found += _differing(reader, *pair)
    return found


def _differing(reader: Reader, one: Asking, other: Asking) -> list[Problem]:
    action = one.beat.action
    assert action is not None
    for mine, others in zip_longest(_read(reader, one), _read(reader, other)):
        if mine != others:
            what = (mine or others or ("",))[0]
            here, there = _first_difference(mine, others)
            return [action.place.problem(f"leak: before the answer {what} shows what comes after the stop: "
                                         f'"{cut(here)}", with another future "{cut(there)}"')]  # fmt: skip
    for session in (one, other):
        if session.phase is not Phase.ASKING or session.beat.id in session.results:
            return [action.place.problem("leak: something else than an answer or a skip passes the question")]
    return []


def _read(reader: Reader, session: Session) -> Iterator[tuple[str, str]]:
    """What a reader yields; an author's mistake is a text, too."""
    try:
        yield from reader(session)
    except LessonError as error:
        yield "a text", str(error)


def _first_difference(mine: tuple[str, str] | None, others: tuple[str, str] | None) -> tuple[str, str]:
    lines = [each[1].split("\n") if each is not None else [] for each in (mine, others)]
    return next(((a.strip(), b.strip()) for a, b in zip_longest(*lines, fillvalue="") if a != b), ("", ""))


__all__ = ["READERS", "Reader", "leaks", "plain", "texts"]
