"""The tables of the protocols: MESI row for row as textbooks have it, MSI and MOESI by what sets them apart."""

import pytest

from ixviz.machine.protocol import (
    BUS,
    BUS_RD,
    BUS_RDX,
    BUS_UPGR,
    EVICT,
    NAMES,
    NO_BUS,
    OWN,
    PROTOCOLS,
    SNOOP,
    STATES,
)

I, S, E, M, O = range(5)  # noqa: E741  (the letters of the table)

# state, event, next state, bus action
MESI_OWN = [
    ("I", "read, no sharer", "E", "BusRd"),
    ("I", "read, some sharer", "S", "BusRd"),
    ("I", "write", "M", "BusRdX"),
    ("S", "read", "S", ""),
    ("S", "write", "M", "BusUpgr"),
    ("E", "read", "E", ""),
    ("E", "write", "M", ""),
    ("M", "read", "M", ""),
    ("M", "write", "M", ""),
]
# state, what it hears, next state, supplies the line, updates memory
MESI_SNOOP = [
    ("S", "BusRd", "S", False, False),
    ("S", "BusRdX", "I", False, False),
    ("S", "BusUpgr", "I", False, False),
    ("E", "BusRd", "S", True, False),
    ("E", "BusRdX", "I", True, False),
    ("M", "BusRd", "S", True, True),
    ("M", "BusRdX", "I", True, False),
    ("I", "BusRd", "I", False, False),
    ("I", "BusRdX", "I", False, False),
    ("I", "BusUpgr", "I", False, False),
]


def own(name: str, state: str, event: str) -> tuple[str, str]:
    protocol, number = PROTOCOLS[name], STATES.index(state)
    row = (protocol.writes if event == "write" else protocol.reads)[number]
    assert row is not None
    return STATES[row[1] if event == "read, some sharer" else row[0]], BUS[row[2]]


@pytest.mark.parametrize(("state", "event", "to", "bus"), MESI_OWN)
def test_mesi_own_access(state: str, event: str, to: str, bus: str) -> None:
    assert own("mesi", state, event) == (to, bus)


@pytest.mark.parametrize(("state", "heard", "to", "supplies", "updates"), MESI_SNOOP)
def test_mesi_snoop(state: str, heard: str, to: str, supplies: bool, updates: bool) -> None:
    row = PROTOCOLS["mesi"].snoops[BUS.index(heard)][STATES.index(state)]
    assert row == (STATES.index(to), supplies, updates)


def test_mesi_has_no_other_rows() -> None:
    rows = [row for row in OWN if row[4]]
    assert [(r[0], r[1], r[4], r[2]) for r in rows] == MESI_OWN
    heard = {(r[0], r[1]) for r in SNOOP if r[4]}
    assert heard == {(state, bus) for state, bus, *_ in MESI_SNOOP}
    assert PROTOCOLS["mesi"].letters == ("I", "S", "E", "M")


def test_only_changed_copies_are_written_back() -> None:
    assert dict(EVICT) == {"S": "", "E": "", "M": "writes back", "O": "writes back"}
    for protocol in PROTOCOLS.values():
        assert protocol.evicts == (False, False, False, True, True)


def test_msi_has_no_exclusive_state() -> None:
    msi = PROTOCOLS["msi"]
    assert msi.letters == ("I", "S", "M")
    assert msi.reads[I] == (S, S, BUS_RD)
    assert msi.writes[S] == (M, M, BUS_UPGR)  # which a MESI core that read alone is spared
    assert msi.reads[E] is None and msi.writes[O] is None
    assert msi.snoops[BUS_RD][M] == (S, True, True)


def test_moesi_keeps_the_changed_line_with_its_owner() -> None:
    moesi, mesi = PROTOCOLS["moesi"], PROTOCOLS["mesi"]
    assert moesi.letters == STATES
    assert moesi.snoops[BUS_RD][M] == (O, True, False)  # memory is not updated
    assert moesi.snoops[BUS_RD][O] == (O, True, False)
    assert moesi.snoops[BUS_RDX][O] == (I, True, False)
    assert moesi.snoops[BUS_UPGR][O] == (I, False, False)
    assert moesi.reads[O] == (O, O, NO_BUS) and moesi.writes[O] == (M, M, BUS_UPGR)
    assert moesi.reads[:4] == mesi.reads[:4] and moesi.writes[:4] == mesi.writes[:4]
    assert moesi.snoops[BUS_RDX][:4] == mesi.snoops[BUS_RDX][:4]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_closed(name: str) -> None:
    """From the states of a protocol its rows lead to states it has, and whatever is heard has an answer."""
    protocol = PROTOCOLS[name]
    states = [STATES.index(letter) for letter in protocol.letters]
    together = {(S, S), (O, S), (S, O)}  # what may exist beside each other besides I
    for state in states:
        for row in (protocol.reads[state], protocol.writes[state]):
            assert row is not None and {row[0], row[1]} <= set(states)
            if row[2] == NO_BUS:
                assert row[0] == row[1]
                continue
            for other in states:
                if other != I and (state == I or (state, other) in together):
                    answer = protocol.snoops[row[2]][other]
                    assert answer is not None and answer[0] in states
                    after = (row[1], answer[0])
                    assert I in after or after in together, "no row leads to two copies that exclude each other"
