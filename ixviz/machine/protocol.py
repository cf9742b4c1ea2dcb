"""Coherence protocols: MSI, MESI and MOESI as one table of rows, which is what the machine runs on.
Invariant: a protocol is its rows and nothing else; no transition of a cached line is written anywhere but here."""

from __future__ import annotations

from typing import Final

STATES: Final = ("I", "S", "E", "M", "O")  # the letter of each state; a line's state is an index into this
INVALID, SHARED, MODIFIED, OWNED = map(STATES.index, "ISMO")
NAMES: Final = ("msi", "mesi", "moesi")

# What a core's own access does to its copy, and what it says on the bus. The last three columns are the next state in
# each protocol; "" where the protocol has no such state.
OWN: Final = (
    # state, event,             bus,       MSI, MESI, MOESI
    ("I", "read, no sharer",    "BusRd",   "S", "E", "E"),
    ("I", "read, some sharer",  "BusRd",   "S", "S", "S"),
    ("I", "write",              "BusRdX",  "M", "M", "M"),
    ("S", "read",               "",        "S", "S", "S"),
    ("S", "write",              "BusUpgr", "M", "M", "M"),
    ("E", "read",               "",        "",  "E", "E"),
    ("E", "write",              "",        "",  "M", "M"),
    ("M", "read",               "",        "M", "M", "M"),
    ("M", "write",              "",        "M", "M", "M"),
    ("O", "read",               "",        "",  "",  "O"),
    ("O", "write",              "BusUpgr", "",  "",  "M"),
)  # fmt: skip

# What the copy of another core does when it hears that on the bus.
SNOOP: Final = (
    # state, heard,   it does,                        MSI, MESI, MOESI
    ("I", "BusRd",    "",                             "I", "I", "I"),
    ("I", "BusRdX",   "",                             "I", "I", "I"),
    ("I", "BusUpgr",  "",                             "I", "I", "I"),
    ("S", "BusRd",    "",                             "S", "S", "S"),
    ("S", "BusRdX",   "",                             "I", "I", "I"),
    ("S", "BusUpgr",  "",                             "I", "I", "I"),
    ("E", "BusRd",    "supplies",                     "",  "S", "S"),
    ("E", "BusRdX",   "supplies",                     "",  "I", "I"),
    ("M", "BusRd",    "supplies and updates memory",  "S", "S", ""),
    ("M", "BusRd",    "supplies",                     "",  "",  "O"),
    ("M", "BusRdX",   "supplies",                     "I", "I", "I"),
    ("O", "BusRd",    "supplies",                     "",  "",  "O"),
    ("O", "BusRdX",   "supplies",                     "",  "",  "I"),
    ("O", "BusUpgr",  "",                             "",  "",  "I"),
)  # fmt: skip

# What becomes of memory when a copy has to make room; the copy is I afterwards.
EVICT: Final = (
    ("S", ""),
    ("E", ""),
    ("M", "writes back"),
    ("O", "writes back"),
)  # fmt: skip

BUS: Final = ("", "BusRd", "BusRdX", "BusUpgr")
NO_BUS, BUS_RD, BUS_RDX, BUS_UPGR = range(4)

Own = tuple[int, int, int]  # next state without and with another copy, bus action
Snoop = tuple[int, bool, bool]  # next state, whether it supplies the data, whether memory is updated


class Protocol:
    """The rows of one protocol, by number of the state: `reads`, `writes` (Own), `snoops[bus]` (Snoop), and `evicts`,
    whether memory gets the line. None where the protocol has no such state. `letters` are the states it has."""

    def __init__(self, name: str) -> None:
        column = 3 + NAMES.index(name)
        self.name = name
        reads: list[Own | None] = [None] * len(STATES)
        writes: list[Own | None] = [None] * len(STATES)
        snoops: list[list[Snoop | None]] = [[None] * len(STATES) for _ in BUS]
        own = {(row[0], row[1]): (STATES.index(row[column]), BUS.index(row[2])) for row in OWN if row[column]}
        for state, letter in enumerate(STATES):
            if (letter, "write") in own:
                to, bus = own[letter, "write"]
                writes[state] = (to, to, bus)
                alone, bus = own.get((letter, "read, no sharer")) or own[letter, "read"]
                reads[state] = (alone, own.get((letter, "read, some sharer"), (alone, 0))[0], bus)
        for row in SNOOP:
            if row[column]:
                does = row[2]
                made = (STATES.index(row[column]), "supplies" in does, "updates memory" in does)
                snoops[BUS.index(row[1])][STATES.index(row[0])] = made
        self.reads, self.writes = tuple(reads), tuple(writes)
        self.snoops = tuple(tuple(rows) for rows in snoops)
        self.letters = tuple(letter for letter, row in zip(STATES, reads, strict=True) if row is not None)
        written = {letter for letter, does in EVICT if does == "writes back"}
        self.evicts = tuple(letter in written for letter in STATES)


PROTOCOLS: Final = {name: Protocol(name) for name in NAMES}
