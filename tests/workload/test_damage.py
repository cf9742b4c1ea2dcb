"""Damaged captures: the good part and a warning, or CaptureError, never anything else."""

import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_captures import FRAMES, block, interface, packet, pcap, pcapng, read, same, section

from ixviz.workload import pcapfile
from ixviz.workload.capture import CaptureError, looks_like_capture, read_capture


def test_cut_at_every_byte_keeps_the_good_part() -> None:
    for data, first in ((pcap(FRAMES), 24), (pcapng(FRAMES), 28)):
        whole = read(data)
        ends = [first if data[:1] == b"\xd4" else 28 + 20]
        for frame in FRAMES:
            ends.append(ends[-1] + (16 + len(frame) if first == 24 else 32 + len(frame) + -len(frame) % 4))
        assert ends[-1] == len(data)
        for length in range(len(data)):
            if length < first:
                with pytest.raises(CaptureError):
                    read(data[:length])
                continue
            part = read(data[:length])
            kept = sum(end <= length for end in ends[1:])
            assert len(part) == kept and same(part, whole, kept)
            clean = length in (first, *ends)
            told = [f"the last record is cut: kept {kept} frame{'' if kept == 1 else 's'}"]
            assert part.warnings == ([] if clean else told)


def damaged(base: bytes) -> st.SearchStrategy[bytes]:
    """A capture with some bytes changed and perhaps its end cut."""
    edits = st.lists(st.tuples(st.integers(0, len(base) - 1), st.integers(0, 255)), max_size=6)

    def apply(changes: list[tuple[int, int]], length: int) -> bytes:
        changed = bytearray(base)
        for at, value in changes:
            changed[at] = value
        return bytes(changed[:length])

    return st.builds(apply, edits, st.integers(0, len(base)))


MAGICS = [*pcapfile.PCAP_MAGICS, section(), section(">"), section() + interface(), pcap([]), b""]
MAGICS += [pcap([], ">", link=101), pcap([], magic=0xA1B2CD34, link=276)]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(
        damaged(pcap(FRAMES)),
        damaged(pcapng(FRAMES)),
        st.builds(bytes.__add__, st.sampled_from(MAGICS), st.binary(max_size=200)),
    )
)
def test_no_bytes_give_another_exception(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz"
    path.write_bytes(data)
    looks_like_capture(path)
    try:
        capture = read_capture(path)
    except CaptureError as error:
        assert "\n" not in str(error) and str(path) in str(error)
        return
    assert looks_like_capture(path)
    assert (np.diff(capture.times_ps) >= 0).all() and (capture.sizes >= 14).all()
    assert (capture.flow < len(capture.flows)).all() and (capture.flow >= -1).all()
    assert capture.has_hash[capture.flow >= 0].all() and (capture.payload <= capture.sizes).all()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=120), max_size=5), st.sampled_from([0, 1, 12, 101, 108, 113, 228, 229, 276, 9]))
def test_no_frame_raises(frames: list[bytes], link: int) -> None:
    capture = read(pcap(frames, link=link))
    assert len(capture) == len(frames) and (capture.sizes >= 14).all() and (capture.payload <= capture.sizes).all()


def test_an_absurd_length_is_a_cut_and_allocates_nothing() -> None:
    for claim in (262_145, 0x7FFFFFFF, 0xFFFFFFFF):
        bad = pcap(FRAMES[:2]) + struct.pack("<IIII", 5, 9, claim, claim) + bytes(100)
        tracemalloc.start()
        records = pcapfile.scan(bad)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(records.offset) == 2 and peak < 100_000
        assert records.warnings == [f"record 3 claims {claim} bytes, which no frame has: kept 2 frames"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (packet(FRAMES[0], number=1), "a packet of interface 1, which the file does not describe, follows"),
        (block(6, struct.pack("<IIIII", 0, 0, 0, 500, 500)), "record 2 claims 500 bytes, more than its block has"),
        (struct.pack("<III", 5, 0, 0), "a block claims 0 bytes, which no such block has"),
        (struct.pack("<III", 5, 12, 16), "the two lengths of a block differ"),
        (b"\n\r\r\n" + bytes(24), "a section of unknown byte order follows"),
        (struct.pack("<II5xI", 5, 17, 17), "a block claims 17 bytes, which no such block has"),
        (block(6, bytes(16)), "a packet block is too short"),
        (block(1, bytes(4)), "an interface block is too short"),
        (block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 2, 0, -1)), "pcapng version 2.0 is not read, only 1"),
        (section() + packet(FRAMES[0]), "a packet of interface 0, which the file does not describe, follows"),
        (block(3, b""), "a simple packet block without its length or its interface follows"),
    ],
)
def test_damage_in_pcapng_ends_the_reading(bad: bytes, why: str) -> None:
    capture = read(section() + interface() + packet(FRAMES[0]) + bad + packet(FRAMES[1]))
    assert len(capture) == 1 and capture.warnings == [f"{why}: kept 1 frame"]


def test_a_snap_length_cut_counts_and_a_header_alone_is_empty() -> None:
    capture = read(pcap([]))
    assert len(capture) == 0 and capture.flows == [] and capture.warnings == []
    capture = read(pcap([]) + struct.pack("<IIII", 0, 0, 1, 0x40000) + b"0")
    assert len(capture) == 1 and capture.sizes.tolist() == [0x40000]
    assert capture.warnings == ["frames of more than 65549 bytes on the wire, taken as they are: 1"]


def test_what_is_no_capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def error(name: str | Path) -> str:
        assert not looks_like_capture(tmp_path / name) or name in ("short", "old", "huge")
        with pytest.raises(CaptureError) as caught:
            read_capture(tmp_path / name)
        assert "\n" not in str(caught.value)
        return str(caught.value).removeprefix(f"{tmp_path}/")

    for name, data in {
        "zero": b"",
        "text": b"title: Memcached on six cores\n",
        "magic": b"\xde\xad\xbe\xef" + pcap(FRAMES)[4:],
        "short": pcap(FRAMES)[:20],
        "old": struct.pack("<IHH16x", 0xA1B2C3D4, 2, 2),
        "gz": b"\x1f\x8b" + bytes(30),
        "two\nlines": b"x",
    }.items():
        (tmp_path / name).write_bytes(data)
    assert error("zero") == "zero: is empty, not a capture"
    assert error("text") == "text: is not a capture: neither pcap nor pcapng begins like this"
    assert error("magic") == "magic: is not a capture: neither pcap nor pcapng begins like this"
    assert error("short") == "short: the file header is cut: 20 of 24 bytes"
    assert error("old") == "old: pcap version 2.2 is not read, only 2.4"
    assert error("gz") == "gz: is compressed with gzip; unpack it first"
    assert error("two\nlines").startswith("two?lines: is not a capture")
    assert error("nothing") == "nothing: No such file or directory"
    assert "directory" in read_error(tmp_path)
    assert "\0" not in error("a\0b")
    os.mkfifo(tmp_path / "pipe")
    assert error("pipe") == "pipe: is not a regular file"
    with open(tmp_path / "huge", "wb") as file:
        file.write(pcap([]))
        file.truncate(2_000_000_001)  # sparse
    assert error("huge") == "huge: 2.0 GB; captures over 2 GB are not read"
    monkeypatch.setattr(pcapfile, "MAX_FRAMES", 4)
    with pytest.raises(CaptureError, match="more than"):
        read(pcap(FRAMES))


def read_error(path: Path) -> str:
    with pytest.raises(CaptureError) as caught:
        read_capture(path)
    return str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_we_may_not_read(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(pcap([]))
    (tmp_path / "c").chmod(0)
    assert not looks_like_capture(tmp_path / "c")
    assert read_error(tmp_path / "c").endswith("Permission denied")
