"""Totals of different systems side by side in a lesson: on the screen, as text, in the handout, and never of later."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from ixviz.cli.screens import ALL, opened
from ixviz.compare.totals import NAMES
from ixviz.draw.cells import plain
from ixviz.export.frame import Frames
from ixviz.lesson import Runs, Session, beside, load_lesson_text
from ixviz.lesson.check import check
from ixviz.lesson.leak import leaks
from ixviz.lesson.plain import run_plain
from ixviz.lesson.stops import Stops
from ixviz.scenario.messages import Problems
from ixviz.tui.frame import compose

LESSON = """\
language: 1
id: beside
title: Beside each other
minutes: {alone: 3}
runs:
  ix:
    scenario:
      machine: {cores: 2, nic: {ports: 1, rate: 10 Gbps}}
      system: {kind: ix}
      workload: {kind: poisson, rate: 200 K/s, flows: 16}
      run: {until: 1 ms, seed: 3}
  linux:
    scenario:
      machine: {cores: 2, nic: {ports: 1, rate: 10 Gbps}}
      system: {kind: linux}
      workload: {kind: poisson, rate: 200 K/s, flows: 16}
      run: {until: 1 ms, seed: 3}
beats:
  - id: far
    title: So far
    minutes: 1
    run: ix
    until: core0.batch == 20
    look: {view: totals, compare: [ix, linux]}
    say: The same packets come to both.
    predict:
      ask: How many packets will batch 21 of core 0 have?
      number:
        answer: core0.size
        unit: packets
        from: 0
        to: 64
        within: 0
      because:
        - {when: said >= 0, say: No.}
    reveal: core0.batch == 21
  - id: whole
    title: The whole run
    minutes: 1
    run: ix
    until: core0.batch == 25
    look: {view: totals, compare: [ix, linux]}
    predict:
      ask: How often does Linux cross for each crossing of IX?
      number:
        answer: linux.protection.crossings / ix.protection.crossings
        unit: times
        from: 0
        to: 99
        within: 20 %
      because:
        - {when: said >= 0, say: No.}
    reveal: end
    why: $(linux.coherence.transfers) transfers.
    expect:
      - linux.coherence.transfers > 100
      - linux.protection.copies > linux.packets.delivered
      - ix.protection.copies == 0
      - ix.packets.delivered > linux.packets.delivered
  - id: last
    title: The end
    minutes: 1
    run: linux
    until: end
    look: {view: totals, compare: [ix, linux]}
    say: $(protection.kernel_share as 0.01) of the time is the kernel's.
"""
TRACE = """\
language: 1
id: trace
title: A trace
minutes: {alone: 1}
runs: {trace: {scenario: coherence-trace}}
beats:
  - id: one
    title: One
    minutes: 1
    run: trace
    until: count(accesses) == 9
    say: $(count(accesses where outcome == transfer)) were transfers, the last by $(last(accesses).core).
    expect:
      - count(accesses where kind == write) >= 1
      - access(3).begins > access(2).begins
      - max(accesses.ends where id < 5) > access(1).begins
"""


def lesson(text: str = LESSON) -> object:
    return load_lesson_text(text)


def session(index: int, answered: bool = False) -> Session:
    made = lesson()
    session = Session(replace(made, beats=(made.beats[index],)), runs=Runs(made))
    if answered:
        session.skip()
    return session


def test_the_lesson_is_true_and_nothing_leaks_to_any_reader() -> None:
    made = lesson()
    assert [str(each) for each in check(made)] == []
    stops = Stops(Runs(made))
    for beat in made.beats[:2]:
        assert leaks(made, stops, beat, ALL) == []


def test_a_total_of_later_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def later(session: Session) -> list[object]:
        sims = [session.runs.recorded(run, 1_500) for run in beside.shown(session)]
        pictures = [beside.picture_of(sim) for sim in sims]
        ends = [p.moment(sim.history.cursor(1_400)) for p, sim in zip(pictures, sims, strict=True)]
        return beside.so_far(pictures, ends)

    monkeypatch.setattr("ixviz.lesson.plain.totals", later)
    made = lesson()
    found = leaks(made, Stops(Runs(made)), made.beats[0])
    assert any("--plain shows what comes after the stop" in each.message for each in found)


def test_so_far_they_are_those_of_the_stop_in_all_runs() -> None:
    asking = session(0)
    stop = asking.position.event
    assert stop is not None
    time = asking.simulation().history.event(stop).time
    for i, run in enumerate(("ix", "linux")):
        sim = asking.simulation(run)
        event = sim.history.event_at(time)
        assert asking.position_of(run).event == (stop if run == "ix" else event)
        [done] = [total for total in beside.totals(asking) if total.name == "done"]
        view = sim.history.cursor(event).view
        if done.values[i] is not None:
            assert done.values[i] == sum(view[t.name].done for t in sim.threads)


def test_app_text_and_handout_show_the_same_numbers() -> None:
    for index, answered in ((0, False), (1, False), (1, True), (2, False)):
        made = session(index, answered)
        numbers = beside.table(made, beside.totals(made))[1]
        assert len(numbers) == len(NAMES)
        handout = plain(Frames().frame(made)).splitlines()
        state = opened(made)
        shown = plain(compose(state, 80, 24).lines)
        out = io.StringIO()
        run_plain(session(index), io.StringIO("s\n"), out)
        for name, *values in numbers:
            [row] = [row for row in handout if row.startswith(name)]
            assert row.removeprefix(name).replace("≠", "").split() == " ".join(values).split()
            assert row.rstrip() in shown
            if not answered:
                words = " ".join(out.getvalue().split())
                assert f"{name}: ix {values[0]}, linux {values[1]}" in words


def test_at_the_end_they_are_of_whole_runs() -> None:
    made = session(2)
    heads, rows = beside.table(made, beside.totals(made))
    assert heads == ["the whole run", "ix", "linux"]
    got = [made.runs.metrics(run)["packets"]["delivered"] for run in ("ix", "linux")]
    [done] = [row for row in rows if row[0] == "packets done"]
    assert done[1:] == [str(n) for n in got]


def test_totals_want_runs_that_have_packets() -> None:
    with pytest.raises(Problems) as caught:
        lesson(LESSON.replace("look: {view: totals, compare: [ix, linux]}", "look: {view: totals}", 1))
    assert "totals are of the runs that compare names" in str(caught.value)
    text = TRACE.replace("    say:", "    look: {view: totals, compare: [trace]}\n    say:")
    assert any("trace has no packets" in str(each) for each in check(lesson(text)))


def test_the_accesses_of_a_trace_can_be_read() -> None:
    assert [str(each) for each in check(lesson(TRACE))] == []
    wrong = check(lesson(TRACE.replace("last(accesses).core", "last(packets).core")))
    assert any("accesses" in str(each) or "packets" in str(each) for each in wrong)


def test_a_figure_that_a_system_does_not_count_says_so() -> None:
    text = LESSON.replace("linux.coherence.transfers > 100", "ix.protection.spin_share > 0")
    assert any("ix does not count protection.spin_share" in str(each) for each in check(lesson(text)))
