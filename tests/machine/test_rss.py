"""RSS against values nobody here computed: Microsoft's verification table, and a bit-by-bit Toeplitz hash."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.machine.rss import (
    DEFAULT_KEY,
    HASH_TYPES,
    TCP,
    UDP,
    FrameKey,
    Hasher,
    address_bytes,
    default_reta,
    hash_input,
    toeplitz,
    toeplitz_many,
    tuples_for_clients,
)

# Microsoft, "Verifying the RSS hash calculation" (learn.microsoft.com, network driver documentation).
MICROSOFT = [
    ("66.9.149.187", "161.142.100.80", 2794, 1766, 0x323E8FC2, 0x51CCC178),
    ("199.92.111.2", "65.69.140.83", 14230, 4739, 0xD718262A, 0xC626B0EA),
    ("24.19.198.95", "12.22.207.184", 12898, 38024, 0xD2D0A5DE, 0x5C2B394A),
    ("38.27.205.30", "209.142.163.6", 48228, 2217, 0x82989176, 0xAFC7327F),
    ("153.39.163.191", "202.188.127.2", 44251, 1303, 0x5D1809C5, 0x10E828A2),
    ("3ffe:2501:200:1fff::7", "3ffe:2501:200:3::1", 2794, 1766, 0x2CC18CD5, 0x40207D3D),
]


def bitwise(data: bytes, key: bytes) -> int:
    """The definition: for each set bit of the input, XOR the 32 key bits that begin there."""
    whole, bits, result = int.from_bytes(key, "big"), len(key) * 8, 0
    for i in range(len(data) * 8):
        if data[i // 8] >> (7 - i % 8) & 1:
            result ^= whole >> (bits - 32 - i) & 0xFFFFFFFF
    return result


def key_of(src: str, dst: str, protocol: int = TCP, sport: int | None = None, dport: int | None = None) -> FrameKey:
    return FrameKey(address_bytes(src), address_bytes(dst), protocol, sport, dport)


@pytest.mark.parametrize(("src", "dst", "sport", "dport", "by_address", "by_ports"), MICROSOFT)
def test_the_published_vectors(src: str, dst: str, sport: int, dport: int, by_address: int, by_ports: int) -> None:
    assert toeplitz(hash_input(src, dst)) == by_address
    assert toeplitz(hash_input(src, dst, sport, dport)) == by_ports
    rows = np.frombuffer(hash_input(src, dst, sport, dport), dtype=np.uint8)[None]
    assert toeplitz_many(rows).tolist() == [by_ports]


@given(st.binary(max_size=36), st.binary(min_size=40, max_size=40))
def test_the_tables_hold_what_the_definition_says(data: bytes, key: bytes) -> None:
    assert toeplitz(data, key) == bitwise(data, key)
    assert toeplitz_many(np.frombuffer(data, dtype=np.uint8).reshape(1, -1), key).tolist() == [bitwise(data, key)]


def test_input_longer_than_the_key_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 36 bytes, got 37"):
        toeplitz(bytes(37))
    with pytest.raises(ValueError, match="at most 36 bytes, got 37"):
        toeplitz_many(np.zeros((1, 37), dtype=np.uint8))
    with pytest.raises(ValueError, match="uint8"):
        toeplitz_many(np.zeros((1, 12), dtype=np.int64))


def test_all_types_are_on_by_default_and_ix_has_two() -> None:
    src, dst, sport, dport, by_address, by_ports = MICROSOFT[0]
    everything, ix = Hasher(), Hasher(("ipv4-tcp", "ipv4-udp"))
    assert everything.enabled == set(HASH_TYPES)
    for protocol in (TCP, UDP):
        assert everything.hash(key_of(src, dst, protocol, sport, dport)) == by_ports
        assert ix.hash(key_of(src, dst, protocol, sport, dport)) == by_ports
    assert everything.hash(key_of(src, dst, 1)) == by_address  # ICMP
    assert ix.hash(key_of(src, dst, 1)) is None
    assert everything.hash(key_of(src, dst, TCP)) == by_address  # a fragment has no ports
    assert ix.hash(key_of(src, dst, TCP)) is None
    assert everything.hash(FrameKey(b"", b"")) is None  # no IP
    src, dst, sport, dport, by_address, by_ports = MICROSOFT[5]
    assert everything.hash(key_of(src, dst, TCP, sport, dport)) == by_ports
    assert ix.hash(key_of(src, dst, TCP, sport, dport)) is None


def test_a_transport_that_is_off_falls_back_to_addresses() -> None:
    src, dst, sport, dport, by_address, _ = MICROSOFT[1]
    assert Hasher(("ipv4-tcp", "ipv4")).hash(key_of(src, dst, UDP, sport, dport)) == by_address
    assert Hasher(("ipv4-tcp", "ipv6")).hash(key_of(src, dst, UDP, sport, dport)) is None


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(ValueError, match="unknown hash type 'ipv5'; known: ipv4-tcp"):
        Hasher(("ipv4", "ipv5"))


ONE_FRAME = st.tuples(
    st.sampled_from([0, 4, 6]), st.sampled_from([1, TCP, UDP]), st.booleans(), st.binary(min_size=36, max_size=36)
)


@given(st.sets(st.sampled_from(HASH_TYPES)), st.lists(ONE_FRAME))
def test_many_frames_hash_as_each_does(enabled: set[str], frames: list[tuple[int, int, bool, bytes]]) -> None:
    frames = [(ip, number, ports and number != 1 and ip > 0, data) for ip, number, ports, data in frames]
    raw = np.array([list(frame[3]) for frame in frames], dtype=np.uint8).reshape(-1, 36)
    version, protocol = (np.array([frame[i] for frame in frames], dtype=np.uint8) for i in (0, 1))
    has_ports = np.array([frame[2] for frame in frames], dtype=bool)
    hasher = Hasher(enabled)
    hashes, has_hash = hasher.hash_many(version, protocol, has_ports, raw[:, :16], raw[:, 16:32], raw[:, 32:])
    for i, (ip, number, ports, data) in enumerate(frames):
        length = {0: 0, 4: 4, 6: 16}[ip]
        sport, dport = int.from_bytes(data[32:34], "big"), int.from_bytes(data[34:], "big")
        key = FrameKey(data[:length], data[16 : 16 + length], number, *((sport, dport) if ports else ()))
        expected = hasher.hash(key)
        assert bool(has_hash[i]) == (expected is not None)
        assert hashes[i] == (expected or 0)


def test_the_default_table_deals_the_queues_out_in_turn() -> None:
    assert default_reta(3)[:5] == [0, 1, 2, 0, 1]
    counts = {n: np.bincount(default_reta(n), minlength=n).tolist() for n in range(1, 17)}
    assert counts[3] == [43, 43, 42]
    assert counts[6] == [22, 22, 21, 21, 21, 21]
    assert all(sum(c) == 128 and max(c) - min(c) <= 1 for c in counts.values())
    assert default_reta(2, size=4) == [0, 1, 0, 1]
    with pytest.raises(ValueError, match="at least one queue"):
        default_reta(0)


def test_connections_of_clients() -> None:
    src, sport, hashes = tuples_for_clients(100, clients=24, first_port=40000)
    assert (src[0], src[23], src[24]) == (0x0A000001, 0x0A000018, 0x0A000001)
    assert (sport[0], sport[23], sport[24], sport[99]) == (40000, 40000, 40001, 40004)
    assert len({*zip(src.tolist(), sport.tolist(), strict=True)}) == 100
    for i in (0, 1, 24, 99):
        assert hashes[i] == toeplitz(hash_input(f"10.0.0.{i % 24 + 1}", "10.0.1.1", int(sport[i]), 11211))


def test_connections_at_scale_and_at_the_edges() -> None:
    assert len(set((tuples_for_clients(250_000).hash & 127).tolist())) == 128
    assert len(tuples_for_clients(0).hash) == 0
    assert tuples_for_clients(1, clients=1, first_port=65535).sport.tolist() == [65535]
    with pytest.raises(ValueError, match="ports 65535 to 65536"):
        tuples_for_clients(2, clients=1, first_port=65535)
    with pytest.raises(ValueError, match="IPv4"):
        tuples_for_clients(1, server="fd00::1")


@pytest.mark.parametrize("address", ["10.0.0", "10.0.0.256", "x", "", "fd00:::1", "10.0.0.1\0", b"123"])
def test_what_is_no_address(address: str | bytes) -> None:
    with pytest.raises(ValueError):
        address_bytes(address)


def test_hash_input_wants_a_pair() -> None:
    assert len(DEFAULT_KEY) == 40
    with pytest.raises(ValueError, match="both ports"):
        hash_input("10.0.0.1", "10.0.1.1", 1)
    with pytest.raises(ValueError, match="different IP versions"):
        hash_input("10.0.0.1", "fd00::1")
