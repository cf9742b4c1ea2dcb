"""The machines of a lesson: branches share their past, whole runs and records have the same figures."""

from __future__ import annotations

import threading

import pytest
from lesson.small import SMALL, changed

from ixviz.lesson import LessonError, Position, Runs, Session, load_lesson_text
from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import ExprError, NotYet, evaluate, parse
from ixviz.lesson.stops import Stops
from ixviz.measure.metrics import metrics


@pytest.fixture
def stops() -> Stops:
    return Stops(Runs(load_lesson_text(SMALL)))


def test_a_branch_agrees_with_its_base_before_its_event_and_not_at_it(stops: Stops) -> None:
    fork = stops.runs.fork("one")
    assert fork is not None and fork[0] == "bench"
    base, one = stops.runs.recorded("bench").history.cursor(), stops.runs.recorded("one").history.cursor()
    for event in range(fork[1]):
        base.seek(event), one.seek(event)
        assert (base.time, base.state_hash()) == (one.time, one.state_hash()), event
    base.seek(fork[1]), one.seek(fork[1])
    assert base["core0"].batch == one["core0"].batch == 4
    assert (base["core0"].size, one["core0"].size) == (7, 1)


def test_other_runs_stand_at_the_same_time(stops: Stops) -> None:
    _, fork = stops.runs.fork("one") or ("", 0)
    assert stops.position_of("one", Position("bench", fork)) == Position("one", fork)
    times = [stops.runs.recorded("bench").history.event(e).time for e in (fork - 1, fork)]
    assert times[0] == times[1]  # the doorbell and the poll: one instant, two events
    assert stops.position_of("one", Position("bench", fork - 1)) == Position("one", fork - 1)
    assert stops.position_of("one", Position("bench", 5)) == Position("one", 5)
    assert stops.position_of("short", Position("bench", 0)) == Position("short", 0)
    assert stops.position_of("short", Position("bench", None)) == Position("short", None)
    event = stops.position_of("one", Position("bench", fork + 60)).event
    assert event is not None
    times = [
        stops.runs.recorded(r).history.event(e).time
        for r, e in (("bench", fork + 60), ("one", event), ("one", event + 1))
    ]
    assert times[1] <= times[0] < times[2]


def test_whole_run_and_record_have_the_same_figures() -> None:
    runs = Runs(load_lesson_text(SMALL.replace("seed: 1", "seed: 77")))  # a machine that no other test keeps
    seen: list[float] = []
    sliced = runs.whole("bench", seen.append)
    assert seen[-1] == 1.0 and seen == sorted(seen) and len(seen) > 10 and runs.is_ready("bench")
    assert metrics(sliced) == metrics(runs.recorded_to_end("bench"))


def test_a_whole_run_is_shared_as_long_as_somebody_keeps_it() -> None:
    text = SMALL.replace("seed: 1", "seed: 78")
    first, second = Runs(load_lesson_text(text)), Runs(load_lesson_text(text))
    assert first.whole("bench") is second.whole("bench")


def test_threads_share_a_run(stops: Stops) -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(stops.runs.whole("bench"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(map(id, found))) == 1


@pytest.mark.parametrize(
    ("event", "text", "shown"),
    [
        (16, "core0.batch", 2),
        (16, "count(packets)", 5),
        (16, "core0.stage == poll", True),
        (16, "waiting(poll)", 4),
        (16, "waiting(nic.q0)", 0),
        (16, "system.batch_bound", 64),
        (16, "run.until == 100 us", True),
        (16, "system.cost.packet == 250 ns", True),
        (16, "packet(5).arrives == 3.1 us", False),
        (16, "rxlist.depth", 0),
        (16, "nic.drops", 0),
        (16, "time > 3 us", True),
        (16, "batch(2).ends == none", True),
        (None, "batch.max", 12),
        (None, "count(packets) == packets.arrived", True),
        (None, "waiting(cross) >= 0", True),
        (None, "max(core0.batch) == core0.batch", True),
        (None, "latency.p99 > latency.mean", True),
        (None, "busy < 1", True),
    ],
)
def test_names(stops: Stops, event: int | None, text: str, shown: object) -> None:
    assert evaluate(parse(text), RunEnv(stops.runs, "bench", event)).data == shown


@pytest.mark.parametrize(
    "text", ["batch.mean", "busy", "batch(2).ends", "batch(3).size", "packet(6).arrives", "latency.p99"]
)
def test_the_future_is_not_there(stops: Stops, text: str) -> None:
    stops.runs.recorded_to_end("bench"), stops.runs.whole("bench")
    with pytest.raises(NotYet):
        evaluate(parse(text), RunEnv(stops.runs, "bench", 16))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("core0.bach", "core0 has no bach, did you mean batch"),
        ("core1.batch", "did you mean core0.batch"),
        ("waiting(tpc)", "nothing waits in tpc, did you mean tcp"),
        ("latency.p98", "did you mean latency.p9"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(stops: Stops, text: str, message: str) -> None:
    with pytest.raises(ExprError, match=message):
        evaluate(parse(text), RunEnv(stops.runs, "bench", 16))


def test_a_stop_that_is_never_reached_names_the_beat() -> None:
    text = changed("until: core0.batch == 2\n", "until: core0.batch == 20000\n")
    session = Session(load_lesson_text(text, "l.yaml"))
    session.go_on()
    with pytest.raises(LessonError, match=r"^l\.yaml:\d+:12: beat size: never reached"):
        session.texts()


def test_what_a_field_was_before_its_run_began_is_no_value_of_it(stops: Stops) -> None:
    env = RunEnv(stops.runs, "bench", 30)
    assert evaluate(parse("min(nic.q0.capacity)"), env).data == 512
    assert evaluate(parse("min(core0.batch)"), env).data == 0 and evaluate(parse("max(core0.batch)"), env).data > 0
