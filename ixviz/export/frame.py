"""The machine where a beat stops, as lines of text: its parts and lanes, a chart, or figures of whole runs.

Invariant: nothing is drawn that the session does not let be read; lines are at most `WIDTH` cells wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ixviz.compare.totals import Total
from ixviz.draw.cells import Content, Line, Lines, Span, ascii_twin, fit, plain, sides
from ixviz.draw.numbers import clock, count, duration, si
from ixviz.draw.prose import prose
from ixviz.draw.signs import DIFFERS
from ixviz.draw.table import Column, beside, table
from ixviz.lesson.beside import table as beside_table
from ixviz.lesson.beside import totals
from ixviz.lesson.expr import format_value
from ixviz.lesson.figures import CHARTS
from ixviz.lesson.session import Phase, Session
from ixviz.measure.published import compared
from ixviz.scenario.simulate import picture_of

WIDTH = 80
_MACHINE = 14  # lines; with more cores than fit in it each has one
_LANES = 4  # cores
_CHART = 12
_ONE_LINE = 200  # cells, enough for a remark
_WIDER = 6  # zooms tried until lanes that are compared show the stop
_LATER = "nothing after ▲ is shown"


class Frames:
    """Draws the beats of one lesson; the picture of each machine is made once, and `drawn` has them by run."""

    def __init__(self) -> None:
        self.drawn: dict[str, Any] = {}
        self.signs: set[str] = set()  # all that were used, before they became ASCII

    def text(self, session: Session) -> tuple[str, ...]:
        """`frame` as lines of ASCII."""
        lines = self.frame(session)
        self.signs.update(plain(lines))
        return tuple(plain([ascii_twin(each) for each in lines]).split("\n"))

    def remarks(self) -> dict[str, list[str]]:
        """What the model leaves out and where its costs are from, and the runs that were drawn of which it is true."""
        found: dict[str, list[str]] = {}
        for run, picture in self.drawn.items():
            for line in picture.remarks(_ONE_LINE):
                found.setdefault(plain([line]), []).append(run)
        return found

    def frame(self, session: Session) -> Lines:
        """What is to be seen where the session's beat stands now."""
        look = session.look
        whole = session.position.event is None
        if look.view == "published":
            return _published(session)
        if look.view == "totals":
            return totals_table(session, totals(session), WIDTH)
        if look.compare:
            return self._compared(session)
        if look.view == "chart" and whole:
            return _figures(session, look.runs or (session.position.run,))
        return self._machine(session)

    # ------------------------------------------------------------------------------------------- one machine
    def _moment(self, session: Session, run: str, time: int | None = None) -> tuple[Any, Any]:
        """The picture of a run, and the moment at which it stands; at its end all of it is recorded."""
        place = session.position_of(run)
        sim = session.simulation(run) if place.event is not None else session.runs.recorded_to_end(run)
        last = len(sim.history) - 1 if place.event is None else place.event
        event = last if time is None else min(max(sim.history.event_at(time), 0), last)
        cursor = sim.history.cursor(event)
        if run not in self.drawn or self.drawn[run].sim is not sim:
            self.drawn[run] = picture_of(sim)
        shown = self.drawn[run]
        # Between two events time goes on, unless that would tell that nothing happened after the last one.
        now = time if time is not None and event < last else None
        return shown, shown.moment(cursor, now)

    def _machine(self, session: Session) -> Lines:
        look, run = session.look, session.position.run
        picture, moment = self._moment(session, run)
        out = [_head(run, picture, moment)]
        if look.view == "chart" and look.of in CHARTS:
            limit = int(look.line.data) if look.line is not None else None
            return [*out, *picture.chart(moment, CHARTS[look.of], WIDTH, _CHART, limit)]
        core = picture.core_here(moment)
        parts = picture.machine(moment, WIDTH, _MACHINE, core=core, marked=frozenset(look.mark))
        if not moment.now and picture.cores > 1 and not set(look.mark) & set(picture.views.values()):
            return [*out, parts[0].line, fit("all cores are idle", WIDTH)]  # a row for each would say no more
        out += [part.line for part in parts]
        if moment.now:
            rows = min(picture.cores, _LANES)
            out += picture.lanes(moment, WIDTH, rows, note=_note(session), core=core).lines
        return out

    def _compared(self, session: Session) -> Lines:
        """The lanes of the runs side by side at the present time; they show at least what came since the stop."""
        _, main = self._moment(session, session.position.run)
        stop = session.stops.stop(session.beat).event
        since = main.now if stop is None else main.sim.history.event(stop).time
        asking = session.phase is Phase.ASKING
        out: Lines = []
        runs = session.look.compare
        shown = [self._moment(session, run, main.now) for run in runs]
        drawn = since_stop(shown, WIDTH, since, note=_note(session), asking=asking)
        for run, (picture, moment), lanes in zip(runs, shown, drawn, strict=True):
            out += [_head(run, picture, moment), *lanes.lines]
        return out


def since_stop(shown: Sequence[tuple[Any, Any]], width: int, since: int, *, note: str, asking: bool,
               zoom: int = 0) -> list[Any]:  # fmt: skip
    """The lanes of runs that are compared, `shown` by picture and moment, with one scale of time: as much of it as
    shows at least what came since `since` (ps).

    While a question is open they begin where the first of them always does, if that is early enough.
    """
    cell = max(picture.cell for picture, _ in shown)
    origin = min(picture.origin(moment) for picture, moment in shown)
    for wider in range(_WIDER):
        first = origin if asking and not wider else since
        lanes = [picture.lanes(moment, width, 1, zoom=zoom + wider, note=note, since=first, cell=cell)
                 for picture, moment in shown]  # fmt: skip
        if all(each.start <= since for each in lanes):
            break
    return lanes


def totals_table(session: Session, found: list[Total], width: int) -> Lines:
    """Totals side by side, a column a run; a mark where one has none of what another has."""
    heads, rows = beside_table(session, found)
    body: list[list[Content]] = [[*row, (Span(DIFFERS if total.differs else "", "mark"),)]
                                 for row, total in zip(rows, found, strict=True)]  # fmt: skip
    columns = [Column(heads[0], gap=0), *(Column(name, ">", gap=4) for name in heads[1:]), Column("", gap=1, width=1)]
    return table(columns, body, width)


def _head(run: str, picture: Any, moment: Any) -> Line:
    """`t 3.250 µs   event 14` and, at the right, the run and its picture's heading."""
    return sides(f"t {clock(moment.now)}   event {count(moment.at)}", f"{run}: {picture.heading}", WIDTH)


def _note(session: Session) -> str:
    return _LATER if session.phase is Phase.ASKING and session.position.event is not None else ""


# ----------------------------------------------------------------------------------------------- whole runs
def _figures(session: Session, runs: tuple[str, ...]) -> Lines:
    """Figures of whole runs, a row each."""
    pictures = [picture_of(session.runs.built(run)) for run in runs]
    groups = {picture.group for picture in pictures}
    size = groups.pop() if len(groups) == 1 else "size"
    titles = ["the whole run", "p50", "p99", "max", "completed", f"mean {size}", "largest"]
    body = []
    for run, picture in zip(runs, pictures, strict=True):
        got = session.runs.metrics(run)
        latency, batch, done = got["latency_us"], got["batch"], got["requests"]["completed_per_s"]
        times = (_time(latency[name]) for name in ("p50", "p99", "max"))
        rate = "" if done is None else si(done, "/s", 2)
        mean = "" if batch["mean"] is None else f"{batch['mean']:.1f}"
        most = "" if batch["max"] is None else count(batch["max"])
        name = f"{run}, {picture.bound}" if picture.bound else run
        body.append([name, *times, rate, mean, most])
    kept = [i for i in range(len(titles)) if any(row[i] for row in body)]  # what none of them has is left out
    gap = 3 if max(len(row[0]) for row in body) <= len(titles[0]) else 2  # longer names leave less room
    columns = [Column(titles[i], ">" if i else "<", gap=gap if i else 0) for i in kept]
    out = table(columns, [[row[i] for i in kept] for row in body], WIDTH)
    line = session.look.line
    if line is not None:
        out.append(fit(f"limit {format_value(line)}", WIDTH))
    return out


def _time(us: float | None) -> str:
    return "" if us is None else duration(round(us * 10**6))


def _published(session: Session) -> Lines:
    """Published values beside ours."""
    got = compared(session.look.of, [session.runs.metrics(run) for run in session.look.runs])
    if got is None:
        return []
    return [*beside(got.title, got.rows, WIDTH), fit("", WIDTH), *prose(got.note, WIDTH)]
