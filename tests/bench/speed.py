"""Speed, printed as ratios and percentiles; run by hand, never asserted: `python tests/bench/speed.py [what …]`.

unwatched   packets/s of ix-echo with 4 cores at load .97, the code path of `ixviz run` with all figures, against the
            floor and plain SimPy (floor.py), interleaved in one process, medians of ratios
watched     events/s of a recorded run of a million events, and of its start; the same against the floor at B = 1 in
            packets/s, interleaved, in processor time; and where each event is a step (`Journal.stepwise`: so closed
            loops are recorded); bytes an event
seek        seek p95 and step back at 1e5, 1e6, 1e7 events; resume at 1e6
"""

from __future__ import annotations

import gc
import random
import sys
import time
from statistics import median

import floor

from ixviz.history import Journal
from ixviz.measure.metrics import metrics
from ixviz.scenario.load import bundled, load
from ixviz.scenario.simulate import simulate


def echo(bound: int, packets: int):
    """ix-echo, open loop at load .97."""
    return load(bundled("ix-echo"), ["workload.load=0.97", f"workload.packets={packets}", f"system.batch_bound={bound}",
                                     "run.until=null"])  # fmt: skip


def seconds(run, *given) -> float:
    start = time.perf_counter()
    run(*given)
    return time.perf_counter() - start


def processor(run, *given) -> float:
    """Seconds of this process: on a machine that others use too."""
    start = time.process_time()
    run(*given)
    return time.process_time() - start


def ours(scenario) -> None:
    sim = simulate(scenario)
    sim.run()
    metrics(sim, scenario.name, scenario.run.seed)


def unwatched(packets: int = 400_000, rounds: int = 7) -> None:
    for bound, least, aim, least_simpy in ((1, 0.25, 0.6, 4), (8, 0.45, 0.9, 15), (64, 1.0, 2.0, 40)):
        times = floor.arrivals(bound, 0.97, packets)
        few = times[: packets // 8]
        assert floor.floor(few, bound) == floor.simpy_per_packet(few, bound), "the two disagree"
        scenario = echo(bound, packets)
        against_floor, against_simpy, rate = [], [], []
        for _ in range(rounds):
            f = packets / seconds(floor.floor, times, bound)
            o = packets / seconds(ours, scenario)
            s = len(few) / seconds(floor.simpy_per_packet, few, bound)
            against_floor.append(o / f)
            against_simpy.append(o / s)
            rate.append(o)
        print(f"unwatched  B = {bound:2}  {median(rate) / 1e6:5.2f} M packets/s   "
              f"{median(against_floor):4.2f} × floor (≥ {least}, aim {aim})   "
              f"{median(against_simpy):5.1f} × plain SimPy (≥ {least_simpy})", flush=True)  # fmt: skip


def record(sim) -> None:
    while sim.record(50_000):
        pass


def watched(rounds: int = 5) -> None:
    """About a million events at each bound, and by themselves the first 60,000 packets: while connections open, steps
    are taken one by one."""
    few = 60_000
    times = floor.arrivals(1, 0.97, few)
    for bound, packets in ((1, 100_000), (8, 430_000), (64, 740_000)):
        rates: dict[str, list[float]] = {"whole": [], "start": [], "steps": []}
        floors, size = [], 0.0
        for _ in range(rounds):
            floors.append(few / processor(floor.floor, times, 1))
            for what, many in (("whole", packets), ("start", few), ("steps", few // 4)):
                journal = Journal()
                journal.stepwise = what == "steps"
                sim = simulate(echo(bound, many), journal)
                rates[what].append(1 / (processor(record, sim) / journal.count))
                if what == "whole":
                    tables = sim.feed.packets.nbytes + sim.batches.nbytes
                    events, size = journal.count, (sim.history.nbytes + tables) / len(sim.history)
        of_floor = {k: median(r / f for r, f in zip(v, floors, strict=True)) for k, v in rates.items()}
        print(f"watched    B = {bound:2}  {median(rates['whole']) / 1e6:5.2f} M events/s over {events:,} (≥ 0.4), "
              f"the first {few:,} packets {median(rates['start']) / 1e6:4.2f}; floor (B = 1) "
              f"{median(floors) / 1e6:4.2f} M packets/s: {of_floor['whole']:4.2f} × floor, {of_floor['start']:4.2f} at "
              f"first, {of_floor['steps']:4.2f} step by step   {size:5.1f} B an event with the tables (≤ 100)",
              flush=True)  # fmt: skip


def seek(sizes=(100_000, 1_000_000, 10_000_000)) -> None:
    for size in sizes:
        _seek(size)
        gc.collect()


def _seek(size: int) -> None:
    rng = random.Random(1)
    sim = simulate(echo(8, 20_000_000), Journal())
    while len(sim.history) < size and sim.record(200_000):
        pass
    cursor, last = sim.history.cursor(), len(sim.history) - 1
    jumps = sorted(seconds(cursor.seek, rng.randint(0, last)) for _ in range(400))
    backs = []
    for _ in range(400):
        cursor.seek(rng.randint(1, last))
        backs.append(seconds(cursor.step, -1))
    backs.sort()
    line = (f"seek       {size:>10,} events   p50 {jumps[200] * 1e3:5.2f} ms, p95 {jumps[380] * 1e3:5.2f} ms (≤ 16)   "
            f"step back p50 {backs[200] * 1e6:5.1f} µs, p95 {backs[380] * 1e6:5.1f} µs (≤ 1 ms)")  # fmt: skip
    if size == 1_000_000:
        resumes = []
        for _ in range(15):
            at = rng.choice(sim.checkpoints)
            resumes.append(seconds(lambda at=at: sim.resume(at, journal=sim.journal.fork(at.events))))
        line += f"   resume p50 {median(resumes) * 1e3:.1f} ms, max {max(resumes) * 1e3:.1f} ms (≤ 100)"
    print(line, flush=True)


if __name__ == "__main__":
    for what in sys.argv[1:] or ("unwatched", "watched", "seek"):
        {"unwatched": unwatched, "watched": watched, "seek": seek}[what]()
