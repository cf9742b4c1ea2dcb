"""Makes pcap and pcapng bytes for the tests, independently of what reads them."""

import struct

import numpy as np

from ixviz.machine.rss import Hasher
from ixviz.workload import pcapfile
from ixviz.workload.capture import Capture, build_capture
from ixviz.workload.frames import arp_frame, tcp_frame, udp_frame

A, B, A6, B6 = "10.0.0.1", "10.0.1.1", "fd00::2", "fd00::1:1"
T0 = 1_700_000_000 * 10**9
FRAMES = [
    tcp_frame(A, B, 1234, 80, "S"),
    tcp_frame(A, B, 1234, 80, "PA", payload=b"GET /"),
    udp_frame(A, B, 53, 53, b"hello"),
    arp_frame(A, B),
    tcp_frame(A6, B6, 9, 80, "A", vlans=[7, 8]),
]


def pcap(frames: list[bytes], order: str = "<", magic: int = 0xA1B2C3D4, link: int = 1, step: int = 1) -> bytes:
    """One frame every *step* units of the fraction, from second 5 on."""
    head = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, link)
    extra = bytes(8) if magic == 0xA1B2CD34 else b""
    return head + b"".join(
        struct.pack(order + "IIII", 5, i * step, len(f), len(f)) + extra + f for i, f in enumerate(frames)
    )


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(order: str = "<", link: int = 1, options: bytes = b"", snap: int = 0) -> bytes:
    return block(1, struct.pack(order + "HHI", link, 0, snap) + options, order)


def packet(frame: bytes, ticks: int = 0, order: str = "<", number: int = 0) -> bytes:
    head = struct.pack(order + "IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(6, head + frame, order)


def pcapng(frames: list[bytes], order: str = "<") -> bytes:
    return section(order) + interface(order) + b"".join(packet(f, 10**7 + i, order) for i, f in enumerate(frames))


def read(data: bytes, hasher: Hasher | None = None) -> Capture:
    return build_capture(pcapfile.scan(data), hasher or Hasher())


def one(frame: bytes, link: int = 1) -> Capture:
    return read(pcap([frame], link=link))


def same(left: Capture, right: Capture, n: int) -> bool:
    columns = ("times_ps", "sizes", "hashes", "has_hash", "flow", "kind", "payload")
    return all(np.array_equal(getattr(left, c)[:n], getattr(right, c)[:n]) for c in columns)
