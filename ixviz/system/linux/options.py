"""What a scenario may say of a Linux system.

Invariant: every option is a knob that Linux itself has, with the kernel's own default.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """The `system` section with `kind: linux`. `budget`: most packets a NAPI poll takes; `interrupt_rate`: interrupts
    a second that a queue may raise, 0 for any number; `steering`: a packet goes to the core of its thread (RFS);
    `reuseport`: each thread has a listen socket of its own; `lock`: the kind of lock that listen sockets have."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    kind: Literal["linux"]
    budget: int = Field(default=64, strict=True, ge=1, le=65_536)
    interrupt_rate: int = Field(default=20_000, strict=True, ge=0, le=10_000_000)
    steering: bool = Field(default=False, strict=True)
    reuseport: bool = Field(default=False, strict=True)
    lock: Literal["ticket", "mcs"] = "ticket"
