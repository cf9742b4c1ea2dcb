"""The sketches D, G and I of screens.md: words and tables, built from the primitives alone, at their sizes."""

from collections.abc import Callable

import pytest

from ixviz.draw import prose, ring, rule, table
from ixviz.draw.cells import Lines, Span, hjoin, line, sides, vjoin
from ixviz.draw.numbers import clock, percent

Golden = Callable[[str, Lines, int], None]
TABS = ("Lesson", "Why", "Changed", "Log", "Chart")


def frame_i(width: int = 80) -> Lines:
    depths, done = (3, 0, 11, 1, 0, 6), (74_000, 80_000, 70_000, 76_000, 79_000, 72_000)
    sizes, load = (4, 1, 2, 3, 0, 7), (0.97, 0.93, 0.98, 0.96, 0.91, 0.97)
    per_cell = ring.scale(max(depths), 12)
    rows: list[list[table.Cell]] = [
        [core, ring.ring_short(d, 512, 20, per_cell=per_cell), 0, stage, size, n, percent(busy)]
        for core, (d, stage, size, n, busy) in enumerate(
            zip(depths, ("app", "poll", "tcp", "calls", "idle", "tx"), sizes, done, load, strict=True)
        )
    ]
    cols = [
        table.Column("core", "^", 4),
        table.Column("ring q0…q5", "<", 20),
        table.Column("list", ">", 6),
        table.Column("doing", "<", 7, 3),
        table.Column("batch of", ">", 8, keep=2),
        table.Column("a second: batches", ">", 17, keep=1),
        table.Column("busy", ">", 5),
    ]
    return vjoin(
        [
            sides(line(Span("B = 1 against B = 64 6/13", "title")), "right so far: 3 of 4", width),
            sides(f"t {clock(61_208_332_000)}   paused   step: batch", "busy64: ix, 6 cores, B 64", width),
            sides("NIC  4 × 10 Gbps, 1.60 M/s in, drops 0", f"ring: {ring.scale_note(per_cell)}", width),
        ],
        table.table(cols, rows, width),
        ["latency so far    p50 33 µs   p99 128 µs   limit 500 µs", rule.tabs(TABS, 0, width, "tab: next")],
        width=width,
    )


def frame_d(width: int = 80) -> Lines:
    parts = [
        ("  0.82 µs  waited in q0: core 0 was busy with batch 2 (4 packets, 2.00 µs)", "#18"),
        ("  1.00 µs  what each turn costs, shared by 6: poll 0.20, crossings 0.30, timers 0.10, tx 0.40", ""),
        ("  0.25 µs  its own work: tcp 0.10, app 0.08, calls 0.07", ""),
        ("  1.25 µs  the same for the other 5 of its batch: all six leave together", "#41"),
        ("  3.32 µs", ""),
    ]
    rows: Lines = [*prose.prose("**Why did packet 9 leave 3.32 µs after it arrived?**", width)]
    for text, event in parts:
        wrapped = prose.prose(text, width - 4)
        rows += hjoin([wrapped, [()] * (len(wrapped) - 1) + [line(event)]], "", [width - 3, 3])
    rows += prose.prose("At B = 1 it would have left after 5.82 µs.", width)
    return [*rows, sides("Not modelled: PCIe transfers (their cost is in poll and tx).", "#n: ↵ goes there", width)]


def frame_g(width: int = 80) -> Lines:
    lessons: list[list[table.Cell]] = [
        ["01", "Run to completion", "10 min", "✓✓✓×✓✓✓✓", "7 right, 1 to review"],
        ["02", "Adaptive batching", "10 min", "✓×✓··········", "next: 4, No controller"],
        ["03", "Coherence-free execution", "12 min", "············", None],
    ]
    machines: list[list[table.Cell]] = [
        ["ix-echo", "4 cores, 10 GbE, echo of 64 B messages"],
        ["ix-memcached-usr", "6 cores, memcached, 1.6 million requests a second"],
        ["a capture …", "open a .pcap or .pcapng file of yours"],
    ]
    about = (
        "Adaptive batching: why a machine that never waits for a batch still gets the benefit of batches. "
        "10 minutes in a lecture, 26 alone. Needs nothing.\n\n✓ predicted right   × wrong, comes back   · to come"
    )
    keys = (("↑↓", "choose"), ("↵", "open"), ("r", "from the start"), ("P", "present"), ("n", "speaker notes"))
    return vjoin(
        [sides(line(Span("ixviz 0.1", "title")), "? help   q quit", width), rule.rule(width, "Lessons")],
        table.table([""] * 5, lessons, width, selected=1, header=False),
        [rule.rule(width, "Machines to play with")],
        table.table([table.Column("", width=17), ""], machines, width, header=False, signed=True),
        [rule.rule(width), *prose.prose(about, width), rule.rule(width)],
        [rule.footer([*(rule.Key(*k) for k in keys), rule.Key("/", "search")], width)],
        width=width,
    )


@pytest.mark.parametrize("frame", [frame_d, frame_g])
@pytest.mark.parametrize("width", [60, 80])
def test_sketches_d_g(golden: Golden, frame: Callable[[int], Lines], width: int) -> None:
    golden(f"{frame.__name__[-1]}_{width}", frame(width), width)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_sketch_i(golden: Golden, width: int) -> None:
    golden(f"i_{width}", frame_i(width), width)
