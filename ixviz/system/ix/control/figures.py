"""The figures of a control plane for `ixviz run --json`: what it decided, moved and spent; the static configurations.
Invariant: looking changes nothing; times are those of the pattern (multiplied by `compress`) where they are in s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ixviz.machine.power import energy
from ixviz.machine.profile import Profile
from ixviz.machine.wire import PS
from ixviz.system.ix.control.meter import Watts, standalone
from ixviz.system.ix.control.steps import per_core

_US, _UJ = 10**6, 10**6


class Config(NamedTuple):
    """A machine that stays as it is: `cores` with one hyperthread or both at `clock` (Hz).

    `mw` is the package's power (illustrative), `free` the MHz of the cores that are left, together, `capacity` the
    requests per second that its cycles are enough for when all batches are full.
    """

    cores: int
    hyperthreads: bool
    clock: int
    mw: int
    free: int
    capacity: float


def configurations(watts: Watts, profile: Profile, cores: int, per_hz: float) -> list[Config]:
    """All static configurations, by cores, hyperthreads, clock: every P-state and Turbo. `per_hz`: requests a cycle."""
    made = []
    for n in range(1, cores + 1):
        for both in (False, True):
            using = (*range(n), *range(cores, cores + n)) if both else range(n)
            for clock in (*profile.clocks, profile.turbo):
                hz = n * clock * (100 + profile.hyperthread_gain * both) / 100
                free = (cores - n) * (clock // 10**6)
                made.append(Config(n, both, clock, watts(using, clock), free, hz * per_hz))
    return made


def figures(control: Any, policy: str, turbo: int, now: int) -> dict[str, Any]:
    """What `ixviz run --json` says under `control`, but for what takes other runs (the frontier).

    Energy and background are those of the simulated time, up to `now` (ps). `static_j`: all threads at `turbo` (Hz) for
    the same time; `background.share`: the cycles of the free cores, of those of all cores at `turbo`.
    """
    spent, background = control.spent(now)
    static, _ = energy(control.watts(range(len(control.threads)), turbo), now)
    alone = standalone(control.cores, turbo, now)
    return {
        "policy": policy,
        "compress": control.compress,
        "steps": [_step(step, control.cores) for step in control.policy.steps],
        "decisions": _decisions(control),
        "migrations": _migrations(control.migration.table),
        "energy_j": spent / _UJ,
        "static_j": static / _UJ,
        "saved": 1 - spent / static if static else None,
        "background": {"share": background / alone if alone else None},
        "failed": control.failed,
        "reports": [{"time_s": _seconds(control, time), "what": what} for time, what in control.reports],
    }


def _seconds(control: Any, time: int) -> float:
    return float(time * control.compress / PS)


def _step(step: Any, cores: int) -> dict[str, Any]:
    """`hyperthreads` as in Config; None where some of its cores have both and others one."""
    each = per_core(step.cpus, cores)
    used = {n for n in each if n}
    return {"cores": cores - each.count(0), "hyperthreads": used == {2} if len(used) == 1 else None,
            "clock_hz": step.clock, "adds": step.adds}  # fmt: skip


def _decisions(control: Any) -> list[dict[str, Any]]:
    """`took_us` is not multiplied: what a step costs is not divided either. None while it is under way."""
    table, steps = control.decisions, control.policy.steps
    out = []
    for row in range(1, len(table)):
        before, after, time, ended = (getattr(table, n)[row] for n in ("before", "after", "time", "ended"))
        because, allowed = control.because[row]
        out.append({
            "time_s": _seconds(control, time), "before": before, "after": after,
            "changes": _changes(steps, before, after), "because": because, "allowed": allowed,
            "groups": table.groups[row], "took_us": (ended - time) / _US if ended >= 0 else None,
        })  # fmt: skip
    return out


def _changes(steps: Sequence[Any], before: int, after: int) -> str:
    """`+ core 3`, `- Turbo`; of more than one step the last."""
    return f"+ {steps[after].adds}" if after > before else f"- {steps[before].adds}"


def _migrations(table: Any) -> dict[str, int]:
    over = [row for row in range(1, len(table)) if table.ended[row] >= 0]
    sums = {name: sum(getattr(table, name)[row] for row in over) for name in ("groups", "remote", "local")}
    return {"count": len(over), **sums, "by_timer": sum(1 for row in over if not table.early[row])}
