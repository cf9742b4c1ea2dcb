"""Tells somebody who waits at a terminal how far a long piece of work is.

Invariant: nothing is written where stderr is no terminal, and of what was written nothing is left at the end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ixviz.scenario.simulate import expected_packets

if TYPE_CHECKING:
    from ixviz.scenario.load import Scenario

PIECES = 200  # of a run, between which it is told how far it is
_QUIET = 1.0  # seconds after which somebody wonders


class Line:
    """A line on the terminal that is written over."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self._cells = 0

    def say(self, text: str) -> None:
        """Show `text` in place of what stood there."""
        if self.shown:
            click.echo(f"\r{text:<{self._cells}}", err=True, nl=False)
            self._cells = len(text)

    def clear(self) -> None:
        """Leave an empty line; what is said afterwards, of work that was called off, is not shown."""
        if self._cells:
            self.say("")
            click.echo("\r", err=True, nl=False)
        self.shown = False


@contextmanager
def line() -> Iterator[Line]:
    """A line for as long as something takes, cleared whatever happens."""
    made = Line()
    try:
        yield made
    finally:
        made.clear()


def run(sim: Any, scenario: Scenario) -> None:
    """Run, or record where it was built with a journal, to the end; what comes out is the same as without looking."""
    with line() as told:
        packets = expected_packets(scenario) if told.shown else 0.0
        began = time.monotonic()
        for _ in _pieces(sim, scenario.run.until if packets else None):
            took = time.monotonic() - began
            if packets and took > _QUIET and (share := min(expected_packets(scenario, sim.now) / packets, 1)):
                told.say(f"{share:.0%} of about {packets:,.0f} packets, {_rest(took / share - took)} to go")


def _pieces(sim: Any, end: int | None) -> Iterator[None]:
    """Run to the end, and stop on the way: where it is recorded now and then, else `PIECES` times if `end` is given."""
    if sim.history is not None:
        while sim.record(100_000):
            yield
        return
    if end is not None:
        for piece in range(1, PIECES):
            sim.run(end * piece // PIECES)
            yield
    sim.run()


def _rest(seconds: float) -> str:
    """`40 s`, `7 min`."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
