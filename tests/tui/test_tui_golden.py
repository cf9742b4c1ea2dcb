"""The picture of the bench at one event, as text. IXVIZ_GOLDEN=write writes the files anew, to be read in the diff."""

import os
from pathlib import Path

import pytest
from tui.bench_machine import bench, press, screen

from ixviz.draw.cells import ascii_twin, plain
from ixviz.tui.frame import compose

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_the_bench_at_event_31(size: tuple[int, int]) -> None:
    state = bench()
    press(state, *["right"] * 29, "w")
    assert state.branch.at == 31
    text = screen(state, *size) + "\n"
    file = FOLDER / f"bench_{size[0]}x{size[1]}.txt"
    if os.environ.get("IXVIZ_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_the_ascii_twin_has_the_same_cells() -> None:
    state = bench()
    press(state, *["right"] * 29)
    for row in compose(state, 80, 24).lines:
        twin = plain([ascii_twin(row)])
        assert twin.isascii()
        assert len(plain([row])) == len(twin)
