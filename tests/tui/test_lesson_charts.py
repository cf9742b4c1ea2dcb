"""Charts of a lesson: each name that the checker accepts is drawn, each that it refuses is not."""

from __future__ import annotations

import re

import pytest
from lesson.small import SMALL

from ixviz.draw.cells import plain
from ixviz.lesson import Runs, Session, load_lesson_text
from ixviz.lesson.check import check
from ixviz.lesson.figures import CHARTS, NAMES
from ixviz.tui.lesson_charts import shown
from ixviz.tui.opening import state_of

RUNS = SMALL.partition("beats:\n")[0].replace("  lecture: 1\n", "")
SAID = {"batches.size": "size|in each batch", "latency": "done within|left within"}
TRACE = """\
  trace:
    scenario: coherence-trace
"""


def one(of: str, until: str, run: str) -> str:
    return f"""\
  - id: {re.sub("[._]", "-", of)}
    title: "{of} of {run} at {until}"
    minutes: 1
    run: {run}
    until: {until}
    look: {{view: chart, of: {of}}}
    say: It is drawn.
"""


@pytest.mark.parametrize(("run", "until", "drawn"), [
    ("short", "end", {*CHARTS, *NAMES} - {"protection.wakes", "protection.user_copies", "protection.softirq_share",
                                          "protection.spin_share"}),
    ("short", "core0.batch == 3", {*CHARTS}),
    ("trace", "count(accesses) == 2", set()),
    ("trace", "end", {"busy", *(name for name in NAMES if re.match(r"coherence|packets", name))}),
])  # fmt: skip
def test_what_the_checker_accepts_is_drawn_and_nothing_else(run: str, until: str, drawn: set[str]) -> None:
    wanted = [*CHARTS, *NAMES]
    head = RUNS.replace("alone: 5", f"alone: {len(wanted)}") + (TRACE if run == "trace" else "")
    lesson = load_lesson_text(head + "beats:\n" + "".join(one(of, until, run) for of in wanted), "l.yaml")
    problems = check(lesson, ())
    refused = {str(beat.look.of) for beat in lesson.beats for each in problems if f"beat {beat.id}" == each.key}
    assert {*wanted} - refused == drawn and len(problems) == len(refused), [str(each) for each in problems]
    session = Session(lesson, runs=Runs(lesson))
    session.runs.whole(run)
    state = state_of(session=session)
    for number, beat in enumerate(lesson.beats):
        session.go_to(number)
        if beat.look.of in drawn:
            text = plain(shown(state, 80, 12))
            said = SAID.get(beat.look.of, beat.look.of.replace(".", " "))
            assert re.search(said, text) and text.count("\n") >= 1, (beat.look.of, text)


def test_a_time_has_its_unit_beside_its_bar() -> None:
    lesson = load_lesson_text(RUNS.replace("alone: 5", "alone: 1") + "beats:\n" + one("latency.p99", "end", "short"))
    session = Session(lesson)
    session.runs.whole("short")
    p99 = session.runs.metrics("short")["latency_us"]["p99"]
    text = plain(shown(state_of(session=session), 80, 12))
    (written,) = re.findall(r"([0-9.]+) µs", text)
    assert float(written) == pytest.approx(p99, rel=0.01)


@pytest.mark.parametrize(("second", "names"), [("one", ["short: B 64", "one: B 1"]), ("bench", ["short", "bench"])])
def test_a_bound_stands_behind_a_name_unless_it_is_that_of_all(second: str, names: list[str]) -> None:
    beat = one("latency.p99", "end", "short").replace("of: latency.p99}", f"of: latency.p99, runs: [short, {second}]}}")
    lesson = load_lesson_text(RUNS.replace("alone: 5", "alone: 1") + "beats:\n" + beat, "l.yaml")
    session = Session(lesson)
    for run in ("short", second):
        session.runs.metrics(run)
    text = plain(shown(state_of(session=session), 80, 12))
    assert [row.partition("█")[0].strip() for row in text.splitlines()[1:3]] == names, text
