"""Loading: files and texts, --set, changes for what-if, nodes of a lesson, bundled scenarios, a cheap import."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ixviz.scenario import load as module
from ixviz.scenario.load import Scenario, bundled, from_raw, list_bundled, load, with_changes
from ixviz.scenario.messages import Problems
from ixviz.scenario.source import read_text

TEXT = """\
title: Memcached USR on six IX cores
machine: {profile: e5-2665, cores: 6, nic: {ports: 4, rate: 10 Gbps, queues: 6, ring: 512}}
system: {kind: ix, batch_bound: 64}
workload: {kind: memcached, mix: usr, rate: 1.6 M/s, connections: 1476, outstanding: 4}
run: {warmup: 10 ms, until: 100 ms, seed: 7}
"""
OPEN = "system: {kind: ix}\nworkload: {kind: poisson, rate: 1 M/s}\n"


def problems(*args: Any, **kwargs: Any) -> list[str]:
    with pytest.raises(Problems) as caught:
        load(*args, **kwargs)
    return str(caught.value).splitlines()


def test_file_and_text_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "usr.yaml"
    file.write_text(TEXT)
    scenario = load(file)
    assert (scenario.name, scenario.path, scenario.folder) == ("usr", file, tmp_path)
    assert scenario.resolve("a.pcap") == tmp_path / "a.pcap"
    assert scenario == load(str(file)) == load(TEXT) == load(TEXT.encode("utf-16"), name="x") == from_raw(scenario.raw)
    assert hash(scenario) == hash(load(TEXT))
    assert load("{system: {kind: ix}, workload: {kind: poisson, load: 1}}").workload.kind == "poisson"
    file.write_text("machine: {cores: 0}\n" + OPEN)
    assert problems(file) == [f"{file}:1:18: machine.cores: 0 is out of range, 1 to 256 is allowed"]
    assert problems(tmp_path / "no.yaml") == [f"{tmp_path / 'no.yaml'}: no such file"]


def test_sets() -> None:
    scenario = load(
        TEXT, ["system.batch_bound=1", "workload.rate=50 K/s", "run.until = 1e3 ms", "system.batch_bound=2"]
    )
    work: Any = scenario.workload
    assert (scenario.system.batch_bound, work.rate, scenario.run.until) == (2, 50_000, 10**12)
    assert scenario.raw["system"] == {"kind": "ix", "batch_bound": 2}
    assert load(OPEN, ["machine.nic.ring=0x10", "title='a: b'"]).title == "a: b"
    timed = "system: {kind: ix}\nworkload: {kind: timed, packets: [{at: 1 us}, {at: 2 us}]}\n"
    rows: Any = load(timed, ["workload.packets.1.at=3 us", "workload.packets[0].at=2 us"]).workload
    assert [row.at for row in rows.packets] == [2_000_000, 3_000_000]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system.batchbound=1", "system.batchbound: unknown key batchbound, did you mean batch_bound?"),
        ("batch_bound=1", "batch_bound: unknown key batch_bound, did you mean system.batch_bound?"),
        ("sytem.batch_bound=1", "sytem: unknown key sytem, did you mean system?"),
        ("system.batch_bound=x", 'system.batch_bound: integer wanted, got text "x" (1 to 65,536 is allowed)'),
        ("system.batch_bound='2'", 'system.batch_bound: integer wanted, got text "2" (1 to 65,536 is allowed)'),
        ("system.batch_bound=", "system.batch_bound: the value is missing"),
        ("system.batch_bound=1_0", 'system.batch_bound: a number has no underscore: write 10, or "1_0" for text'),
        ("system.batch_bound=[", "system.batch_bound: "),
        ("system.batch_bound.x=1", "system.batch_bound.x: there is no x inside the number 64"),
        ("system..x=1", "system..x: not the path of a value"),
        ("system", 'KEY=VALUE wanted, got text "system"'),
        ("=1", 'KEY=VALUE wanted, got text "=1"'),
        ("title=\x1b[2J", "title: the character \\x1b (U+001B) is not allowed in a file"),
    ],
)
def test_wrong_sets(text: str, message: str) -> None:
    (line,) = problems(TEXT, [text])
    assert line.startswith("--set:1:1: " + message)


def test_sets_and_file_are_told_together() -> None:
    got = problems(TEXT.replace("cores: 6", "cores: 0"), ["run.sed=1"], name="f")
    assert [line.split(": ")[0] for line in got] == ["f:2:36", "--set:1:1"]


def test_setting_one_alternative_removes_the_other() -> None:
    work: Any = load(OPEN, ["workload.load=0.5"]).workload
    assert (work.rate, work.load) == (None, 0.5)
    assert load(OPEN + "run: {record: all}\n", ["run.watch=5"]).run.watch == 5
    assert "workload.load: unknown key load" in problems(TEXT, ["workload.load=0.5"])[0]
    assert "both are given" in problems(OPEN, ["workload.load=0.5", "workload.rate=1 /s"])[0]


def test_with_changes() -> None:
    base = load(TEXT, name="base")
    one = with_changes(base, {"system.batch_bound": 1, "run.until": "300 us", "run.warmup": 0}, name="one")
    assert (one.name, one.system.batch_bound, one.run.until) == ("one", 1, 300_000_000)
    assert (base.system.batch_bound, base.raw["system"]["batch_bound"]) == (64, 64) and one != base
    assert with_changes(one, {"system.batch_bound": 64, "run.until": "100 ms", "run.warmup": "10 ms"}) == base
    with pytest.raises(Problems, match=r"^set:1:1: system\.batch_bound: 0 is out of range"):
        with_changes(base, {"system.batch_bound": 0})
    with pytest.raises(Problems, match=r"^set:1:1: system\.batch_bound: not a value of a scenario: set"):
        with_changes(base, {"system.batch_bound": {1}})


def test_nodes_of_another_file_keep_their_places() -> None:
    lesson = read_text(
        "runs:\n  bench:\n    scenario:\n      system: {kind: ix}\n      workload: {kind: poisson, rate: 1 M/s}\n"
        "  one: {set: {system.batch_bound: 0}}\n  bad:\n    scenario: {system: {kind: ix}}\n",
        "lesson.yaml",
    ).value
    assert isinstance(lesson, dict) and isinstance(lesson["runs"].value, dict)
    runs: dict[str, Any] = lesson["runs"].value
    bench = from_raw(runs["bench"].get("scenario"), "bench", "runs.bench.scenario")
    assert isinstance(bench, Scenario)
    with pytest.raises(Problems, match=r"^lesson\.yaml:6:35: system\.batch_bound: 0 is out of range"):
        with_changes(bench, runs["one"].get("set").value)
    with pytest.raises(Problems, match=r"^lesson\.yaml:8:5: runs\.bad\.scenario\.workload: required key is missing"):
        from_raw(runs["bad"].get("scenario"), "bad", "runs.bad.scenario")


def test_endless() -> None:
    assert load(OPEN).endless
    assert not load(OPEN, ["workload.packets=10"]).endless
    assert not load(OPEN, ["run.until=1 s"]).endless
    assert load(TEXT, ["run.until=~"]).endless


def test_bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONTENT", (tmp_path / "no", tmp_path))
    (tmp_path / "ix-echo.yaml").write_text(OPEN)
    assert list_bundled() == ["ix-echo"]
    assert load(bundled("ix-echo")).name == "ix-echo"
    with pytest.raises(Problems, match=r"ix-ecko: no such scenario, did you mean ix-echo\?"):
        bundled("ix-ecko")
    with pytest.raises(Problems, match="no such scenario"):
        bundled("../ix-echo")


def test_importing_load_imports_neither_pydantic_nor_yaml() -> None:
    code = "import sys, ixviz.scenario.load; print(sorted({'pydantic', 'yaml', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
