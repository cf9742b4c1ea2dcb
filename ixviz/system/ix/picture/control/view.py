"""The control plane at a moment: signals against their thresholds, the last decision with its reason, the RETA.
Invariant: a sparkline ends at now; every number beside it is the moment's."""

from __future__ import annotations

from typing import Any

from ixviz.draw.bar import sparkline
from ixviz.draw.cells import Line, Lines, Span, fit
from ixviz.draw.numbers import count, duration, percent, si
from ixviz.draw.prose import prose
from ixviz.draw.rule import rule
from ixviz.machine.reta import NAMES
from ixviz.system.ix.control.loop import PACKET, WHOLE
from ixviz.system.ix.control.policy import DOWN_QUEUE, UP_QUEUE
from ixviz.system.ix.control.steps import by_whole_cores, per_core
from ixviz.system.ix.picture.control import words
from ixviz.system.ix.picture.control.moment import Moment
from ixviz.system.picture.flow_groups import owned
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import plural

SLO = 500  # µs [paper, facts 1.9]
_NAME = 7
_ROOMY = 14  # lines from which on there is one for everything


def view(moment: Moment, width: int, height: int) -> list[Drawn]:
    """Signals, then the last decision, then the flow groups, as many as fit on `height` lines."""
    out = [Drawn(line, "control") for line in signals(moment, width, 6 if height >= _ROOMY else 5)]
    room = min(height, max(height - 1, 10)) - len(out)  # from ten lines on one less: the text below has more use for it
    if room >= 3:
        out += [Drawn(line, "control") for line in last_decision(moment, width, room)]
    room = height - len(out)
    if room >= 10:
        out += groups(moment, width, room)
    return out[:height]


def groups(moment: Moment, width: int, height: int) -> list[Drawn]:
    """The RETA by owner; a group in transition is at its target's letter, marked as moving."""
    each = [moment.view[f"group{i}"] for i in range(len(NAMES))]
    owners = [(g.target if g.moving else g.owner) - 1 for g in each]
    moving = [i for i, g in enumerate(each) if g.moving]
    way = "» in transition: " + _transition(moment) if moving else "every group has one owner"
    got: dict[int, int | None] = dict.fromkeys(sorted(set(owners)))
    return owned(width, height, owners, got, -1, way, moving)


def _transition(moment: Moment) -> str:
    at = moment.view["migration"]
    return f"{plural(at.groups, 'group')}, core {at.source - 1} → {at.target - 1}"


def signals(moment: Moment, width: int, most_rows: int = 5) -> Lines:
    """Load, cores, queue, idleness and power over time, a line each, with the numbers of now; before the power what a
    background job has, where the policy is made for one."""
    control, view = moment.sim.control, moment.view["control"]
    cells = max(min(width - _NAME - 44, width * 2 // 5), 8)
    p99 = moment.p99()
    steps = control.policy.steps
    most = control.cores - per_core(steps[-1].cpus, control.cores).count(0)
    highest = control.watts(range(2 * control.cores), max(s.clock for s in steps))
    load = moment.load()
    least = steps[view.step].idle
    down = f"down > {percent(least)}" if least < 1 else "never down"
    rows: list[tuple[str, Any, float | None, str, str]] = [
        ("load", moment.rates(), None, "–" if load is None else si(load, "/s", 0 if load < 1e6 else 2),
         f"p99 {'–' if p99 is None else f'{p99:,.0f} µs'}, limit {SLO} µs"),
        ("cores", moment.column("cores"), most, f"{_cores(moment)} of {most}",
         f"clock {words.ghz(view.clock)}, step {view.step} of {len(steps) - 1}"),
        ("queue", moment.column("fast") / PACKET, None, f"fast {count(round(view.fast / PACKET))}",
         f"up > {UP_QUEUE:.0f}    slow {count(round(view.slow / PACKET))}, down < {DOWN_QUEUE:.0f}"),
        ("idle", moment.column("idle") / WHOLE, 1.0, percent(view.idle / WHOLE), down),
        ("power", moment.column("power"), highest, f"{view.power / 1000:.0f} W",
         f"at most {highest / 1000:.0f} W, illustrative"),
    ]  # fmt: skip
    if by_whole_cores(steps, control.cores):
        shares, now, so_far = moment.job()
        rows.insert(4, ("job", shares, 1.0, percent(now), f"of standalone, {percent(so_far)} so far"))
    rows = rows[:most_rows]
    return [_row(name, values, high, f"{now:<11}{text}", cells, width) for name, values, high, now, text in rows]


def _row(name: str, values: Any, high: float | None, text: str, cells: int, width: int) -> Line:
    line = sparkline([float(v) for v in values], cells, 0.0, high)
    return fit((*fit(name, _NAME), *fit(tuple(line), cells), Span("  "), Span(text)), width)


def _cores(moment: Moment) -> int:
    """Cores that have flow groups now."""
    threads = moment.sim.control.cores
    owners = {moment.view[f"group{i}"].owner - 1 for i in range(len(NAMES))} - {-1}
    return len({owner % threads for owner in owners})


def last_decision(moment: Moment, width: int, room: int) -> Lines:
    """The last decision: when, what, because of which signal, what allowed it, what it did."""
    by = moment.sim.control.compress
    now = f"{moment.seconds(moment.now):.2f} s of the pattern = {by} × {duration(moment.now, unit='ms')}"
    out: Lines = [rule(width, "Decisions", now if by > 1 else "")]
    number = moment.packets
    failed = [text for at, text in moment.sim.control.reports if at <= moment.now]
    if failed:
        out.append(fit((Span("the policy  ", "warn"), Span(f"{failed[-1]}; all stays as it is")), width))
    if not number:
        return [*out, fit("none yet: the signals are looked at every 0.1 s", width, "dim")][:room]
    when = f"{moment.seconds(moment.decisions.time[number]):.2f} s"
    because, allowed = moment.sim.control.because[number]
    told = [("because", because), ("allowed", allowed), *(("then", text) for text in words.moved(moment, number))]
    out.append(fit((Span(f"{when:<{_NAME + 2}}"), Span(words.decision(moment, number), "title")), width))
    before = ""
    for head, text in told:
        for row in prose(text, max(width - 2 * (_NAME + 2), 1)) if text else ():
            out.append(fit((Span(f"{'':<{_NAME + 2}}{head if head != before else '':<{_NAME + 2}}"), *row), width))
            before = head
    return out[:room]
