"""Reads the headers of many frames at once: link layer, VLAN tags, IPv4 and IPv6, TCP and UDP.

Invariant: no byte beyond what was captured of a frame decides anything; a cut header only makes less known.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from ixviz.machine.rss import TCP, UDP

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

ETHERNET, NULL, LOOP, SLL, SLL2, RAW_IPV4, RAW_IPV6 = 1, 0, 108, 113, 276, 228, 229
RAW = (12, 14, 101)  # DLT_RAW on BSD and OpenBSD, and its registered number
KNOWN_LINKS = frozenset((ETHERNET, NULL, LOOP, SLL, SLL2, RAW_IPV4, RAW_IPV6, *RAW))
IPV4, IPV6 = 0x0800, 0x86DD  # EtherTypes
VLAN_TYPES = (0x8100, 0x88A8, 0x9100)  # 802.1Q, 802.1ad, and QinQ from before the standard
MAX_VLANS, MAX_EXTENSIONS = 4, 8  # deeper nesting is not traffic but an attack on parsers
HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION = 0, 43, 44, 51, 60
ETHERNET_HEADER = 14  # bytes


class Kind(IntEnum):
    """What a frame is to TCP. RST wins over SYN, SYN over FIN; DATA is TCP or UDP payload; OTHER all that is neither
    TCP nor UDP, or a fragment, or cut before the flags."""

    DATA = 0
    ACK = 1
    SYN = 2
    FIN = 3
    RST = 4
    OTHER = 5


@dataclass(frozen=True, eq=False)
class Headers:
    """n frames: ``version`` 4, 6 or 0, ``protocol``, ``src`` and ``dst`` [n, 16] (IPv4 in the first four bytes),
    ``ports`` [n, 4] big endian where ``has_ports``, ``kind``, transport ``payload`` and Ethernet ``size`` in bytes;
    ``portless`` are the TCP and UDP frames, not fragments, whose ports were not captured."""

    version: U8
    protocol: U8
    src: U8
    dst: U8
    ports: U8
    has_ports: Bools
    fragment: Bools
    portless: Bools
    kind: U8
    payload: I64
    size: I64


class _Bytes:
    """Big-endian numbers at arrays of positions. A position beyond the file reads its last byte: callers mask those."""

    def __init__(self, data: U8) -> None:
        self.data = data

    def u8(self, at: I64) -> I64:
        return self.data.take(at, mode="clip").astype(np.int64)

    def u16(self, at: I64) -> I64:
        return self.u8(at) << 8 | self.u8(at + 1)

    def block(self, at: I64, length: int) -> U8:
        return self.data.take(at[:, None] + np.arange(length), mode="clip")


def _network_layer(read: _Bytes, link: int, start: I64, end: I64) -> tuple[I64, I64, int]:
    """For frames of one link type: EtherType (0: unknown), start of the network layer, length of the link header."""
    if link in (ETHERNET, SLL, SLL2):
        header, at = {ETHERNET: (14, 12), SLL: (16, 14), SLL2: (20, 0)}[link]
        ethertype = np.where(start + header <= end, read.u16(start + at), 0)
    elif link in RAW or link in (NULL, LOOP):
        # The family before a loopback frame differs by system (IPv6 has five numbers): the version nibble says it.
        header = 4 if link in (NULL, LOOP) else 0
        nibble = np.where(start + header < end, read.u8(start + header) >> 4, 0)
        ethertype = np.select([nibble == 4, nibble == 6], [IPV4, IPV6], 0)
    elif link in (RAW_IPV4, RAW_IPV6):
        header, ethertype = 0, np.full(len(start), IPV4 if link == RAW_IPV4 else IPV6)
    else:
        return np.zeros(len(start), dtype=np.int64), start, ETHERNET_HEADER
    layer = start + header
    for _ in range(MAX_VLANS):
        tagged = np.isin(ethertype, VLAN_TYPES)
        if not tagged.any():
            break
        inner = np.where(layer + 4 <= end, read.u16(layer + 2), 0)
        ethertype = np.where(tagged, inner, ethertype)
        layer = np.where(tagged, layer + 4, layer)
    return ethertype.astype(np.int64), layer, header


def read_headers(data: U8, start: I64, captured: I64, original: I64, links: npt.NDArray[Any]) -> Headers:
    """Read the frames that begin at *start* in *data*, of which *captured* of *original* bytes are there.

    All arrays have shape [n]; *data* must not be empty. Never raises for what the frames contain. ``size`` of a frame
    without an Ethernet header is as if it had one; a frame is not padded to Ethernet's minimum.
    """
    n, read, end = len(start), _Bytes(data), start + captured
    ethertype, layer = np.zeros(n, dtype=np.int64), start.copy()
    size = original.copy()
    for link in np.unique(links):
        of_link = np.flatnonzero(links == link)
        ethertype[of_link], layer[of_link], header = _network_layer(read, int(link), start[of_link], end[of_link])
        size[of_link] = np.maximum(original[of_link] - header, 0) + ETHERNET_HEADER
    version, protocol = np.zeros(n, dtype=np.uint8), np.zeros(n, dtype=np.uint8)
    src, dst = np.zeros((n, 16), dtype=np.uint8), np.zeros((n, 16), dtype=np.uint8)
    fragment, whole_chain = np.zeros(n, dtype=np.bool_), np.ones(n, dtype=np.bool_)
    transport, ip_end = end.copy(), end.copy()  # where TCP begins; where IP ends on the wire, maybe beyond end
    wire_end = start + original

    at = layer
    found = (ethertype == IPV4) & (at + 20 <= end) & (read.u8(at) >> 4 == 4) & (read.u8(at) & 15 >= 5)
    if len(i := np.flatnonzero(found)):
        ip = layer[i]
        version[i], protocol[i] = 4, read.u8(ip + 9)
        src[i, :4], dst[i, :4] = read.block(ip + 12, 4), read.block(ip + 16, 4)
        fragment[i] = read.u16(ip + 6) & 0x3FFF != 0  # more fragments, or an offset
        transport[i] = ip + (read.u8(ip) & 15) * 4
        total = read.u16(ip + 2)  # 0: the sender's NIC was to fill it in (segmentation offload)
        ip_end[i] = np.where(total > 0, ip + total, wire_end[i])

    found = (ethertype == IPV6) & (at + 40 <= end) & (read.u8(at) >> 4 == 6)
    if len(i := np.flatnonzero(found)):
        ip = layer[i]
        version[i] = 6
        src[i], dst[i] = read.block(ip + 8, 16), read.block(ip + 24, 16)
        length = read.u16(ip + 4)  # 0: a jumbogram, or offload
        ip_end[i] = np.where(length > 0, ip + 40 + length, wire_end[i])
        protocol[i], transport[i], fragment[i], whole_chain[i] = _extensions(read, read.u8(ip + 6), ip + 40, end[i])

    ip_end = np.minimum(ip_end, wire_end)  # what follows the IP packet is Ethernet's padding
    is_tcp, is_udp = (version > 0) & (protocol == TCP), (version > 0) & (protocol == UDP)
    ours = (is_tcp | is_udp) & ~fragment
    known_end = np.minimum(end, ip_end)
    has_ports = ours & whole_chain & (transport + 4 <= known_end)
    ports = np.zeros((n, 4), dtype=np.uint8)
    if len(i := np.flatnonzero(has_ports)):
        ports[i] = read.block(transport[i], 4)
    has_flags = has_ports & is_tcp & (transport + 14 <= known_end)
    flags = np.where(has_flags, read.u8(transport + 13), 0)
    tcp_header = np.where(has_flags, read.u8(transport + 12) >> 4 << 2, 20)
    payload = np.maximum(ip_end - transport - np.where(is_tcp, np.maximum(tcp_header, 20), 8), 0)
    payload = np.where(has_ports, payload, 0)
    kind = np.select(
        [is_udp & has_ports, ~has_flags, flags & 4 != 0, flags & 2 != 0, flags & 1 != 0, payload > 0],
        [Kind.DATA, Kind.OTHER, Kind.RST, Kind.SYN, Kind.FIN, Kind.DATA],
        Kind.ACK,
    ).astype(np.uint8)
    return Headers(version, protocol, src, dst, ports, has_ports, fragment, ours & ~has_ports, kind, payload, size)


def _extensions(read: _Bytes, following: I64, at: I64, end: I64) -> tuple[I64, I64, Bools, Bools]:
    """Walk IPv6 extension headers: the protocol found, where it begins, is it a fragment, was the chain captured."""
    fragment, whole = np.zeros(len(at), dtype=np.bool_), np.ones(len(at), dtype=np.bool_)
    for _ in range(MAX_EXTENSIONS):
        is_extension = np.isin(following, (HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION))
        is_extension &= whole & ~fragment  # behind a later fragment's header lies payload, not a header
        if not is_extension.any():
            break
        fragment |= is_extension & (following == FRAGMENT)
        whole &= ~is_extension | (at + 8 <= end)
        units = read.u8(at + 1)
        length = np.select([following == FRAGMENT, following == AUTHENTICATION], [8, (units + 2) * 4], (units + 1) * 8)
        step = is_extension & whole
        following, at = np.where(step, read.u8(at), following), np.where(step, at + length, at)
    return following, at, fragment, whole
