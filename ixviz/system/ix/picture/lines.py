"""The cache lines of an IX machine drawn: those of a core's last batch against the cores, and what cores do share.
Invariant: what the words say follows from the books of the moment; no line is said to be shared that is one core's."""

from __future__ import annotations

from typing import Any

from ixviz.draw import coherence as draw
from ixviz.draw.cells import Line
from ixviz.draw.numbers import count
from ixviz.draw.prose import prose
from ixviz.draw.rule import label_row
from ixviz.machine.protocol import STATES
from ixviz.system.ix.costs import CALLS
from ixviz.system.ix.memory import pool
from ixviz.system.ix.memory.books import Books
from ixviz.system.ix.memory.touches import STAGES as TOUCHED_IN
from ixviz.system.ix.picture.totals import books as books_of
from ixviz.system.ix.picture.totals import totals
from ixviz.system.ix.picture.words import STAGE_NAMES
from ixviz.system.picture.coherence_view import each_words, letters, move
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Drawn
from ixviz.system.picture.words import plural

_LEAST = 3  # rows of lines below which there are only words
_LABEL = 9


def rows(moment: Moment, width: int, height: int, core: int, marked: frozenset[str] = frozenset()) -> list[Drawn]:
    """On at most `height` lines: `marked` lines, else those that the last batch of a core (an index) touched; what is
    shared, in words; the totals a packet."""
    books = books_of(moment)
    said = shared_rows(moment, books, width)
    said.append(label_row(*each_words(totals(moment)), width, _LABEL))
    room = height - 2 - len(said)
    if room < _LEAST and not marked:
        return [Drawn(line) for line in said[:height]]
    shown = _marked(moment, books, marked) if marked else _touched(moment, books, core, room)
    title = "line" if marked else _title(moment, core)
    head, *body = draw.coherence([row for row, _ in shown], moment.sim.memory.cores, width, title=title)
    table = [Drawn(line, name) for line, (_, name) in zip(body, shown, strict=True)][: max(room, 1)]
    legend = draw.legend([x for x in STATES if x != "O"][::-1], width)
    return [Drawn(head), *table, Drawn(legend), *(Drawn(line) for line in said)][:height]


def _title(moment: Moment, core: int) -> str:
    """`core 2, batch 31`."""
    thread = moment.sim.threads[core]
    begun = moment.begun(thread.number)
    return f"core {thread.number}, batch {count(begun)}" if begun else "line"


# ---------------------------------------------------------------------------------------------- rows
def _own(moment: Moment, core: int, names: frozenset[str] = frozenset()) -> list[tuple[draw.LineRow, str]]:
    """The lines of a thread (an index) that no other core touches, or those of all threads that are named."""
    memory, thread = moment.sim.memory, moment.sim.threads[core]
    now = STAGE_NAMES[moment.view[thread.name].stage]
    out = []
    for name, what, at, number in memory.shape.own:
        mine = number in thread.queues if what in ("ring", "list") else number == thread.number and what != "PCBs"
        if name in names if names else mine:
            here = not names and now.replace("cross_in", "") in TOUCHED_IN.get(what, ())
            out.append((draw.LineRow(name, what, _alone(at, memory.cores), 0, "", (), here), name))
    return out


def _alone(core: int, cores: int) -> tuple[str, ...]:
    return tuple("M" if c == core else "" for c in range(cores))


def _shared(moment: Moment, books: Books, line: Any, stage: str = "") -> tuple[draw.LineRow, str]:
    """A line that several cores may touch, as the protocol has left it."""
    cores, lines = moment.sim.memory.cores, books.lines
    what = ("", *lines.kinds)[line.what]
    row, changed = books.changed.get(line.name, (0, ()))
    states = letters(line, cores)
    if line is books.arp:
        known = _senders(moment)
        states = tuple(state if core in known else "" for core, state in enumerate(states))
    why = move(line, ("", *lines.paths))
    now = row > 0 and _acts(moment, row, "calls" if line is books.arp else "poll")
    moved = tuple(c for c in changed if states[c] not in ("", "I")) if now else ()
    here = stage in TOUCHED_IN.get(what, ())
    return draw.LineRow(line.name, what, states, line.transfers, why, moved, here), line.name


def _acts(moment: Moment, row: int, kind: str) -> bool:
    """Whether the moment's event is that of a batch's core which begins a stage of that batch."""
    history, sim = moment.sim.history, moment.sim
    event = history.event(moment.at)
    thread = next(t for t in sim.threads if t.number == sim.batches.core[row])
    mine = event.subject == thread.subject and history.kinds[event.kind] == kind
    return bool(mine and moment.view[thread.name].row == row)


def _senders(moment: Moment) -> frozenset[int]:
    """The cores that have come to send: the books have a batch's accesses from its poll on, sending comes later."""
    shape = moment.sim.memory.shape
    cores = [(shape.cache(t.number), moment.view[t.name]) for t in moment.sim.threads]
    return frozenset(c for c, core in cores if core.batch > 1 or (core.batch and not 0 < core.stage < CALLS))


def _pcb(moment: Moment, books: Books, flow: int, core: int, stage: str) -> tuple[draw.LineRow, str]:
    line = books.split.get(flow)
    if line is not None:
        return _shared(moment, books, line, stage)
    row = draw.LineRow(f"pcb of flow {flow}", "PCB", _alone(core, moment.sim.memory.cores), 0, "", (),
                       stage in TOUCHED_IN["PCB"])  # fmt: skip
    return row, ""


def _touched(moment: Moment, books: Books, core: int, room: int) -> list[tuple[draw.LineRow, str]]:
    """Lines of a core's last batch: its own, its connections' as many as there is room for, the shared ones."""
    sim = moment.sim
    thread = sim.threads[core]
    stage = STAGE_NAMES[moment.view[thread.name].stage]
    row = moment.row_at(thread.number, moment.at)
    flows = dict.fromkeys(sim.feed.packets.flow[p] for p in moment.members(row)) if row else {}
    cache = sim.memory.shape.cache(thread.number)
    own = _own(moment, core)
    shared = [_shared(moment, books, line, stage) for line in (books.arp, books.mempool)]
    own = own[: max(room - len(shared) - min(len(flows), 1), 0)]
    space = max(room - len(own) - len(shared), 0)
    pcbs = [_pcb(moment, books, flow, cache, stage) for flow in [f for f in flows if f >= 0][:space]]
    more = len(flows) - len(pcbs)
    if more and pcbs:
        last, name = pcbs[-1]
        pcbs[-1] = last._replace(what=f"PCB, and {count(more)} more"), name
    return [*own, *pcbs, *shared][: max(room, 0)]


def _marked(moment: Moment, books: Books, marked: frozenset[str]) -> list[tuple[draw.LineRow, str]]:
    found = _own(moment, 0, marked)
    return [*found, *(_shared(moment, books, line) for line in books.lines.by_name.values() if line.name in marked)]


# ---------------------------------------------------------------------------------------------- words
def shared_rows(moment: Moment, books: Books, width: int) -> list[Line]:
    """What `sharing` says, behind its label."""
    text = prose(sharing(books, len(_senders(moment))), max(width - _LABEL, 10))
    return [label_row("" if i else "lines", line, width, _LABEL) for i, line in enumerate(text)]


def sharing(books: Books, readers: int) -> str:
    """`no line was shared`, but for the mempool and the ARP table, which so many cores have read."""
    cores = books.shape.cores
    said = []
    if readers > 1:
        who = "all" if readers == cores else f"{readers} of {cores} cores"
        said.append(f"the ARP table (read by {who}, under RCU)")
    refills, gives = sum(books.refills), sum(books.gives)
    if refills or gives:
        back = f", given back {_times(gives)}" if gives else ""
        said.append(f"the mempool (refilled {_times(refills)}{back}, {pool.CHUNK} mbufs at a time, under its lock)")
    if books.split:
        moves = sum(line.transfers for line in books.split.values())
        moved = f"{plural(len(books.split), 'connection')} moved to another core, {_times(moves)}"
        return f"{moved}; shared: {' and '.join(said)}" if said else moved
    return f"no line was shared but {' and '.join(said)}" if said else "no line was shared"


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"
