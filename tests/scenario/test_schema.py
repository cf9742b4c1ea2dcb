"""The schema: what is accepted and to what it resolves, and each wrong value with its place and its words."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.scenario.load import from_raw, json_schema, load
from ixviz.scenario.messages import Problems
from ixviz.scenario.schema import SYSTEMS
from ixviz.scenario.workloads import WORKLOADS

BASE: dict[str, Any] = {"system": {"kind": "ix"}, "workload": {"kind": "poisson", "rate": "1 M/s"}}
HEAD = "system: {kind: ix}\nworkload: {kind: poisson, rate: 1 M/s}\n"


def wrong(text: str) -> str:
    with pytest.raises(Problems) as caught:
        load(text, name="f")
    return str(caught.value)


def test_defaults() -> None:
    s = load(HEAD)
    assert (s.title, s.name, s.path) == (None, "scenario", None)
    m = s.machine
    assert (m.profile, m.cores, m.hyperthreads, m.clock) == ("e5-2665", 1, False, None)
    assert (m.nic.ports, m.nic.rate, m.nic.queues, m.nic.ring, m.nic.tx_ring) == (1, 10**10, None, 512, 4096)
    assert m.nic.hash_types == ("ipv4-tcp", "ipv4-udp", "ipv4", "ipv6-tcp", "ipv6-udp", "ipv6")
    assert (s.system.kind, s.system.batch_bound, s.system.software_list) == ("ix", 64, 32768)
    assert (s.system.costs_are, s.system.costs.distribution, s.system.costs.given) == ("fitted", "fixed", False)
    assert (s.run.warmup, s.run.until, s.run.seed, s.run.watch) == (0, None, 1, 50_000)
    w: Any = s.workload
    assert (w.rate, w.load, w.flows, w.size, w.packets) == (1_000_000, None, 1024, 64, None)


def test_costs_keep_what_is_given_and_none_elsewhere() -> None:
    costs = load(
        "system: {kind: ix, costs: {poll: {batch: 480}, tcp: {packet: 0, control: 3}}}\n" + HEAD[19:]
    ).system.costs
    assert costs.given and costs.poll.batch == 480 and costs.poll.packet is None
    assert (costs.tcp.packet, costs.tcp.control, costs.tcp.queue, costs.tx) == (0, 3, None, None)


def test_each_kind_of_workload() -> None:
    def work(text: str) -> Any:
        return load(f"system: {{kind: ix}}\nworkload: {{{text}}}\n").workload

    timed = work("kind: timed, packets: [{at: 2 us, flow: 0}, {from: 2.1 us, every: 333.333 ns, count: 300}]")
    assert (timed.flows, timed.size, timed.packets[0].at, timed.packets[0].flow) == (1, 64, 2_000_000, 0)
    assert (timed.packets[1].from_, timed.packets[1].every, timed.packets[1].count) == (2_100_000, 333_333, 300)
    closed = work("kind: closed, connections: 10, messages: 1024")
    assert (closed.outstanding, closed.rate, closed.round_trip, closed.messages) == (1, None, 10_000_000, 1024)
    assert (closed.close, closed.size, closed.rto, closed.spread) == ("fin", 64, 200 * 10**9, "hashed")
    assert work("kind: closed, connections: 10, rate: unlimited, messages: unlimited").messages is None
    mem = work("kind: memcached, rate: 1.6 M/s")
    assert (mem.mix, mem.rate, mem.connections, mem.outstanding, mem.client_share) == ("usr", 1_600_000, 1476, 4, None)
    capture = work("kind: capture, file: a/b.pcap, speed: 2.5")
    assert (capture.file, capture.speed, capture.repeat) == ("a/b.pcap", 2.5, 1)
    assert work("kind: poisson, load: 80 %").load == work("kind: poisson, load: 0.8").load == 0.8


def test_words_that_stand_for_a_value() -> None:
    assert load(HEAD + "run: {watch: all, until: ~}\n").run.watch is None
    assert load(HEAD + "run: {record: none}\n").run.watch == 0
    assert load(HEAD + "machine: {nic: {rate: unlimited, ports: 0x10}}\n").machine.nic.rate is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("machine: {cores: -1}", "f:3:18: machine.cores: -1 is out of range, 1 to 256 is allowed"),
        ("machine: {cores: 0}", "f:3:18: machine.cores: 0 is out of range, 1 to 256 is allowed"),
        ("machine: {cores: 2.5}", "f:3:18: machine.cores: integer wanted, got the number 2.5 (1 to 256 is allowed)"),
        ("machine: {cores: 4.0}", "f:3:18: machine.cores: integer wanted, got the number 4.0 (1 to 256 is allowed)"),
        ("machine: {cores: 1000000000}", "f:3:18: machine.cores: 1000000000 is out of range, 1 to 256 is allowed"),
        ('machine: {cores: "2"}', 'f:3:18: machine.cores: integer wanted, got text "2" (1 to 256 is allowed)'),
        ("machine: {cores: !!str 2}", 'f:3:18: machine.cores: integer wanted, got text "2" (1 to 256 is allowed)'),
        ("machine:\n  cores: |\n    2", 'f:4:10: machine.cores: integer wanted, got text "2\\n" (1 to 256 is allowed)'),
        ("machine: {cores: true}", "f:3:18: machine.cores: integer wanted, got true (1 to 256 is allowed)"),
        ("machine: {cores: [2]}", "f:3:18: machine.cores: integer wanted, got a list (1 to 256 is allowed)"),
        ("machine: {cores: }", "f:3:18: machine.cores: the value is missing"),
        ("machine: {cores: ~}", "f:3:18: machine.cores: the value is missing"),
        ("machine:", "f:3:9: machine: the value is missing"),
        ("machine: 3", "f:3:10: machine: a mapping wanted, got the number 3"),
        ("machine: {coers: 2}", "f:3:11: machine.coers: unknown key coers, did you mean cores?"),
        ("machine: {Cores: 2}", "f:3:11: machine.Cores: unknown key Cores, did you mean cores?"),
        ("machine: {hyperthreads: off}", 'f:3:25: machine.hyperthreads: true or false wanted, got text "off"'),
        ("machine: {profile: e5-2666}", 'f:3:20: machine.profile: e5-2665 wanted, got text "e5-2666"'),
        ("machine: {nic: {ports: 22:22}}",
         'f:3:24: machine.nic.ports: integer wanted, got text "22:22" (1 to 16 is allowed)'),
        ("machine: {nic: {rate: .inf}}", "f:3:23: machine.nic.rate: a rate in bits with its unit wanted or unlimited "
         "(such as 10 Gbps), the number .inf is not finite"),
        ("machine: {nic: {hash_types: [ipv4, ipv9]}}", "f:3:36: machine.nic.hash_types[1]: ipv4-tcp or ipv4-udp or "
         'ipv4 or ipv6-tcp or ipv6-udp or ipv6 wanted, got text "ipv9", did you mean ipv6?'),
        ("machine: {nic: {hash_types: ipv4}}", 'f:3:29: machine.nic.hash_types: a list wanted, got text "ipv4"'),
        ("machine: {clock: 2.4}", "f:3:18: machine.clock: a clock with its unit wanted (such as 2.4 GHz), "
         "got the number 2.4"),
        ("machine: {clock: 2 THz}", 'f:3:18: machine.clock: a clock with its unit wanted (such as 2.4 GHz), '
         'unknown unit "THz", did you mean'),
        ("title: 1.10", 'f:3:8: title: text wanted, got the number 1.10: put it in quotes, "1.10"'),
        ("title: true", 'f:3:8: title: text wanted, got true: put it in quotes, "true"'),
        ("title: ~", "f:3:8: title: the value is missing"),
        ("summary: {a: 1}", "f:3:10: summary: text wanted, got a mapping"),
        ("machin: 3", "f:3:1: machin: unknown key machin, did you mean machine?"),
        ("batch_bound: 3", "f:3:1: batch_bound: unknown key batch_bound, did you mean system.batch_bound?"),
        ("defaults: &d 2\nmachine: {cores: *d}", "f:3:1: defaults: unknown key defaults; known: title, summary, "),
        ("run: {seed: 123456789012345678901234567890}", "f:3:13: run.seed: 123456789012345678901234567890 is out of "
         "range, 0 to 9,223,372,036,854,775,807 is allowed"),
        ("run: {seed: 010}", 'f:3:13: run.seed: the leading zero of 010 is ambiguous: write 10, or "010" for text'),
        ("run: {warmup: 1 ms, until: 1000 us}", "f:3:15: run.warmup: the warm-up (1 ms) must end before until (1 ms)"),
        ("run: {until: 10000000 s}", 'f:3:14: run.until: "10000000 s" is out of range, 1 ps to 9,158,400 s is allowed'),
        ("run: {watch: al}", "f:3:14: run.watch: integer or all or none or decisions wanted, got text \"al\", "
         "did you mean all?"),
        ("run: {watch: 1, record: 2}", "f:3:25: run.record: record is another word for watch, both are given"),
        ("? \"k\\e[2J\"\n: 1", "f:3:3: k\\x1b[2J: unknown key k\\x1b[2J; known: "),
    ],
)  # fmt: skip
def test_wrong_values(line: str, message: str) -> None:
    got = wrong(HEAD + line + "\n")
    assert got.startswith(message)
    assert "\n" not in got  # exactly this one mistake


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- cores: 2\n", "f:1:1: the top level must be a mapping, got a list"),
        ("cores\n", "f:1:1: the top level must be a mapping, got text"),
        ("a: 1\n" + HEAD, "f:1:1: a: unknown key a; known: title, summary, machine, system, workload, run"),
        (HEAD[:19], "f:1:1: workload: required key is missing"),
        ("system: {kind: ixx}\n" + HEAD[19:], "f:1:16: system.kind: ix or "),
        ("system: {}\n" + HEAD[19:], "f:1:1: system.kind: required key is missing (ix"),
        ("system: {kind: ix, costs: {tcp: 3}}\n" + HEAD[19:], "f:1:33: system.costs.tcp: a mapping wanted, got the"),
        ("system: {kind: ix, costs: {tcp: {pakcet: 3}}}\n" + HEAD[19:],
         "f:1:34: system.costs.tcp.pakcet: unknown key pakcet, did you mean packet?"),
        ("system: {kind: ix, costs: {tcp: {packet: -3}}}\n" + HEAD[19:],
         "f:1:42: system.costs.tcp.packet: -3 is out of range, 0 to 1,000,000,000 is allowed"),
        (HEAD[:19] + "workload: {kind: poisson}\n", "f:2:11: workload: exactly one of rate and load is wanted"),
        (HEAD[:19] + "workload: {kind: poisson, rate: 1 /s, load: 1}\n", "f:2:45: workload.load: exactly one of rate"),
        (HEAD[:19] + "workload: {kind: poisson, rate: unlimited}\n",
         "f:2:33: workload.rate: unlimited is not allowed here, 0.001 /s to 10 G/s is allowed"),
        (HEAD[:19] + "workload: {kind: poisson, load: 10.5}\n",
         "f:2:33: workload.load: the number 10.5 is out of range, 1e-06 to 10 is allowed"),
        (HEAD[:19] + "workload: {kind: memcached}\n", "f:2:1: workload.rate: required key is missing"),
        (HEAD[:19] + "workload: {kind: capture, file: ''}\n", "f:2:33: workload.file: must not be empty"),
        (HEAD[:19] + "workload: {kind: timed, packets: []}\n", "f:2:34: workload.packets: must not be empty"),
        (HEAD[:19] + "workload: {kind: timed, packets: [{at: 1 us}, {at: 2 us, flow: 1}]}\n",
         "f:2:64: workload.packets[1].flow: there is no flow 1: flows is 1, counted from 0"),
        (HEAD[:19] + "workload: {kind: timed, packets: [{from: 1 us}]}\n",
         "f:2:35: workload.packets[0]: either at, or from with every and count is wanted, got only from"),
        (HEAD[:19] + "workload: {kind: timed, packets: [{at: 1 us, every: 1 us}]}\n",
         "f:2:53: workload.packets[0].every: either at, or from with every and count is wanted, got at and every"),
        (HEAD[:19] + "workload: {kind: timed, packets: [{from: 1 s, every: 100 s, count: 1000000}]}\n",
         "f:2:68: workload.packets[0].count: the last packet comes after the longest time, 9,158,400 s"),
    ],
)  # fmt: skip
def test_wrong_sections(text: str, message: str) -> None:
    got = wrong(text)
    assert got.startswith(message)
    assert "\n" not in got


def test_all_mistakes_at_once_in_order_of_place() -> None:
    got = wrong("title: 1\nmachine: {cores: 0, nic: {ring: x}}\nsystem: {kind: ix, batch_bound: 010}\nrun: {sed: 1}\n")
    keys = [line.split(": ")[1] for line in got.splitlines()]
    assert keys == ["workload", "title", "machine.cores", "machine.nic.ring", "system.batch_bound", "run.sed"]


def test_text_of_any_script_and_markup_is_kept() -> None:
    for title in ("[bold red]x[/]", "日本語 👩\u200d👧", "NO", "\x1b[31m"):
        assert from_raw({**BASE, "title": title}).title == title


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(["1 us", "all"])
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = st.sampled_from(
    ["title", "machine", "machine.nic", "machine.nic.hash_types", "machine.clock", "system", "system.costs.tcp", "run",
     "system.costs.tcp.batch", "system.kind", "workload", "workload.kind", "workload.packets", "workload.rate",
     "workload.load", "workload.flows", "run.until", "run.warmup", "run.watch", "run.seed"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(WORKLOADS)), st.lists(st.tuples(PLACES, VALUES), max_size=4))
def test_any_tree_gives_a_scenario_or_problems(kind: str, changes: list[tuple[str, object]]) -> None:
    raw: dict[str, Any] = {"system": {"kind": "ix"}, "workload": {"kind": kind}}
    for place, value in changes:
        node = raw
        *way, last = place.split(".")
        for step in way:
            node[step] = node[step] if isinstance(node.get(step), dict) else {}
            node = node[step]
        node[last] = value
    try:
        from_raw(raw)
    except Problems as error:
        assert error.problems and all(str(p).isprintable() for p in error.problems)


def test_json_schema() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == {"title", "summary", "machine", "system", "workload", "run"}
    assert len(schema["properties"]["workload"]["oneOf"]) == len(WORKLOADS) == 5
    assert len(schema["properties"]["system"]["oneOf"]) == len(SYSTEMS)
    closed = schema["$defs"]["Closed"]["properties"]
    assert closed["round_trip"]["default"] == "10 µs"
    text = next(choice for choice in closed["round_trip"]["anyOf"] if "pattern" in choice)
    assert re.search(text["pattern"], "2.1 us") and not re.search(text["pattern"], "2.1")
    assert re.search(closed["rto"]["pattern"], closed["rto"]["default"])
    assert schema["$defs"]["Machine"]["properties"]["cores"]["maximum"] == 256
    assert "kind" not in closed["size"] and closed["kind"]["const"] == "closed"
    assert "record" in schema["$defs"]["Run"]["properties"]
