"""How long a key takes until its frame is handed to the terminal, and the first frame against an empty Textual app.

Run by hand: `python tests/bench/tui_speed.py`. Prints percentiles and a ratio; nothing is asserted.
"""

import asyncio
import os
import statistics
import sys
import time

KEYS = ["right"] * 60 + ["left"] * 20 + ["tab", "right", "right"] * 16 + ["plus", "right", "right", "left"] * 5


async def keys(name: str, width: int, height: int, whole: bool) -> None:
    from ixviz.scenario.load import bundled, load
    from ixviz.tui.app import IxvizApp
    from ixviz.tui.lines import Lines_
    from ixviz.tui.opening import state_of

    state = state_of(load(bundled(name)))
    while state.branch.wants_more():
        state.branch.record(0.1)
    state.go_to_event(40_000)
    while state.job is not None:
        state.work()
    app = IxvizApp(state)
    taken: list[float] = []
    async with app.run_test(size=(width, height)) as pilot:
        screen = app.screen
        canvas: Lines_ = screen.canvas
        for key in KEYS:
            begin = time.perf_counter()
            character = key if len(key) == 1 else None
            from ixviz.tui import pressing

            pressing.press(state, key, character)
            while state.job is not None:
                state.work()
            screen.after()
            # What Textual does at the next refresh: the strips of the changed lines, made into text for the terminal.
            if canvas._dirty_regions:
                screen._compositor.update_widgets({canvas})
                update = screen._compositor.render_update(full=whole)
                if update is not None:
                    update.render_segments(app.console)
            taken.append(1000 * (time.perf_counter() - begin))
            await pilot.pause(0)
    taken.sort()
    p50, p95 = statistics.median(taken), taken[len(taken) * 95 // 100]
    print(
        f"{name} {width}×{height}: key to text for the terminal, {'all' if whole else 'changed'} lines: "
        f"p50 {p50:.1f} ms, p95 {p95:.1f}, max {taken[-1]:.1f}"
    )


EMPTY = """
import os, time
begin = float(os.environ["BEGIN"])
from textual.app import App
from textual.widget import Widget
from textual.strip import Strip
from rich.segment import Segment
class W(Widget):
    DEFAULT_CSS = "W { height: 1fr; width: 1fr; }"
    done = False
    def render_line(self, y):
        if not W.done:
            W.done = True
            print("FIRST", time.time() - begin, file=open(os.environ["OUT"], "w"))
            self.app.call_later(self.app.exit)
        return Strip([Segment("x" * 10)], 10)
class E(App):
    def compose(self):
        yield W()
E().run()
"""
OURS = """
import gc, os, time
gc.disable()  # as cli.py does
begin = float(os.environ["BEGIN"])
from ixviz.tui.app import run_app
from ixviz.tui.lines import Lines_
from ixviz.scenario.load import bundled, load
draw, seen = Lines_.render_line, []
def render_line(self, y):
    strip = draw(self, y)
    if not seen and "ring q0" in strip.text:
        seen.append(1)
        print("FIRST", time.time() - begin, file=open(os.environ["OUT"], "w"))
        self.app.call_later(self.app.exit)
    return strip
Lines_.render_line = render_line
run_app(load(bundled("ix-one-core")))
"""


def first_frame(program: str) -> float:
    import pexpect

    out = f"/tmp/ixviz-first-{os.getpid()}"
    env = {
        **os.environ,
        "TERM": "xterm-256color",
        "BEGIN": str(time.time()),
        "OUT": out,
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    child = pexpect.spawn(sys.executable, ["-c", program], dimensions=(24, 80), env=env, timeout=30)
    child.expect(pexpect.EOF)
    child.close()
    with open(out) as file:
        seconds = float(file.read().split()[1])
    os.unlink(out)
    return seconds


def main() -> None:
    for size in ((120, 36), (200, 60)):
        for name in ("ix-one-core", "ix-memcached-usr"):
            for whole in (False, True):  # as Textual does it, and the dearest case
                asyncio.run(keys(name, *size, whole))
    pairs = [(first_frame(EMPTY), first_frame(OURS)) for _ in range(8)][1:]
    empty, ours = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"first frame: {1000 * ours:.0f} ms, an empty Textual app {1000 * empty:.0f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
