"""A comparison headless: the object of `ixviz compare --json`, and the same as a page of text.
Invariant: the same scenarios give the same object; totals are of whole runs, differences of what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from ixviz.compare.align import Aligned
from ixviz.compare.differences import KINDS, LATER, differences
from ixviz.compare.identity import named
from ixviz.compare.lockstep import Lockstep
from ixviz.compare.run import Run
from ixviz.compare.totals import NAMES, PER_PACKET, whole, written
from ixviz.compare.words import TITLES, sentence, span
from ixviz.measure.metrics import US, metrics
from ixviz.scenario.messages import escape
from ixviz.scenario.simulate import simulate

ONCE = {"p99": "p99 of the latency", "done": "packets done", "drops": "packets dropped"}  # not per packet
EACH = 3  # differences of each kind that are told
_WIDTH = 100  # of the page
_PIECE = 400  # events recorded at once, of the run that is behind


def compared(given: Aligned, tell: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """The object: whole runs with their figures and totals; differences of the first `run.watch` events of each.

    `tell` is called with what is being done, and with warnings. Raises Problems.
    """
    figures, totals = [], []
    for scenario, label in zip(given.scenarios, given.labels, strict=True):
        tell(f"{label}: the whole run")
        sim = simulate(scenario)
        for warning in sim.facts.get("warnings", ()):
            tell(f"{label}: {warning}")
        sim.run()
        figures.append(metrics(sim, scenario.name, scenario.run.seed))
        totals.append(_in_us(whole(figures[-1], sim.threads[0].nominal)))
    tell("recording, to find the differences")
    lock = Lockstep([Run(s, label) for s, label in zip(given.scenarios, given.labels, strict=True)])
    watch = given.scenarios[given.giver].run.watch
    while (watch is None or max(run.last for run in lock.runs) < watch) and lock.record(_PIECE):
        pass
    return {"version": 1, "runs": figures, "differences": _differences(given, lock, totals)}


def _in_us(totals: dict[str, float | None]) -> dict[str, float | None]:
    """Totals with the keys of an object: `p99_us`, and what is per packet without a unit."""
    p99 = totals["p99"]
    return {"p99_us" if name == "p99" else name: totals[name] if name != "p99" or p99 is None else p99 / US
            for name in NAMES}  # fmt: skip


def _differences(given: Aligned, lock: Lockstep, totals: list[dict[str, float | None]]) -> dict[str, Any]:
    runs, edge = lock.runs, lock.edge()
    found = differences(runs, edge)
    count = Counter(each.kind for each in found)
    told: Counter[str] = Counter()
    first = []
    for each in found:
        told[each.kind] += 1
        if told[each.kind] <= EACH:
            first.append({"kind": each.kind, "at_us": each.time / US, "run": each.run, "from": each.other,
                          "packet": named(each.key) if each.key else None,
                          "words": sentence(runs, each)})  # fmt: skip
    return {
        "labels": list(given.labels),
        "workload_of": given.scenarios[given.giver].name,
        "changed": list(given.notes),
        **same(runs, edge),
        "totals": totals,
        "recorded_us": min(run.sim.now for run in runs) / US if edge is None else edge / US,
        "recorded_whole": edge is None,
        "later_than_us": LATER / US,
        "counts": {kind: count[kind] for kind in KINDS},
        "first": first,
    }


def same(runs: Sequence[Run], edge: int | None) -> dict[str, Any]:
    """What is the same in all runs before `edge` (ps). `arrivals`: "identical", "different", or in a closed loop
    "by answers"; then `due`: "identical" if all requests were meant to be sent at the same times, "by answers" where
    the clients have no times of their own. `packets`, or `requests`, are how many were looked at."""
    end = 2**63 - 1 if edge is None else edge
    if runs[0].identity.closed:
        known = [_due(run, end) for run in runs]
        both = [key for key in known[0] if all(key in other for other in known[1:])]
        equal = all(other[key] == known[0][key] for other in known[1:] for key in both)
        paced = getattr(runs[0].scenario.workload, "rate", None) is not None
        due = "by answers" if not paced else "identical" if equal else "different"
        return {"arrivals": "by answers", "due": due, "requests": len(both)}
    names = ("arrives", "flow", "kind", "frame")
    tables = [[run.sim.feed.packets.array(name) for name in names] for run in runs]
    rows = min(_arrived(run, end) for run in runs)
    equal = all(np.array_equal(a[1 : rows + 1], b[1 : rows + 1])
                for other in tables[1:] for a, b in zip(tables[0], other, strict=True))  # fmt: skip
    return {"arrivals": "identical" if equal else "different", "due": None, "packets": rows}


def _arrived(run: Run, end: int) -> int:
    """How many packets arrived before `end` (ps)."""
    packets = run.sim.feed.packets
    return int(np.searchsorted(packets.array("arrives")[1 : len(packets.event)], end, side="left"))


def _due(run: Run, end: int) -> dict[tuple[int, int], int]:
    """When each request that was sent before `end` (ps) was due, by connection and number."""
    requests = run.sim.feed.requests
    return {key: due for key, due, sent in zip(run.identity.requests(), requests.due, requests.sent, strict=False)
            if sent < end}  # fmt: skip


# ----------------------------------------------------------------------------------------------- as text
def page(got: dict[str, Any], given: Aligned) -> str:
    """The object as a page: totals in columns, how often what differs, the first of each kind."""
    found = got["differences"]
    head = [f"{', '.join(given.labels)}: {given.packets}", *(f"  {note}" for note in given.notes), _same(found)]
    rows = [("the whole run, per packet", list(given.labels)), *(_row(name, found) for name in PER_PACKET),
            ("the whole run", [""] * len(given.labels)), *(_row(name, found) for name in ONCE)]  # fmt: skip
    widths = [max(len(cells[i]) for _, cells in rows) for i in range(len(given.labels))]
    table = []
    for title, cells in rows:
        columns = "".join(f"   {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        table.append(f"  {title:<26}{columns}".rstrip())
    part = "the whole run" if found["recorded_whole"] else f"the first {span(round(found['recorded_us'] * US))}"
    counts = [f"    {found['counts'][kind]:>7,}  {TITLES[kind]}" for kind in KINDS if found["counts"][kind]]
    firsts = {each["kind"]: each for each in reversed(found["first"])}
    told = [row for each in reversed(firsts.values())
            for row in wrap(each["words"], _WIDTH, initial_indent=f"    {span(round(each['at_us'] * US)):>9}  ",
                            subsequent_indent=" " * 15, break_on_hyphens=False)]  # fmt: skip
    lines = [*head, *table, f"  differences in {part}", *(counts or ["    none"]), *told]
    return "\n".join(escape(line) for line in lines)


def _row(name: str, found: dict[str, Any]) -> tuple[str, list[str]]:
    return f"  {ONCE.get(name, name)}", [_cell(name, totals) for totals in found["totals"]]


def _cell(name: str, totals: dict[str, float | None]) -> str:
    value = totals["p99_us"] if name == "p99" else totals[name]
    return written(name, value * US if name == "p99" and value is not None else value)


def _same(found: dict[str, Any]) -> str:
    if found["arrivals"] == "by answers":
        due = {"identical": "all due at the same times", "different": "not due at the same times",
               "by answers": "sent as fast as answers permit"}[found["due"]]  # fmt: skip
        return f"  the same {found['requests']:,} requests, {due}; when each is sent is up to the answers before it"
    return f"  arrivals {found['arrivals']} to the picosecond, {found['packets']:,} packets compared"
