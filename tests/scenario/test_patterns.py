"""Loads over time in a scenario: what each pattern says, what is refused with its place, when the run ends."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.scenario.load import Scenario, from_raw, json_schema, load, with_changes
from ixviz.scenario.messages import Problems
from ixviz.scenario.patterns import PATTERNS
from ixviz.scenario.simulate import expected_packets
from ixviz.workload.patterns import made as pattern_of

S = 10**12
HEAD = "system: {kind: ix}\nworkload:\n  kind: memcached\n  rate: "
TRIANGLE = "{pattern: triangle, to: 1.8 M/s, over: 240 s}"


def with_rate(rate: str, rest: str = "") -> Scenario:
    return load(HEAD + rate + "\n" + rest, name="f")


def wrong(rate: str, rest: str = "") -> str:
    with pytest.raises(Problems) as caught:
        with_rate(rate, rest)
    return str(caught.value)


def rate_of(text: str) -> Any:
    return with_rate(text).workload.rate  # type: ignore[union-attr]


def test_each_pattern() -> None:
    triangle = rate_of(TRIANGLE)
    assert (triangle.from_, triangle.to, triangle.over, triangle.span) == (0, 1_800_000, 240 * S, 240 * S)
    steps = rate_of("{pattern: qtriangle, from: 0.7 M/s, to: 6.3 M/s, over: 240 s, step: 0.5 M/s}")
    assert (steps.from_, steps.to, steps.step, steps.span) == (700_000, 6_300_000, 500_000, 240 * S)
    sine = rate_of("{pattern: sine, mean: 3.25 M/s, amplitude: 2.75 M/s, period: 240 s, noise: 250 K/s}")
    assert (sine.mean, sine.amplitude, sine.noise, sine.every) == (3_250_000, 2_750_000, 250_000, 5 * S)
    assert sine.span == 240 * S, "a period if nothing else is said"
    assert rate_of("{pattern: sine, mean: 1 /s, amplitude: 0, period: 2 s, over: 7 s}").span == 7 * S
    step = rate_of("{pattern: step, from: 0.5 M/s, to: 1.5 M/s, at: 60 s, over: 120 s}")
    assert (step.from_, step.to, step.at, step.span) == (500_000, 1_500_000, 60 * S, 120 * S)
    points = rate_of("{pattern: points, points: [{at: 0, rate: 0}, {at: 10 s, rate: 1 M/s}, {at: 12 s, rate: 2 K/s}]}")
    assert [(p.at, p.rate) for p in points.points] == [(0, 0), (10 * S, 1_000_000), (12 * S, 2_000)]
    assert points.span == 12 * S


@pytest.mark.parametrize("work", ["kind: closed, connections: 10", "kind: poisson", "kind: memcached"])
def test_each_workload_with_a_rate_may_have_one(work: str) -> None:
    made = load(f"system: {{kind: ix}}\nworkload: {{{work}, rate: {TRIANGLE}}}\n")
    assert made.run.until == 240 * S and not made.endless
    assert expected_packets(made) == pytest.approx(0.9e6 * 240)


@pytest.mark.parametrize(
    ("rest", "until"),
    [
        ("", 240 * S),
        ("run: {compress: 25}", 9_600_000_000_000),
        ("run: {compress: 25, until: ~}", 9_600_000_000_000),
        ("run: {compress: 25, until: 2 s}", 2 * S),  # a time of the run, which is not divided
        ("run: {compress: 25, until: 100 s, warmup: 50 s}", 100 * S),
    ],
)
def test_a_run_ends_with_its_pattern_unless_it_says_when(rest: str, until: int) -> None:
    assert with_rate(TRIANGLE, rest).run.until == until


def test_without_a_pattern_nothing_ends_it() -> None:
    assert load(HEAD + "1 M/s\nrun: {compress: 25}\n").run.until is None
    assert load(HEAD + "1 M/s\n").run.compress == 1


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        ("{pattern: trinagle, to: 1 M/s}", "f:4:19: workload.rate.pattern: triangle or qtriangle or sine or step or "
         'points wanted, got text "trinagle", did you mean triangle?'),
        ("{to: 1 M/s}", "f:4:3: workload.rate.pattern: required key is missing (triangle or"),
        ("{pattern: }", "f:4:19: workload.rate.pattern: the value is missing"),
        ("{pattern: 3}", "f:4:19: workload.rate.pattern: triangle or qtriangle or sine or step or points wanted, got"),
        ("[1 M/s]", "f:4:9: workload.rate: a rate with its unit or a pattern wanted (such as 1.6 M/s), got a list"),
        ("5", "f:4:9: workload.rate: a rate with its unit or a pattern wanted (such as 1.6 M/s), got the number 5"),
        ("{pattern: triangle, to: 1 M/s, ovr: 3 s, over: 2 s}", "f:4:40: workload.rate.ovr: unknown key ovr, did you"),
        ("{pattern: triangle, to: 1 M/s, over: 3 s, step: 1 K/s}", "f:4:51: workload.rate.step: unknown key step"),
        ("{pattern: triangle, over: 3 s}", "f:4:3: workload.rate.to: required key is missing"),
        ("{pattern: triangle, to: 1 M/s}", "f:4:3: workload.rate.over: required key is missing"),
        ("{pattern: triangle, to: , over: 3 s}", "f:4:33: workload.rate.to: the value is missing"),
        ("{pattern: triangle, to: -1 M/s, over: 3 s}",
         'f:4:33: workload.rate.to: "-1 M/s" is out of range, 0 /s to 10 G/s is allowed'),
        ("{pattern: triangle, to: unlimited, over: 3 s}", "f:4:33: workload.rate.to: unlimited is not allowed here, "),
        ("{pattern: triangle, to: 1 M/s, over: 3}", "f:4:46: workload.rate.over: a time with its unit wanted"),
        ("{pattern: triangle, to: 1 M/s, over: 3 ns}",
         'f:4:46: workload.rate.over: "3 ns" is out of range, 1 µs to 9,158,400 s is allowed'),
        ("{pattern: triangle, from: 0, to: 0, over: 3 s}",
         "f:4:42: workload.rate.to: a load that is 0 all the time sends nothing"),
        ("{pattern: qtriangle, from: 1 M/s, to: 1 M/s, over: 3 s, step: 1 K/s}",
         "f:4:47: workload.rate.to: there are no steps from 1 M/s to 1 M/s"),
        ("{pattern: qtriangle, from: 1 M/s, to: 2 M/s, over: 3 s, step: 2 M/s}",
         "f:4:71: workload.rate.step: a step (2 M/s) is more than the whole way from 1 M/s to 2 M/s"),
        ("{pattern: qtriangle, to: 2 M/s, over: 3 s, step: 2 /s}",
         "f:4:58: workload.rate.step: 1,000,000 steps from 0 /s to 2 M/s are more than 10,000"),
        ("{pattern: sine, mean: 0, amplitude: 0, period: 1 s}", "f:4:31: workload.rate.mean: a load that is 0 all"),
        ("{pattern: sine, mean: 1 /s, amplitude: 0, period: 1 s, over: 101 s}",
         "f:4:70: workload.rate.over: 101 periods of 1 s are more than 100"),
        ("{pattern: sine, mean: 1 /s, amplitude: 0, period: 10 s, noise: 1 /s, every: 1 us}",
         "f:4:85: workload.rate.every: 10,000,000 draws in 10 s are more than 10,000"),
        ("{pattern: step, to: 1 M/s, at: 3 s, over: 3 s}",
         "f:4:40: workload.rate.at: the step (3 s) must come before the end, over (3 s)"),
        ("{pattern: points, points: []}", "f:4:35: workload.rate.points: must not be empty"),
        ("{pattern: points, points: 3}", "f:4:35: workload.rate.points: a list wanted, got the number 3"),
        ("{pattern: points, points: [3]}", "f:4:36: workload.rate.points[0]: a mapping wanted, got the number 3"),
        ("{pattern: points, points: [{at: 1 s, rate: 1 /s, to: 1 /s}]}",
         "f:4:58: workload.rate.points[0].to: unknown key to; known: at, rate"),
        ("{pattern: points, points: [{at: 2 s, rate: 1 /s}, {at: 1 s, rate: 1 /s}]}",
         "f:4:64: workload.rate.points[1].at: 1 s is before the last point, 2 s"),
        ("{pattern: points, points: [{at: 0 s, rate: 1 /s}]}",
         "f:4:41: workload.rate.points[0].at: the last point must come at 1 µs or later"),
        ("{pattern: points, points: [{at: 1 s, rate: 0}, {at: 3 s, rate: 0}]}",
         "f:4:72: workload.rate.points[1].rate: a load that is 0 all the time sends nothing"),
    ],
)  # fmt: skip
def test_wrong_patterns(rate: str, message: str) -> None:
    got = wrong(rate)
    assert got.startswith(message)
    assert "\n" not in got  # exactly this one mistake


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("run: {compress: 0}", "f:5:17: run.compress: 0 is out of range, 1 to 1,000 is allowed"),
        ("run: {compress: 2.5}", "f:5:17: run.compress: integer wanted, got the number 2.5 (1 to 1,000 is allowed)"),
        ("run: {compres: 2}", "f:5:7: run.compres: unknown key compres, did you mean compress?"),
        ("run: {compress: 25, warmup: 9.6 s}",
         "f:5:29: run.warmup: the warm-up (9.6 s) must end before the pattern does (9.6 s)"),
    ],
)  # fmt: skip
def test_wrong_runs(rest: str, message: str) -> None:
    got = wrong(TRIANGLE, rest)
    assert got.startswith(message) and "\n" not in got


def test_a_workload_without_a_rate_has_no_pattern() -> None:
    with pytest.raises(Problems, match=r"workload\.rate: unknown key rate"):
        load(f"system: {{kind: ix}}\nworkload: {{kind: timed, packets: [{{at: 1 us}}], rate: {TRIANGLE}}}\n")


def test_mistakes_beside_a_wrong_pattern_are_told_too() -> None:
    got = wrong("{pattern: triangle, to: 1, over: 3 s}\n  outstandin: 3\n  connections: 0", "run: {sed: 1}")
    keys = [line.split(": ")[1] for line in got.splitlines()]
    assert keys == ["workload.rate.to", "workload.outstandin", "workload.connections", "run.sed"]


def test_a_pattern_can_be_changed_and_replaced() -> None:
    made = with_rate(TRIANGLE, "run: {compress: 25}")
    higher = with_changes(made, {"workload.rate.to": "2 M/s", "run.compress": 10})
    assert (higher.workload.rate.to, higher.run.until) == (2_000_000, 24 * S)  # type: ignore[union-attr]
    constant = with_changes(made, {"workload.rate": "50 K/s"})
    assert constant.workload.rate == 50_000 and constant.run.until is None  # type: ignore[union-attr]
    again = with_changes(constant, {"workload.rate": {"pattern": "triangle", "to": "1.8 M/s", "over": "240 s"}})
    assert again == made
    text = f"system: {{kind: ix}}\nworkload: {{kind: poisson, rate: {TRIANGLE}}}\n"
    share = load(text, ["workload.load=0.5"])
    assert share.workload.rate is None and share.run.until is None  # type: ignore[union-attr]


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=4), st.lists(st.integers(), max_size=2),
    st.sampled_from(["1 us", "1 s", "3 s", "0 s", "1 M/s", "0.5 M/s", "2 K/s", "-1 /s", "unlimited", {"at": "1 s"}]),
)  # fmt: skip
KEYS = st.sampled_from(["pattern", "from", "to", "over", "step", "mean", "amplitude", "period", "noise", "every", "at",
                        "points", "rate", "x"])  # fmt: skip
GOOD: dict[str, Any] = {"from": "0 /s", "to": "1 M/s", "over": "3 s", "step": "0.5 M/s", "mean": "1 M/s", "at": "1 s",
                        "amplitude": "1 K/s", "period": "1 s", "points": [{"at": "1 s", "rate": "1 M/s"}]}  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(PATTERNS)), st.lists(st.tuples(KEYS, VALUES), max_size=3))
def test_any_mapping_gives_a_scenario_or_problems(pattern: str, changes: list[tuple[str, object]]) -> None:
    names = {str(info.alias or name) for name, info in PATTERNS[pattern].model_fields.items()}
    rate = {"pattern": pattern, **{key: value for key, value in GOOD.items() if key in names}, **dict(changes)}
    try:
        made = from_raw({"system": {"kind": "ix"}, "workload": {"kind": "memcached", "rate": rate}})
    except Problems as error:
        assert changes and all(str(p).isprintable() for p in error.problems)
        return
    workload: Any = made.workload
    assert made.run.until and pattern_of(workload.rate, 0).mean(0, workload.rate.span) > 0


def test_json_schema_knows_the_patterns() -> None:
    schema = json_schema()
    for kind in ("Memcached", "Closed", "Poisson"):
        rate = schema["$defs"][kind]["properties"]["rate"]
        refs = [each["$ref"].rpartition("/")[2] for each in rate["anyOf"][-1]["oneOf"]]
        assert refs == ["Triangle", "QTriangle", "Sine", "Step", "Points"]
        assert any(re.search(each.get("pattern", "^$"), "1.6 M/s") for each in rate["anyOf"])
        assert "patterns" not in rate and "kind" not in rate
    triangle = schema["$defs"]["Triangle"]
    assert triangle["required"] == ["pattern", "to", "over"] and "from" in triangle["properties"]
    assert "middle of `over`" in triangle["description"]
    assert schema["$defs"]["Sine"]["properties"]["every"]["default"] == "5 s"
    assert schema["$defs"]["Run"]["properties"]["compress"]["maximum"] == 1000
