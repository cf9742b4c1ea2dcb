"""Differences: each is really one, none is missed, they do not hang on how far is recorded; and how they are found."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import pytest
from compare.small import OPEN, lockstep, pair, scenario

from ixviz.compare.align import aligned
from ixviz.compare.differences import COUNTED, LATER, Difference, differences, event_of, first_of, spins
from ixviz.compare.find import ANY, NEWS, Finder, passed
from ixviz.compare.lockstep import Lockstep
from ixviz.compare.words import sentence
from ixviz.history import History, Journal, Slots

FLOOD = {"kind": "poisson", "rate": "6 M/s", "flows": 16}
CONNECTIONS = {"kind": "closed", "connections": 24, "messages": 1, "close": "rst"}


@cache
def made(name: str) -> Lockstep:
    if name == "flood":  # rings that Linux fills and IX does not
        return lockstep(aligned([scenario(s, FLOOD, ring=16, until="60 us") for s in ("ix", "linux")]))
    if name == "locks":
        return lockstep(aligned([scenario(s, CONNECTIONS, cores=4, until="200 us") for s in ("ix", "linux")]))
    if name == "cores":
        return lockstep(aligned([scenario("linux", {**OPEN, "rate": "150 K/s"}, cores=c) for c in (2, 4)]))
    return lockstep(pair(name))


@cache
def all_of(name: str) -> tuple[Difference, ...]:
    return tuple(differences(made(name).runs, None))


def of(name: str, kind: str) -> list[Difference]:
    return [each for each in all_of(name) if each.kind == kind]


@pytest.mark.parametrize("workload", ["open", "paced", "fast"])
def test_a_system_does_not_differ_from_itself(workload: str) -> None:
    given = pair(workload)
    for one in given.scenarios:
        lock = lockstep(aligned([one, one]))
        assert differences(lock.runs, None) == []


@pytest.mark.parametrize("name", ["open", "paced", "fast", "flood", "locks"])
def test_what_differs_up_to_a_time_does_not_change_when_more_is_recorded(name: str) -> None:
    lock = made(name)
    last = max(run.time(run.last) for run in lock.runs)
    for edge in (1_000_000, last // 3, last // 2, last):
        assert differences(lock.runs, edge) == [each for each in all_of(name) if each.time < edge]


@pytest.mark.parametrize("name", ["open", "paced", "fast", "flood", "locks"])
def test_they_are_in_order_of_time_and_show_at_an_event_of_that_time(name: str) -> None:
    lock = made(name)
    assert all_of(name)
    assert [each.time for each in all_of(name)] == sorted(each.time for each in all_of(name))
    for each in all_of(name):
        assert lock.runs[each.run].time(event_of(lock.runs, each)) == each.time
        assert each.run != each.other


def latencies(lock: Lockstep) -> list[tuple[int, int]]:
    """Both latencies of each packet of an open loop that has left both systems, by number, naively."""
    out = []
    for number in range(1, min(len(run.sim.feed.packets.event) for run in lock.runs)):
        got = [run.moment_at(run.last).latency(number) for run in lock.runs]
        if None not in got:
            out.append((number, got[1] - got[0]))
    return out


def test_later_means_more_than_ten_microseconds() -> None:
    late = {number for number, gap in latencies(made("cores")) if abs(gap) > LATER}
    assert late == {each.packets[0] for each in of("cores", "later")}
    assert late and len(late) < len(latencies(made("cores")))


def test_dropped_by_one_means_that_the_other_has_it() -> None:
    lock = made("flood")
    tables = [run.sim.feed.packets for run in lock.runs]
    rows = min(len(table.event) for table in tables)
    lost = [{n for n in range(1, rows) if table.batch[n] == -2} for table in tables]
    found = of("flood", "dropped")
    assert found and {each.packets[0] for each in found} == lost[0] ^ lost[1]
    for each in found:
        assert "is dropped by" in sentence(lock.runs, each) and "has room for it" in sentence(lock.runs, each)


def test_another_order_means_that_two_neighbours_are_turned() -> None:
    lock = made("open")
    left = [run.sim.leaves() for run in lock.runs]
    rows = min(map(len, left))
    turned = 0
    for n in range(2, rows):
        pair_ = [(a[n - 1], a[n]) for a in left]
        if all(x >= 0 and y >= 0 for x, y in pair_):
            signs = [int(x > y) - int(x < y) for x, y in pair_]
            turned += signs[0] * signs[1] < 0
    assert turned == len(of("open", "order")) > 0


def test_requests_sent_at_another_time_are_told_with_when_they_were_due() -> None:
    lock = made("paced")
    sent = []
    for run in lock.runs:
        table = run.sim.feed.requests
        arrived = [(run.identity.requests()[row], table.sent[row]) for row in range(len(table.sent))
                   if table.packet[row] > 0]  # fmt: skip
        sent.append(dict(arrived))
    moved = {key for key in sent[0].keys() & sent[1].keys() if sent[0][key] != sent[1][key]}
    found = of("paced", "sent")
    assert moved and {(each.key[0], each.key[2]) for each in found} == moved
    assert all(" was due at " in sentence(lock.runs, each) for each in found)
    assert of("open", "sent") == []


def test_waits_for_locks_are_counted_one_by_one() -> None:
    lock = made("locks")
    events, times = spins(lock.runs[1], 2**63 - 1)
    found = of("locks", "waits")
    assert len(found) == len(events) > 0  # IX has no lock at all
    assert [each.data for each in found] == [(n + 1, 0) for n in range(len(events))]
    assert list(times) == [each.time for each in found]
    assert "It is wait 1 for a lock; ix has had none." in sentence(lock.runs, found[0])


def test_a_wait_is_begun_once_however_long_it_lasts() -> None:
    """As many events that begin one as the lock had requests that had to wait."""
    run = made("locks").runs[1]
    view = run.moment_at(run.last).view
    locks = [view[listener.lock.name] for listener in run.sim.sockets.listeners]
    assert len(spins(run, 2**63 - 1)[0]) == sum(lock.tickets for lock in locks) > 0


def test_the_first_of_a_kind_is_found_by_its_count() -> None:
    run = made("open").runs[1]
    for name in COUNTED:
        event = first_of(run, name)
        values = [getattr(run.picture.totals(run.moment_at(e)), name) for e in range(400)]
        assert event == next(e for e, value in enumerate(values) if value)


# ----------------------------------------------------------------------------------------------- finding them
@pytest.mark.parametrize("wanted", [ANY, NEWS, "later", "order"])
def test_next_passes_all_and_previous_comes_back(wanted: str) -> None:
    lock = made("open")
    finder = Finder(lock)
    lock.go_time(0)
    there = []
    while (found := finder.target(1, wanted)) is not None:
        lock.go(found.run, event_of(lock.runs, found))
        there.append(lock.place)
        assert found in finder.at()
    assert there == sorted(there, key=lambda p: (lock.runs[p.run].time(p.event), p.run, p.event)) and there
    if wanted in (ANY, "later"):
        places = {(e.time, e.run, event_of(lock.runs, e)) for e in all_of("open") if wanted in (ANY, e.kind)}
        assert len(there) == len(places)
    back = []
    while (found := finder.target(-1, wanted)) is not None:
        lock.go(found.run, event_of(lock.runs, found))
        back.append(lock.place)
    assert back == there[-2::-1]


def test_news_are_the_first_of_each_kind_and_gaps_that_grow() -> None:
    lock = made("open")
    finder = Finder(lock)
    lock.go_time(0)
    news = []
    while (found := finder.target(1, NEWS)) is not None:
        lock.go(found.run, event_of(lock.runs, found))
        news.append(finder.at())
    assert 2 <= len(news) < len({(e.time, e.run) for e in all_of("open")})
    kinds = {each.kind for here in news for each in here}
    assert kinds == {each.kind for each in all_of("open")}


def told(events: list[tuple[int, str, int]]) -> list[int]:
    """The times of the waits that n stops at, of a run of (time, kind, core) beside one that has no lock."""
    kinds = ("start", "spin", "listen")
    journal = Journal()
    history = History(journal, Slots(journal), kinds)
    for time, kind, core in events:
        journal.event(time, kinds.index(kind), core, -1)
    assert len(history) == len(events)
    begun = [number for number, (_, kind, _) in enumerate(events) if kind == "spin"]
    among = [Difference(events[number][0], 1, number, "waits", 0, data=(i + 1, 0)) for i, number in enumerate(begun)]
    skipped = passed([SimpleNamespace(), SimpleNamespace(history=history)], among)
    return [each.time for number, each in enumerate(among) if number not in skipped]


def test_of_waits_that_overlap_n_stops_at_the_first_until_it_has_the_lock() -> None:
    start = [(0, "start", 0), (10, "listen", 0)]
    first = [(12, "spin", 1), (14, "spin", 2), (16, "spin", 3), (20, "listen", 1)]  # core 1 waits from 12 to 20
    second = [(21, "spin", 0), (22, "spin", 1), (30, "listen", 2), (32, "spin", 2), (40, "listen", 3),
              (45, "listen", 1), (50, "listen", 0)]  # core 0 from 21 to 50  # fmt: skip
    last = [(51, "spin", 3), (60, "spin", 0)]  # core 3 from 51 on
    assert told([*start, *first]) == [12]
    assert told([*start, *first, *second]) == [12, 21]
    assert told([*start, *first, *second, *last]) == [12, 21, 51]
    assert told([*start, (12, "spin", 1), (20, "listen", 1), (30, "spin", 1), (40, "listen", 1)]) == [12, 30]


def test_n_stops_at_one_wait_at_a_time_forward_and_back() -> None:
    lock = made("locks")
    run, finder = lock.runs[1], Finder(lock)
    wanted, waiting = [], -1  # the core of the wait that n has stopped at
    for number in range(run.last + 1):
        kind, core = run.kind(number), run.history.event(number).subject
        if core == waiting:
            assert kind in ("listen", "accept")
            waiting = -1
        if kind == "spin" and waiting < 0:
            wanted.append(number)
            waiting = core
    lock.go_time(0)
    there = []
    while (found := finder.target(1, "waits")) is not None:
        lock.go(found.run, found.event)
        there.append(found.event)
    assert there == wanted and len(there) < len(of("locks", "waits"))
    while (found := finder.target(-1, "waits")) is not None:
        lock.go(found.run, found.event)
        there.append(found.event)
    assert there == wanted + wanted[-2::-1]


def test_every_difference_has_a_sentence() -> None:
    for name in ("open", "paced", "fast", "flood", "locks"):
        for each in all_of(name)[:400]:
            text = sentence(made(name).runs, each)
            assert text.endswith(".") and text[0].isalnum() and "None" not in text, text


def test_three_are_each_compared_with_the_first() -> None:
    lock = lockstep(aligned([scenario(s, OPEN, cores=c) for s, c in (("ix", 2), ("linux", 2), ("linux", 4))]))
    pairs = {frozenset((each.run, each.other)) for each in differences(lock.runs, None)}
    assert pairs == {frozenset((0, 1)), frozenset((0, 2))}
