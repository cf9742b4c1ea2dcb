"""Builds real frames: Ethernet, VLAN, ARP, IPv4, IPv6, TCP, UDP, as bytes a capture can hold.

Invariant: every length and checksum is right, and no frame is shorter than Ethernet's 60 bytes without FCS.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ixviz.machine.rss import TCP, UDP, address_bytes

MIN_FRAME = 60  # bytes, without the 4 of the FCS
ARP, IPV4, IPV6, VLAN = 0x0806, 0x0800, 0x86DD, 0x8100  # EtherTypes
FRAGMENT = 44  # IPv6 extension header
MSS_OPTION = bytes([2, 4, 1460 >> 8, 1460 & 255])  # what a SYN announces with an MTU of 1500
_FLAGS = {"F": 1, "S": 2, "R": 4, "P": 8, "A": 16}
_BROADCAST = b"\xff" * 6


def checksum(data: bytes) -> int:
    """The Internet checksum (RFC 1071): complement of the ones' complement sum of 16-bit words."""
    if len(data) % 2:
        data += b"\0"
    total: int = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def mac(address: str | bytes) -> bytes:
    """A locally administered MAC address made of the last four bytes of an IP address."""
    return b"\x02\x00" + address_bytes(address)[-4:]


def ethernet(packet: bytes, ethertype: int, dst: bytes, src: bytes, vlans: Sequence[int] = ()) -> bytes:
    """A frame without FCS, padded to 60 bytes, with an 802.1Q tag for each VLAN number, outermost first."""
    tags = b"".join(struct.pack(">HH", VLAN, number) for number in vlans)
    return (dst + src + tags + struct.pack(">H", ethertype) + packet).ljust(MIN_FRAME, b"\0")


def ip_packet(
    src: str, dst: str, protocol: int, payload: bytes, ident: int = 0, fragment: tuple[int, bool] | None = None
) -> bytes:
    """An IPv4 or IPv6 packet, as the addresses are. *fragment* is (offset in bytes, more follow); an offset is a
    multiple of 8."""
    source, destination = address_bytes(src), address_bytes(dst)
    offset, more = fragment or (0, False)
    if len(source) == 16:
        if fragment is not None:
            payload = struct.pack(">BxHI", protocol, offset | more, ident) + payload
            protocol = FRAGMENT
        return struct.pack(">IHBB", 6 << 28, len(payload), protocol, 64) + source + destination + payload
    bits = more << 13 | offset >> 3 if fragment else 1 << 14  # don't fragment
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), ident, bits, 64, protocol, 0) + source + destination
    return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + payload


def ip_frame(src: str, dst: str, packet: bytes, vlans: Sequence[int] = ()) -> bytes:
    """The Ethernet frame of an IP packet."""
    return ethernet(packet, IPV4 if packet[0] >> 4 == 4 else IPV6, mac(dst), mac(src), vlans)


def _transport_checksum(src: str, dst: str, protocol: int, segment: bytes) -> bytes:
    source, destination = address_bytes(src), address_bytes(dst)
    layout = ">BBH" if len(source) == 4 else ">HBBI"  # the pseudo header; only its sum matters
    numbers = (0, protocol, len(segment)) if len(source) == 4 else (0, 0, protocol, len(segment))
    return struct.pack(">H", checksum(source + destination + struct.pack(layout, *numbers) + segment))


def tcp_segment(
    src: str, dst: str, sport: int, dport: int, flags: str, seq: int, ack: int, payload: bytes, options: bytes = b""
) -> bytes:
    """A TCP segment; *flags* are letters of FSRPA; *options* a multiple of four bytes. KeyError for another letter."""
    bits = sum(_FLAGS[letter] for letter in set(flags))
    words = (20 + len(options)) // 4
    head = struct.pack(">HHIIBBHHH", sport, dport, seq % 2**32, ack % 2**32, words << 4, bits, 65535, 0, 0) + options
    total = _transport_checksum(src, dst, TCP, head + payload)
    return head[:16] + total + head[18:] + payload


def udp_datagram(src: str, dst: str, sport: int, dport: int, payload: bytes) -> bytes:
    """A UDP datagram. A checksum of zero is sent as all ones (RFC 768: zero means none)."""
    head = struct.pack(">HHHH", sport, dport, 8 + len(payload), 0)
    total = _transport_checksum(src, dst, UDP, head + payload)
    return head[:6] + (total if total != b"\0\0" else b"\xff\xff") + payload


def tcp_frame(
    src: str, dst: str, sport: int, dport: int, flags: str = "A", seq: int = 0, ack: int = 0, payload: bytes = b"",
    options: bytes = b"", ident: int = 0, vlans: Sequence[int] = (),
) -> bytes:  # fmt: skip
    """A TCP segment in its packet and frame."""
    segment = tcp_segment(src, dst, sport, dport, flags, seq, ack, payload, options)
    return ip_frame(src, dst, ip_packet(src, dst, TCP, segment, ident), vlans)


def udp_frame(
    src: str, dst: str, sport: int, dport: int, payload: bytes = b"", ident: int = 0, vlans: Sequence[int] = ()
) -> bytes:
    """A UDP datagram in its packet and frame."""
    return ip_frame(src, dst, ip_packet(src, dst, UDP, udp_datagram(src, dst, sport, dport, payload), ident), vlans)


def fragment_frames(src: str, dst: str, protocol: int, payload: bytes, ident: int = 0, mtu: int = 1500) -> list[bytes]:
    """The frames of one packet cut to *mtu*: of a packet that fits, a single fragment frame."""
    room = mtu - (20 if len(address_bytes(src)) == 4 else 48) & ~7
    packets = (
        ip_packet(src, dst, protocol, payload[at : at + room], ident, (at, at + room < len(payload)))
        for at in range(0, len(payload), room)
    )
    return [ip_frame(src, dst, packet) for packet in packets]


def arp_frame(sender: str, target: str) -> bytes:
    """A broadcast ARP request: who has *target*, tell *sender*."""
    body = struct.pack(">HHBBH", 1, IPV4, 6, 4, 1) + mac(sender) + address_bytes(sender)
    return ethernet(body + b"\0" * 6 + address_bytes(target), ARP, _BROADCAST, mac(sender))
