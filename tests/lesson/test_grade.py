"""Answers judged from files: what each is worth, what breaks a file and what does not, the same in any order."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from lesson.small import OTHER, SMALL, changed

from ixviz.lesson import Lesson, load_lesson_text
from ixviz.lesson import grade as grading
from ixviz.lesson.grade import Answers, Grader, defused, files_of, header, read_answers, row
from ixviz.lesson.student import lesson_for, name_of
from ixviz.scenario.messages import Problems

RIGHT = {"size": "b", "settle": "c", "mean": "10", "knob": "4"}


@pytest.fixture(scope="module")
def small() -> Lesson:
    return load_lesson_text(SMALL)


@pytest.fixture(scope="module")
def grader(small: Lesson) -> Grader:
    return Grader(small, key=True)


def file(folder: Path, text: str, name: str = "anna.yaml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


# ----------------------------------------------------------------------------------------------- judging
def test_each_kind_of_result(grader: Grader) -> None:
    graded = grader.grade(Answers({"size": "b", "settle": "a", "mean": "zz"}))
    assert graded.results == {"size": "right", "settle": "wrong", "mean": "unusable", "knob": "unanswered"}
    assert graded.was == {"size": "b: 6", "settle": "c: In between.", "mean": "10.5 packets", "knob": "batch_bound = 4"}
    assert [graded.count(each) for each in grading.RESULTS] == [1, 1, 1, 1]
    assert set(grader.grade(Answers(RIGHT)).results.values()) == {"right"}
    assert set(grader.grade(Answers({})).results.values()) == {"unanswered"}


def test_a_wrong_try_of_a_task_is_wrong_and_does_not_change_the_next_file(grader: Grader) -> None:
    for text, result in (
        ("2", "wrong"),
        ("4", "right"),
        ("64", "wrong"),
        ("batch_bound = 4", "right"),
        ("5", "unusable"),
    ):
        assert grader.grade(Answers({"knob": text})).results["knob"] == result


def test_the_other_kinds() -> None:
    lesson = load_lesson_text(OTHER)
    right = {"leaving": "cba", "coming": "ba", "waiting": "core0", "ill": "nic.q0 small-ring"}
    grader = Grader(lesson)
    assert grader.grade(Answers(right)).results == dict.fromkeys(right, "right")
    wrong = {"leaving": "abc", "coming": "ab", "waiting": "a", "ill": "a1"}
    assert grader.grade(Answers(wrong)).results == dict.fromkeys(right, "wrong")
    unusable = {"leaving": "abcc", "coming": "c", "waiting": "core7", "ill": "b9"}
    assert grader.grade(Answers(unusable)).results == dict.fromkeys(right, "unusable")


def test_without_the_key_nothing_is_told_and_nothing_is_run_for_no_answer(small: Lesson) -> None:
    grader = Grader(small)
    graded = grader.grade(Answers({}))
    assert set(graded.was.values()) == {""}
    assert not grader._lessons[None][1]._recorded and not grader._lessons[None][1]._whole


def test_an_endless_answer_is_unusable(grader: Grader) -> None:
    assert grader.grade(Answers({"size": "b" * 100_000})).results["size"] == "unusable"


def test_order_and_company_change_nothing(small: Lesson) -> None:
    files = [Answers(RIGHT), Answers({"size": "a", "knob": "2"}), Answers({"mean": "3", "knob": "64"}), Answers({})]
    one, two = Grader(small), Grader(small)
    assert [one.grade(each) for each in files] == [two.grade(each) for each in files[::-1]][::-1]


# ----------------------------------------------------------------------------------------------- variants
def test_a_students_numbers_are_the_same_everywhere() -> None:
    """Fixed values: they must not depend on the machine, the version or the hash seed of Python."""
    lesson = load_lesson_text(OTHER)
    bounds = {name: lesson_for(lesson, name).runs["bench"].scenario.system.batch_bound  # type: ignore[union-attr]
              for name in ("anna", "bob", "carla", "dora", "emil", "s123456")}  # fmt: skip
    assert bounds == {"anna": 4, "bob": 5, "carla": 4, "dora": 3, "emil": 5, "s123456": 5}


@pytest.mark.parametrize("name", ["anna-muller", "Anna Müller", " ANNA_MULLER ", "anna.muller", "Anna  Mu\u0308ller"])
def test_a_name_is_an_id(name: str) -> None:
    assert name_of(name) == "anna-muller"


@pytest.mark.parametrize("name", ["", "  ", "...", "李", "a" * 61, "a\nb", "a\x1b"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        name_of(name)


def test_a_variant_is_named_after_lesson_and_student() -> None:
    made = lesson_for(load_lesson_text(OTHER), "Anna")
    assert (made.id, made.title) == ("other--anna", "Another small lesson · anna")
    with pytest.raises(ValueError, match="small has nothing to vary"):
        lesson_for(load_lesson_text(SMALL), "anna")


def test_each_file_is_judged_with_its_own_numbers(tmp_path: Path) -> None:
    """The average batch is 2 with B = 2, and nearly 3 with B = 3: the same answer is right for some only."""
    lesson = load_lesson_text(changed("  one: {from", "    vary: {system.batch_bound: [2, 3]}\n  one: {from"))
    bounds = {name: lesson_for(lesson, name).runs["bench"].scenario.system.batch_bound  # type: ignore[union-attr]
              for name in ("anna", "bob", "carla", "dora", "emil")}  # fmt: skip
    assert set(bounds.values()) == {2, 3}
    grader = Grader(lesson, "bob")
    for name in (*bounds, None):
        text = f"mean: 2\n{f'variant: {name.upper()}' if name else ''}\n"
        got = grader.grade(read_answers(file(tmp_path, text), lesson))
        assert got.results["mean"] == ("right" if bounds[name or "bob"] == 2 else "wrong"), name


# ----------------------------------------------------------------------------------------------- files
def test_an_answer_is_read_as_it_was_written(tmp_path: Path, small: Lesson) -> None:
    got = read_answers(file(tmp_path, 'size: b\nsettle: "c"\nmean: 10.50\nknob: system.batch_bound = 4\n'), small)
    assert got == Answers({"size": "b", "settle": "c", "mean": "10.50", "knob": "system.batch_bound = 4"})


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing\n", "size:\nknob: ''\n"])
def test_nothing_answered_is_no_mistake(tmp_path: Path, small: Lesson, grader: Grader, text: str) -> None:
    got = read_answers(file(tmp_path, text), small)
    assert set(grader.grade(got).results.values()) == {"unanswered"}


def test_what_is_no_question_is_told_and_costs_nothing(tmp_path: Path, small: Lesson) -> None:
    path = file(tmp_path, "size: b\nsettel: c\nintro: a\n")
    got = read_answers(path, small)
    assert got.said == {"size": "b"}
    assert [str(note) for note in got.notes] == [
        f"{path}:2:1: no question settel in small, did you mean settle?",
        f"{path}:3:1: no question intro in small; known: size, settle, mean, knob, variant",
    ]


@pytest.mark.parametrize(("text", "told"), [
    ("size: [b]\n", "1:7: size: an answer is a text or a number, got a list"),
    ("size: {a: 010}\n", "1:11: size.a: the leading zero of 010 is ambiguous"),
    ("size: 1_6\n", "1:7: size: a number has no underscore"),
    ("size: b\nsize: c\n", "2:1: size: key size is given twice (lines 1 and 2)"),
])  # fmt: skip
def test_an_answer_without_form_costs_itself_only(tmp_path: Path, small: Lesson, grader: Grader, text: str, told: str
                                                  ) -> None:  # fmt: skip
    path = file(tmp_path, f"{text}settle: c\nmean: 2\n")
    got = read_answers(path, small)
    assert [str(each).startswith(f"{path}:{told}") for each in got.wrong.values()] == [True]
    graded = grader.grade(got)
    assert graded.results == {"size": "unusable", "settle": "right", "mean": "wrong", "knob": "unanswered"}
    assert graded.was["size"] == grader.grade(Answers({})).was["size"]


@pytest.mark.parametrize(("text", "told"), [
    ("- b\n", "1:1: answers are wanted, `beat-id: answer`, got a list"),
    ("b\n", '1:1: answers are wanted, `beat-id: answer`, got text "b"'),
    ("variant: [anna]\n", "1:10: variant: an answer is a text or a number, got a list"),
    ("size: b\n1: c\n", "2:1: keys must be text"),
    ("size: [\n", "2:1: "),
    ("variant: anna\n", "1:10: variant: lesson small has nothing to vary"),
    ("variant: '!'\n", '1:10: variant: "!" is no name: letters from a to z and digits'),
])  # fmt: skip
def test_a_broken_file_says_where(tmp_path: Path, small: Lesson, text: str, told: str) -> None:
    path = file(tmp_path, text)
    with pytest.raises(Problems) as error:
        read_answers(path, small)
    assert str(error.value).startswith(f"{path}:{told}")


def test_files_that_are_none(tmp_path: Path, small: Lesson) -> None:
    (tmp_path / "folder.yaml").mkdir()
    for name in ("folder.yaml", "missing.yaml"):
        with pytest.raises(Problems):
            read_answers(tmp_path / name, small)
    (tmp_path / "bytes.yaml").write_bytes(b"size: \xff\xfe\x00\n")
    with pytest.raises(Problems):
        read_answers(tmp_path / "bytes.yaml", small)


def test_the_files_of_a_folder_by_name(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.YML", ".hidden.yaml", "notes.txt", "c.yaml"):
        file(tmp_path, "", name)
    assert [path.name for path in files_of(tmp_path)] == ["a.YML", "b.yaml", "c.yaml"]
    assert files_of(tmp_path / "notes.txt") == [tmp_path / "notes.txt"]


# ----------------------------------------------------------------------------------------------- rows
def test_a_row_and_its_header(grader: Grader) -> None:
    graded = grader.grade(Answers({"size": "b"}))
    assert header(grader.beats, False) == [
        "file",
        "size",
        "settle",
        "mean",
        "knob",
        "right",
        "wrong",
        "unanswered",
        "unusable",
    ]
    assert row("x", graded, False) == ["x", "right", "unanswered", "unanswered", "unanswered", 1, 0, 3, 0]
    assert header(grader.beats, True)[9:] == ["size was", "settle was", "mean was", "knob was"]
    assert len(row("x", graded, True)) == len(header(grader.beats, True)) == 13


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "a;=1", "a,=1", "a| -1", "=HYPERLINK(1)", "＝1"]
)
def test_no_cell_is_a_formula(cell: str) -> None:
    shown = defused(cell)
    for part in shown.replace(",", ";").replace("|", ";").split(";"):
        assert not part.strip().startswith(("=", "+", "-", "@", "＝"))
    assert "\t" not in shown and shown.replace("'", "").replace("\\t", "\t") == cell


@pytest.mark.parametrize("cell", ["anna.yaml", "a-b = c", "c: 5 µs", "1", "x@y"])
def test_other_cells_stay(cell: str) -> None:
    assert defused(cell) == cell


def test_csv_reads_back(grader: Grader) -> None:
    out = io.StringIO()
    made = row('a "b", c.yaml', grader.grade(Answers(RIGHT)), True)
    csv.writer(out).writerow(made)
    assert next(csv.reader(io.StringIO(out.getvalue()))) == [str(cell) for cell in made]
