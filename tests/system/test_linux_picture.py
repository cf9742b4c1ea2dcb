"""The picture of a Linux machine: exact widths, latencies that add up, and nothing of what comes later."""

from functools import cache
from typing import Any

import pytest
from system.runs import recorded, scenario

from ixviz.draw.cells import plain, width
from ixviz.history import Journal
from ixviz.scenario.simulate import picture_of, simulate

USR = ("linux-memcached-usr", "run.warmup=0", "run.until=0.5 ms", "workload.connections=60")
ECHO = ("linux-echo", "machine.cores=3", "run.warmup=0", "run.until=0.8 ms", "workload.connections=60")
RFS = (*ECHO, "system.steering=true", "system.reuseport=true", "system.lock=mcs")


@cache
def run_of(made: tuple[str, ...]) -> Any:
    return recorded(scenario(*made))


def drawn(picture: Any, moment: Any, w: int, h: int) -> str:
    """All that is drawn at a moment, as text."""
    core = picture.core_here(moment)
    parts = [d.line for d in picture.machine(moment, w, h, wide=w > 100, core=core)]
    parts += [*picture.lanes(moment, w, 4, core=core).lines, picture.levels(moment, w, core)]
    parts += [d.line for d in picture.coherence(moment, w, 12)]
    for line in parts:
        assert width(line) == w
    for name in picture.charts:
        parts += picture.chart(moment, name, w, 8)
    text: str = plain(parts)
    packet = picture.packet_here(moment)
    if packet is not None:
        text += (
            f"{picture.why(moment, packet)} {picture.journey(moment, packet)} {picture.packet_facts(moment, packet)}"
        )
    return text + str(picture.words(moment, moment.at))


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
def test_what_is_drawn_at_an_event_does_not_change_when_more_is_recorded(made: tuple[str, ...]) -> None:
    sim: Any = simulate(scenario(*made), Journal())
    picture = picture_of(sim)
    seen = []
    while sim.journal.count < 2500 and sim.record(83):
        event = sim.journal.count - 1
        seen.append((event, drawn(picture, picture.moment(sim.history.cursor(event)), 80, 14)))
    sim.record(2000)
    for event, text in seen:
        assert drawn(picture, picture.moment(sim.history.cursor(event)), 80, 14) == text


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
@pytest.mark.parametrize(("w", "h"), [(60, 10), (63, 20), (80, 12), (120, 34)])
def test_every_size(made: tuple[str, ...], w: int, h: int) -> None:
    sim = run_of(made)
    picture = picture_of(sim)
    last = len(sim.history) - 1
    for event in (0, 1, last // 3, last // 2, last):
        assert drawn(picture, picture.moment(sim.history.cursor(event)), w, h)


@pytest.mark.parametrize("made", [USR, ECHO, RFS], ids=["usr", "echo", "rfs"])
def test_the_parts_of_a_latency_add_up(made: tuple[str, ...]) -> None:
    sim = run_of(made)
    picture = picture_of(sim)
    last = len(sim.history) - 1
    told = set()
    for event in (last // 2, last):
        moment = picture.moment(sim.history.cursor(event))
        for packet in range(1, moment.packets + 1, 3):
            why = picture.why(moment, packet)
            assert sum(part.ps or 0 for part in why.parts) == why.total
            assert all(part.ps is None or part.ps > 0 for part in why.parts)
            assert all(part.event <= event for part in why.parts)
            end = moment.left(packet)
            if end is not None:
                assert why.total == end - sim.feed.packets.arrives[packet]
            told |= {part.text.partition(":")[0].partition(" (")[0] for part in why.parts}
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
