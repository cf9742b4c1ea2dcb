"""What a scenario may say of an IX system.

Invariant: a cost that is not given stays None; the system fills in its own, and knows that it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Cycles = Annotated[int, Field(strict=True, ge=0, le=1_000_000_000)]


class StageCosts(BaseModel):
    """The cycles of one stage: once a `batch`, for each `packet`, for each `control` frame (one without data), for each
    further `queue` and port polled. None where not given."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    batch: Cycles | None = None
    packet: Cycles | None = None
    control: Cycles | None = None
    queue: Cycles | None = None


class Costs(BaseModel):
    """The costs of the stages of a turn, in its order. `given` says whether the scenario states any."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    distribution: Literal["fixed", "exponential"] = "fixed"
    poll: StageCosts | None = None
    tcp: StageCosts | None = None
    cross: StageCosts | None = None
    app: StageCosts | None = None
    calls: StageCosts | None = None
    timers: StageCosts | None = None
    tx: StageCosts | None = None

    @property
    def given(self) -> bool:
        return any(getattr(self, stage) is not None for stage in type(self).model_fields if stage != "distribution")


def _known(name: str) -> str:
    from difflib import get_close_matches

    from ixviz.system.ix.control.policy import names  # few machines have a control plane

    known = names()
    if name not in known:
        near = get_close_matches(name, known, 1)
        meant = f", did you mean {near[0]}?" if near else ""
        raise ValueError(f"there is no policy {name!r}, {', '.join(known)} are installed{meant}")
    return name


def _named(schema: dict[str, Any]) -> None:
    from ixviz.system.ix.control.policy import names

    schema["enum"] = names()


class Control(BaseModel):
    """The control plane. `policy` gives the dataplane its hardware threads and their clock: eff, back, minmax, static
    (facts 1.7), or one that another package brings by the entry point group `ixviz.policies`."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    policy: Annotated[str, AfterValidator(_known)] = Field(default="eff", strict=True, json_schema_extra=_named)


class Options(BaseModel):
    """The `system` section with `kind: ix`. `batch_bound` is B; `software_list` the places behind the ring."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    kind: Literal["ix"]
    batch_bound: int = Field(default=64, strict=True, ge=1, le=65_536)
    software_list: int = Field(default=32_768, strict=True, ge=0, le=1_048_576)
    control: Control | None = None
    costs_are: Literal["fitted", "illustrative"] = "fitted"
    costs: Costs = Field(default_factory=Costs)

    def between(self, machine: Any, run: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """What does not fit between sections: the path of the key that is wrong, and why."""
        threads = machine.cores * (2 if machine.hyperthreads else 1)
        if self.control is None:
            if run.decisions_only:
                yield ("run", "watch"), "decisions are those of a control plane: give system.control"
            if run.migrate:
                yield ("run", "migrate"), "flow groups are moved by a control plane: give system.control"
            return
        if not machine.hyperthreads:
            yield ("system", "control"), "its steps use both hyperthreads of a core: give machine.hyperthreads: true"
        if machine.nic.queues not in (None, threads):
            yield ("machine", "nic", "queues"), f"with a control plane each of the {threads} threads has its own queue"
        if not self.software_list:
            yield ("system", "software_list"), "flow groups in transition need it, 0 leaves it out"
        if run.migrate and self.control.policy != "static":
            yield ("run", "migrate"), "moves at set times would cross those of the policy: give policy: static"
        for index, entry in enumerate(run.migrate):
            if entry.to >= threads:
                yield ("run", "migrate", index, "to"), f"there are {threads} hardware threads, 0 to {threads - 1}"

