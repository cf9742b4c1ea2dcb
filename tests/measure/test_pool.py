"""Processes side by side: an interrupt ends them all, whenever it comes, and only one of them speaks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import os, signal, sys, time
from pathlib import Path
from ixviz.measure.pool import pool

def main(folder):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit an ignored one
    try:
        with pool(2) as executor:
            for name in "ab":
                executor.submit(Path.touch, Path(folder, name))
                executor.submit(time.sleep, 60)
            print("asked", flush=True)
            time.sleep(60)
    except KeyboardInterrupt:
        return 130

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
Path(sys.argv[1], "starting").touch()  # a process that is starting reads this file
time.sleep(1)
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signal masks")
@pytest.mark.parametrize("when", ["starting", "a"])
def test_an_interrupt_ends_all_and_they_say_nothing(when: str, tmp_path: Path) -> None:
    """While they start, and while they work."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, script, tmp_path], env=there, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == b"asked\n"
    while not (tmp_path / when).exists():
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=50)
    assert (process.returncode, told) == (130, b"")
