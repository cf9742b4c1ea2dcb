"""A policy in a file of its own, installed as a plug-in: in the schema, in messages, in runs and on the screen."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from system.control.test_control import decisions, machine, whole

from ixviz.draw.cells import plain
from ixviz.history import Journal
from ixviz.scenario.load import json_schema, load
from ixviz.scenario.messages import Problems
from ixviz.scenario.simulate import picture_of, simulate

GOOD = """
from ixviz.system.ix.control.policy import Wish
from ixviz.system.ix.control.steps import Step

class Two:
    def __init__(self, profile, cores):
        self.steps = [Step((0,), profile.clock, 1.0, "core 0"), Step((0, 1), profile.clock, 0.5, "core 1")]

    def decide(self, signals):
        if signals.now > 0.45 and signals.step == 0:
            return Wish(1, "it is [late]")
        if signals.now > 0.85:
            raise RuntimeError("no more [ideas]")
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a module `mine` with a class Two on the path, as pip would."""

    def put(source: str) -> None:
        (tmp_path / "mine.py").write_text(source)
        info = tmp_path / "mine-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[ixviz.policies]\ntwo = mine:Two\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "mine", raising=False)

    return put


def test_it_is_found_runs_and_is_told_on_the_screen(install: Any) -> None:
    install(GOOD)
    assert json.dumps(json_schema()).count('"eff", "back", "minmax", "static", "two"') == 1
    sim = whole(machine("two", until="50 ms", watch="decisions"))
    assert [d[1:3] for d in decisions(sim)] == [(0, 1)]
    sim = simulate(machine("two", until="50 ms", watch="decisions"), Journal())
    while sim.record(5_000):
        pass
    picture = picture_of(sim)
    assert picture.heading.endswith("policy two, 25 × compressed")
    text = plain([d.line for d in picture.machine(picture.moment(sim.history.cursor(len(sim.history) - 1)), 80, 22)])
    assert "because  it is [late]" in text and "it raised RuntimeError: no more [ideas]; all stays as it is" in text


@pytest.mark.parametrize(("source", "words"), [
    (GOOD.replace("(0, 1)", "(0, 99)"), "its step 1 has threads that are not there: 0 to 7 are"),
    (GOOD.replace("Step((0,)", "Step((1,)"), "its step 0 leaves out thread 0"),
    (GOOD.replace("(0, 1)", "(0, 0)"), "its step 1 has a thread twice"),
    (GOOD.replace("def __init__(self, profile, cores):", "def __init__(self):"), "it cannot be made: TypeError"),
    ("1 / 0", "it cannot be made: ZeroDivisionError"),
])  # fmt: skip
def test_one_that_does_not_fit_is_refused_in_one_line(install: Any, source: str, words: str) -> None:
    install(source)
    with pytest.raises(Problems) as caught:
        simulate(machine("two"))
    (problem,) = caught.value.problems
    assert problem.key == "system.control.policy" and problem.message.startswith(f"policy two: {words}")


def test_an_unknown_name_is_refused_with_those_there_are(install: Any) -> None:
    install(GOOD)
    text = ("machine: {hyperthreads: true}\nsystem: {kind: ix, control: {policy: too}}\n"
            "workload: {kind: memcached, rate: 1 M/s}\nrun: {until: 1 ms}\n")  # fmt: skip
    with pytest.raises(Problems) as caught:
        load(text)
    (problem,) = caught.value.problems
    assert problem.line == 2 and problem.message == (
        "there is no policy 'too', eff, back, minmax, static, two are installed, did you mean two?"
    )
