"""The sketches A, B and H of screens.md, built from the primitives alone, at their sizes."""

import time
from collections.abc import Callable

import pytest

from ixviz.draw import bar, lanes, pipeline, prose, ring, rule, table
from ixviz.draw.cells import Line, Lines, Span, ascii_twin, hjoin, line, plain, sides, vjoin
from ixviz.draw.numbers import clock

Golden = Callable[[str, Lines, int], None]
US = 10**6
STAGES = ("poll", "tcp", "app", "calls", "timers", "tx")
TABS = ("Lesson", "Why", "Changed", "Log", "Chart")
ARRIVALS = [int(t * US) for t in (2.0, 2.1, 2.4, 2.8, 3.1, 3.4, 3.8, 4.1, 4.4, 4.8, 5.1, 5.5, 5.8, 6.1)]
BATCHES = [
    lanes.Batch(2 * US, 3_250_000, "1: 1", "1"),
    lanes.Batch(3_250_000, 5_250_000, "2: 4", "4"),
    lanes.Batch(5_250_000, 7_750_000, "3: 6", "6"),
]
KEYS = (
    rule.Key("a-e", "choose", 5),
    rule.Key("↵", "answer", 6),
    rule.Key("h", "hint", 4),
    rule.Key("s", "skip", 3),
    rule.Key("←", "look back", 1),
    rule.Key("?", "help", 9),
    rule.Key("q", "lesson list", 8),
)


def machine(width: int, now: int, batch: str) -> Lines:
    return [
        sides(rule.label_row("wire", "3.0 of 8.8 M/s, drops 0", 50), ring.scale_note(1), width),
        ring.ring("ring q0", 0, 512, width),
        ring.ring("list", 0, 32_768, width),
        pipeline.pipeline("core 0", STAGES, 0, width, batch),
        *lanes.lanes(
            2 * US,
            2 * US + (width - 11) * US // 10,
            now,
            ARRIVALS,
            [lanes.Lane("core 0", BATCHES)],
            width,
            note="after ▲ nothing is shown till you answer" if now < 5 * US else "",
        ),
    ]


def frame_a(width: int = 80, height: int = 24) -> Lines:
    status = f"t {clock(3_250_000)}   event 14   paused   step: batch"
    head = [
        sides(line(Span("Adaptive batching 3/13 · What came meanwhile", "title")), "right so far: 1 of 1", width),
        sides(status, "bench: ix, 1 core, B 64", width),
    ]
    text = (
        "Batch 1 is done. 4 packets had come meanwhile and are now batch 2.\n"
        "A batch costs 1 µs, and each packet in it 0.25 µs more. From now on\n3 packets arrive every microsecond.\n\n"
        "**PREDICT**   How many packets will batch 3 have?"
    )
    panel = [
        rule.tabs(TABS, 0, width, "tab: next"),
        *prose.prose(text, width),
        *prose.choices([("a", "1"), ("b", "4"), ("c", "6"), ("d", "8"), ("e", "64")], 1, width),
    ]
    foot = [rule.rule(width), rule.footer(KEYS, width)]
    return vjoin(
        *[vjoin(head, machine(width, 3_250_000, "batch of 4"), panel, width=width, height=height - 2), foot],
        width=width,
    )


def frame_h(width: int = 120, height: int = 36) -> Lines:
    left, right = width * 63 // 120, width - width * 63 // 120 - 1
    head = [
        sides(
            line(Span("Adaptive batching 3/13 · What came meanwhile", "title")),
            "bench: ix, 1 core, B 64      right so far: 1 of 2",
            width,
        ),
        sides("t 5.250 µs   event 27   paused   step: batch   speed: 1 µs each second", "", width),
        rule.rule(width, joints={left: "┬"}),
    ]
    stages = [
        ("poll", ""),
        ("tcp", ""),
        ("cross", "to the application (ring 0 → 3)"),
        ("app", ""),
        ("cross", "back (ring 3 → 0)"),
        ("calls", ""),
        ("timers", ""),
        ("tx", "doorbell: all six leave here"),
    ]
    a = [
        rule.label_row("NIC", "10 Gbps, 3.0 of 8.8 M/s, drops 0", left, 6),
        ring.ring("ring q0", 0, 512, left),
        ring.ring("list", 0, 32_768, left),
        sides("", ring.scale_note(1), left),
        (),
        pipeline.core_head("core 0", "2.4 GHz", "batch 3 of 6", left),
        *pipeline.pipeline_vertical(stages, 0, {0: 6}, left),
        (),
        line("batches   1: 1   2: 4   3: 6"),
        (),
        line("not modelled here: PCIe transfers, caches"),
        line("costs are illustrative (round numbers)"),
    ]
    said = (
        "YOU SAID  d  8          IT WAS  c  6\n"
        "d   So a controller probes (TCP slow start). There is no controller here.\n\n"
        "**WHY** Batch 2 took 2.00 µs: 1 µs and 4 × 0.25 µs. In that time 6 packets arrived, and they are batch 3. "
        "The next batch is what came during this one.\n\n    w  shows the poll that took them (event 27)\n\n"
        "This question comes back at the end."
    )
    changed: list[list[table.Cell]] = [
        ["core0.stage", "tx", "→", "poll"],
        ["core0.batch", 2, "→", 3],
        ["nic.q0", 6, "→", 0],
        ["core0.taken", 4, "→", 6],
    ]
    cols = [
        table.Column("", gap=0),
        table.Column("", ">", 6, 1),
        table.Column("", "", 1, 1),
        table.Column("", "<", gap=1),
    ]
    b = [
        rule.tabs(TABS, 0, right - 1, "tab: next", fill=" "),
        (),
        *prose.prose(said, right - 1, hang=4),
        (),
        rule.rule(right - 1, "Changed by event 27, core 0 polls"),
        *table.table(cols, changed, right - 1, header=False, signed=True),
    ]
    rows = height - 12
    both = hjoin([a[:rows] + [()] * (rows - len(a)), b], [line(Span("│", "dim"), " ")], [left, right - 1])[:rows]
    foot = [
        rule.rule(width, joints={left: "┴"}),
        *lanes.lanes(
            2 * US, 2 * US + (width - 11) * US // 10, 5_250_000, ARRIVALS, [lanes.Lane("core 0", BATCHES)], width
        ),
        (),
        bar.labelled_levels("batch size", [("1", 1), ("4", 4), ("6", 6)], width, high=8),
        rule.rule(width),
        rule.footer(
            [
                rule.Key(*k)
                for k in (
                    ("↵", "go on", 9),
                    ("← →", "step", 8),
                    ("space", "play", 7),
                    ("- +", "step size", 3),
                    ("b", "break", 1),
                    ("g", "go to", 2),
                    ("/", "find", 2),
                    ("w", "why", 5),
                    ("x", "what if", 1),
                    ("?", "help", 9),
                    ("q", "lessons", 8),
                )
            ],
            width,
        ),
    ]
    return vjoin(head, both, foot, width=width)


def frame_b(width: int = 80) -> Lines:
    said = (
        "**YOU SAID**  d  8          **IT WAS**  c  6\n"
        "          So a controller probes (TCP slow start). There is no controller here.\n\n"
        "WHY       Batch 2 took 2.00 µs: 1 µs and 4 × 0.25 µs. In that time 6 packets arrived, and they are batch 3. "
        "The next batch is what came during this one.\n\n          w  shows the poll that took them (event 27)\n\n"
        "This question comes back at the end."
    )
    return vjoin(machine(width, 5_250_000, "batch of 6"), prose.prose(said, width), width=width)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36), (200, 60)])
def test_sketch_a(golden: Golden, width: int, height: int) -> None:
    frame = frame_a(width, height)
    assert len(frame) == height
    golden(f"a_{width}", frame, width)


@pytest.mark.parametrize(("width", "height"), [(120, 36), (200, 60)])
def test_sketch_h(golden: Golden, width: int, height: int) -> None:
    frame = frame_h(width, height)
    assert len(frame) == height
    golden(f"h_{width}", frame, width)


@pytest.mark.parametrize("width", [60, 80])
def test_sketch_b(golden: Golden, width: int) -> None:
    golden(f"b_{width}", frame_b(width), width)


def test_ascii(golden: Golden) -> None:
    golden("a_80_ascii", [ascii_twin(row) for row in frame_a()], 80)


def test_all_styles_are_known() -> None:
    from ixviz.draw.cells import STYLES

    frames: list[Line] = [*frame_a(), *frame_b(), *frame_h()]
    assert {s.style for row in frames for s in row} <= STYLES


def test_a_full_screen_is_fast() -> None:
    best = min(_timed() for _ in range(20))
    assert best < 0.02, f"{1000 * best:.1f} ms; about 1 ms expected, the bound leaves room for a busy machine"


def _timed() -> float:
    begin = time.perf_counter()
    frame_h(200, 60)
    return time.perf_counter() - begin


if __name__ == "__main__":
    for frame in (frame_a(), frame_b(), frame_h(), [ascii_twin(r) for r in frame_a()]):
        print(plain(frame), end="\n\n")
    print(f"{1000 * min(_timed() for _ in range(50)):.2f} ms for H at 200×60")
