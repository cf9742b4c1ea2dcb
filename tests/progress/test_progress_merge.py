"""Merging: no answer is lost, the first to a question stays, a skip is none; whatever comes in whatever order."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ixviz.progress.record import Answer, Head, Record, from_json, merge, merged, to_json

RESULTS = st.sampled_from(["right", "wrong", "skipped"])
LATER = st.sampled_from(["", "right", "wrong", "skipped"])
IDS = ("alone", "next", "settle", "knob")


@st.composite
def answers(draw):
    result = draw(RESULTS)
    said = "" if result == "skipped" else draw(st.sampled_from("abc"))
    return Answer(result, said, "f", draw(LATER) if result == "wrong" else "")


ORDER = tuple(Head(beat, beat.title(), "f") for beat in IDS)
RECORDS = st.builds(Record, st.just("T"), st.just(ORDER), st.dictionaries(st.sampled_from(IDS), answers()),
                    st.sampled_from([None, *IDS]), st.booleans())  # fmt: skip
WORTH = {"": 0, "skipped": 1, "wrong": 2, "right": 3}


@given(answers(), answers())
def test_the_first_answer_stays_and_a_skip_is_no_answer(a, b):
    got = merged(a, b)
    first = a if a.result != "skipped" or b.result == "skipped" else b
    assert (got.result, got.said) == (first.result, first.said)
    if got.result == "wrong":
        assert WORTH[got.reviewed] == max(WORTH[a.reviewed], WORTH[b.reviewed], WORTH["right"] * (b.result == "right"))
    assert merged(a, a) == a and merged(got, b) == got  # once more changes nothing


@given(answers(), answers(), answers())
def test_it_does_not_matter_who_merges_first(a, b, c):
    assert merged(merged(a, b), c) == merged(a, merged(b, c))


def test_right_on_a_later_round_is_a_review_and_no_more():
    wrong, right = Answer("wrong", "a", "f"), Answer("right", "b", "f")
    assert merged(wrong, right) == Answer("wrong", "a", "f", "right")
    assert merged(right, wrong) == right
    assert merged(Answer("skipped", "", "f"), right) == right
    assert merged(right, Answer("skipped", "", "f")) == right


def test_an_answer_to_another_question_replaces():
    assert merged(Answer("right", "a", "f"), Answer("skipped", "", "g")) == Answer("skipped", "", "g")


@given(st.lists(RECORDS, min_size=1, max_size=6))
def test_nothing_is_lost_whatever_the_order(records):
    got = None
    for record in records:
        got = merge(got, record)
    assert set(got.answers) == {beat for record in records for beat in record.answers}
    for beat, answer in got.answers.items():
        given_ = [r.answers[beat] for r in records if beat in r.answers]
        real = [a for a in given_ if a.result != "skipped"]
        assert (answer.result, answer.said) == ((real or given_)[0].result, (real or given_)[0].said)
    assert got.at == records[-1].at
    assert got.done == any(record.done for record in records)


@given(RECORDS)
def test_a_file_holds_the_whole_record(record):
    assert from_json(json.loads(json.dumps(to_json("small", record)))) == record


def test_counts_leave_out_what_was_changed_or_is_gone():
    old = {"alone": Answer("right", "a", "f"), "next": Answer("wrong", "a", "other"), "gone": Answer("right", "a", "f"),
           "settle": Answer("wrong", "a", "f", "right"), "knob": Answer("wrong", "b", "f", "wrong")}  # fmt: skip
    record = Record("T", (*ORDER, Head("text", "Only text")), old, "knob")
    assert list(record.counted) == ["alone", "settle", "knob"]
    assert [record.count(kind) for kind in ("right", "wrong", "skipped")] == [1, 2, 0]
    assert record.to_review == 1
    assert [head.id for head in record.questions] == list(IDS)


def test_next_is_no_answered_question_and_not_behind_the_end():
    heads = (Head("one", "1", "f"), Head("text", "2"), Head("two", "3", "f"), Head("three", "4", "f"))
    one, two, three = ({beat: Answer("right", "a", "f")} for beat in ("one", "two", "three"))
    assert Record("T", heads, {}, "one").next == 0
    assert Record("T", heads, one, "one").next == 1
    assert Record("T", heads, one | two, "text").next == 1
    assert Record("T", heads, one | two, "two").next == 3
    assert Record("T", heads, one | two | three, "three").next == 3
    assert Record("T", heads, one, "renamed since").next == 2
    assert Record("T", (), {}, "one").next == 0
