"""Reads a trace: a line an access, `cpu r|w address`, with comments behind #.
Invariant: a trace has at least one access and only cores that the machine has, or all its mistakes are told at once."""

from __future__ import annotations

import re
from array import array
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ixviz.system.files import FileError, Mistake

MOST = 1_000_000  # accesses
MOST_BYTES = 64 * 2**20
_KEY = "system.file"
_WORD = re.compile(r"[^ \t\r\v\f]+")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,40}|0[0-9a-fA-F]{1,40}", re.ASCII)
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,30}", re.ASCII)
_BARE_HEX = re.compile(r"[0-9a-fA-F]{1,16}", re.ASCII)
_LINE = "a line is a core, r or w, and an address (0 w 0x1000)"


class Trace(NamedTuple):
    """Accesses in order, counted from 0, a column each.

    `numbers` are the lines of their addresses. `order` are the numbers of all lines in order of their first access,
    `first` those accesses; `place` is each access's line as an index into `order`. `second` are the accesses by which
    a line was had by a second core, ascending.
    """

    path: Path
    cores: Any  # array of h
    writes: Any  # array of b, 1 for a write
    addresses: Any  # array of Q
    numbers: Any  # int64
    order: list[int]
    first: list[int]
    place: Any  # int64
    second: list[int]

    def __len__(self) -> int:
        return len(self.cores)


def read_trace(path: Path, cores: int, line: int) -> Trace:
    """The trace of a file, for a machine of so many cores and lines of so many bytes. Raises FileError."""
    text = _text(path)
    found: list[Mistake] = []
    who, writes, addresses = array("h"), array("b"), array("Q")
    for number, row in enumerate(text.split("\n"), 1):
        words = list(_WORD.finditer(row.partition("#")[0]))
        access = _access(words, number, cores, found) if words else None
        if access is not None:
            who.append(access[0])
            writes.append(access[1])
            addresses.append(access[2])
        if len(who) > MOST:
            raise FileError(_KEY, path, [Mistake(number, 1, f"a trace has at most {MOST:,} accesses")])
    if not found and not who:
        found.append(Mistake(1, 1, f"the file has no access; {_LINE}"))
    if found:
        raise FileError(_KEY, path, found)
    return _placed(path, who, writes, addresses, line)


def _placed(path: Path, who: Any, writes: Any, addresses: Any, line: int) -> Trace:
    """The trace with its lines found."""
    numbers, place = array("q"), array("q")
    known: dict[int, int] = {}
    order: list[int] = []
    first: list[int] = []
    second: list[int] = []
    owner: list[int] = []  # the only core that had a line so far, -1 once there were several
    for i, address in enumerate(addresses):
        number = address // line
        at = known.get(number)
        if at is None:
            at = known[number] = len(order)
            order.append(number)
            first.append(i)
            owner.append(who[i])
        elif owner[at] >= 0 and owner[at] != who[i]:
            owner[at] = -1
            second.append(i)
        numbers.append(number)
        place.append(at)
    return Trace(path, who, writes, addresses, np.array(numbers), order, first, np.array(place), second)


def otherwise(trace: Trace, done: int, cores: int, line: int) -> Trace:
    """The trace with other accesses behind the first `done`: from the last to the first, each by the next core, writes
    for reads. It is as long, and has the same addresses."""
    who, writes, addresses = (array(kind, column[:done]) for kind, column in
                              (("h", trace.cores), ("b", trace.writes), ("Q", trace.addresses)))  # fmt: skip
    for i in range(len(trace) - 1, done - 1, -1):
        who.append((trace.cores[i] + 1) % cores)
        writes.append(1 - trace.writes[i])
        addresses.append(trace.addresses[i])
    return _placed(trace.path, who, writes, addresses, line)


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            what = "not an ordinary file" if path.exists() else "no such file"
            raise FileError(_KEY, path, [Mistake(0, 0, what)])
        with path.open("rb") as source:
            data = source.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or "cannot be read"
        raise FileError(_KEY, path, [Mistake(0, 0, told.lower())]) from None
    if len(data) > MOST_BYTES:
        raise FileError(_KEY, path, [Mistake(0, 0, f"a trace has at most {MOST_BYTES >> 20} MB")])
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise FileError(_KEY, path, [Mistake(*place, "not text in UTF-8")]) from None


def _access(words: list[Any], line: int, cores: int, found: list[Mistake]) -> tuple[int, int, int] | None:
    """Core, write and address of a line; None when something is wrong, which is then in `found`."""
    if len(words) != 3:
        col = words[3].start() + 1 if len(words) > 3 else words[-1].end() + 1
        got = f"{len(words)} word{'' if len(words) == 1 else 's'}"
        found.append(Mistake(line, col, f"{_LINE}, got {got}"))
        return None
    before = len(found)
    (core, core_col), (what, what_col), (where, where_col) = ((w.group(), w.start() + 1) for w in words)
    if not _DECIMAL.fullmatch(core):
        found.append(Mistake(line, core_col, f"the number of a core is wanted, got {_shown(core)}"))
    elif int(core) >= cores:
        found.append(Mistake(line, core_col, f"there is no core {core}: machine.cores is {cores}, counted from 0"))
    if what not in ("r", "w", "R", "W"):
        found.append(Mistake(line, what_col, f"r or w is wanted, got {_shown(what)}"))
    address = _address(where)
    if address is None:
        hint = f"; did you mean 0x{where}?" if _BARE_HEX.fullmatch(where) else ""
        wanted = "an address is wanted, hexadecimal (0x1000) or decimal (4096)"
        found.append(Mistake(line, where_col, f"{wanted}, got {_shown(where)}{hint}"))
    elif address >= 2**64:
        found.append(Mistake(line, where_col, f"{_shown(where)} is out of range, an address has at most 64 bits"))
    if len(found) > before or address is None:
        return None
    return int(core), int(what in "wW"), address


def _address(word: str) -> int | None:
    """An address, hexadecimal with 0x or a leading zero (as tools print them), else decimal."""
    if _DECIMAL.fullmatch(word):
        return int(word)
    return int(word, 16) if _HEX.fullmatch(word) else None


def _shown(word: str) -> str:
    return f'"{word if len(word) <= 40 else word[:39] + "…"}"'
