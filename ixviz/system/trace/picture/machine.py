"""The caches of a trace drawn: lines against cores, totals, the set that the present access falls in.
Invariant: every line has exactly the width asked for, and says which component a click on it means."""

from __future__ import annotations

import numpy as np

from ixviz.draw import coherence as draw
from ixviz.draw.cells import Span
from ixviz.draw.numbers import count
from ixviz.draw.rule import label_row
from ixviz.machine.caches import content, line_name, number_of
from ixviz.system.picture.coherence_view import net, seen, sharing_words
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import plural
from ixviz.system.trace.picture.moment import Moment
from ixviz.system.trace.picture.words import line_words

_LABEL = 10


def view(moment: Moment, width: int, height: int, marked: frozenset[str], only: bool = False) -> list[Drawn]:
    """Lines against cores, totals, a legend: at most `height` lines. `marked` names the lines to show, all if empty;
    `only` leaves the totals out."""
    sim, memory = moment.sim, moment.sim.memory
    access = moment.access_of(moment.at)
    chosen = sorted(place for name in marked if (place := moment.place_of(name)) is not None)
    count_ = len(chosen) or moment.lines
    below = below_lines(moment, width, count_ <= height - 4)[: max(height - 3, 0)]
    if only:
        below = below[-1:]
    elif chosen:  # what is wanted comes before the totals, the legend last
        below = below[-max(height - 1 - count_, 1) :]
    room = max(height - 1 - len(below), 1)
    at = int(sim.trace.place[access.number - 1]) if access is not None else moment.lines - 1
    first = 0 if chosen else min(max(at - room // 2, 0), max(count_ - room, 0))
    shown = [moment.line_at(place) for place in (chosen or range(first, min(first + room, count_)))[:room]]
    changed = net(sim.history.changes(moment.at)) if moment.at else {}
    here = line_name(access.line) if access is not None else ""
    rows = [draw.LineRow(*each) for each in
            seen(moment.view, shown, memory.cores, changed, what=lambda n: _address(moment, n), label=line_words,
                 here=here)]  # fmt: skip
    title = f"{count(len(shown))} of {plural(count_, 'line')}" if len(shown) < count_ else plural(count_, "line")
    head, *body = draw.coherence(rows, memory.cores, width, title=title)
    return [Drawn(head), *(Drawn(row, name) for row, name in zip(body, shown, strict=True)), *below][:height]


def _address(moment: Moment, name: str) -> str:
    return f"{number_of(name) * moment.sim.caches.line:#x}"


def below_lines(moment: Moment, width: int, every: bool) -> list[Drawn]:
    """Totals so far (without `every` only what accesses found), and what the letters mean."""
    caches = [moment.view[cache.name] for cache in moment.sim.memory.caches]

    def total(key: str) -> int:
        return sum(getattr(cache, key) for cache in caches)

    def counted(key: str, word: str) -> str:
        return plural(total(key), word)

    text = f"{counted('hits', 'hit')}, {counted('misses', 'miss')}: {counted('transfers', 'transfer')}"
    text += f", {count(total('memory_reads'))} from memory"
    rest = [counted(f"{word}s", word) for word in ("invalidation", "upgrade", "writeback")]
    if moment.sim.memory.l3:
        text += f", {count(total('l3_reads'))} from the L3"
    return [
        Drawn(label_row("found", text, width, _LABEL)),
        *([Drawn(label_row("caused", ", ".join(rest), width, _LABEL))] if every else []),
        Drawn(draw.legend(moment.sim.memory.protocol.letters, width)),
    ]


def sharing_line(moment: Moment, width: int) -> Drawn:
    """`2 of 5 lines moved between cores, 1,204 times`, or that none was shared."""
    moves = moment.moves()
    words = sharing_words(moment.lines, moment.shared, int(np.count_nonzero(np.bincount(moves))), len(moves))
    return Drawn(label_row("sharing", words, width, _LABEL))


def set_line(moment: Moment, width: int) -> list[Drawn]:
    """The set that the present access falls in, the line used last first. Nothing in infinite caches."""
    access, caches = moment.access_of(moment.at), moment.sim.caches
    if access is None or caches.sets is None:
        return []
    number = access.line % caches.sets
    first, *rest = content(moment.view, access.core, number, caches.ways)
    spans = [Span("newest "), Span(f"{first.number:x}", "here"), *(Span(f" {each.number:x}") for each in rest)]
    free = caches.ways - 1 - len(rest)
    spans.append(Span(f"  {free} of {caches.ways} ways free" if free else " oldest", "dim"))
    return [Drawn(label_row(f"c{access.core} set {number}", tuple(spans), width, _LABEL),
                  f"cache{access.core}.set{number}")]  # fmt: skip


def core_lines(moment: Moment, width: int, height: int) -> list[Drawn]:
    """A line a core with its own counts."""
    from ixviz.draw import table

    keys = ("accesses", "hits", "transfers", "memory_reads", "invalidations", "upgrades", "writebacks")
    titles = ("core", "accesses", "hits", "moves", "memory", "took away", "upgrades", "writebacks")
    body = [[str(i), *(getattr(moment.view[cache.name], key) for key in keys)]
            for i, cache in enumerate(moment.sim.memory.caches)]  # fmt: skip
    columns = [table.Column(t, ">", None, 0 if not i else 2, keep=9 if i < 4 else 9 - i) for i, t in enumerate(titles)]
    drawn = table.table(columns, body, width, height=height)
    names = ["", *(cache.name for cache in moment.sim.memory.caches)]
    return [Drawn(row, names[i] if i < len(names) else "") for i, row in enumerate(drawn)]
