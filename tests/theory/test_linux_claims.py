"""What is published of Linux, on our model [facts 1.10]: what was fitted and what comes out by itself (MODEL.md)."""

import pytest
from system.runs import scenario
from theory.figures import figures

from ixviz.scenario.simulate import simulate
from ixviz.system.linux.costs import ECHO

HALF = ("machine.cores=1", "machine.hyperthreads=false")


def connections(*sets: str) -> float:
    """Connections of one message a second, in millions."""
    got = figures("linux-echo", *sets, "run.until=6 ms")
    return float(got["requests"]["completed_per_s"]) / 1e6


def transfers(*sets: str) -> float:
    """Lines moved between caches for each frame."""
    got = figures("linux-echo", *sets, "run.until=6 ms")
    return float(got["coherence"]["transfers"]) / float(got["packets"]["delivered"])


def test_connections_of_one_message() -> None:
    """Fitted: half a core, one and 8; ± 15 %."""
    assert connections(*HALF, "workload.connections=64") == pytest.approx(0.06, rel=0.15)
    assert connections("machine.cores=1", "workload.connections=64") == pytest.approx(0.08, rel=0.15)
    assert connections("machine.cores=8") == pytest.approx(0.22, rel=0.05)


def test_flat_from_about_five_cores_because_of_the_lock() -> None:
    """Nothing says so but the lock: with a listen socket for each thread the same machine goes on climbing."""
    two, five, eight = (connections(f"machine.cores={n}") for n in (2, 5, 8))
    assert eight / five < 1.1 and five / two > 1.45
    assert connections("machine.cores=8", "system.reuseport=true") > 2 * eight


def test_the_lock_is_never_faster_than_its_closed_form() -> None:
    """Three holds a connection, each with a hand-off among w waiters: one transfer and w - 1 reads of the L3, of which
    the heir's is in the middle, and the write that lets go. The rest is holders whose sibling is busy too."""
    w = 12
    hand_off = (75 + 40 * (w - 1)) * (w + 1) / (2 * w) + 75
    most = 2.4e3 / (ECHO.hold_syn + ECHO.hold_ack + ECHO.hold_accept + 3 * hand_off)
    assert 0.85 * most < connections("machine.cores=8") < most


def test_transfers_grow_with_cores() -> None:
    got = [transfers(*HALF, "workload.connections=64"), *(transfers(f"machine.cores={n}") for n in (2, 5, 8))]
    assert got[0] == 0 and got[0] < got[1] < got[2] < got[3]


def test_long_connections() -> None:
    """38,000 cycles of a hyperthread for a message, fitted: 1.0 M/s on 8 cores, an eighth or so of the wire."""
    got = figures("linux-echo", "workload.messages=unlimited", "run.until=6 ms")
    assert 16 * 2.4e9 / got["requests"]["completed_per_s"] == pytest.approx(38_000, rel=0.05)


def test_one_way_latency_of_two_like_machines() -> None:
    """24 µs, predicted: request and answer are one interval of moderation apart, 50 µs. The client takes as long as the
    server: the round trip that a scenario gives is the wires' and the client's."""
    client = 21_700_000
    sets = ["workload.connections=1", "workload.messages=unlimited", "run.warmup=0", "run.until=1 ms"]
    sim = simulate(scenario("linux-echo", *HALF, *sets, f"workload.round_trip={6_600_000 + client} ps"))
    sim.run()
    requests = sim.feed.requests  # type: ignore[attr-defined]
    took = (requests.array("done") - requests.array("sent"))[3:-2]
    assert took.max() - took.min() <= 1
    assert took[0] - 6_600_000 - client == pytest.approx(client, rel=0.01), "the client is like the server"
    assert took[0] / 2e6 == pytest.approx(24, rel=0.15)


@pytest.mark.parametrize(("mix", "published"), [("usr", 85), ("etc", 94)])
def test_unloaded_memcached(mix: str, published: int) -> None:
    """Predicted: the client's share is IX's, the rest is moderation, a wake-up and the request's own way."""
    got = figures(f"linux-memcached-{mix}", "workload.rate=50 K/s", "run.warmup=1 ms", "run.until=60 ms")
    assert got["latency_us"]["p99"] == pytest.approx(published, rel=0.15)


@pytest.mark.parametrize(("mix", "holds", "fails"), [("usr", 470, 520), ("etc", 525, 575)])
def test_memcached_at_its_slo(mix: str, holds: int, fails: int) -> None:
    """Fitted to 500 and 550 K/s at p99 < 500 µs; the kernel's share, about 75 %, is what it then is."""
    name, span = f"linux-memcached-{mix}", ("run.warmup=6 ms", "run.until=22 ms")
    low = figures(name, f"workload.rate={holds} K/s", *span)
    high = figures(name, f"workload.rate={fails} K/s", *span)
    assert low["latency_us"]["p99"] < 500 < high["latency_us"]["p99"]
    assert low["protection"]["kernel_share"] == pytest.approx(0.75, rel=0.1)
