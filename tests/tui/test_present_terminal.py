"""Two real terminals: the notes follow the presenter, and what ends one of them is told in the other."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from lesson.small import changed
from tui.lectures import ALL

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")


class Terminal:
    """`ixviz LESSON …` in a terminal of its own."""

    def __init__(self, folder: Path, words: list[str], width: int, height: int) -> None:
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.Stream(self.screen)
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}  # pytest-xdist sets them
        env = {**inherited, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path),
               "IXVIZ_STATE": str(folder / "state"), "PYTHONUTF8": "1"}  # fmt: skip
        self.child = pexpect.spawn(sys.executable, ["-m", "ixviz", str(folder), *words], dimensions=(height, width),
                                   encoding="utf-8", timeout=30, env=env)  # fmt: skip

    def rows(self) -> list[str]:
        """What is on the screen now."""
        while True:
            try:
                text = self.child.read_nonblocking(65536, timeout=0.02)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return [row.rstrip() for row in self.screen.display]
            self.stream.feed(text.replace("\x1b[<u", "").replace("\x1b[>1u", ""))  # pyte does not know kitty keys

    def until(self, text: str) -> float:
        """When this text was there."""
        end = time.monotonic() + 30
        while text not in "\n".join(self.rows()):
            assert time.monotonic() < end, "\n".join(self.rows())
        return time.monotonic()

    def left(self) -> int:
        self.child.send("q")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus


def test_the_notes_follow_the_presenter(tmp_path: Path) -> None:
    text = changed("    say: Batch 2 has", "    notes: Ask for hands.\n    say: Batch 2 has", ALL)
    (tmp_path / "lesson.yaml").write_text(text)
    notes = Terminal(tmp_path, ["--notes"], 120, 36)
    notes.until("No presenter is running.")
    presenter = Terminal(tmp_path, ["--present"], 80, 24)
    presenter.until("It fits: 80 × 24.")
    notes.until("It fits: 80 × 24.")
    for key, wanted in (("\x1b[6~", "At most 64"), ("\x1b[6~", "HOW MANY WILL"), ("3 4 5\r", "12 answers"),
                        ("t", "████"), ("\x1b[6~", "✓ b  6")):  # fmt: skip
        presenter.child.send(key)
        first = presenter.until(wanted)
        print(f"{wanted!r}: in the notes {1000 * (notes.until(wanted) - first):.0f} ms after the presenter's")
    end = time.monotonic() + 20
    while True:  # the clock of one may be a second ahead for a moment
        own, copy = presenter.rows(), [row[:80].rstrip() for row in notes.rows()[1:25]]
        if own == copy or time.monotonic() > end:
            break
    assert own == copy
    assert "Ask for hands." in "\n".join(notes.rows())

    [address] = (tmp_path / "state").iterdir()
    os.kill(json.loads(address.read_text())["pid"], signal.SIGKILL)
    notes.until("The presenter is gone.")
    assert address.exists()  # stale: it had no time to take it away
    presenter = Terminal(tmp_path, ["--present", "--beat", "mean"], 80, 24)
    presenter.until("PgDn begins, with: The average")
    presenter.child.send(" ")
    notes.until("HOW LARGE IS THE AVERAGE BATCH?")
    assert presenter.left() == 0
    notes.until("The presenter is gone.")
    assert list((tmp_path / "state").iterdir()) == []
    assert notes.left() == 0
