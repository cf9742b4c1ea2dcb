"""The screen knows no system: what it says of one comes from that system's picture."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import ixviz
from ixviz.draw.cells import plain
from ixviz.export import handout, markdown
from ixviz.export.frame import Frames
from ixviz.lesson import Session, load_lesson_text
from ixviz.scenario.load import bundled, load
from ixviz.tui import actions
from ixviz.tui.frame import compose
from ixviz.tui.opening import state_of
from ixviz.tui.search import break_at, find, follow, what_if

ROOMS = ("tui", "export")
# Words of one system, or of machines with packets, which not every system has.
COMPARE = "compare"  # what is about comparisons is about packets, which the systems there have in common
OWN = re.compile(r"\b(ix|linux|mtcp|trace|doorbell|batch(es)?|polls?|packets?|nic|rxlist|napi|softirq|turns?)\b", re.I)
# Names in files and of the language of lessons, which no one reads on the screen.
NAMES = {"packet", "Packet", "batch", "batches.size"}


def literals(path: Path) -> set[str]:
    """The strings of a module, but for its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    return {n.value for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs}  # fmt: skip


def test_no_word_of_a_system_stands_in_the_screen_or_the_exports() -> None:
    files = [path for room in ROOMS for path in (Path(ixviz.__file__).parent / room).rglob("*.py")]
    own = [path for path in files if not path.name.startswith(COMPARE)]
    found = {f"{path.name}: {text}" for path in own for text in literals(path) - NAMES
             if OWN.search(text) and COMPARE not in text}  # fmt: skip
    assert len(own) > 40 and not found


def opened(name: str) -> Any:
    return state_of(load(bundled(name)))


@pytest.fixture(scope="module")
def trace() -> Any:
    return opened("coherence-trace")


@pytest.fixture(scope="module")
def linux() -> Any:
    return opened("linux-memcached-usr")


@pytest.fixture
def ix() -> Any:
    return opened("ix-one-core")


def shown(state: Any, width: int = 80, height: int = 24) -> str:
    return plain(compose(state, width, height).lines)


def test_a_trace_is_told_in_accesses(trace: Any) -> None:
    trace.tab, trace.step = "Packet", 3
    text = shown(trace)
    assert "[Access]" in text and "Access 1 " in text and "step: line" in text and "step size line follows it" in text
    assert "p access" in shown(trace, 120, 36).splitlines()[-1]
    assert "packet" not in text.lower() and "batch" not in text
    assert "number of the access" in str(follow(trace, "nine"))
    assert "no access 999999 has been made yet" in str(follow(trace, "999999"))
    assert find(trace, "access 3") is None and find(trace, "packet 3") is not None
    assert "no access 999,999 has been made" in str(find(trace, "access 999999"))
    trace.tab, trace.step, trace.found = "Now", 0, ""


def test_the_words_of_the_keys_are_the_systems(trace: Any, ix: Any) -> None:
    trace.help = ix.help = True
    one, other = shown(trace, 100, 90), shown(ix, 100, 90)
    trace.help = False
    assert "why did this access take so long" in one and "why did this packet leave so late" in other
    assert "larger steps: event, bus, transfer, line" in one and "larger steps: event, stage, batch, packet" in other
    assert "doorbell" in other and "doorbell" not in one and "modified: this copy is the only one" in one


def test_a_line_to_type_gives_an_example_of_this_system(trace: Any, linux: Any, ix: Any) -> None:
    for state, knob, condition in ((trace, "system.protocol=moesi", "cache0.transfers >= 2"),
                                   (linux, "system.budget=1", "nic.q0.depth >= 2"),
                                   (ix, "system.batch_bound=1", "nic.q0.depth >= 5")):  # fmt: skip
        actions.what_if(state)
        assert state.prompt.ask == f"what if ({knob})" and knob in str(what_if(state, ""))
        actions.break_at(state)
        assert condition in state.prompt.ask and condition in str(break_at(state, "", 1))
        state.prompt = None


def test_every_knob_that_is_offered_can_be_turned(trace: Any, linux: Any, ix: Any) -> None:
    for state in (trace, linux, ix):
        state.tab = "What if"
        offered = state.branch.knobs()
        text = shown(state, 100, 40)
        assert offered and all(f"{k.key}={k.value}" in text and k.words in text for k in offered)
        for knob in offered:
            state.current = 0
            assert what_if(state, f"{knob.key}={knob.value}") is None, knob
        assert "mean and p99: from " in shown(state, 120, 36)
        del state.branches[1:]
        state.current, state.tab = 0, "Now"


def test_branches_are_compared_in_the_systems_words(trace: Any, linux: Any, ix: Any) -> None:
    heads = {}
    for name, state in (("trace", trace), ("linux", linux), ("ix", ix)):
        moment = state.branch.moment
        heads[name] = [title for title, _ in state.branch.picture.compared(moment)]
    assert heads == {"trace": ["accesses", "transfers", "mean", "p99"], "linux": ["arrived", "polls", "mean", "p99"],
                     "ix": ["arrived", "batches", "mean", "p99"]}  # fmt: skip
    assert ix.branch.picture.compared_note == (
        "mean and p99: from ring to doorbell, of the last 2,000 packets that left")  # fmt: skip
    assert trace.branch.picture.compared_note.endswith("of the last 2,000 accesses that are done")
    trace.go(3)
    assert dict(trace.branch.picture.compared(trace.branch.moment))["p99"] == "79.17 ns"


def test_a_scenario_without_a_rate_offers_none(linux: Any) -> None:
    assert "workload.rate" in {knob.key for knob in linux.branch.knobs()}
    timed = opened("queue-md1")
    assert {k.key for k in timed.branch.knobs()} <= {k.key for k in timed.branch.picture.knobs}


def test_short_times_are_told_in_ns(trace: Any) -> None:
    trace.go(trace.branch.picture.opening())
    trace.tab = "Why"
    text = shown(trace)
    trace.tab = "Now"
    assert "79.17 ns  in all" in text


TWO = """\
language: 1
id: two
title: Two systems
minutes: {alone: 2}
runs:
  tux:
    scenario:
      machine: {cores: 1, nic: {queues: 1}}
      system: {kind: linux, budget: 4}
      workload: {kind: timed, packets: [{from: 2 us, every: 20 us, count: 20}]}
      run: {until: 1 ms}
  bench:
    scenario:
      machine: {cores: 1, nic: {queues: 1}}
      system: {kind: ix}
      workload: {kind: timed, packets: [{from: 2 us, every: 20 us, count: 20}]}
      run: {until: 1 ms}
beats:
  - id: figures
    title: Both
    minutes: 1
    run: tux
    until: end
    look: {view: chart, of: latency, runs: [tux, bench]}
    say: Both are done.
  - id: bars
    title: Bars
    minutes: 1
    run: tux
    until: end
    look: {view: chart, of: requests.completed, runs: [tux, bench]}
    say: Both are done.
  - id: beside
    title: Side by side
    minutes: 1
    run: tux
    until: count(packets) == 3
    look: {compare: [tux, bench]}
    say: Both have the same time.
  - id: sizes
    title: Sizes
    minutes: 1
    run: tux
    until: end
    look: {view: chart, of: batches.size, runs: [tux]}
    say: Both are done.
"""


def test_figures_of_runs_are_told_in_the_words_of_each_system() -> None:
    lesson = load_lesson_text(TWO)
    page = markdown.render(handout.handout(lesson))
    assert "tux, NAPI budget 4" in page and "bench, B 64" in page and "mean size" in page
    session = Session(lesson)
    session.pass_to(1)
    assert "tux: NAPI budget 4" in stage(session) and "bench: B 64" in stage(session)
    session.pass_to(3)
    assert "how many polls had each size" in stage(session)


def test_systems_side_by_side_share_one_scale_of_time() -> None:
    """Their turns last differently long; an axis for each would say that they do not."""
    lesson = load_lesson_text(TWO)
    session = Session(lesson)
    session.pass_to(2)
    tux, bench = (state_of(session=session).lesson.branch_of(run).picture for run in ("tux", "bench"))
    assert tux.cell != bench.cell
    for text in (stage(session), "\n".join(Frames().text(session))):
        axes = [line for line in text.splitlines() if re.match(r"[µu]s ", line)]
        assert len(axes) == 2 and axes[0] == axes[1]


def stage(session: Session) -> str:
    state = state_of(session=session)
    while state.lesson.preparing:
        state.tick(0.01)
    return shown(state)
