"""A capture as a workload: when each frame arrives, how long it is, which RSS hash, flow and kind it has.

Invariant: one entry per whole record of the file, in the file's order, with times that never decrease.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ixviz.machine.rss import TCP, Hasher
from ixviz.workload.pcapfile import CaptureError, Records, looks_like_capture, read_records, write_pcap

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Capture", "CaptureError", "looks_like_capture", "read_capture", "write_pcap"]

BLOCK = 65536  # frames parsed at once: bounds the memory of the parser's temporary arrays
LARGEST_FRAME = 65535 + 14  # bytes of the longest Ethernet frame a packet without jumbo option can give


@dataclass(frozen=True, eq=False)
class Capture:
    """The frames of a capture, one entry each; ``len(capture)`` is their number.

    ``times_ps`` since the first frame (int64, never decreasing; ``reordered`` frames were stamped before their
    predecessor and set to its time) · ``sizes`` of the Ethernet frame on the wire in bytes without FCS and without
    padding to 60 (int64) · ``hashes`` (uint32, 0 where not ``has_hash``) · ``flow`` index into ``flows``, one per
    direction of a TCP or UDP connection, or -1: other protocols, fragments (a NIC hashes them by addresses only),
    ports not captured (int64) · ``kind`` a ``headers.Kind`` (uint8) · ``payload`` bytes of TCP or UDP (int64) ·
    ``link_type`` of the first interface (tcpdump.org/linktypes.html; -1 when there is none) · ``format`` "pcap" or
    "pcapng" · ``warnings`` one line each, for the user.
    """

    times_ps: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint32]
    has_hash: npt.NDArray[np.bool_]
    flow: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    payload: npt.NDArray[np.int64]
    flows: list[str]
    link_type: int
    format: str
    reordered: int
    warnings: list[str]

    def __len__(self) -> int:
        return len(self.times_ps)


def read_capture(path: str | os.PathLike[str], hasher: Hasher | None = None) -> Capture:
    """Read a pcap or pcapng file, known by its content, hashing with *hasher* (default: all types enabled).

    A damaged file gives the frames before the damage and a warning. CaptureError, one line with the path, for what is
    no capture at all, cannot be read, or is over 2 GB or 20 million frames.
    """
    return build_capture(read_records(path), hasher or Hasher())


def build_capture(records: Records, hasher: Hasher) -> Capture:
    """Parse the frames of *records*. Never raises for what they contain."""
    import numpy as np

    from ixviz.workload.headers import KNOWN_LINKS, read_headers

    data = np.frombuffer(records.data, dtype=np.uint8)
    offset, captured = np.frombuffer(records.offset, np.int64), np.frombuffer(records.captured, np.int64)
    original, links = np.frombuffer(records.original, np.int64), np.frombuffer(records.links, np.int32)
    n, index, portless = len(offset), dict[bytes, int](), 0
    sizes, payload, flow = np.zeros(n, np.int64), np.zeros(n, np.int64), np.full(n, -1, np.int64)
    hashes, has_hash, kind = np.zeros(n, np.uint32), np.zeros(n, np.bool_), np.zeros(n, np.uint8)
    for first in range(0, n, BLOCK):
        block = slice(first, first + BLOCK)
        heads = read_headers(data, offset[block], captured[block], original[block], links[block])
        hashes[block], has_hash[block] = hasher.hash_many(
            heads.version, heads.protocol, heads.has_ports, heads.src, heads.dst, heads.ports
        )
        sizes[block], payload[block], kind[block] = heads.size, heads.payload, heads.kind
        portless += int(heads.portless.sum())
        where = np.flatnonzero(heads.has_ports)
        rows = np.column_stack([heads.version, heads.protocol, heads.ports, heads.src, heads.dst])[where]
        # A dictionary of bytes finds flows in order of appearance, faster than np.unique sorts rows of 38 bytes.
        keys: list[bytes] = np.ascontiguousarray(rows).view("V38").ravel().tolist() if len(rows) else []
        flow[first + where] = [index.setdefault(key, len(index)) for key in keys]
    warnings = list(records.warnings)
    if records.reordered:
        warnings.append(f"frames stamped before their predecessor, set to its time: {records.reordered}")
    for link in sorted({int(link) for link in np.unique(links)} - KNOWN_LINKS):
        warnings.append(f"link type {link} is not read: its frames have no addresses and no hash")
    if portless:
        warnings.append(f"frames captured too short for their ports, hashed by addresses and in no flow: {portless}")
    if oversized := int((sizes > LARGEST_FRAME).sum()):
        warnings.append(f"frames of more than {LARGEST_FRAME} bytes on the wire, taken as they are: {oversized}")
    return Capture(
        times_ps=np.frombuffer(records.times_ps, np.int64),
        sizes=sizes,
        hashes=hashes,
        has_hash=has_hash,
        flow=flow,
        kind=kind,
        payload=payload,
        flows=[flow_text(key) for key in index],
        link_type=records.link_type,
        format=records.format,
        reordered=records.reordered,
        warnings=warnings,
    )


def flow_text(key: bytes) -> str:
    """A flow's key (version, protocol, ports, both addresses in 16 bytes each) as "10.0.0.1:1234 → 10.0.1.1:80 tcp"."""
    version, protocol, sport, dport = key[0], key[1], int.from_bytes(key[2:4], "big"), int.from_bytes(key[4:6], "big")
    if version == 4:
        src, dst = socket.inet_ntop(socket.AF_INET, key[6:10]), socket.inet_ntop(socket.AF_INET, key[22:26])
    else:
        src, dst = (f"[{socket.inet_ntop(socket.AF_INET6, part)}]" for part in (key[6:22], key[22:38]))
    return f"{src}:{sport} → {dst}:{dport} {'tcp' if protocol == TCP else 'udp'}"
