"""What unwatched speed is held against, on one and the same queue: Poisson arrivals, one core, a batch of
n = min(B, queued) takes FIXED + PER * n nanoseconds, all n leave at its end.

floor   a bare heapq loop: one event a packet (its arrival) and one a batch, nothing else
simpy   plain SimPy as its tutorial would write it: a process a packet, a store, a core that batches
"""

from __future__ import annotations

import heapq

import numpy as np

FIXED, PER = 1212, 1283  # ns, near IX's per-batch and per-packet share


def arrivals(bound: int, load: float, packets: int, seed: int = 1) -> list[int]:
    """Poisson arrival times in ns at `load` of what batches of `bound` carry."""
    capacity = 1e9 / (FIXED / bound + PER)
    gaps = np.random.default_rng(seed).exponential(1e9 / (load * capacity), packets)
    return np.cumsum(gaps).astype(np.int64).tolist()


def floor(times: list[int], bound: int) -> list[int]:
    """Completion times, by a heap of arrivals and batch ends."""
    count, done = len(times), [0] * len(times)
    heap, push, pop = [(times[0], 0, 0)], heapq.heappush, heapq.heappop
    head = tail = 0
    busy = False
    while heap:
        now, kind, what = pop(heap)
        if kind == 0:
            tail = what + 1
            if tail < count:
                push(heap, (times[tail], 0, tail))
            if not busy:
                busy = True
                push(heap, (now + FIXED + PER, 1, 1))
        else:
            done[head : head + what] = [now] * what
            head += what
            waiting = min(tail - head, bound)
            busy = waiting > 0
            if busy:
                push(heap, (now + FIXED + PER * waiting, 1, waiting))
    return done


def simpy_per_packet(times: list[int], bound: int) -> list[int]:
    """The same by SimPy processes."""
    import simpy

    env, count, done = simpy.Environment(), len(times), [0] * len(times)
    ring: list[int] = []
    wake: list[simpy.Event | None] = [None]

    def packet(i: int):  # type: ignore[no-untyped-def]
        yield env.timeout(times[i])
        ring.append(i)
        if wake[0] is not None:
            wake[0].succeed()
            wake[0] = None

    def core():  # type: ignore[no-untyped-def]
        left = count
        while left:
            if not ring:
                wake[0] = env.event()
                yield wake[0]
            batch = ring[:bound]
            del ring[:bound]
            yield env.timeout(FIXED + PER * len(batch))
            for i in batch:
                done[i] = env.now
            left -= len(batch)

    for i in range(count):
        env.process(packet(i))
    env.process(core())
    env.run()
    return done
