"""Captures made here, in every format; dpkt is the independent writer and reader."""

import importlib.util
import io
import socket
import struct
from pathlib import Path

import dpkt
import numpy as np
import pytest
from made_captures import A6, B6, FRAMES, T0, A, B, block, interface, packet, pcap, pcapng, read, same, section

from ixviz.machine.rss import FrameKey, Hasher, hash_input, toeplitz
from ixviz.workload.capture import looks_like_capture, read_capture, write_pcap
from ixviz.workload.frames import tcp_frame
from ixviz.workload.headers import Kind

ASSETS = Path(__file__).parents[2] / "assets"


def test_what_is_in_a_frame(tmp_path: Path) -> None:
    write_pcap(tmp_path / "c", [(T0 + 70 * i, frame) for i, frame in enumerate(FRAMES)])
    capture = read_capture(tmp_path / "c", Hasher())
    assert len(capture) == 5
    assert capture.format == "pcap" and capture.link_type == 1 and capture.warnings == []
    assert capture.times_ps.tolist() == [0, 70_000, 140_000, 210_000, 280_000]
    assert capture.sizes.tolist() == [60, 60, 60, 60, 14 + 8 + 40 + 20]
    assert capture.kind.tolist() == [Kind.SYN, Kind.DATA, Kind.DATA, Kind.OTHER, Kind.ACK]
    assert capture.payload.tolist() == [0, 5, 5, 0, 0]
    assert capture.flow.tolist() == [0, 0, 1, -1, 2]
    assert capture.flows == [
        "10.0.0.1:1234 → 10.0.1.1:80 tcp",
        "10.0.0.1:53 → 10.0.1.1:53 udp",
        "[fd00::2]:9 → [fd00::1:1]:80 tcp",
    ]
    assert capture.has_hash.tolist() == [True, True, True, False, True]
    expected = [(A, B, 1234, 80), (A, B, 1234, 80), (A, B, 53, 53), None, (A6, B6, 9, 80)]
    assert capture.hashes.tolist() == [toeplitz(hash_input(*t)) if t else 0 for t in expected]
    types = [(a.dtype.name) for a in (capture.times_ps, capture.hashes, capture.has_hash)]
    assert types == ["int64", "uint32", "bool"]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("magic", "unit"), [(0xA1B2C3D4, 10**6), (0xA1B23C4D, 10**3), (0xA1B2CD34, 10**6)])
def test_both_byte_orders_and_all_resolutions(order: str, magic: int, unit: int) -> None:
    capture = read(pcap(FRAMES, order, magic, step=3))
    assert capture.times_ps.tolist() == [3 * unit * i for i in range(5)]
    assert same(capture, read(pcap(FRAMES, magic=magic, step=3)), 5)
    assert len(capture.flows) == 3


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcapng_says_what_pcap_says(order: str) -> None:
    capture = read(pcapng(FRAMES, order))
    assert capture.format == "pcapng" and capture.warnings == []
    assert same(capture, read(pcap(FRAMES)), 5)


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "x.pcap").write_bytes(pcapng(FRAMES))
    (tmp_path / "x.yaml").write_bytes(pcap(FRAMES))
    assert read_capture(tmp_path / "x.pcap").format == "pcapng"
    assert read_capture(str(tmp_path / "x.yaml")).format == "pcap"
    assert looks_like_capture(tmp_path / "x.pcap") and looks_like_capture(tmp_path / "x.yaml")


def test_dpkt_reads_what_we_write(tmp_path: Path) -> None:
    write_pcap(tmp_path / "c", [(T0 + i, frame) for i, frame in enumerate(FRAMES)])
    with open(tmp_path / "c", "rb") as file:
        assert [bytes(frame) for _, frame in dpkt.pcap.Reader(file)] == FRAMES


def test_we_read_what_dpkt_writes() -> None:
    for writer in (dpkt.pcap.Writer, dpkt.pcapng.Writer):
        buffer = io.BytesIO()
        writer(buffer).writepkts([(100 + i, frame) for i, frame in enumerate(FRAMES)])
        capture = read(buffer.getvalue())
        assert (capture.times_ps // 10**12).tolist() == [0, 1, 2, 3, 4]
        expected = read(pcap(FRAMES))
        for column in ("sizes", "hashes", "flow", "kind", "payload"):
            assert np.array_equal(getattr(capture, column), getattr(expected, column))


def test_clocks_of_pcapng() -> None:
    def option(code: int, value: bytes) -> bytes:
        return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)

    data = section()
    data += interface(options=option(2, b"eth") + option(9, b"\x09") + option(0, b""))  # ns, after a padded name
    data += interface(options=option(9, b"\x8a"), link=101)  # 2 ** -10 s
    data += interface(options=option(14, struct.pack("<q", 2)))  # µs, two seconds later
    data += packet(FRAMES[0], 10**9) + packet(FRAMES[1][14:], 1536, number=1) + packet(FRAMES[2], 10, number=2)
    data += block(3, struct.pack("<I", len(FRAMES[3])) + FRAMES[3])  # simple: no time
    capture = read(data)
    assert capture.times_ps.tolist() == [0, 500 * 10**9, 10**12 + 10**7, 10**12 + 10**7]
    assert capture.warnings == ["simple packet blocks come without a time: set to their predecessor's"]
    assert capture.flow.tolist() == [0, 0, 1, -1]


def test_other_packet_blocks_and_sections() -> None:
    data = section() + interface(snap=60)
    data += block(3, struct.pack("<I", 1500) + FRAMES[0])  # simple: what was captured follows from the snap length
    data += block(2, struct.pack("<HHIIII", 0, 9, 0, 7, 60, 60) + FRAMES[1])  # obsolete: 9 drops
    data += section(">") + interface(">", link=101) + packet(FRAMES[2][14:], 8, ">")
    capture = read(data)
    assert capture.sizes.tolist() == [1500, 60, 60] and capture.flow.tolist() == [0, 0, 1]
    assert capture.times_ps.tolist() == [0, 0, 10**6]


def test_a_record_carries_at_least_what_is_there() -> None:
    assert read(pcap([]) + struct.pack("<IIII", 0, 0, 60, 5) + FRAMES[0]).sizes.tolist() == [60]


def test_blocks_of_frames_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(pcap(FRAMES * 3))
    monkeypatch.setattr("ixviz.workload.capture.BLOCK", 4)
    blocks = read(pcap(FRAMES * 3))
    assert same(blocks, whole, 15) and blocks.flows == whole.flows


def test_a_frame_check_sequence_does_not_count() -> None:
    with_fcs = pcap([FRAMES[0] + b"fcs!"], link=1 | 1 << 26 | 2 << 28)
    assert read(with_fcs).sizes.tolist() == [60] and read(with_fcs).link_type == 1
    option = struct.pack("<HHB3x", 13, 1, 4)
    assert read(section() + interface(options=option) + packet(FRAMES[0] + b"fcs!")).sizes.tolist() == [60]


# ------------------------------------------------------------------------------------------------------ times


def test_a_frame_before_its_predecessor_gets_its_time() -> None:
    records = [(10, 0), (12, 5), (11, 0), (12, 4), (13, 0)]
    data = pcap([]) + b"".join(struct.pack("<IIII", s, us, 60, 60) + FRAMES[0] for s, us in records)
    capture = read(data)
    late = 2 * 10**12 + 5 * 10**6
    assert capture.times_ps.tolist() == [0, late, late, late, 3 * 10**12]
    assert capture.reordered == 2
    assert capture.warnings == ["frames stamped before their predecessor, set to its time: 2"]


def test_too_many_microseconds_are_added_as_they_are() -> None:
    data = pcap([]) + b"".join(struct.pack("<IIII", 1, us, 60, 60) + FRAMES[0] for us in (0, 1_500_000))
    capture = read(data)
    assert capture.times_ps.tolist() == [0, 1_500_000 * 10**6]
    assert capture.warnings == ["timestamps with a fraction of a second over 1 s, added as it is: 1"]


def test_years_between_frames_stay_inside_int64() -> None:
    data = pcap([]) + b"".join(struct.pack("<IIII", s, 0, 60, 60) + FRAMES[0] for s in (0, 2**32 - 1, 2**32 - 1))
    capture = read(data)
    assert capture.times_ps.tolist() == [0, *[30 * 86400 * 10**12] * 2]
    assert capture.warnings == ["frames more than 30 days after the first, set to 30 days: 2"]


def test_write_pcap_keeps_the_original_length(tmp_path: Path) -> None:
    write_pcap(tmp_path / "c", [(0, tcp_frame(A, B, 1, 2, payload=bytes(1000)))], snap_length=60)
    capture = read_capture(tmp_path / "c")
    assert capture.sizes.tolist() == [1054] and (tmp_path / "c").stat().st_size == 24 + 16 + 60
    with pytest.raises(ValueError, match="1970 to 2106"):
        write_pcap(tmp_path / "d", [(-1, b"")])


# --------------------------------------------------------------------------------------------------- our capture


def test_our_capture_is_what_its_generator_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_capture", ASSETS / "make_capture.py")
    assert spec and spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    generator.main(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (ASSETS / "web-and-cache.pcap").read_bytes()


def test_our_capture_has_something_of_everything() -> None:
    path = ASSETS / "web-and-cache.pcap"
    capture = read_capture(path)
    assert 380 <= len(capture) <= 420 and path.stat().st_size < 60_000
    assert 2.5e9 < capture.times_ps[-1] < 3e9 and capture.warnings == []
    assert set(capture.kind.tolist()) == set(Kind)
    assert int((~capture.has_hash).sum()) == 1  # the ARP request
    assert int((capture.has_hash & (capture.flow < 0)).sum()) == 2  # the fragments
    assert sum(flow.startswith("[") for flow in capture.flows) == 1


def test_dpkt_and_we_agree_on_our_capture() -> None:
    path = ASSETS / "web-and-cache.pcap"
    capture, hasher = read_capture(path), Hasher()
    with open(path, "rb") as file:
        frames = [bytes(frame) for _, frame in dpkt.pcap.Reader(file)]
    assert len(frames) == len(capture)
    for i, frame in enumerate(frames):
        packet = dpkt.ethernet.Ethernet(frame).data
        if not isinstance(packet, dpkt.ip.IP | dpkt.ip6.IP6):
            assert not capture.has_hash[i]
            continue
        transport = packet.data
        ports = (transport.sport, transport.dport) if isinstance(transport, dpkt.tcp.TCP | dpkt.udp.UDP) else ()
        if isinstance(packet, dpkt.ip.IP) and (packet.mf or packet.offset):
            ports = ()
        assert hasher.hash(FrameKey(packet.src, packet.dst, packet.p, *ports)) == capture.hashes[i]
        assert (capture.flow[i] >= 0) == bool(ports)
        if ports:
            family = socket.AF_INET if len(packet.src) == 4 else socket.AF_INET6
            assert socket.inet_ntop(family, packet.src) in capture.flows[capture.flow[i]]
            assert f":{ports[0]} →" in capture.flows[capture.flow[i]]
