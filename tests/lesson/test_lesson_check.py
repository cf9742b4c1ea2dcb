"""The checker: what it refuses, each at its line, and that it passes what is right."""

from __future__ import annotations

import pytest
from lesson.small import SMALL, changed, place_of

from ixviz.lesson import load_lesson_text
from ixviz.lesson.check import check


def told(text: str) -> list[str]:
    return [str(problem) for problem in check(load_lesson_text(text, "l.yaml"))]


def test_the_small_lesson_is_clean() -> None:
    assert told(SMALL) == []


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        (
            "      - batch(3).size == 6",
            "      - batch(3).size == 7",
            "batch(3).size == 7",
            "beat size: not true: batch(3).size == 7",
        ),
        (
            "until: core0.batch == 2\n",
            "until: core0.batch == 9999\n",
            "core0.batch == 9999",
            "beat size: never reached",
        ),
        (
            "reveal: core0.batch == 25",
            "reveal: core0.batch == 9999",
            "core0.batch == 9999",
            "beat settle: never reached",
        ),
        (
            "        - is: answer\n",
            "        - is: 7\n          because: No.\n",
            "ask: How many",
            "exactly one choice must be right at the reveal, none is",
        ),
        (
            "        - is: 1\n",
            "        - is: 6\n",
            "ask: How many",
            "exactly one choice must be right at the reveal, a and b is",
        ),
        ("        - is: 1\n", "        - is: 32 + 32\n", "is: system.batch_bound", "choices a and c are equal"),
        (
            "          because: It never waits.\n",
            "",
            "is: system.batch_bound",
            "choice c is wrong and does not say because",
        ),
        ("      answer: batch(3).size\n", "      answer: 6\n", "6\n      choose", "the answer is typed"),
        (
            "          when: last(batches).size == system.batch_bound\n",
            "          when: false\n",
            "false\n          because: It dies",
            "this is typed",
        ),
        ("  alone: 5", "  alone: 6", "lecture: 1\n", "minutes: alone is 6 minutes, its beats add up to 5"),
        (
            "        - when: said <= 12\n          say: Not that.\n",
            "",
            "batch.mean, unit",
            "beat mean: nothing is said to",
        ),
        (
            "        - system.batch_bound: 4\n",
            "        - system.batch_bound: 2\n",
            "ask: Find",
            "system.batch_bound = 2 is not the largest that holds, 4 is",
        ),
        (
            "        - system.batch_bound: 4\n",
            "        - system.batch_bound: 64\n",
            "ask: Find",
            "the solution system.batch_bound = 64 does not hold",
        ),
        (
            "        - set: {system.batch_bound: 2}",
            "        - set: {system.batch_bound: 4}",
            "set: {system.batch_bound: 4}",
            "is told wrong, and is right",
        ),
        ("      holds: batch.max < 8", "      holds: batch.max < 65", "ask: Find", "the task is done before it begins"),
        (
            "    say: Batch 2 has $(batch(2).size) packets.",
            "    say: Batch 3 has $(batch(3).size) packets.",
            "batch(3).size) packets",
            "beat size: there is no batch 3 yet",
        ),
        (
            "    given: [requests.completed]\n",
            "",
            "requests.completed in",
            "beat mean: requests.completed is a figure of the whole run, which is not over",
        ),
        (
            "    given: [requests.completed]\n",
            "    given: [requests.completed, latancy.p99]\n",
            "id: mean",
            "given: there is no latancy.p99",
        ),
        (
            "        - How long does batch 2 take?",
            "        - It is $(batch(3).size).",
            "batch(3).size).",
            "beat size: there is no batch 3 yet",
        ),
        (
            "    say: At most $(system.batch_bound) packets go together.",
            "    say: " + "word " * 250,
            "id: intro",
            "the text takes 16 rows of 80 columns",
        ),
        (
            "    why: It took $(batch(2).ends",
            "    why: It took $(batch(9).ends",
            "batch(9).ends",
            "beat size: there is no batch 9 yet",
        ),
    ],
)
def test_refused_at_its_place(old: str, new: str, at: str, message: str) -> None:
    key = old.strip("- ") if SMALL.count(old) != 1 else old
    text = changed(key, new if key == old else new.strip("- "))
    found = told(text)
    where = f"l.yaml:{place_of(at, text)}: " if at in text else ""
    assert any(line.startswith(where) and message in line for line in found), (where + message, found)


def test_one_letter_too_often() -> None:
    beats = SMALL.partition("  - id: size")[2].partition("  - id: settle")[0]
    more = "".join(f"  - id: size{i}" + beats.replace("title: What", f"title: {i} What") for i in range(3))
    text = changed("  alone: 5", "  alone: 8", SMALL + more)
    assert [line for line in told(text) if "b is the right letter of 4 of 5 choices, more than half" in line]
