"""Systems side by side at their sizes: golden frames, and that no size breaks a line."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.draw import compare
from ixviz.draw.cells import Lines, Span, plain, width
from ixviz.draw.signs import DIFFERS

Golden = Callable[[str, Lines, int], None]
IX = compare.Side(
    "ix, 4 cores, B 64", "", "packet 212: was taken, 0.8 µs so far", True,
    [compare.Core("core 0", "app, batch of 6", here=True), compare.Core("core 1", "tcp, batch of 2"),
     compare.Core("core 2", "idle", idle=True), compare.Core("core 3", "idle", idle=True)],
    [("cycles", "8,010", False), ("transfers", "0", True), ("crossings", "0.2", False), ("interrupts", "0", True),
     ("copies", "0", True), ("p99", "33.0 µs", False), ("done", "208", False), ("drops", "0", False)],
    [(Span("  41.10 µs  ", "dim"), Span("packet 212 arrives in q0")),
     (Span("▸ 41.21 µs  ", "here"), Span("core 0 runs the application on 6 packets", "here"))],
)  # fmt: skip
LINUX = compare.Side(
    "linux, 16 cores, NAPI budget 64", "", "packet 212: waits in q2, 0.8 µs so far", True,
    [compare.Core(f"core {i}", "idle: worker in epoll_wait", idle=True) if i not in (0, 2, 9) else
     compare.Core(f"core {i}", "spins on listen.lock (2 waiters)" if i == 9 else "softirq: NAPI, 3 of 64", i == 2,
                  differs=i == 9) for i in range(16)],
    [("cycles", "36,400", False), ("transfers", "11.3", True), ("crossings", "4.1", False), ("interrupts", "0.7", True),
     ("copies", "2.0", True), ("p99", "88.0 µs", False), ("done", "190", False), ("drops", "0", False)],
    [(Span(f"  {40 + i / 10:.2f} µs  ", "dim"), Span(f"packet {200 + i} arrives in q{i}")) for i in range(12)],
)  # fmt: skip


@pytest.mark.parametrize(("cells", "height"), [(160, 36), (120, 30), (80, 18), (60, 14)])
def test_two_systems(golden: Golden, cells: int, height: int) -> None:
    golden(f"compare_2_{cells}", compare.compare([IX, LINUX], cells, height), cells)


@pytest.mark.parametrize(("cells", "height"), [(160, 30), (120, 30), (80, 18)])
def test_three_systems(golden: Golden, cells: int, height: int) -> None:
    golden(f"compare_3_{cells}", compare.compare([IX, LINUX, IX], cells, height), cells)


@given(st.integers(40, 200), st.integers(4, 60), st.integers(2, 3))
def test_every_size_has_exactly_its_lines(cells: int, height: int, systems: int) -> None:
    lines = compare.compare([IX, LINUX, IX][:systems], cells, height)
    assert len(lines) == height
    assert {width(row) for row in lines} == {cells}


@pytest.mark.parametrize("room", range(1, 17))
def test_the_core_of_the_event_and_those_that_differ_are_always_shown(room: int) -> None:
    rows = compare.core_rows(LINUX.cores, 60, room)
    text = plain(rows)
    assert len(rows) <= room and "core 2 " in text
    if room >= 3:
        [row] = [row for row in text.splitlines() if row.startswith("core 9 ")]
        assert "spins on listen.lock (2 waiters)" in row and row[59] == DIFFERS
    if 1 < room < 16:
        assert f"… {16 - room + 1} more: " in text
    assert plain(compare.core_rows(LINUX.cores, 60, 16)).count("core") == 16


def test_what_is_too_long_below_is_shown_around_its_focus() -> None:
    lines = [f"line {i}" for i in range(30)]
    side = IX._replace(below=lines)
    shown = plain(compare.side(side._replace(focus=10), 60, 24)[0])
    assert "line 10" in shown and "line 6" in shown and "line 0\n" not in shown
    assert "line 29" in plain(compare.side(side, 60, 24)[0])
    assert "line 0\n" in plain(compare.side(side._replace(focus=0), 60, 24)[0])
