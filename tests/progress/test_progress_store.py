"""The store and a real session: what is kept, where the next visit goes on, which answers still count."""

import json
import os
from pathlib import Path

import pytest
from lesson.small import SMALL, changed

from ixviz.lesson import Session
from ixviz.lesson.load import load_lesson_text
from ixviz.progress import Store

WRONG, RIGHT = {"size": "a", "settle": "a", "mean": "64"}, {"size": "b", "settle": "c", "knob": "4"}


def visit(folder: Path, text: str = SMALL, start: bool = False) -> tuple[Session, str | None]:
    session = Session(load_lesson_text(text))
    return session, Store(folder).attach(session, start)


def test_nothing_is_there_before_and_the_first_visit_says_nothing(tmp_path):
    store = Store(tmp_path / "state")
    assert store.lessons() == {} and store.read("small") is None and not (tmp_path / "state").exists()
    session, said = visit(tmp_path / "state")
    assert said is None and session.index == 0
    assert Store(tmp_path / "state").read("small").at == "intro"


def test_the_next_visit_goes_on_where_the_last_one_was(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer(WRONG["size"])
    session.go_on()
    record = Store(tmp_path).read("small")
    assert (record.at, record.done, record.title) == ("settle", False, "A small lesson")
    assert record.answers["size"].result == "wrong" and record.answers["size"].said == "a"

    again, said = visit(tmp_path)
    assert said == "continued at beat 3; r in the menu starts again"
    assert again.beat.id == "settle" and again.results == {"size": "wrong"} and again.said == {"size": "a"}


def test_left_after_an_answer_it_goes_on_behind_it(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer(RIGHT["size"])
    again, said = visit(tmp_path)
    assert again.beat.id == "settle" and "beat 3" in said


def test_an_unusable_answer_and_a_wrong_try_of_a_task_are_not_kept(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer("z")
    assert Store(tmp_path).read("small").answers == {}
    for _ in range(3):
        session.skip()
        session.go_on()
    assert session.beat.id == "knob"
    session.answer("2")
    assert "knob" not in Store(tmp_path).read("small").answers
    session.answer(RIGHT["knob"])
    assert Store(tmp_path).read("small").answers["knob"].result == "right"


def test_the_first_answer_stays_over_visits_and_show_me_is_none(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer(WRONG["size"])
    session.go_on()
    session.skip()
    assert Store(tmp_path).read("small").count("right") == 0

    again, said = visit(tmp_path, start=True)
    assert again.index == 0 and again.results == {} and said == "from the start; your first answers stay"
    again.go_on()
    again.answer(RIGHT["size"])
    again.go_on()
    again.answer(WRONG["settle"])
    kept = Store(tmp_path).read("small").answers
    assert (kept["size"].result, kept["size"].said, kept["size"].reviewed) == ("wrong", "a", "right")
    assert (kept["settle"].result, kept["settle"].said) == ("wrong", "a")  # a skip was no answer, this is the first
    third, _ = visit(tmp_path, start=True)
    third.go_on()
    third.skip()
    assert Store(tmp_path).read("small").answers == kept


def through(session: Session, answers: dict[str, str]) -> None:
    """To the end; what comes back is answered right when `answers` has `review`, else left."""
    while str(session.phase) != "over":
        if str(session.phase) == "asking":
            if session.review and "review" not in answers:
                return
            session.answer(RIGHT[session.beat.id] if session.review else answers[session.beat.id])
        session.go_on()


def test_what_was_wrong_comes_back_in_the_next_visit(tmp_path):
    session, _ = visit(tmp_path)
    through(session, {"size": "a", "settle": "c", "mean": "8", "knob": "4"})
    wrong = session.wrong
    assert "size" in [beat.id for beat in wrong]
    assert session.review and not Store(tmp_path).read("small").done
    assert Store(tmp_path).read("small").at == "knob"  # what comes back is behind the last beat
    session.skip()
    while session.go_on():
        session.skip()
    record = Store(tmp_path).read("small")
    assert record.done and record.at is None and record.finished and record.to_review == len(wrong)

    again, said = visit(tmp_path)
    assert said == f"{len(wrong)} to review; r in the menu starts again"
    assert again.review and again.beat.id == "size"
    again.answer(RIGHT["size"])
    record = Store(tmp_path).read("small")
    assert record.to_review == len(wrong) - 1 and record.answers["size"].result == "wrong" and record.done


def test_a_lesson_that_is_done_begins_a_new_round(tmp_path):
    session, _ = visit(tmp_path)
    while session.go_on():
        session.skip()
    assert Store(tmp_path).read("small").finished
    again, said = visit(tmp_path)
    assert said.startswith("done before, 0 right") and again.index == 0 and again.results == {}
    record = Store(tmp_path).read("small")
    assert record.done and not record.finished and record.count("skipped") == 4


def test_a_lesson_that_is_done_goes_on_with_a_question_that_is_new(tmp_path):
    session, _ = visit(tmp_path)
    while session.go_on():
        session.skip()
    again, said = visit(tmp_path, changed("Where does the size go?", "Where does it go?"))
    assert again.beat.id == "settle" and said.startswith("continued at beat 3")
    third, said = visit(tmp_path / "other", start=True)
    assert said is None and third.index == 0


def test_where_it_went_on_is_not_told_when_the_caller_goes_elsewhere(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    again = Session(load_lesson_text(SMALL))
    assert Store(tmp_path).attach(again, moves=True) is None and again.listener.opening == ""


def test_a_changed_question_counts_no_more_and_the_others_do(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer("b")
    session.go_on()
    session.answer("a")
    session.go_on()
    before = (tmp_path / "progress" / "small.json").read_text()
    edited = changed("ask: How many will batch 3 have?", "ask: How many will batch 4 have?")
    again, said = visit(tmp_path, edited)
    assert again.results == {"settle": "wrong"}
    assert again.beat.id == "size" and "beat 2" in said  # as near as answers allow
    kept = json.loads((tmp_path / "progress" / "small.json").read_text())
    assert kept["beats"] == json.loads(before)["beats"]  # the old answer is still there
    back, _ = visit(tmp_path)
    assert back.results == {"size": "right", "settle": "wrong"}  # the edit was taken back

    again, _ = visit(tmp_path, edited)
    again.answer("a")
    assert Store(tmp_path).read("small").answers["size"].said == "a"
    assert visit(tmp_path)[0].results == {"settle": "wrong"}  # a new answer has replaced the old one


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hints:\n        - How long does batch 2 take?", "hints:\n        - Look at the lanes."),
        ("because: Everything that waits goes along.", "because: All that waits goes along."),
        ("title: What came meanwhile", "title: Meanwhile"),
        ("ask: How many will batch 3 have?", "ask: |\n        How many will\n        batch 3 have?"),
        ("title: A small lesson", "title: Renamed"),
    ],
)
def test_what_is_no_part_of_the_question_may_change(tmp_path, old, new):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer("b")
    assert visit(tmp_path, changed(old, new))[0].results == {"size": "right"}


@pytest.mark.parametrize(
    ("beat", "old", "new"),
    [
        ("size", "- is: 1\n", "- is: 2\n"),
        ("settle", "say: It stays at $(batch(4).size).", "say: It stays."),
        ("mean", "unit: packets", "unit: requests"),
        ("knob", "system.batch_bound: [2, 4, 8, 64]", "system.batch_bound: [2, 4, 16, 64]"),
        ("knob", "ask: Find the largest B", "ask: Find the biggest B"),
    ],
)
def test_what_is_a_part_of_the_question_may_not(beat, old, new):
    from ixviz.progress.store import heads

    before = {head.id: head.fingerprint for head in heads(load_lesson_text(SMALL))}
    after = {head.id: head.fingerprint for head in heads(load_lesson_text(changed(old, new)))}
    assert [name for name in before if before[name] != after[name]] == [beat]
    assert before["intro"] == "" and len(set(before.values())) == 5


def test_beats_that_are_gone_or_new_do_no_harm(tmp_path):
    session, _ = visit(tmp_path)
    session.go_on()
    session.answer("b")
    session.go_on()
    session.answer("c")
    session.go_on()
    renamed = changed("id: mean", "id: average")
    again, _ = visit(tmp_path, renamed)
    assert again.results == {"size": "right", "settle": "right"} and again.beat.id == "average"
    assert set(Store(tmp_path).read("small").answers) == {"size", "settle"}


def test_reset_removes_one_or_all_and_what_runs_meanwhile_writes_only_what_is_new(tmp_path):
    for name in ("small", "other"):
        session, _ = visit(tmp_path, changed("id: small", f"id: {name}"))
        session.go_on()
        session.answer("b")
    assert Store(tmp_path).ids() == ["other", "small"]
    assert Store(tmp_path).reset("nope") == []
    assert Store(tmp_path).reset("other") == ["other"]
    session.go_on()
    session.answer("c")
    kept = Store(tmp_path).read("other")
    assert set(kept.answers) == {"settle"} and kept.at == "settle"
    assert Store(tmp_path).reset() == ["other", "small"]
    assert Store(tmp_path).reset() == [] and Store(tmp_path).lessons() == {}


def test_another_listener_still_hears(tmp_path):
    session = Session(load_lesson_text(SMALL))
    heard = []
    session.listener = lambda s: heard.append(s.beat.id)
    Store(tmp_path).attach(session)
    heard.clear()
    session.go_on()
    assert heard == ["size"] and Store(tmp_path).read("small").at == "size"


def test_plain_keeps_nothing(tmp_path, monkeypatch):
    from ixviz.cli import main

    lesson = tmp_path / "lesson.yaml"
    lesson.write_text(SMALL)
    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    assert main([str(lesson), "--plain"]) == 0
    assert not (tmp_path / "state").exists()


def test_the_folder(monkeypatch, tmp_path):
    from ixviz.progress import state_folder

    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path))
    assert state_folder() == tmp_path
    monkeypatch.setenv("IXVIZ_STATE", "")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert tmp_path in state_folder().parents and state_folder().name == "ixviz"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="homes are found in other ways here")
def test_no_home(monkeypatch):
    import pwd

    from ixviz.progress import state_folder

    def nobody(uid):
        raise KeyError(uid)

    for name in ("IXVIZ_STATE", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert state_folder() is None
