"""The command line as a user meets it: what is data and what narration, exit statuses, one clear line for a mistake."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ixviz.cli import commands, main
from ixviz.workload.frames import tcp_frame
from ixviz.workload.pcapfile import write_pcap

SHORT = ["--set", "run.until=1 ms"]


def ixviz(*args, cwd=None, stdin="", **env):
    """Run the command line in a process of its own; returns (status, stdout, stderr)."""
    made = subprocess.run(
        [sys.executable, "-m", "ixviz", *map(str, args)], input=stdin, capture_output=True, text=True, cwd=cwd,
        env={**os.environ, "COLUMNS": "80", **env}, timeout=60,
    )  # fmt: skip
    return made.returncode, made.stdout, made.stderr


def refused(*args, **more):
    """One that must be refused: status 2, nothing on stdout, no traceback. Returns what stderr says."""
    status, out, err = ixviz(*args, **more)
    assert status == 2 and out == "" and "Traceback" not in err, (status, out, err)
    return err


def test_run_json_has_the_shape_that_was_promised():
    status, out, err = ixviz("run", "ix-echo", *SHORT, "--json")
    figures = json.loads(out)
    assert status == 0 and err == ""
    assert list(figures)[:13] == ["version", "scenario", "system", "seed", "simulated_us", "packets", "requests",
                                  "latency_us", "wait_us", "batch", "queues", "cores", "coherence"]  # fmt: skip
    assert figures["version"] == 1 and figures["simulated_us"] == 1000
    packets = figures["packets"]
    assert packets["arrived"] == packets["delivered"] + packets["dropped"] + packets["in_flight"] > 3000
    assert sum(q["arrived"] for q in figures["queues"]) == packets["arrived"]
    assert [c["id"] for c in figures["cores"]] == [0, 1, 2, 3]


def test_record_adds_events_and_hash_and_changes_no_figure():
    plain = json.loads(ixviz("run", "ix-one-core", *SHORT, "--json")[1])
    recorded = json.loads(ixviz("run", "ix-one-core", *SHORT, "--json", "--record")[1])
    history = recorded.pop("history")
    assert recorded == plain
    assert history["events"] > 1000 and len(history["hash"]) == 16


def test_of_a_control_plane_the_decisions_are_recorded_however_many_packets_there_are(monkeypatch, capsys):
    keys = "machine.cores=2", "run.compress=1000", "workload.rate.to=300 K/s", "workload.connections=200"
    short = [text for key in keys for text in ("--set", key)]
    monkeypatch.setattr(commands, "MOST_RECORDED", 1000)
    assert main(["run", "ix-elastic-triangle", *short, "--json", "--record"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["packets"]["arrived"] > 1000 < figures["history"]["events"] and figures["control"]["decisions"]
    assert main(["run", "ix-elastic-triangle", *short, "--record"]) == 0
    text = capsys.readouterr().out
    assert f"{figures['history']['events']:,} events, the last state's hash is {figures['history']['hash']}" in text
    assert "  published  44–54 % saved (SoCC 2015)" in text and "ours is predicted" in text
    assert main(["run", "ix-elastic-triangle", *short, "--record", "--set", "run.watch=all"]) == 2
    assert capsys.readouterr().err.endswith("; run.watch=decisions records its control plane alone\n")


def test_seed_and_until_are_short_for_set():
    a = ixviz("run", "ix-one-core", "--seed", "9", "--until", "2ms", "--json")
    b = ixviz("run", "ix-one-core", "--set", "run.seed=9", "--set", "run.until=2 ms", "--json")
    assert a == b and json.loads(a[1])["seed"] == 9


def test_text_report_has_units_and_no_none():
    status, out, _ = ixviz("run", "ix-memcached-usr", "--until", "11ms")
    assert status == 0 and "None" not in out and "nan" not in out.lower()
    assert re.search(r"p99 [0-9]+\.[0-9]{2} µs", out) and "fullest queue" in out and "fitted" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["ix-ehco", "--plain"], "did you mean ix-echo?"),
        (["run", "ix-echo", "--set", "system.batch_bond=1"], "unknown key batch_bond, did you mean batch_bound?"),
        (["run", "ix-echo", "--set", "machine.cores=0"], "--set:1:1: machine.cores: "),
        (["run", "ix-echo", "--set", "machine.cores=1000000000"], "256"),
        (["run", "ix-echo", "--bogus"], "No such option"),
        (["run"], "Missing argument"),
        (["run", "lessons/02-batching"], "is a lesson"),
        (["run", "ix-memcached-usr", "--set", "run.until=null", "--set", "run.warmup=0"], "never ends"),
        (["sweep", "ix-echo", "--vary", "system.batch_bound"], "KEY=A,B,C wanted"),
        (["sweep", "ix-echo", "--vary", "system.batch_bound=1,x"], "system.batch_bound"),
        (["sweep", "ix-echo", "--vary", "system.batch_bound=1", "--slo", "p98 < 5"], "p99_us"),
        (["lessons/02-batching", "--set", "a=1", "--plain"], "brings its own machines"),
        (["--plain"], "--plain needs"),
        (["run", "ix-capture", "--set", "workload.speed=1e-300"], "out of range"),
        (["run", "ix-capture", "--set", "workload.repeat=1000000"], "more than 20,000,000"),
        (["run", "ix-capture", "--set", "workload.speed=1e-6", "--set", "workload.repeat=9000"], "106 days"),
        (["run", "queue-md1", "--set", "workload.load=1e-300"], "out of range"),
        (["run", "ix-echo", "--set", "workload.rate=10 G/s"], "packets until then"),
        (["run", "ix-echo", "--until", "10 s", "--record"], "--record keeps every event"),
        (["run", "ix-echo", "--seed", ""], "--seed:1:1: run.seed: the value is missing"),
        (["run", "ix-echo", "--until", "5 parsecs"], '--until:1:1: run.until: a time with its unit wanted'),
        (["run", "ix-echo", "--until", "5 parsecs"], 'unknown unit "parsecs"; known: ps, ns, us, ms, s'),
        (["run", "a" * 300], "no such file"),
        (["run", "/dev/null"], "not an ordinary file"),
        (["sweep", "ix-echo", "--vary", "run.seed=1", "--vary", "run.seed=2"], "given twice"),
        (["sweep", "ix-echo", "--vary", "run.seed=1", "--slo", "p99_us < 1..2"], "p99_us"),
    ],
)
def test_a_mistake_gets_a_clear_message(args, words):
    assert words in refused(*args)


def test_two_mistakes_are_told_at_once():
    err = refused("run", "ix-echo", "--set", "machine.cores=0", "--set", "system.batch_bound=0")
    assert "machine.cores" in err and "system.batch_bound" in err


def test_without_a_terminal_the_screen_is_refused_with_a_hint():
    assert "--plain" in refused("ix-echo")
    assert "--plain" in refused()
    assert "TERM=dumb" in refused("ix-echo", TERM="dumb")


def test_text_of_a_file_is_shown_literally(tmp_path):
    bad = tmp_path / "[bold]x[red] \x1b[31m.yaml"
    bad.write_text('title: "[red]t[/red] \\e[2J"\nmachine: {cores: 2, [bold]: 1}\n')
    err = refused("run", bad)
    assert "\x1b" not in err and "[bold]x[red]" in err
    good = tmp_path / "good.yaml"
    good.write_text((Path(__file__).parents[1] / "scenarios" / "ix-one-core.yaml").read_text().replace(
        "title: One core, one queue", 'title: "[red]t[/red] \\e[2J [/"'))  # fmt: skip
    status, out, _ = ixviz("run", good, "--until", "100us")
    assert status == 0 and "\x1b" not in out and "[red]t[/red]" in out and "[/" in out


def test_captures_by_content_not_by_name(tmp_path):
    frames = [(i * 1000, tcp_frame("10.0.0.1", "10.0.1.1", 1234, 80, payload=b"x" * 10)) for i in range(7)]
    write_pcap(tmp_path / "looks.txt", frames)
    status, out, err = ixviz("run", tmp_path / "looks.txt", "--json")
    assert status == 0 and err == "" and json.loads(out)["packets"]["delivered"] == 7
    data = (tmp_path / "looks.txt").read_bytes()
    (tmp_path / "cut.pcap").write_bytes(data[:-5])
    status, out, err = ixviz("run", tmp_path / "cut.pcap", "--json")
    assert status == 0 and json.loads(out)["packets"]["arrived"] == 6 and err.count("\n") == 1 and "cut" in err
    (tmp_path / "no.pcap").write_bytes(b"hello, this is no capture")
    assert refused("run", tmp_path / "no.pcap").count("\n") == 1
    assert refused("run", tmp_path / "missing.pcap").count("\n") == 1
    assert refused("run", tmp_path).count("\n") == 1


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are UTF-8")
def test_a_name_that_is_no_utf8_is_told_in_one_line(tmp_path):
    path = os.fsencode(tmp_path) + b"/x\xff\xfe.pcap"
    write_pcap(Path(os.fsdecode(path)), [])
    made = subprocess.run([sys.executable, "-m", "ixviz", "run", path], capture_output=True, timeout=60)
    assert made.returncode == 2 and made.stdout == b"" and made.stderr.count(b"\n") == 1
    assert b"x??.pcap:1:1: the name of this file is no UTF-8" in made.stderr


def test_an_empty_capture_has_figures_that_are_null(tmp_path):
    write_pcap(tmp_path / "empty.pcap", [])
    status, out, _ = ixviz("run", tmp_path / "empty.pcap", "--json")
    figures = json.loads(out)
    assert status == 0 and figures["latency_us"] == {"mean": None, "p50": None, "p99": None, "max": None}
    assert ixviz("run", tmp_path / "empty.pcap")[0] == 0


def test_sweep_prints_a_line_for_each_point():
    status, out, _ = ixviz("sweep", "ix-one-core", "--vary", "system.batch_bound=1,64", *SHORT, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [r["set"] for r in rows] == [["system.batch_bound=1"], ["system.batch_bound=64"]]
    assert rows[0]["figures"]["batch"]["bound"] == 1


def test_a_closed_pipe_is_no_traceback():
    code = "ixviz schema scenario | head -1"
    made = subprocess.run(["bash", "-c", code.replace("ixviz", f"{sys.executable} -m ixviz", 1)], capture_output=True,
                          text=True, timeout=60)  # fmt: skip
    assert made.stdout == "{\n" and made.stderr == ""


def test_bundled_content_is_found_from_any_folder(tmp_path):
    status, out, _ = ixviz("lessons/01-run-to-completion", "--plain", cwd=tmp_path)
    assert status == 0 and out.startswith("Run to completion")
    assert ixviz("run", "scenarios/ix-one-core.yaml", "--until", "10us", cwd=tmp_path)[0] == 0


def test_schemas_are_json():
    for what in ("scenario", "lesson"):
        status, out, _ = ixviz("schema", what)
        assert status == 0 and "properties" in json.loads(out)


@pytest.mark.parametrize(("what", "file"), [("lesson", "lessons/lesson.schema.json"),
                                            ("scenario", "scenarios/scenario.schema.json")])  # fmt: skip
def test_the_schema_that_lies_beside_the_files_is_the_present_one(what, file):
    assert (Path(__file__).parents[1] / file).read_text() == ixviz("schema", what)[1]


def test_output_that_cannot_be_written_is_no_traceback():
    for words in ("run ix-one-core --until 10us >/dev/full", "run ix-one-core --until 10us >&-"):
        made = subprocess.run(["bash", "-c", f"{sys.executable} -m ixviz {words}"], capture_output=True, text=True,
                              timeout=60)  # fmt: skip
        assert "Traceback" not in made.stderr, (words, made.stderr)


LESSON = """language: 1
id: broken
title: Broken
minutes:
  lecture: 1
  alone: 1
runs:
  bench:
    scenario: ix-one-core
    set: {{run.until: 200 us}}
beats:
  - id: one
    title: One
    route: lecture
    minutes: 1
    run: bench
    until: {until}
    say: |
      {say}
"""


@pytest.mark.parametrize(("until", "say"), [("nic.arrived == -1", "x"), ("start", "$(nope)"), ("1 / 0 == 1", "x"),
                                            ("packet(99999999999999999999).polled > 1 us", "x")])  # fmt: skip
def test_a_lesson_that_fails_while_it_runs_is_told_in_a_line(tmp_path, until, say):
    file = tmp_path / "lesson.yaml"
    file.write_text(LESSON.format(until=until, say=say))
    status, _, err = ixviz(file, "--plain")
    assert status == 2 and "Traceback" not in err and "lesson.yaml:" in err, err
