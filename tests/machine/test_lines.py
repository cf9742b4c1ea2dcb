"""Lines: the step tables of false sharing and padding; against a memory with values; sums; in bulk; layouts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.history import History, Journal, Slots
from ixviz.machine.caches import Caches, content
from ixviz.machine.line import HIT, L3, MEMORY, TRANSFER, UPGRADE, Line
from ixviz.machine.lines import COUNTS, Layout, Lines
from ixviz.machine.profile import Latencies
from ixviz.machine.protocol import STATES
from ixviz.machine.wire import PS

LATENCIES = Latencies(own=1, l3=10, transfer=100, memory=1000, upgrade=50)
HZ = 10**9  # a cycle is 1,000 ps
QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def lines_of(
    cores: int, protocol: str = "mesi", l3: bool = False, journal: Journal | None = None, **more: Any
) -> Lines:
    if journal is not None:
        journal.event(0, 0, 0, -1)
    return Lines(Slots(journal), cores, LATENCIES, HZ, protocol=protocol, l3=l3, paths=("read", "write"), **more)


def states(line: Line | None, cores: int) -> str:
    return "I" * cores if line is None else "".join(STATES[line.state(i)] for i in range(cores))


# core, address, hit or miss, who supplies, copies lost, states before, states after; all are writes
FALSE_SHARING = [
    (0, 0x1000, "miss", "memory", 0, "II", "MI"),
    (1, 0x1004, "miss", "cache0", 1, "MI", "IM"),
    (0, 0x1000, "miss", "cache1", 1, "IM", "MI"),
    (1, 0x1004, "miss", "cache0", 1, "MI", "IM"),
    (0, 0x1000, "miss", "cache1", 1, "IM", "MI"),
    (1, 0x1004, "miss", "cache0", 1, "MI", "IM"),
    (0, 0x1000, "miss", "cache1", 1, "IM", "MI"),
    (1, 0x1004, "miss", "cache0", 1, "MI", "IM"),
]
PADDED = [
    (0, 0x1000, "miss", "memory", 0, "II", "MI"),
    (1, 0x1040, "miss", "memory", 0, "II", "IM"),
    (0, 0x1000, "hit", "", 0, "MI", "MI"),
    (1, 0x1040, "hit", "", 0, "IM", "IM"),
    (0, 0x1000, "hit", "", 0, "MI", "MI"),
    (1, 0x1040, "hit", "", 0, "IM", "IM"),
    (0, 0x1000, "hit", "", 0, "MI", "MI"),
    (1, 0x1040, "hit", "", 0, "IM", "IM"),
]


@pytest.mark.parametrize("steps", [FALSE_SHARING, PADDED], ids=["false sharing", "padded"])
@pytest.mark.parametrize("size", [None, 8192])
def test_step_tables(steps: list[tuple[Any, ...]], size: int | None) -> None:
    lines = lines_of(2)
    caches = Caches(lines, size, 8, 64)
    for core, address, outcome, source, lost, before, after in steps:
        mine = lines.caches[core]
        was = {key: getattr(mine, key) for key in COUNTS}
        assert states(caches.find(address // 64), 2) == before
        cycles = caches.access(core, True, address)
        line = caches.find(address // 64)
        assert line is not None and line.name == f"line{address // 64:x}"
        got = {key: getattr(mine, key) - was[key] for key in COUNTS}
        assert states(line, 2) == after
        assert got["accesses"] == 1 and got["hits"] == (outcome == "hit") and got["misses"] == (outcome == "miss")
        assert got["invalidations"] == lost and got["writebacks"] == got["upgrades"] == 0
        assert got["memory_reads"] == (source == "memory")
        assert got["transfers"] == (source.startswith("cache"))
        if source.startswith("cache"):
            assert (line.moved_from, line.moved_to) == (int(source[5:]) + 1, core + 1)
        assert cycles == {"memory": 1000, "": 1}.get(source, 100)


class Values:
    """A memory and caches that hold values, moved as the counts say; every write has a value of its own."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.memory: dict[str, int] = {}
        self.copies: dict[tuple[str, int], int] = {}
        self.newest: dict[str, int] = {}
        self.writes = 0

    def before(self) -> dict[str, str]:
        return {name: states(line, self.lines.cores) for name, line in self.lines.by_name.items()}

    def check(self, name: str, core: int, write: bool, was: dict[str, str], counted: dict[str, int]) -> None:
        """After an access: where the data came from, what became of memory, and that they are the newest."""
        line = self.lines.by_name[name]
        cores = range(self.lines.cores)
        written = 0
        for other, each in self.lines.by_name.items():  # what made room
            if other != name:
                for i in cores:
                    letter = was.get(other, "I" * len(cores))[i]
                    if letter != "I" and each.state(i) == 0:
                        assert i == core, "only the accessing cache has to make room"
                        value = self.copies.pop((other, i))
                        if letter in "MO":
                            self.memory[other] = value
                            written += 1
        held = was.get(name, "I" * len(cores))[core] != "I"
        if held:
            assert counted["hits"] == 1
        elif counted["transfers"]:
            giver = line.moved_from - 1
            self.copies[name, core] = self.copies[name, giver]
            letter = was[name][giver]
            assert letter in "MEO"
            if letter == "M" and line.state(giver) == STATES.index("S"):
                self.memory[name] = self.copies[name, giver]  # it supplied and updated memory
                written += 1
        else:
            assert counted["memory_reads"] == 1
            self.copies[name, core] = self.memory.get(name, 0)
        assert counted["writebacks"] == written
        others = was.get(name, "I" * len(cores))
        others = others[:core] + others[core + 1 :]
        if not held and not write:
            alone = not others.strip("I") and "E" in self.lines.protocol.letters
            assert STATES[line.state(core)] == ("E" if alone else "S")
        assert counted["invalidations"] == (len(others.replace("I", "")) if write else 0)
        if write:
            assert STATES[line.state(core)] == "M"
            for i in cores:
                if i != core:
                    self.copies.pop((name, i), None)
            assert self.copies[name, core] == self.newest.get(name, 0), "it would change a part of an old line"
            self.writes += 1
            self.copies[name, core] = self.newest[name] = self.writes
        assert self.copies[name, core] == self.newest.get(name, 0), "a stale read"
        for i in cores:
            assert (line.state(i) != 0) == ((name, i) in self.copies)


def sound(lines: Lines) -> None:
    """One M at most, M or E alone, one owner; counts agree."""
    for line in lines.by_name.values():
        held = states(line, lines.cores).replace("I", "")
        assert held.count("M") + held.count("E") + held.count("O") <= 1, held
        assert len(held) == 1 or not set(held) & set("ME"), held
        assert set(held) <= set(lines.protocol.letters)
        assert [bool(line.copies >> i & 1) for i in range(lines.cores)] == [c != "I" for c in states(line, lines.cores)]
    figures = lines.figures()
    for key in COUNTS:
        assert figures[key] == sum(c[key] for c in figures["per_core"]) == sum(x[key] for x in figures["lines"])
    for part in (figures, *figures["per_core"], *figures["lines"]):
        assert part["hits"] + part["misses"] == part["accesses"]
        assert part["misses"] == part["transfers"] + part["memory_reads"]  # there is no L3
        assert part["upgrades"] <= part["hits"]


ACCESSES = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 7)), max_size=90)


@pytest.mark.parametrize("protocol", ["msi", "mesi", "moesi"])
@pytest.mark.parametrize("size", [None, 256])
def test_no_copy_is_ever_stale(protocol: str, size: int | None) -> None:
    seen: set[str] = set()

    @QUICK
    @given(ACCESSES)
    def check(accesses: list[tuple[int, bool, int]]) -> None:
        lines = lines_of(4, protocol)
        caches = Caches(lines, size, 2, 64)  # two sets of two ways when it is finite
        values = Values(lines)
        for core, write, number in accesses:
            was, mine = values.before(), lines.caches[core]
            counted = {key: getattr(mine, key) for key in COUNTS}
            caches.access(core, write, number * 64 + number)
            counted = {key: getattr(mine, key) - counted[key] for key in COUNTS}
            values.check(f"line{number}", core, write, was, counted)
            sound(lines)
            seen.update(*values.before().values())

    check()
    assert seen == set(lines_of(1, protocol).protocol.letters)


@QUICK
@given(st.sampled_from([1, 2, 3, 8]), st.integers(1, 5),
       st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=100))  # fmt: skip
def test_lru_is_a_list_of_what_was_used(ways: int, sets: int, accesses: list[tuple[bool, int]]) -> None:
    lines = lines_of(1)
    caches = Caches(lines, ways * sets * 32, ways, 32)
    naive: dict[int, list[int]] = {i: [] for i in range(sets)}  # the most recently used last
    changed: set[int] = set()
    written = 0
    for write, number in accesses:
        kept = naive[number % sets]
        hit = number in kept
        if hit:
            kept.remove(number)
        elif len(kept) == ways:
            gone = kept.pop(0)
            written += gone in changed
            changed.discard(gone)
        kept.append(number)
        if write:
            changed.add(number)
        hits = lines.caches[0].hits
        caches.access(0, write, number * 32)
        assert lines.caches[0].hits - hits == hit
        assert lines.caches[0].writebacks == written
        for i, each in naive.items():
            got = [held.number for held in content(lines.slots.by_name, 0, i, ways)]
            assert got == each[::-1]


def test_an_invalid_copy_makes_room_before_a_valid_one() -> None:
    lines = lines_of(2)
    caches = Caches(lines, 128, 2, 64)
    for number in (0, 1):
        caches.access(0, False, 64 * number)
    caches.access(1, True, 64)  # core 0 loses line 1, which it used last
    caches.access(0, False, 64 * 2)
    assert [held.number for held in content(lines.slots.by_name, 0, 0, 2)] == [2, 0]
    assert lines.caches[0].misses == 3 and lines.caches[0].writebacks == 0


def test_with_an_l3_only_the_first_touch_is_memory() -> None:
    lines = lines_of(3, l3=True)
    line = lines.add("dst", home=1)
    assert line.outcome(0, False) == MEMORY
    assert line.access(0, False) == 1000 and states(line, 3) == "EII"
    line.evict(0)
    assert line.outcome(1, False) == L3 and line.access(1, False) == 10
    assert line.outcome(2, False) == TRANSFER and line.access(2, False) == 100  # core 1 had it alone
    assert line.outcome(0, False) == L3 and line.access(0, False) == 10 and states(line, 3) == "SSS"
    assert line.outcome(0, True) == UPGRADE and line.access(0, True) == 50 and states(line, 3) == "MII"
    assert line.outcome(0, True) == HIT and line.access(0, True) == 1
    assert (line.accesses, line.hits, line.misses, line.l3_reads, line.transfers, line.memory_reads) == (
        6,
        2,
        4,
        2,
        1,
        1,
    )
    assert (line.invalidations, line.upgrades, line.home) == (2, 1, 2)


def test_a_line_held_before_time_0_costs_no_first_touch() -> None:
    lines = lines_of(2, l3=True)
    line = lines.add("q0.ring", held=1)
    assert line.access(1, True) == 1 and line.touched(1) and not line.touched(0)
    assert line.access(0, False) == 100 and line.touched(0)


def test_a_device_takes_copies_away_and_leaves_the_line_in_the_l3() -> None:
    lines = lines_of(2, l3=True)
    ring = lines.add("q0.ring")
    ring.access(0, True)
    ring.dma(write=False)
    assert states(ring, 2) == "SI"
    ring.dma(write=True)
    assert states(ring, 2) == "II" and ring.outcome(0, False) == L3
    assert ring.access(0, False) == 10 and ring.accesses == 2 and ring.invalidations == 0


def test_hyperthreads_share_a_cache() -> None:
    lines = lines_of(2, l3=True, threads=4)
    line = lines.add("pcb7")
    line.access(0, True)
    assert line.access(2, True) == 1, "thread 2 is the other one of core 0"
    assert line.access(3, True) == 100 and states(line, 2) == "IM"
    assert lines.caches[1].transfers == 1 and line.last == 2


def test_accesses_at_one_time_wait_for_each_other_when_the_line_has_to_move() -> None:
    lines = lines_of(4, l3=True)
    line = lines.add("counter", held=0)
    now = 5_000_000
    assert line.access(0, True, 0, now) == 1  # its own: nothing moves
    assert [line.access(core, True, 0, now) for core in (1, 2, 3)] == [100, 200, 300]
    assert line.waited == 100 + 200 and lines.caches[3].waited == 200
    assert line.access(3, True, 0, now) == 1
    assert line.access(0, True, 0, now + 250_000) == 50 + 100
    assert line.access(1, True, 0, now + 10_000_000) == 100
    assert line.busy == now + 10_000_000 + 100 * PS // HZ


@QUICK
@given(st.sampled_from(["msi", "mesi", "moesi"]), st.booleans(),
       st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)), max_size=20))  # fmt: skip
def test_bulk_is_one_by_one(protocol: str, l3: bool, runs: list[tuple[int, int, int]]) -> None:
    one, other = lines_of(3, protocol, l3), lines_of(3, protocol, l3)
    a, b = one.add("x"), other.add("x")
    for core, reads, writes in runs:
        singly = sum(a.access(core, False, 1) for _ in range(reads)) + sum(
            a.access(core, True, 1) for _ in range(writes)
        )
        assert b.bulk(core, reads, writes, 1) == singly
        assert one.slots.values().tolist() == other.slots.values().tolist()


@QUICK
@given(st.sampled_from(["msi", "mesi", "moesi"]), ACCESSES)
def test_recorded_is_unrecorded_and_can_be_walked_back(protocol: str, accesses: list[tuple[int, bool, int]]) -> None:
    journal = Journal()
    fast, slow = lines_of(4, protocol), lines_of(4, protocol, journal=journal)
    history = History(journal, slow.slots, ("start", "access"))
    both = Caches(fast, 256, 2, 64), Caches(slow, 256, 2, 64)
    values = [slow.slots.values().tolist()]
    for i, (core, write, number) in enumerate(accesses):
        journal.event(i + 1, 1, 0, i)
        assert both[0].access(core, write, number * 64) == both[1].access(core, write, number * 64)
        values.append(slow.slots.values().tolist())
    assert fast.slots.values().tolist() == values[-1]
    cursor = history.cursor(len(accesses))
    for i in range(len(accesses), -1, -1):
        cursor.seek(i)
        there = cursor.values().tolist()
        assert there[: len(values[i])] == values[i] and not any(there[len(values[i]) :])


def test_lines_made_while_running_are_taken_over_after_a_resume() -> None:
    lines = lines_of(2)
    caches = Caches(lines, 256, 2, 64)
    script = [(0, True, 0), (1, False, 0), (1, True, 128), (0, False, 256), (0, True, 384)]
    for core, write, address in script:
        caches.access(core, write, address)
    again = lines_of(2)
    other = Caches(again, 256, 2, 64)
    for place in lines.slots.places[len(again.slots.places) :]:
        again.slots.add(place.cls, place.name)
    again.slots.load(lines.slots.values().tolist())
    other.rebuild()
    for core, write, address in [*script, (1, True, 512), *script[::-1]]:
        assert caches.access(core, write, address) == other.access(core, write, address)
    assert lines.figures() == again.figures()
    assert lines.slots.values().tolist() == again.slots.values().tolist()


# ------------------------------------------------------------------------------------------------ placement
def test_fields_on_one_line_take_it_from_each_other_and_fields_on_lines_of_their_own_do_not() -> None:
    moves = []
    for layout in (Layout({"dev": ("dev.refcnt", "dev.stats")}),
                   Layout({"dev.refcnt": ("dev.refcnt",), "dev.stats": ("dev.stats",)})):  # fmt: skip
        lines = lines_of(2, l3=True)
        lines.lay(layout)
        for _ in range(10):
            lines.of["dev.refcnt"].access(0, True)
            lines.of["dev.stats"].access(1, True)
        moves.append(lines.figures()["transfers"])
    assert moves == [19, 0]  # every access but the first takes it from the other


def test_a_field_on_two_lines_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dev\.stats"):
        Layout({"a": ("dev.stats",), "b": ("dev.stats",)})


def test_names_are_taken_once_and_unknown_paths_refused() -> None:
    lines = lines_of(2, kinds=("ring",))
    line = lines.add("q0", what="ring")
    assert (line.what, lines.path("write")) == (1, 2)
    with pytest.raises(ValueError, match="q0"):
        lines.add("q0")
    with pytest.raises(ValueError):
        lines.path("accept()")
