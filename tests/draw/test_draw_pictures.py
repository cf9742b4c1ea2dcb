"""Golden frames of single primitives at the widths where they change their form."""

import math
from collections.abc import Callable

import pytest

from ixviz.draw import bar, chart, grid, lanes, pipeline, prose, ring, rule, table
from ixviz.draw.cells import Lines, Span, ascii_twin, fit, line, plain
from ixviz.draw.timeaxis import Window

Golden = Callable[[str, Lines, int], None]
US = 10**6
NAMES = (("poll", 0.0), ("tcp", 0.2), ("app", 0.6), ("calls", 0.95), ("timers", 1.2), ("tx", 1.4))
LETTERS = {"poll": "p", "tcp": "t", "app": "a", "calls": "c", "timers": "i", "tx": "x"}


def batches(size: int, gap: int) -> list[lanes.Batch]:
    out, start = [], 0
    for number in range(1, 40):
        packets = 1 + number * size % 7
        end = start + US + packets * US // 4
        stages = tuple(lanes.Stage(start + int(at * US), LETTERS[name], name) for name, at in NAMES)
        out.append(lanes.Batch(start, end, f"{number}: {packets}", str(packets), stages))
        start = end + (gap if number % 3 == 0 else 0)
    return out


CORES = [lanes.Lane("core 0", batches(3, 0)), lanes.Lane("core 1", batches(5, 2 * US), "core1")]
ARRIVALS = [i * i * 10_007 % (80 * US) for i in range(300)]
ARRIVALS.sort()


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("span", [3, 10, 40, 400])
def test_lanes(golden: Golden, width: int, span: int) -> None:
    drawn = lanes.lanes(
        US, (1 + span) * US, min(span, 60) * US * 3 // 4, ARRIVALS, CORES, width,
        drops=[2 * US], marked={ARRIVALS[9]: "P"}, scrub=2 * US, note="after ▲ nothing is shown till you answer",
    )  # fmt: skip
    golden(f"lanes_{span}_{width}", drawn, width)


def test_a_core_that_is_parked_is_not_idle() -> None:
    """Twice away within the lanes, the second time until now."""
    lane = lanes.Lane("core 1", [lanes.Batch(40 * US, 50 * US, "1: 4")], parked=[(0, 20 * US), (70 * US, None)])
    shown = Window(0, 100 * US, 100)
    text = "".join(span.text for span in lanes.core_row(shown, lane, 90 * US))
    assert [text[i : i + 20].strip() for i in (0, 20, 70)] == ["parked", "idle", "parked"]
    assert text[50:70].strip() == "idle" and text[40] == "▕" and text[90:].strip() == ""
    still = lanes.Lane("core 2", [], parked=[(0, None)])
    assert "".join(span.text for span in lanes.core_row(shown, still, 90 * US)).split() == ["parked"]


def test_after_now_nothing_leaves_a_trace() -> None:
    """Two futures that agree up to now give the same lanes, whatever comes later."""
    now = 5 * US
    other = [
        b._replace(end=None if b.end is None or b.end > now else b.end) for b in CORES[0].batches if b.start <= now
    ]
    early = [t for t in ARRIVALS if t <= now]
    a = lanes.lanes(0, 20 * US, now, ARRIVALS, [CORES[0]], 100)
    b = lanes.lanes(0, 20 * US, now, early, [lanes.Lane("core 0", other)], 100)
    assert a == b


def test_lanes_say_where_now_is() -> None:
    assert "▲ now is later, at 20.000 µs" in plain(lanes.lanes(0, US, 20 * US, [], [], 80))
    assert "▲ now is earlier, at 0.000 µs" in plain(lanes.lanes(US, 2 * US, 0, [], [], 80))


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_rings(golden: Golden, width: int) -> None:
    rows = [
        ring.ring("ring q0", 6, 512, width, {0: "a", 3: "P"}, moved=True),
        ring.ring("ring q1", 40, 512, width),
        ring.ring("ring q2", 40, 512, width, per_cell=2),
        ring.ring("ring q3", 512, 512, width, per_cell=16),
        ring.ring("small", 3, 8, width),
        ring.ring_short(11, 512, width, per_cell=2),
    ]
    golden(f"rings_{width}", rows, width)


@pytest.mark.parametrize("width", [30, 50, 64, 80])
def test_pipelines(golden: Golden, width: int) -> None:
    stages = [name for name, _ in NAMES]
    rows = [pipeline.pipeline("core 0", stages, at, width, "batch of 64") for at in (0, 5, None)]
    described = [(s, "the doorbell rings" if s == "tx" else "") for s in stages]
    rows += pipeline.pipeline_vertical(described, 5, {5: 4, 1: 64}, width, marks={1: "P"})
    golden(f"pipelines_{width}", rows, width)


@pytest.mark.parametrize(("width", "height"), [(18, 4), (60, 12), (100, 16)])
def test_charts(golden: Golden, width: int, height: int) -> None:
    wave = [(i / 10, 40 * abs(math.sin(i / 9))) for i in range(120)]
    ix = chart.cdf([20 + (i * 37 % 100) ** 2 / 100 for i in range(100)])
    linux = chart.cdf([40 + (i * 53 % 100) ** 2 / 80 for i in range(100)])
    limits = [chart.Limit(32, "up above 32"), chart.Limit(8, "down below 8")]
    rows = chart.chart([chart.Series("q0", wave)], width, height, x_unit="t, µs", y_unit="packets", limits=limits)
    both = [chart.Series("ix", ix, "A", step=True), chart.Series("linux", linux, "B", step=True, style="core1")]
    rows += chart.chart(both, width, height, x_unit="latency, µs", y_unit="% of requests")
    rows += chart.columns([(str(i), i * 29 % 64) for i in range(1, 20)], width, height, unit="batch")
    golden(f"charts_{width}", rows, width)
    golden(f"charts_{width}_ascii", [ascii_twin(r) for r in rows], width)


@pytest.mark.parametrize("width", [30, 60])
def test_bars(golden: Golden, width: int) -> None:
    votes = [("  a  1", 3, "3"), ("  b  4", 12, "12"), ("▸ c  6", 20, "20"), ("  d  8", 0, "0")]
    rows = bar.bar_list(votes, width, bar_width=40, selected=2)
    rows += [bar.bar(v, 64, width) for v in (0, 0.01, 1, 33, 64, 65)]
    rows += [bar.sparkline([math.sin(i / 5) + 1 for i in range(n)], width) for n in (10, 100)]
    rows += [bar.labelled_levels("batch size", [(str(i), i) for i in range(1, 9)], width)]
    golden(f"bars_{width}", rows, width)


@pytest.mark.parametrize("width", [40, 70])
def test_tables(golden: Golden, width: int) -> None:
    lines: list[list[table.Cell]] = [
        ["listen.lock        lock, 2 waiters", " I »M  I  I", 1204, "c3→c1 accept()"],
        ["sock 41", " M  I  I  I", 0, None],
        ["q0", fit((Span("M", "mark"),), 4), 3.14159, "ring"],
    ]
    heads: list[table.Column | str] = ["lines touched", table.Column("c0 c1 c2 c3", width=11), "moves", "why"]
    rows = table.table(heads, lines * 3, width, selected=6, height=6)
    rows += table.table(heads, [], width)
    golden(f"tables_{width}", rows, width)


WORDS = r"""WHY       Batch 2 took **2.00 µs**: 1 µs and 4 × 0.25 µs. In that time **6** packets
          arrived [not markup], nor [/], nor \n, nor 2 ** 3 ** 4.

  a   So a controller probes (TCP slow start). There is no controller here, and there never will be one.
Averyveryveryveryveryveryveryveryveryveryverylongword and 漢字漢字漢字漢字漢字漢字漢字漢字."""


@pytest.mark.parametrize("width", [24, 40, 80])
def test_prose(golden: Golden, width: int) -> None:
    rows = prose.prose(WORDS, width)
    rows += prose.choices([("a", "At once."), ("b", "After a short wait for more packets."), ("c", "4")], 1, width)
    golden(f"prose_{width}", rows, width)


def test_only_stars_are_markup() -> None:
    text = "a [red]b[/red] \\[c] ** d ** \x1b[31m"
    assert plain(prose.prose(text, 80)) == "a [red]b[/red] \\[c] ** d ** \\x1b[31m"
    assert Span("y z", "bold") in prose.prose("x **y z** w", 80)[0]
    assert Span("in", "emphasis") in prose.prose("what is *in* the machine", 80)[0]
    assert plain(prose.prose("2 * 3 * 4, 2*3*4, *.pcap or *.yaml", 80)) == "2 * 3 * 4, 2*3*4, *.pcap or *.yaml"
    assert plain(prose.prose("it took 0.25 µs", 13)) == "it took\n0.25 µs", "a number keeps its unit beside it"


@pytest.mark.parametrize("width", [20, 44, 80])
def test_rules(golden: Golden, width: int) -> None:
    names = ["Lesson", "Why", "Changed", "Log", "Chart"]
    rows = [rule.tabs(names, i, width, "tab: next") for i in range(5)]
    rows += [rule.tabs(names, 1, width, "tab: next", fill=" ")]
    rows += [rule.rule(width, joints={9: "┬"}), rule.rule(width, "Decisions", "1 of 9"), line("")]
    keys = [rule.Key("↵", "go on", 9), rule.Key("space", "play", 3), rule.Key("?", "help", 8), rule.Key("w", "why")]
    rows[-1] = rule.footer(keys, width)
    golden(f"rules_{width}", rows, width)


def test_tabs_do_not_move() -> None:
    names = ["Lesson", "Why", "Changed"]
    assert len({plain([rule.tabs(names, i, 60)]).find("Changed") for i in range(3)}) == 1


def test_grids(golden: Golden) -> None:
    owners = [str(i % 4) for i in range(128)]
    rows = grid.grid(owners, 60, moved={19}, styles={i: f"core{i % 4}" for i in range(128)})
    golden("grids_60", rows, 60)
