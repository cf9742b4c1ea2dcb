"""Capture files as they lie on disk: finds each record of a pcap or pcapng file, and writes pcap.

Invariant: whatever the bytes, reading ends in ``Records`` with the good part, or in ``CaptureError`` of one line.
"""

from __future__ import annotations

# Why not dpkt's readers: their iterators never hand out the original length of a frame (we need it: snap length),
# their times are floats (about 200 ns apart at today's epoch, where 10 GbE frames are 67 ns apart), a cut last record
# comes out as a whole but short frame, and pcapng's reader knows one interface and reads the rest of the file at a
# block length under 8. The tests use dpkt as the independent reader and writer.
import mmap
import os
import stat
import struct
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

PS_PER_S = 10**12
MAX_FILE = 2_000_000_000  # bytes
MAX_FRAMES = 20_000_000
MAX_RECORD = 262_144  # bytes captured of one frame: libpcap's MAXIMUM_SNAPLEN
MAX_SPAN_PS = 30 * 86_400 * PS_PER_S  # keeps sums of times inside int64, which ends after 106 days

#: magic of pcap → (byte order, ps a unit of the fraction, bytes of a record header); the last pair is Kuznetsov's.
PCAP_MAGICS = {
    bytes.fromhex(magic): (order, unit, header)
    for magic, order, unit, header in (
        ("d4c3b2a1", "<", 1_000_000, 16), ("a1b2c3d4", ">", 1_000_000, 16),
        ("4d3cb2a1", "<", 1_000, 16), ("a1b23c4d", ">", 1_000, 16),
        ("34cdb2a1", "<", 1_000_000, 24), ("a1b2cd34", ">", 1_000_000, 24),
    )
}  # fmt: skip
PCAPNG_MAGIC = b"\n\r\r\n"
PCAPNG_ORDERS = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}


class CaptureError(Exception):
    """The file is no capture we can read; the message is one line for the user."""


@dataclass
class Records:
    """The records of a file, one entry each: ``offset`` and ``captured`` bytes in ``data``, ``original`` bytes on the
    wire, ``times_ps`` since the first (non-decreasing), ``links`` the link type."""

    data: mmap.mmap | bytes
    format: str = "pcap"
    link_type: int = -1  # of the first interface; -1: a pcapng file without one
    offset: array[int] = field(default_factory=lambda: array("q"))
    captured: array[int] = field(default_factory=lambda: array("q"))
    original: array[int] = field(default_factory=lambda: array("q"))
    times_ps: array[int] = field(default_factory=lambda: array("q"))
    links: array[int] = field(default_factory=lambda: array("i"))
    warnings: list[str] = field(default_factory=list)
    reordered: int = 0
    beyond: int = 0  # frames later than MAX_SPAN_PS
    strange: int = 0  # frames whose fraction of a second is a second or more
    first_ps: int | None = None
    last_ps: int = 0

    def add(self, offset: int, captured: int, original: int, time_ps: int | None, link: int, fcs: int = 0) -> None:
        """Append one record; *time_ps* since the epoch, or None when the file has no time for it. The last *fcs* bytes
        of the original frame are its check sequence and do not count."""
        if len(self.offset) >= MAX_FRAMES:
            raise CaptureError(f"more than {MAX_FRAMES // 10**6} million frames")
        if time_ps is not None:
            if self.first_ps is None:
                self.first_ps = time_ps
            time_ps -= self.first_ps
            if time_ps > MAX_SPAN_PS:
                self.beyond += 1
                time_ps = MAX_SPAN_PS
            if time_ps < self.last_ps:
                self.reordered += 1
            else:
                self.last_ps = time_ps
        self.offset.append(offset)
        self.captured.append(captured)
        # A record may claim fewer bytes on the wire than it carries: believe what is there.
        self.original.append(max(original, captured, fcs) - fcs)
        self.times_ps.append(self.last_ps)
        self.links.append(link)

    def cut(self, what: str) -> None:
        """Note that reading stopped early, and why."""
        kept = len(self.offset)
        self.warnings.append(f"{what}: kept {kept} frame{'' if kept == 1 else 's'}")


def looks_like_capture(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins like a pcap or pcapng capture. Never raises; False for what cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False  # opening a pipe could wait for ever
        with open(path, "rb") as file:
            return _is_capture(file.read(12))
    except (OSError, ValueError):
        return False


def _is_capture(head: bytes) -> bool:
    return head[:4] in PCAP_MAGICS or (head[:4] == PCAPNG_MAGIC and head[8:12] in PCAPNG_ORDERS)


def read_records(path: str | os.PathLike[str]) -> Records:
    """Find every whole record of a capture file. CaptureError (one line, with the path) when there is no capture."""
    name = "".join(c if c.isprintable() else "?" for c in os.fsdecode(path))
    try:
        return scan(_map(path))
    except CaptureError as error:
        raise CaptureError(f"{name}: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise CaptureError(f"{name}: {getattr(error, 'strerror', None) or error}") from None


def _map(path: str | os.PathLike[str]) -> mmap.mmap | bytes:
    """The file's bytes, mapped and not read: 2 GB of capture need not be 2 GB of memory."""
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise CaptureError("is a directory, not a capture")
    if not stat.S_ISREG(status.st_mode):
        raise CaptureError("is not a regular file")
    if status.st_size > MAX_FILE:
        raise CaptureError(f"{status.st_size / 1e9:.1f} GB; captures over {MAX_FILE / 1e9:.0f} GB are not read")
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if status.st_size else b""


def scan(data: mmap.mmap | bytes) -> Records:
    """Find every whole record in the bytes of a capture. CaptureError when they are none."""
    head = data[:24]
    if not head:
        raise CaptureError("is empty, not a capture")
    if not _is_capture(head):
        if head[:2] == b"\x1f\x8b":
            raise CaptureError("is compressed with gzip; unpack it first")
        raise CaptureError("is not a capture: neither pcap nor pcapng begins like this")
    if head[:4] == PCAPNG_MAGIC:
        from ixviz.workload.pcapngfile import scan_pcapng  # here: it imports Records from us

        records = scan_pcapng(data)
    else:
        records = _scan_pcap(data)
    if records.strange:
        records.warnings.append(f"timestamps with a fraction of a second over 1 s, added as it is: {records.strange}")
    if records.beyond:
        days = MAX_SPAN_PS // (86_400 * PS_PER_S)
        records.warnings.append(f"frames more than {days} days after the first, set to {days} days: {records.beyond}")
    return records


def _scan_pcap(data: mmap.mmap | bytes) -> Records:
    size, magic = len(data), data[:4]
    order, unit, header = PCAP_MAGICS[magic]
    if size < 24:
        raise CaptureError(f"the file header is cut: {size} of 24 bytes")
    major, minor, link_field = struct.unpack_from(order + "HH12xI", data, 4)
    if (major, minor) < (2, 4) or major > 2:  # before 2.4 the two lengths of a record change places
        raise CaptureError(f"pcap version {major}.{minor} is not read, only 2.4")
    records = Records(data, link_type=link_field & 0xFFFF)
    # Bit 26 says that frames carry a frame check sequence, of as many 16-bit units as the top four bits say.
    fcs = (link_field >> 28) * 2 if link_field & 1 << 26 else 0
    limit = PS_PER_S // unit
    unpack_from, add, position = struct.Struct(order + "IIII").unpack_from, records.add, 24
    while position < size:
        body = position + header
        if body > size:
            records.cut("the last record is cut")
            break
        seconds, fraction, captured, original = unpack_from(data, position)
        if captured > MAX_RECORD:
            records.cut(f"record {len(records.offset) + 1} claims {captured} bytes, which no frame has")
            break
        position = body + captured
        if position > size:
            records.cut("the last record is cut")
            break
        if fraction >= limit:
            records.strange += 1
        add(body, captured, original, seconds * PS_PER_S + fraction * unit, records.link_type, fcs)
    return records


def pcap_bytes(frames: Iterable[tuple[int, bytes]], snap_length: int = 65535, link_type: int = 1) -> Iterator[bytes]:
    """A pcap file of (time in ns since the epoch, frame without FCS), piece by piece: little endian, ns precision.

    Bytes beyond *snap_length* are dropped, the original length is kept. ValueError for a time outside 1970 to 2106.
    """
    yield struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snap_length, link_type)
    for time_ns, frame in frames:
        seconds, fraction = divmod(time_ns, 10**9)
        if not 0 <= seconds < 2**32:
            raise ValueError(f"a pcap time lies in 1970 to 2106, got {time_ns} ns")
        kept = frame[:snap_length]
        yield struct.pack("<IIII", seconds, fraction, len(kept), len(frame)) + kept


def write_pcap(
    path: str | os.PathLike[str], frames: Iterable[tuple[int, bytes]], snap_length: int = 65535, link_type: int = 1
) -> None:
    """Write ``pcap_bytes`` to *path*; link type 1 is Ethernet. Errors: as there, and OSError."""
    with open(path, "wb") as file:
        file.writelines(pcap_bytes(frames, snap_length, link_type))
