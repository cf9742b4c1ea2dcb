"""`ixviz progress`: table, JSON, answers as a grader reads them, forgetting; and which words it refuses."""

import json

import pytest
import yaml
from lesson.small import SMALL, changed

from ixviz.cli import main
from ixviz.cli.progress import quoted
from ixviz.lesson import Session
from ixviz.lesson import load as lesson_load
from ixviz.lesson.load import load_lesson_text
from ixviz.progress import Store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The state folder; one lesson is bundled, `lessons/07-extra` with the id `more`."""
    bundled = tmp_path / "lessons" / "07-extra"
    bundled.mkdir(parents=True)
    (bundled / "lesson.yaml").write_text(changed("id: small", "id: more"))
    monkeypatch.setattr(lesson_load, "_CONTENT", (bundled.parent,))
    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "state"


def learn(folder, **answers):
    """A visit to the small lesson that answers some of its questions and skips what is between."""
    session = Session(load_lesson_text(SMALL))
    Store(folder).attach(session)
    while answers:
        if str(session.phase) == "asking":
            word = answers.pop(session.beat.id, "")
            session.answer(word) if word else session.skip()
        session.go_on()


def ixviz(capsys, *words):
    status = main(["progress", *words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def test_before_the_first_lesson(folder, capsys):
    assert ixviz(capsys) == (0, "No lesson was begun yet.\n", "")
    assert ixviz(capsys, "--json") == (0, '{"lessons": []}\n', "")
    assert ixviz(capsys, "--reset-all") == (0, "nothing to remove\n", "")
    assert ixviz(capsys, "--reset", "07-extra") == (0, "nothing to remove\n", "")
    for name in ("lessons/07-extra", "extra", "more"):
        assert ixviz(capsys, "--answers", name) == (0, "", "ixviz: more: there are no answers yet\n")
    assert not folder.exists()


def test_the_table(folder, capsys):
    learn(folder, size="b", mean="64")
    status, out, err = ixviz(capsys)
    lines = out.splitlines()
    assert status == 0 and err == "" and max(map(len, lines)) <= 80
    assert lines[0].split() == ["lesson", "answers", "right", "wrong", "skipped", "to", "review"]
    assert lines[1].split() == ["A", "small", "lesson", "✓·×·", "1", "1", "1", "1"]


def test_json(folder, capsys):
    learn(folder, size="b", mean="64")
    status, out, _ = ixviz(capsys, "--json")
    assert status == 0 and json.loads(out) == {
        "lessons": [
            {
                "id": "small",
                "title": "A small lesson",
                "beats": [
                    {"id": "size", "result": "right", "reviewed": None},
                    {"id": "settle", "result": "skipped", "reviewed": None},
                    {"id": "mean", "result": "wrong", "reviewed": None},
                    {"id": "knob", "result": None, "reviewed": None},
                ],
                "right": 1,
                "wrong": 1,
                "skipped": 1,
                "to_review": 1,
                "done": False,
            }
        ]
    }


def test_answers_are_what_was_said_first(folder, capsys, tmp_path):
    learn(folder, size="b", mean="64", knob="4")
    assert ixviz(capsys, "--answers", "small") == (0, 'size: b\nmean: "64"\nknob: "system.batch_bound = 4"\n', "")
    edited = tmp_path / "lesson.yaml"
    edited.write_text(changed("ask: How many will batch 3 have?", "ask: How many?"))
    now = 'mean: "64"\nknob: "system.batch_bound = 4"\n'  # as the lesson is now
    assert ixviz(capsys, "--answers", str(edited)) == (0, now, "")


WORDS = ["a", "n", "y", "off", "no", "null", "12", "12 us", "1e3", "0o14", "12:30", "1_000", "packet = 3", "#a", "- a",
         "a: b", "~", " a", "µs", "\x1b[2J", "\u202e", "😀"]  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
def test_yaml_reads_back_what_was_said(text):
    assert yaml.safe_load(f"{quoted(text)}: {quoted(text)}") == {text: text}
    assert quoted(text).isascii() and quoted(text).isprintable()
    assert quoted(text).startswith('"') is (text != "a")


def test_forgetting_one_and_all(folder, capsys):
    learn(folder, size="b")
    other = Session(load_lesson_text(changed("id: small", "id: other")))
    Store(folder).attach(other)
    assert ixviz(capsys, "--reset", "small") == (0, "removed: small\n", "")
    assert ixviz(capsys, "--reset", "small")[0] == 2  # now nobody knows it
    learn(folder, size="b")
    assert ixviz(capsys, "--reset-all") == (0, "removed: other\nremoved: small\n", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--answers", "smal"], "did you mean small?"),
        (["--reset", "07-extar"], "did you mean 07-extra?"),
        (["--reset", "../state/progress/small"], "no such lesson"),
        (["--reset", "\x1b[2J"], "\\x1b[2J: no such lesson"),
        (["--reset", "a\0b"], "no such lesson"),
        (["--reset", ""], "no such lesson"),
        (["--json", "--reset-all"], "takes one of"),
        (["small"], "unexpected extra argument"),
        (["--jsno"], "No such option"),
    ],
)
def test_refused(folder, capsys, words, said):
    learn(folder, size="b")
    status, out, err = ixviz(capsys, *words)
    assert status == 2 and out == "" and said in err, err
    assert Store(folder).read("small").count("right") == 1


def test_a_broken_lesson_can_be_forgotten_by_its_id(folder, capsys, tmp_path):
    learn(folder, size="b")
    broken = tmp_path / "lesson.yaml"
    broken.write_text("id: small\n")
    status, out, err = ixviz(capsys, "--reset", str(broken))
    assert status == 2 and out == "" and "lesson.yaml" in err
    assert ixviz(capsys, "--reset", "small")[0] == 0


def test_files_that_cannot_be_read_are_named_and_left(folder, capsys):
    learn(folder, size="b")
    (folder / "progress" / "torn.json").write_text("{")
    (folder / "progress" / "later.json").write_text('{"version": 9}')
    status, out, err = ixviz(capsys, "--json")
    assert status == 0 and [lesson["id"] for lesson in json.loads(out)["lessons"]] == ["small"]
    assert "torn.json is broken" in err and "a newer ixviz wrote it" in err and len(err.splitlines()) == 2
    status, out, err = ixviz(capsys, "--reset-all")
    assert status == 2 and "written by a newer ixviz" in err
    assert sorted(p.name for p in (folder / "progress").glob("*.json")) == ["later.json"]


def test_a_folder_that_is_none(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    for state in ("file", "file/below", "file/progress"):
        monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / state))
        for words in ((), ("--json",), ("--reset-all",), ("--answers", "02-batching")):
            told = f"ixviz: IXVIZ_STATE: {tmp_path / 'file'} is no folder; progress is kept in a folder\n"
            assert ixviz(capsys, *words) == (2, "", told)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "progress").write_text("")
    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "state"))
    assert ixviz(capsys)[2].startswith(f"ixviz: IXVIZ_STATE: {tmp_path}/state/progress is no folder")
    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "to" / "be" / "made"))
    assert ixviz(capsys, "--json") == (0, '{"lessons": []}\n', "")
