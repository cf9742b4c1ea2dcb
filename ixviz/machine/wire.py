"""Frames on a wire: how long they occupy it and when they arrive.
Invariant: frames of one port never overlap and never overtake each other."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int64]]

HEADERS = 54  # Ethernet 14 + IPv4 20 + TCP 20 bytes
MIN_FRAME = 60  # a shorter frame is padded; without the FCS
OVERHEAD = 24  # inter-frame gap 12 + preamble 8 + FCS 4 bytes
PS = 10**12  # picoseconds in a second


def frame_bytes(payload: int) -> int:
    """Bytes of an Ethernet frame that carries `payload` bytes of TCP over IPv4, without FCS and before padding."""
    return HEADERS + payload


@cache
def wire_ps(frame: int, rate: int | None) -> int:
    """Picoseconds a frame of `frame` bytes (without FCS) occupies a wire of `rate` bit/s; 0 if unlimited (None).

    Padded to 60 B, plus 24 B of gap, preamble and FCS: 84 B at least, 142 B for a 64 B TCP message [facts 1.9].
    """
    if rate is None:
        return 0
    return -(-(max(frame, MIN_FRAME) + OVERHEAD) * 8 * PS // rate)


def wire_ps_many(frames: Ints, rate: int | None) -> Ints:
    """`wire_ps` for an int64 array of frame sizes."""
    if rate is None:
        return np.zeros(len(frames), dtype=np.int64)
    sizes, where = np.unique(frames, return_inverse=True)
    return np.array([wire_ps(int(s), rate) for s in sizes], dtype=np.int64)[where]


def arrivals(times: Ints, wire: Ints | int, free: int) -> Ints:
    """When the last bit of each frame is in: at `times` (ps) if the wire is idle, else one frame time after the last.

    `times` ascending; `wire` is the time each occupies the wire; `free` when the last frame before them was in.
    """
    if isinstance(wire, int):
        if wire == 0:
            return times
        done = np.arange(1, len(times) + 1, dtype=np.int64) * wire
    else:
        done = np.cumsum(wire)
    # c[i] = max(t[i], c[i-1] + w[i]), unrolled: c[i] = W[i] + max(free, max over j <= i of t[j] - W[j])
    return done + np.maximum(np.maximum.accumulate(times - done), free)
