"""What a scenario may say of an IX system.

Invariant: a cost that is not given stays None; the system fills in its own, and knows that it did.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class Options(BaseModel):
    """The `system` section with `kind: ix`. `batch_bound` is B; `software_list` the places behind the ring."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    kind: Literal["ix"]
    batch_bound: int = Field(default=64, strict=True, ge=1, le=65_536)
    software_list: int = Field(default=32_768, strict=True, ge=0, le=1_048_576)
    costs_are: Literal["fitted", "illustrative"] = "fitted"
    costs: Costs = Field(default_factory=Costs)
