"""What the tests of lessons share.

Invariant: `kept` holds machines that have run, by lesson, for all tests of one process: nothing is simulated twice.
"""

from __future__ import annotations

import pytest

from ixviz.lesson import Lesson, Runs


@pytest.fixture(scope="session")
def kept() -> dict[str, Runs]:
    return {}


@pytest.fixture
def runs(lesson: Lesson, kept: dict[str, Runs]) -> Runs:
    """The machines of the module's `lesson`."""
    return kept.setdefault(lesson.id, Runs(lesson))
