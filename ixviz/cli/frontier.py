"""The command `frontier`: what a machine that stays as it is carries and takes, in all its static configurations.

Invariant: found once for a machine and kept; without a folder to keep it in it is found anew.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ixviz.cli import Refused, readable
from ixviz.cli.options import SETS
from ixviz.cli.waiting import line

if TYPE_CHECKING:
    from ixviz.measure.frontier import Frontier
    from ixviz.scenario.load import Scenario


@click.command()
@click.argument("scenario")
@SETS
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--again", is_flag=True, help="Find it anew, whatever is kept.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; one a core by default.")
def frontier(scenario: str, sets: tuple[str, ...], as_json: bool, again: bool, workers: int | None) -> int:
    """Find the static configurations that carry most for their power.

    For a machine with a control plane: for each number of cores, with and without hyperthreads, at each clock, the most
    requests a second with p99 < 500 µs, and the power; then the least energy for the scenario's load.
    """
    from ixviz.cli.commands import _scenario
    from ixviz.measure.control import tick_rates
    from ixviz.measure.frontier import bound
    from ixviz.measure.frontier_report import as_json_object, table
    from ixviz.scenario.simulate import simulate

    _, _, made = _scenario(scenario, sets, need_end=False)
    sim: Any = simulate(made)
    found = frontier_of(made, sim, again, workers)
    if found is None:
        raise Refused(f"{made.name}: a frontier is that of a machine with system.control, a memcached or closed "
                      "workload with a rate, and turns that cost something")  # fmt: skip
    rates = tick_rates(sim, made.run.until or 0)
    least, most = bound(found, rates) if rates else (None, None)
    click.echo(json.dumps(as_json_object(made.name, found, least, most), allow_nan=False) if as_json
               else readable(table(made, found, least, most)))  # fmt: skip
    return 0


def frontier_of(scenario: Scenario, sim: Any, again: bool = False, workers: int | None = None,
                search: bool = True) -> Frontier | None:  # fmt: skip
    """The frontier of a scenario's machine: what is kept, or (`search`) found now, which takes minutes and is told.

    None where there is none: no control plane, no clients with a load; or none is kept.
    """
    from ixviz.measure.frontier import possible

    if not possible(sim):
        return None
    from ixviz.measure.frontier import frontier as find
    from ixviz.measure.frontier_file import fingerprint, read, write
    from ixviz.measure.pool import pool
    from ixviz.progress import state_folder

    state, key = state_folder(), fingerprint(scenario, sim)
    folder = None if state is None else state / "frontier"
    kept = None if again else read(folder, key)
    if kept is not None or not search:
        return kept
    _say("finding what each static configuration of this machine carries: minutes, once")
    with pool(workers) as executor, line() as told:
        found = find(scenario, sim, executor, lambda done, of: told.say(f"{done} of {of} sets of cores"))
    if not write(folder, key, found):
        _say("the frontier could not be kept: next time it is found again")
    return found


def _say(text: str) -> None:
    click.echo(f"ixviz: {text}", err=True)
