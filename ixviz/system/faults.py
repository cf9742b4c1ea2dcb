"""A fault: a rule of a system's model that is broken on purpose, for a learner to find.
Invariant: a fault changes what its holders do and nothing else; no name, picture or message of a run tells of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One that a system declares in its faults.py, put in by its `id` (`Scenario.fault`).

    `rule` is what holds without it and `doc` what happens in its place, a sentence each. `holders(simulation)` are the
    names of the components that have it, as the inspector prints them.
    """

    id: str
    rule: str
    doc: str
    holders: Callable[[Any], tuple[str, ...]]
