"""The command `frontier`, and what `run` does with a frontier: found once, told on stderr, kept in the state folder."""

from __future__ import annotations

import json
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest
from measure.test_sweep import InOrder

from ixviz.cli import main
from ixviz.measure import frontier as module

SMALL = ("--set", "machine.cores=1", "--set", "workload.rate.to=250 K/s", "--set", "run.compress=1000")
NAME = "ix-elastic-triangle"


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """An empty state folder; every configuration carries .9 of its capacity, found at once, here. What was asked."""
    asked: list[Any] = []

    def holds(raw: Any, config: Any, share: float) -> bool:
        asked.append(config)
        return share <= 0.9

    def here(workers: int | None = None) -> Executor:
        return InOrder()

    monkeypatch.setenv("IXVIZ_STATE", str(tmp_path))
    monkeypatch.setattr(module, "_holds", holds)
    monkeypatch.setattr("ixviz.measure.pool.pool", here)
    return asked


def test_the_table_is_found_once_and_kept(searched: list[Any], tmp_path: Path, capsys: Any) -> None:
    assert main(["frontier", NAME, *SMALL]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("ixviz: finding what each static configuration of this machine carries")
    assert "of 28 static configurations" in out and "illustrative" in out and "predicted" in out
    assert all(len(line) <= 120 for line in out.splitlines())
    (kept,) = (tmp_path / "frontier").iterdir()
    asked = len(searched)
    assert asked > 0
    assert main(["frontier", NAME, *SMALL]) == 0
    assert capsys.readouterr() == (out, "") and len(searched) == asked
    assert main(["frontier", NAME, *SMALL, "--again"]) == 0
    assert capsys.readouterr().out == out and len(searched) == 2 * asked
    kept.write_text("broken")
    assert main(["frontier", NAME, *SMALL]) == 0
    assert capsys.readouterr().out == out and len(searched) == 3 * asked


def test_json(searched: list[Any], capsys: Any) -> None:
    assert main(["frontier", NAME, *SMALL, "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    assert (got["version"], got["scenario"], got["slo_us"]) == (1, NAME, 500)
    assert len(got["configurations"]) == 28
    first = got["configurations"][0]
    assert first == {"cores": 1, "hyperthreads": False, "clock_hz": 1_200_000_000, "power_w": first["power_w"],
                     "load_per_s": first["load_per_s"], "measured": True, "efficient": True}  # fmt: skip
    assert first["load_per_s"] == pytest.approx(0.9 * 1.2e9 / 4500, rel=0.02)
    assert 0 < got["bound"]["saved"] < 1 and got["bound"]["beyond"] == 0
    assert main(["frontier", NAME, *SMALL, "--json", "--set", "workload.rate=100 K/s", "--set", "run.until=1 s"]) == 0
    assert json.loads(capsys.readouterr().out)["bound"]["power_w"] == first["power_w"], "one configuration is enough"


def test_a_run_has_the_bound_if_kept_and_finds_it_if_asked(searched: list[Any], tmp_path: Path, capsys: Any) -> None:
    run = ["run", NAME, *SMALL, "--until", "20 ms", "--json"]
    assert main(run) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["control"]["pareto"] is None and err == "" and not searched
    assert main([*run, "--frontier"]) == 0
    out, err = capsys.readouterr()
    assert 0 < json.loads(out)["control"]["pareto"]["saved"] < 1 and "finding" in err
    asked = len(searched)
    assert main(run) == 0
    assert capsys.readouterr() == (out, "") and len(searched) == asked, "what is kept is used"


def test_without_a_folder_it_is_found_and_that_is_told(searched: list[Any], tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "frontier").write_text("")
    assert main(["frontier", NAME, *SMALL]) == 0
    assert "could not be kept" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["ix-memcached-usr"], "a frontier is that of a machine with system.control"),
        (["ix-migrate-one"], "a frontier is that of a machine with system.control"),
        (["coherence-trace"], "a frontier is that of a machine with system.control"),
        (["lessons/02-batching"], "is a lesson; this wants a scenario or a capture"),
        (["ix-elastic-triangl"], "did you mean ix-elastic-triangle?"),
    ],
)
def test_what_has_none_is_told_in_one_line(words: list[str], told: str, searched: list[Any], capsys: Any) -> None:
    assert main(["frontier", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and told in err and err.count("\n") == 1 and not searched


def test_a_load_over_time_has_no_largest_load(capsys: Any) -> None:
    assert main(["sweep", NAME, "--vary", "system.batch_bound=1", "--slo", "p99_us < 500"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "of a load over time no one load is the largest" in err and err.count("\n") == 1
