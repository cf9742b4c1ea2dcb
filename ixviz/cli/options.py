"""The options that several commands have: `--set`, `--seed`, `--until`.

Invariant: what is wrong with a value is told under the option that gave it.
"""

from __future__ import annotations

import click

from ixviz.scenario.load import Option

SETS = click.option("--set", "sets", multiple=True, metavar="KEY=VALUE", help="Change a value: system.batch_bound=1.")
SEED = click.option("--seed", type=str, help="The seed of all random streams.")
UNTIL = click.option("--until", type=str, help="Where to stop, such as 50ms.")


def changes(sets: tuple[str, ...], seed: str | None, until: str | None) -> list[str]:
    """The changes that `--set` gives, then those of `--seed` and `--until`, which have the last word."""
    own = (("run.seed", seed, "--seed"), ("run.until", until, "--until"))
    return [*sets, *(Option(f"{key}={value}", name) for key, value, name in own if value is not None)]
