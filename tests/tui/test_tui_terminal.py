"""A real terminal: whatever ends the app, the terminal is as it was."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")

HERE = Path(__file__).parent
PROGRAM = """
import os, sys
sys.path.insert(0, {here!r})
from bench_machine import BENCH
from ixviz.scenario.load import load
from ixviz.tui.app import run_app
if os.environ.get("BREAK"):
    from ixviz.tui import actions
    def boom(state): raise RuntimeError("boom [/] here")
    actions.ACTIONS["play"] = boom
status = run_app(load(BENCH, name="bench"))
print("STATUS", status, flush=True)
sys.exit(status)
"""
OFF = ("?1049", "?25", "?1000", "?1003", "?1006", "?2004")


class Terminal:
    """The program in a terminal of 80 × 24."""

    def __init__(self, **env: str) -> None:
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""
        self.child = pexpect.spawn(
            sys.executable, ["-c", PROGRAM.format(here=str(HERE))], dimensions=(24, 80), encoding="utf-8", timeout=20,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path), **env},
        )  # fmt: skip

    def until(self, text: str) -> None:
        end = time.monotonic() + 20
        while text not in "\n".join(self.screen.display):
            if time.monotonic() > end or not self.read():
                raise AssertionError(f"no {text!r} on:\n" + "\n".join(self.screen.display))

    def read(self) -> bool:
        try:
            text = self.child.read_nonblocking(65536, timeout=1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += text
        # pyte does not know these: private modes with $p, kitty keys
        self.stream.feed(text.replace("\x1b[<u", "").replace("\x1b[>1u", ""))
        return True

    def ended(self) -> int:
        while self.read():
            pass
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus

    def restored(self) -> None:
        for mode in OFF:
            on, off = self.raw.rfind(f"\x1b[{mode}h"), self.raw.rfind(f"\x1b[{mode}l")
            if mode == "?25":
                assert on > off, "the cursor is hidden"
            else:
                assert off >= on, f"{mode} is still on"
        assert len(re.findall(r"\x1b\[>\d+u", self.raw)) == self.raw.count("\x1b[<u"), "a parent's keys are lost"


@pytest.mark.parametrize("how", ["q", "ctrl-c", "TERM", "HUP", "INT"])
def test_the_terminal_is_as_it_was(how: str) -> None:
    terminal = Terminal()
    terminal.until("arrives in q0")
    if how == "q":
        terminal.child.send("q")
        expected = 0
    elif how == "ctrl-c":
        terminal.child.send("\x03")
        expected = 130
    else:
        os.kill(terminal.child.pid, getattr(signal, f"SIG{how}"))
        expected = {"TERM": 143, "HUP": 129, "INT": 130}[how]
    assert terminal.ended() == expected
    terminal.restored()
    assert f"STATUS {expected}" in terminal.raw
    assert "Traceback" not in terminal.raw


def test_an_exception_inside_is_one_line_and_the_terminal_is_as_it_was() -> None:
    terminal = Terminal(BREAK="1")
    terminal.until("arrives in q0")
    terminal.child.send(" ")
    assert terminal.ended() == 1
    terminal.restored()
    after = terminal.raw[terminal.raw.rfind("\x1b[?1049l") :]
    assert "RuntimeError: boom [/] here" in after
    assert "please report" in after
    assert "Traceback" not in terminal.raw


def test_a_terminal_that_goes_away_ends_the_program() -> None:
    terminal = Terminal()
    terminal.until("arrives in q0")
    terminal.child.send(" ")  # it plays, so it writes
    pid = terminal.child.pid
    terminal.child.ptyproc.fileobj.close()  # the kernel hangs up on the program
    end = time.monotonic() + 8
    while time.monotonic() < end:
        done, _ = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise AssertionError("it still runs without a terminal")
    terminal.child.ptyproc.closed = terminal.child.ptyproc.terminated = terminal.child.closed = True


def test_no_colour_is_sent_under_no_color() -> None:
    terminal = Terminal(NO_COLOR="1")
    terminal.until("arrives in q0")
    terminal.child.send("q")
    assert terminal.ended() == 0
    for code in ("38;2", "48;2", "38;5", "48;5", "[31m", "[32m", "[33m"):
        assert code not in terminal.raw
