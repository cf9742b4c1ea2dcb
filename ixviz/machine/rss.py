"""Receive-side scaling: which hash a frame gets, and which entry of the redirection table (RETA) that hash reads.

Invariant: the hash depends on the enabled types, the addresses and the ports alone, so a flow has one hash for ever.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: The key Microsoft publishes with its RSS verification vectors; the 82599's drivers and DPDK load the same 40 bytes.
DEFAULT_KEY = bytes.fromhex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa")
HASH_TYPES = ("ipv4-tcp", "ipv4-udp", "ipv4", "ipv6-tcp", "ipv6-udp", "ipv6")
RETA_SIZE = 128  # entries of the 82599's table, read with the low 7 bits of the hash
TCP, UDP = 6, 17  # IP protocol numbers
CLIENT_NET = 0x0A000000  # 10.0.0.0: the simulated clients are 10.0.0.1, 10.0.0.2, …

U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]


class FrameKey(NamedTuple):
    """What RSS reads in a frame. Addresses have 4 or 16 bytes (none: no IP); fragments and other protocols no ports."""

    src: bytes
    dst: bytes
    protocol: int = 0
    sport: int | None = None
    dport: int | None = None


class Tuples(NamedTuple):
    """n connections as columns: ``src`` (uint32 address), ``sport`` (uint16), ``hash`` (uint32), all of shape [n]."""

    src: U32
    sport: npt.NDArray[np.uint16]
    hash: U32


@lru_cache(maxsize=8)
def _tables(key: bytes) -> tuple[list[list[int]], U32]:
    """For each input position and byte value its share of the hash: the XOR of the key windows of its set bits."""
    if len(key) < 5:
        raise ValueError(f"a Toeplitz key needs at least 5 bytes, this one has {len(key)}")
    bits, whole = len(key) * 8, int.from_bytes(key, "big")
    rows: list[list[int]] = []
    for position in range(len(key) - 4):
        row = [0] * 256
        for bit in range(8):  # bit 0 is the least significant one: its window starts 7 bits later
            window = whole >> (bits - 32 - position * 8 - (7 - bit)) & 0xFFFFFFFF
            for low in range(1 << bit):
                row[1 << bit | low] = window ^ row[low]
        rows.append(row)
    return rows, np.array(rows, dtype=np.uint32)


def toeplitz(data: bytes, key: bytes = DEFAULT_KEY) -> int:
    """The 32-bit Toeplitz hash of *data*.

    ValueError when *data* is longer than ``len(key) - 4`` bytes (36 with the default key). Source: Microsoft, "RSS
    hashing functions"; Intel 82599 datasheet §7.1.2.8.
    """
    rows, _ = _tables(key)
    if len(data) > len(rows):
        raise ValueError(f"the key hashes at most {len(rows)} bytes, got {len(data)}")
    result = 0
    for row, byte in zip(rows, data, strict=False):
        result ^= row[byte]
    return result


def toeplitz_many(rows: U8, key: bytes = DEFAULT_KEY) -> U32:
    """The Toeplitz hash of every row of a uint8 array of shape [n, bytes], as uint32 of shape [n]. Errors as there."""
    _, table = _tables(key)
    if rows.ndim != 2 or rows.dtype != np.uint8:
        raise ValueError(f"rows must be uint8 of shape [n, bytes], got {rows.dtype} of shape {list(rows.shape)}")
    if rows.shape[1] > len(table):
        raise ValueError(f"the key hashes at most {len(table)} bytes, got {rows.shape[1]}")
    result = np.zeros(len(rows), dtype=np.uint32)
    for position in range(rows.shape[1]):
        result ^= table[position].take(rows[:, position])
    return result


def address_bytes(address: str | bytes) -> bytes:
    """An IPv4 or IPv6 address as its 4 or 16 bytes. ValueError when it is neither."""
    if isinstance(address, bytes):
        if len(address) not in (4, 16):
            raise ValueError(f"an address has 4 or 16 bytes, got {len(address)}")
        return address
    try:
        return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)
    except (OSError, ValueError):
        raise ValueError(f"{address!r} is no IPv4 or IPv6 address") from None


def hash_input(src: str | bytes, dst: str | bytes, sport: int | None = None, dport: int | None = None) -> bytes:
    """The bytes RSS hashes: source address, destination address and, when given, source port, destination port."""
    source, destination = address_bytes(src), address_bytes(dst)
    if len(source) != len(destination):
        raise ValueError("source and destination are of different IP versions")
    if (sport is None) != (dport is None):
        raise ValueError("give both ports or none")
    ports = b"" if sport is None or dport is None else sport.to_bytes(2, "big") + dport.to_bytes(2, "big")
    return source + destination + ports


class Hasher:
    """The RSS hash of frames with the given hash types enabled.

    The real IX enables only IPv4 TCP and UDP (``Hasher(("ipv4-tcp", "ipv4-udp"))``); here all types are on by default.
    A TCP or UDP frame whose type is enabled hashes with its ports. Any other frame, a fragment, and one whose ports
    are unknown hash by addresses, if that address type is enabled. What is left has no hash: it goes to queue 0 and
    belongs to no flow group. ValueError for an unknown type.
    """

    def __init__(self, enabled: Iterable[str] = HASH_TYPES, key: bytes = DEFAULT_KEY) -> None:
        self.enabled = frozenset([enabled] if isinstance(enabled, str) else enabled)
        self.key = key
        if unknown := sorted(self.enabled - set(HASH_TYPES)):
            raise ValueError(f"unknown hash type {unknown[0]!r}; known: {', '.join(HASH_TYPES)}")

    def hash(self, frame_key: FrameKey) -> int | None:
        """The hash of one frame, or None when it has none."""
        src, dst, protocol, sport, dport = frame_key
        if not src:
            return None
        version = "ipv4" if len(src) == 4 else "ipv6"
        transport = {TCP: "-tcp", UDP: "-udp"}.get(protocol)
        if transport and sport is not None and version + transport in self.enabled:
            return toeplitz(hash_input(src, dst, sport, dport), self.key)
        return toeplitz(hash_input(src, dst), self.key) if version in self.enabled else None

    def hash_many(
        self, version: U8, protocol: U8, has_ports: npt.NDArray[np.bool_], src: U8, dst: U8, ports: U8
    ) -> tuple[U32, npt.NDArray[np.bool_]]:
        """``hash`` of n frames: (hashes, has_hash), each of shape [n]; the hash is 0 where there is none.

        *version* is 4, 6 or 0 (no IP); *src* and *dst* are [n, 16] with an IPv4 address in the first four bytes;
        *ports* is [n, 4], source then destination, each big endian, read where *has_ports*.
        """
        hashes, has_hash = np.zeros(len(version), dtype=np.uint32), np.zeros(len(version), dtype=np.bool_)
        for ip, length in ((4, 4), (6, 16)):
            of_version = version == ip
            for name, number in ((f"ipv{ip}-tcp", TCP), (f"ipv{ip}-udp", UDP), (f"ipv{ip}", None)):
                if name not in self.enabled:
                    continue
                chosen = of_version & ~has_hash
                columns = [src[:, :length], dst[:, :length]]
                if number is not None:
                    chosen &= has_ports & (protocol == number)
                    columns.append(ports)
                where = np.flatnonzero(chosen)
                if len(where):
                    rows = np.concatenate([column[where] for column in columns], axis=1)
                    hashes[where] = toeplitz_many(rows, self.key)
                    has_hash[where] = True
        return hashes, has_hash


def default_reta(queues: int, size: int = RETA_SIZE) -> list[int]:
    """The table a driver fills in at start: entry i → queue i mod *queues*. ValueError below one queue or entry."""
    if queues < 1 or size < 1:
        raise ValueError(f"a RETA needs at least one queue and one entry, got {queues} and {size}")
    return [entry % queues for entry in range(size)]


def tuples_for_clients(
    n: int, clients: int = 24, server: str = "10.0.1.1", server_port: int = 11211, first_port: int = 32768
) -> Tuples:
    """n TCP connections from *clients* machines (10.0.0.1 …) to one server, with their hash towards the server.

    Connection i comes from client i mod *clients*, port ``first_port + i // clients``: like Linux's ephemeral
    ports. ValueError when the ports run out, or for impossible numbers.
    """
    if n < 0 or not 1 <= clients <= 254:
        raise ValueError(f"need n ≥ 0 and 1 to 254 clients, got {n} and {clients}")
    last_port = first_port + max(n - 1, 0) // clients
    if first_port < 1 or last_port > 65535 or not 0 < server_port <= 65535:
        needed = f"{n} connections of {clients} clients need ports {first_port} to {last_port}"
        raise ValueError(f"{needed} against port {server_port}; ports are 1 to 65535")
    destination = address_bytes(server)
    if len(destination) != 4:
        raise ValueError("the clients have IPv4 addresses: the server needs one too")
    i = np.arange(n)
    src = (CLIENT_NET + 1 + i % clients).astype(np.uint32)
    sport = (first_port + i // clients).astype(np.uint16)
    rows = np.empty((n, 12), dtype=np.uint8)
    rows[:, 0:4] = src.astype(">u4").view(np.uint8).reshape(n, 4)
    rows[:, 4:8] = np.frombuffer(destination, dtype=np.uint8)
    rows[:, 8:10] = sport.astype(">u2").view(np.uint8).reshape(n, 2)
    rows[:, 10:12] = (server_port >> 8, server_port & 255)
    return Tuples(src, sport, toeplitz_many(rows))
