"""A lesson as text: exact words, garbage, the end of the input, and nothing of the future before an answer."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from lesson.small import SMALL, changed

from ixviz.lesson import Session, load_lesson_text
from ixviz.lesson.plain import run_plain, scenario_plain


def plain(text: str, answers: str) -> str:
    out = io.StringIO()
    assert run_plain(Session(load_lesson_text(text)), io.StringIO(answers), out) == 0
    return out.getvalue()


RIGHT = "b\nc\n10\n4\n"


def test_word_for_word() -> None:
    out = plain(SMALL, "a\nh\nc\n10\n4\nb\n")
    begin, _, rest = out.partition("\nBeat 3 of 5.")
    assert (
        begin
        == """\
A small lesson. 1 minute in a lecture, 5 alone. Answer with a letter or a
number; h hint, s skip.

Beat 1 of 5. Hello.
At most 64 packets go together.

Beat 2 of 5. What came meanwhile.
Batch 2 has 4 packets.
Predict: How many will batch 3 have?
  a  1
  b  6
  c  64
> a
You said a: 1. It was b: 6.
  Everything that waits goes along.
Why: It took 2 µs.
This question comes back at the end.
"""
    )
    assert "> h\n  There is no further hint.\n> c\nYou said c: In between. Right.\nWhy: It is 12.\n" in rest
    assert "You said 10 packets. Right. It was 10.5 packets.\n" in rest
    assert rest.endswith("""\
Once more. What came meanwhile.
Batch 2 has 4 packets.
Predict: How many will batch 3 have?
  a  1
  b  6
  c  64
> b
You said b: 6. Right.
Why: It took 2 µs.

End of the lesson: 3 of 4 right.
""")


def test_all_right() -> None:
    assert plain(SMALL, RIGHT).endswith("\nEnd of the lesson: 4 of 4 right.\n")


def test_garbage_is_asked_again_and_says_what_is_wanted() -> None:
    out = plain(SMALL, "42\nzz\n\x1b[31m\n" + "b" * 100_000 + "\nb\nc\n0\nfoo\n10\n7\n4\n")
    assert out.count("  Answer with a letter, a to c.\n") == 4
    assert out.count("a number of packets, 1 to 64.") == 2
    assert out.count("Wanted: system.batch_bound: 2, 4, 8 or 64.") == 1
    assert out.endswith("End of the lesson: 4 of 4 right.\n")


@pytest.mark.parametrize("answers", ["", "\n" * 9, "s\n" * 9, "\n"])
def test_an_empty_line_skips_and_the_end_of_the_input_skips_the_rest(answers: str) -> None:
    out = plain(SMALL, answers)
    assert out.count("Skipped.") == 4 and out.count("Why: ") == 4
    assert "Skipped. It was b: 6.\n" in out and "Skipped. One that works: batch_bound = 4.\n" in out
    assert out.endswith("End of the lesson: 0 of 0 right, 4 skipped.\n")


def test_bytes_that_are_no_text() -> None:
    out = io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n" + RIGHT.encode()), encoding="utf-8", errors="surrogateescape")
    assert run_plain(Session(load_lesson_text(SMALL)), stdin, out) == 0
    assert out.getvalue().endswith("End of the lesson: 4 of 4 right.\n")


def test_no_escape_codes_and_80_columns() -> None:
    text = changed("title: No controller", 'title: "No \\e[31mcontroller"').replace("Hello", "'[red]Hello[/]'")
    out = plain(text, "a\n\x1b[2J\na\n64\n64\n")
    assert "\x1b" not in out and "[red]Hello[/]" in out
    assert max(map(len, out.splitlines())) <= 80


class Watched(io.StringIO):
    """Input that notes what had been printed whenever a line was asked for."""

    def __init__(self, text: str, printed: Callable[[], str]) -> None:
        super().__init__(text)
        self.printed, self.seen = printed, list[str]()

    def readline(self, size: int = -1, /) -> str:
        self.seen.append(self.printed())
        return super().readline(size)


def seen_before_answers(text: str, answers: str) -> list[str]:
    out = io.StringIO()
    stdin = Watched(answers, out.getvalue)
    run_plain(Session(load_lesson_text(text)), stdin, out)
    return stdin.seen


def test_another_future_looks_the_same_until_the_answer() -> None:
    """Long after the stop of `settle` packets come faster: the batches grow to B, another choice is right."""
    text = changed("reveal: core0.batch == 25", "reveal: end")
    row = "          - {from: 2.1 us, every: 333.333 ns, count: 300}\n"
    other = changed(row, row + "          - {from: 12 us, every: 150 ns, count: 500}\n", text)
    here, there = (seen_before_answers(each, "b\nh\nx\nc\n") for each in (text, other))
    assert here[3] == there[3]  # all that is printed until `settle` is answered
    assert here[3].count("Beat ") == 3 and "In between" in here[3]
    assert here[4] != there[4]  # and the answer itself is another


def test_no_answer_before_the_choice() -> None:
    """Nothing that only the reveal knows is printed before: the words of why, of because, of the outcome."""
    seen = seen_before_answers(SMALL, RIGHT)
    for before, after in zip(seen, ["It took", "It is 12", "It is 10", "With B = 4"], strict=False):
        assert after not in before
    assert all("because" not in each and "Why" not in each.rpartition("Beat ")[2] for each in seen)


def test_a_scenario_as_text() -> None:
    from ixviz.history import Journal
    from ixviz.scenario.simulate import simulate

    scenario = load_lesson_text(SMALL).runs["bench"].scenario
    assert scenario is not None
    out = io.StringIO()
    words = "\nb\nb\n16\nc\nw\nt 5 us\nt x\n99999999\n999999\n?\nt 1 s\nn\nq\nn\n"
    assert scenario_plain(simulate(scenario, Journal()), io.StringIO(words), out) == 0
    text = out.getvalue()
    assert "> b\nThis is the start of the run.\n" in text
    there = r"> 16\n3\.25\d* µs  event 16  core 0 polls and takes 4 packets\n  rings empty; .*core0 poll \(batch 2 of"
    assert re.search(there, text)
    assert "  core0.batch  1 to 2\n" in text and "because of event" in text
    assert "> t 5 us\n" in text and 'got text "x"' in text and "Events are kept up to 999,999." in text
    assert "There is no event 999,999: the last is" in text and "This is the end of the run." in text
    assert text.endswith("> q\n") and "\x1b" not in text and max(map(len, text.splitlines())) <= 80
    out = io.StringIO()
    assert scenario_plain(simulate(scenario, Journal()), io.StringIO(""), out) == 0
