"""Writes web-and-cache.pcap: 3 ms of requests to a web server and a memcached, as their NIC sees them (arrivals).

Invariant: the bytes depend on SEED alone. Run from the root of the checkout: python -m assets.make_capture
"""

from __future__ import annotations

import random
from pathlib import Path

from ixviz.workload.frames import MSS_OPTION, arp_frame, fragment_frames, tcp_frame, udp_datagram, udp_frame
from ixviz.workload.pcapfile import write_pcap

SEED = 20141006
START_NS = 1_412_582_400 * 10**9  # 2014-10-06, the day OSDI '14 began: a date like any other
SPAN_NS = 3_000_000
RTT_NS = 24_000  # client to server and back, idle
SNAP_LENGTH = 96  # bytes: headers and the first line of a request
TARGET = Path(__file__).with_name("web-and-cache.pcap")
SERVER, SERVER6 = "10.0.1.1", "fd00::1:1"
WEB, CACHE, DNS = 80, 11211, 53
MSS = 1460

Frame = tuple[int, bytes]  # time in ns since START_NS, frame


class Random:
    """Draws by ``random()`` alone, the one method whose sequence Python promises to keep; no libm in it."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random

    def between(self, low: int, high: int) -> int:
        return low + int(self._draw() * (high - low + 1))

    def gap(self, mean_ns: int) -> int:
        """A long-tailed time: seven in ten are short, one in twenty is eight times the mean."""
        choice = self._draw()
        scale = 2 if choice < 0.7 else 10 if choice < 0.95 else 80
        return max(self.between(scale * mean_ns // 20, scale * mean_ns // 10), 70)


class Client:
    """One TCP connection towards the server: it keeps the sequence numbers of both sides right."""

    def __init__(self, rng: Random, src: str, sport: int, dport: int, now: int, dst: str = SERVER) -> None:
        self.rng, self.now, self.ends = rng, now, (src, dst, sport, dport)
        self.seq, self.ack = rng.between(0, 2**32 - 1), 0
        self.ident, self.frames = rng.between(0, 60_000), list[Frame]()

    def send(self, flags: str, payload: bytes = b"", options: bytes = b"") -> None:
        frame = tcp_frame(*self.ends, flags, self.seq, self.ack, payload, options, self.ident)
        self.frames.append((self.now, frame))
        self.ident = (self.ident + 1) % 2**16
        self.seq += len(payload) + ("S" in flags) + ("F" in flags)

    def wait(self, mean_ns: int) -> None:
        self.now += self.rng.gap(mean_ns)

    def handshake(self) -> None:
        self.send("S", options=MSS_OPTION)
        self.now += RTT_NS + self.rng.between(0, 4_000)
        self.ack = self.rng.between(0, 2**32 - 2) + 1
        self.send("A")
        self.now += self.rng.between(400, 1_500)

    def request(self, payload: bytes, reply: int) -> None:
        """Send a request, in segments, and acknowledge every other segment of a *reply* of so many bytes."""
        for at in range(0, len(payload), MSS):
            part = payload[at : at + MSS]
            self.send("PA" if at + MSS >= len(payload) else "A", part)
            self.now += 1_230  # a full frame at 10 Gbps
        self.now += RTT_NS + self.rng.gap(4_000)
        for at in range(0, reply, 2 * MSS):
            self.ack += min(2 * MSS, reply - at)
            if reply > MSS:  # a short reply is acknowledged by the next request
                self.send("A")
                self.now += self.rng.between(2_460, 3_600)

    def close(self) -> None:
        self.send("FA")
        self.now += RTT_NS + self.rng.between(0, 4_000)
        self.ack += 1
        self.send("A")

    def reset(self) -> None:
        self.send("RA")


def browse(rng: Random, client: Client, gives_up: bool) -> list[Frame]:
    client.handshake()
    for page in range(rng.between(1, 3)):
        head = f"GET /page/{rng.between(1, 999)} HTTP/1.1\r\nHost: www.example.net\r\nAccept: text/html\r\n\r\n"
        if page == 1:  # a form with a picture in it
            size = rng.between(1_500, 4_000)
            head = f"POST /upload HTTP/1.1\r\nHost: www.example.net\r\nContent-Length: {size}\r\n\r\n" + "x" * size
        client.request(head.encode(), rng.between(300, 14_000))
        client.wait(60_000)
    client.reset() if gives_up else client.close()
    return client.frames


def cache(rng: Random, client: Client, requests: int, ends: bool) -> list[Frame]:
    client.handshake()
    for _ in range(requests):
        key = f"user:{rng.between(0, 99_999):05d}"
        if rng.between(1, 10) == 1:
            value = "v" * rng.between(2, 900)
            client.request(f"set {key} 0 60 {len(value)}\r\n{value}\r\n".encode(), 8)
        else:
            client.request(f"get {key}\r\n".encode(), rng.between(30, 1_000))
        client.wait(70_000)
    if ends:
        client.close()
    return client.frames


def build() -> list[Frame]:
    """All frames, in order of time since the epoch in ns."""
    rng, frames = Random(SEED), list[Frame]()
    for i in range(16):
        client = Client(rng, f"10.0.0.{1 + i}", 40_000 + 7 * i, WEB, rng.between(20_000, 2_500_000))
        frames += browse(rng, client, gives_up=i % 5 == 4)
    for i in range(12):
        client = Client(rng, f"10.0.0.{1 + 2 * i}", 50_000 + i, CACHE, rng.between(10_000, 400_000))
        frames += cache(rng, client, rng.between(10, 16), ends=i % 4 == 0)
    client = Client(rng, "fd00::2", 41_000, WEB, rng.between(300_000, 900_000), SERVER6)
    frames += browse(rng, client, gives_up=False)
    for i in range(24):  # memcached over UDP: an 8-byte frame header, then the request
        src, sport = f"10.0.0.{17 + i % 4}", 60_000 + i % 4
        request = bytes([0, i, 0, 0, 0, 1, 0, 0]) + f"get user:{rng.between(0, 99_999):05d}\r\n".encode()
        frames.append((rng.between(0, SPAN_NS - 1), udp_frame(src, SERVER, sport, CACHE, request, ident=i)))
    for i in range(4):  # the server's own look-ups: the answers arrive
        frames.append((rng.between(0, SPAN_NS - 1), udp_frame("10.0.2.53", SERVER, DNS, 35_000 + i, b"\0" * 90)))
    log = udp_datagram("10.0.0.24", SERVER, 5_140, 514, b"<134>cache: " + b"." * 1_988)
    at = rng.between(1_000_000, 2_000_000)
    frames += [(at + 1_230 * i, part) for i, part in enumerate(fragment_frames("10.0.0.24", SERVER, 17, log, ident=77))]
    frames.append((0, arp_frame("10.0.0.1", SERVER)))
    frames.sort(key=lambda frame: frame[0])
    return [(START_NS + time, frame) for time, frame in frames if time < SPAN_NS]


def main(target: Path = TARGET) -> None:
    write_pcap(target, build(), SNAP_LENGTH)


if __name__ == "__main__":
    main()
