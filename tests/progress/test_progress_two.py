"""Two stores in one folder, a step of this and a step of that: the file is what the first answers make of it."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from progress.fake_session import FakeSession

from ixviz.progress import Store

STEPS = st.tuples(st.sampled_from([0, 1]), st.sampled_from(["q0", "q1", "q2"]),
                  st.sampled_from(["right", "wrong", "skipped"]))  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(STEPS, max_size=8))
def test_the_first_answer_of_either_stays(steps):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sessions = [FakeSession(3), FakeSession(3)]
        for session in sessions:
            Store(folder).attach(session)
        wanted: dict[str, tuple[str, str]] = {}
        better: set[str] = set()
        for n, (who, beat, result) in enumerate(steps):
            said = "" if result == "skipped" else f"{n}"
            sessions[who].said.pop(beat, None)
            sessions[who].close(beat, result, said)
            if beat not in wanted or (wanted[beat][0] == "skipped" and result != "skipped"):
                wanted[beat] = (result, said)
            elif wanted[beat][0] == "wrong" and result == "right":
                better.add(beat)
        record = Store(folder).read("fake")
        assert {beat: (a.result, a.said) for beat, a in record.answers.items()} == wanted
        assert {beat for beat, a in record.answers.items() if a.reviewed == "right"} == better
        assert record.count("right") + record.count("wrong") + record.count("skipped") == len(wanted)
