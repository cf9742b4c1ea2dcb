"""The command `compare`: two or three systems on the same packets, on the screen, as a page of text, or as JSON.

Invariant: all input is checked before anything runs; what was made the same is told on stderr.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ixviz.cli import Refused, _no_utf8, _terminal, find, readable, scenario_of
from ixviz.cli.options import SEED, SETS, UNTIL, changes

if TYPE_CHECKING:
    from ixviz.compare.align import Aligned
    from ixviz.scenario.load import Scenario


@click.command()
@click.argument("scenarios", nargs=-1, metavar="A B [C]")
@click.option("--workload-of", metavar="NAME", help="Whose packets all are sent; without it those of the first.")
@SETS
@SEED
@UNTIL
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--plain", is_flag=True, help="A page of text on stdout, also where there is a terminal.")
@click.option("--ascii", "ascii_", is_flag=True, help="No sign beyond ASCII.")
@click.option("--light", is_flag=True, help="Dark signs on a light ground.")
def compare(scenarios: tuple[str, ...], workload_of: str | None, sets: tuple[str, ...], seed: str | None,
            until: str | None, as_json: bool, plain: bool, ascii_: bool, light: bool) -> int:  # fmt: skip
    """Compare two or three systems on the same packets.

    Each keeps its system and its cores; workload, run and links are those of the first, or of --workload-of.
    On a terminal: step through all at once, n goes to the next difference.
    """
    made = together(scenarios, changes(sets, seed, until), workload_of)
    if as_json or plain or not (sys.stdout is not None and sys.stdout.isatty()):
        return _headless(made, as_json)
    _terminal()
    for note in made.notes:
        _say(note)
    from ixviz.tui.app import run_app
    from ixviz.tui.compare import CompareScreen
    from ixviz.tui.compare_state import open_state

    dull = ascii_ or _no_utf8()
    state = open_state(made, ascii=dull)
    return run_app(ascii=dull, light=light, first=lambda: CompareScreen(state))


def together(targets: Sequence[str], sets: Sequence[str], workload_of: str | None) -> Aligned:
    """The scenarios of what was named, with the same packets. Raises Refused, Problems."""
    from ixviz.compare.align import FEWEST, MOST, SHARED, aligned
    from ixviz.scenario.messages import did_you_mean

    if not FEWEST <= len(targets) <= MOST:
        raise Refused(f"compare takes {FEWEST} or {MOST} scenarios, such as: ixviz compare ix-echo linux-echo")
    found = []
    for target in targets:
        kind, path = find(target)
        if kind == "lesson":
            raise Refused(f"{target} is a lesson; compare wants scenarios or captures")
        found.append((kind, path))
    if workload_of is not None and workload_of not in targets:
        raise Refused(f"--workload-of: {workload_of} is not compared{did_you_mean(workload_of, targets)}")
    giver = targets.index(workload_of) if workload_of is not None else 0
    shared = [text for text in sets if text.strip().startswith(SHARED)]  # the others are given them by the giver
    own = [text for text in sets if text not in shared]
    scenarios: list[Scenario] = [
        scenario_of(path, kind, [*own, *shared] if i == giver else own) for i, (kind, path) in enumerate(found)
    ]
    return aligned(scenarios, giver)


def _headless(made: Aligned, as_json: bool) -> int:
    from ixviz.cli.commands import MOST_PACKETS
    from ixviz.compare.report import compared, page
    from ixviz.scenario.simulate import expected_packets

    given = made.scenarios[made.giver]
    if given.endless:
        raise Refused(f"{given.name}: run.until: this workload never ends; give it an end, such as --until 10ms")
    if (packets := expected_packets(given)) > MOST_PACKETS:
        raise Refused(f"{given.name}: run.until: about {packets:,.0f} packets until then, at most {MOST_PACKETS:,}")
    for note in made.notes if as_json else ():
        _say(note)
    got: dict[str, Any] = compared(made, _say)
    click.echo(json.dumps(got, allow_nan=False) if as_json else readable(page(got, made)))
    return 0


def _say(text: str) -> None:
    from ixviz.scenario.messages import escape

    click.echo(f"ixviz: {escape(text)}", err=True)
