"""What a scenario may say of a trace.

Invariant: what a trace has no use for is refused with a reason, never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """The `system` section with `kind: trace`. `file` is looked for beside the scenario; `l3`: a shared L3 behind the
    caches."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    LEFT_OUT: ClassVar[Mapping[str, str]] = {
        "workload": "a trace brings its accesses in system.file and has no workload",
        "machine.nic": "a trace has no NIC",
        "machine.hyperthreads": "a trace has cores only",
        "run.warmup": "a trace is counted from its first access on",
    }

    kind: Literal["trace"]
    file: str = Field(strict=True, min_length=1)
    protocol: Literal["msi", "mesi", "moesi"] = "mesi"
    l3: bool = Field(default=False, strict=True)
