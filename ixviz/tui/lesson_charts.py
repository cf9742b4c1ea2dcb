"""What a beat's `look` and `show` ask for besides the machine: charts of one run so far, or of whole runs compared.

Invariant: figures of a whole run are drawn only when the session lets that run be read to its end.
"""

from __future__ import annotations

from typing import Any

from ixviz.draw import bar, chart, prose, table
from ixviz.draw.cells import Lines, Span, fit
from ixviz.draw.numbers import si
from ixviz.lesson.expr import Kind, format_value
from ixviz.lesson.figures import CHARTS, figure

from .state import State

_LETTERS = "XYZUVW"  # of the curves: A and B would be read as names of systems or of a bound


def shown(state: State, width: int, height: int) -> Lines:
    """The chart of the present look; nothing when it asks for the machine."""
    session = state.session
    look = session.look
    if look is None or look.view not in ("chart", "published"):
        return []
    of = str(look.of or "")
    if look.view == "published":
        return _published(session, of, tuple(look.runs), width, height)
    runs = tuple(look.runs) or (session.position.run,)
    whole = session.position.event is None
    if not whole:
        branch = state.branch
        name = CHARTS.get(of)
        return branch.picture.chart(branch.moment, name, width, height, _ps(look.line)) if name else []
    if not all(session.runs.is_ready(run) for run in runs):
        return [fit((Span("simulating …", "dim"),), width)]
    if of == "latency":
        return _latency(session, runs, width, height, _ps(look.line))
    if of == "batches.size":
        return _sizes(state, runs[0], width, height)
    return _bars(state, runs, of, width)


def _picture(state: State, run: str) -> Any:
    """What says how a run's system calls things."""
    return state.picture_of(state.session.runs.built(run))


def _ps(value: Any) -> int | None:
    data = getattr(value, "data", value)
    return int(data) if data is not None else None


def _latency(session: Any, runs: tuple[str, ...], width: int, height: int, limit: int | None) -> Lines:
    """The distributions of whole runs, up to the largest p99."""
    import numpy as np

    from ixviz.measure.metrics import samples

    series = []
    for i, run in enumerate(runs):
        sim = session.runs.whole(run)
        if sim.facts.get("requests") is not None:
            table = sim.feed.requests
            sent, done = table.array("sent"), table.array("done")
            values = (done - sent)[(done >= sim.warmup) & (done <= sim.now)]
        else:
            values = samples(sim).latency
        if len(values):
            shares = np.linspace(0, 100, 101)
            points = [(float(v) / 1e6, float(s)) for s, v in zip(shares, np.percentile(values, shares), strict=True)]
            series.append(chart.Series(f"{run}", points, _LETTERS[i % len(_LETTERS)], style=f"core{i}"))
    if not series:
        return []
    end = max(s.points[99][0] for s in series) * 1.05
    title = "% of requests done within …" + (f"  (limit {limit / 1e6:,.0f} µs)" if limit else "")
    if len(series) == 2 and all(
        abs(a - b) <= 0.01 * end for (a, _), (b, _) in zip(series[0].points[:100], series[1].points[:100], strict=True)
    ):
        title += "  one lies on the other"
    return chart.chart(series, width, height, x_unit="µs", y_unit=title, y_range=(0.0, 100.0), x_range=(0.0, end))


def _sizes(state: State, run: str, width: int, height: int) -> Lines:
    """How many of all batches had each size."""
    import numpy as np

    session, picture = state.session, _picture(state, run)
    counts = np.bincount(session.runs.whole(run).batch_table()["size"])
    most = max((width - 10) // 7, 4)
    per = -(-(len(counts) - 1) // most) or 1  # sizes a column
    values = []
    for low in range(1, len(counts), per):
        high = min(low + per - 1, len(counts) - 1)
        name = str(low) if low == high else f"{low}–{high}"
        values.append((name, float(counts[low : high + 1].sum())))
    title = f"how many {picture.groups} had each size"
    return [fit((Span(title, "dim"),), width), *chart.columns(values, width, height - 1, unit=picture.nouns)]


def _bars(state: State, runs: tuple[str, ...], of: str, width: int) -> Lines:
    """One figure of several runs as bars; nothing of a run that has not measured it. What limits a turn (`B 64`) stands
    behind a name unless it is the same in all."""
    rows = []
    bounds = {run: _picture(state, run).bound for run in runs}
    same = len(runs) > 1 and len(set(bounds.values())) == 1
    for run in runs:
        value = figure(state.session.runs.metrics(run), of)
        if value is None or value.kind is Kind.NONE:
            continue
        text = si(value.data, "/s", 2) if value.kind is Kind.RATE else format_value(value)
        name = f"  {run}: {bounds[run]}" if bounds[run] and not same else f"  {run}"
        rows.append((name, float(value.data), text))
    title = fit((Span(of.replace(".", " "), "dim"),), width)
    return [title, *bar.bar_list(rows, width)] if rows else []


def _published(session: Any, of: str, runs: tuple[str, ...], width: int, height: int) -> Lines:
    """Published values beside those of our runs."""
    from ixviz.measure.published import compared

    if not all(session.runs.is_ready(run) for run in runs):
        return [fit((Span("simulating …", "dim"),), width)]
    got = compared(of, [session.runs.metrics(run) for run in runs])
    if got is None:
        return []
    lines = table.beside(got.title, got.rows, width)
    return [*lines, fit("", width), *prose.prose(got.note, width, style="dim")][:height]
