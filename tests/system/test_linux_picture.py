"""The picture of a Linux machine: exact widths, latencies that add up, and nothing of what comes later."""

from functools import cache
from typing import Any

import pytest
from system.pictures import drawn_at_places, drawn_the_same_later, parts_add_up
from system.runs import recorded, scenario

from ixviz.draw.cells import plain
from ixviz.scenario.simulate import picture_of

USR = ("linux-memcached-usr", "run.warmup=0", "run.until=0.5 ms", "workload.connections=60")
ECHO = ("linux-echo", "machine.cores=3", "run.warmup=0", "run.until=0.8 ms", "workload.connections=60")
RFS = (*ECHO, "system.steering=true", "system.reuseport=true", "system.lock=mcs")


@cache
def run_of(made: tuple[str, ...]) -> Any:
    return recorded(scenario(*made))


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
def test_what_is_drawn_at_an_event_does_not_change_when_more_is_recorded(made: tuple[str, ...]) -> None:
    drawn_the_same_later(made, 2500, 83, 2000)


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
@pytest.mark.parametrize(("w", "h"), [(60, 10), (63, 20), (80, 12), (120, 34)])
def test_every_size(made: tuple[str, ...], w: int, h: int) -> None:
    drawn_at_places(run_of(made), w, h)


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
def test_the_parts_of_a_latency_add_up(made: tuple[str, ...]) -> None:
    sim = run_of(made)
    last = len(sim.history) - 1
    told = {part.partition(":")[0].partition(" (")[0] for part in parts_add_up(sim, (last // 2, last), 3)}
    assert {"interrupt handler", "IP and TCP, into the socket's queue", "send()", "recv()"} <= told
    if made is ECHO:
        assert {"spun for the listen socket's lock", "its work with the lock held"} <= told


def test_every_event_has_words() -> None:
    for made in (USR, ECHO, RFS):
        sim = run_of(made)
        picture = picture_of(sim)
        moment = picture.moment(sim.history.cursor(len(sim.history) - 1))
        kinds = {}
        for number in range(min(len(sim.history), 4000)):
            kinds.setdefault(sim.history.kinds[sim.history.event(number).kind], picture.words(moment, number))
        assert all(len(text.split()) > 2 and "_" not in text.replace("epoll_wait", "") for text in kinds.values()), (
            kinds
        )
        assert len(kinds) > 18


def test_lines_that_a_lesson_marks_are_shown_against_the_cores() -> None:
    sim = run_of(ECHO)
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(len(sim.history) - 1))
    rows = picture.machine(moment, 80, 10, marked=frozenset(["listen.lock", "dst.refcnt"]))
    assert [d.name for d in rows if d.name] == ["dst.refcnt", "listen.lock"]


def test_a_machine_with_marks_shows_what_is_marked() -> None:
    picture = picture_of(run_of(ECHO))
    moment = picture.moment(picture.sim.history.cursor(len(picture.sim.history) - 1))
    for marked, names in ((["q1"], ["core1"]), (["nic", "core2"], ["nic", "core2"]), (["irq0"], ["core0"])):
        rows = picture.machine(moment, 80, 12, marked=frozenset(marked))
        assert [d.name for d in rows if d.name] == names
        assert "doing" in plain([d.line for d in rows])
    assert len(picture.machine(moment, 80, 12, marked=frozenset(["nothing"]))) == 10
