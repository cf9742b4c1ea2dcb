"""Somebody who waits at a terminal is told how far a run is; the run is the same, and a pipe gets nothing of it."""

from __future__ import annotations

import io
import sys

import pytest
from system.runs import scenario

from ixviz.cli import waiting
from ixviz.history import Journal
from ixviz.measure.metrics import metrics
from ixviz.scenario.simulate import simulate


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(monkeypatch, into, name, *sets, record=False):
    monkeypatch.setattr(sys, "stderr", into)
    monkeypatch.setattr(waiting, "_QUIET", 0)
    made = scenario(name, *sets)
    sim = simulate(made, Journal() if record else None)
    waiting.run(sim, made)
    return metrics(sim, made.name, 1), into.getvalue()


@pytest.mark.parametrize("name", ["ix-echo", "ix-elastic-sine", "linux-echo"])
def test_a_run_in_pieces_is_the_same_run(monkeypatch, name):
    watched, said = told(monkeypatch, Terminal(), name, "run.until=4 ms")
    alone, nothing = told(monkeypatch, io.StringIO(), name, "run.until=4 ms")
    assert watched == alone and nothing == ""
    shares = [float(part.split("%")[0]) for part in said.split("\r") if "%" in part]
    assert len(shares) > waiting.PIECES // 2 and shares == sorted(shares) and shares[-1] >= 99
    assert said.endswith("\r") and not said.split("\r")[-2].strip()


def test_so_is_a_recorded_one(monkeypatch):
    watched, said = told(monkeypatch, Terminal(), "ix-echo", "run.until=9 ms", record=True)
    assert "% of about 36," in said and watched == told(monkeypatch, io.StringIO(), "ix-echo", "run.until=9 ms")[0]


def test_what_is_called_off_says_nothing_more(monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with pytest.raises(KeyboardInterrupt), waiting.line() as told:
        told.say("12 of 30 parts")
        raise KeyboardInterrupt
    told.say("13 of 30 parts")
    assert terminal.getvalue() == "\r12 of 30 parts\r" + 14 * " " + "\r"


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (700, "12 min")])
def test_what_is_left_is_told_in_round_figures(seconds, text):
    assert waiting._rest(seconds) == text
