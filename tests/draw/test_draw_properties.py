"""What holds for any values, text and width: exact widths, pure-ASCII twins, no errors, time never goes back."""

import unicodedata

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ixviz.draw import bar, chart, grid, lanes, numbers, pipeline, prose, ring, rule, table
from ixviz.draw.cells import STYLES, Line, Lines, Span, ascii_twin, fit, hjoin, line, plain, sides, vjoin, width
from ixviz.draw.signs import SIGNS, TWINS
from ixviz.draw.timeaxis import Window
from ixviz.draw.width import clusters, literal

widths = st.integers(1, 250)
# Emoji, joiners, combining signs, wide and right-to-left characters, controls and lone surrogates are made likely.
tricky = st.sampled_from(
    list("👩🚀👍🏽🇩🇪❤\ufe0f\u200d\u0301\u0903한ᄒ\u1161字\x1b\n\t\x9b\u202e\ufeff\u00ad\udc80[]*\\ ─█µa")
)
text = st.text(st.one_of(st.characters(), tricky), max_size=40)
amounts = st.one_of(st.integers(0, 2000), st.integers(0, 10**400), st.integers(0, 10**15))
values = st.one_of(amounts, st.floats(0), st.just(float("nan")))
times = st.one_of(st.integers(0, 100), st.integers(0, 10**8), st.integers(0, 10**18))
styles = st.sampled_from(sorted(STYLES))
spans = st.builds(Span, text, styles)
contents = st.one_of(text, st.lists(spans, max_size=4).map(tuple))


def exact(lines: Lines, cells: int, rows: int | None = None) -> None:
    """Every line has the width asked for, shows no control, has known styles and an ASCII twin of the same width."""
    assert rows is None or len(lines) == rows
    for row in lines:
        assert width(row) == cells
        assert all(s.style in STYLES and literal(s.text) == s.text for s in row)
        twin = ascii_twin(row)
        assert plain([twin]).isascii()
        assert width(twin) == cells


def one(row: Line, cells: int) -> None:
    exact([row], cells)


@given(text)
def test_literal_is_safe_and_idempotent(t: str) -> None:
    shown = literal(t)
    assert literal(shown) == shown
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert width(t) == width(shown) == sum(w for _, w in clusters(t))


@given(text, text)
def test_width_adds_up_over_literal_pieces(a: str, b: str) -> None:
    assert width(line(a, b)) == width(a) + width(b)


@given(contents, widths, st.sampled_from("<>^"), styles)
def test_fit(content: str | Line, n: int, align: str, style: str) -> None:
    one(fit(content, n, style, align), n)
    one(sides(content, "right", n), n)
    one(sides("left", content, n), n)


@given(st.lists(st.lists(contents, max_size=4), min_size=1, max_size=4), text, widths, st.integers(0, 9))
def test_joins(blocks: list[list[str | Line]], gap: str, n: int, height: int) -> None:
    exact(vjoin(*blocks, width=n, height=height), n, height)
    rows = hjoin(blocks, gap, [n] * len(blocks))
    exact(rows, n * len(blocks) + width(gap) * (len(blocks) - 1), max(map(len, blocks)))


@given(text, amounts, amounts, widths, amounts, st.dictionaries(st.integers(0, 40), text, max_size=3), st.booleans())
def test_rings(name: str, depth: int, cap: int, n: int, per: int, marks: dict[int, str], moved: bool) -> None:
    one(ring.ring(name, depth, cap, n, marks, per_cell=per, moved=moved), n)
    one(ring.ring_short(depth, cap, n, per_cell=per, marks=marks), n)
    one(ring.gauge(depth, cap, n, per, marks), n)
    assert -(-depth // ring.scale(depth, n)) <= n
    ring.scale_note(per)


@given(st.integers(1, 2000), st.integers(1, 2000), widths)
def test_a_gauge_is_neither_empty_nor_full_by_mistake(depth: int, cap: int, cells: int) -> None:
    assume(depth <= cap)
    shown = plain([ring.gauge(depth, cap, cells, ring.scale(depth, cells))])
    assert "█" in shown
    assert "+" not in shown


@given(text, st.lists(text, max_size=9), st.none() | st.integers(-1, 9), widths, contents)
def test_pipeline(name: str, stages: list[str], at: int | None, n: int, note: str | Line) -> None:
    one(pipeline.pipeline(name, stages, at, n, note), n)


@given(st.lists(st.tuples(text, text), max_size=9), st.none() | st.integers(0, 9), amounts, widths, text)
def test_pipeline_vertical(stages: list[tuple[str, str]], at: int | None, packets: int, n: int, mark: str) -> None:
    rows = pipeline.pipeline_vertical(stages, at, {at or 0: packets}, n, marks={0: mark})
    exact(rows, n, len(stages))
    one(pipeline.core_head("core 0", "", mark, n), n)


@st.composite
def lane(draw: st.DrawFn) -> lanes.Lane:
    edges = sorted(draw(st.lists(times, max_size=16)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    staged, open_end, label = draw(st.tuples(st.booleans(), st.booleans(), text))
    out = []
    for a, b in pairs:
        stages = tuple(lanes.Stage(t, "s", label) for t in (a, (a + b) // 2)) if staged else ()
        out.append(lanes.Batch(a, b, label, label[:2], stages))
    if out and open_end:
        out[-1] = out[-1]._replace(end=None)
    return lanes.Lane(draw(text), out)


@settings(max_examples=300)
@given(times, times, st.none() | times, st.lists(times, max_size=30).map(sorted), st.lists(lane(), max_size=3), widths,
       text, st.booleans(), st.none() | times, st.dictionaries(times, text, max_size=2))  # fmt: skip
def test_lanes(a: int, b: int, now: int | None, arrivals: list[int], cores: list[lanes.Lane], n: int, note: str,
               after: bool, scrub: int | None, marked: dict[int, str]) -> None:  # fmt: skip
    rows = lanes.lanes(
        a, b, now, arrivals, cores, n, note=note, show_after=after, scrub=scrub, marked=marked, drops=arrivals[::3]
    )
    exact(rows, n, 3 + len(cores))


@given(times, times, times, st.lists(times, max_size=30).map(sorted), lane(), widths)
def test_nothing_after_now_leaves_a_trace(
    a: int, length: int, now: int, arrivals: list[int], core: lanes.Lane, n: int
) -> None:
    """What is drawn is what would be drawn if nothing had happened after now."""
    past = [b._replace(end=None if b.end is None or b.end > now else b.end) for b in core.batches if b.start <= now]
    past = [b._replace(stages=tuple(s for s in b.stages if s.start <= now)) for b in past]
    early = [t for t in arrivals if t <= now]
    drawn = lanes.lanes(a, a + length, now, arrivals, [core], n)
    assert drawn == lanes.lanes(a, a + length, now, early, [lanes.Lane(core.name, past)], n)


@given(times, times, widths, times, times)
def test_columns_are_monotonic_in_time(start: int, length: int, n: int, t: int, u: int) -> None:
    window = Window(start, start + length + 1, n)
    t, u = min(t, u), max(t, u)
    assert 0 <= window.column(t) <= window.column(u) < n
    assert window.edge(t) <= window.edge(u) <= n
    for column in (0, n // 2, n - 1):
        first = window.first(column)
        if first < window.end:
            assert window.column(max(first, start)) >= column
            assert column == 0 or window.column(first - 1) < column
        assert 2 * n > length or window.column(window.moment(column)) == column


@given(st.lists(times, max_size=50).map(sorted), times, widths)
def test_every_arrival_is_counted_once(arrivals: list[int], length: int, n: int) -> None:
    shown = plain([lanes.arrivals_row(Window(0, length + 1, n), arrivals, length + 1)])
    assume("+" not in shown)
    counted = sum(1 if c == "▾" else int(c) for c in shown if c != " ")
    assert counted == sum(t <= length for t in arrivals)


@given(st.lists(values, max_size=40), values, widths, text)
def test_bars(vs: list[float], top: float, n: int, label: str) -> None:
    one(bar.sparkline(vs, n), n)
    one(bar.sparkline(vs, n, high=top), n)
    one(bar.bar(vs[0] if vs else 0, top, n), n)
    one(bar.labelled_levels(label, [(label, v) for v in vs], n), n)
    exact(bar.bar_list([(label, v, label) for v in vs], n, selected=1), n, len(vs))


@settings(max_examples=200)
@given(st.lists(st.lists(st.tuples(values, values), max_size=20), max_size=3), widths, st.integers(1, 20), text,
       st.booleans(), values)  # fmt: skip
def test_charts(series: list[list[tuple[float, float]]], n: int, height: int, t: str, step: bool, limit: float) -> None:
    named = [chart.Series(t, sorted(points), t, step) for points in series]
    rows = chart.chart(named, n, height, x_unit=t, y_unit=t, limits=[chart.Limit(limit, t)])
    exact(rows, n, height)
    chart.cdf([y for points in series for _, y in points])
    exact(chart.columns([(t, y) for points in series for _, y in points], n, height), n, height)


cells = st.one_of(contents, values, st.none())


some = st.none() | st.integers(0, 9)


@given(st.lists(text, max_size=5), st.lists(st.lists(cells, max_size=6), max_size=9), widths, some, some)
def test_tables(
    heads: list[str], rows: list[list[table.Cell]], n: int, selected: int | None, height: int | None
) -> None:
    drawn = table.table(heads, rows, n, selected=selected, height=height)
    exact(drawn, n)
    assert height is None or len(drawn) <= height
    if selected is not None and selected < len(rows) and (height is None or height >= 3) and n > 2:
        assert any(plain([row]).startswith("▸") for row in drawn)


@given(text, widths, st.none() | st.integers(0, 99))
def test_prose(t: str, n: int, hang: int | None) -> None:
    exact(prose.prose(t, n, hang=hang), n)
    exact(prose.choices([(t[:2], t)], 0, n), n)


@given(st.text("ab **[]/\\", max_size=60), st.integers(8, 60))
def test_prose_loses_no_letter(t: str, n: int) -> None:
    drawn = plain(prose.prose(t, n)).replace("\n", "").replace(" ", "")
    assert [c for c in drawn if c in "ab[]/\\"] == [c for c in t if c in "ab[]/\\"]


@given(st.lists(text, min_size=1, max_size=6), widths, st.integers(0, 5), text, st.sampled_from("─ "))
def test_rules(names: list[str], n: int, active: int, t: str, fill: str) -> None:
    one(rule.tabs(names, active, n, t, fill), n)
    one(rule.rule(n, t, t, {3: "┬", n: "┴"}), n)
    one(rule.footer([rule.Key(x, t, i % 3) for i, x in enumerate(names)], n), n)
    one(rule.label_row(t, t, n), n)


@given(st.lists(contents, max_size=40), st.integers(0, 20), widths, st.sets(st.integers(0, 40)))
def test_grids(entries: list[str | Line], per_row: int, n: int, moved: set[int]) -> None:
    exact(grid.grid(entries, n, per_row=per_row, moved=moved), n)


@given(values, text, st.integers(0, 3))
def test_numbers_never_fail(v: float, unit: str, decimals: int) -> None:
    assert numbers.si(v, unit, decimals)
    assert numbers.percent(v, decimals)
    assert numbers.count(v, decimals)


@given(st.one_of(times, st.integers(0, 10**40)))
def test_clock_is_exact(ps: int) -> None:
    shown = numbers.clock(ps)
    figures, unit = shown.replace(",", "").split(" ") if "^" not in shown else ("", "")
    if figures:
        whole, rest = figures.split(".")
        per = numbers.PS_PER[unit]
        assert int(whole) * per + int(rest.ljust(len(str(per)) - 1, "0")) == ps
    assert numbers.duration(ps).split(" ")[-1] in ("ps", "ns", "µs", "ms", "s") or ps > 10**30


def test_signs() -> None:
    signs = [s.sign for s in SIGNS]
    assert len(signs) == len(set(signs)), "a sign has one meaning"
    for sign in signs:
        assert width(sign) == 1
        assert unicodedata.category(sign) != "Cn"
        assert sign not in "▶◀▪▫◼◻◾◽⬛⬜✔✖☑↔↕↩↪Ⓜ", "no sign with an emoji form"
    assert all(len(t) == 1 and t.isascii() and t.isprintable() for t in TWINS.values())
