"""Totals side by side: what each system spent per packet, so far or in a whole run, as numbers and as text.
Invariant: so far means up to the moment; a figure that a system does not model is None, never 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ixviz.compare.run import Run
from ixviz.measure.metrics import PS, US, rank
from ixviz.scenario.units import format_time

LATEST = 2_000  # packets that have left last, of which p99 so far is


class Total(NamedTuple):
    """A figure of each system. `name` is its column in words; times are ps."""

    name: str
    values: tuple[float | None, ...]

    @property
    def differs(self) -> bool:
        """Whether some systems have none of it and others have; that packets are done is only a matter of time."""
        known = [value for value in self.values if value is not None]
        return self.name != "done" and len(known) > 1 and any(known) and not all(known)


PER_PACKET = ("cycles", "transfers", "crossings", "interrupts", "copies")  # of Totals, divided by its packets
NAMES = (*PER_PACKET, "p99", "done", "drops")  # done: packets that have left


def so_far(pictures: Sequence[Any], moments: Sequence[Any]) -> list[Total]:
    """The totals up to a moment of each."""
    columns = [_so_far(picture, moment) for picture, moment in zip(pictures, moments, strict=True)]
    return [Total(name, tuple(column[name] for column in columns)) for name in NAMES]


def here(runs: Sequence[Run]) -> list[Total]:
    """The totals where the runs stand."""
    return so_far([run.picture for run in runs], [run.moment for run in runs])


def _so_far(picture: Any, moment: Any) -> dict[str, float | None]:
    done = picture.totals(moment)
    out: dict[str, float | None] = dict.fromkeys(NAMES)
    if done is not None:
        out |= {name: _each(getattr(done, name), done.packets) for name in PER_PACKET}
        out |= {"done": done.packets, "drops": done.dropped}
    latencies = sorted(moment.finished(LATEST))
    if latencies:
        out["p99"] = latencies[rank(len(latencies), 99)]
    return out


def _each(value: float | None, packets: int) -> float | None:
    return None if value is None or not packets else value / packets


def whole(metrics: Mapping[str, Any], clock: int) -> dict[str, float | None]:
    """The totals of a whole run, from its figures; `clock` (Hz) is that of its cores. p99 is that of the figures."""
    packets, protection, lines = metrics["packets"], metrics["protection"] or {}, metrics["coherence"] or {}
    done = packets["delivered"]
    busy = sum(core["busy"] or 0 for core in metrics["cores"]) * metrics["simulated_us"] * US * clock / PS
    p99 = metrics["latency_us"]["p99"]
    return {
        "cycles": _each(busy, done),
        "transfers": _each(lines.get("transfers"), done),
        **{name: _each(protection.get(name), done) for name in ("crossings", "interrupts", "copies")},
        "p99": None if p99 is None else p99 * US,
        "done": done,
        "drops": packets["dropped"],
    }


def written(name: str, value: float | None) -> str:
    """A figure as text: `36,400`, `4.1`, `88.0 µs`; a dash where there is none."""
    if value is None:
        return "–"
    if name == "p99":
        return format_time(round(value), digits=1 if value < 1000 * US else 2)
    if name in ("done", "drops"):
        return f"{int(value):,}"
    return f"{value:,.0f}" if value >= 1000 or value == 0 else f"{value:,.1f}" if value >= 0.05 else f"{value:.2g}"
