"""Open loops: Poisson arrivals, arrivals written down, captures; each a sequence of blocks.
Invariant: block k depends on the scenario, the seed and k alone, so any block can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ixviz.machine.streams import generator
from ixviz.machine.wire import PS, frame_bytes
from ixviz.workload import kinds
from ixviz.workload.flows import Flows
from ixviz.workload.patterns import LATEST, Pattern

Ints = np.ndarray[Any, np.dtype[Any]]
BLOCK = 65_536
FIRST = 2_048  # of the first block: a screen that opens needs a few frames, at once


def block_span(number: int) -> tuple[int, int]:
    """First frame and number of frames of block `number`."""
    first = min(FIRST, BLOCK)
    return (0, first) if number == 0 else (first + (number - 1) * BLOCK, BLOCK)


@dataclass
class Block:
    """Consecutive frames: times int64 ps ascending (when the last bit would be in if the wire were idle), flows int32.

    `kind` and `frame` (bytes without FCS) are one number if all frames are alike, else arrays.
    """

    times: Ints
    flows: Ints
    kind: Ints | int
    frame: Ints | int

    def __len__(self) -> int:
        return len(self.times)


class OpenLoop(Protocol):
    """A workload whose frames do not depend on the answers."""

    flows: Flows
    alike: bool  # all frames carry data and have one size
    frame: int | None  # that size, bytes without FCS

    def block(self, number: int) -> Block | None:
        """Block `number` (0, 1, …), None after the last. Blocks are asked for in order, again from any point."""
        ...

    def same(self, other: Any) -> bool:
        """Whether the other workload sends the same frames at the same times."""
        ...

    def restart(self, now: int, sent: int) -> None:
        """Begin at `now` (ps), after `sent` frames of another workload: a what-if in the middle of a run."""
        ...


class Poisson:
    """Poisson arrivals at `rate` per second or by a pattern, over flows drawn evenly, all frames of one size."""

    alike = True

    def __init__(
        self, rate: float | Pattern, flows: Flows, payload: int, seed: int, packets: int | None = None
    ) -> None:
        self.flows = flows
        self.rate = rate
        self.frame: int | None = frame_bytes(payload)
        self.packets = packets
        self._seed = seed
        self._since: tuple[str | int, ...] = ()  # when it was restarted: other draws than before
        self._ends: list[int] = [0]  # time of the last frame before block k, ps
        self._sums: list[float] = [0.0]  # with a pattern: the sum of all unit exponentials before block k

    def block(self, number: int) -> Block | None:
        """A block of frames, or the rest of `packets`."""
        start, size = block_span(number)
        count = size
        if self.packets is not None:
            count = min(count, self.packets - start)
            if count <= 0:
                return None
        gaps = generator(self._seed, "poisson", *self._since, number).standard_exponential(size)
        times = self._varying(number, gaps) if isinstance(self.rate, Pattern) else self._steady(number, gaps)
        if len(self._ends) == number + 1:
            self._ends.append(int(times[-1]) if len(times) == size else LATEST)
        count = min(count, len(times))
        if not count:
            return None
        if len(self.flows) == 1:
            flows = np.zeros(count, dtype=np.int32)
        else:
            drawn = generator(self._seed, "flows", *self._since, number)
            flows = drawn.integers(0, len(self.flows), size, dtype=np.int32)[:count]
        assert self.frame is not None
        return Block(times[:count], flows, kinds.DATA, self.frame)

    def _steady(self, number: int, gaps: Ints) -> Ints:
        """Times (ps) of block `number` from its gaps, which are drawn with mean 1."""
        assert not isinstance(self.rate, Pattern)
        gaps *= PS / self.rate
        sums = np.cumsum(gaps)
        if sums[-1] > LATEST - self._ends[number]:  # after the longest run there are no frames
            sums = sums[: int(np.searchsorted(sums, LATEST - self._ends[number]))]
        times: Ints = np.rint(sums).astype(np.int64) + self._ends[number]
        return times

    def _varying(self, number: int, gaps: Ints) -> Ints:
        """The same with a pattern: where it has as many frames due as the sums say."""
        assert isinstance(self.rate, Pattern)
        sums = np.cumsum(gaps) + self._sums[number]
        if len(self._sums) == number + 1:
            self._sums.append(float(sums[-1]))
        times: Ints = np.maximum(np.maximum.accumulate(self.rate.when(sums)), self._ends[number])
        return times[: int(np.searchsorted(times, LATEST))]

    def same(self, other: Any) -> bool:
        """Equal rate, flows, size, seed and number of packets."""
        return isinstance(other, Poisson) and self._signature() == other._signature()

    def _signature(self) -> tuple[Any, ...]:
        return self.rate, self.frame, len(self.flows), self._seed, self.packets, self._since

    def restart(self, now: int, sent: int) -> None:
        """The process has no memory: it begins anew at `now`, with draws of its own."""
        self._since, self._ends = ("since", now), [now]
        if isinstance(self.rate, Pattern):
            self._sums = [float(self.rate.total(now))]
        if self.packets is not None:
            self.packets = max(0, self.packets - sent)


class Written:
    """Frames with given times (a `timed` workload or a capture), handed out in blocks."""

    def __init__(self, times: Ints, flow: Ints, kind: Ints | int, frame: Ints | int, flows: Flows) -> None:
        self.flows = flows
        self.frame = frame if isinstance(frame, int) else None
        self.alike = isinstance(kind, int) and isinstance(frame, int) and kind == kinds.DATA
        self._all = Block(times, flow, kind, frame)
        self.count = len(times)

    def block(self, number: int) -> Block | None:
        """The next frames."""
        start, size = block_span(number)
        if start >= self.count:
            return None
        part = slice(start, start + size)
        whole = self._all
        kind = whole.kind if isinstance(whole.kind, int) else whole.kind[part]
        frame = whole.frame if isinstance(whole.frame, int) else whole.frame[part]
        return Block(whole.times[part], whole.flows[part], kind, frame)

    def same(self, other: Any) -> bool:
        """Equal times, flows, kinds and sizes."""
        return isinstance(other, Written) and all(
            np.array_equal(getattr(self._all, n), getattr(other._all, n)) for n in ("times", "flows", "kind", "frame")
        )

    def restart(self, now: int, sent: int) -> None:
        """Only what is due after `now` is still sent."""
        part = slice(int(np.searchsorted(self._all.times, now, side="right")), None)
        whole = self._all
        kind = whole.kind if isinstance(whole.kind, int) else whole.kind[part]
        frame = whole.frame if isinstance(whole.frame, int) else whole.frame[part]
        self._all = Block(whole.times[part], whole.flows[part], kind, frame)
        self.count = len(self._all)
