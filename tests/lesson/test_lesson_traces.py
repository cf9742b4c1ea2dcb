"""Lessons about a trace of memory accesses: lines by name, another future for the leak test, marks that are views.
Invariant: what is hidden of a trace while a question is open is hidden of a trace whose rest is another, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ixviz.lesson import Runs, Session, load_lesson, load_lesson_text
from ixviz.lesson.check import check
from ixviz.lesson.leak import leaks
from ixviz.lesson.model import Lesson
from ixviz.lesson.stops import Stops
from ixviz.lesson.twins import twins

TEXT = """\
language: 1
id: lines
title: Lines
minutes: {alone: 1}
runs: {trace: {scenario: coherence-trace}}
beats:
  - id: next
    title: Next
    minutes: 1
    run: trace
    until: count(accesses) == 8
    look: {mark: [line40]}
    say: $(count(accesses where line == line40)) accesses, the last to $(last(accesses).line).
    predict:
      ask: Where will the next line come from?
      choose:
        - {say: A cache., when: access(9).outcome == transfer, because: It is in none.}
        - {say: Memory., when: access(9).outcome == memory}
    reveal: count(accesses) == 9
    why: It was $(access(9).line).
    expect:
      - access(9).line == line80 and access(1).line == line40
"""


def made(text: str = TEXT) -> Lesson:
    return load_lesson_text(text)


def told(text: str) -> list[str]:
    return [str(each) for each in check(made(text))]


def test_a_line_is_called_as_its_component_is() -> None:
    assert told(TEXT) == []
    assert any("line41" in each for each in told(TEXT.replace("where line == line40", "where line == line41")))


@pytest.mark.parametrize("stop", ["start", "count(accesses) == 8"])
def test_another_future_begins_behind_the_stop(stop: str) -> None:
    lesson = made(TEXT.replace("count(accesses) == 8", stop))
    stops = Stops(Runs(lesson))
    [beat] = lesson.beats
    there = next(twins(lesson, stops, beat))
    one, other = (each.runs.recorded("trace", 60).table("accesses").columns for each in (stops, there))
    done = 0 if stop == "start" else 8
    rows = [[tuple(table[name].values[i] for name in ("core", "kind")) for i in range(57)] for table in (one, other)]
    assert rows[0][:done] == rows[1][:done] and rows[0][done:] != rows[1][done:]
    assert (one["outcome"].values[:done] == other["outcome"].values[:done]).all()
    wholes = [each.runs.metrics("trace")["coherence"]["transfers"] for each in (stops, there)]
    assert wholes[0] != wholes[1]


def test_what_a_trace_does_next_would_be_caught() -> None:
    lesson = made()

    def reader(session: Session) -> Iterator[tuple[str, str]]:
        sim = session.runs.recorded("trace", 20)
        yield "a panel", str(sim.accesses.outcome[10])

    assert any("a panel" in each.message for each in leaks(lesson, Stops(Runs(lesson)), lesson.beats[0], (reader,)))


def test_a_view_of_the_machine_can_be_marked() -> None:
    """`cache lines` is no component, but shown when it is marked. Nothing else is."""
    lesson = load_lesson("lessons/03-coherence-free")
    last = lesson.beats[-1]
    assert last.look.mark == ("cache lines",)
    assert [str(each) for each in check(replace(lesson, beats=(last,))) if "mark" in each.message] == []
    wrong = told(TEXT.replace("[line40]", "[cache line]"))
    assert any("there is no component or pick cache line" in each for each in wrong)
