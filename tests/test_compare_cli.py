"""The command `compare`: its JSON, its page, and what is refused in one line."""

import json

import pytest

from ixviz.cli import main

SHORT = ("--until", "300us", "--set", "workload.rate=500 K/s")


def test_json_on_stdout_and_narration_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "ix-echo", "linux-echo", *SHORT, "--json"]) == 0
    out, err = capsys.readouterr()
    got = json.loads(out)
    assert got["version"] == 1
    assert [run["scenario"] for run in got["runs"]] == ["ix-echo", "linux-echo"]
    assert {run["simulated_us"] for run in got["runs"]} == {300}
    assert got["differences"]["arrivals"] == "identical"
    assert "linux-echo is given workload and run of ix-echo" in err
    assert len(got["differences"]["totals"]) == 2


def test_a_pipe_gets_a_page_of_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "ix-echo", "linux-echo", *SHORT]) == 0
    out = capsys.readouterr().out
    assert out.startswith("ix, linux: the packets of ix-echo: poisson, 500 K/s\n")
    assert "the whole run, per packet" in out


def test_another_gives_the_packets(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["compare", "ix-echo", "linux-echo", "--workload-of", "linux-echo", "--json", "--set", "run.warmup=0 s"]
    assert main([*args, "--until", "100us"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    assert (found["workload_of"], found["arrivals"], found["due"]) == ("linux-echo", "by answers", "by answers")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["ix-echo"], "compare takes 2 or 3 scenarios"),
        (["ix-echo"] * 4, "compare takes 2 or 3 scenarios"),
        (["ix-echo", "linux-ech"], "no such file, lesson or scenario; did you mean linux-echo?"),
        (["ix-echo", "coherence-trace"], "coherence-trace.yaml:11:9: system.kind: a trace has no packets"),
        (["coherence-trace", "ix-echo"], "coherence-trace.yaml:11:9: system.kind: a trace has no packets"),
        (["ix-echo", "lessons/02-batching"], "is a lesson; compare wants scenarios or captures"),
        (["ix-echo", "linux-echo", "--workload-of", "linux"], "linux is not compared, did you mean linux-echo?"),
        (["ix-echo", "linux-echo", "--set", "system.batch_bound=1"], "system.batch_bound: unknown key"),
        (["ix-echo", "linux-echo", "--set", "workload.rat=1"], "unknown key rat, did you mean rate?"),
        (["ix-echo", "linux-echo", "--set", "run.until=null"], "this workload never ends"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *words, "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and told in err
    assert err.count("\n") == 1 and "Traceback" not in err
