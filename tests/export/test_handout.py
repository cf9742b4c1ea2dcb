"""A lesson as a page: what is on it, with and without the answers, and nothing of the future before an answer."""

from __future__ import annotations

import re

import pytest
from lesson.small import OTHER, SMALL, changed

from ixviz.export import handout as sheets
from ixviz.export import markdown
from ixviz.export.sheet import Blank, Choices, Picture, Say, Sheet
from ixviz.lesson import load_lesson_text


def sheet(text: str = SMALL, **how: object) -> Sheet:
    return sheets.handout(load_lesson_text(text), **how)  # type: ignore[arg-type]


def page(made: Sheet) -> str:
    return markdown.render(made)


def section(made: Sheet, title: str) -> str:
    """A section as Markdown, by a part of its title."""
    [found] = [each for each in made.sections if title in each.title]
    return page(Sheet("", sections=(found,)))


@pytest.fixture(scope="module")
def small() -> Sheet:
    return sheet()


@pytest.fixture(scope="module")
def other() -> Sheet:
    return sheet(OTHER)


def test_word_for_word(small: Sheet) -> None:
    assert (
        section(small, "What came meanwhile").removeprefix("# \n\n")
        == """\
## 2. What came meanwhile (1 min)

Batch 2 has 4 packets.

```text
t 3.250 us   event 16                                    bench: ix, 1 core, B 64
wire      3.6 of 8.8 M/s, drops 0                              1 cell = 1 packet
ring q0  }................................     0 of 512
list      ................................     0 of 32,768
core 0    >poll   tcp    >ring3 app    >ring0 calls  timers tx        batch of 4
us         2         3         4         5         6         7         8
arrivals   vv  v   v  v
core 0     [- 1: 1 ----][ 2: 4 >
                        ^ now                           nothing after ^ is shown
```

**Predict:** How many will batch 3 have?

- [ ] **a** 1
- [ ] **b** 6
- [ ] **c** 64

Because: __________________________________________________

\\__________________________________________________
"""
    )


def test_with_the_key_there_are_answers_and_reasons_and_no_blanks() -> None:
    made = sheet(key=True)
    text = page(made)
    assert made.title == "A small lesson: the answers" and "____" not in text
    assert "**Answer:** b: 6.\n\n**Why:** It took 2 µs." in text
    assert "**One that works:** batch_bound = 4." in text and "With B = 4" in text
    assert text.count("**Why:**") == 4


def test_without_the_key_no_answer_is_on_it(small: Sheet) -> None:
    text = page(small)
    for words in ("Answer:** ", "Why", "It took", "It is 12", "10.5", "batch_bound = 4", "It grows"):
        assert words not in text


def test_two_futures_that_agree_up_to_the_stop_make_the_same_page_up_to_the_answer() -> None:
    """Long after the stop of `settle` packets come faster: the batches grow to B, another choice is right."""
    text = changed("reveal: core0.batch == 25", "reveal: end")
    row = "          - {from: 2.1 us, every: 333.333 ns, count: 300}\n"
    there = changed(row, row + "          - {from: 12 us, every: 150 ns, count: 500}\n", text)
    for key in (False, True):
        one, two = (sheet(each, key=key) for each in (text, there))
        assert one.sections[:2] == two.sections[:2] and len(one.sections) == 5
        assert (one.sections[2] == two.sections[2]) is not key


@pytest.mark.parametrize(("title", "blocks"), [
    ("Who leaves first", [Choices((("a", "packet 7"), ("b", "packet 2"), ("c", "packet 1")), boxes=False),
                          Blank("In order", "the letters a to c, first to last")]),
    ("Where it waits", [Choices((("a", "nic.q0"), ("b", "core0.rxlist"), ("c", "core0")))]),
    ("A fault", [Choices((("a", "core0"), ("b", "nic.q0"), ("c", "core0.tx")), label="The part"),
                 Choices((("1", "It waits although packets are there."), ("2", "It loses packets.")),
                         label="The rule that it breaks")]),
])  # fmt: skip
def test_every_kind_of_question_has_what_it_is_answered_on(other: Sheet, title: str, blocks: list[object]) -> None:
    [found] = [each for each in other.sections if title in each.title]
    shown = list(found.blocks)
    at = shown.index(blocks[0])
    assert shown[at : at + len(blocks)] == blocks and isinstance(shown[-1], Blank)


def test_number_and_task_have_a_line(small: Sheet) -> None:
    blanks = [block for each in small.sections for block in each.blocks if isinstance(block, Blank)]
    assert Blank("Answer", "a number of packets, 1 to 64") in blanks
    assert Blank("Answer", "system.batch_bound: 2, 4, 8 or 64") in blanks


def test_pictures_are_ascii_and_80_columns(small: Sheet, other: Sheet) -> None:
    pictures = [b for made in (small, other) for each in made.sections for b in each.blocks if isinstance(b, Picture)]
    assert len(pictures) == 9
    for line in (line for picture in pictures for line in picture.lines):
        assert line.isascii() and line.isprintable() and len(line) <= 80


def test_the_foot_explains_the_signs_that_are_used(small: Sheet) -> None:
    [signs] = [block for block in small.foot if isinstance(block, Choices)]
    assert ("v", "one packet arrives") in signs.rows and ("^", "now") in signs.rows
    assert "up to" not in str(signs)  # nothing is cut
    assert Say("not modelled here: PCIe, cache sizes, congestion control") in small.foot


def test_a_route() -> None:
    assert [each.title for each in sheet(route="lecture").sections] == ["1. Hello"]


def test_what_is_compared_stands_below_each_other() -> None:
    text = changed("    until: core0.batch == 4\n", "    until: core0.batch == 4\n    look: {compare: [bench, one]}\n")
    shown = section(sheet(text), "No controller")
    assert "event 47                                    bench: ix, 1 core, B 64" in shown
    assert "one: ix, 1 core, B 1" in shown and shown.count("^ now") == 2 and " 4: 1 >" in shown and " 5: " not in shown


@pytest.mark.parametrize(("look", "words"), [
    ("{view: chart, of: batches.size}", "packets in each batch"),
    ("{mark: [core0]}", "core 0    >poll"),
])  # fmt: skip
def test_what_a_look_asks_for(look: str, words: str) -> None:
    text = changed("    until: core0.batch == 4\n", f"    until: core0.batch == 4\n    look: {look}\n")
    shown = section(sheet(text), "No controller")
    assert words in shown and "ring q0" not in shown


def test_figures_of_whole_runs_are_numbers() -> None:
    text = changed(
        "    run: short\n    until: end\n",
        "    run: short\n    until: end\n    look: {view: chart, of: latency, runs: [short, bench], line: 5 us}\n",
    )
    shown = section(sheet(text), "Your turn")
    assert re.search(r"short, B 64 +\d\.\d\d us .*M/s", shown) and "bench, B 64" in shown and "limit 5 us" in shown


# ----------------------------------------------------------------------------------------------- the script
def test_the_script_has_notes_minutes_and_questions() -> None:
    text = changed(
        "    title: No controller\n    minutes: 1\n",
        "    title: No controller\n    minutes: 1\n    notes: Hands *up*. Wait.\n",
    )
    made = sheets.script(load_lesson_text(text), "alone")
    shown = page(made)
    assert "**3. No controller (at 2:00, 1 min)**" in shown
    assert "**Ask:** Where does the size go? **a** It stays at 7. **b** Up to 64. **c** In\nbetween." in shown
    assert "**Notes:** Hands *up*. Wait." in shown and "```" not in shown and "____" not in shown
    assert "Answer" not in shown and "In between" not in shown.partition("4. The average")[2]
    with_key = page(sheets.script(load_lesson_text(text), "alone", key=True))
    assert "**Answer:** c: In between." in with_key and "Why" not in with_key


def test_the_script_of_a_bundled_lecture_fits_a_page() -> None:
    from ixviz.lesson import load_lesson

    made = sheets.script(load_lesson("lessons/01-run-to-completion"))
    assert made.dense and len(made.sections) >= 5
    assert page(made).count("\n") <= 100
