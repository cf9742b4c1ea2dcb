"""Messages: order, form, and that nothing reaches the terminal raw."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from ixviz.scenario.messages import Problem, Problems, cut, did_you_mean, dotted, shown


def test_form_and_order() -> None:
    problems = Problems(
        [Problem("a", 3, 1, "x.y", "late"), Problem("--set", 1, 1, "z", "set"), Problem("a", 1, 9, "", "early")]
    )
    assert str(problems) == "a:1:9: early\na:3:1: x.y: late\n--set:1:1: z: set"
    assert str(Problem("gone.yaml", 0, 0, "", "no such file")) == "gone.yaml: no such file"
    assert str(pickle.loads(pickle.dumps(problems))) == str(problems)


@given(st.text(max_size=500), st.lists(st.text(max_size=200), max_size=400))
def test_a_hint_has_one_length_at_the_most(word: str, known: list[str]) -> None:
    assert len(did_you_mean(word, known, "ixviz names")) < 220


@given(st.text(), st.text(), st.text())
def test_one_printable_line(file: str, key: str, message: str) -> None:
    assert str(Problem(file, 1, 1, key, message)).isprintable()


def test_not_more_than_a_hundred_lines() -> None:
    lines = str(Problems(Problem("a", n, 1, "", "m") for n in range(1, 1206))).splitlines()
    assert (len(lines), lines[99], lines[100]) == (101, "a:100:1: m", "… and 1,105 more")


def test_escapes_and_cuts() -> None:
    assert shown("\x1b[31m\u202e2\n") == 'text "\\x1b[31m\\u202e2\\n"'
    assert cut("x" * 61) == "x" * 59 + "…" and cut("x" * 60) == "x" * 60
    assert shown(10**5000) == "the number too long to show"
    assert str(Problem("\x1b]0;a\x07.yaml", 1, 2, "k", "m")) == "\\x1b]0;a\\x07.yaml:1:2: k: m"


def test_did_you_mean() -> None:
    assert did_you_mean("coers", ["cores", "clock"]) == ", did you mean cores?"
    assert did_you_mean("CORES", ["scores", "cores"]) == ", did you mean cores?"
    assert did_you_mean("zzz", ["cores", "clock"]) == "; known: cores, clock"
    assert did_you_mean("zzz", []) == ""
    many = [f"core{i}.rxlist" for i in range(256)]
    assert did_you_mean("core7.rxlists", many) == ", did you mean core7.rxlist?"
    said = did_you_mean("ring", many, "ixviz names")
    assert said.startswith("; 256 are known (ixviz names lists them), the nearest are core") and said.count(",") == 3
    assert dotted(["workload", "packets", 0, "at"]) == "workload.packets[0].at"
