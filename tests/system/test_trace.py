"""Traces: what a file may say, the step tables end to end, forward and back, resumed, and what a person is told."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.draw.cells import plain, width
from ixviz.history import Journal
from ixviz.history import journal as journal_module
from ixviz.measure.metrics import metrics
from ixviz.measure.report import report
from ixviz.scenario.load import bundled, from_raw, load, with_changes
from ixviz.scenario.messages import Problems
from ixviz.scenario.simulate import picture_of, simulate
from ixviz.system.picture.coherence_view import last_accesses, seen, sharing

COUNTS = ("accesses", "hits", "misses", "transfers", "invalidations", "upgrades", "writebacks", "memory_reads")
Write = Callable[..., Any]
FALSE_SHARING = "".join(f"{i % 2} w 0x{0x1000 + 4 * (i % 2):x}\n" for i in range(8))
PADDED = "".join(f"{i % 2} w {0x1000 + 64 * (i % 2)}\n" for i in range(8))  # decimal


@pytest.fixture
def trace(tmp_path: Path) -> Write:
    """A scenario of a trace: `trace(text, cores=2, protocol="mesi", cache={…})`."""

    def made(text: str | bytes, cores: int = 2, cache: dict[str, Any] | None = None, **system: Any) -> Any:
        (tmp_path / "t.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        raw = {"machine": {"cores": cores, **({"cache": cache} if cache else {})},
               "system": {"kind": "trace", "file": "t.txt", **system}}  # fmt: skip
        return from_raw(raw, "t", path=tmp_path / "t.yaml")

    return made


def done(scenario: Any, record: bool = False) -> Any:
    """A trace replayed to its end."""
    sim: Any = simulate(scenario, Journal() if record else None)
    if record:
        while sim.record(37):
            pass
    else:
        sim.run()
    return sim


def told(sim: Any) -> dict[str, Any]:
    got: dict[str, Any] = metrics(sim)["coherence"]
    return got


# ------------------------------------------------------------------------------------------------ figures
@pytest.mark.parametrize("cache", [None, {"size": "8 KB", "ways": 8, "line": "64 B"}, {"size": "infinite"}])
def test_false_sharing_and_padding(trace: Write, cache: dict[str, Any] | None) -> None:
    bounced, padded = (told(done(trace(text, cache=cache))) for text in (FALSE_SHARING, PADDED))
    assert [bounced[key] for key in COUNTS] == [8, 0, 8, 7, 7, 0, 0, 1]
    assert [padded[key] for key in COUNTS] == [8, 6, 2, 0, 0, 0, 0, 2]
    assert [(x["name"], x["transfers"], x["states"]) for x in bounced["lines"]] == [("line40", 7, "IM")]
    assert [(x["name"], x["transfers"], x["states"]) for x in padded["lines"]] == [
        ("line40", 0, "MI"),
        ("line41", 0, "IM"),
    ]
    assert [core["id"] for core in bounced["per_core"]] == [0, 1]
    assert [core["transfers"] for core in bounced["per_core"]] == [3, 4]


def test_the_protocols_differ_where_they_should(trace: Write) -> None:
    """One core reads and writes alone; two read what one wrote, which then makes room."""
    alone = "0 r 0x40\n0 w 0x40\n"
    assert [told(done(trace(alone, protocol=p)))["upgrades"] for p in ("msi", "mesi", "moesi")] == [1, 0, 0]
    shared = "0 w 0x40\n1 r 0x40\n1 r 0x80\n0 r 0x80\n"
    tiny = {"size": "64 B", "ways": 1}
    back = [told(done(trace(shared, protocol=p, cache=tiny))) for p in ("msi", "mesi", "moesi")]
    # core 1's copy is clean when it makes room; memory is updated at the read, or when the owner makes room
    assert [x["writebacks"] for x in back] == [1, 1, 1]
    shared = "0 w 0x40\n1 r 0x40\n1 r 0x80\n"
    assert [told(done(trace(shared, protocol=p, cache=tiny)))["writebacks"] for p in ("msi", "mesi", "moesi")] == [
        1,
        1,
        0,
    ]


def test_an_l3_is_there_only_when_asked_for(trace: Write) -> None:
    text = "0 w 0\n0 r 64\n0 r 0\n"  # the second makes the first leave
    tiny = {"size": "64 B", "ways": 1}
    assert told(done(trace(text, cache=tiny)))["memory_reads"] == 3
    with_l3 = told(done(trace(text, cache=tiny, l3=True)))
    assert with_l3["memory_reads"] == 2 and with_l3["misses"] == 3


def test_each_access_takes_as_long_as_its_data(trace: Write) -> None:
    sim = done(trace("0 r 0\n0 r 0\n1 w 0\n0 r 0\n1 w 0\n", cores=2))
    got = sim.table("accesses")
    times = (got.columns["ends"].values - got.columns["begins"].values).tolist()
    latencies = sim.memory.latencies
    cycles = [latencies.memory, latencies.own, latencies.transfer, latencies.transfer, latencies.upgrade]
    assert times == [-(-c * 10**12 // 2_400_000_000) for c in cycles]
    assert sim.now == sum(times) and sim.busy() == [times[0] + times[1] + times[3], times[2] + times[4]]
    assert metrics(sim)["simulated_us"] == sim.now / 1e6


def test_figures_have_the_shape_of_every_run(trace: Write) -> None:
    sim = done(trace(FALSE_SHARING))
    got = metrics(sim, "t", 3)
    names = "version scenario system seed simulated_us packets requests latency_us wait_us batch queues cores coherence"
    assert list(got)[:13] == names.split()
    assert got["packets"] == {"arrived": 0, "delivered": 0, "dropped": 0, "in_flight": 0}
    assert got["latency_us"]["p99"] is None and got["queues"] == []
    assert sum(core["busy"] for core in got["cores"]) == pytest.approx(1)
    json.dumps(got, allow_nan=False)
    text = report(got, trace(FALSE_SHARING), sim.facts)
    assert "None" not in text and "illustrative" in text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert rows["line40"] == ["8", "0", "8", "7", "1", "7", "0", "0"]
    assert sim.batch_table()["size"].tolist() == [] and len(sim.table("packets")) == len(sim.table("requests")) == 0
    with pytest.raises(KeyError):
        sim.table("nothing")


# ------------------------------------------------------------------------------------------------ the file
def test_what_a_file_may_say(trace: Write) -> None:
    text = "\ufeff# a comment\r\n\r\n  0\tr 0x1F40 # behind it\r\n1 W 8000\r\n\n#\n0 r 00001f40\n1 r 0\n"
    text += "0 w 0xffffffffffffffff"
    sim = done(trace(text, cache={"line": "32 B"}))
    assert list(sim.trace.addresses) == [8000, 8000, 0x1F40, 0, 2**64 - 1]
    assert list(sim.trace.cores) == [0, 1, 0, 1, 0] and list(sim.trace.writes) == [0, 1, 0, 0, 1]
    assert sim.trace.numbers.tolist() == [250, 250, 250, 0, (2**64 - 1) // 32]


WRONG = [
    ("x r 0\n", '1:1: the number of a core is wanted, got "x"'),
    ("0 r 0\n-1 r 0\n", '2:1: the number of a core is wanted, got "-1"'),
    ("0 r 0\n  2 r 0\n", "2:3: there is no core 2: machine.cores is 2, counted from 0"),
    ("0 x 0\n", '1:3: r or w is wanted, got "x"'),
    ("0 rw 0\n", '1:3: r or w is wanted, got "rw"'),
    ("0 r zz\n", '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "zz"'),
    (
        "0 r 1a00\n",
        '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "1a00"; did you mean 0x1a00?',
    ),
    ("0 r 1_000\n", '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "1_000"'),
    ("0 r -4\n", '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "-4"'),
    ("0 r ٣\n", '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "٣"'),
    ("0 r 0x10000000000000000\n", '1:5: "0x10000000000000000" is out of range, an address has at most 64 bits'),
    ("0 r\n", "1:4: a line is a core, r or w, and an address (0 w 0x1000), got 2 words"),
    ("0\n", "1:2: a line is a core, r or w, and an address (0 w 0x1000), got 1 word"),
    ("0 r 0 1 # x\n", "1:7: a line is a core, r or w, and an address (0 w 0x1000), got 4 words"),
    ("", "1:1: the file has no access; a line is a core, r or w, and an address (0 w 0x1000)"),
    ("# only this\n", "1:1: the file has no access; a line is a core, r or w, and an address (0 w 0x1000)"),
    (b"0 r 0\n0 r \xff\n", "2:5: not text in UTF-8"),
    ("0 r \x1b[31m\n", '1:5: an address is wanted, hexadecimal (0x1000) or decimal (4096), got "\\x1b[31m"'),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_mistakes_have_their_place(trace: Write, text: str | bytes, message: str) -> None:
    with pytest.raises(Problems) as caught:
        simulate(trace(text))
    assert str(caught.value).endswith(f"t.txt:{message}") and "\n" not in str(caught.value)


def test_all_mistakes_are_told_at_once(trace: Write) -> None:
    with pytest.raises(Problems) as caught:
        simulate(trace("9 q zz\n0 r 0\n0 r\n"))
    assert [(p.line, p.col) for p in caught.value.problems] == [(1, 1), (1, 3), (1, 5), (3, 4)]


@given(st.text(max_size=60) | st.binary(max_size=60))
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str | bytes) -> None:
    folder = tmp_path_factory.mktemp("t")
    (folder / "t.txt").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    scenario = from_raw({"system": {"kind": "trace", "file": "t.txt"}}, "t", path=folder / "t.yaml")
    try:
        assert len(done(scenario).trace) > 0
    except Problems as error:
        assert all(str(p).isprintable() for p in error.problems)


def test_a_file_that_is_none_is_told_where_it_is_named(tmp_path: Path) -> None:
    scenario = tmp_path / "s.yaml"
    for name, what in (("no.txt", "no such file"), (".", "not an ordinary file")):
        scenario.write_text(f"machine: {{cores: 2}}\nsystem:\n  kind: trace\n  file: {name}\n")
        with pytest.raises(Problems) as caught:
            simulate(load(scenario))
        assert str(caught.value).startswith(f"{scenario}:4:9: system.file: ") and str(caught.value).endswith(what)


def test_more_accesses_than_are_kept_are_refused(trace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ixviz.system.trace.reader.MOST", 3)
    with pytest.raises(Problems, match=r"4:1: a trace has at most 3 accesses"):
        simulate(trace("0 r 0\n" * 9))
    monkeypatch.setattr("ixviz.system.trace.reader.MOST_BYTES", 2**20)
    with pytest.raises(Problems, match=r"a trace has at most 1 MB"):
        simulate(trace("#" * (2**20 + 1)))


SCENARIO = "machine: {cores: 2%s}\nsystem: {kind: trace, file: t.txt%s}\n%s"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((", cache: {size: 8}", "", ""), "1:35: machine.cache.size: a size with its unit or infinite wanted"),
        ((", cache: {size: huge}", "", ""), "1:35: machine.cache.size: a size with its unit or infinite wanted"),
        ((", cache: {size: 1000 B}", "", ""), "1:35: machine.cache.size: a multiple of 512 B is wanted"),
        ((", cache: {size: 192 B, ways: 2, line: 48 B}", "", ""), "1:57: machine.cache.line: a power of two is wanted"),
        ((", cache: {ways: 0}", "", ""), "1:35: machine.cache.ways: 0 is out of range, 1 to 64 is allowed"),
        ((", cache: {sise: 8 KB}", "", ""), "1:29: machine.cache.sise: unknown key sise, did you mean size?"),
        (("", ", protocol: mosi", ""), "2:46: system.protocol: msi or mesi or moesi wanted"),
        (("", "", "workload: {kind: poisson, rate: 1 /s}\n"), "3:1: workload: a trace brings its accesses"),
        ((", nic: {ports: 2}", "", ""), "1:21: machine.nic: a trace has no NIC"),
        (("", "", "run: {warmup: 1 us}\n"), "3:7: run.warmup: a trace is counted from its first access on"),
    ],
)
def test_what_a_scenario_of_a_trace_may_not_say(parts: tuple[str, str, str], message: str) -> None:
    with pytest.raises(Problems) as caught:
        load(SCENARIO % parts, name="f")
    assert str(caught.value).startswith(f"f:{message}") and "\n" not in str(caught.value)


def test_other_systems_have_no_caches_of_a_size() -> None:
    with pytest.raises(Problems, match=r"1:11: machine\.cache: only a trace has caches of a size"):
        load("machine: {cache: {size: 8 KB}}\nsystem: {kind: ix}\nworkload: {kind: poisson, rate: 1 /s}\n", name="f")


def test_defaults() -> None:
    got = load(SCENARIO % ("", "", ""))
    assert (got.machine.cache.size, got.machine.cache.ways, got.machine.cache.line) == (None, 8, 64)
    assert (got.system.protocol, got.system.l3, got.workload.kind, got.endless) == ("mesi", False, "none", False)
    assert load(SCENARIO % (", cache: {size: 8 KB}", "", "")).machine.cache.size == 8192


# ------------------------------------------------------------------------------------------------ steps
def random_trace(seed: int, accesses: int = 300) -> str:
    rng = random.Random(seed)
    rows = ((rng.randrange(3), rng.choice("rrw"), 4 * rng.randrange(400)) for _ in range(accesses))
    return "".join(f"{core} {what} {address}\n" for core, what, address in rows)


SMALL = {"size": "512 B", "ways": 2, "line": "64 B"}


@pytest.mark.parametrize("protocol", ["msi", "mesi", "moesi"])
def test_recorded_is_unrecorded_and_every_way_to_an_event_shows_the_same(
    trace: Write, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "CHUNK", 70)
    scenario = trace(random_trace(1), cores=3, cache=SMALL, protocol=protocol)
    fast, slow = done(scenario), done(scenario, record=True)
    assert metrics(fast) == metrics(slow) and fast.now == slow.now
    assert fast.slots.values().tolist() == slow.slots.values().tolist()
    history = slow.history
    assert len(history) == 302 and len(history.journal.chunks) > 3  # the start, 300 accesses, the end
    cursor = history.cursor(0)
    there = [cursor.state_hash()]
    while cursor.step():
        there.append(cursor.state_hash())
    assert len(set(there)) == len(there)
    for expected in there[-2::-1]:
        assert cursor.step(-1) and cursor.state_hash() == expected
    rng = random.Random(2)
    for _ in range(60):
        event = rng.randrange(302)
        cursor.seek(event)
        assert cursor.state_hash() == there[event] == history.cursor(event).state_hash()
    assert np.array_equal(history.cursor(301).values(), slow.slots.values())


def test_sums_agree_at_every_event(trace: Write) -> None:
    sim = done(trace(random_trace(3), cores=3, cache=SMALL, protocol="moesi"), record=True)
    cursor = sim.history.cursor(0)
    while cursor.step():
        view = cursor.view
        names = [name for name in view if name.startswith("line") and view[name].accesses]
        for key in COUNTS:
            lines = sum(getattr(view[name], key) for name in names)
            assert lines == sum(getattr(view[f"cache{i}"], key) for i in range(3))
            if key == "accesses":
                assert lines == view["trace"].position
        for name in names:
            held = [view[name].state(i) for i in range(3)]
            assert sum(state in (2, 3, 4) for state in held) <= 1
            assert not {2, 3} & set(held) or sum(map(bool, held)) == 1


@pytest.mark.parametrize("record", [False, True])
def test_resumed_is_never_stopped(trace: Write, record: bool) -> None:
    scenario = trace(random_trace(5), cores=3, cache=SMALL)
    whole = done(scenario)
    sim: Any = simulate(scenario, Journal() if record else None)
    if record:
        while sim.record(40, every=50):
            pass
        checkpoints = sim.checkpoints
        assert len(checkpoints) == 7
    else:
        sim.run(whole.now // 3)
        checkpoints = [sim.checkpoint()]
    for at in checkpoints:
        other = sim.resume(at, journal=sim.journal.fork(at.events) if record else None)
        if record:
            while other.record(33):
                pass
            assert len(other.history) == len(sim.history)
            ends = [s.history.cursor(len(s.history) - 1).state_hash() for s in (sim, other)]
            assert ends[0] == ends[1]
        else:
            other.run()
        assert metrics(other) == metrics(whole) and other.now == whole.now
        assert other.accesses.array("ends").tolist() == whole.accesses.array("ends").tolist()


def test_until_ends_it_and_it_goes_on(trace: Write) -> None:
    scenario = trace(random_trace(6), cores=3)
    whole = done(scenario)
    half = with_changes(scenario, {"run.until": f"{whole.now // 2} ps"})
    sim, other = done(half), done(half, record=True)
    assert sim.now == other.now == whole.now // 2 and metrics(sim) == metrics(other)
    assert 0 < told(sim)["accesses"] < 300


def test_a_what_if_may_turn_the_protocol_and_nothing_else(trace: Write) -> None:
    scenario = trace(random_trace(7), cores=3, cache=SMALL)
    sim: Any = simulate(scenario, Journal())
    sim.record(100)
    at = sim.checkpoint()
    other = sim.resume(at, sim.journal.fork(at.events), scenario=with_changes(scenario, {"system.protocol": "moesi"}))
    while other.record(50):
        pass
    event = at.events
    assert other.history.kinds[other.history.event(event).kind] == "what if"
    assert [c.field for c in other.history.changes(event)] == ["protocol"]
    assert other.history.cursor(event - 1).state_hash() == sim.history.cursor(event - 1).state_hash()
    assert any(line.state(i) == 4 for line in other.memory.by_name.values() for i in range(3)), "there are owners now"
    picture = picture_of(other)
    moment = picture.moment(other.history.cursor(event + 1))
    assert moment.access_of(event) is None and moment.access_of(event + 1).number == at.accesses
    assert picture.words(moment, event) == "a knob is turned: what if"
    for change in ({"machine.cache.ways": 4}, {"machine.cores": 4}, {"system.l3": True}):
        with pytest.raises(ValueError, match=r"only system\.protocol"):
            sim.resume(at, sim.journal.fork(at.events), scenario=with_changes(scenario, change))
    with pytest.raises(ValueError, match="in state E, which msi does not have"):
        sim.resume(at, sim.journal.fork(at.events), scenario=with_changes(scenario, {"system.protocol": "msi"}))


# ------------------------------------------------------------------------------------------------ words
def sentences(scenario: Any) -> list[str]:
    sim = done(scenario, record=True)
    picture = picture_of(sim)
    last = picture.moment(sim.history.cursor(len(sim.history) - 1))
    out = []
    for event in range(len(sim.history)):
        words = picture.words(picture.moment(sim.history.cursor(event)), event)
        assert words == picture.words(last, event), "what is known later changes nothing"
        out.append(words)
    return out


def test_false_sharing_in_words(trace: Write) -> None:
    assert sentences(trace("0 w 0x1000\n1 w 0x1004\n0 r 0x1000\n1 w 0x1004\n")) == [
        "the machine starts, its caches are empty",
        "core 0 writes 0x1000: no cache has it, line 40 comes from memory",
        "core 1 writes 0x1004: line 40 is M in core 0, which supplies it and loses it",
        "core 0 reads 0x1000: line 40 is M in core 1, which supplies it and updates memory, both share it now",
        "core 1 writes 0x1004: a hit, but line 40 is shared: core 0 loses its copy first",
        "the last access is done",
    ]


def test_every_kind_of_access_in_words(trace: Write) -> None:
    text = "0 r 0\n0 w 4\n0 r 4\n1 r 0\n2 r 0\n2 w 0\n0 r 64\n1 r 64\n2 r 64\n0 w 64\n"
    assert sentences(trace(text, cores=3))[1:-1] == [
        "core 0 reads 0x0: no cache has it, line 0 comes from memory",
        "core 0 writes 0x4: a hit, line 0 goes from E to M and nobody has to be told",
        "core 0 reads 0x4: a hit in line 0",
        "core 1 reads 0x0: line 0 is M in core 0, which supplies it and updates memory, both share it now",
        "core 2 reads 0x0: others share line 0, memory supplies it",
        "core 2 writes 0x0: a hit, but line 0 is shared: core 0 and core 1 lose their copies first",
        "core 0 reads 0x40: no cache has it, line 1 comes from memory",
        "core 1 reads 0x40: line 1 is E in core 0, which supplies it and shares it now",
        "core 2 reads 0x40: others share line 1, memory supplies it",
        "core 0 writes 0x40: a hit, but line 1 is shared: core 1 and core 2 lose their copies first",
    ]


def test_owners_in_words(trace: Write) -> None:
    text = "0 w 0\n1 r 0\n2 r 0\n2 w 0\n0 r 0\n1 w 0\n"
    assert sentences(trace(text, cores=3, protocol="moesi"))[2:-1] == [
        "core 1 reads 0x0: line 0 is M in core 0, which supplies it and becomes its owner (O)",
        "core 2 reads 0x0: line 0 is O in core 0, which supplies it and stays its owner (O)",
        "core 2 writes 0x0: a hit, but line 0 is shared: core 0 and core 1 lose their copies first",
        "core 0 reads 0x0: line 0 is M in core 2, which supplies it and becomes its owner (O)",
        "core 1 writes 0x0: line 0 is O in core 2, which supplies it and loses it; core 0 loses its copy",
    ]


def test_making_room_in_words(trace: Write) -> None:
    got = sentences(trace("0 w 0\n0 r 64\n0 r 128\n1 r 64\n1 w 0\n", cache={"size": "64 B", "ways": 1}, l3=True))
    assert (
        got[2] == "core 0 reads 0x40: no cache has it, line 1 comes from memory; line 0 makes room and is written back"
    )
    assert got[3] == "core 0 reads 0x80: no cache has it, line 2 comes from memory; line 1 makes room"
    assert got[4] == "core 1 reads 0x40: no cache has it, line 1 comes from the L3"


def why_of(scenario: Any, number: int) -> Any:
    sim = done(scenario, record=True)
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(len(sim.history) - 1))
    why = picture.why(moment, number)
    assert sum(part.ps for part in why.parts if part.ps is not None) == why.total == moment.finished(99)[number - 1]
    return why


def test_why_tells_false_from_true_sharing(trace: Write) -> None:
    false = why_of(trace(FALSE_SHARING), 3)
    assert false.title == "Why did access 3 take 31.25 ns? Core 0 writes 0x1000."
    assert [part.event for part in false.parts] == [3, 2, -1]
    assert false.parts[1].text == "core 0 had line 40 until core 1 wrote 0x1004 and took it"
    assert "false sharing" in false.parts[2].text and any("lines of their own" in note for note in false.notes)
    true = why_of(trace("0 w 0x1000\n1 w 0x1000\n0 r 0x1000\n"), 3)
    assert "really share" in true.parts[2].text and not any("lines of their own" in note for note in true.notes)
    later = why_of(trace("0 w 0x1000\n1 w 0x1004\n1 w 0x1000\n0 r 0x1000\n"), 4)
    assert later.parts[1].event == 2 and "really share" in later.parts[2].text


def test_why_of_other_accesses(trace: Write) -> None:
    assert "never had" in why_of(trace(FALSE_SHARING), 1).parts[1].text
    assert "no other core notices" in why_of(trace("0 r 0\n0 r 0\n"), 2).notes[0]
    room = why_of(trace("0 w 0\n0 r 64\n0 r 0\n", cache={"size": "64 B", "ways": 1}), 3)
    assert room.parts[1].event == 2 and "made room" in room.parts[1].text
    told_all = why_of(trace("0 r 0\n1 r 4\n0 w 0\n"), 3)
    assert told_all.parts[1].event == 2 and "core 1 read 0x4" in told_all.parts[1].text


# ------------------------------------------------------------------------------------------------ the picture
SIZES = [(40, 3), (62, 14), (80, 7), (80, 14), (120, 30)]


@pytest.mark.parametrize("cores", [1, 2, 12, 64])
def test_every_line_of_the_picture_fits(trace: Write, cores: int) -> None:
    text = random_trace(8).replace("2 ", f"{cores - 1} ") if cores > 2 else "0 w 0\n0 r 64\n"
    sim = done(trace(text, cores=cores, cache=SMALL), record=True)
    picture = picture_of(sim)
    for event in (0, 1, 2, len(sim.history) // 2, len(sim.history) - 1):
        moment = picture.moment(sim.history.cursor(event))
        for cells, height in SIZES:
            for wide in (False, True):
                rows = [d.line for d in picture.machine(moment, cells, height, wide=wide)]
                assert len(rows) <= height and {width(row) for row in rows} == {cells}
            shown = picture.lanes(moment, cells, min(cores, 4), zoom=1)
            assert len(shown.lines) == min(cores, 4) + 3 and {width(row) for row in shown.lines} == {cells}
            assert shown.start <= moment.now < shown.end
            assert width(picture.levels(moment, cells)) == cells
            for chart in picture.charts:
                assert {width(row) for row in picture.chart(moment, chart, cells, height)} == {cells}
        assert {width(row) for row in picture.remarks(40)} == {40}
        assert 0 <= picture.core_here(moment) < cores
        number = picture.packet_here(moment)
        assert (number is None) == (event == 0)
        if number:
            assert picture.packet_facts(moment, number) and picture.journey(moment, number)


def test_the_picture_shows_letters_moves_and_who_made_them(trace: Write) -> None:
    sim = done(trace(FALSE_SHARING + "0 r 0x2000\n", cores=4), record=True)
    picture = picture_of(sim)
    assert picture.heading == "trace, 4 cores, MESI" and picture.opening() == 1
    text = plain([d.line for d in picture.machine(picture.moment(sim.history.cursor(4)), 80, 14)])
    assert text.splitlines()[1] == "▸ line 40  0x1000   I »M  ·  ·      3   c0→c1 write"
    assert "line 80" not in text, "it has not been accessed yet"
    late = picture.machine(picture.moment(sim.history.cursor(9)), 80, 14)
    assert [d.name for d in late[:3]] == ["", "line40", "line80"]
    assert "0 hits, 9 misses: 7 transfers, 2 from memory" in plain([d.line for d in late])
    marked = picture.machine(picture.moment(sim.history.cursor(9)), 80, 14, marked=frozenset(["line80"]))
    assert [d.name for d in marked if d.name] == ["line80"]


def test_nothing_that_comes_later_is_shown(trace: Write) -> None:
    """Two traces that agree up to an access and differ after it look the same there, recorded far beyond it."""
    head = random_trace(9, 40)
    made = [
        done(trace(head + tail, cores=3, cache=SMALL), record=True) for tail in ("0 w 0\n" * 50, "1 r 9999\n2 w 4\n")
    ]
    shown = []
    for sim in made:
        picture = picture_of(sim)
        out = []
        for event in (0, 1, 17, 40):
            moment = picture.moment(sim.history.cursor(event))
            rows = [d.line for wide in (False, True) for d in picture.machine(moment, 100, 30, wide=wide)]
            rows += picture.lanes(moment, 100, 3, zoom=2).lines
            rows += [row for name in picture.charts for row in picture.chart(moment, name, 80, 9)]
            out.append(plain(rows))
            number = picture.packet_here(moment)
            out.append(repr(picture.why(moment, number)) + repr(picture.journey(moment, number)) if number else "")
            out.append(repr([picture.words(moment, e) for e in range(event + 1)]))
        shown.append(out)
    assert shown[0] == shown[1]


def test_following_an_access_follows_its_line(trace: Write) -> None:
    sim = done(trace("0 w 0\n0 w 64\n1 w 4\n0 r 8\n"), record=True)
    picture = picture_of(sim)
    moment = picture.moment(sim.history.cursor(3))
    assert [event for event, _, _ in picture.journey(moment, 1)] == [1, 3]
    assert [event for event, _, _ in picture.journey(moment, 1, ahead=True)] == [1, 3, 4]
    assert picture.journey(moment, 1)[1][2] == "core 1 writes 0x4 (transfer)"
    assert picture.journey(moment, 4) == []


def test_who_made_a_line_bounce(trace: Write) -> None:
    sim = done(trace("0 w 0\n0 w 0\n1 w 4\n1 r 64\n0 r 0\n", cores=2), record=True)
    got = last_accesses(sim.history, "line0", 5)
    assert [(a.event, a.core, a.path, a.taken_from) for a in got] == [
        (5, 0, "read", 1), (3, 1, "write", 0), (2, 0, "write", -1), (1, 0, "write", -1),
    ]  # fmt: skip
    assert [a.event for a in last_accesses(sim.history, "line0", 3, most=2)] == [3, 2]
    picture = picture_of(sim)
    assert picture.touched_by(picture.moment(sim.history.cursor(3)), "line0", 4) == [
        (3, "core 1, write, from core 0"), (2, "core 0, write"), (1, "core 0, write"),
    ]  # fmt: skip
    assert picture.touched_by(picture.moment(sim.history.cursor(3)), sim.history.places[0].name, 4) == []
    view = sim.history.cursor(5).view
    assert sharing(view, ["line0", "line1"], 2) == "1 of 2 lines moved between cores, 2 times"
    assert sharing(view, ["line1"], 2) == "no line was shared"
    [row] = seen(view, ["line1"], 2)
    assert (row.what, row.states, row.moves, row.why) == ("line", ("", "E"), 0, "")


# ------------------------------------------------------------------------------------------------ the command
def ixviz(*words: str, cwd: Path | None = None) -> tuple[int, str, str]:
    got = subprocess.run([sys.executable, "-m", "ixviz", *words], capture_output=True, text=True, cwd=cwd, timeout=60)
    return got.returncode, got.stdout, got.stderr


def test_the_bundled_trace_runs_and_shows_every_case() -> None:
    scenario = load(bundled("coherence-trace"))
    sim = done(scenario, record=True)
    figures = told(sim)
    assert str(figures["accesses"]) in str(scenario.summary)
    assert {sim.history.kinds[k] for k in range(1, 7)} - {"l3"} <= {
        sim.history.kinds[sim.history.event(i).kind] for i in range(len(sim.history))
    }
    assert all(figures[key] for key in COUNTS)
    lines = {line["name"]: line for line in figures["lines"]}
    assert lines["line80"]["transfers"] == 11  # side by side
    assert not any(lines[f"linec{i}"]["invalidations"] for i in range(4))  # each on its own
    assert figures["lines"][-1]["misses"] == 1 and lines["line400"]["misses"] == 2  # it made room and came back


def test_on_the_command_line(tmp_path: Path) -> None:
    status, out, err = ixviz("run", "coherence-trace", "--json", "--record", "--set", "system.protocol=moesi")
    got = json.loads(out)
    assert status == 0 and err == "" and got["system"] == "trace" and got["history"]["events"] == 59
    (tmp_path / "s.yaml").write_text("machine: {cores: 2}\nsystem: {kind: trace, file: t.txt}\n")
    (tmp_path / "t.txt").write_text("0 r 0\n0 x 1\n")
    status, out, err = ixviz("run", "s.yaml", cwd=tmp_path)
    assert (status, out, err) == (2, "", 't.txt:2:3: r or w is wanted, got "x"\n')
