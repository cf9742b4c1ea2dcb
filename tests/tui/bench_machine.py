"""The machine of lesson 02 with round numbers, and what a test needs to see its screen."""

from ixviz.scenario.load import load
from ixviz.tui import pressing
from ixviz.tui.frame import compose
from ixviz.tui.opening import state_of
from ixviz.tui.state import State

BENCH = """
title: One core, one queue, round numbers
machine: {profile: e5-2665, cores: 1, nic: {ports: 1, rate: 10 Gbps, queues: 1, ring: 512}}
system:
  kind: ix
  batch_bound: 64
  costs_are: illustrative
  costs:
    poll: {batch: 480}
    tcp: {packet: 240}
    cross: {batch: 720}
    app: {packet: 192}
    calls: {packet: 168}
    timers: {batch: 240}
    tx: {batch: 960}
workload:
  kind: timed
  size: 64 B
  packets: [{at: 2 us}, {from: 2.1 us, every: 333.333 ns, count: 300}]
run: {until: 100 us, seed: 1}
"""


def bench(name: str = "bench") -> State:
    """The screen's state for the bench, on its first packet."""
    return state_of(load(BENCH, name=name))


def press(state: State, *keys: str) -> None:
    """Press keys, letting each finish its work."""
    for key in keys:
        pressing.press(state, key, key if len(key) == 1 else " " if key == "space" else None)
        while state.job is not None:
            state.work()


def typed(state: State, text: str) -> None:
    """Type a line and enter it."""
    press(state, *text, "enter")


def screen(state: State, width: int = 80, height: int = 24) -> str:
    """The text of the whole screen."""
    from ixviz.draw.cells import plain

    return plain(compose(state, width, height).lines)
