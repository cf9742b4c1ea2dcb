"""The blocks of a pcapng file: sections, interfaces, and the three kinds of packet block.

Invariant: as in pcapfile.py. A block is used only when it lies in the file as a whole and its two lengths agree.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass

from ixviz.workload.pcapfile import MAX_RECORD, PCAPNG_MAGIC, PCAPNG_ORDERS, PS_PER_S, CaptureError, Records

SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, ENHANCED_PACKET = 0x0A0D0D0A, 1, 2, 3, 6
TSRESOL, FCSLEN, TSOFFSET = 9, 13, 14  # options of an interface


@dataclass(slots=True)
class Interface:
    """An interface: its clock has *ticks* a second; *offset_ps* is added; *fcs* bytes end a frame."""

    link_type: int
    snap_length: int
    ticks: int = 10**6
    offset_ps: int = 0
    fcs: int = 0


def scan_pcapng(data: mmap.mmap | bytes) -> Records:
    """Find every packet in the bytes of a pcapng file. CaptureError when not even its section header is whole."""
    size, records, position = len(data), Records(data, format="pcapng"), 0
    order, interfaces = "<", list[Interface]()
    while position < size:
        if position + 12 > size:
            return _stop(records, position, "the last record is cut")
        new_section = data[position : position + 4] == PCAPNG_MAGIC
        if new_section:
            order = PCAPNG_ORDERS.get(data[position + 8 : position + 12], "")
            if not order:
                return _stop(records, position, "a section of unknown byte order follows")
            interfaces = []
        kind, length = struct.unpack_from(order + "II", data, position)
        end = position + length
        if length < (28 if new_section else 12) or length % 4:
            return _stop(records, position, f"a block claims {length} bytes, which no such block has")
        if end > size:
            return _stop(records, position, "the last record is cut")
        if struct.unpack_from(order + "I", data, end - 4)[0] != length:
            return _stop(records, position, "the two lengths of a block differ")
        body, end_body = position + 8, end - 4
        problem = None
        if new_section:
            major, minor = struct.unpack_from(order + "HH", data, body + 4)
            problem = None if major == 1 else f"pcapng version {major}.{minor} is not read, only 1"
        elif kind == INTERFACE:
            problem = _interface(data, order, body, end_body, interfaces)
            if records.link_type < 0 and interfaces:
                records.link_type = interfaces[0].link_type
        elif kind in (ENHANCED_PACKET, OLD_PACKET):
            problem = _packet(records, order, kind, body, end_body, interfaces)
        elif kind == SIMPLE_PACKET:
            problem = _simple_packet(records, order, body, end_body, interfaces)
        if problem:
            return _stop(records, position, problem)
        position = end
    return records


def _stop(records: Records, position: int, why: str) -> Records:
    if position == 0:
        raise CaptureError("the file header is cut" if why.startswith("the last") else why)
    records.cut(why)
    return records


def _interface(data: mmap.mmap | bytes, order: str, body: int, end: int, interfaces: list[Interface]) -> str | None:
    if end - body < 8:
        return "an interface block is too short"
    link_type, snap_length = struct.unpack_from(order + "H2xI", data, body)
    interface, at = Interface(link_type, snap_length), body + 8
    while at + 4 <= end:
        code, length = struct.unpack_from(order + "HH", data, at)
        value = data[at + 4 : min(at + 4 + length, end)]
        if code == 0 or len(value) < length:
            break
        if code == TSRESOL and length == 1:
            interface.ticks = 2 ** (value[0] & 127) if value[0] & 128 else 10 ** value[0]
        elif code == TSOFFSET and length == 8:
            interface.offset_ps = struct.unpack(order + "q", value)[0] * PS_PER_S
        elif code == FCSLEN and length == 1:
            interface.fcs = value[0]
        at += 4 + (length + 3 & ~3)
    interfaces.append(interface)
    return None


def _packet(records: Records, order: str, kind: int, body: int, end: int, interfaces: list[Interface]) -> str | None:
    if end - body < 20:
        return "a packet block is too short"
    # The obsolete packet block has a 16-bit interface and a count of drops where the enhanced one has 32 bits.
    layout = "IIIII" if kind == ENHANCED_PACKET else "H2xIIII"
    number, high, low, captured, original = struct.unpack_from(order + layout, records.data, body)
    if number >= len(interfaces):
        return f"a packet of interface {number}, which the file does not describe, follows"
    if captured > min(end - body - 20, MAX_RECORD):
        return f"record {len(records.offset) + 1} claims {captured} bytes, more than its block has"
    port = interfaces[number]
    time_ps = (high << 32 | low) * PS_PER_S // port.ticks + port.offset_ps
    records.add(body + 20, captured, original, time_ps, port.link_type, port.fcs)
    return None


def _simple_packet(records: Records, order: str, body: int, end: int, interfaces: list[Interface]) -> str | None:
    if end - body < 4 or not interfaces:
        return "a simple packet block without its length or its interface follows"
    original: int = struct.unpack_from(order + "I", records.data, body)[0]
    port = interfaces[0]
    captured = min(original, port.snap_length or original)  # a snap length of 0 means no limit
    if captured > min(end - body - 4, MAX_RECORD):
        return f"record {len(records.offset) + 1} claims {captured} bytes, more than its block has"
    if not any("without a time" in warning for warning in records.warnings):
        records.warnings.append("simple packet blocks come without a time: set to their predecessor's")
    records.add(body + 4, captured, original, None, port.link_type, port.fcs)
    return None
