"""What a scenario may say of an mTCP system.

Invariant: every option is a constant of mTCP's packet I/O (PSIO), with the released code's own value.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """The `system` section with `kind: mtcp`. `chunk`: most packets that a poll takes from a ring; `select_us`: most µs
    that the TCP thread sleeps in select() while packets wait; `interrupt_rate`: interrupts a second that a queue may
    raise, 0 for any number."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    kind: Literal["mtcp"]
    chunk: int = Field(default=64, strict=True, ge=1, le=4_096)
    select_us: int = Field(default=100, strict=True, ge=1, le=10_000_000)
    interrupt_rate: int = Field(default=956, strict=True, ge=0, le=10_000_000)
