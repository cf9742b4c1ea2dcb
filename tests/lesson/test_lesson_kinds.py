"""Order, point and find; questions that come back with other numbers; variants; what an earlier visit left."""

from __future__ import annotations

import pytest
from lesson.small import OTHER, SMALL, changed, place_of

from ixviz.lesson import Phase, Session, load_lesson_text, tasks, variants
from ixviz.lesson.check import check
from ixviz.lesson.expr import ExprError
from ixviz.lesson.finds import read
from ixviz.lesson.model import Find, LessonError, Task
from ixviz.scenario.messages import Problems


def told(text: str) -> list[str]:
    try:
        return [str(problem) for problem in check(load_lesson_text(text, "l.yaml"))]
    except Problems as error:
        return [str(problem) for problem in error.problems]


@pytest.fixture
def session() -> Session:
    return Session(load_lesson_text(OTHER))


def at(session: Session, beat: str) -> None:
    while session.beat.id != beat:
        session.skip()
        assert session.go_on()


def test_the_other_small_lesson_is_clean() -> None:
    assert told(OTHER) == []


# ------------------------------------------------------------------------------------------------------- order
def test_an_order(session: Session) -> None:
    assert session.action == "order" and session.texts().wanted == "the letters a to c, first to last"
    assert [choice.text for choice in session.texts().choices] == ["packet 7", "packet 2", "packet 1"]
    outcome = session.answer("a b c")
    assert (outcome.kind, outcome.message) == ("wrong", "It came later.")
    assert (outcome.said, outcome.was) == ("packet 7, packet 2, packet 1", "packet 1, packet 2, packet 7")
    assert session.phase is Phase.ANSWERED


@pytest.mark.parametrize("text", ["cba", "C > B > A", "c, b, a", " c b a "])
def test_an_order_is_read_in_many_ways(session: Session, text: str) -> None:
    assert session.answer(text).kind == "right"


@pytest.mark.parametrize("text", ["", "c", "cb", "ccb", "cbd", "1 2 3", "[b]c[/]"])
def test_an_order_needs_each_letter_once(session: Session, text: str) -> None:
    assert session.answer(text).kind == "unusable" and session.phase is Phase.ASKING


def test_items_with_words(session: Session) -> None:
    at(session, "coming")
    outcome = session.answer("ab")
    assert outcome.message == "A turn takes longer than 400 ns." and outcome.was == "The third comes, The first leaves"


def test_equal_items_are_refused() -> None:
    [line] = told(changed("          - packet(1)\n", "          - packet(4)\n", OTHER))
    assert line.endswith("beat leaving: items b and c are equal: there is no order")


def test_the_right_order_must_not_be_the_listed_one() -> None:
    items = "          - q\n          - p\n          - packet(1)\n"
    [line] = told(changed(items, "          - packet(1)\n          - p\n          - q\n", OTHER))
    assert line.endswith("beat leaving: the items stand in the right order already")


def test_something_is_said_to_every_wrong_order() -> None:
    text = changed("        - when: said(p) < said(q)\n          say: The first is already at work.\n", "", OTHER)
    assert any("nothing is said to the order" in line for line in told(text))


def test_said_knows_its_items() -> None:
    text = changed("said(q) < said(p)", "said(q) < said(pp)", OTHER)
    assert told(text) == [f"l.yaml:{place_of('pp)', text)}: beat leaving: pp is not one of the items, did you mean p?"]


# ------------------------------------------------------------------------------------------------------- point
def test_a_place(session: Session) -> None:
    at(session, "waiting")
    assert [choice.text for choice in session.texts().choices] == ["nic.q0", "core0.rxlist", "core0"]
    assert session.answer("core1").kind == "unusable"
    outcome = session.answer("nic.q0")
    assert (outcome.kind, outcome.said_letter, outcome.was) == ("wrong", "a", "core0")
    assert outcome.message == "Every poll empties the ring." and session.texts().why == "It is in core0."


@pytest.mark.parametrize("text", ["c", "C.", "core0"])
def test_a_place_by_letter_or_name(session: Session, text: str) -> None:
    at(session, "waiting")
    assert session.answer(text).kind == "right"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("answer: r.place", "answer: core0", "the answer is typed: it must be read from the run"),
        ("among: [nic.q0, core0.rxlist, core0]", "among: [nic.q0, core0.rxlist, core0, core7]", "no component core7"),
        (
            "          - at: nic.q0\n            say: Every poll empties the ring.\n",
            "",
            "nic.q0 is wrong and nothing is",
        ),
        ("answer: r.place", "answer: r.queue", "core0 is wrong and nothing is said to it"),
        ("answer: r.place", "answer: r.id", "the answer, 7, is none of nic.q0, core0.rxlist, core0"),
        ("at: nic.q0", "at: nic.q1", "nic.q1 is not in among, did you mean nic.q0?"),
    ],
)
def test_places_that_are_refused(old: str, new: str, message: str) -> None:
    assert any(f"beat waiting: {message}" in line or message in line for line in told(changed(old, new, OTHER)))


# ------------------------------------------------------------------------------------------------------- find
def test_a_find_stays_open_until_it_is_found(session: Session) -> None:
    at(session, "ill")
    for text in ("a1", "b1", "a1"):
        outcome = session.answer(text)
        assert (outcome.kind, outcome.message) == ("wrong", "It is busy all the time.")
        assert session.phase is Phase.ASKING and not outcome.was and session.texts().outcome == outcome
    assert session.answer("a2").message == "The rule is broken, but not by this part."
    assert session.answer("b2").kind == "right" and session.results["ill"] == "right"


def test_a_skipped_find_is_shown_and_not_solved(session: Session) -> None:
    at(session, "ill")
    session.answer("a1")
    assert session.skip().was == "nic.q0: It loses packets." and session.results["ill"] == "skipped"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("c2", ("core0.tx", 1)),
        ("2 C", ("core0.tx", 1)),
        ("core0 small-ring", ("core0", 1)),
        ("b, fills-batches", ("nic.q0", 0)),
        ("d1", None),
        ("a3", None),
        ("a", None),
        ("12", None),
        ("a b", None),
    ],
)
def test_what_a_find_understands(session: Session, text: str, found: object) -> None:
    find = session.lesson.beats[-1].action
    assert isinstance(find, Find) and read(find, text) == found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    fault: small-ring\n", "", "find: run ill has no fault"),
        ("    fault: small-ring\n", "    fault: slow-doorbell\n", "find: rules lacks the fault of run ill"),
        ("among: [core0, nic.q0, core0.tx]", "among: [core0, core0.tx]", "no component of among has the fault, nic.q0"),
        (
            "        - fault: small-ring\n",
            "        - fault: smal-ring\n",
            "no fault smal-ring in ix, did you mean small",
        ),
        (
            "          because: It is busy all the time.\n",
            "",
            "fills-batches is not the fault and does not say because",
        ),
        ("    run: ill\n    until: end\n", "    run: ill\n    until: core0.batch == 2\n", "until is end"),
    ],
)
def test_finds_that_are_refused(old: str, new: str, message: str) -> None:
    assert any(message in line for line in told(changed(old, new, OTHER)))


# ------------------------------------------------------------------------------------------------------- pick
def test_a_pick_is_bound_at_the_stop(session: Session) -> None:
    session.answer("cba")
    assert session.texts().why == "packet 7 leaves with batch 3, packet 2 with batch 2."


def test_a_pick_is_a_row() -> None:
    with pytest.raises(LessonError, match="p is no row: pick one packet"):
        Session(load_lesson_text(changed("p: first(packets where batch == 2)", "p: count(packets)", OTHER))).prepare()


@pytest.mark.parametrize("name", ["where", "time", "count", "bench", "said", "p-q"])
def test_names_that_cannot_be_picked(name: str) -> None:
    assert any(
        f"{name} cannot be a name in pick" in line for line in told(changed("{r: last", f"{{{name}: last", OTHER))
    )


# ------------------------------------------------------------------------------------------------------- again
def test_a_wrong_one_comes_back_with_other_numbers(session: Session) -> None:
    assert session.answer("abc").kind == "wrong"
    own = session.runs
    while not session.review:
        session.skip()
        assert session.go_on()
    assert session.beat.id == "leaving" and session.runs is not own
    assert session.runs.scenario("bench").system.batch_bound == 3 and own.scenario("bench").system.batch_bound == 4
    assert session.answer("cba").kind == "right" and session.reviewed == {"leaving": "right"}
    assert session.results["leaving"] == "wrong" and session.wrong == () and session.score == "right so far: 0 of 1"
    assert session.go_on() and session.phase is Phase.OVER


def test_again_changes_what_is_made_from_the_run(session: Session) -> None:
    lesson = load_lesson_text(SMALL)
    made = variants.changed(lesson, {"bench": {"system.batch_bound": 8}})
    bounds = {name: spec.scenario.system.batch_bound for name, spec in made.runs.items() if spec.scenario}
    assert bounds == {"bench": 8, "one": 1, "short": 8}
    assert variants.again(session.lesson, session.lesson.beats[3]) is session.lesson


def test_a_mistake_in_again_is_told_at_its_place() -> None:
    text = changed("set: {system.batch_bound: 3}", "set: {system.batch_bond: 3}", OTHER)
    [line] = told(text)
    assert line.startswith(
        f"l.yaml:{place_of('system.batch_bond: 3', text)}: beat leaving: again.set.system.batch_bond"
    )


# ------------------------------------------------------------------------------------------------------- visits
def test_a_visit_goes_on_where_the_last_one_was() -> None:
    lesson = load_lesson_text(OTHER)
    first, second = Session(lesson), Session(lesson)
    first.answer("abc")
    first.go_on()
    second.restore(first.results, first.said, first.reviewed, first.beat.id)
    assert second.beat.id == "coming" and second.phase is Phase.ASKING and second.score == first.score
    assert second.go_to(0) and second.phase is Phase.ANSWERED
    first.go_to(0)
    assert second.texts() == first.texts()


def test_the_next_visit_begins_with_what_was_wrong() -> None:
    lesson = load_lesson_text(OTHER)
    results = {"leaving": "right", "coming": "wrong", "waiting": "skipped", "ill": "right"}
    said = {"leaving": "cba", "coming": "ab", "ill": "b2"}
    for visit in range(3):
        session = Session(lesson)
        session.restore(results, said, {"coming": "wrong"} if visit else {}, "ill", done=True)
        assert session.review and session.beat.id == "coming" and session.phase is Phase.ASKING
    assert session.answer("ba").kind == "right" and session.results == results
    assert session.go_on() and session.phase is Phase.OVER


def test_a_task_of_an_earlier_visit_is_shown_with_its_machine() -> None:
    lesson = load_lesson_text(SMALL)
    done = {"size": "right", "settle": "right", "mean": "right", "knob": "right"}
    for said, bound in (("batch_bound = 4", 4), ("zz", 4), ("2", 2)):
        session = Session(lesson)
        session.restore(done, {"knob": said}, at="knob")
        assert session.phase is Phase.ANSWERED and session.position.run == "mine"
        assert session.runs.scenario("mine").system.batch_bound == bound and session.texts().why


def test_answers_that_are_no_longer_understood_are_shown_as_skipped() -> None:
    session = Session(load_lesson_text(OTHER))
    session.restore({"leaving": "right"}, {"leaving": "zz"})
    assert session.phase is Phase.ANSWERED and session.texts().outcome is not None
    assert session.texts().outcome.kind == "skipped"  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------------------- variants
def test_a_variant_is_the_same_everywhere() -> None:
    lesson = load_lesson_text(OTHER)
    bounds = [variants.variant(lesson, name).runs["bench"].scenario.system.batch_bound for name in "abcdefgh"]  # type: ignore[union-attr]
    assert bounds == [3, 3, 5, 3, 4, 4, 5, 3] and set(bounds) == {3, 4, 5}
    made = variants.variant(lesson, "a")
    assert made.runs["ill"].scenario.fault == "small-ring"  # type: ignore[union-attr]
    assert made.runs["ill"].scenario.system.batch_bound == 3  # type: ignore[union-attr]


def test_nothing_to_vary() -> None:
    with pytest.raises(ValueError, match="lesson small has nothing to vary"):
        variants.variant(load_lesson_text(SMALL), "anna")


def test_other_seeds() -> None:
    made = variants.reseeded(load_lesson_text(OTHER), 7)
    assert {spec.scenario.run.seed for spec in made.runs.values() if spec.scenario} == {7}


def test_said_is_no_function_elsewhere() -> None:
    session = Session(load_lesson_text(OTHER))
    with pytest.raises(ExprError, match="no said"):
        from ixviz.lesson.expr import evaluate, parse

        evaluate(parse("said(q)"), session._now())


def test_again_has_to_change_something() -> None:
    text = changed("set: {system.batch_bound: 3}", "set: {system.batch_bound: 4}", OTHER)
    place = place_of("4}\n    reveal: q", text)
    assert told(text) == [f"l.yaml:{place}: beat leaving: again changes nothing: this is its value already"]


# ------------------------------------------------------------------------------------------------------- tasks
def knob_with_units() -> Task:
    """A task whose knob has values that are not in the order of their digits."""
    text = changed("system.batch_bound: [2, 4, 8, 64]", "run.until: [9 us, 20 us, 100 us, 1 ms, 9 ms]", SMALL)
    text = changed("largest: system.batch_bound", "largest: run.until", text)
    text = changed("- system.batch_bound: 4\n", "- run.until: 100 us\n", text)
    action = load_lesson_text(changed("set: {system.batch_bound: 2}", "set: {run.until: 9 us}", text)).beats[-1].action
    assert isinstance(action, Task)
    return action


def test_the_largest_value_is_that_of_its_unit() -> None:
    task = knob_with_units()
    values = [{"run.until": value} for value in task.knobs["run.until"]]
    assert [tasks.best(task, values[:n]) for n in (0, 2, 3, 5)] == [None, values[1], values[2], values[4]]


@pytest.mark.parametrize(("said", "meant"), [
    ("20", "20 us"), ("20 us", "20 us"), ("until 100", "100 us"), ("run.until = 1 ms", "1 ms"), ("9 ms", "9 ms"),
    ("9", None), ("2", None), ("20 ms", None),
])  # fmt: skip
def test_the_number_of_a_value_is_enough_where_only_one_has_it(said: str, meant: str | None) -> None:
    found = tasks.read(knob_with_units(), said)
    assert (None if found is None else tasks.spelled(found["run.until"])) == meant
