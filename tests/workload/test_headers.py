"""Headers of every link layer, option, extension and cut; dpkt checks the checksums."""

import struct

import dpkt
import pytest
from made_captures import A6, B6, FRAMES, A, B, one, pcap, read, same

from ixviz.machine.rss import TCP, UDP, Hasher, hash_input, toeplitz
from ixviz.workload import pcapfile
from ixviz.workload.capture import build_capture
from ixviz.workload.frames import checksum, fragment_frames, ip_packet, tcp_frame, tcp_segment, udp_datagram
from ixviz.workload.headers import Kind


@pytest.mark.parametrize(
    ("link", "head"),
    [
        (12, b""), (14, b""), (101, b""), (228, b""),
        (0, b"\2\0\0\0"), (0, b"\0\0\0\2"), (108, b"\0\0\0\2"),
        (113, bytes(14) + b"\x08\0"), (276, b"\x08\0" + bytes(18)),
        (1, bytes(12) + b"\x08\0"), (1, bytes(12) + b"\x81\0\0\1\x08\0"),
        (1, bytes(12) + b"\x88\xa8\0\1\x81\0\0\2\x08\0"), (1, bytes(12) + b"\x91\0\0\1\x08\0"),
    ],
)  # fmt: skip
def test_every_link_layer_leads_to_the_same_packet(link: int, head: bytes) -> None:
    segment = ip_packet(A, B, TCP, tcp_segment(A, B, 1, 2, "PA", 0, 0, b"abc"))
    capture = one(head + segment, link)
    assert capture.flows == ["10.0.0.1:1 → 10.0.1.1:2 tcp"] and capture.payload.tolist() == [3]
    tags = len(head) - 14 if link == 1 else 0
    assert capture.sizes.tolist() == [14 + tags + len(segment)]
    assert capture.warnings == []


@pytest.mark.parametrize(("link", "head"), [(101, b""), (229, b""), (0, b"\x1e\0\0\0"), (0, b"\0\0\0\x18")])
def test_ipv6_without_ethernet(link: int, head: bytes) -> None:
    capture = one(head + ip_packet(A6, B6, UDP, b"\0\1\0\2\0\x0a\0\0xx"), link)
    assert capture.flows == ["[fd00::2]:1 → [fd00::1:1]:2 udp"] and capture.sizes.tolist() == [14 + 40 + 10]


def test_an_unknown_link_type_is_counted_and_told() -> None:
    capture = one(b"\x45" * 60, 226)
    assert len(capture) == 1 and not capture.has_hash.any() and capture.sizes.tolist() == [60]
    assert capture.warnings == ["link type 226 is not read: its frames have no addresses and no hash"]


# ------------------------------------------------------------------------------------------------------ headers


@pytest.mark.parametrize(
    ("flags", "payload", "kind"),
    [
        ("A", b"", Kind.ACK), ("A", b"x", Kind.DATA), ("PA", b"", Kind.ACK),
        ("SA", b"", Kind.SYN), ("S", b"x", Kind.SYN),
        ("FA", b"x", Kind.FIN), ("R", b"", Kind.RST), ("RA", b"", Kind.RST),
        ("SFR", b"", Kind.RST), ("SF", b"", Kind.SYN),
    ],
)  # fmt: skip
def test_kinds_of_tcp(flags: str, payload: bytes, kind: Kind) -> None:
    capture = one(tcp_frame(A, B, 1, 2, flags, payload=payload))
    assert capture.kind.tolist() == [kind] and capture.payload.tolist() == [len(payload)]


def test_options_are_not_payload() -> None:
    capture = one(tcp_frame(A, B, 1, 2, "A", options=bytes(12)))
    assert capture.kind.tolist() == [Kind.ACK] and capture.payload.tolist() == [0]
    plain = ip_packet(A, B, UDP, b"\0\1\0\2\0\x0b\0\0xyz")
    options = bytes([0x46]) + plain[1:2] + struct.pack(">H", len(plain) + 4) + plain[4:20] + bytes(4) + plain[20:]
    capture = one(options, 101)
    assert capture.flows == ["10.0.0.1:1 → 10.0.1.1:2 udp"] and capture.payload.tolist() == [3]


@pytest.mark.parametrize(
    ("total", "flow", "payload"),
    [(0, 0, 3), (31, 0, 3), (30, 0, 2), (28, 0, 0), (65535, 0, 3), (23, -1, 0), (20, -1, 0), (1, -1, 0)],
)
def test_the_length_in_the_ip_header_bounds_ports_and_payload(total: int, flow: int, payload: int) -> None:
    packet = ip_packet(A, B, UDP, udp_datagram(A, B, 1, 2, b"xyz"))
    capture = one(packet[:2] + struct.pack(">H", total) + packet[4:], 101)
    assert capture.flow.tolist() == [flow] and capture.payload.tolist() == [payload] and capture.has_hash.all()


@pytest.mark.parametrize(("length", "payload"), [(0, 3), (11, 3), (9, 1), (65535, 3)])
def test_the_length_in_the_ipv6_header_bounds_the_payload(length: int, payload: int) -> None:
    packet = ip_packet(A6, B6, UDP, udp_datagram(A6, B6, 1, 2, b"xyz"))
    assert one(packet[:4] + struct.pack(">H", length) + packet[6:], 101).payload.tolist() == [payload]


@pytest.mark.parametrize("first", [0x40, 0x44, 0x55, 0x65])
def test_what_cannot_be_an_ipv4_header_has_no_hash(first: int) -> None:
    packet = ip_packet(A, B, UDP, udp_datagram(A, B, 1, 2, b"xyz"))
    assert one(packet, 228).has_hash.all()
    assert not one(bytes([first]) + packet[1:], 228).has_hash.any()


def extension(following: int, units: int = 0) -> bytes:
    return bytes([following, units]) + bytes(6 + 8 * units)


@pytest.mark.parametrize(
    ("first", "chain"),
    [
        (0, extension(17)), (60, extension(17, 2)), (0, extension(43) + extension(60, 1) + extension(17)),
        (51, bytes([17, 4]) + bytes(22)),
    ],
)  # fmt: skip
def test_extension_headers_are_walked(first: int, chain: bytes) -> None:
    capture = one(ip_packet(A6, B6, first, chain + b"\0\1\0\2\0\x0a\0\0xx"), 101)
    assert capture.flows == ["[fd00::2]:1 → [fd00::1:1]:2 udp"] and capture.payload.tolist() == [2]


@pytest.mark.parametrize(("src", "dst"), [(A, B), (A6, B6)])
def test_fragments_hash_by_addresses_and_belong_to_no_flow(src: str, dst: str) -> None:
    frames = fragment_frames(src, dst, UDP, b"\0\1\0\2" + bytes(2000), ident=3)
    assert len(frames) == 2
    capture = read(pcap(frames))
    assert capture.hashes.tolist() == [toeplitz(hash_input(src, dst))] * 2
    assert capture.flow.tolist() == [-1, -1] and capture.kind.tolist() == [Kind.OTHER] * 2 and capture.warnings == []
    assert not read(pcap(frames), Hasher(("ipv4-udp", "ipv6-udp"))).has_hash.any()


@pytest.mark.parametrize(
    "frame",
    [
        tcp_frame(A, B, 1, 2, "PA", payload=b"abc", options=bytes(8), vlans=[1, 2]),
        fragment_frames(A6, B6, UDP, bytes(100))[0],
        tcp_frame(A6, B6, 1, 2, "S"),
        tcp_frame(A6, B6, 1, 2)[:20] + b"\0" + tcp_frame(A6, B6, 1, 2)[21:54] + extension(6) + extension(6) * 3,
    ],
)
def test_nothing_beyond_the_captured_bytes_decides(frame: bytes) -> None:
    whole, known = one(frame), 0
    for length in range(len(frame) + 1):
        record = struct.pack("<IIII", 5, 0, length, len(frame)) + frame[:length]
        results = []
        for rest in (b"", frame[length:], b"\xff" * 90, b"\x45\x06" * 45):  # what follows in the file, never a record
            records = pcapfile.scan(pcap([]) + record)
            records.data = bytes(records.data) + rest
            results.append(build_capture(records, Hasher()))
        assert all(same(results[0], other, 1) for other in results[1:])
        assert results[0].sizes.tolist() == whole.sizes.tolist()
        now = int(results[0].has_hash[0]) + int(results[0].flow[0] >= 0)
        assert now >= known  # more bytes never make less known
        known = now
    assert known == int(whole.has_hash[0]) + int(whole.flow[0] >= 0) > 0


def test_ports_that_were_not_captured_are_told() -> None:
    frame = tcp_frame(A, B, 1, 2, "S")
    capture = read(pcap([]) + struct.pack("<IIII", 5, 0, 36, 60) + frame[:36])
    assert capture.hashes.tolist() == [toeplitz(hash_input(A, B))] and capture.flow.tolist() == [-1]
    assert capture.warnings == ["frames captured too short for their ports, hashed by addresses and in no flow: 1"]
    snapped = read(pcap([]) + struct.pack("<IIII", 5, 0, 54, 1514) + tcp_frame(A, B, 1, 2, payload=bytes(1460))[:54])
    assert snapped.sizes.tolist() == [1514] and snapped.payload.tolist() == [1460] and snapped.warnings == []


@pytest.mark.parametrize(
    "frame", FRAMES[:3] + FRAMES[4:] + fragment_frames(A, B, UDP, udp_datagram(A, B, 1, 2, bytes(99)))
)
def test_the_checksums_of_our_frames_are_right(frame: bytes) -> None:
    ethernet = dpkt.ethernet.Ethernet(frame)
    packet = ethernet.data
    pseudo = packet.src + packet.dst + struct.pack(">II", len(packet.data), packet.p)
    if isinstance(packet, dpkt.ip.IP):
        assert checksum(bytes(packet)[:20]) == 0
    if not isinstance(packet.data, bytes):
        assert checksum(pseudo + bytes(packet.data)) == 0


def test_a_udp_checksum_of_zero_is_sent_as_ones() -> None:
    sums = {udp_datagram(A, B, 1, 2, struct.pack(">H", data))[6:8] for data in range(65536)}
    assert b"\0\0" not in sums and b"\xff\xff" in sums


@pytest.mark.parametrize(("src", "dst"), [(A, B), (A6, B6)])
def test_fragments_fit_and_join_again(src: str, dst: str) -> None:
    data = bytes(range(256)) * 4
    joined = b""
    for frame in fragment_frames(src, dst, UDP, data, mtu=300):
        assert len(frame) <= 314
        if src == A:
            offset, body = struct.unpack(">H", frame[20:22])[0] & 0x1FFF, frame[34:]
            length = struct.unpack(">H", frame[16:18])[0] - 20
        else:
            offset, body = struct.unpack(">H", frame[56:58])[0] >> 3, frame[62:]
            length = struct.unpack(">H", frame[18:20])[0] - 8
        assert offset * 8 == len(joined)
        joined += body[:length]
    assert joined == data
