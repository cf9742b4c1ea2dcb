"""The contract of the walls sees what it is there to see."""

from __future__ import annotations

import pytest

grimp = pytest.importorskip("grimp")
from walls import violations  # noqa: E402

ROOMS = {"history": set(), "machine": {"history"}, "draw": {"history"}, "system": {"machine"}, "tui": {"draw"}}
PACKAGES = {"textual": {"tui"}}


def _found(importer: str, imported: str) -> list[tuple[str, str, str]]:
    graph = grimp.ImportGraph()
    both = (importer, imported)
    names = {".".join(m.split(".")[:n]) for m in both for n in range(1, m.count(".") + 2)}
    names |= {"ixviz.system.ix.costs", "ixviz.system.linux.costs", "ixviz.system.ix", "ixviz.system.linux"}
    for name in sorted(names):
        graph.add_module(name, is_squashed=False)
    graph.add_import(importer=importer, imported=imported, line_number=3, line_contents="import")
    return violations(graph, "ixviz", ROOMS, PACKAGES, {"draw"})


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("ixviz.machine.nic", "ixviz.history.journal"),
        ("ixviz.system.ix.picture", "ixviz.draw.ring"),
        ("ixviz.system.ix.poll", "ixviz.system.ix.costs"),
        ("ixviz.system.ix.poll", "ixviz.system.common"),
        ("ixviz.tui.app", "textual"),
        ("ixviz.tui", "ixviz"),
    ],
)
def test_allowed(importer: str, imported: str) -> None:
    assert _found(importer, imported) == []


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("ixviz.history.journal", "ixviz.machine.nic"),
        ("ixviz.machine", "ixviz.system.ix"),
        ("ixviz.draw.ring", "ixviz.machine.nic"),
        ("ixviz.draw.ring", "textual"),
        ("ixviz.system.ix.poll", "ixviz.draw.ring"),
        ("ixviz.system.ix.poll", "ixviz.system.linux.costs"),
        ("ixviz.system.ix.poll", "ixviz.system.linux"),
        ("ixviz.tui.app", "ixviz.system.ix"),
        ("ixviz", "ixviz.history"),
    ],
)
def test_refused(importer: str, imported: str) -> None:
    assert [(f[0], f[1]) for f in _found(importer, imported)] == [(importer, imported)]


def test_an_unlisted_room_is_refused() -> None:
    found = _found("ixviz.attic", "ixviz.history")
    assert [f[0] for f in found] == ["ixviz.attic"]
