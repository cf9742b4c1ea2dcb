"""The checker: what it refuses, each at its line, and that it passes what is right."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from lesson.small import OTHER, SMALL, changed, place_of

from ixviz.lesson import load_lesson, load_lesson_text
from ixviz.lesson.check import check
from ixviz.lesson.leak import READERS
from ixviz.scenario.messages import Problems


def told(text: str, leak: bool = False) -> list[str]:
    return [str(problem) for problem in check(load_lesson_text(text, "l.yaml"), READERS if leak else ())]


@pytest.mark.parametrize("text", [SMALL, OTHER])
def test_the_small_lessons_are_clean(text: str) -> None:
    assert told(text, leak=True) == []


class Broken(NamedTuple):
    """A lesson broken in one place: `old` becomes `new`, `at` is where it is told (in the broken text)."""

    old: str
    new: str
    at: str
    message: str
    text: str = SMALL


INTRO = "    until: start\n    say: At"
AMONG, BOUND = "among: [nic.q0, core0.rxlist, core0]", "set: {system.batch_bound: 2}"


def intro(line: str, at: str, message: str) -> Broken:
    """A line more in the first beat of SMALL."""
    return Broken(INTRO, INTRO.replace("\n", f"\n    {line}\n"), at, f"beat intro: {message}")


def expecting(after: str, claim: str, at: str, message: str) -> Broken:
    """A claim more behind a line of OTHER."""
    return Broken(after, after.replace("\n", f"\n    expect: [{claim}]\n", 1), at, message, OTHER)


BROKEN = {
    # a beat that is never reached
    "until": Broken("until: core0.batch == 2\n", "until: core0.batch == 999\n", "core0.batch == 999",
                    "beat size: never reached: nothing makes this true in bench after event 0"),
    "reveal": Broken("reveal: core0.batch == 25", "reveal: core0.batch == 999", "core0.batch == 999",
                     "beat settle: never reached: nothing makes this true in bench after event 47"),
    "pick": Broken("p: first(packets where batch == 2)", "p: packet(999)", "packet(999)",
                   "beat leaving: there is no packet 999", OTHER),
    # a false claim
    "expect": Broken("- batch(3).size == 6", "- batch(3).size == 7", "batch(3).size == 7",
                     "beat size: not true: batch(3).size == 7 (it is 6)"),
    "given": Broken("[requests.completed]", "[requests.completed, latancy.p99]", "latancy.p99",
                    "beat mean: given: there is no latancy.p99"),
    "given too early": Broken("    until: core0.batch == 4\n", "    until: core0.batch == 4\n    given: [m]\n"
                              "    let: {m: requests.completed}\n", "m]\n",
                              "beat settle: given: m: requests.completed is a figure of the whole run"),
    # not exactly one right choice
    "none right": Broken("        - is: answer\n", "        - is: 7\n          because: No.\n", "ask: How many will",
                         "beat size: exactly one choice must be right at the reveal, none is"),
    "two right": Broken("- is: 1\n", "- is: 6\n", "ask: How many will",
                        "beat size: exactly one choice must be right at the reveal, a and b is"),
    "equal": Broken("- is: 1\n", "- is: 32 + 32\n", "is: system.batch_bound", "beat size: choices a and c are equal"),
    "tie": Broken("value: packet(3).arrives", "value: packet(1).leaves", "packet(1).leaves\n      because",
                  "beat coming: items a and b are equal: there is no order", OTHER),
    "in order": Broken("value: packet(1).leaves", "value: packet(2).arrives", "name: leave",
                       "beat coming: the items stand in the right order already", OTHER),
    # a typed answer
    "typed": Broken("answer: batch(3).size\n", "answer: 6\n", "6\n      choose",
                    "beat size: the answer is typed: it must be read from the run"),
    "typed in let": Broken("    say: Batch 2 has", "    let: {x: y, y: 6}\n    say: Batch 2 has", "x\n      choose",
                           "beat size: the answer is typed: it must be read from the run",
                           changed("answer: batch(3).size\n", "answer: x\n")),
    "typed scenario": Broken("answer: batch(3).size\n", "answer: system.batch_bound - 58\n", "system.batch_bound - 58",
                             "beat size: the answer is typed: it must be read from the run"),
    "typed when": Broken("when: last(batches).size == system.batch_bound\n", "when: false\n",
                         "false\n          because: It dies",
                         "beat settle: this is typed: a choice is right because of what the run did"),
    "typed number": Broken("answer: batch.mean,", "answer: 10.5,", "10.5,",
                           "beat mean: the answer is typed: it must be read from the run"),
    "typed item": Broken("value: packet(3).arrives", "value: 2.4 us", "2.4 us",
                         "beat coming: this is typed: the order must be read from the run", OTHER),
    "typed point": Broken("answer: r.place", "answer: core0", "core0\n        because",
                          "beat waiting: the answer is typed: it must be read from the run", OTHER),
    # something is said to each wrong answer
    "because": Broken("          because: It never waits.\n", "", "is: system.batch_bound",
                      "beat size: choice c is wrong and does not say because"),
    "number remark": Broken("        - when: said <= 12\n", "        - when: said <= 3\n", "batch.mean, unit",
                            "beat mean: nothing is said to 4, which is wrong"),
    "number range": Broken("unit: packets, from: 1, to: 64", "unit: packets, from: 20, to: 64", "batch.mean, unit",
                           "beat mean: the answer, 10.5, is not between from and to"),
    "order remark": Broken("        - when: said(p) < said(q)\n          say: The first is already at work.\n", "",
                           "q\n          - p", "beat leaving: nothing is said to the order bac, which is wrong", OTHER),
    "point because": Broken("          - at: nic.q0\n            say: Every poll empties the ring.\n", "",
                            "nic.q0, core0.rxl", "beat waiting: nic.q0 is wrong and nothing is said to it", OTHER),
    "point outside": Broken(AMONG, "among: [nic.q0, core0.rxlist, core0.tx]", "r.place\n      ",
                            "beat waiting: the answer, core0, is none of nic.q0, core0.rxlist, core0.tx", OTHER),
    "point unknown": Broken(AMONG, "among: [nic.q0, core0.rxlist, core0, core7]", "core7",
                            "beat waiting: there is no component core7, did you mean core0?", OTHER),
    # tasks
    "starter": Broken("holds: batch.max < 8", "holds: batch.max < 65", "ask: Find",
                      "beat knob: the task is done before it begins"),
    "solution": Broken("- system.batch_bound: 4\n", "- system.batch_bound: 64\n", "system.batch_bound: 64\n",
                       "beat knob: the solution system.batch_bound = 64 does not hold"),
    "extreme": Broken("- system.batch_bound: 4\n", "- system.batch_bound: 2\n", "system.batch_bound: 2\n",
                      "beat knob: system.batch_bound = 2 is not the largest that holds, 4 is"),
    "wrong passes": Broken(BOUND, BOUND.replace("2", "4"), BOUND.replace("2", "4"),
                           "beat knob: system.batch_bound = 4 is told wrong, and is right"),
    # finds
    "no holder": Broken("among: [core0, nic.q0, core0.tx]", "among: [core0, core0.rxlist, core0.tx]", "ask: Which part",
                        "beat ill: no component of among has the fault, nic.q0 has", OTHER),
    "all hold it": Broken("among: [core0, nic.q0, core0.tx]", "among: [core0, core0.tx]", "ask: Which part",
                          "beat ill: every component of among has the fault",
                          OTHER.replace("small-ring", "slow-doorbell")),
    "rule because": Broken("          because: It is busy all the time.\n", "", "fault: fills-batches",
                           "beat ill: fills-batches is not the fault and does not say because", OTHER),
    "find unknown": Broken("among: [core0, nic.q0, core0.tx]", "among: [core0, nic.q0, core0.rx]", "core0.rx]",
                           "beat ill: there is no component core0.rx, did you mean", OTHER),
    # what is told too early
    "say": Broken("Batch 2 has $(batch(2).size)", "Batch 3 has $(batch(3).size)", "batch(3).size) packets",
                  "beat size: there is no batch 3 yet"),
    "figure": Broken("    given: [requests.completed]\n", "", "requests.completed in",
                     "beat mean: requests.completed is a figure of the whole run, which is not over"),
    "hint": Broken("- How long does batch 2 take?", "- It is $(batch(3).size).", "batch(3).size).",
                   "beat size: there is no batch 3 yet"),
    "later": Broken("why: It took $(batch(2).ends", "why: It took $(batch(9).ends", "batch(9).ends",
                    "beat size: there is no batch 9 yet"),
    "mine": Broken("    until: end\n    task", "    until: end\n    say: $(mine.batch.max)\n    task",
                   "mine.batch.max)\n    task", "beat knob: there is no mine.batch.max, did you mean"),
    # minutes
    "alone": Broken("  alone: 5", "  alone: 6", "lecture: 1\n", "minutes: alone is 6 minutes, its beats add up to 5"),
    "lecture": Broken("  lecture: 1\n", "  lecture: 2\n", "lecture: 2\n",
                      "minutes: lecture is 2 minutes, its beats add up to 1"),
    "no lecture": Broken("  lecture: 1\n", "", "alone: 5",
                         "minutes: there are beats of the route lecture, and no minutes for it"),
    "no alone": Broken("  alone: 5\n", "", "lecture: 1\n", "minutes: minutes needs alone"),
    # links
    "needs": Broken("runs:\n  bench", "needs: [adaptive-batchin]\nruns:\n  bench", "adaptive-batchin",
                    "needs: there is no lesson adaptive-batchin, did you mean adaptive-batching?"),
    "needs itself": Broken("runs:\n  bench", "needs: [small]\nruns:\n  bench", "small]",
                           "needs: a lesson cannot need itself"),
    "source": intro("sources: [facts 1.3, 'see http:/x.org']", "'see http:",
                    "sources: http:/x.org is no link: https://… is wanted"),
    # what is marked, labelled, drawn
    "mark": intro("look: {mark: [nic.q0, nic.q1]}", "nic.q1", "mark: there is no component or pick nic.q1, did you"),
    "label": intro("look: {label: [rxlist, core0, ring]}", "ring]", "label: there is no component or pick ring"),
    "chart": intro("look: {view: chart, of: batch.mean}", "batch.mean}",
                   "of: there is no chart batch.mean; known: batches.size, latency"),
    "no chart": intro("look: {view: chart}", "id: intro", "a chart needs of"),
    "published": intro("look: {view: published, of: x}", "x}", "of: nothing published is called x with these runs"),
    # other numbers
    "again": Broken("set: {system.batch_bound: 3}", "set: {run.until: 2.1 us}", "core0.batch == 2\n    pick:\n      p",
                    "beat leaving: never reached: nothing makes this true in bench after event 0 (asked again)", OTHER),
    "again claims": expecting("    reveal: q.leaves != none\n", "batch(2).size == 4", "batch(2).size == 4]",
                              "beat leaving: not true: batch(2).size == 4 (it is 3) (asked again)"),
    "vary": expecting("    reveal: core0.batch == 3\n  - id", "batch(2).size == 4", "batch(2).size == 4]",
                      "beat coming: not true: batch(2).size == 4 (it is 3) (bench.system.batch_bound = 3)"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_refused_at_its_place(name: str) -> None:
    old, new, at, message, before = BROKEN[name]
    text = changed(old, new, before)
    line = f"l.yaml:{place_of(at, text)}: {message}"
    assert any(each.startswith(line) for each in told(text)), (line, told(text))


def test_one_letter_too_often() -> None:
    beats = SMALL.partition("  - id: size")[2].partition("  - id: settle")[0]
    more = "".join(f"  - id: size{i}" + beats.replace("title: What", f"title: {i} What") for i in range(3))
    text = changed("  alone: 5", "  alone: 8", SMALL + more)
    assert told(text) == ["l.yaml:1:1: b is the right letter of 4 of 5 choices, more than half"]


def test_all_mistakes_of_a_beat_are_told() -> None:
    text = changed("- batch(3).size == 6", "- batch(3).size == 7")
    text = changed("          because: It never waits.\n", "", text)
    text = changed("- How long does batch 2 take?", "- It is $(batch(3).size).", text)
    assert [line.partition(": beat size: ")[2] for line in told(text)] == [
        "choice c is wrong and does not say because",
        "there is no batch 3 yet",
        "not true: batch(3).size == 7 (it is 6)",
    ]


def test_a_reveal_that_comes_too_early_is_told_once() -> None:
    """The answer, a remark, the why and the claim all read what has not happened: one cause, one finding."""
    text = changed("reveal: core0.batch == 3", "reveal: core0.stage == tcp")
    line = f"l.yaml:{place_of('core0.stage == tcp', text)}: beat size: the reveal comes too early for lines 41, 45, 51"
    [only] = told(text)
    assert only == f"{line} and 53: there is no batch 3 yet"
    text = changed("- How long does batch 2 take?", "- It is $(batch(3).size).", text)
    assert [each.partition(": beat size: ")[2][:24] for each in told(text)] == [
        "there is no batch 3 yet", "the reveal comes too ear"]  # what is read at the stop is another mistake


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("- is: answer\n", "- is: {answer}\n", "{answer}", "beat size: an expression is wanted, got a mapping, which"),
        ("- is: answer\n", "- is: [answer]\n", "[answer]", "beat size: an expression is wanted, got a list, which"),
        ("when: last(batches).size == batch(4).size\n", "when: [last(batches).size] == 7\n",
         "[last(batches).size] == 7", "in YAML [ begins a list"),
        ("- batch(3).size == 6", "- count(packets): 6", "count(packets): 6", "beat size: an expression is wanted, got"),
    ],
)
def test_what_yaml_takes_for_a_list_or_a_mapping(old: str, new: str, at: str, message: str) -> None:
    text = changed(old, new)
    with pytest.raises(Problems) as error:
        load_lesson_text(text, "l.yaml")
    [line] = str(error.value).splitlines()
    assert line.startswith(f"l.yaml:{place_of(at, text)}: {message}") and "YAML" in line


@pytest.mark.parametrize("word", ["where", "in", "as", "and", "not", "none", "time", "count", "last"])
@pytest.mark.parametrize("key", ["let", "pick"])
def test_a_name_like_a_keyword(word: str, key: str) -> None:
    text = changed("    say: Batch 2 has", f"    {key}:\n      {word}: batch(2)\n    say: Batch 2 has")
    with pytest.raises(Problems) as error:
        load_lesson_text(text, "l.yaml")
    message = f"beat size: {word} cannot be a name in {key}: it is a word of expressions"
    assert str(error.value) == f"l.yaml:{place_of(f'{word}: batch(2)', text)}: {message}"


@pytest.mark.parametrize("column", ["where", "in", "as", "time", "count"])
def test_a_column_like_a_keyword(column: str) -> None:
    """A keyword behind a dot is a name like any other: what is wrong with it is that there is none."""
    text = changed("- batch(3).size == 6", f"- batch(3).{column} == 6")
    [line] = told(text)
    assert line.startswith("l.yaml:53:9: beat size: ") and f"no {column}" in line


def test_a_lesson_beside_it_may_be_needed(tmp_path: Path) -> None:
    for folder, text in (("a", SMALL), ("b", OTHER.replace("runs:\n  bench", "needs: [small, size]\nruns:\n  bench"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "lesson.yaml").write_text(text, "utf-8")
    [problem] = check(load_lesson(tmp_path / "b"), ())
    assert "there is no lesson size" in problem.message and problem.line == 6


def test_a_range_may_begin_with_a_part_of_a_thing() -> None:
    assert told(changed("unit: packets, from: 1, to: 64", "unit: packets, from: 0.5, to: 64.5")) == told(SMALL)
