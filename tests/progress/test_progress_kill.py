"""kill -9 while answers are written, and two processes that write the same lesson."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from progress.fake_session import FakeSession

from ixviz.progress import Store

CHILD = str(Path(__file__).with_name("fake_session.py"))


def child(folder: Path, who: str, count: int, shared: int = 0) -> subprocess.Popen[str]:
    words = [sys.executable, CHILD, str(folder), who, str(count), str(shared)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_kill_at_any_moment_leaves_a_whole_file_that_says_what_was_reached(tmp_path):
    chance = random.Random(3)
    tried = done = 0  # questions
    for _ in range(15):
        running = child(tmp_path, "a", 200)
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(chance.randint(2, 9))]  # at least one answer is given
        time.sleep(chance.uniform(0, 0.004))
        running.send_signal(signal.SIGKILL)
        lines += running.stdout.read().splitlines()
        running.wait()
        running.stdout.close()
        whole = [line.split() for line in lines if len(line.split()) == 2]
        tried = max([tried, *(int(n) + 1 for word, n in whole if word == "try")])
        done = max([done, *(int(n) + 1 for word, n in whole if word == "done")])

        kept = json.loads((tmp_path / "progress" / "fake.json").read_text())["beats"]
        assert done <= len(kept) <= tried
        assert list(kept) == [f"q{i}" for i in range(len(kept))]
        record = Store(tmp_path).read("fake")
        assert record is not None and not record.done and int(record.at[1:]) <= tried
        tried = done = len(kept)
    assert done >= 15

    Store(tmp_path).attach(FakeSession(3))
    assert sorted(p.name for p in (tmp_path / "progress").iterdir()) == [".lock", "fake.json"]  # and no litter


def test_two_processes_on_one_lesson_lose_nothing_of_each_other(tmp_path):
    pair = [child(tmp_path, who, 60, 20) for who in "ab"]
    seen: dict[int, set[str]] = {}
    for running in pair:
        for line in running.communicate(timeout=60)[0].splitlines():
            word, n, *said = line.split()
            if word == "done":
                seen.setdefault(int(n), set()).update(said)
        assert running.returncode == 0
    kept = Store(tmp_path).read("fake").answers
    assert len(kept) == 60
    assert {f"q{n}": said for n, said in seen.items()} == {beat: {answer.said} for beat, answer in kept.items()}
