"""The picture of an mTCP machine: exact widths, golden frames, latencies that add up, nothing of what comes later."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from system.pictures import drawn_at_places, drawn_the_same_later, parts_add_up
from system.runs import recorded, scenario

from ixviz.draw.cells import plain
from ixviz.scenario.simulate import picture_of

GOLDEN = Path(__file__).parent / "golden"
USR = ("mtcp-memcached-usr", "run.warmup=0", "run.until=0.6 ms", "workload.connections=60")
ECHO = ("mtcp-echo", "machine.cores=3", "run.warmup=0", "run.until=0.7 ms", "workload.connections=60")
LONG = ("mtcp-echo", "machine.cores=1", "machine.hyperthreads=false", "run.warmup=0", "run.until=0.7 ms",
        "workload.connections=20", "workload.messages=3", "workload.close=rst")  # fmt: skip
ALL = pytest.mark.parametrize("made", [USR, ECHO, LONG], ids=["usr", "echo", "long"])


@cache
def run_of(made: tuple[str, ...]) -> Any:
    return recorded(scenario(*made))


@ALL
def test_what_is_drawn_at_an_event_does_not_change_when_more_is_recorded(made: tuple[str, ...]) -> None:
    drawn_the_same_later(made, 900, 41, 1000)


@ALL
@pytest.mark.parametrize(("w", "h"), [(60, 10), (63, 20), (80, 12), (120, 34)])
def test_every_size(made: tuple[str, ...], w: int, h: int) -> None:
    drawn_at_places(run_of(made), w, h)


@ALL
def test_the_parts_of_a_latency_add_up(made: tuple[str, ...]) -> None:
    sim = run_of(made)
    last = len(sim.history) - 1
    parts = parts_add_up(sim, range(last // 7, last, last // 7))
    told = {part.partition(":")[0].partition(",")[0] for part in parts}
    assert {"its event waited", "the application worked on all it was handed", "its job waited", "TCP"} <= told
    assert any(text.startswith("select()'s timer") for text in told)


def test_data_that_came_before_accept_say_that_they_waited_for_it() -> None:
    sim = run_of(LONG)
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(len(sim.history) - 1))
    seen = set()
    for packet in range(1, moment.packets + 1):
        event = moment.step(packet, "told")
        if event is not None and moment.left(packet) is not None:
            kind = sim.history.kinds[sim.history.event(event).kind]
            text = " ".join(part.text for part in picture.why(moment, packet).parts)
            assert ("was new and waited" in text) == (kind == "app")
            assert ("its event waited" in text) == (kind == "told")
            seen.add(kind)
    assert seen == {"told", "app"}


def test_every_event_has_words() -> None:
    kinds: dict[str, str] = {}
    for made in (USR, ECHO, LONG):
        sim = run_of(made)
        picture = picture_of(sim)
        moment = picture.moment(sim.history.cursor(len(sim.history) - 1))
        for number in range(len(sim.history)):
            kinds.setdefault(sim.history.kinds[sim.history.event(number).kind], picture.words(moment, number))
    for text in kinds.values():
        assert len(text.split()) > 2 and "_" not in text.replace("mtcp_epoll_wait", "")
    assert len(kinds) == len(sim.history.kinds) - 2, "all but a drop and a what-if"


def test_a_machine_with_marks_shows_what_is_marked() -> None:
    picture = picture_of(run_of(LONG))
    moment = picture.moment(picture.sim.history.cursor(len(picture.sim.history) - 1))
    for marked, names in (
        (["core0.events"], ["core0.events"]), (["jobs", "nic"], ["nic", "core0.jobs"]),
        (["sock0", "q0.ring"], ["q0.ring", "sock0"]), (["q0"], ["nic.q0"]),
    ):  # fmt: skip
        rows = picture.machine(moment, 80, 12, marked=frozenset(marked))
        assert [d.name for d in rows if d.name] == names
    assert len(picture.machine(moment, 80, 12, marked=frozenset(["nothing"]))) == 7


@pytest.mark.parametrize(
    ("name", "made", "kind", "number", "size"),
    [
        ("one_core_app", LONG, "app", 2, (80, 12)),
        ("one_core_timer", LONG, "timer", 1, (80, 12)),
        ("six_threads", ECHO, "handed", 4, (80, 14)),
        ("six_threads_wide", ECHO, "tcp", 40, (63, 26)),
    ],
)
def test_golden(name: str, made: tuple[str, ...], kind: str, number: int, size: tuple[int, int]) -> None:
    """Machine and lanes at the n-th event of a kind. IXVIZ_GOLDEN=write writes the files anew."""
    sim = run_of(made)
    picture = picture_of(sim)
    events = [i for i in range(len(sim.history)) if sim.history.kinds[sim.history.event(i).kind] == kind]
    moment = picture.moment(sim.history.cursor(events[number]))
    core = picture.core_here(moment)
    lines = [d.line for d in picture.machine(moment, *size, wide=size[0] == 63, core=core)]
    lines += picture.lanes(moment, size[0], 2, core=core).lines
    text = plain(lines) + f"\n{picture.words(moment, moment.at)}\n"
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("IXVIZ_GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
