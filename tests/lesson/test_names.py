"""The names that an expression can use: each listed one can be read, and each that can be read is listed."""

from __future__ import annotations

import pytest
from lesson.small import SMALL, changed

from ixviz.lesson import Runs, figures, load_lesson_text
from ixviz.lesson.env import RunEnv
from ixviz.lesson.expr import Kind, NotYet, evaluate, parse
from ixviz.lesson.names import COLUMNS, FIGURES, FUNCTIONS, KINDS, Names, names_of
from ixviz.lesson.stops import Stops

CLIENTS = """
language: 1
id: clients
title: Clients
minutes: {alone: 1}
runs:
  many:
    scenario:
      machine: {cores: 2, nic: {ports: 1, rate: 10 Gbps, queues: 2, ring: 512}}
      system: {kind: ix}
      workload: {kind: closed, connections: 4, rate: 100 K/s}
      run: {until: 200 us, seed: 1}
beats:
  - {id: a, title: A, minutes: 1, run: many, until: start}
"""
MOVING = """
language: 1
id: moving
title: Moving
minutes: {alone: 1}
runs:
  move: {scenario: ix-migrate-one}
beats:
  - {id: a, title: A, minutes: 1, run: move, until: start}
"""


def made(text: str, run: str) -> tuple[Names, RunEnv]:
    runs = Runs(load_lesson_text(text))
    Stops(runs)
    return names_of(runs, run), RunEnv(runs, run, 0)


@pytest.fixture(scope="module")
def small() -> tuple[Names, RunEnv]:
    return made(SMALL, "bench")


@pytest.fixture(scope="module")
def clients() -> tuple[Names, RunEnv]:
    return made(CLIENTS, "many")


def spread(name: str) -> list[str]:
    """`g0 … g127`: the fields that differ in their number only and share a line."""
    if " … " not in name:
        return [name]
    first, _, last = name.partition(" … ")
    plain = first.rstrip("0123456789")
    return [f"{plain}{i}" for i in range(int(first[len(plain) :]), int(last[len(plain) :]) + 1)]


@pytest.mark.parametrize("which", ["small", "clients"])
def test_every_name_means_what_is_said_of_it(which: str, request: pytest.FixtureRequest) -> None:
    names, env = request.getfixturevalue(which)

    def kind(text: str) -> str:
        return KINDS[evaluate(parse(text), env).kind]

    for group in names.components:
        for owner in (group.names[0], group.names[-1]):
            assert kind(owner) == "word"
            for field in group.fields:
                for name in spread(field.name):
                    assert kind(f"{owner}.{name}") == field.kind, (owner, field)
    for each in (*names.now, *names.scenario):
        assert kind(each.name) == each.kind
    for each in names.figures:
        with pytest.raises(NotYet):  # known, and to be read at the end
            evaluate(parse(each.name), env)
    for table in names.tables:
        assert kind(f"count({table.names[0]})") == "number"
    for word in names.waiting:
        assert kind(f"waiting({word})") == "number"


@pytest.mark.parametrize("which", ["small", "clients"])
def test_nothing_that_can_be_read_is_missing(which: str, request: pytest.FixtureRequest) -> None:
    names, env = request.getfixturevalue(which)
    listed = {f"{owner}.{name}" for group in names.components for owner in group.names for field in group.fields
              for name in spread(field.name)}  # fmt: skip
    listed |= {owner for group in names.components for owner in group.names}
    listed |= {each.name for each in (*names.now, *names.scenario, *names.figures)}
    listed |= {table.names[0] for table in names.tables} | {"requests"}
    if "rxlist" not in {each.name for each in names.now}:
        listed.add("rxlist")  # two lists: the word means none of them
    assert set(env.names()) - listed == set()


def test_words_values_and_docs(small: tuple[Names, RunEnv]) -> None:
    names, _ = small
    groups = {group.names[0]: {field.name: field for field in group.fields} for group in names.components}
    assert groups["core0"]["stage"].words[:3] == ("idle", "poll", "tcp")
    assert groups["core0"]["busy"].doc == "time spent in turns" and groups["core0"]["busy"].kind == "time"
    assert groups["nic.q0"]["depth"].doc == "packets in the ring"
    assert {each.name: each.value for each in names.scenario}["system.cost.batch"] == "1 µs"
    assert all(field.doc for group in names.components for field in group.fields)


def test_like_components_are_one_group_and_later_ones_are_marked(clients: tuple[Names, RunEnv]) -> None:
    names, _ = clients
    groups = {group.names[0]: group for group in names.components}
    assert groups["nic.q0"].names == ("nic.q0", "nic.q1") and not groups["nic.q0"].more
    assert groups["core0.rxlist"].names == ("core0.rxlist", "core1.rxlist")
    assert groups["pcb0"].more


def test_every_column_and_figure_has_a_line(clients: tuple[Names, RunEnv]) -> None:
    names, _ = clients
    assert [table.names[0] for table in names.tables] == ["packets", "batches", "requests"]
    for table in names.tables:
        assert [field.name for field in table.fields] == list(COLUMNS[table.names[0]])
        assert all(field.doc for field in table.fields)
    assert list(FIGURES) == list(figures.NAMES)


def test_a_control_plane_has_tables_of_its_own() -> None:
    names, env = made(MOVING, "move")
    assert [table.names[0] for table in names.tables] == ["packets", "batches", "decisions", "migrations"]
    for table in names.tables[2:]:
        assert [field.name for field in table.fields] == list(COLUMNS[table.names[0]])
    assert evaluate(parse("group48.owner"), env).data == "core0"


def test_the_examples_of_the_functions_can_be_read() -> None:
    runs = Runs(load_lesson_text(changed("reveal: core0.batch == 25", "reveal: end")))
    env = RunEnv(runs, "bench", 400)
    text = " ".join(FUNCTIONS.values())
    for example in ("p99(packets.latency where batch == 4)", "last(batches).size", "packet(9).leaves"):
        assert example in text
        assert evaluate(parse(example), env).kind in (Kind.TIME, Kind.NUMBER)
    assert "mean(core0.size)" in FUNCTIONS and evaluate(parse("mean(core0.size)"), env).kind is Kind.NUMBER


def test_no_such_run() -> None:
    with pytest.raises(KeyError):
        names_of(Runs(load_lesson_text(SMALL)), "nobody")
